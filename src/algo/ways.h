/* ways.h: what can be reached in a graph in arrays, and by which shortest way. */
#ifndef ALGO_WAYS_H
#define ALGO_WAYS_H

#include <stdbool.h>

#include "algo/digraph.h"
#include "base/memory.h"
#include "base/outcome.h"

/* Extends a set of nodes by all that can be reached from it, or from which it can be reached. */
void ways_reach(const struct digraph *g, bool *set);
void ways_reach_back(const struct digraph *g, bool *set);

/* ---- Shortest ways ---- */

/* Breadth-first searches in the same graph, one after the other. */
struct ways {
    const struct digraph *g;
    uint32_t *search;              /* by node: the last one that has met it */
    uint32_t *edge, *from, *queue; /* by node: the edge by which that was, and its source; those that were met */
    uint32_t searches;
    uint64_t looked_at; /* nodes, in all searches */
};
void ways_init(struct ways *w, const struct digraph *g);
void ways_fini(struct ways *w);

/* Which ways. What is NULL or 0 excludes no edge, ends no way, stops nothing and limits nothing. */
struct ways_wish {
    void *context;
    bool (*takes)(void *context, uint32_t edge);   /* may the edge be taken? */
    bool (*ends_by)(void *context, uint32_t edge); /* does a way end with it? */
    bool (*ends_at)(void *context, uint32_t node); /* or at this node? */
    bool (*stops)(void *context);                  /* asked once in 2^16 nodes of all searches: give up? */
    uint32_t shorter_than;                         /* edges; the one of ends_by is not counted */
};

/* Adds the edges of a shortest way from a node to `way`, which has none if it ends at the node. Of several, the one
 * that is found first when edges are taken in their order. *end: where it leads. */
MUST_BE_USED enum outcome ways_find(struct ways *w, uint32_t from, const struct ways_wish *wish, struct numbers *way,
                                    uint32_t *end);

#endif
