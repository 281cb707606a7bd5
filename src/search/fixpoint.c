#include "search/fixpoint.h"

#include <stdlib.h>
#include <string.h>

struct sweeper {
    struct fixpoint *f;
    struct space *s;
    struct stop *stop;
    struct ts_batch batch;
    word *sources;        /* the unmarked states of the batch, close together */
    uint64_t *numbers;    /* of these: their numbers */
    uint64_t *slots;      /* of these: their slots */
    uint64_t *all_slots;  /* of all states of the walk's batch */
    uint64_t *successors; /* slots of the successors */
    /* The graph of what is left: states are known by their rank among the unmarked. */
    struct bitmap left;
    struct region starts;   /* uint64_t: where the predecessors of each begin; one more at the end */
    struct region edges;    /* uint32_t: predecessors */
    struct region degrees;  /* uint32_t, FIXPOINT_ALL: successors that are not marked yet */
    struct region queue;    /* uint32_t: states that became marked */
    uint64_t queued;
};

static void sweeper_init(struct sweeper *w, struct fixpoint *f, struct space *s, struct stop *stop) {
    uint32_t states = ts_batch_states(s->ts);
    *w = (struct sweeper){.f = f, .s = s, .stop = stop};
    ts_batch_init(&w->batch, s->ts, states);
    w->sources = memory_get((size_t)states * s->ts->words * sizeof(word));
    w->numbers = memory_get(states * sizeof(uint64_t));
    w->slots = memory_get(states * sizeof(uint64_t));
    w->all_slots = memory_get(states * sizeof(uint64_t));
    w->successors = memory_get((size_t)states * s->ts->transitions * sizeof(uint64_t));
}

static void sweeper_fini(struct sweeper *w) {
    ts_batch_fini(&w->batch);
    free(w->sources);
    free(w->numbers);
    free(w->slots);
    free(w->all_slots);
    free(w->successors);
    bitmap_fini(&w->left);
    region_fini(&w->starts);
    region_fini(&w->edges);
    region_fini(&w->degrees);
    region_fini(&w->queue);
}

