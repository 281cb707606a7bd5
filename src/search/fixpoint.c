#include "search/fixpoint.h"

#include <stdlib.h>
#include <string.h>

#include "search/edges.h"
#include "search/pile.h"

enum { CHUNKS_EACH = 8 }; /* of a block, for each thread */

/* The work of one thread at a time in the first sweep. */
struct chunk {
    uint64_t first; /* number of the first state */
    uint32_t count;
    word *items, *states, *wanted_states;
    uint64_t *slots;           /* of the states */
    bool *wanted;              /* of these: not marked, so that their successors are of interest */
    uint32_t *begins, *counts; /* of the successors of each state, in `next` */
    uint64_t *keys;            /* of successors, from the file of edges */
    uint64_t *next;            /* slots of successors */
    uint32_t next_count;
    uint64_t room;         /* of `keys` and `next` */
    struct ts_batch batch; /* for expanding again */
    struct ts_batch classes;
    struct stop stop;
};

/* What one thread has found. */
struct share {
    struct pile left;      /* not marked */
    struct pile rest;      /* of these, when the pile is written anew */
    uint64_t marked;       /* in this sweep */
    uint64_t unmarked;     /* in this sweep */
    uint64_t first_number; /* no state with a smaller number is left here */
    bool failed;           /* the pile could not be read */
};

struct sweeper {
    struct fixpoint *f;
    struct space *s;
    struct stop *stop;
    struct share *shares; /* one for each thread */
    bool rewrite;
    uint64_t records; /* in all piles */
    struct chunk *chunks;
    uint32_t chunk_room, chunk_count, chunk_states;
    bool from_file; /* edges are kept, and all of them count */
    struct edges_back back;
    uint64_t at; /* number after the next state of the first sweep */
};

static bool failed(struct sweeper *w, const char *reason) {
    *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

/* ---- What can be marked ---- */

static bool can_be_marked(const struct fixpoint *f, const uint64_t *successors, uint32_t count) {
    bool some = f->kind == FIXPOINT_SOME;
    if (count == 0) return f->terminal_is_target;
    for (uint32_t i = 0; i < count; i++)
        if (bitmap_has(&f->marked, successors[i]) == some) return some;
    return !some;
}

static void mark(struct sweeper *w, uint64_t slot) {
    if (w->s->team.size > 1) bitmap_add_shared(&w->f->marked, slot);
    else bitmap_add(&w->f->marked, slot);
}

/* ---- The first sweep: all states, last first ---- */

static void chunk_init(struct chunk *c, const struct sweeper *w) {
    const struct ts *ts = w->s->ts;
    uint32_t most = w->chunk_states;
    *c = (struct chunk){
        .items = memory_get(most * sizeof(word)), /* only an exact store has slots */
        .states = memory_get(most * ts->words * sizeof(word)),
        .wanted_states = memory_get(most * ts->words * sizeof(word)),
        .slots = memory_get(most * sizeof(uint64_t)),
        .wanted = memory_get(most),
        .begins = memory_get(most * sizeof(uint32_t)),
        .counts = memory_get(most * sizeof(uint32_t)),
        .room = (uint64_t)most * ts->transitions + 1,
    };
    c->classes.classes = memory_get(most);
    c->keys = memory_get(c->room * sizeof(uint64_t));
    c->next = memory_get(c->room * sizeof(uint64_t));
    ts_batch_init(&c->batch, ts, most);
}

static void chunk_fini(struct chunk *c) {
    free(c->items);
    free(c->states);
    free(c->wanted_states);
    free(c->slots);
    free(c->wanted);
    free(c->begins);
    free(c->counts);
    free(c->keys);
    free(c->next);
    free(c->classes.classes);
    ts_batch_fini(&c->batch);
}

/* Marks targets by their class, and counts them. */
static bool mark_targets(struct sweeper *w, unsigned member, struct chunk *c) {
    if (!w->f->target) return true;
    c->classes.sources = c->states;
    c->classes.count = c->count;
    c->classes.wanted = w->f->target;
    uint32_t done = w->s->ts->ops->classify(w->s->members[member].worker, &c->classes);
    if (done < c->count) {
        c->stop = (struct stop){.kind = STOP_FAULT, .state = c->first + done, .fault = c->classes.fault};
        return false;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (c->classes.classes[i] & w->f->target) {
            mark(w, c->slots[i]);
            w->shares[member].marked++;
        }
    return true;
}

/* Removes the successors by excluded transitions. */
static void leave_out(struct ts_batch *batch, uint32_t words, uint32_t done, const bool *excluded) {
    uint32_t left = 0;
    for (uint32_t i = 0, e = 0; i < done; i++) {
        for (; e < batch->ends[i]; e++) {
            if (excluded[batch->labels[e]]) continue;
            memmove(batch->successors + (size_t)left++ * words, batch->successors + (size_t)e * words,
                    words * sizeof(word));
        }
        batch->ends[i] = left;
    }
}

/* The successors of the wanted states, by expanding them again. */
static bool expand_again(struct sweeper *w, unsigned member, struct chunk *c) {
    struct space *s = w->s;
    uint32_t words = s->ts->words, k = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->wanted[i])
            memcpy(c->wanted_states + (size_t)k++ * words, c->states + (size_t)i * words, words * sizeof(word));
    c->batch.sources = c->wanted_states;
    c->batch.count = k;
    c->next_count = 0;
    if (k == 0) return true;
    uint32_t done = s->ts->ops->expand(s->members[member].worker, &c->batch);
    if (w->f->excluded) leave_out(&c->batch, words, done, w->f->excluded);
    k = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!c->wanted[i]) continue;
        if (k == done) {
            c->stop = (struct stop){.kind = STOP_FAULT, .state = c->first + i, .fault = c->batch.fault};
            return false;
        }
        c->begins[i] = k ? c->batch.ends[k - 1] : 0;
        c->counts[i] = c->batch.ends[k++] - c->begins[i];
    }
    c->next_count = c->batch.ends[k - 1];
    store_find(&s->store, &s->members[member].view, c->batch.successors, c->next_count, c->next);
    return true;
}

