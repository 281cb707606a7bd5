#include "explore/chunk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "explore/terminal_error.h"
#include "store/shard_pick.h"
#include "ts/valuation.h"

enum {
    SHARD_BITS = 2
}; /* of the number of shards in a group: to pick its own from these costs less than to sort more */

/* ---- Memory ---- */

void chunk_init(struct chunk *c, const struct chunk_plan *p) {
    const struct ts *ts = p->s->ts;
    size_t edges = (size_t)p->sources * ts->transitions + 1;
    *c = (struct chunk){
        .items = memory_get(p->sources * space_item_words(p->s) * sizeof(word)),
        .origins = p->origins ? memory_get(p->sources + TS_MOST_SIBLINGS) : NULL,
        .sources = memory_get(p->sources * ts->words * sizeof(word)),
        .keys = p->numbering ? memory_get(edges * sizeof(uint64_t)) : NULL,
        .images = memory_get(edges * sizeof(uint64_t)),
        .indices = memory_get(edges * sizeof(uint32_t)),
        .begins = memory_get_zeroed(((1u << p->group_bits) + 1) * sizeof(uint32_t)),
        .is_fresh = memory_get_zeroed((edges / 64 + 1) * sizeof(uint64_t)),
        .fresh = memory_get(edges * sizeof(uint32_t)),
        .fresh_states = memory_get(edges * ts->words * sizeof(word)),
        .fresh_keys = memory_get(edges * sizeof(uint64_t)),
        .fresh_origins = p->origins ? memory_get(edges) : NULL,
        .found = {.classes = memory_get(edges)},
    };
    ts_batch_init(&c->batch, ts, p->sources);
    free(c->batch.labels); /* nobody looks at them: those of a thread's workshop will do */
    c->batch.unlabelled = true;
}

void chunk_fini(struct chunk *c) {
    free(c->items);
    free(c->origins);
    free(c->sources);
    free(c->keys);
    free(c->images);
    free(c->indices);
    free(c->begins);
    free(c->is_fresh);
    free(c->fresh);
    free(c->fresh_states);
    free(c->fresh_keys);
    free(c->fresh_origins);
    free(c->found.classes);
    c->batch.labels = NULL;
    ts_batch_fini(&c->batch);
}

void chunk_plan_init(struct chunk_plan *p, struct space *s, const struct bfs_goals *goals) {
    unsigned threads = s->team.size;
    *p = (struct chunk_plan){
        .s = s,
        .goals = goals,
        .shards = store_shards(&s->store),
        .numbering = s->store.kind == STORE_EXACT && s->ts->words > 1,
        /* Kept edges are all edges; and in a store that takes states for others, who would have led to a state may be
         * missing. */
        .origins = s->ts->takes_origins && !s->edges_kept && s->store.kind == STORE_EXACT && !s->store.bitstates,
        .batch = ts_batch_states(s->ts),
        .sources = chunk_sources(s->ts, threads, s->limits.max_memory),
        .workshops = memory_get(threads * sizeof *p->workshops),
    };
    size_t edges = (size_t)p->sources * s->ts->transitions + 1;
    if (s->store.shard_bits > SHARD_BITS) p->group_bits = s->store.shard_bits - SHARD_BITS;
    for (unsigned i = 0; i < threads; i++) {
        p->workshops[i] = (struct workshop){
            .labels = memory_get(edges * sizeof(uint32_t)),
            .keys = memory_get(edges * sizeof(uint64_t)),
            .images = memory_get(edges * sizeof(uint64_t)),
            .indices = memory_get(edges * sizeof(uint32_t)),
            .picked = memory_get((edges + PICK_MORE) * sizeof(uint64_t)),
            .places = memory_get((edges + PICK_MORE) * sizeof(uint32_t)),
            .fresh = memory_get(edges * sizeof(uint32_t)),
        };
        if (s->fired) p->workshops[i].fired = memory_get_zeroed(s->ts->transitions + 1);
        sieve_init(&p->workshops[i].sieve, &s->store);
    }
}

