#include "check/continuation.h"

#include <stdlib.h>
#include <string.h>

#include "explore/bfs.h"
#include "store/state_stack.h"
#include "graph/components.h"
#include "ts/unreduced.h"

/* What can be reached from the point of no return, and its components. */
struct after {
    struct space s;
    struct scc components;
    struct bitmap leavable; /* components */
    struct ts *base;        /* the system that the trace is of, and a worker of it */
    struct ts_worker *base_worker;
    struct stop stop;
};

/* ---- Components ---- */

static bool same(const word *a, const word *b, uint32_t words) { return memcmp(a, b, words * sizeof(word)) == 0; }

/* Where a state of the trace, which need not be a representative, is in the space. */
static uint64_t slot_of(struct after *a, const word *state) {
    word *image = memory_get(a->base->words * sizeof(word));
    struct ts_fault fault;
    uint64_t slot = STORE_NONE;
    memcpy(image, state, a->base->words * sizeof(word));
    if (!a->base->reduction.symmetry || a->base->ops->representative(a->base_worker, state, image, &fault))
        space_find(&a->s, image, 1, &slot);
    free(image);
    return slot;
}

static bool is_bottom(const struct after *a, uint64_t slot) {
    return slot != STORE_NONE && !bitmap_has(&a->leavable, scc_of(&a->components, slot));
}

/* False: it is not known. */
static bool explore(struct after *a, const word *start) {
    const struct bfs_goals none = {0};
    struct space *s = &a->s;
    s->edges_kept = true;
    bfs_run(s, start, &none, &a->stop);
    return a->stop.kind == STOP_DONE && scc_run(&a->components, s, &a->stop) &&
           space_get_bits(s, &a->leavable, s->states + 1) &&
           scc_find_leavable(&a->components, s, &a->leavable, &a->stop);
}

/* The number of the first state that is in a bottom component: the nearest. There always is one. */
static bool find_nearest(struct after *a, uint64_t *number) {
    struct walk walk;
    bool found = false;
    walk_init(&walk, &a->s, false, 0, 1);
    while (!found && walk_next(&walk, &a->stop)) {
        uint64_t slot;
        space_find(&a->s, walk.states, 1, &slot);
        found = is_bottom(a, slot);
        *number = walk.first;
    }
    return walk_fini(&walk) && found;
}

/* ---- The continuation ---- */

/* The successor by the lowest-numbered transition that changes the state; by any, if none does. GIVEN_UP: model code
 * failed. */
static enum outcome step(struct after *a, struct ts_batch *batch, const word *from, word *next, uint32_t *label) {
    uint32_t words = a->base->words;
    bool moves = false;
    *label = TS_NONE;
    batch->sources = from;
    batch->count = 1;
    if (a->s.ts->ops->expand(a->s.worker, batch) < 1) return OUTCOME_GIVEN_UP;
    for (uint32_t e = 0; e < batch->ends[0]; e++) {
        const word *to = batch->successors + (size_t)e * words;
        bool here = !same(to, from, words);
        if (moves > here || (moves == here && batch->labels[e] > *label)) continue;
        moves = here;
        *label = batch->labels[e];
        memcpy(next, to, words * sizeof(word));
    }
    return *label != TS_NONE ? OUTCOME_FOUND : OUTCOME_NONE;
}

/* From the last state of the trace, which is in a bottom component, until a state comes again, or to a terminal
 * state. False: given up. */
static bool go_round(struct after *a, struct trace *t) {
    struct ts_batch batch;
    struct open seen;
    uint64_t from = t->count - 1;
    word *next = memory_get(t->words * sizeof(word));
    uint32_t label, known = OPEN_NONE;
    ts_batch_init(&batch, a->s.ts, 1);
    bool good = open_init(&seen, t->words, true, a->s.limits.max_memory) && open_push(&seen, trace_state(t, from));
    while (good && known == OPEN_NONE) {
        enum outcome found = step(a, &batch, trace_state(t, t->count - 1), next, &label);
        good = found != OUTCOME_GIVEN_UP;
        if (found != OUTCOME_FOUND) break;
        known = open_find(&seen, next);
        if (known == OPEN_NONE) {
            good = open_push(&seen, next);
            trace_add(t, label, next);
        } else {
            t->cycle = from + known;
            t->closing = label;
        }
    }
    open_fini(&seen);
    ts_batch_fini(&batch);
    free(next);
    return good;
}