static bool find_successors(struct sweeper *w, unsigned member, struct chunk *c) {
    if (w->from_file) store_find_keys(&w->s->store, c->keys, c->next_count, c->next);
    else if (!expand_again(w, member, c)) return false;
    for (uint32_t e = 0; e < c->next_count; e++) {
        if (c->next[e] == STORE_NONE) {
            c->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the state space is not complete"};
            return false;
        }
        bitmap_prefetch(&w->f->marked, c->next[e]);
    }
    return true;
}

static void sweep_chunk(void *context, unsigned member, uint32_t task) {
    struct sweeper *w = context;
    struct chunk *c = &w->chunks[task];
    struct share *share = &w->shares[member];
    c->stop = (struct stop){.kind = STOP_DONE};
    store_find_keys(&w->s->store, c->items, c->count, c->slots);
    if (w->f->target || !w->from_file) space_states(w->s, member, c->items, c->count, c->states);
    if (!mark_targets(w, member, c)) return;
    for (uint32_t i = 0; i < c->count; i++) c->wanted[i] = !bitmap_has(&w->f->marked, c->slots[i]);
    if (!find_successors(w, member, c)) return;
    for (uint32_t i = c->count; i-- > 0;) {
        if (!c->wanted[i]) continue;
        const uint64_t *successors = c->next + c->begins[i];
        if (can_be_marked(w->f, successors, c->counts[i])) {
            mark(w, c->slots[i]);
            share->marked++;
        } else {
            pile_add(&share->left, c->slots[i], successors, c->counts[i]);
            if (c->first + i < share->first_number) share->first_number = c->first + i;
        }
    }
}

static bool read_edges(struct sweeper *w, struct chunk *c) {
    c->next_count = 0;
    for (uint32_t i = c->count; i-- > 0;) {
        const uint64_t *keys = edges_back_next(&w->back, &c->counts[i]);
        if (!keys) return failed(w, "the file of edges could not be read back");
        c->begins[i] = c->next_count;
        for (uint32_t k = 0; k < c->counts[i]; k++) c->keys[c->next_count++] = keys[k];
    }
    return true;
}

