/* minimize.h: smaller LTSs that are equivalent.
 *
 * relation_row(rel)->least says of what the result is the least: fewest states, and of those fewest edges (weak: edges
 * that others imply are left out). LEAST_OF_NONE: a reduction that keeps the relation.
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

/* The initial state of `small`, which was made of l, becomes unstable if that of l is. A stable one stays so in any
 * case.
 */
void minimize_restore_stability(const struct lts *l, enum lts_relation rel, struct lts *small);

/* For each state, also unreachable ones, the number of its class, below *blocks; to be freed. Only for bisimulations:
 * the FAMILY_BISIMULATION of relation.h. NULL: there are more than about 4000 million edges. If the
 * effort is over, classes are not what they should be. */
uint32_t *lts_partition(const struct lts *l, enum lts_relation rel, struct effort *effort, uint32_t *blocks);

#endif
