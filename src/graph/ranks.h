/* ranks.h: a number for each state of a complete space, its rank, that makes a property of the whole space a local
 * one, so that it can be checked state by state (src/verify does that):
 *
 *     some successor   a state is a target or has a successor of smaller rank: a target can be reached from it
 *     all successors   a state is a target, or has successors and all are of smaller rank: a target will be reached
 *     components       no edge leads to a higher rank, and edges of one transition lead to smaller ones (edges of
 *                      excluded transitions do not count): no cycle has that transition
 *
 * This is made for certificates and from scratch: all edges are in memory, by the numbers of the states, forward and
 * backward, and the searches are the simplest ones. It takes about 30 bytes for each state (for components up to 28
 * more, for those that the search has not done with) and 8 (12) for each edge, besides the table; spaces of 2^32 - 1
 * states and more are refused.
 */
#ifndef GRAPH_RANKS_H
#define GRAPH_RANKS_H

#include "graph/space.h"

struct witness {
    struct space *s;
    uint64_t states, edges;
    struct region starts, to;   /* uint64_t, uint32_t: edges of state i are starts[i] to starts[i + 1] */
    struct region labels;       /* uint32_t, of each edge, if they are kept */
    struct region begins, from; /* uint64_t, uint32_t: the same backward */
    struct region ranks;        /* uint32_t, of each state: the result */
    struct region queue;        /* uint32_t */
    struct region numbers;      /* uint32_t, by slot, while the edges are looked up */
};

/* Expands all states, by all threads. False: why, for instance how much memory is missing. */
bool witness_init(struct witness *w, struct space *s, bool labels, struct problem *why);
void witness_fini(struct witness *w);

static inline const uint32_t *witness_ranks(const struct witness *w) {
    return (const uint32_t *)(const void *)w->ranks.base;
}

/* Targets: states of class `target`, and terminal states if they count. */
bool witness_some(struct witness *w, uint32_t target, bool terminals, struct problem *why);
bool witness_all(struct witness *w, uint32_t target, bool terminals, struct problem *why);
bool witness_components(struct witness *w, const bool *excluded, struct problem *why);

#endif
