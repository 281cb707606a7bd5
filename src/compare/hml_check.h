/* hml_check.h: is a formula true of a state? What was found out about a node and a state stays known as long as nodes
 * keep their numbers, so that many formulas that share their parts are looked at in little time.
 */
#ifndef COMPARE_HML_CHECK_H
#define COMPARE_HML_CHECK_H

#include "compare/hml.h"

/* Numbers for pairs of a node and a state. */
struct notes {
    struct note {
        uint64_t key; /* + 1; 0: free */
        uint8_t value;
    } * note;
    uint64_t count, mask;
};

struct formula_check {
    const struct formula *f;
    const struct lts *l;
    struct notes known;   /* 1 + whether a part is true of a state */
    uint32_t *stamp, now; /* by state: the latest gathering that has met it. No other goes on meanwhile */
    uint64_t work, most;  /* states and edges that were looked at, part by part; at most so many */
};

void formula_check_init(struct formula_check *c, const struct formula *f, const struct lts *l);
void formula_check_fini(struct formula_check *c);

/* The node is true of state `yes` and false of `no`: found, or none. Given up when work has passed `most`; then no more
 * may be asked. */
enum outcome formula_check_apart(struct formula_check *c, uint32_t node, uint32_t yes, uint32_t no);

#endif
