/* coverage.h: what a complete search has exercised: how often each transition occurs, which values variables take,
 * where propositions hold. The states are gone through once more, by all threads. */
#ifndef CHECK_COVERAGE_H
#define CHECK_COVERAGE_H

#include "graph/space.h"

enum { COVERAGE_VALUES = 256 };

/* Of one element of a variable. */
struct coverage_element {
    uint64_t seen[COVERAGE_VALUES / 64]; /* which values from 0 on it has had */
    int64_t first;                       /* a value that it has had; */
    bool changes, other;                 /* it has had another one; one that is not in `seen` */
};

struct coverage {
    uint64_t states;
    uint32_t transitions, elements, propositions;
    uint64_t *fired;                  /* by transition: edges */
    struct coverage_element *element; /* those of the variables, one after the other */
    uint64_t *holds;                  /* by proposition: states */
    uint64_t *levels;                 /* of a breadth-first search: states */
    uint64_t level_count;
};

/* All states are there. NULL: it was given up, as *stop says. */
struct coverage *coverage_take(struct space *s, struct stop *stop);
void coverage_free(struct coverage *c); /* may be NULL */

static inline bool coverage_has_taken(const struct coverage_element *e, uint64_t value) {
    return e->other || (value < COVERAGE_VALUES && (e->seen[value / 64] >> value % 64 & 1));
}

#endif
