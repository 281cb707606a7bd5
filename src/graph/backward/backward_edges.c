#include "graph/backward/backward_edges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/backward/backward_rest.h"
#include "ts/valuation.h"

enum {
    PIECE = 4096, /* states: the work of one thread at a time. Since it is a multiple of 64, no two write in one word */
    PIECES_EACH = 16,
    ENOUGH_SWEEPS = 16, /* take about as long as to reverse the edges */
    DENSE = 40,         /* of 64 states: see sweep_word */
};

struct work {
    struct fixpoint *f;
    struct space *s;
    struct stop *stop;
    struct bitmap marked; /* by number */
    uint64_t begin, end;  /* states of this block, in pieces */
    word *items;          /* the states, if they are needed */
    struct helper {
        word *states;
        struct ts_batch classes;
        uint64_t left;    /* not marked in this sweep */
        struct stop stop; /* the first fault */
    } * helpers;          /* one for each thread */
};

static uint64_t *word_of(const struct work *w, uint64_t number) {
    return (uint64_t *)(void *)w->marked.bits.base + number / 64;
}

/* The states of a piece: from the first of the block up. */
static uint64_t piece_begin(const struct work *w, uint32_t task) { return w->begin + (uint64_t)task * PIECE; }
static uint64_t piece_end(const struct work *w, uint32_t task) {
    return w->end - piece_begin(w, task) < PIECE ? w->end : piece_begin(w, task) + PIECE;
}

/* Runs a task on all pieces of all states, a block of so many at a time. `backward`: the last block first. */
static bool each_piece(struct work *w, uint64_t block, bool backward, bool (*prepare)(struct work *w),
                       team_task *task) {
    uint64_t all = w->s->states, done = 0;
    assert(block > 0);
    assert(block % PIECE == 0 && PIECE % 64 == 0); /* so that no two threads write in one word */
    for (uint64_t blocks = (all + block - 1) / block, i = 0; i < blocks; i++) {
        w->begin = (backward ? blocks - 1 - i : i) * block;
        w->end = all - w->begin < block ? all : w->begin + block;
        if (prepare && !prepare(w)) return false;
        team_run(&w->s->team, (uint32_t)((w->end - w->begin + PIECE - 1) / PIECE), task, w);
        for (unsigned k = 0; k < w->s->team.size; k++)
            if (w->helpers[k].stop.kind != STOP_DONE &&
                (w->stop->kind == STOP_DONE || w->helpers[k].stop.state < w->stop->state))
                *w->stop = w->helpers[k].stop;
        if (w->stop->kind != STOP_DONE) return false;
        done += w->end - w->begin;
        if (w->s->save_due) space_save(w->s, all, all, NULL); /* marks are quickly made again */
        if (space_must_stop(w->s, w->f->phase, done, all, w->stop)) return false;
    }
    return true;
}

/* ---- Targets ---- */

static bool read_items(struct work *w) {
    for (uint64_t at = w->begin; at < w->end;) {
        uint32_t count;
        const word *items = trail_read(&w->s->trail, at, (uint32_t)(w->end - at), &count);
        if (!items) {
            *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            return false;
        }
        memcpy(w->items + (at - w->begin), items, count * sizeof *items);
        at += count;
    }
    return true;
}

/* A batch of states, from `first` on. */
static bool mark_classes(struct work *w, unsigned member, uint64_t first, uint32_t count) {
    struct helper *h = &w->helpers[member];
    space_states(w->s, member, w->items + (first - w->begin), count, h->states);
    h->classes.sources = h->states;
    h->classes.count = count;
    h->classes.wanted = w->f->target;
    uint32_t done = valuation_classify(w->s->ts, w->s->members[member].worker, &h->classes);
    for (uint32_t i = 0; i < done; i++)
        if (h->classes.classes[i] & w->f->target) bitmap_add(&w->marked, first + i);
    if (done == count) return true;
    if (h->stop.kind == STOP_DONE || first + done < h->stop.state)
        h->stop = (struct stop){.kind = STOP_FAULT, .state = first + done, .fault = h->classes.fault};
    return false;
}