/* Chunks end at the borders of the trail's parts, so that one part is read at a time. */
static bool read_block(struct sweeper *w) {
    struct trail *trail = &w->s->trail;
    for (w->chunk_count = 0; w->chunk_count < w->chunk_room && w->at > 0; w->chunk_count++) {
        struct chunk *c = &w->chunks[w->chunk_count];
        uint64_t part = (w->at - 1) / trail->part_items * trail->part_items;
        c->first = w->at - part > w->chunk_states ? w->at - w->chunk_states : part;
        const word *items = trail_read(trail, c->first, (uint32_t)(w->at - c->first), &c->count);
        if (!items) return failed(w, "the file of states could not be read back");
        memcpy(c->items, items, c->count * sizeof(word));
        w->at = c->first;
        if (w->from_file && !read_edges(w, c)) return false;
    }
    return true;
}

static bool sweep_block(struct sweeper *w) {
    if (!read_block(w)) return false;
    team_run(&w->s->team, w->chunk_count, sweep_chunk, w);
    for (uint32_t i = 0; i < w->chunk_count; i++)
        if (w->chunks[i].stop.kind != STOP_DONE) {
            *w->stop = w->chunks[i].stop;
            return false;
        }
    if (w->s->save_due) space_save(w->s, w->s->states, w->s->states, &w->f->marked);
    return !space_must_stop(w->s, w->f->phase, w->s->states - w->at, w->s->states, w->stop);
}

static bool first_sweep(struct sweeper *w) {
    bool good = true;
    w->chunk_states = ts_batch_states(w->s->ts);
    w->chunk_room = w->s->team.size > 1 ? CHUNKS_EACH * w->s->team.size : 1;
    w->chunks = memory_get(w->chunk_room * sizeof *w->chunks);
    for (uint32_t i = 0; i < w->chunk_room; i++) chunk_init(&w->chunks[i], w);
    edges_back_init(&w->back, w->s);
    for (w->at = w->s->trail.count; good && w->at > 0;) good = sweep_block(w);
    edges_back_fini(&w->back);
    for (uint32_t i = 0; i < w->chunk_room; i++) chunk_fini(&w->chunks[i]);
    free(w->chunks);
    return good;
}

/* ---- Further sweeps, over what is left ---- */

/* One thread's part of a sweep. */
struct again {
    struct sweeper *w;
    struct share *share;
    unsigned member;
};

static void look_again(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct again *a = context;
    if (can_be_marked(a->w->f, next, count)) {
        mark(a->w, slot);
        a->share->marked++;
    } else {
        if (a->w->rewrite) pile_add(&a->share->rest, slot, next, count);
        a->share->unmarked++;
    }
}

/* Only the caller's thread looks at the clock; the others end when it has seen that they must. */
static bool must_end(void *context) {
    struct again *a = context;
    struct sweeper *w = a->w;
    if (a->member == 0) space_must_stop(w->s, w->f->phase, 0, w->records, w->stop);
    return __atomic_load_n(&w->stop->kind, __ATOMIC_RELAXED) != STOP_DONE;
}

static void sweep_pile(void *context, unsigned member, uint32_t task) {
    struct sweeper *w = context;
    struct again a = {w, &w->shares[task], member};
    a.share->marked = a.share->unmarked = 0;
    if (w->rewrite) pile_init(&a.share->rest, w->s, w->s->team.size);
    a.share->failed = !pile_each(&a.share->left, &w->f->marked, look_again, must_end, &a);
    if (!w->rewrite) return;
    pile_fini(&a.share->left);
    a.share->left = a.share->rest;
}

/* Writes new piles if half of the records of the old ones are no longer needed. */
static bool sweep_again(struct sweeper *w, uint64_t *marked) {
    w->rewrite = w->f->unmarked < w->records / 2;
    team_run(&w->s->team, w->s->team.size, sweep_pile, w);
    *marked = w->f->unmarked = w->records = 0;
    for (unsigned i = 0; i < w->s->team.size; i++) {
        if (w->shares[i].failed) return failed(w, "the file of edges could not be read back");
        *marked += w->shares[i].marked;
        w->f->unmarked += w->shares[i].unmarked;
        w->records += w->shares[i].left.records;
    }
    if (w->s->save_due) space_save(w->s, w->s->states, w->s->states, &w->f->marked);
    return w->stop->kind == STOP_DONE;
}

/* ---- The reversed edges of what is left ---- */

