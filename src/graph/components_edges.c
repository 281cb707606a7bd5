#include "graph/components_edges.h"

#include <stdlib.h>

#include "store/state_stack.h"

enum {
    STATES_A_CHECK = 256,
    LEAST_LIVE = 1 << 14 /* states, for colours */
};

/* While the search runs, the number of a state is
 *     0              not met yet
 *     OPEN | index   met, its component is not complete; index counts states in the order in which they were met
 *     component      complete
 */
#define OPEN (UINT32_C(1) << 31)

struct frame {
    uint64_t next;  /* of its edges, the next to be looked at */
    uint32_t left;  /* so many are not looked at yet */
    uint32_t state; /* number */
    uint32_t index;
    uint32_t low; /* the least index that is known to be reachable from here within open states */
};

struct search {
    struct strong *c;
    struct space *s;
    const struct edges *e;
    uint32_t *of;
    struct region frames; /* struct frame */
    struct region open;   /* uint32_t: numbers of open states */
    uint64_t depth, opened;
    uint32_t met;
};

static struct frame *frame_at(const struct search *d, uint64_t i) { return (struct frame *)(void *)d->frames.base + i; }
static uint32_t *open_at(const struct search *d, uint64_t i) { return (uint32_t *)(void *)d->open.base + i; }

static bool no_memory(struct stop *stop) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the strong components"};
    return false;
}

static bool enter(struct search *d, uint32_t state) {
    uint32_t count = EDGES_COUNTS(d->e)[state], index = d->met++;
    uint64_t begin = edges_begin(d->e, state);
    if (!open_room(&d->frames, (d->depth + 1) * sizeof(struct frame)) ||
        !open_room(&d->open, (d->opened + 1) * sizeof(uint32_t)))
        return false;
    for (uint32_t i = 0; i < count; i++) __builtin_prefetch(&d->of[EDGES_TARGETS(d->e)[begin + i]]);
    *frame_at(d, d->depth++) = (struct frame){begin, count, state, index, index};
    *open_at(d, d->opened++) = state;
    d->of[state] = OPEN | index;
    return true;
}

/* The top state has no more edges. If it is the root of a component, that is complete. */
static void leave(struct search *d) {
    struct frame f = *frame_at(d, --d->depth);
    if (f.low < f.index) {
        struct frame *before = frame_at(d, d->depth - 1);
        if (f.low < before->low) before->low = f.low;
        return;
    }
    uint64_t first = d->opened;
    uint32_t least = f.state, state;
    do {
        state = *open_at(d, --first);
        if (state < least) least = state;
    } while (state != f.state);
    while (d->opened > first) d->of[*open_at(d, --d->opened)] = least + 1;
}

static bool search_from(struct search *d, uint32_t root, const char *phase, struct stop *stop) {
    if (!enter(d, root)) return no_memory(stop);
    while (d->depth > 0) {
        struct frame *f = frame_at(d, d->depth - 1);
        if (f->left == 0) {
            leave(d);
            continue;
        }
        uint64_t edge = f->next++;
        f->left--;
        if (!strong_counts(d->c, edge)) continue;
        uint32_t to = EDGES_TARGETS(d->e)[edge], at = d->of[to];
        if (at == 0) {
            if (!enter(d, to)) return no_memory(stop);
            if (d->met % STATES_A_CHECK == 0 && space_must_stop(d->s, phase, d->met, d->s->states, stop)) return false;
        } else if ((at & OPEN) && (at & ~OPEN) < f->low) {
            f->low = at & ~OPEN;
        }
    }
    return true;
}

static bool has_edge(const struct strong *c, uint64_t at, uint32_t count) {
    uint64_t end = at + count;
    while (at < end && !strong_counts(c, at)) at++;
    return at < end;
}

/* Depth-first, what has no component yet. */
static bool search_rest(struct strong *c, struct space *s, const char *phase, struct stop *stop) {
    uint64_t most = s->limits.max_memory;
    struct search d = {.c = c, .s = s, .e = &s->edge_list, .of = (uint32_t *)(void *)c->of.base};
    bool good = (region_init_within(&d.frames, most) && region_init_within(&d.open, most)) || no_memory(stop);
    for (uint64_t i = 0, at = 0; good && i < s->states; at += EDGES_COUNTS(d.e)[i++]) {
        if (d.of[i] != 0) continue;
        if (has_edge(c, at, EDGES_COUNTS(d.e)[i])) good = search_from(&d, (uint32_t)i, phase, stop);
        else d.of[i] = (uint32_t)i + 1; /* on its own, and quickly so: there may be few edges that count */
    }
    region_fini(&d.frames);
    region_fini(&d.open);
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