/* What this thread has seen to occur. */
static void add_fired(struct space *s, const uint8_t *fired) {
    for (uint32_t t = 0; t < s->ts->transitions; t++) s->fired[t] |= fired[t];
}

void chunk_plan_fini(struct chunk_plan *p) {
    for (unsigned i = 0; i < p->s->team.size; i++) {
        struct workshop *w = &p->workshops[i];
        if (w->fired) add_fired(p->s, w->fired);
        free(w->fired);
        free(w->labels);
        free(w->keys);
        free(w->images);
        free(w->indices);
        sieve_fini(&w->sieve);
        free(w->picked);
        free(w->places);
        free(w->fresh);
    }
    free(p->workshops);
}

/* ---- Expand, number ---- */

/* Once all have occurred, nobody asks any more: that is soon, as a rule. */
static void note_fired(const struct chunk_plan *p, const struct chunk *c, struct workshop *w) {
    if (!c->batch.looked_up)
        for (uint32_t i = 0; i < c->edges; i++) w->fired[w->labels[i]] = 1;
    w->all_fired = !memchr(w->fired, 0, p->s->ts->transitions);
}

void chunk_expand(const struct chunk_plan *p, struct chunk *c, unsigned member) {
    struct space *s = p->s;
    space_states(s, member, c->items, c->batch.count, c->sources);
    c->batch.sources = c->sources;
    c->batch.labels = p->workshops[member].labels;
    c->batch.fired = p->workshops[member].fired;
    c->batch.origins = c->origins;
    c->batch.first = c->first + 1;
    c->done = s->ts->ops->expand(s->members[member].worker, &c->batch);
    assert(c->batch.count <= p->sources && ts_batch_is_sound(&c->batch, s->ts, c->done));
    c->edges = c->done ? c->batch.ends[c->done - 1] : 0;
    c->total = chunk_edges_before(c, c->done);
    struct workshop *w = &p->workshops[member];
    if (w->fired && !w->all_fired) note_fired(p, c, w);
}

void chunk_of_initial(const struct chunk_plan *p, struct chunk *c, const word *start) {
    memcpy(c->batch.successors, start, p->s->ts->words * sizeof(word));
    c->batch.count = c->done = c->edges = c->total = 1;
    c->batch.ends[0] = 1;
    if (c->origins) c->batch.totals[0] = 1;
}

static void sort_by_group(const struct chunk_plan *p, const struct workshop *w, struct chunk *c) {
    const struct store groups = {.shard_bits = p->group_bits}; /* as if each were a shard; stays in registers */
    const uint64_t *from = w->images;
    uint64_t *images = c->images;
    uint32_t *indices = c->indices, *ends = c->begins + 1, left = c->left;
    memset(c->begins, 0, (store_shards(&groups) + 1) * sizeof *c->begins);
    for (uint32_t i = 0; i < left; i++) ends[store_shard(&groups, from[i])]++;
    for (uint32_t k = 0, begin = 0, count; k < store_shards(&groups); k++, begin += count) {
        count = ends[k];
        ends[k] = begin; /* which becomes the end when all are there */
    }
    for (uint32_t i = 0; i < left; i++) {
        uint32_t to = ends[store_shard(&groups, from[i])]++;
        images[to] = from[i];
        indices[to] = w->indices[i];
    }
}

/* Sources are on the trail as their keys; the initial state has none. */
static bool give_keys(const struct chunk_plan *p, const struct chunk *c, unsigned member, uint64_t *keys) {
    struct store *store = &p->s->store;
    if (store->collapse) return store_keys_from(store, &c->batch, c->done, c->items, keys);
    return store_keys(store, &p->s->members[member].view, c->batch.successors, c->edges, keys);
}

