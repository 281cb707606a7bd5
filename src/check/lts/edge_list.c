#include "check/lts/edge_list.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

void edge_list_fini(struct edge_list *l) {
    free(l->edges);
    free(l->runs);
    *l = (struct edge_list){0};
}

void edge_list_begin(struct edge_list *l, uint32_t state) {
    assert(state <= l->states); /* states come in order, or once more */
    if (state >= l->state_room) {
        l->state_room = l->state_room ? l->state_room + l->state_room / 2 : 1024;
        l->runs = memory_resize(l->runs, l->state_room * sizeof *l->runs);
    }
    if (state == l->states) l->states++;
    l->runs[state] = (struct edge_run){l->count, 0};
}

void edge_list_add(struct edge_list *l, uint32_t state, uint32_t action, uint32_t target) {
    if (l->count == l->room) {
        l->room = l->room ? l->room + l->room / 2 : 4096;
        l->edges = memory_resize(l->edges, l->room * sizeof *l->edges);
    }
    l->edges[l->count++] = (struct listed_edge){action, target};
    assert(l->runs[state].begin + l->runs[state].count + 1 == l->count); /* the edges of a state lie together */
    l->runs[state].count++;
}

/* ---- Strong components ---- */

struct list_graph {
    const struct edge_list *l;
    uint32_t *of, count;
};

static bool run_of(const struct edge_list *l, uint32_t state, uint64_t *first, uint32_t *count) {
    *first = l->runs[state].begin;
    *count = l->runs[state].count;
    return true;
}

static void close_component(struct list_graph *g, const uint32_t *members, uint64_t n) {
    g->count++;
    for (uint64_t i = 0; i < n; i++) g->of[members[i]] = g->count;
}

#define NAME(x) list_##x
#define GRAPH struct list_graph
#define NODE uint32_t
#define EDGE uint64_t
#define NUMBER(x, v) (x)->g->of[v]
#define ENTER(x, v, by, first, count) ((void)(by), run_of((x)->g->l, v, first, count))
#define COUNTS(x, v, e) true
#define TARGET(x, e) (x)->g->l->edges[e].target
#define CLOSE(x, members, n) close_component((x)->g, members, n)
#include "algo/components_code.h"

uint32_t *edge_list_components(const struct edge_list *l, uint32_t *count) {
    struct list_graph g = {l, memory_get_large_zeroed((l->states + UINT64_C(1)) * sizeof *g.of), 0};
    struct list_search x = {.g = &g};
    for (uint32_t s = 0; s < l->states; s++)
        if (g.of[s] == 0) list_from(&x, s, 0);
    list_fini(&x);
    for (uint32_t s = 0; s < l->states; s++) g.of[s]--;
    *count = g.count;
    return g.of;
}
