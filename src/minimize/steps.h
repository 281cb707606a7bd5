/* steps.h: steps of minimising that use other steps. For minimize.c and by_tests.c. If the effort is over, what
 * they give is an LTS, but not an equivalent one. */
#ifndef MINIMIZE_STEPS_H
#define MINIMIZE_STEPS_H

#include "base/effort.h"
#include "lts/lts.h"

/* The least branching bisimilar LTS, with divergences or without. */
void reduce_branching(const struct lts *l, bool divergences, struct effort *effort, struct lts *out);

/* The least weakly bisimilar LTS; false: that takes more than `budget` steps, and `out` is only the least branching
 * bisimilar one. */
bool reduce_weak(const struct lts *l, uint64_t budget, struct effort *effort, struct lts *out);

/* Drops every edge s -a-> t such that s gets to t by tau* a tau* without it. There must be no tau-cycles. */
void drop_implied_edges(struct lts *l, struct effort *effort);

/* Which these are, by edge: with no more than so much work, in states and edges. False: it would be more. */
bool find_implied_by_search(const struct lts *l, uint64_t most_work, struct effort *effort, uint8_t *implied);

/* Smaller, stable failures, divergence traces, infinite traces and traces the same. */
void reduce_for_failures(const struct lts *l, struct effort *effort, struct lts *out);

/* Smaller, tree failures (and hence fair testing) the same. */
void reduce_for_fair_testing(const struct lts *l, struct effort *effort, struct lts *out);

#endif
