#include "graph/backward.h"

#include <stdlib.h>
#include <string.h>

#include "graph/backward_edges.h"
#include "graph/backward_pile.h"
#include "graph/backward_rest.h"

enum { CHUNKS_EACH = 8 }; /* of a block, for each thread */

/* The work of one thread at a time in the first sweep. */
struct chunk {
    uint64_t first; /* number of the first state */
    uint32_t count;
    word *items, *states, *wanted_states;
    uint64_t *slots;           /* of the states */
    bool *wanted;              /* of these: not marked, so that their successors are of interest */
    uint32_t *begins, *counts; /* of the successors of each state, in `next` */
    uint64_t *next;            /* slots of successors */
    uint32_t next_count;
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
    uint64_t at; /* number after the next state of the first sweep */
};

static bool failed(struct sweeper *w, const char *reason) {
    *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

/* ---- What can be marked ---- */

static bool can_be_marked(const struct fixpoint *f, const uint64_t *successors, uint32_t count) {
    return undecided_can_mark(f, &f->marked, successors, count);
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
        .items = memory_get(most * space_item_words(w->s) * sizeof(word)),
        .states = memory_get(most * ts->words * sizeof(word)),
        .wanted_states = memory_get(most * ts->words * sizeof(word)),
        .slots = memory_get(most * sizeof(uint64_t)),
        .wanted = memory_get(most),
        .begins = memory_get(most * sizeof(uint32_t)),
        .counts = memory_get(most * sizeof(uint32_t)),
        .next = memory_get(((uint64_t)most * ts->transitions + 1) * sizeof(uint64_t)),
    };
    c->classes.classes = memory_get(most);
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
    if (!expand_again(w, member, c)) return false;
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
    const struct store *store = &w->s->store;
    c->stop = (struct stop){.kind = STOP_DONE};
    space_states(w->s, member, c->items, c->count, c->states);
    if (store_gives_back(store)) store_find_keys(store, c->items, c->count, c->slots);
    else store_find(store, &w->s->members[member].view, c->states, c->count, c->slots);
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

/* Chunks end at the borders of the trail's parts, so that one part is read at a time. */
static bool read_block(struct sweeper *w) {
    struct trail *trail = &w->s->trail;
    for (w->chunk_count = 0; w->chunk_count < w->chunk_room && w->at > 0; w->chunk_count++) {
        struct chunk *c = &w->chunks[w->chunk_count];
        uint64_t part = (w->at - 1) / trail->part_items * trail->part_items;
        c->first = w->at - part > w->chunk_states ? w->at - w->chunk_states : part;
        const word *items = trail_read(trail, c->first, (uint32_t)(w->at - c->first), &c->count);
        if (!items) return failed(w, "the file of states could not be read back");
        memcpy(c->items, items, (size_t)c->count * trail->item_bytes);
        w->at = c->first;
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
    for (w->at = w->s->trail.count; good && w->at > 0;) good = sweep_block(w);
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

/* Visits all records that are not marked, one thread. */
static bool each_left(void *source, pile_visit *visit, void *context) {
    struct sweeper *w = source;
    for (unsigned i = 0; i < w->s->team.size; i++)
        if (!pile_each(&w->shares[i].left, &w->f->marked, visit, NULL, context))
            return failed(w, "the file of edges could not be read back");
    return !space_must_stop(w->s, w->f->phase, 0, w->records, w->stop);
}

static bool finish_in_memory(struct sweeper *w) {
    struct undecided u = {w->f, &w->f->marked, store_slots(&w->s->store), w->f->unmarked, each_left, w};
    bool good = undecided_finish(&u, w->stop);
    w->f->unmarked = u.count;
    return good;
}

/* The number of the first state that is not marked; there is one, and not before `from`. False: *stop says why it was
 * not found. */
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
        if (!found && space_interrupted(s, f->phase, walk.at, s->states, stop)) break;
    }
    free(slots);
    if (!walk_fini(&walk)) return false;
    if (!found) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the marks of a backward search were lost"};
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
    struct sweeper w = {.f = f, .s = s, .stop = stop};
    uint64_t marked = 0;
    *stop = (struct stop){.kind = STOP_DONE};
    /* Kept edges have no labels, and go with marks by number, not by slot. */
    if (s->edges_kept && !f->excluded && !f->marked.bits.base) {
        enum edges_settled edges = edges_settle(s, stop);
        if (edges == EDGES_STOPPED) return space_save(s, s->states, s->states, NULL), false;
        if (edges == EDGES_SETTLED) return numbered_run(f, s, stop);
    }
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
        if (good && marked > 0 && marked < f->unmarked / 16 && undecided_fits(s, f->unmarked)) {
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

bool fixpoint_unmarked(const void *fixpoint, const word *state, uint64_t slot) {
    (void)state;
    const struct fixpoint *f = fixpoint;
    return f->unmarked > 0 && !bitmap_has(&f->marked, slot);
}