bool chunk_number(const struct chunk_plan *p, struct chunk *c, unsigned member) {
    struct space *s = p->s;
    struct workshop *w = &p->workshops[member];
    uint64_t *keys = c->keys ? c->keys : store_has_short_states(&s->store) ? NULL : w->keys;
    if (keys && !give_keys(p, c, member, keys)) return false;
    bool sort = p->group_bits > 0;
    c->left = sieve_run(&w->sieve, c->batch.successors, keys, c->edges, sort ? w->images : c->images,
                        sort ? w->indices : c->indices);
    if (sort) sort_by_group(p, w, c);
    else c->begins[1] = c->left;
    assert(c->left <= c->edges && c->begins[1u << p->group_bits] == c->left); /* each image is in one group */
    c->fresh_count = 0;
    c->full = false;
    return true;
}

void chunk_plan_forget(struct chunk_plan *p) {
    for (unsigned i = 0; i < p->s->team.size; i++) {
        sieve_fini(&p->workshops[i].sieve);
        sieve_init(&p->workshops[i].sieve, &p->s->store);
    }
}

/* ---- Insert ---- */

uint32_t chunk_pick(const struct chunk_plan *p, const struct chunk *c, unsigned member, unsigned shard) {
    const struct store *store = &p->s->store;
    const struct workshop *w = &p->workshops[member];
    unsigned group = shard >> (store->shard_bits - p->group_bits);
    if (p->shards == 1) return c->left;
    return pick(store, shard, c->images, c->begins[group], c->begins[group + 1], w->picked, w->places);
}

void chunk_insert(const struct chunk_plan *p, struct chunk *c, unsigned member, unsigned shard, uint32_t picked) {
    const struct workshop *w = &p->workshops[member];
    const uint64_t *images = p->shards == 1 ? c->images : w->picked;
    uint32_t count, *fresh = w->fresh;
    if (store_insert_images(&p->s->store, shard, images, picked, fresh, &count) < picked) c->full = true;
    if (p->shards == 1) {
        for (uint32_t i = 0; i < count; i++) c->fresh[i] = c->indices[fresh[i]];
        c->fresh_count = count;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = c->indices[w->places[fresh[i]]];
        assert(!(c->is_fresh[index / 64] >> index % 64 & 1)); /* a successor is in one shard */
        c->is_fresh[index / 64] |= UINT64_C(1) << index % 64;
    }
}

/* ---- Collect ---- */

/* Sources without successors. The first illegal one, if any. */
static struct finding look_at_terminals(const struct chunk_plan *p, unsigned member, struct chunk *c, uint32_t done) {
    const struct ts *ts = p->s->ts;
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    c->terminals = 0;
    const uint32_t *ends = c->origins ? c->batch.totals : c->batch.ends;
    for (uint32_t i = 0, begin = 0; i < done; begin = ends[i++]) {
        if (ends[i] != begin) continue;
        c->terminals++;
        struct finding here = {
            .source = i, .successors = i ? c->batch.ends[i - 1] : 0, .edges = begin, .fresh = UINT32_MAX};
        here.kind =
            ends_look(ts, p->s->members[member].worker, c->sources + (size_t)i * ts->words, p->goals, &here.fault);
        if (here.kind != STOP_DONE) return here;
    }
    return none;
}

/* Edges up to the first one of this source to this new state. Where some were left out, all are made again; by a worker
 * of its own, since model code may just have crashed in the hands of the other. */
static uint32_t edges_until(const struct chunk_plan *p, const struct chunk *c, uint32_t source, uint32_t fresh) {
    struct ts *ts = p->s->ts;
    struct ts_batch one;
    uint32_t i = 0;
    if (!c->origins) return c->fresh[fresh] + 1;
    struct ts_worker *w = ts->ops->worker_new(ts);
    ts_batch_init(&one, ts, 1);
    one.sources = c->sources + source;
    one.count = 1;
    if (ts->ops->expand(w, &one) == 1)
        while (i < one.ends[0] && one.successors[i] != c->fresh_states[fresh]) i++;
    ts_batch_fini(&one);
    ts->ops->worker_free(w);
    return chunk_edges_before(c, source) + i + 1;
}

