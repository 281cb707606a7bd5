/* similarity.h: the least LTS that is similar, or ready similar (compare/simulation.h): each simulates the other.
 *
 * Of an LTS, the greatest simulation is computed, a bit for each two states. States that simulate each other become
 * one; an edge is left out if another with the same label leads to a state that simulates its target, and not the other
 * way round. What can be reached then has fewer states, and fewer edges, than any other similar LTS (Bustan and
 * Grumberg).
 *
 * `end` and `error` are simulated by themselves alone.
 */
#ifndef MINIMIZE_SIMILARITY_H
#define MINIMIZE_SIMILARITY_H

#include "base/effort.h"
#include "lts/lts.h"

/* If the effort is over, there is an LTS, but not a similar one. */
void similarity_quotient(const struct lts *l, bool ready, struct effort *effort, struct lts *out);

#endif
