#include "algo/components.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

struct array_graph {
    const struct digraph *d;
    uint32_t *of, count;
};

static bool array_edges(const struct digraph *d, uint32_t v, uint32_t *first, uint32_t *count) {
    *first = d->first[v];
    *count = d->first[v + 1] - d->first[v];
    return true;
}

static void array_close(struct array_graph *g, const uint32_t *members, uint64_t n) {
    g->count++;
    for (uint64_t i = 0; i < n; i++) g->of[members[i]] = g->count;
}

#define NAME(x) array_##x
#define GRAPH struct array_graph
#define NODE uint32_t
#define EDGE uint32_t
#define NUMBER(x, v) (x)->g->of[v]
#define ENTER(x, v, by, first, count) ((void)(by), array_edges((x)->g->d, v, first, count))
#define COUNTS(x, v, e) true
#define TARGET(x, e) (x)->g->d->target[e]
#define CLOSE(x, members, n) array_close((x)->g, members, n)
#include "algo/components_code.h"

void components_find(struct components *c, const struct digraph *d) {
    struct array_graph g = {d, memory_get_zeroed((d->nodes + UINT64_C(1)) * sizeof *g.of), 0};
    struct array_search x = {.g = &g};
    for (uint32_t v = 0; v < d->nodes; v++)
        if (g.of[v] == 0) array_from(&x, v, 0);
    array_fini(&x);
    *c = (struct components){g.count, g.of, memory_get_zeroed(g.count + UINT64_C(1))};
    for (uint32_t v = 0; v < d->nodes; v++) g.of[v]--;
    for (uint32_t v = 0; v < d->nodes; v++)
        for (uint32_t e = d->first[v]; e < d->first[v + 1]; e++) {
            assert(c->of[d->target[e]] <= c->of[v]); /* the promise of components_code.h */
            if (c->of[v] == c->of[d->target[e]]) c->cyclic[c->of[v]] = true;
        }
}

void components_fini(struct components *c) {
    free(c->of);
    free(c->cyclic);
    *c = (struct components){0};
}
