/* shortest_cycle.h: a shortest cycle of a kind in a complete state space whose edges are in memory (edges.h).
 *
 * Of the cycles that consist of edges that count, inside one strong component of these, and that have an edge that is
 * needed, one with the fewest edges; and of all with so few, one that comes nearest to the initial state. States are in
 * breadth-first order, so the number of a state tells how near it is.
 *
 * From each state with a needed edge, states are searched breadth-first until it is met again; first to a distance of
 * 1, then 2, 4, ... from all of them, until there is a cycle. That is work in proportion to the number of such states
 * times what is within twice the length of the result.
 */
#ifndef GRAPH_SHORTEST_CYCLE_H
#define GRAPH_SHORTEST_CYCLE_H

#include "graph/components_edges.h"

struct shortest {
    struct space *s;             /* in breadth-first order; the edges are settled */
    const struct strong *parts;  /* the components, and which edges count */
    const struct bitmap *needed; /* by edge; NULL: all that count */
    struct numbers cycle;        /* found: its states, in order; the first is the nearest to the initial state */
};

/* NONE: there is no such cycle. GIVEN_UP: *stop says why; then nothing is known. */
MUST_BE_USED enum outcome shortest_cycle(struct shortest *x, struct stop *stop);
void shortest_fini(struct shortest *x);

/* Is a's cycle to be preferred to b's? */
bool shortest_better(const struct shortest *a, const struct shortest *b);

#endif