static void mark_targets(void *context, unsigned member, uint32_t task) {
    struct work *w = context;
    uint32_t most = w->helpers[member].classes.capacity;
    for (uint64_t at = piece_begin(w, task), end = piece_end(w, task); at < end; at += most)
        if (!mark_classes(w, member, at, end - at < most ? (uint32_t)(end - at) : most)) return;
}

static bool find_targets(struct work *w) {
    const struct ts *ts = w->s->ts;
    if (!w->f->target) return true;
    uint64_t block = (uint64_t)PIECE * w->s->team.size; /* model code may be slow, and is not interrupted by limits */
    w->items = memory_get(block * sizeof(word));
    for (unsigned i = 0; i < w->s->team.size; i++) {
        uint32_t most = ts_batch_states(ts);
        w->helpers[i].states = memory_get((size_t)most * ts->words * sizeof(word));
        w->helpers[i].classes = (struct ts_batch){.capacity = most, .classes = memory_get(most)};
    }
    bool good = each_piece(w, block, false, read_items, mark_targets);
    for (unsigned i = 0; i < w->s->team.size; i++) {
        free(w->helpers[i].states);
        free(w->helpers[i].classes.classes);
    }
    free(w->items);
    return good;
}

/* ---- Sweeps ---- */

#define INLINE static inline __attribute__((always_inline))

/* Whether the marks of successors are enough to mark a state that has n > 0 of them. One or two are the same case. */
INLINE uint64_t enough(const struct work *w, bool some, const uint32_t *targets, uint32_t n) {
    uint64_t first = bitmap_has(&w->marked, targets[0]), last = bitmap_has(&w->marked, targets[n - 1]);
    uint64_t found = some ? first | last : first & last;
    for (uint32_t i = 1; i + 1 < n; i++) {
        uint64_t has = bitmap_has(&w->marked, targets[i]);
        found = some ? found | has : found & has;
    }
    return found;
}

/* Up to 64 states, from `first` on. Returns which of them are marked. `some` and `dense` are constants where it
 * matters. `dense`: most are not marked yet, and to look at the others too is quicker than to leave them out. */
INLINE uint64_t sweep_word(const struct work *w, bool some, bool dense, uint64_t first, unsigned count) {
    const struct edges *e = &w->s->edge_list;
    const uint16_t *counts = EDGES_COUNTS(e) + first;
    uint64_t *word = word_of(w, first), known = __atomic_load_n(word, __ATOMIC_RELAXED);
    const uint32_t *targets =
        EDGES_TARGETS(e) + (first + count == e->states ? e->count : EDGES_STARTS(e)[first / 64 + 1]);
    for (unsigned i = count; i-- > 0;) {
        uint32_t n = counts[i];
        targets -= n;
        if (!dense && known >> i & 1) continue;
        known |= (n ? enough(w, some, targets, n) : w->f->terminal_is_target) << i;
        __atomic_store_n(word, known, __ATOMIC_RELAXED); /* others read it, but only we write here */
    }
    assert(targets == EDGES_TARGETS(e) + EDGES_STARTS(e)[first / 64]); /* counts and starts agree */
    return known;
}

static unsigned number_of(uint64_t set) { return (unsigned)__builtin_popcountll(set); }

INLINE uint64_t sweep_piece(const struct work *w, bool some, uint64_t begin, uint64_t end) {
    uint64_t left = 0;
    for (uint64_t first = (end - 1) / 64 * 64;; first -= 64) {
        unsigned count = end - first < 64 ? (unsigned)(end - first) : 64;
        uint64_t all = ~UINT64_C(0) >> (64 - count), known = *word_of(w, first) & all;
        if (known != all) {
            known = number_of(~known & all) >= DENSE ? sweep_word(w, some, true, first, count)
                                                     : sweep_word(w, some, false, first, count);
            left += number_of(~known & all);
        }
        if (first == begin) return left;
    }
}

/* The last piece first. */
static void sweep(void *context, unsigned member, uint32_t task) {
    struct work *w = context;
    uint32_t last = (uint32_t)((w->end - w->begin - 1) / PIECE);
    uint64_t begin = piece_begin(w, last - task), end = piece_end(w, last - task);
    w->helpers[member].left +=
        w->f->kind == BACKWARD_SOME ? sweep_piece(w, true, begin, end) : sweep_piece(w, false, begin, end);
}