/* States are known by their rank among those that are left. */
struct graph {
    const struct fixpoint *f;
    struct bitmap left;    /* by slot */
    struct bitmap decided; /* by rank */
    struct region starts;  /* uint64_t: where the predecessors of each begin; one more at the end */
    struct region edges;   /* uint32_t: predecessors */
    struct region degrees; /* uint32_t, FIXPOINT_ALL: successors that are not marked yet */
    struct region queue;   /* uint32_t: states that became marked */
    uint64_t queued;
};

#define STARTS(g) ((uint64_t *)(void *)(g)->starts.base)
#define EDGES(g) ((uint32_t *)(void *)(g)->edges.base)
#define DEGREES(g) ((uint32_t *)(void *)(g)->degrees.base)
#define QUEUE(g) ((uint32_t *)(void *)(g)->queue.base)

/* Visits all records that are not marked, one thread. */
static bool each_left(struct sweeper *w, pile_visit *visit, void *context) {
    for (unsigned i = 0; i < w->s->team.size; i++)
        if (!pile_each(&w->shares[i].left, &w->f->marked, visit, NULL, context))
            return failed(w, "the file of edges could not be read back");
    return !space_must_stop(w->s, w->f->phase, 0, w->records, w->stop);
}

static bool region_new(struct region *r, uint64_t bytes) {
    if (!bytes) bytes = 8;
    return region_init(r, bytes) && region_grow(r, bytes);
}

static void graph_fini(struct graph *g) {
    bitmap_fini(&g->left);
    bitmap_fini(&g->decided);
    region_fini(&g->starts);
    region_fini(&g->edges);
    region_fini(&g->degrees);
    region_fini(&g->queue);
}

static void note_left(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    (void)next, (void)count;
    bitmap_add(&g->left, slot);
}

static void count_edges(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    uint64_t from = bitmap_rank(&g->left, slot);
    for (uint32_t i = 0; i < count; i++) {
        if (!bitmap_has(&g->left, next[i])) continue;
        STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++;
        DEGREES(g)[from]++;
    }
}

/* While edges are stored, starts[v + 1] is where the next predecessor of v goes; in the end, where they end. */
static void store_edges(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct graph *g = context;
    uint32_t from = (uint32_t)bitmap_rank(&g->left, slot);
    for (uint32_t i = 0; i < count; i++)
        if (bitmap_has(&g->left, next[i])) EDGES(g)[STARTS(g)[bitmap_rank(&g->left, next[i]) + 1]++] = from;
    if (can_be_marked(g->f, next, count)) {
        QUEUE(g)[g->queued++] = from;
        bitmap_add(&g->decided, from);
    }
}

static bool build_graph(struct sweeper *w, struct graph *g) {
    static const char no_memory[] = "no memory was left for the states that backward search must still decide";
    uint64_t n = w->f->unmarked, total = 0;
    if (!bitmap_init(&g->left, store_slots(&w->s->store)) || !bitmap_init(&g->decided, n) ||
        !region_new(&g->starts, (n + 2) * sizeof(uint64_t)) || !region_new(&g->degrees, n * sizeof(uint32_t)) ||
        !region_new(&g->queue, n * sizeof(uint32_t)))
        return failed(w, no_memory);
    if (!each_left(w, note_left, g)) return false;
    if (!bitmap_count_ranks(&g->left)) return failed(w, no_memory);
    if (!each_left(w, count_edges, g)) return false;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t count = STARTS(g)[v + 1];
        STARTS(g)[v + 1] = total;
        total += count;
    }
    if (!region_new(&g->edges, total * sizeof(uint32_t))) return failed(w, no_memory);
    return each_left(w, store_edges, g);
}

/* Linear-time search along the reversed edges; then marks what it reached. */
static void propagate(struct graph *g, struct bitmap *marked) {
    for (uint64_t i = 0; i < g->queued; i++) {
        uint32_t v = QUEUE(g)[i];
        for (uint64_t e = STARTS(g)[v]; e < STARTS(g)[v + 1]; e++) {
            uint32_t p = EDGES(g)[e];
            if (bitmap_has(&g->decided, p)) continue;
            if (g->f->kind == FIXPOINT_ALL && --DEGREES(g)[p] > 0) continue;
            bitmap_add(&g->decided, p);
            QUEUE(g)[g->queued++] = p;
        }
    }
    uint64_t rank = 0; /* from ranks back to slots */
    for (uint64_t slot = 0; slot < g->left.size; slot++)
        if (bitmap_has(&g->left, slot) && bitmap_has(&g->decided, rank++)) bitmap_add(marked, slot);
}

