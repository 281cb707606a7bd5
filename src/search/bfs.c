#include "search/bfs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "search/edges.h"
#include "search/sieve.h"

/* The states of a level are expanded in blocks of chunks. A chunk is the work of one thread at a time:
 *
 *     1. expand   chunks: successors of the sources, their images, sorted by shard
 *     2. insert   shards: the images of all chunks, in the order of the chunks
 *     3. collect  chunks: which successors are new, in order, and what is wrong with them
 *     4. finish   one thread: chunk by chunk, new states go to the trail
 *
 * Since each shard sees its images in order, it is the first of equal states that is new, whatever the number of
 * threads; so is all that follows. */

enum { CHUNKS_EACH = 16 }; /* in a block, for each thread */

/* What the first source, or new state, with something wrong in this chunk is. */
struct finding {
    enum stop_kind kind;   /* STOP_DONE: nothing */
    uint32_t source;       /* index in the chunk where it was found */
    uint32_t edge;         /* edges of the chunk up to then */
    uint32_t fresh;        /* STOP_BAD_STATE, or a fault in a new state: its index; else UINT32_MAX */
    struct ts_fault fault; /* STOP_FAULT */
};

struct chunk {
    uint64_t first; /* number of the first source */
    word *items;    /* the sources, as they are on the trail */
    word *sources;
    struct ts_batch batch;  /* expansion */
    uint32_t done;          /* sources that were expanded */
    uint32_t edges;         /* successors of these */
    uint32_t left;          /* successors that were not met recently */
    uint64_t *keys;         /* of long states; those of others are quickly computed */
    uint64_t *sorted;       /* the images by shard */
    uint32_t *order;        /* whose images these are */
    uint32_t *begins;       /* of the shards, in `order`; one more at the end, where the last one ends */
    uint32_t *fresh;        /* indices of successors that are new: by shard, then all in order */
    uint32_t *fresh_counts; /* of each shard */
    uint64_t *is_fresh;     /* a bit for each successor */
    uint32_t fresh_count;
    word *fresh_states;
    uint64_t *fresh_keys;
    struct ts_batch found; /* classification of new states */
    uint32_t terminals;
    struct finding finding;
};

/* One search. */
struct bfs {
    struct space *s;
    const struct bfs_goals *goals;
    struct stop *stop;
    unsigned shards;
    bool reserving; /* long states: see reserve */
    uint32_t chunk_sources;
    struct chunk *chunks;
    uint32_t chunk_room, chunk_count;
    struct workshop {
        uint32_t *labels;        /* expand: of the successors of a chunk */
        uint64_t *keys, *images; /* expand: the same */
        uint32_t *indices;       /* expand: of the successors that are left, whose images are in front */
        struct sieve sieve;      /* expand: leaves out recent successors */
        uint32_t next_task;      /* expand: all chunks of this block that went through the sieve are below this */
        uint64_t *gathered;      /* insert: the images of one shard */
        uint32_t *fresh;         /* insert: which of them are new */
    } * workshops;               /* one for each thread */
    _Atomic bool full;           /* a shard could not grow */
    _Atomic uint32_t last_chunk; /* the search ends there, or before: those after it need not be looked at */
    uint64_t at;                 /* number of the next state to expand */
    uint64_t level_end;          /* number of the first state of the next level */
};

static void chunk_init(struct chunk *c, const struct bfs *b) {
    const struct ts *ts = b->s->ts;
    uint32_t sources = b->chunk_sources;
    size_t edges = (size_t)sources * ts->transitions + 1;
    *c = (struct chunk){
        .items = memory_get(sources * space_item_words(b->s) * sizeof(word)),
        .sources = memory_get(sources * ts->words * sizeof(word)),
        .keys = b->reserving ? memory_get(edges * sizeof(uint64_t)) : NULL,
        .sorted = memory_get(edges * sizeof(uint64_t)),
        .order = memory_get(edges * sizeof(uint32_t)),
        .begins = memory_get_zeroed((b->shards + 1) * sizeof(uint32_t)),
        .fresh = memory_get(edges * sizeof(uint32_t)),
        .fresh_counts = memory_get_zeroed(b->shards * sizeof(uint32_t)),
        .is_fresh = memory_get_zeroed((edges / 64 + 1) * sizeof(uint64_t)),
        .fresh_states = memory_get(edges * ts->words * sizeof(word)),
        .fresh_keys = memory_get(edges * sizeof(uint64_t)),
        .found = {.classes = memory_get(edges)},
    };
    ts_batch_init(&c->batch, ts, sources);
    free(c->batch.labels); /* nobody looks at them: those of a thread's workshop will do */
}

