#include "algo/digraph.h"

#include <assert.h>

#include <stdlib.h>

#include "base/memory.h"

struct digraph digraph_new(uint32_t nodes, uint32_t edges) {
    struct digraph g = {.nodes = nodes,
                        .own_first = memory_get_zeroed((nodes + UINT64_C(2)) * sizeof *g.own_first),
                        .own_target = memory_get((edges + UINT64_C(1)) * sizeof *g.own_target)};
    g.first = g.own_first;
    g.target = g.own_target;
    return g;
}

void digraph_fini(struct digraph *g) {
    free(g->own_first);
    free(g->own_target);
    *g = (struct digraph){0};
}

/* While edges are put in place, own_first[v + 1] is where the next one of v goes. */
struct digraph digraph_reversed(const struct digraph *g) {
    struct digraph r = digraph_new(g->nodes, digraph_edges(g));
    for (uint32_t e = 0; e < digraph_edges(g); e++) r.own_first[g->target[e] + 2]++;
    for (uint32_t v = 0; v < g->nodes; v++) r.own_first[v + 1] += r.own_first[v];
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) r.own_target[r.own_first[g->target[e] + 1]++] = v;
    assert(r.first[r.nodes] == digraph_edges(g)); /* all are in place */
    return r;
}
