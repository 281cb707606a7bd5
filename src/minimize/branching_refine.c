/* Splitting one block: those that get to the splitter by inert edges, and those that do not.
 *
 * Two searches run side by side, each about as far as the other: `reach` goes backward from the states that have the
 * splitter; `miss` goes backward from the bottom states that have not, to states all of whose inert edges lead to such
 * states and that have not got the splitter themselves. What has been found by the one that finishes first becomes the
 * new block. A search that has found more than half of the block gives up, so that the new block is the smaller half;
 * hence a state is in a new block at most log n times. */
#include "minimize/branching.h"

#include <assert.h>

enum { NOWHERE, REACHES, MISSES };
enum { SHARE = 16 };

/* What a block is split by: a slice, or, if that is NONE, the states of `crossing`. */
struct task {
    uint32_t block, slice;
};

static void find(struct branching *g, struct search *s, uint32_t state, uint8_t side) {
    g->state[state].side = side;
    s->list[s->count++] = state;
}

/* ---- Those that reach the splitter ---- */

static void reach_start(struct branching *g, const struct task *t) {
    g->reach.seed = t->slice != NONE ? g->slice[t->slice].head : 0;
}

/* The next state that has the splitter, or NONE. */
static uint32_t reach_seed(struct branching *g, const struct task *t) {
    struct search *s = &g->reach;
    if (t->slice == NONE) return s->seed < g->crossing_count ? g->crossing[s->seed++] : NONE;
    uint32_t bundle = s->seed;
    if (bundle == NONE) return NONE;
    s->seed = g->bundle[bundle].next;
    return g->bundle[bundle].state;
}

static void reach_step(struct branching *g, const struct task *t) {
    struct search *s = &g->reach;
    if (s->at < s->count) {
        uint32_t state = s->list[s->at];
        if (s->edge == NONE) s->edge = g->tau_in_first[state];
        if (s->edge == g->tau_in_first[state + 1]) {
            s->at++;
            s->edge = NONE;
            return;
        }
        uint32_t p = g->tau_in[s->edge++].source;
        if (g->state[p].block == t->block && g->state[p].side == NOWHERE) find(g, s, p, REACHES);
        return;
    }
    uint32_t seed = reach_seed(g, t);
    if (seed == NONE) s->finished = true;
    else if (g->state[seed].side == NOWHERE) find(g, s, seed, REACHES);
}

/* ---- Those that do not ---- */

/* The state has no inert edges but to states that miss. If it has the splitter, it will be a new bottom state, and only
 * once: that pays for looking through all its bundles. */
static bool has_splitter(struct branching *g, const struct task *t, uint32_t state) {
    if (t->slice == NONE) return g->state[state].crosses;
    for (uint32_t b = g->state[state].bundles; b != NONE; b = g->bundle[b].sibling) {
        g->miss.work++;
        if (g->bundle[b].slice == t->slice) return true;
    }
    return false;
}

static void miss_edge(struct branching *g, const struct task *t, uint32_t p) {
    if (g->state[p].block != t->block || g->state[p].side != NOWHERE) return;
    if (g->state[p].left == 0) {
        g->state[p].left = g->state[p].inert;
        g->counted[g->counted_count++] = p;
    }
    assert(g->state[p].left > 0); /* an edge that has led here is inert */
    if (--g->state[p].left == 0 && !has_splitter(g, t, p)) find(g, &g->miss, p, MISSES);
}

static void miss_step(struct branching *g, const struct task *t) {
    struct search *s = &g->miss;
    if (s->at < s->count) {
        uint32_t state = s->list[s->at];
        if (s->edge == NONE) s->edge = g->tau_in_first[state];
        if (s->edge == g->tau_in_first[state + 1]) {
            s->at++;
            s->edge = NONE;
        } else {
            miss_edge(g, t, g->tau_in[s->edge++].source);
        }
        return;
    }
    if (s->seed < g->block[t->block].first + g->block[t->block].bottoms) find(g, s, g->element[s->seed++], MISSES);
    else s->finished = true;
}

