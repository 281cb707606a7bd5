#include "omega/automaton_graph.h"

#include <stdlib.h>

#include "base/memory.h"

static struct graph empty_copy(uint32_t nodes, const uint32_t *first, uint32_t edges) {
    struct graph g = {.nodes = nodes, .first = first};
    g.own_target = memory_get((edges + 1) * sizeof *g.own_target);
    g.target = g.own_target;
    return g;
}

struct graph graph_of_ba(const struct ba *a) {
    struct graph g = empty_copy(a->states, a->first, a->edges);
    for (uint32_t i = 0; i < a->edges; i++) g.own_target[i] = a->edge[i].target;
    return g;
}

struct graph graph_of_sba(const struct sba *a) {
    return (struct graph){.nodes = a->states, .first = a->first, .target = a->target};
}

struct graph graph_of_ta(const struct ta *a) {
    struct graph g = empty_copy(a->states, a->first, a->edges);
    for (uint32_t i = 0; i < a->edges; i++) g.own_target[i] = a->edge[i].target;
    return g;
}

struct graph graph_of_stuttering(const struct sba *a) {
    struct graph g = {.nodes = a->states,
                      .own_first = memory_get((a->states + 1) * sizeof *g.own_first),
                      .own_target = memory_get((a->edges + 1) * sizeof *g.own_target)};
    uint32_t edges = 0;
    for (uint32_t s = 0; s < a->states; s++) {
        g.own_first[s] = edges;
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
            if (a->value[s] == a->value[a->target[i]]) g.own_target[edges++] = a->target[i];
    }
    g.own_first[a->states] = edges;
    g.first = g.own_first;
    g.target = g.own_target;
    return g;
}

void graph_done(struct graph *g) {
    free(g->own_first);
    free(g->own_target);
    *g = (struct graph){0};
}

/* ---- Strong components: Tarjan's algorithm, without recursion ---- */

enum { UNSEEN = 0 };

struct tarjan {
    const struct graph *g;
    struct components *c;
    uint32_t *index, *low;  /* from 1 on; UNSEEN */
    uint32_t *next;         /* the edge to look at next */
    uint32_t *path, *stack; /* nodes being visited, nodes without a component */
    uint32_t path_size, stack_size, found;
};

static void enter(struct tarjan *t, uint32_t node) {
    t->index[node] = t->low[node] = ++t->found;
    t->next[node] = t->g->first[node];
    t->path[t->path_size++] = node;
    t->stack[t->stack_size++] = node;
    t->c->of[node] = UINT32_MAX;
}

static void leave(struct tarjan *t, uint32_t node) {
    t->path_size--;
    if (t->path_size > 0) {
        uint32_t parent = t->path[t->path_size - 1];
        if (t->low[node] < t->low[parent]) t->low[parent] = t->low[node];
    }
    if (t->low[node] != t->index[node]) return;
    uint32_t member;
    do {
        member = t->stack[--t->stack_size];
        t->c->of[member] = t->c->count;
    } while (member != node);
    t->c->count++;
}

static void visit(struct tarjan *t, uint32_t root) {
    enter(t, root);
    while (t->path_size > 0) {
        uint32_t node = t->path[t->path_size - 1];
        if (t->next[node] == t->g->first[node + 1]) {
            leave(t, node);
            continue;
        }
        uint32_t target = t->g->target[t->next[node]++];
        if (t->index[target] == UNSEEN) enter(t, target);
        else if (t->c->of[target] == UINT32_MAX && t->index[target] < t->low[node]) t->low[node] = t->index[target];
    }
}

void components_find(struct components *c, const struct graph *g) {
    size_t bytes = (g->nodes + 1) * sizeof(uint32_t);
    *c = (struct components){.of = memory_get(bytes), .cyclic = memory_get_zeroed(g->nodes + 1)};
    struct tarjan t = {.g = g,
                       .c = c,
                       .index = memory_get_zeroed(bytes),
                       .low = memory_get(bytes),
                       .next = memory_get(bytes),
                       .path = memory_get(bytes),
                       .stack = memory_get(bytes)};
    for (uint32_t s = 0; s < g->nodes; s++)
        if (t.index[s] == UNSEEN) visit(&t, s);
    for (uint32_t s = 0; s < g->nodes; s++)
        for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
            if (c->of[s] == c->of[g->target[i]]) c->cyclic[c->of[s]] = true;
    free(t.index);
    free(t.low);
    free(t.next);
    free(t.path);
    free(t.stack);
}

void components_fini(struct components *c) {
    free(c->of);
    free(c->cyclic);
    *c = (struct components){0};
}

/* ---- Reachability ---- */

void graph_reach(const struct graph *g, bool *set) {
    uint32_t *work = memory_get((g->nodes + 1) * sizeof *work), count = 0;
    for (uint32_t s = 0; s < g->nodes; s++)
        if (set[s]) work[count++] = s;
    while (count > 0) {
        uint32_t s = work[--count];
        for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
            if (!set[g->target[i]]) {
                set[g->target[i]] = true;
                work[count++] = g->target[i];
            }
    }
    free(work);
}

static struct graph reversed(const struct graph *g) {
    uint32_t edges = g->first[g->nodes];
    struct graph r = {.nodes = g->nodes,
                      .own_first = memory_get_zeroed((g->nodes + 2) * sizeof *r.own_first),
                      .own_target = memory_get((edges + 1) * sizeof *r.own_target)};
    for (uint32_t i = 0; i < edges; i++) r.own_first[g->target[i] + 2]++;
    for (uint32_t s = 0; s < g->nodes; s++) r.own_first[s + 1] += r.own_first[s];
    for (uint32_t s = 0; s < g->nodes; s++)
        for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) r.own_target[r.own_first[g->target[i] + 1]++] = s;
    r.first = r.own_first;
    r.target = r.own_target;
    return r;
}

void graph_reach_back(const struct graph *g, bool *set) {
    struct graph r = reversed(g);
    graph_reach(&r, set);
    graph_done(&r);
}