/* The first of the new states that is of a class to stop at. */
static struct finding look_at_fresh(const struct chunk_plan *p, unsigned member, struct chunk *c) {
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    if (!p->goals->classes || !c->fresh_count) return none;
    c->found.sources = c->fresh_states;
    c->found.count = c->fresh_count;
    c->found.wanted = p->goals->classes;
    uint32_t done = valuation_classify(p->s->ts, p->s->members[member].worker, &c->found), i = 0;
    while (i < done && !c->found.classes[i]) i++;
    if (i == c->fresh_count) return none;
    struct finding here = {.kind = STOP_BAD_STATE, .successors = c->fresh[i] + 1, .fresh = i};
    while (here.source + 1 < c->batch.count && c->batch.ends[here.source] <= c->fresh[i]) here.source++;
    here.edges = edges_until(p, c, here.source, i);
    if (i == done) {
        here.kind = STOP_FAULT;
        here.fault = c->found.fault;
    }
    return here;
}

/* From bits to indices. The bits are wiped. */
static void list_fresh(struct chunk *c) {
    uint32_t n = 0, *fresh = c->fresh;
    for (uint32_t w = 0; w <= c->edges / 64; w++) {
        for (uint64_t bits = c->is_fresh[w]; bits; bits &= bits - 1)
            fresh[n++] = w * 64 + (uint32_t)__builtin_ctzll(bits);
        c->is_fresh[w] = 0;
    }
    c->fresh_count = n;
}

/* Of the new states, which still have them in their words; of none, as long as there are no tables. */
static void take_origins(struct chunk *c) {
    const uint32_t *ends = c->batch.ends, *fresh = c->fresh;
    uint32_t count = c->fresh_count, source = 0;
    word any = 0;
    for (uint32_t i = 0; i < count; i++) any |= c->fresh_states[i];
    memset(c->fresh_origins, 0, count);
    if (ts_origin(any) == 0) return;
    for (uint32_t i = 0; i < count; i++) {
        while (ends[source] <= fresh[i]) source++;
        assert(source < c->done);
        bool more = i + 1 < count && fresh[i + 1] < ends[source];
        c->fresh_origins[i] = (uint8_t)(ts_origin(c->fresh_states[i]) | (more ? TS_ORIGIN_MORE : 0));
        c->fresh_states[i] = ts_without_origin(c->fresh_states[i]);
    }
}

/* Of states whose keys were not needed before. */
static void short_keys(const struct chunk_plan *p, struct chunk *c, unsigned member) {
    bool good = store_keys(&p->s->store, &p->s->members[member].view, c->fresh_states, c->fresh_count, c->fresh_keys);
    assert(good); /* only components can be full */
    (void)good;
}

bool chunk_collect(const struct chunk_plan *p, struct chunk *c, unsigned member) {
    uint32_t words = p->s->ts->words;
    if (p->shards > 1) list_fresh(c);
    for (uint32_t i = 0; i < c->fresh_count; i++) {
        assert(c->fresh[i] < c->edges && (i == 0 || c->fresh[i - 1] < c->fresh[i])); /* in the order of successors */
        if (c->keys) c->fresh_keys[i] = c->keys[c->fresh[i]];
        const word *state = c->batch.successors + (size_t)c->fresh[i] * words;
        for (uint32_t k = 0; k < words; k++) c->fresh_states[(size_t)i * words + k] = state[k];
    }
    if (c->origins) take_origins(c);
    if (!c->keys) short_keys(p, c, member);
    struct finding bad = look_at_fresh(p, member, c);
    c->finding = look_at_terminals(p, member, c, bad.source < c->done ? bad.source : c->done);
    if (bad.source < c->finding.source) c->finding = bad;
    if (c->finding.kind == STOP_DONE && c->done < c->batch.count)
        c->finding = (struct finding){.kind = STOP_FAULT,
                                      .source = c->done,
                                      .successors = c->edges,
                                      .edges = c->total,
                                      .fresh = UINT32_MAX,
                                      .fault = c->batch.fault};
    return c->finding.kind == STOP_DONE;
}