/* ---- Both ---- */

static void begin(struct search *s) { *s = (struct search){.list = s->list, .edge = NONE}; }

static void run(struct branching *g, const struct task *t, struct search *s,
                void (*step)(struct branching *, const struct task *), uint64_t until) {
    uint32_t half = (g->block[t->block].end - g->block[t->block].first) / 2;
    while (!s->finished && !s->too_large && s->work < until) {
        step(g, t);
        s->work++;
        s->too_large = s->count > half;
    }
}

/* Runs the searches until one has finished, which is returned. */
static struct search *race(struct branching *g, const struct task *t) {
    begin(&g->reach);
    begin(&g->miss);
    reach_start(g, t);
    g->miss.seed = g->block[t->block].first + g->block[t->block].marked;
    while (!g->reach.finished && !g->miss.finished) {
        run(g, t, &g->reach, reach_step, g->miss.too_large ? UINT64_MAX : g->miss.work + SHARE);
        if (g->reach.finished) break;
        run(g, t, &g->miss, miss_step, g->reach.too_large ? UINT64_MAX : g->reach.work + SHARE);
    }
    assert(!g->reach.too_large || !g->miss.too_large); /* no state is found by both */
    return g->reach.finished ? &g->reach : &g->miss;
}

static void forget(struct branching *g) {
    for (uint32_t i = 0; i < g->reach.count; i++) g->state[g->reach.list[i]].side = NOWHERE;
    for (uint32_t i = 0; i < g->miss.count; i++) g->state[g->miss.list[i]].side = NOWHERE;
    for (uint32_t i = 0; i < g->counted_count; i++) g->state[g->counted[i]].left = 0;
    g->counted_count = 0;
}

/* Splits the block in two: `*reach` and `*miss`. Neither is empty. */
static void split(struct branching *g, const struct task *t, uint32_t *reach, uint32_t *miss) {
    const struct search *smaller = race(g, t);
    bool miss_is_new = smaller == &g->miss;
    uint32_t fresh = branching_split_off(g, t->block, smaller->list, smaller->count);
    *miss = miss_is_new ? fresh : t->block;
    *reach = miss_is_new ? t->block : fresh;
    forget(g);
    branching_cut(g, *reach, *miss, smaller->list, smaller->count, miss_is_new);
}

static void follow(struct branching *g, uint32_t block) {
    for (int i = 0; i < 2; i++) g->tracked[i] = branching_follow(g, g->tracked[i], block);
}

static void set_all_pending(struct branching *g, uint32_t block) {
    for (uint32_t s = g->block[block].slices; s != NONE; s = g->slice[s].next) branching_set_pending(g, s);
}

/* The block has new bottom states, from `old` bottom states on. Those states that get to a crossing edge are separated
 * from the others: all their bottom states are new. Nothing is known about these, so that all their slices are pending.
 * Returns the others, or NONE. */
static uint32_t isolate_new_bottoms(struct branching *g, uint32_t block, uint32_t old) {
    uint32_t others = NONE, first = g->block[block].first;
    if (old > 0) {
        struct task t = {block, NONE};
        uint32_t all = g->block[block].bottoms;
        for (uint32_t i = old; i < all; i++) branching_mark(g, g->element[first + i]);
        split(g, &t, &block, &others);
        follow(g, others);
    }
    set_all_pending(g, block);
    return others;
}

uint32_t branching_refine(struct branching *g, uint32_t block, uint32_t slice) {
    if (g->block[block].marked == g->block[block].bottoms) return g->block[block].marked = 0, block;
    assert(g->block[block].marked < g->block[block].bottoms);
    struct task t = {block, slice};
    uint32_t reach, miss, marked = g->block[block].marked;
    split(g, &t, &reach, &miss);
    follow(g, reach);
    if (g->block[reach].bottoms > marked) reach = isolate_new_bottoms(g, reach, marked);
    for (uint32_t i = 0; i < g->crossing_count; i++) g->state[g->crossing[i]].crosses = 0;
    g->crossing_count = 0;
    return reach;
}