static bool failed(struct sweeper *w, const char *reason) {
    *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static bool faulted(struct sweeper *w, uint32_t done) {
    *w->stop = (struct stop){.kind = STOP_FAULT, .state = w->numbers[done], .fault = w->batch.fault};
    return false;
}

/* ---- A batch of unmarked states ---- */

/* Collects the unmarked states of the walk's batch. */
static uint32_t select_unmarked(struct sweeper *w, const struct walk *walk) {
    uint32_t words = w->s->ts->words, n = 0;
    table_find(&w->s->table, walk->states, walk->count, w->all_slots);
    for (uint32_t i = 0; i < walk->count; i++) {
        if (bitmap_has(&w->f->marked, w->all_slots[i])) continue;
        memcpy(w->sources + (size_t)n * words, walk->states + (size_t)i * words, words * sizeof(word));
        w->numbers[n] = walk->first + i;
        w->slots[n++] = w->all_slots[i];
    }
    w->batch.sources = w->sources;
    return w->batch.count = n;
}

/* Marks targets by their class, and leaves the others in the batch. */
static bool mark_targets(struct sweeper *w) {
    uint32_t words = w->s->ts->words, n = 0, count = w->batch.count;
    if (!w->f->target || !count) return true;
    w->batch.wanted = w->f->target;
    uint32_t done = w->s->ts->ops->classify(w->s->worker, &w->batch);
    if (done < count) return faulted(w, done);
    for (uint32_t i = 0; i < count; i++) {
        if (w->batch.classes[i] & w->f->target) {
            bitmap_add(&w->f->marked, w->slots[i]);
            continue;
        }
        if (n < i) memcpy(w->sources + (size_t)n * words, w->sources + (size_t)i * words, words * sizeof(word));
        w->numbers[n] = w->numbers[i];
        w->slots[n++] = w->slots[i];
    }
    w->batch.count = n;
    return true;
}

/* Expands the batch and finds the successors' slots. */
static bool expand(struct sweeper *w) {
    if (!w->batch.count) return true;
    uint32_t done = w->s->ts->ops->expand(w->s->worker, &w->batch);
    if (done < w->batch.count) return faulted(w, done);
    uint32_t edges = w->batch.ends[done - 1];
    table_find(&w->s->table, w->batch.successors, edges, w->successors);
    for (uint32_t e = 0; e < edges; e++) {
        if (w->successors[e] == TABLE_NONE) return failed(w, "the state space is not complete");
        bitmap_prefetch(&w->f->marked, w->successors[e]);
    }
    return true;
}

static bool can_be_marked(const struct sweeper *w, uint32_t i) {
    uint32_t begin = i ? w->batch.ends[i - 1] : 0, end = w->batch.ends[i];
    bool some = w->f->kind == FIXPOINT_SOME;
    if (begin == end) return w->f->terminal_is_target;
    for (uint32_t e = begin; e < end; e++)
        if (bitmap_has(&w->f->marked, w->successors[e]) == some) return some;
    return !some;
}

/* ---- Sweeps ---- */

/* One pass over all states, last first. *marked: how many were marked in it by their successors. */
static bool sweep(struct sweeper *w, bool first, uint64_t *marked, uint64_t *unmarked) {
    struct walk walk;
    bool good = true;
    *marked = *unmarked = 0;
    walk_init(&walk, w->s, true, 0, w->batch.capacity);
    while (good && walk_next(&walk, w->stop)) {
        select_unmarked(w, &walk);
        good = (!first || mark_targets(w)) && expand(w);
        for (uint32_t i = w->batch.count; good && i-- > 0;) {
            if (can_be_marked(w, i)) {
                bitmap_add(&w->f->marked, w->slots[i]);
                ++*marked;
            } else {
                ++*unmarked;
                w->f->first_unmarked = w->numbers[i];
            }
        }
        good = good && !space_must_stop(w->s, w->f->phase, w->s->states - walk.at, w->s->states, w->stop);
    }
    walk_fini(&walk);
    return good && w->stop->kind == STOP_DONE;
}

/* ---- The graph of what is left ---- */

#define STARTS(w) ((uint64_t *)(void *)(w)->starts.base)
#define EDGES(w) ((uint32_t *)(void *)(w)->edges.base)
#define DEGREES(w) ((uint32_t *)(void *)(w)->degrees.base)
#define QUEUE(w) ((uint32_t *)(void *)(w)->queue.base)

static const char no_memory[] = "no memory was left for the states that backward search must still decide";

static bool region_new(struct region *r, uint64_t bytes) {
    if (!bytes) bytes = 8;
    return region_init(r, bytes) && region_grow(r, bytes);
}

/* Visits the unmarked states in batches, each expanded. */
static bool each_left(struct sweeper *w, void (*visit)(struct sweeper *w, uint32_t i)) {
    struct walk walk;
    bool good = true;
    walk_init(&walk, w->s, false, w->f->first_unmarked, w->batch.capacity);
    while (good && walk_next(&walk, w->stop)) {
        select_unmarked(w, &walk);
        good = expand(w);
        for (uint32_t i = 0; good && i < w->batch.count; i++) visit(w, i);
        good = good && !space_must_stop(w->s, w->f->phase, walk.at, w->s->states, w->stop);
    }
    walk_fini(&walk);
    return good && w->stop->kind == STOP_DONE;
}

static void note_left(struct sweeper *w, uint32_t i) { bitmap_add(&w->left, w->slots[i]); }

/* Calls `edge(w, source rank, target rank)` for the edges of source i between unmarked states; returns whether the
 * source can be marked at once. */
static bool visit_edges(struct sweeper *w, uint32_t i, void (*edge)(struct sweeper *w, uint32_t from, uint32_t to)) {
    uint32_t begin = i ? w->batch.ends[i - 1] : 0, from = (uint32_t)bitmap_rank(&w->left, w->slots[i]);
    for (uint32_t e = begin; e < w->batch.ends[i]; e++)
        if (bitmap_has(&w->left, w->successors[e])) edge(w, from, (uint32_t)bitmap_rank(&w->left, w->successors[e]));
    return can_be_marked(w, i);
}

static void count_edge(struct sweeper *w, uint32_t from, uint32_t to) {
    STARTS(w)[to + 1]++;
    DEGREES(w)[from]++;
}
static void count_edges(struct sweeper *w, uint32_t i) { visit_edges(w, i, count_edge); }

/* While edges are stored, starts[v + 1] is where the next predecessor of v goes; in the end, where they end. */
static void store_edge(struct sweeper *w, uint32_t from, uint32_t to) { EDGES(w)[STARTS(w)[to + 1]++] = from; }
static void store_edges(struct sweeper *w, uint32_t i) {
    if (visit_edges(w, i, store_edge)) QUEUE(w)[w->queued++] = (uint32_t)bitmap_rank(&w->left, w->slots[i]);
}

/* Stores the reversed edges among the n unmarked states. */
static bool build_graph(struct sweeper *w, uint64_t n) {
    if (!bitmap_init(&w->left, w->s->table.slots) || !each_left(w, note_left) || !bitmap_count_ranks(&w->left) ||
        !region_new(&w->starts, (n + 2) * sizeof(uint64_t)) || !region_new(&w->degrees, n * sizeof(uint32_t)) ||
        !region_new(&w->queue, n * sizeof(uint32_t)))
        return w->stop->kind != STOP_DONE ? false : failed(w, no_memory);
    if (!each_left(w, count_edges)) return false;
    uint64_t total = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t count = STARTS(w)[v + 1];
        STARTS(w)[v + 1] = total;
        total += count;
    }
    if (!region_new(&w->edges, total * sizeof(uint32_t))) return failed(w, no_memory);
    return each_left(w, store_edges);
}