static void chunk_fini(struct chunk *c) {
    free(c->items);
    free(c->sources);
    free(c->keys);
    free(c->sorted);
    free(c->order);
    free(c->begins);
    free(c->fresh);
    free(c->fresh_counts);
    free(c->is_fresh);
    free(c->fresh_states);
    free(c->fresh_keys);
    free(c->found.classes);
    c->batch.labels = NULL;
    ts_batch_fini(&c->batch);
}

static void bfs_init(struct bfs *b, struct space *s, const struct bfs_goals *goals, struct stop *stop) {
    *b = (struct bfs){.s = s, .goals = goals, .stop = stop, .last_chunk = UINT32_MAX};
    b->shards = store_shards(&s->store);
    b->reserving = s->store.kind == STORE_EXACT && s->ts->words > 1;
    b->chunk_sources = ts_batch_states(s->ts);
    b->chunk_room = s->team.size > 1 ? CHUNKS_EACH * s->team.size : 1;
    b->chunks = memory_get(b->chunk_room * sizeof *b->chunks);
    for (uint32_t i = 0; i < b->chunk_room; i++) chunk_init(&b->chunks[i], b);
    b->workshops = memory_get(s->team.size * sizeof *b->workshops);
    size_t edges = (size_t)b->chunk_sources * s->ts->transitions + 1, all = b->chunk_room * edges;
    for (unsigned i = 0; i < s->team.size; i++) {
        b->workshops[i] = (struct workshop){
            .labels = memory_get(edges * sizeof(uint32_t)),
            .keys = memory_get(edges * sizeof(uint64_t)),
            .images = memory_get(edges * sizeof(uint64_t)),
            .indices = memory_get(edges * sizeof(uint32_t)),
            .gathered = memory_get(all * sizeof(uint64_t)),
            .fresh = memory_get(all * sizeof(uint32_t)),
        };
        sieve_init(&b->workshops[i].sieve);
    }
}

static void bfs_fini(struct bfs *b) {
    for (uint32_t i = 0; i < b->chunk_room; i++) chunk_fini(&b->chunks[i]);
    for (unsigned i = 0; i < b->s->team.size; i++) {
        free(b->workshops[i].labels);
        free(b->workshops[i].keys);
        free(b->workshops[i].images);
        free(b->workshops[i].indices);
        sieve_fini(&b->workshops[i].sieve);
        free(b->workshops[i].gathered);
        free(b->workshops[i].fresh);
    }
    free(b->chunks);
    free(b->workshops);
}

/* One chunk: there is nothing to share out, and nothing to sort. Where levels are small, this is always so. */
static bool alone(const struct bfs *b) { return b->chunk_count == 1; }

/* Something was found in this chunk. Model code that does not come back is found again and again otherwise. */
static void end_after(struct bfs *b, uint32_t task) {
    uint32_t last = b->last_chunk;
    while (task < last && !atomic_compare_exchange_weak(&b->last_chunk, &last, task)) {}
}

static bool no_memory(struct bfs *b) {
    *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the limit on memory (--max-memory) was reached"};
    return false;
}

/* ---- 1. Expand ---- */

static void sort_by_shard(const struct bfs *b, const struct workshop *w, struct chunk *c) {
    const struct store store = {.shard_bits = b->s->store.shard_bits}; /* a copy stays in registers */
    const uint64_t *images = w->images;
    uint64_t *sorted = c->sorted;
    uint32_t *order = c->order, *ends = c->begins + 1, left = c->left;
    memset(c->begins, 0, (b->shards + 1) * sizeof *c->begins);
    for (uint32_t i = 0; i < left; i++) ends[store_shard(&store, images[i])]++;
    for (uint32_t k = 0, begin = 0, count; k < b->shards; k++, begin += count) {
        count = ends[k];
        ends[k] = begin; /* which becomes the end when all are there */
    }
    for (uint32_t i = 0; i < left; i++) {
        uint32_t to = ends[store_shard(&store, images[i])]++;
        sorted[to] = images[i];
        order[to] = w->indices[i];
    }
}

