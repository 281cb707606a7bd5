/* digraph.h: a directed graph in arrays. Nodes are 0 to nodes-1; the edges of node v are first[v] to first[v + 1] - 1,
 * and edge e leads to target[e]. */
#ifndef ALGO_DIGRAPH_H
#define ALGO_DIGRAPH_H

#include <stdint.h>

struct digraph {
    uint32_t nodes;
    const uint32_t *first, *target; /* somebody else's, or one of these: */
    uint32_t *own_first, *own_target;
};

/* A graph with arrays of its own, for so many edges, to be filled in. */
struct digraph digraph_new(uint32_t nodes, uint32_t edges);
void digraph_fini(struct digraph *g); /* frees its own arrays */

/* All edges turned round; those of a node are in the order of the nodes that they lead to. */
struct digraph digraph_reversed(const struct digraph *g);

static inline uint32_t digraph_edges(const struct digraph *g) { return g->first[g->nodes]; }

#endif
