#include "lts/lts_components.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct lts_graph {
    const struct lts *l;
    enum lts_edges edges;
    struct effort *effort;
    uint32_t *of, count;
};

/* Tau is the first label. */
static bool edges_of(const struct lts_graph *g, uint32_t s, uint64_t *first, uint32_t *count) {
    const struct lts_edge *e = lts_begin(g->l, s), *end = lts_end(g->l, s);
    *first = g->l->first[s];
    if (g->edges == LTS_TAU_EDGES)
        while (e < end && e->label == LTS_TAU) e++;
    else e = end;
    *count = (uint32_t)(e - lts_begin(g->l, s));
    for (e = lts_begin(g->l, s), end = e + *count; e < end; e++) __builtin_prefetch(&g->of[e->target]);
    return !effort_over(g->effort);
}

static void close_component(struct lts_graph *g, const uint32_t *members, uint64_t n) {
    g->count++;
    for (uint64_t i = 0; i < n; i++) g->of[members[i]] = g->count;
}

#define NAME(x) lts_graph_##x
#define GRAPH struct lts_graph
#define NODE uint32_t
#define EDGE uint64_t
#define NUMBER(x, v) (x)->g->of[v]
#define ENTER(x, v, by, first, count) ((void)(by), edges_of((x)->g, v, first, count))
#define COUNTS(x, v, e) true
#define TARGET(x, e) (x)->g->l->edge[e].target
#define CLOSE(x, members, n) close_component((x)->g, members, n)
#include "algo/components_code.h"

/* Most states are not on cycles of tau edges, and most tau edges lead onward. So many components are found in one go
 * through the states from the last to the first: those of one state, all of whose edges lead to components that were
 * found. */
static void find_simple(struct lts_graph *g) {
    const struct lts *l = g->l;
    for (uint32_t s = l->states; s-- > 0;) {
        const struct lts_edge *e = lts_begin(l, s), *end = lts_end(l, s);
        while (e < end && e->label == LTS_TAU && (g->of[e->target] || e->target == s)) e++;
        if (e == end || e->label != LTS_TAU) g->of[s] = ++g->count;
    }
}

uint32_t *lts_components(const struct lts *l, enum lts_edges edges, struct effort *effort, uint32_t *count) {
    struct lts_graph g = {l, edges, effort, memory_get_large_zeroed(l->states * sizeof *g.of), 0};
    struct lts_graph_search x = {.g = &g};
    bool good = true;
    if (edges == LTS_TAU_EDGES) find_simple(&g);
    for (uint32_t s = 0; s < l->states && good; s++)
        if (g.of[s] == 0) good = lts_graph_from(&x, s, 0);
    lts_graph_fini(&x);
    *count = g.count;
    for (uint32_t s = 0; s < l->states && good; s++) g.of[s]--;
    if (good) return g.of;
    free(g.of);
    return NULL;
}

static uint8_t *find_divergent(const struct lts *l, const uint32_t *component, uint32_t count) {
    uint8_t *divergent = memory_get_zeroed(count);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label == LTS_TAU; e++) {
            assert(component[e->target] <= component[s]); /* the promise of components_code.h */
            if (component[e->target] == component[s]) divergent[component[s]] = 1;
        }
    return divergent;
}

uint32_t *tau_components(const struct lts *l, uint32_t *count, uint8_t **divergent) {
    uint32_t *component = lts_components(l, LTS_TAU_EDGES, NULL, count);
    if (divergent) *divergent = find_divergent(l, component, *count);
    return component;
}

bool *tau_cycles(const struct lts *l) {
    uint32_t count, *component = lts_components(l, LTS_TAU_EDGES, NULL, &count);
    uint8_t *divergent = find_divergent(l, component, count);
    bool *cyclic = memory_get(l->states * sizeof *cyclic);
    for (uint32_t s = 0; s < l->states; s++) cyclic[s] = divergent[component[s]];
    free(component);
    free(divergent);
    return cyclic;
}

/* By component, then by number. */
uint32_t *tau_order(const struct lts *l) {
    uint32_t count, *place = lts_components(l, LTS_TAU_EDGES, NULL, &count);
    uint32_t *next = memory_get_zeroed((count + UINT64_C(1)) * sizeof *next);
    for (uint32_t s = 0; s < l->states; s++) next[place[s] + 1]++;
    for (uint32_t c = 0; c < count; c++) next[c + 1] += next[c];
    for (uint32_t s = 0; s < l->states; s++) place[s] = next[place[s]]++;
    free(next);
    return place;
}

uint32_t *tau_targets_first(const struct lts *l) {
    uint32_t *number = tau_order(l), *state = memory_get(l->states * sizeof *state);
    for (uint32_t s = 0; s < l->states; s++) state[number[s]] = s;
    free(number);
    return state;
}
