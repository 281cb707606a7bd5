#include "search/stages.h"

#include <stdlib.h>
#include <string.h>

#include "search/pick.h"

enum { SHARD_BITS = 2 }; /* of the number of shards in a group */

/* ---- Memory ---- */

static void chunk_init(struct chunk *c, const struct stages *g) {
    const struct ts *ts = g->s->ts;
    uint32_t sources = g->chunk_sources;
    size_t edges = (size_t)sources * ts->transitions + 1;
    *c = (struct chunk){
        .items = memory_get(sources * space_item_words(g->s) * sizeof(word)),
        .sources = memory_get(sources * ts->words * sizeof(word)),
        .keys = g->numbering ? memory_get(edges * sizeof(uint64_t)) : NULL,
        .images = memory_get(edges * sizeof(uint64_t)),
        .indices = memory_get(edges * sizeof(uint32_t)),
        .begins = memory_get_zeroed(((1u << g->group_bits) + 1) * sizeof(uint32_t)),
        .marks = memory_get_lines((size_t)g->shards * g->mark_words * sizeof(uint64_t)),
        .is_fresh = memory_get_zeroed((edges / 64 + 1) * sizeof(uint64_t)),
        .fresh = memory_get(edges * sizeof(uint32_t)),
        .fresh_states = memory_get(edges * ts->words * sizeof(word)),
        .fresh_keys = memory_get(edges * sizeof(uint64_t)),
        .found = {.classes = memory_get(edges)},
    };
    ts_batch_init(&c->batch, ts, sources);
    free(c->batch.labels); /* nobody looks at them: those of a thread's workshop will do */
    c->batch.unlabelled = true;
}

static void chunk_fini(struct chunk *c) {
    free(c->items);
    free(c->sources);
    free(c->keys);
    free(c->images);
    free(c->indices);
    free(c->begins);
    free(c->marks);
    free(c->is_fresh);
    free(c->fresh);
    free(c->fresh_states);
    free(c->fresh_keys);
    free(c->found.classes);
    c->batch.labels = NULL;
    ts_batch_fini(&c->batch);
}

void stages_init(struct stages *g, struct space *s, const struct bfs_goals *goals) {
    unsigned threads = s->team.size;
    bool numbering = s->store.kind == STORE_EXACT && s->ts->words > 1;
    *g = (struct stages){
        .s = s,
        .goals = goals,
        .shards = store_shards(&s->store),
        .numbering = numbering,
        .count = numbering ? 4 : 3,
        .chunk_sources = ts_batch_states(s->ts),
        .chunk_room = threads > 1 ? CHUNKS_EACH * threads : 1,
        .workshops = memory_get(threads * sizeof *g->workshops),
    };
    size_t edges = (size_t)g->chunk_sources * s->ts->transitions + 1, all = g->chunk_room * edges + PICK_MORE;
    if (s->store.shard_bits > SHARD_BITS) g->group_bits = s->store.shard_bits - SHARD_BITS;
    g->mark_words = (uint32_t)(edges + 511) / 512 * 8; /* whole cache lines */
    for (unsigned i = 0; i < threads; i++) {
        g->workshops[i] = (struct workshop){
            .labels = memory_get(edges * sizeof(uint32_t)),
            .keys = memory_get(edges * sizeof(uint64_t)),
            .images = memory_get(edges * sizeof(uint64_t)),
            .indices = memory_get(edges * sizeof(uint32_t)),
            .gathered = memory_get(all * sizeof(uint64_t)),
            .places = memory_get(all * sizeof(uint32_t)),
            .chunk_ends = memory_get(g->chunk_room * sizeof(uint32_t)),
            .fresh = memory_get(all * sizeof(uint32_t)),
        };
        sieve_init(&g->workshops[i].sieve, &s->store);
    }
}

void stages_fini(struct stages *g) {
    for (unsigned i = 0; i < g->s->team.size; i++) {
        free(g->workshops[i].labels);
        free(g->workshops[i].keys);
        free(g->workshops[i].images);
        free(g->workshops[i].indices);
        sieve_fini(&g->workshops[i].sieve);
        free(g->workshops[i].gathered);
        free(g->workshops[i].places);
        free(g->workshops[i].chunk_ends);
        free(g->workshops[i].fresh);
    }
    free(g->workshops);
}