static void compute_images(const struct bfs *b, unsigned member, uint32_t task) {
    struct space *s = b->s;
    struct chunk *c = &b->chunks[task];
    struct workshop *w = &b->workshops[member];
    uint64_t *keys = c->keys ? c->keys : store_has_short_states(&s->store) ? NULL : w->keys;
    if (keys) store_keys(&s->store, &s->members[member].view, c->batch.successors, c->edges, keys);
    bool in_order = task >= w->next_task;
    if (in_order) w->next_task = task + 1;
    c->left = sieve_run(&w->sieve, &s->store, c->batch.successors, keys, in_order, c->edges, w->images, w->indices);
    if (!alone(b)) sort_by_shard(b, w, c);
}

static void expand(void *context, unsigned member, uint32_t task) {
    struct bfs *b = context;
    struct chunk *c = &b->chunks[task];
    struct space *s = b->s;
    space_states(s, member, c->items, c->batch.count, c->sources);
    c->batch.sources = c->sources;
    c->batch.labels = b->workshops[member].labels;
    c->done = task > b->last_chunk ? 0 : s->ts->ops->expand(s->members[member].worker, &c->batch);
    if (c->done < c->batch.count) end_after(b, task);
    c->edges = c->done ? c->batch.ends[c->done - 1] : 0;
    if (!b->reserving) compute_images(b, member, task);
}

static void find_images(void *context, unsigned member, uint32_t task) { compute_images(context, member, task); }

/* Long states need room for their parts before they get keys. */
static bool reserve(struct bfs *b) {
    uint64_t edges = 0;
    for (uint32_t i = 0; i < b->chunk_count; i++) edges += b->chunks[i].edges;
    if (!store_reserve(&b->s->store, edges)) return no_memory(b);
    team_run(&b->s->team, b->chunk_count, find_images, b);
    return true;
}

/* ---- 2. Insert ---- */

/* From positions among the images of a shard to indices of successors in their chunks. */
static void hand_back(struct bfs *b, unsigned shard, const uint32_t *fresh, uint32_t count) {
    for (uint32_t i = 0, end = 0; i < b->chunk_count; i++) {
        struct chunk *c = &b->chunks[i];
        uint32_t begin = end, *out = c->fresh + c->begins[shard];
        const uint32_t *order = c->order + c->begins[shard];
        end += c->begins[shard + 1] - c->begins[shard];
        uint32_t n = 0;
        for (; count > 0 && *fresh < end; fresh++, count--) out[n++] = order[*fresh - begin];
        c->fresh_counts[shard] = n;
    }
}

static void insert(void *context, unsigned member, uint32_t shard) {
    struct bfs *b = context;
    struct workshop *w = &b->workshops[member];
    uint32_t n = 0, count;
    for (uint32_t i = 0; i < b->chunk_count; i++) {
        const struct chunk *c = &b->chunks[i];
        uint32_t begin = c->begins[shard], some = c->begins[shard + 1] - begin;
        memcpy(w->gathered + n, c->sorted + begin, some * sizeof(uint64_t));
        n += some;
    }
    if (store_insert_images(&b->s->store, shard, w->gathered, n, w->fresh, &count) < n) b->full = true;
    hand_back(b, shard, w->fresh, count);
}

static void insert_alone(struct bfs *b) {
    struct chunk *c = &b->chunks[0];
    const struct workshop *w = &b->workshops[0];
    if (store_insert_all(&b->s->store, w->images, c->left, c->fresh, &c->fresh_count) < c->left) b->full = true;
    for (uint32_t i = 0; i < c->fresh_count; i++) c->fresh[i] = w->indices[c->fresh[i]];
}

/* ---- 3. Collect ---- */

/* Sources without successors. The first illegal one, if any. */
static struct finding look_at_terminals(const struct bfs *b, unsigned member, struct chunk *c, uint32_t done) {
    const struct ts *ts = b->s->ts;
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    c->terminals = 0;
    for (uint32_t i = 0, begin = 0; i < done; begin = c->batch.ends[i++]) {
        if (c->batch.ends[i] != begin) continue;
        c->terminals++;
        const char *message = NULL;
        struct finding here = {.kind = STOP_DEADLOCK, .source = i, .edge = begin, .fresh = UINT32_MAX};
        if (b->goals->any_terminal) return here;
        if (!b->goals->check_deadlock) continue;
        if (!ts->ops->check(b->s->members[member].worker, c->sources + (size_t)i * ts->words, TS_CHECK_DEADLOCK,
                            &message, &here.fault))
            here.kind = STOP_FAULT;
        if (message || here.kind == STOP_FAULT) return here;
    }
    return none;
}

