/* components.h: strong components of a graph in arrays. */
#ifndef ALGO_COMPONENTS_H
#define ALGO_COMPONENTS_H

#include <stdbool.h>

#include "algo/digraph.h"

/* They are numbered as a depth-first search completes them that takes nodes and edges in their order. So an edge never
 * leads to a higher number. */
struct components {
    uint32_t count;
    uint32_t *of; /* the component of each node */
    bool *cyclic; /* of each component: is there an edge inside? */
};
void components_find(struct components *c, const struct digraph *g);
void components_fini(struct components *c);

#endif