/* Linear-time search along the reversed edges; then marks what it reached. */
static bool propagate(struct sweeper *w, uint64_t n) {
    struct bitmap decided; /* by rank: was in the queue */
    if (!bitmap_init(&decided, n)) return failed(w, no_memory);
    for (uint64_t i = 0; i < w->queued; i++) bitmap_add(&decided, QUEUE(w)[i]);
    for (uint64_t i = 0; i < w->queued; i++) {
        uint32_t v = QUEUE(w)[i];
        for (uint64_t e = STARTS(w)[v]; e < STARTS(w)[v + 1]; e++) {
            uint32_t p = EDGES(w)[e];
            if (bitmap_has(&decided, p)) continue;
            if (w->f->kind == FIXPOINT_ALL && --DEGREES(w)[p] > 0) continue;
            bitmap_add(&decided, p);
            QUEUE(w)[w->queued++] = p;
        }
    }
    /* From ranks back to slots. */
    uint64_t rank = 0;
    for (uint64_t slot = 0; slot < w->left.size; slot++)
        if (bitmap_has(&w->left, slot) && bitmap_has(&decided, rank++)) bitmap_add(&w->f->marked, slot);
    bitmap_fini(&decided);
    return true;
}

static bool finish_in_memory(struct sweeper *w, uint64_t n) {
    uint64_t marked;
    if (!build_graph(w, n) || !propagate(w, n)) return false;
    /* The last sweep finds the first state that stays unmarked. */
    return sweep(w, false, &marked, &w->f->unmarked);
}

/* Whether the graph of n states, with as many edges each as the average, fits well into what memory is left. */
static bool fits(const struct sweeper *w, uint64_t n) {
    uint64_t used = memory_resident(), most = w->s->limits.max_memory;
    double edges = (double)w->s->edges / (double)w->s->states;
    return n < UINT32_MAX && used < most && (double)n * (20 + 4 * edges) < 0.8 * (double)(most - used);
}

bool fixpoint_run(struct fixpoint *f, struct space *s, struct stop *stop) {
    struct sweeper w;
    uint64_t marked;
    bool good = bitmap_init(&f->marked, s->table.slots);
    *stop = (struct stop){.kind = STOP_DONE};
    sweeper_init(&w, f, s, stop);
    if (!good) failed(&w, "no memory was left for backward search");
    good = good && sweep(&w, true, &marked, &f->unmarked);
    for (unsigned sweeps = 1; good && f->unmarked > 0 && marked > 0; sweeps++) {
        if (sweeps >= 2 && fits(&w, f->unmarked)) {
            good = finish_in_memory(&w, f->unmarked);
            break;
        }
        good = sweep(&w, false, &marked, &f->unmarked);
    }
    sweeper_fini(&w);
    return good;
}

void fixpoint_fini(struct fixpoint *f) { bitmap_fini(&f->marked); }

bool fixpoint_unmarked(const void *fixpoint, uint64_t slot) {
    return !bitmap_has(&((const struct fixpoint *)fixpoint)->marked, slot);
}
