#include "graph/components_edges.h"

#include <assert.h>
#include <stdlib.h>

#include "graph/search_stacks.h"

enum {
    STATES_A_CHECK = 256,
    LEAST_LIVE = 1 << 14 /* states, for colours */
};

struct kept {
    const struct strong *c;
    struct space *s;
    const struct edges *e;
    const char *phase;
    struct stop *stop;
    struct search_stacks stacks;
    uint32_t *of;
    uint64_t met;
};

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the strong components"};
    return false;
}

static bool kept_edges(struct kept *g, uint32_t state, uint64_t *first, uint32_t *count) {
    *first = edges_begin(g->e, state);
    *count = EDGES_COUNTS(g->e)[state];
    assert(*first + *count <= g->e->count);
    const uint32_t *to = EDGES_TARGETS(g->e) + *first;
    for (uint32_t i = 0; i < *count; i++) __builtin_prefetch(&g->of[to[i]]);
    return ++g->met % STATES_A_CHECK != 0 || !space_must_stop(g->s, g->phase, g->met, g->s->states, g->stop);
}

static void kept_close(struct kept *g, const uint32_t *members, uint64_t n) {
    uint32_t least = members[0];
    for (uint64_t i = 1; i < n; i++)
        if (members[i] < least) least = members[i];
    for (uint64_t i = 0; i < n; i++) g->of[members[i]] = least + 1;
}

#define NAME(x) kept_##x
#define GRAPH struct kept
#define NODE uint32_t
#define EDGE uint64_t
#define NUMBER(x, v) (x)->g->of[v]
#define ENTER(x, v, by, first, count) ((void)(by), kept_edges((x)->g, v, first, count))
#define COUNTS(x, v, e) strong_counts((x)->g->c, e)
#define TARGET(x, e) EDGES_TARGETS((x)->g->e)[e]
#define CLOSE(x, members, n) kept_close((x)->g, members, n)
#define MORE(x) (SEARCH_STACKS_MORE(x, &(x)->g->stacks) || no_memory((x)->g->stop))
#include "algo/components_code.h"

static bool has_edge(const struct strong *c, uint64_t at, uint32_t count) {
    uint64_t end = at + count;
    while (at < end && !strong_counts(c, at)) at++;
    return at < end;
}

/* Depth-first, what has no component yet. */
static bool search_rest(const struct strong *c, struct space *s, const char *phase, struct stop *stop) {
    struct kept g = {
        .c = c, .s = s, .e = &s->edge_list, .phase = phase, .stop = stop, .of = (uint32_t *)(void *)c->of.base};
    struct kept_search x = {.g = &g};
    bool good = search_stacks_init(&g.stacks, s->limits.max_memory) || no_memory(stop);
    for (uint64_t i = 0, at = 0; good && i < s->states; at += EDGES_COUNTS(g.e)[i++]) {
        if (g.of[i] != 0) continue;
        if (has_edge(c, at, EDGES_COUNTS(g.e)[i])) good = kept_from(&x, (uint32_t)i, 0);
        else g.of[i] = (uint32_t)i + 1; /* on its own, and quickly so: there may be few edges that count */
    }
    search_stacks_fini(&g.stacks);
    return good;
}

/* A search takes as long as about ten sweeps by one thread. If there are cycles, 7 to 13 are needed in all, which pays
 * for three threads. If there are few, two or three leave little to search; and else they have not taken long. */
static struct colours_effort usual_effort(const struct space *s) {
    return (struct colours_effort){s->team.size >= 3 ? 8 : 2.5, LEAST_LIVE};
}

bool strong_run(struct strong *c, struct space *s, const char *phase, struct stop *stop) {
    uint64_t bytes = s->states * sizeof(uint32_t);
    struct colours colours = {.s = s, .edges = c->edges, .phase = phase};
    assert(s->edge_list.settled && s->edge_list.states == s->states && s->states < UINT32_C(1) << 31);
    *stop = (struct stop){.kind = STOP_DONE};
    if (!space_get(s, &c->of, bytes)) return no_memory(stop);
    colours.of = (uint32_t *)(void *)c->of.base;
    colours.effort = c->effort ? *c->effort : usual_effort(s);
    return colours_run(&colours, stop) && search_rest(c, s, phase, stop);
}

void strong_fini(struct strong *c) { region_fini(&c->of); }

/* ---- Ways ---- */

/* Backward from `to`, along what `before` tells; then the other way round. */
static void take_way(const uint32_t *before, uint32_t from, uint32_t to, struct numbers *way) {
    for (uint32_t i = to;; i = before[i] - 1) {
        assert(before[i] != 0);
        numbers_add(way, i);
        if (i == from) break;
    }
    for (size_t i = 0, j = way->count; i + 1 < j--; i++) {
        uint64_t swap = way->at[i];
        way->at[i] = way->at[j];
        way->at[j] = swap;
    }
}

/* New successors in the same component. */
static bool spread(const struct strong *c, const struct edges *e, uint32_t state, uint32_t *before,
                   struct region *queue, uint64_t *tail) {
    uint64_t begin = edges_begin(e, state), end = begin + EDGES_COUNTS(e)[state];
    for (uint64_t k = begin; k < end; k++) {
        uint32_t to = EDGES_TARGETS(e)[k];
        if (before[to] || !strong_counts(c, k) || strong_of(c, to) != strong_of(c, state)) continue;
        if (!open_room(queue, (*tail + 1) * sizeof(uint32_t))) return false;
        before[to] = state + 1;
        ((uint32_t *)(void *)queue->base)[(*tail)++] = to;
    }
    return true;
}

/* Breadth-first, until `to` is met. */
static bool spread_to(const struct strong *c, struct space *s, uint32_t to, uint32_t *before, struct region *queue,
                      struct stop *stop) {
    uint64_t head = 0, tail = 1;
    while (before[to] == 0 && head < tail) {
        uint32_t state = ((uint32_t *)(void *)queue->base)[head++];
        if (!spread(c, &s->edge_list, state, before, queue, &tail)) return no_memory(stop);
        if (head % STATES_A_CHECK == 0 && space_interrupted(s, "tracing on", head, s->states, stop)) return false;
    }
    if (before[to]) return true;
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the way inside a component was not found"};
    return false;
}

bool strong_way(const struct strong *c, struct space *s, uint32_t from, uint32_t to, struct numbers *way,
                struct stop *stop) {
    struct region links = {0}, queue = {0};
    *stop = (struct stop){.kind = STOP_DONE};
    bool good = (space_get(s, &links, s->states * sizeof(uint32_t)) &&
                 region_init_within(&queue, s->limits.max_memory) && open_room(&queue, sizeof(uint32_t))) ||
                no_memory(stop);
    assert(strong_of(c, from) == strong_of(c, to));
    uint32_t *before = (uint32_t *)(void *)links.base; /* 1 + number; 0: not met */
    if (good) {
        *(uint32_t *)(void *)queue.base = from;
        before[from] = from + 1;
        good = spread_to(c, s, to, before, &queue, stop);
    }
    if (good) take_way(before, from, to, way);
    region_fini(&links);
    region_fini(&queue);
    return good;
}