/* Does the trace end in a bottom component already, and not in a self-loop where there is more? NONE: it does not. */
static enum outcome ends_well(struct after *a, const struct trace *t) {
    uint64_t last = t->count - 1;
    uint32_t label = TS_NONE;
    if (!is_bottom(a, slot_of(a, trace_state(t, last)))) return OUTCOME_NONE;
    if (t->cycle != last) return OUTCOME_FOUND;
    struct ts_batch batch;
    word *next = memory_get(t->words * sizeof(word));
    ts_batch_init(&batch, a->s.ts, 1);
    enum outcome more = step(a, &batch, trace_state(t, last), next, &label);
    if (more == OUTCOME_FOUND && same(next, trace_state(t, last), t->words)) more = OUTCOME_NONE;
    ts_batch_fini(&batch);
    free(next);
    return more == OUTCOME_FOUND ? OUTCOME_NONE : more == OUTCOME_NONE ? OUTCOME_FOUND : OUTCOME_GIVEN_UP;
}

/* Replaces what comes after the point of no return. False: the trace is as it was. */
static bool replace(struct after *a, struct trace *t) {
    struct trace way, made;
    uint64_t number;
    trace_init(&way, t->words);
    trace_init(&made, t->words);
    bool good = find_nearest(a, &number) && trace_to(&way, &a->s, number, &a->stop);
    for (uint64_t i = 0; good && i <= t->no_return; i++) trace_add(&made, t->transitions[i], trace_state(t, i));
    for (uint64_t i = 1; good && i < way.count; i++) trace_add(&made, way.transitions[i], trace_state(&way, i));
    made.no_return = t->no_return;
    good = good && go_round(a, &made);
    trace_fini(&way);
    if (good) {
        struct trace old = *t;
        *t = made;
        made = old;
    }
    trace_fini(&made);
    return good;
}

static enum bottom lead(struct after *a, struct trace *t) {
    word *start = memory_get(t->words * sizeof(word));
    struct ts_fault fault;
    memcpy(start, trace_state(t, t->no_return), t->words * sizeof(word));
    bool good = !a->base->reduction.symmetry || a->base->ops->representative(a->base_worker, start, start, &fault);
    enum outcome well = good && explore(a, start) ? ends_well(a, t) : OUTCOME_GIVEN_UP;
    good = well == OUTCOME_FOUND || (well == OUTCOME_NONE && replace(a, t));
    free(start);
    return good ? BOTTOM_REACHED : BOTTOM_UNKNOWN;
}

enum bottom bottom_lead(struct trace *t, const struct space *s) {
    struct after a = {.base = s->ts, .base_worker = s->worker, .components.phase = "counterexample"};
    struct ts_full full;
    struct limits limits = s->limits;
    struct problem why = {0};
    enum bottom result = BOTTOM_UNKNOWN;
    limits.max_states = BOTTOM_STATES;
    ts_full_init(&full, s->ts);
    struct ts_worker *w = ts_full_worker(&full, s->worker);
    bool reduced = s->ts->reduction.stubborn;
    if (space_init(&a.s, reduced ? &full.ts : s->ts, reduced ? w : s->worker, &limits, NULL, &why)) {
        a.s.ticker = s->ticker;
        result = lead(&a, t);
        bitmap_fini(&a.leavable);
        scc_fini(&a.components);
        space_fini(&a.s);
    }
    problem_fini(&why);
    free(w);
    return result;
}