static bool sweep_all(struct work *w) {
    for (unsigned i = 0; i < w->s->team.size; i++) w->helpers[i].left = 0;
    if (!each_piece(w, (uint64_t)PIECE * PIECES_EACH * w->s->team.size, true, NULL, sweep)) return false;
    w->f->unmarked = 0;
    for (unsigned i = 0; i < w->s->team.size; i++) w->f->unmarked += w->helpers[i].left;
    return true;
}

/* ---- The rest ---- */

static bool each_left(void *source, pile_visit *visit, void *context) {
    struct work *w = source;
    const struct edges *e = &w->s->edge_list;
    const uint32_t *targets = EDGES_TARGETS(e);
    uint64_t *next = memory_get((w->s->ts->transitions + 1) * sizeof *next);
    for (uint64_t i = 0; i < e->states; targets += EDGES_COUNTS(e)[i++]) {
        if (bitmap_has(&w->marked, i)) continue;
        for (uint32_t k = 0; k < EDGES_COUNTS(e)[i]; k++) next[k] = targets[k];
        visit(context, i, next, EDGES_COUNTS(e)[i]);
    }
    free(next);
    return !space_must_stop(w->s, w->f->phase, 0, w->f->unmarked, w->stop);
}

static bool finish_in_memory(struct work *w) {
    struct undecided u = {w->f, &w->marked, w->s->states, w->f->unmarked, each_left, w};
    bool good = undecided_finish(&u, w->stop);
    w->f->unmarked = u.count;
    return good;
}

static bool sweep_until_done(struct work *w) {
    uint64_t before = w->s->states;
    for (unsigned sweeps = 1; sweep_all(w); sweeps++, before = w->f->unmarked) {
        assert(w->f->unmarked <= before); /* no mark is taken back */
        uint64_t marked = before - w->f->unmarked;
        if (w->f->unmarked == 0 || marked == 0) return true;
        bool slow = sweeps >= ENOUGH_SWEEPS && marked < w->f->unmarked / 16;
        if (slow && undecided_fits(w->s, w->f->unmarked)) return finish_in_memory(w);
    }
    return false;
}

/* Marks by slot, for those who ask further; and the first state that has none. */
static bool hand_over(struct work *w) {
    struct fixpoint *f = w->f;
    struct walk walk;
    if (f->unmarked == 0) return true;
    for (f->first_unmarked = 0; bitmap_has(&w->marked, f->first_unmarked); f->first_unmarked++) {}
    assert(f->first_unmarked < w->s->states);
    if (!bitmap_init(&f->marked, store_slots(&w->s->store))) {
        *w->stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for backward search"};
        return false;
    }
    walk_init(&walk, w->s, false, 0, ts_batch_states(w->s->ts));
    uint64_t *slots = memory_get(walk.most * sizeof *slots);
    while (walk_next(&walk, w->stop)) {
        space_find(w->s, walk.states, walk.count, slots);
        for (uint32_t i = 0; i < walk.count; i++)
            if (bitmap_has(&w->marked, walk.first + i)) bitmap_add(&f->marked, slots[i]);
        if (space_interrupted(w->s, f->phase, walk.at, w->s->states, w->stop)) break;
    }
    free(slots);
    return walk_fini(&walk);
}

bool numbered_run(struct fixpoint *f, struct space *s, struct stop *stop) {
    struct work w = {.f = f, .s = s, .stop = stop};
    *stop = (struct stop){.kind = STOP_DONE};
    assert(s->edge_list.settled && s->edge_list.states == s->states);
    f->unmarked = s->states;
    w.helpers = memory_get_zeroed(s->team.size * sizeof *w.helpers);
    bool good = bitmap_init(&w.marked, s->states);
    if (!good) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for backward search"};
    good = good && find_targets(&w) && sweep_until_done(&w) && hand_over(&w);
    if (!good && stop->kind == STOP_LIMIT) space_save(s, s->states, s->states, NULL);
    bitmap_fini(&w.marked);
    free(w.helpers);
    return good;
}