static bool finish_in_memory(struct sweeper *w) {
    struct graph g = {.f = w->f};
    bool good = build_graph(w, &g);
    if (good) {
        propagate(&g, &w->f->marked);
        w->f->unmarked -= g.queued;
    }
    graph_fini(&g);
    return good;
}

/* Whether the graph of what is left, with as many edges a state as the average, fits well into what memory there is. */
static bool fits(const struct sweeper *w) {
    uint64_t used = memory_resident(), most = w->s->limits.max_memory;
    double edges = (double)w->s->edges / (double)w->s->states;
    return w->f->unmarked < UINT32_MAX && used < most &&
           (double)w->f->unmarked * (20 + 4 * edges) < 0.8 * (double)(most - used);
}

/* The number of the first state that is not marked; there is one, and not before `from`. */
static bool find_first(struct fixpoint *f, struct space *s, uint64_t from, struct stop *stop) {
    struct walk walk;
    bool found = false;
    walk_init(&walk, s, false, from, ts_batch_states(s->ts));
    uint64_t *slots = memory_get(walk.most * sizeof *slots);
    while (!found && walk_next(&walk, stop)) {
        space_find(s, walk.states, walk.count, slots);
        for (uint32_t i = 0; i < walk.count && !found; i++) {
            found = !bitmap_has(&f->marked, slots[i]);
            f->first_unmarked = walk.first + i;
        }
    }
    free(slots);
    walk_fini(&walk);
    return found;
}

static void sum_up(struct sweeper *w, uint64_t *marked) {
    *marked = w->records = 0;
    for (unsigned i = 0; i < w->s->team.size; i++) {
        *marked += w->shares[i].marked;
        w->records += w->shares[i].left.records;
    }
    w->f->unmarked = w->records;
}

bool fixpoint_run(struct fixpoint *f, struct space *s, struct stop *stop) {
    struct sweeper w = {.f = f, .s = s, .stop = stop, .from_file = s->edges_kept && !f->excluded};
    uint64_t marked = 0;
    *stop = (struct stop){.kind = STOP_DONE};
    w.shares = memory_get_zeroed(s->team.size * sizeof *w.shares);
    for (unsigned i = 0; i < s->team.size; i++) {
        pile_init(&w.shares[i].left, s, s->team.size);
        w.shares[i].first_number = UINT64_MAX;
    }
    bool good = f->marked.bits.base || bitmap_init(&f->marked, store_slots(&s->store)) ||
                failed(&w, "no memory was left for backward search");
    good = good && first_sweep(&w);
    sum_up(&w, &marked);
    while (good && f->unmarked > 0 && marked > 0) {
        good = sweep_again(&w, &marked);
        if (good && marked > 0 && marked < f->unmarked / 16 && fits(&w)) {
            good = finish_in_memory(&w);
            break;
        }
    }
    uint64_t from = UINT64_MAX;
    for (unsigned i = 0; i < s->team.size; i++)
        if (w.shares[i].first_number < from) from = w.shares[i].first_number;
    if (!good && stop->kind == STOP_LIMIT && f->marked.bits.base) space_save(s, s->states, s->states, &f->marked);
    good = good && (f->unmarked == 0 || find_first(f, s, from, stop));
    for (unsigned i = 0; i < s->team.size; i++) pile_fini(&w.shares[i].left);
    free(w.shares);
    return good;
}

bool fixpoint_renumber(struct fixpoint *f, struct space *s, struct stop *stop) {
    *stop = (struct stop){.kind = STOP_DONE};
    return f->unmarked == 0 || find_first(f, s, 0, stop);
}

void fixpoint_fini(struct fixpoint *f) { bitmap_fini(&f->marked); }

bool fixpoint_unmarked(const void *fixpoint, uint64_t slot) {
    return !bitmap_has(&((const struct fixpoint *)fixpoint)->marked, slot);
}