void block_init(struct block *k, const struct stages *g) {
    *k = (struct block){.chunks = memory_get(g->chunk_room * sizeof *k->chunks)};
    for (uint32_t i = 0; i < g->chunk_room; i++) chunk_init(&k->chunks[i], g);
}

void block_fini(struct block *k, const struct stages *g) {
    for (uint32_t i = 0; i < g->chunk_room; i++) chunk_fini(&k->chunks[i]);
    free(k->chunks);
}

void block_begin(struct block *k, uint32_t count, bool alone) {
    k->count = count;
    k->alone = alone;
    k->stage = 0;
    k->full = false;
    k->last_chunk = UINT32_MAX;
}

/* Something was found in this chunk. Model code that does not come back is found again and again otherwise. */
static void end_after(struct block *k, uint32_t task) {
    uint32_t last = k->last_chunk;
    while (task < last && !atomic_compare_exchange_weak(&k->last_chunk, &last, task)) {}
}

/* ---- Expand, number ---- */

static void sort_by_group(const struct stages *g, const struct workshop *w, struct chunk *c) {
    const struct store groups = {.shard_bits = g->group_bits}; /* as if each were a shard; stays in registers */
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

static void number(struct stages *g, struct block *k, unsigned member, uint32_t task) {
    struct space *s = g->s;
    struct chunk *c = &k->chunks[task];
    struct workshop *w = &g->workshops[member];
    uint64_t *keys = c->keys ? c->keys : store_has_short_states(&s->store) ? NULL : w->keys;
    if (keys) store_keys(&s->store, &s->members[member].view, c->batch.successors, c->edges, keys);
    bool in_order = task >= w->next_task;
    if (in_order) w->next_task = task + 1;
    bool sort = g->group_bits && !k->alone;
    c->left = sieve_run(&w->sieve, c->batch.successors, keys, in_order, c->edges, sort ? w->images : c->images,
                        sort ? w->indices : c->indices);
    if (sort) sort_by_group(g, w, c);
    else c->begins[1] = c->left;
}

static void expand(struct stages *g, struct block *k, unsigned member, uint32_t task) {
    struct chunk *c = &k->chunks[task];
    struct space *s = g->s;
    space_states(s, member, c->items, c->batch.count, c->sources);
    c->batch.sources = c->sources;
    c->batch.labels = g->workshops[member].labels;
    c->done = task > k->last_chunk ? 0 : s->ts->ops->expand(s->members[member].worker, &c->batch);
    if (c->done < c->batch.count) end_after(k, task);
    c->edges = c->done ? c->batch.ends[c->done - 1] : 0;
    if (!g->numbering) number(g, k, member, task);
}

/* Room for the parts of the successors. */
static bool reserve(struct stages *g, const struct block *k) {
    uint64_t edges = 0;
    for (uint32_t i = 0; i < k->count; i++) edges += k->chunks[i].edges;
    return store_reserve(&g->s->store, edges);
}

/* ---- Insert ---- */

static void make_room(void *context, unsigned member, uint32_t shard) {
    (void)member;
    struct stages *g = context;
    store_make_room(&g->s->store, shard);
}

/* Shards grow together before a block is inserted, so that no thread waits for one that grows alone. */
static void make_room_in_all(struct stages *g, const struct block *k) {
    unsigned i = 0;
    uint64_t images = 0;
    for (uint32_t n = 0; n < k->count; n++) images += k->chunks[n].left;
    while (i < g->shards && store_has_room(&g->s->store, i, images / g->shards)) i++; /* more than will be new */
    if (i < g->shards) team_run(&g->s->team, g->shards, make_room, g);
}

/* The images of a shard, and where they are in their chunks. Returns how many there are. */
static uint32_t gather(const struct stages *g, const struct block *k, unsigned shard, const struct workshop *w) {
    const struct store *store = &g->s->store;
    unsigned group = shard >> (store->shard_bits - g->group_bits);
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->count; i++) {
        const struct chunk *c = &k->chunks[i];
        n += pick(store, shard, c->images, c->begins[group], c->begins[group + 1], w->gathered + n, w->places + n);
        w->chunk_ends[i] = n;
    }
    return n;
}

