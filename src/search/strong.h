/* strong.h: strong components of a complete state space whose edges are in memory (edges.h), by number.
 *
 * Tarjan's algorithm on arrays: nothing is expanded, and besides the edges four bytes a state are kept, and as long as
 * it is on a stack, some more. (scc.h does without the edges in memory, and expands all states instead.)
 */
#ifndef SEARCH_STRONG_H
#define SEARCH_STRONG_H

#include "base/bitmap.h"
#include "search/space.h"

struct strong {
    const struct bitmap *edges; /* by the edge's place among the targets: those that count; NULL: all do */
    struct region of;           /* uint32_t by number: the component, from 1 on */
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
 * all there is. False: no memory. */
bool strong_way(const struct strong *c, struct space *s, uint32_t from, uint32_t to, struct numbers *way);

#endif
