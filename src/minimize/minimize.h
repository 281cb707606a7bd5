/* minimize.h: smaller LTSs that are equivalent.
 *
 * strong, branching, branching-div, weak, trace: the least LTS there is: fewest states, and of those fewest edges
 * (weak: edges that others imply are left out). stable-failures, cffd, failures-divergences, tree-failures,
 * fair-testing: a reduction that keeps the relation, not always the least LTS.
 *
 * The special states stay what they are: `end` is related to no other state and `error` to no other, so each is in a
 * block of its own. See minimize.c for what that means to traces.
 *
 * The result is the reachable part in breadth-first order. All labels stay, also those that no edge has. Minimising
 * again changes nothing.
 */
#ifndef MINIMIZE_MINIMIZE_H
#define MINIMIZE_MINIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/effort.h"
#include "lts/lts.h"
#include "lts/relation.h"

/* False: there is not enough memory (determinising can take much), or the effort is over; `why` says what. */
bool lts_minimize(const struct lts *l, enum lts_relation rel, struct effort *effort, struct lts *out,
                  struct problem *why);

/* For each state, also unreachable ones, the number of its class, below *blocks; to be freed. Only for strong,
 * branching, branching-div and weak, which relate states. NULL: there are more than about 4000 million edges. If the
 * effort is over, classes are not what they should be. */
uint32_t *lts_partition(const struct lts *l, enum lts_relation rel, struct effort *effort, uint32_t *blocks);

#endif