/* Marks those that are new. They are in the order of chunks and places. */
static void hand_back(const struct stages *g, struct block *k, unsigned shard, const struct workshop *w,
                      uint32_t count) {
    for (uint32_t i = 0, n = 0; n < count; i++) {
        uint64_t *marks = k->chunks[i].marks + (size_t)shard * g->mark_words;
        uint32_t end = w->chunk_ends[i];
        for (; n < count && w->fresh[n] < end; n++) {
            uint32_t place = w->places[w->fresh[n]];
            marks[place / 64] |= UINT64_C(1) << place % 64;
        }
    }
}

static void insert_alone(struct stages *g, struct block *k) {
    struct chunk *c = &k->chunks[0];
    if (store_insert_all(&g->s->store, c->images, c->left, c->fresh, &c->fresh_count) < c->left) k->full = true;
    for (uint32_t i = 0; i < c->fresh_count; i++) c->fresh[i] = c->indices[c->fresh[i]];
}

static void insert(struct stages *g, struct block *k, unsigned member, uint32_t shard) {
    const struct workshop *w = &g->workshops[member];
    uint32_t count;
    if (k->alone) {
        insert_alone(g, k);
        return;
    }
    uint32_t n = gather(g, k, shard, w);
    if (store_insert_images(&g->s->store, shard, w->gathered, n, w->fresh, &count) < n) k->full = true;
    hand_back(g, k, shard, w, count);
}

/* ---- Collect ---- */

/* Sources without successors. The first illegal one, if any. */
static struct finding look_at_terminals(const struct stages *g, unsigned member, struct chunk *c, uint32_t done) {
    const struct ts *ts = g->s->ts;
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    c->terminals = 0;
    for (uint32_t i = 0, begin = 0; i < done; begin = c->batch.ends[i++]) {
        if (c->batch.ends[i] != begin) continue;
        c->terminals++;
        const char *message = NULL;
        struct finding here = {.kind = STOP_DEADLOCK, .source = i, .edge = begin, .fresh = UINT32_MAX};
        if (g->goals->any_terminal) return here;
        if (!g->goals->check_deadlock) continue;
        if (!ts->ops->check(g->s->members[member].worker, c->sources + (size_t)i * ts->words, TS_CHECK_DEADLOCK,
                            &message, &here.fault))
            here.kind = STOP_FAULT;
        if (message || here.kind == STOP_FAULT) return here;
    }
    return none;
}

/* The first of the new states that is of a class to stop at. */
static struct finding look_at_fresh(const struct stages *g, unsigned member, struct chunk *c) {
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    if (!g->goals->classes || !c->fresh_count) return none;
    c->found.sources = c->fresh_states;
    c->found.count = c->fresh_count;
    c->found.wanted = g->goals->classes;
    uint32_t done = g->s->ts->ops->classify(g->s->members[member].worker, &c->found), i = 0;
    while (i < done && !c->found.classes[i]) i++;
    if (i == c->fresh_count) return none;
    struct finding here = {.kind = STOP_BAD_STATE, .edge = c->fresh[i] + 1, .fresh = i};
    while (here.source + 1 < c->batch.count && c->batch.ends[here.source] <= c->fresh[i]) here.source++;
    if (i == done) {
        here.kind = STOP_FAULT;
        here.fault = c->found.fault;
    }
    return here;
}

/* All marks of word number w of the images, which are wiped. */
static uint64_t take_marks(const struct stages *g, struct chunk *c, uint32_t w) {
    uint64_t marks = 0;
    for (unsigned i = 0; i < g->shards; i++) {
        uint64_t *own = &c->marks[(size_t)i * g->mark_words + w];
        marks |= *own;
        *own = 0;
    }
    return marks;
}

