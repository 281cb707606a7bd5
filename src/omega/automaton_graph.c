#include "omega/automaton_graph.h"

#include <string.h>

static struct digraph empty_copy(uint32_t states, const uint32_t *first, uint32_t edges) {
    struct digraph g = digraph_new(states, edges);
    memcpy(g.own_first, first, (states + UINT64_C(1)) * sizeof *first);
    return g;
}

struct digraph graph_of_ba(const struct ba *a) {
    struct digraph g = empty_copy(a->states, a->first, a->edges);
    for (uint32_t i = 0; i < a->edges; i++) g.own_target[i] = a->edge[i].target;
    return g;
}

struct digraph graph_of_sba(const struct sba *a) {
    return (struct digraph){.nodes = a->states, .first = a->first, .target = a->target};
}

struct digraph graph_of_ta(const struct ta *a) {
    struct digraph g = empty_copy(a->states, a->first, a->edges);
    for (uint32_t i = 0; i < a->edges; i++) g.own_target[i] = a->edge[i].target;
    return g;
}

struct digraph graph_of_stuttering(const struct sba *a) {
    struct digraph g = digraph_new(a->states, a->edges);
    uint32_t edges = 0;
    for (uint32_t s = 0; s < a->states; s++) {
        g.own_first[s] = edges;
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
            if (a->value[s] == a->value[a->target[i]]) g.own_target[edges++] = a->target[i];
    }
    g.own_first[a->states] = edges;
    return g;
}
