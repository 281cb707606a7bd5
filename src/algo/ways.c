#include "algo/ways.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_A_CHECK = 1 << 16 };

/* ---- Reachability ---- */

void ways_reach(const struct digraph *g, bool *set) {
    uint32_t *work = memory_get((g->nodes + UINT64_C(1)) * sizeof *work), count = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        if (set[v]) work[count++] = v;
    while (count > 0) {
        uint32_t v = work[--count];
        for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) {
            if (set[g->target[e]]) continue;
            set[g->target[e]] = true;
            work[count++] = g->target[e];
        }
    }
    free(work);
}

void ways_reach_back(const struct digraph *g, bool *set) {
    struct digraph r = digraph_reversed(g);
    ways_reach(&r, set);
    digraph_fini(&r);
}

/* ---- Shortest ways ---- */

void ways_init(struct ways *w, const struct digraph *g) {
    size_t n = g->nodes + UINT64_C(1);
    *w = (struct ways){.g = g, .search = memory_get_zeroed(n * sizeof *w->search)};
    w->edge = memory_get(3 * n * sizeof *w->edge);
    w->from = w->edge + n;
    w->queue = w->from + n;
}

void ways_fini(struct ways *w) {
    free(w->search);
    free(w->edge);
    *w = (struct ways){0};
}

/* Backward along the edges by which nodes were met; then the other way round. */
static void take_way(const struct ways *w, uint32_t from, uint32_t to, struct numbers *way) {
    size_t first = way->count;
    assert(w->search[to] == w->searches && w->search[from] == w->searches); /* arrays may hold older searches */
    for (uint32_t v = to; v != from; v = w->from[v]) numbers_add(way, w->edge[v]);
    for (size_t i = first, j = way->count; i + 1 < j--; i++) {
        uint64_t swap = way->at[i];
        way->at[i] = way->at[j];
        way->at[j] = swap;
    }
}

static void meet(struct ways *w, uint32_t v, uint32_t edge, uint32_t from, uint32_t *tail) {
    if (w->search[v] == w->searches) return;
    w->search[v] = w->searches;
    w->edge[v] = edge;
    w->from[v] = from;
    w->queue[(*tail)++] = v;
}

static void begin(struct ways *w, uint32_t from, uint32_t *tail) {
    if (++w->searches == 0) {
        memset(w->search, 0, (w->g->nodes + UINT64_C(1)) * sizeof *w->search);
        w->searches = 1;
    }
    meet(w, from, 0, from, tail);
}

/* The edges of a node. Is there one that ends the way? */
static bool spread(struct ways *w, uint32_t v, const struct ways_wish *wish, uint32_t *tail, uint32_t *last) {
    for (uint32_t e = w->g->first[v]; e < w->g->first[v + 1]; e++) {
        if (wish->takes && !wish->takes(wish->context, e)) continue;
        if (wish->ends_by && wish->ends_by(wish->context, e)) return *last = e, true;
        meet(w, w->g->target[e], e, v, tail);
    }
    return false;
}

enum outcome ways_find(struct ways *w, uint32_t from, const struct ways_wish *wish, struct numbers *way,
                       uint32_t *end) {
    uint32_t head = 0, tail = 0, length = 0, layer_end = 1, last;
    begin(w, from, &tail);
    while (head < tail) {
        assert(tail <= w->g->nodes); /* each node is met once */
        uint32_t v = w->queue[head++];
        *end = v;
        if (wish->ends_at && wish->ends_at(wish->context, v)) return take_way(w, from, v, way), OUTCOME_FOUND;
        if (spread(w, v, wish, &tail, &last)) {
            take_way(w, from, v, way);
            numbers_add(way, last);
            *end = w->g->target[last];
            return OUTCOME_FOUND;
        }
        if (++w->looked_at % NODES_A_CHECK == 0 && wish->stops && wish->stops(wish->context)) return OUTCOME_GIVEN_UP;
        if (head < layer_end) continue;
        layer_end = tail;
        if (++length == wish->shorter_than) return OUTCOME_NONE;
    }
    return OUTCOME_NONE;
}