/* From marks of images to indices of successors. They are in order if the images are. */
static void list_fresh(const struct stages *g, struct chunk *c) {
    uint32_t n = 0, *fresh = c->fresh;
    for (uint32_t w = 0; w < (c->left + 63) / 64; w++)
        for (uint64_t marks = take_marks(g, c, w); marks; marks &= marks - 1)
            fresh[n++] = c->indices[w * 64 + (uint32_t)__builtin_ctzll(marks)];
    c->fresh_count = n;
}

static void sort_fresh(struct chunk *c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->fresh_count; i++) c->is_fresh[c->fresh[i] / 64] |= UINT64_C(1) << c->fresh[i] % 64;
    for (uint32_t w = 0; w <= c->edges / 64; w++) {
        for (uint64_t bits = c->is_fresh[w]; bits; bits &= bits - 1)
            c->fresh[n++] = w * 64 + (uint32_t)__builtin_ctzll(bits);
        c->is_fresh[w] = 0;
    }
}

static void collect(struct stages *g, struct block *k, unsigned member, uint32_t task) {
    struct chunk *c = &k->chunks[task];
    uint32_t words = g->s->ts->words;
    if (task > k->last_chunk) return;
    if (!k->alone) list_fresh(g, c);
    if (!k->alone && g->group_bits) sort_fresh(c);
    for (uint32_t i = 0; i < c->fresh_count; i++) {
        if (c->keys) c->fresh_keys[i] = c->keys[c->fresh[i]];
        const word *state = c->batch.successors + (size_t)c->fresh[i] * words;
        for (uint32_t k = 0; k < words; k++) c->fresh_states[(size_t)i * words + k] = state[k];
    }
    if (!c->keys) store_keys(&g->s->store, &g->s->members[member].view, c->fresh_states, c->fresh_count, c->fresh_keys);
    struct finding bad = look_at_fresh(g, member, c);
    c->finding = look_at_terminals(g, member, c, bad.source < c->done ? bad.source : c->done);
    if (bad.source < c->finding.source) c->finding = bad;
    if (c->finding.kind == STOP_DONE && c->done < c->batch.count)
        c->finding = (struct finding){
            .kind = STOP_FAULT, .source = c->done, .edge = c->edges, .fresh = UINT32_MAX, .fault = c->batch.fault};
    if (c->finding.kind != STOP_DONE) end_after(k, task);
}

/* ---- All of them ---- */

typedef void stage_function(struct stages *g, struct block *k, unsigned member, uint32_t task);

static stage_function *function(const struct stages *g, const struct block *k) {
    static stage_function *const with_numbers[] = {expand, number, insert, collect};
    static stage_function *const without[] = {expand, insert, collect};
    return g->numbering ? with_numbers[k->stage] : without[k->stage];
}

uint32_t stage_tasks(const struct stages *g, const struct block *k) {
    return function(g, k) == insert && !k->alone ? g->shards : k->count;
}

void stage_begin(struct stages *g, const struct block *k) {
    if (function(g, k) == insert && !k->alone) make_room_in_all(g, k);
    if (k->stage != (g->numbering ? 1 : 0)) return;
    for (unsigned i = 0; i < g->s->team.size; i++) g->workshops[i].next_task = 0;
}

void stage_task(struct stages *g, struct block *k, unsigned member, uint32_t task) {
    function(g, k)(g, k, member, task);
}

bool stage_end(struct stages *g, struct block *k) { return k->stage++ != 0 || !g->numbering || reserve(g, k); }

void block_of_initial(struct stages *g, struct block *k, const word *start) {
    struct chunk *c = &k->chunks[0];
    block_begin(k, 1, true);
    memcpy(c->batch.successors, start, g->s->ts->words * sizeof(word));
    c->batch.count = c->done = c->edges = 1;
    c->batch.ends[0] = 1;
    g->workshops[0].next_task = 0;
    number(g, k, 0, 0);
    insert_alone(g, k);
    collect(g, k, 0, 0);
}
