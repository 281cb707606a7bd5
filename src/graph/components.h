/* components.h: strong components of a complete state space, by slot.
 *
 * Only edges whose transition is not excluded count. If all do and edges were kept, components are found on these
 * (components_edges.h). Else the same search does without edges in memory: successors are computed when a state is
 * entered, and kept only as long as it is on the depth-first stack. One number a slot is kept.
 */
#ifndef GRAPH_COMPONENTS_H
#define GRAPH_COMPONENTS_H

#include "graph/space.h"
#include "graph/components_edges.h"

struct scc {
    const bool *excluded;          /* for each transition; NULL: none is */
    const struct bitmap *left_out; /* by slot: states that are known to be on no cycle; NULL: none is */
    const char *phase;
    struct region
        component;        /* uint64_t by slot: the number of the component, from 1 to the number of states at most; 0:
                              * left out */
    struct strong strong; /* the same by number, if it was found on kept edges */
};

/* False: *stop says why it was given up. */
bool scc_run(struct scc *c, struct space *s, struct stop *stop);
void scc_fini(struct scc *c);

/* Adds the numbers of the components that can be left, by all threads. `leavable` has room for 1 + the number of
 * states. */
bool scc_find_leavable(const struct scc *c, struct space *s, struct bitmap *leavable, struct stop *stop);

static inline uint64_t scc_of(const struct scc *c, uint64_t slot) {
    return ((const uint64_t *)(const void *)c->component.base)[slot];
}

#endif
