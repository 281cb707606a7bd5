/* hml.h: statements about states that bisimilar states agree on (Hennessy and Milner; for branching bisimilarity,
 * De Nicola and Vaandrager).
 *
 *   true
 *   not F
 *   F and G
 *   <a>F        an edge labelled a leads to a state of which F is true
 *   <<a>>F      the same, with any number of tau edges before and after a; <<>>F: with tau edges alone, perhaps none
 *   F {a} G     through states of which F is true, tau edges alone lead to one from which an edge labelled a leads to a
 *               state of which G is true; or a is tau, and G is true already
 *   loops F     there is an endless path of tau edges through states of which F is true
 *
 * Nodes are numbers; each node exists once. A node's parts have lower numbers. FORMULA_TRUE is node 0.
 */
#ifndef COMPARE_HML_H
#define COMPARE_HML_H

#include <stdio.h>

#include "algo/table.h"
#include "base/outcome.h"
#include "lts/lts.h"

enum formula_kind { IS_TRUE, IS_NOT, IS_AND, IS_STEP, IS_WEAK_STEP, IS_UNTIL, IS_LOOP };
enum { FORMULA_TRUE = 0 };

struct formula {
    struct formula_node {
        enum formula_kind kind;
        uint32_t label;
        uint32_t left, right; /* not, step, weak step, loop: right alone */
    } * node;
    uint32_t count, room;
    uint32_t root;
    struct table table; /* of the nodes */
};

void formula_init(struct formula *f);
void formula_fini(struct formula *f);

/* A node of parts that are there. */
uint32_t formula_add(struct formula *f, struct formula_node n);
/* The same; obvious simplifications are made. */
uint32_t formula_not(struct formula *f, uint32_t g);
uint32_t formula_and(struct formula *f, uint32_t g, uint32_t h); /* each conjunct once, in one order */
uint32_t formula_and_all(struct formula *f, const uint32_t *part, uint32_t count);
uint32_t formula_step(struct formula *f, uint32_t label, uint32_t g);
uint32_t formula_weak_step(struct formula *f, uint32_t label, uint32_t g);
uint32_t formula_until(struct formula *f, uint32_t g, uint32_t label, uint32_t h);
uint32_t formula_loop(struct formula *f, uint32_t g);

/* The root is true of state `yes` and false of `no`: found, or none. Only what is needed of the two is looked at. *work
 * grows by the states and edges that are looked at, part by part; more than `most`: given up. */
enum outcome formula_tells_apart(const struct formula *f, const struct lts *l, uint32_t yes, uint32_t no, uint64_t most,
                                 uint64_t *work);

/* Leaves out what is not needed for that, as far as it can be found with so much work; and all parts that are not of
 * the root. */
void formula_trim(struct formula *f, const struct lts *l, uint32_t yes, uint32_t no, uint64_t most, uint64_t *work);

/* In words; parts that occur more than once get names if it would be long otherwise: `F where X1 = G and X2 = H`. To be
 * freed. */
char *formula_text(const struct formula *f, const struct names *labels);

#endif