/* The first of the new states that is of a class to stop at. */
static struct finding look_at_fresh(const struct bfs *b, unsigned member, struct chunk *c) {
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    if (!b->goals->classes || !c->fresh_count) return none;
    c->found.sources = c->fresh_states;
    c->found.count = c->fresh_count;
    c->found.wanted = b->goals->classes;
    uint32_t done = b->s->ts->ops->classify(b->s->members[member].worker, &c->found), i = 0;
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

/* The new successors of all shards, in order. */
static void merge_fresh(const struct bfs *b, struct chunk *c) {
    if (alone(b)) return;
    for (unsigned k = 0; k < b->shards; k++)
        for (uint32_t i = 0; i < c->fresh_counts[k]; i++) {
            uint32_t edge = c->fresh[c->begins[k] + i];
            c->is_fresh[edge / 64] |= UINT64_C(1) << edge % 64;
        }
    c->fresh_count = 0;
    for (uint32_t w = 0; w <= c->edges / 64; w++) {
        for (uint64_t bits = c->is_fresh[w]; bits; bits &= bits - 1)
            c->fresh[c->fresh_count++] = w * 64 + (uint32_t)__builtin_ctzll(bits);
        c->is_fresh[w] = 0;
    }
}

static void collect(void *context, unsigned member, uint32_t task) {
    struct bfs *b = context;
    struct chunk *c = &b->chunks[task];
    uint32_t words = b->s->ts->words;
    if (task > b->last_chunk) return;
    merge_fresh(b, c);
    for (uint32_t i = 0; i < c->fresh_count; i++) {
        if (c->keys) c->fresh_keys[i] = c->keys[c->fresh[i]];
        const word *state = c->batch.successors + (size_t)c->fresh[i] * words;
        for (uint32_t k = 0; k < words; k++) c->fresh_states[(size_t)i * words + k] = state[k];
    }
    if (!c->keys) store_keys(&b->s->store, &b->s->members[member].view, c->fresh_states, c->fresh_count, c->fresh_keys);
    struct finding bad = look_at_fresh(b, member, c);
    c->finding = look_at_terminals(b, member, c, bad.source < c->done ? bad.source : c->done);
    if (bad.source < c->finding.source) c->finding = bad;
    if (c->finding.kind == STOP_DONE && c->done < c->batch.count)
        c->finding = (struct finding){
            .kind = STOP_FAULT, .source = c->done, .edge = c->edges, .fresh = UINT32_MAX, .fault = c->batch.fault};
    if (c->finding.kind != STOP_DONE) end_after(b, task);
}

/* ---- 4. Finish ---- */

static void add_to_trail(struct bfs *b, const struct chunk *c) {
    struct space *s = b->s;
    trail_add_run(&s->trail, s->store.kind == STORE_EXACT ? c->fresh_keys : c->fresh_states, c->fresh_count);
}

/* Ends the search at a finding: counts what had happened until then. */
static bool end_at(struct bfs *b, const struct chunk *c) {
    const struct finding *f = &c->finding;
    uint32_t fresh = 0;
    while (fresh < c->fresh_count && c->fresh[fresh] < f->edge) fresh++;
    uint64_t state = f->fresh == UINT32_MAX ? c->first + f->source : b->s->states + f->fresh;
    b->s->states += fresh;
    b->s->edges += f->edge;
    *b->stop = (struct stop){.kind = f->kind, .state = state, .fault = f->fault};
    return false;
}

static void note_edges(struct bfs *b, const struct chunk *c) {
    struct space *s = b->s;
    uint64_t *keys = c->keys ? c->keys : b->workshops[0].keys;
    if (!c->keys) store_keys(&s->store, &s->members[0].view, c->batch.successors, c->edges, keys);
    edges_note(s, &c->batch, keys, c->fresh, c->fresh_count, s->states - c->fresh_count);
}

/* False: the search has ended. */
static bool finish(struct bfs *b, const struct chunk *c) {
    struct space *s = b->s;
    add_to_trail(b, c);
    s->terminals += c->terminals;
    b->at = c->first + c->batch.count;
    if (c->finding.kind != STOP_DONE) return end_at(b, c);
    s->states += c->fresh_count;
    s->edges += c->edges;
    if (s->edges_kept) note_edges(b, c);
    return !space_must_stop(s, "exploring", b->at, s->states, b->stop);
}

/* ---- All of it ---- */

/* Reads the next states of the level into chunks. */
static bool read_block(struct bfs *b) {
    struct trail *trail = &b->s->trail;
    uint64_t at = b->at;
    for (b->chunk_count = 0; b->chunk_count < b->chunk_room && at < b->level_end; b->chunk_count++) {
        struct chunk *c = &b->chunks[b->chunk_count];
        uint64_t left = b->level_end - at;
        const void *items =
            trail_read(trail, at, left < b->chunk_sources ? (uint32_t)left : b->chunk_sources, &c->batch.count);
        if (!items) {
            *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            return false;
        }
        memcpy(c->items, items, (size_t)c->batch.count * trail->item_bytes);
        c->first = at;
        at += c->batch.count;
    }
    return true;
}

/* What did not fit is lost, so the whole block would have to be expanded again. */
static bool end_full(struct bfs *b, uint64_t edges, uint64_t terminals) {
    b->at = b->chunks[0].first;
    b->s->edges = edges;
    b->s->terminals = terminals;
    return no_memory(b);
}

static bool expand_block(struct bfs *b) {
    struct space *s = b->s;
    uint64_t edges = s->edges, terminals = s->terminals;
    if (!read_block(b)) return false;
    for (unsigned i = 0; i < s->team.size; i++) b->workshops[i].next_task = 0;
    team_run(&s->team, b->chunk_count, expand, b);
    if (b->reserving && !reserve(b)) return false;
    if (alone(b)) insert_alone(b);
    else team_run(&s->team, b->shards, insert, b);
    team_run(&s->team, b->chunk_count, collect, b);
    for (uint32_t i = 0; i < b->chunk_count; i++)
        if (!finish(b, &b->chunks[i])) return false;
    return !b->full || end_full(b, edges, terminals);
}

/* The initial state is treated as the only successor of nothing. */
static bool begin(struct bfs *b, const word *start) {
    struct space *s = b->s;
    struct chunk *c = &b->chunks[0];
    if (!store_reserve(&s->store, 1)) return no_memory(b);
    memcpy(c->batch.successors, start, s->ts->words * sizeof(word));
    b->chunk_count = 1;
    c->batch.count = c->done = c->edges = 1;
    c->batch.ends[0] = 1;
    compute_images(b, 0, 0);
    insert_alone(b);
    collect(b, 0, 0);
    if (b->full) return no_memory(b);
    add_to_trail(b, c);
    numbers_add(&s->levels, 0);
    b->level_end = 1;
    s->states = 1;
    if (c->finding.kind != STOP_DONE)
        *b->stop = (struct stop){.kind = c->finding.kind, .state = 0, .fault = c->finding.fault};
    return c->finding.kind == STOP_DONE;
}

static void explore(struct bfs *b) {
    struct space *s = b->s;
    bool good = true;
    while (good && b->at < s->trail.count) {
        if (b->at == b->level_end) {
            numbers_add(&s->levels, b->level_end);
            b->level_end = s->trail.count;
        }
        good = expand_block(b);
        if (good ? s->save_due : b->stop->kind == STOP_LIMIT) space_save(s, b->at, b->level_end, NULL);
    }
    if (s->trail.count > b->level_end) numbers_add(&s->levels, b->level_end); /* a level that is not complete */
    store_settle(&s->store);
}

void bfs_run(struct space *s, const word *start, const struct bfs_goals *goals, struct stop *stop) {
    struct bfs b;
    *stop = (struct stop){.kind = STOP_DONE};
    bfs_init(&b, s, goals, stop);
    if (begin(&b, start)) explore(&b);
    else store_settle(&s->store);
    bfs_fini(&b);
}

void bfs_resume(struct space *s, uint64_t expanded, uint64_t level_end, const struct bfs_goals *goals,
                struct stop *stop) {
    struct bfs b;
    *stop = (struct stop){.kind = STOP_DONE};
    bfs_init(&b, s, goals, stop);
    b.at = expanded;
    b.level_end = level_end;
    explore(&b);
    bfs_fini(&b);
}
