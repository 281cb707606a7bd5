#include "graph/backward/backward.h"

#include <assert.h>
#include <stdlib.h>

#include "graph/backward/backward_edges.h"
#include "graph/backward/backward_pile.h"
#include "graph/backward/backward_rest.h"
#include "graph/sweep.h"

/* What one thread has found. */
struct share {
    struct pile left;      /* not marked */
    struct pile rest;      /* of these, when the pile is written anew */
    uint64_t marked;       /* in this sweep */
    uint64_t unmarked;     /* in this sweep */
    uint64_t first_number; /* no state with a smaller number is left here */
    bool failed;           /* the pile could not be read */
    uint64_t *next;        /* successors that are not by excluded transitions */
};

struct sweeper {
    struct fixpoint *f;
    struct space *s;
    struct stop *stop;
    struct share *shares; /* one for each thread */
    bool rewrite;
    uint64_t records; /* in all piles */
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

/* Marks a target, and counts it. True: the state is no target, and not marked otherwise. */
static bool is_undecided(void *context, unsigned member, const struct sweep_state *x) {
    struct sweeper *w = context;
    if (x->classes & w->f->target) {
        mark(w, x->slot);
        w->shares[member].marked++;
        return false;
    }
    return !bitmap_has(&w->f->marked, x->slot);
}

/* The successors of state i by transitions that are not excluded. Returns how many. */
static uint32_t leave_out(const struct sweeper *w, const struct sweep_batch *x, uint32_t i, uint64_t *next) {
    uint32_t n = 0;
    for (uint32_t e = sweep_begin(x, i); e < sweep_end(x, i); e++)
        if (!w->f->excluded[x->edges->labels[e]]) next[n++] = x->to[e];
    return n;
}

static void decide(void *context, unsigned member, const struct sweep_batch *x) {
    struct sweeper *w = context;
    struct share *share = &w->shares[member];
    for (uint32_t e = 0; e < sweep_begin(x, x->count); e++) bitmap_prefetch(&w->f->marked, x->to[e]);
    for (uint32_t i = 0; i < x->count; i++) {
        assert(x->slots[i] < store_slots(&w->s->store));
        const uint64_t *next = w->f->excluded ? share->next : x->to + sweep_begin(x, i);
        uint32_t count = w->f->excluded ? leave_out(w, x, i, share->next) : sweep_end(x, i) - sweep_begin(x, i);
        if (can_be_marked(w->f, next, count)) {
            mark(w, x->slots[i]);
            share->marked++;
        } else {
            pile_add(&share->left, x->slots[i], next, count);
            if (x->numbers[i] < share->first_number) share->first_number = x->numbers[i];
        }
    }
}

static bool first_sweep(struct sweeper *w) {
    struct space *s = w->s;
    struct sweep all = {.s = s,
                        .phase = w->f->phase,
                        .context = w,
                        .need = SWEEP_SLOTS | SWEEP_EDGES | (w->f->excluded ? SWEEP_LABELS : 0u),
                        .classes = w->f->target,
                        .to = SWEEP_TO_SLOTS,
                        .backward = true,
                        .suits = is_undecided,
                        .take = decide};
    enum sweep_end end;
    sweep_init(&all);
    while ((end = sweep_next(&all, w->stop)) == SWEEP_MORE)
        if (s->save_due) space_save(s, s->states, s->states, &w->f->marked);
    sweep_fini(&all);
    return end == SWEEP_OVER;
}

/* ---- Further sweeps, over what is left ---- */

/* One thread's part of a sweep. */
struct look {
    struct sweeper *w;
    struct share *share;
    unsigned member;
};

static void look(void *context, uint64_t slot, const uint64_t *next, uint32_t count) {
    struct look *a = context;
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
    struct look *a = context;
    struct sweeper *w = a->w;
    if (a->member == 0) space_must_stop(w->s, w->f->phase, 0, w->records, w->stop);
    return __atomic_load_n(&w->stop->kind, __ATOMIC_RELAXED) != STOP_DONE;
}

static void sweep_pile(void *context, unsigned member, uint32_t task) {
    struct sweeper *w = context;
    struct look a = {w, &w->shares[task], member};
    a.share->marked = a.share->unmarked = 0;
    if (w->rewrite) pile_init(&a.share->rest, w->s, w->s->team.size);
    a.share->failed = !pile_each(&a.share->left, &w->f->marked, look, must_end, &a);
    if (!w->rewrite) return;
    pile_fini(&a.share->left);
    a.share->left = a.share->rest;
}

/* Writes new piles if half of the records of the old ones are no longer needed. */
static bool look_at_piles(struct sweeper *w, uint64_t *marked) {
    assert(w->f->unmarked <= w->records); /* whoever is not marked has a record */
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
    assert(!f->marked.bits.base || f->marked.size == store_slots(&s->store));
    w.shares = memory_get_zeroed(s->team.size * sizeof *w.shares);
    for (unsigned i = 0; i < s->team.size; i++) {
        pile_init(&w.shares[i].left, s, s->team.size);
        w.shares[i].first_number = UINT64_MAX;
        if (f->excluded) w.shares[i].next = memory_get(s->ts->transitions * sizeof(uint64_t));
    }
    bool good = f->marked.bits.base || bitmap_init(&f->marked, store_slots(&s->store)) ||
                failed(&w, "no memory was left for backward search");
    good = good && first_sweep(&w);
    sum_up(&w, &marked);
    while (good && f->unmarked > 0 && marked > 0) {
        good = look_at_piles(&w, &marked);
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
    for (unsigned i = 0; i < s->team.size; i++) {
        pile_fini(&w.shares[i].left);
        free(w.shares[i].next);
    }
    free(w.shares);
    return good;
}

bool fixpoint_renumber(struct fixpoint *f, struct space *s, struct stop *stop) {
    *stop = (struct stop){.kind = STOP_DONE};
    return f->unmarked == 0 || find_first(f, s, 0, stop);
}

void fixpoint_fini(struct fixpoint *f) { bitmap_fini(&f->marked); }

bool fixpoint_unmarked(const struct fixpoint *f, uint64_t slot) {
    return f->unmarked > 0 && !bitmap_has(&f->marked, slot);
}
