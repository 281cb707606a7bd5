/* components_edges.h: strong components of a complete state space whose edges are in memory (edges.h), by number.
 *
 * Nothing is expanded: this is work on arrays. States are coloured first, by all threads (components_parallel.h). What
 * that leaves, with few threads most of it, is searched by one thread, by Tarjan's algorithm. The result is the same.
 * Besides the edges, four bytes a state are kept; while it runs, four more for colours, and for the search some more
 * for states that are on its stacks. (components.h does without the edges in memory, and expands all states instead.)
 */
#ifndef GRAPH_COMPONENTS_EDGES_H
#define GRAPH_COMPONENTS_EDGES_H

#include "base/bitmap.h"
#include "graph/components_parallel.h"
#include "graph/space.h"

struct strong {
    const struct bitmap *edges;          /* by the edge's place among the targets: those that count; NULL: all do */
    const struct colours_effort *effort; /* NULL: as is best */
    struct region of;                    /* uint32_t by number: the component: 1 + the least number in it */
};

/* After edges_settle. False: *stop says why it was given up. */
bool strong_run(struct strong *c, struct space *s, const char *phase, struct stop *stop);
void strong_fini(struct strong *c);

static inline uint32_t strong_of(const struct strong *c, uint64_t number) {
    return ((const uint32_t *)(const void *)c->of.base)[number];
}

static inline bool strong_counts(const struct strong *c, uint64_t edge) {
    return !c->edges || bitmap_has(c->edges, edge);
}

/* A shortest way inside a component from one state to another, in numbers, both included; if they are the same, that is
 * all there is. Of several, the one that is found first when edges are taken in their order. False: *stop says why
 * there is no way to show: it was interrupted, or no memory was left. */
MUST_BE_USED bool strong_way(const struct strong *c, struct space *s, uint32_t from, uint32_t to, struct numbers *way,
                             struct stop *stop);

#endif
