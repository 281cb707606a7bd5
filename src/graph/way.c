#include "graph/way.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "graph/sweep.h"
#include "store/state_stack.h"

enum { STEPS_A_LOOK = 4096 }; /* steps between two looks at whether it must end */

static bool same(const word *a, const word *b, uint32_t words) { return memcmp(a, b, words * sizeof(word)) == 0; }

static void reverse(struct trace *t) {
    word *swap = memory_get(t->words * sizeof(word));
    size_t size = t->words * sizeof(word);
    for (uint64_t i = 0, j = t->count; i + 1 < j--; i++) {
        memcpy(swap, t->states + i * t->words, size);
        memcpy(t->states + i * t->words, t->states + j * t->words, size);
        memcpy(t->states + j * t->words, swap, size);
        uint32_t label = t->transitions[i];
        t->transitions[i] = t->transitions[j];
        t->transitions[j] = label;
    }
    free(swap);
}

/* What all threads look for: the first state with an edge to `child`. */
struct parents {
    struct space *s;
    const word *child;
    _Atomic uint64_t first; /* its number; NO_NODE: not found yet */
};

static bool comes_before(const void *context, uint64_t number) {
    return number < ((const struct parents *)context)->first;
}

/* The index of the first edge of state i of the batch that leads to the child, or where its edges end. */
static uint32_t edge_to(const struct parents *p, const struct sweep_batch *x, uint32_t i) {
    uint32_t words = p->s->ts->words, e = sweep_begin(x, i), end = sweep_end(x, i);
    while (e < end && !same(x->edges->successors + (size_t)e * words, p->child, words)) e++;
    return e;
}

static void take_parents(void *context, unsigned member, const struct sweep_batch *x) {
    struct parents *p = context;
    (void)member;
    for (uint32_t i = 0; i < x->count; i++) {
        uint64_t known = p->first;
        if (x->numbers[i] >= known || edge_to(p, x, i) == sweep_end(x, i)) continue;
        while (x->numbers[i] < known && !atomic_compare_exchange_weak(&p->first, &known, x->numbers[i])) {}
    }
}

/* Of the states [first, end), which one leads to the child: there must be one. Its state takes the place of the child.
 * False: *stop says why it was not found. */
static bool find_parent(struct parents *p, struct sweep *w, uint64_t first, uint64_t end, word *child, uint32_t *label,
                        struct stop *stop) {
    uint32_t words = p->s->ts->words;
    enum sweep_end swept = SWEEP_MORE;
    p->first = NO_NODE;
    sweep_again(w, first, end);
    while (p->first == NO_NODE && (swept = sweep_next(w, stop)) == SWEEP_MORE) {}
    /* Where model code fails after it does not matter. */
    bool found =
        p->first != NO_NODE && (swept != SWEEP_GIVEN_UP || (stop->kind == STOP_FAULT && p->first < stop->state));
    const struct sweep_batch *x = found ? sweep_one(w, p->first, stop) : NULL;
    uint32_t edge = x ? edge_to(p, x, 0) : 0;
    if (!x || edge == sweep_end(x, 0)) {
        if (stop->kind == STOP_DONE || stop->kind == STOP_FAULT)
            *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the way back was not found"};
        return false;
    }
    *label = x->edges->labels[edge];
    memcpy(child, x->states, words * sizeof(word));
    return true;
}

/* From the child, which is on level `level`, back to the initial state. */
static bool trace_back(struct trace *t, struct space *s, size_t level, word *child, struct stop *stop) {
    struct parents p = {.s = s, .child = child};
    struct sweep w = {.s = s,
                      .phase = "tracing back",
                      .context = &p,
                      .need = SWEEP_STATES | SWEEP_EDGES | SWEEP_LABELS,
                      .showing = true,
                      .wants = comes_before,
                      .take = take_parents};
    bool found = true;
    sweep_init(&w);
    for (; found && level > 0; level--) {
        uint32_t label;
        assert(s->levels.at[level - 1] < s->levels.at[level]);
        trace_add(t, TS_NONE, child);
        found = find_parent(&p, &w, s->levels.at[level - 1], s->levels.at[level], child, &label, stop);
        if (found) t->transitions[t->count - 1] = label;
    }
    sweep_fini(&w);
    if (found) trace_add(t, TS_NONE, child);
    return found;
}

bool trace_to(struct trace *t, struct space *s, uint64_t target, struct stop *stop) {
    word *child = memory_get(s->ts->words * sizeof(word));
    assert(s->levels.count > 0 && s->levels.at[0] == 0); /* relevel.h has seen to that */
    *stop = (struct stop){.kind = STOP_DONE};
    bool found = space_state(s, target, child);
    if (!found) *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
    size_t level = s->levels.count;
    while (level > 0 && s->levels.at[level - 1] > target) level--;
    found = found && trace_back(t, s, level - 1, child, stop);
    reverse(t);
    free(child);
    return found;
}

/* The walk of trace_walk_on. */
struct walking {
    struct trace *t;
    struct space *s;
    const struct node_set *known, *through;
    bool moving;
    word *next; /* where a step leads to */
    struct ts_fault fault;
};

/* By this transition to w->next? */
static bool can_step(struct walking *w, const word *from, uint32_t u) {
    const struct ts *ts = w->s->ts;
    int fired = ts->ops->fire(w->s->worker, from, u, w->next, &w->fault);
    if (fired <= 0) return false;
    if (ts->reduction.symmetry && !ts->ops->representative(w->s->worker, w->next, w->next, &w->fault)) return false;
    return w->known->has(w->known->context, w->next) && (!w->through || w->through->has(w->through->context, w->next));
}

/* One step, to w->next. NONE: there is none. GIVEN_UP: w->fault says why. */
static enum outcome step(struct walking *w, uint32_t *label) {
    const struct ts *ts = w->s->ts;
    const word *from = trace_state(w->t, w->t->count - 1);
    *label = TS_NONE;
    for (uint32_t u = 0; u < ts->transitions; u++) {
        bool can = can_step(w, from, u);
        if (w->fault.kind != TS_FINE) return OUTCOME_GIVEN_UP;
        if (!can) continue;
        if (!w->moving || !same(w->next, from, ts->words)) {
            *label = u;
            return OUTCOME_FOUND;
        }
        if (*label == TS_NONE) *label = u;
    }
    if (*label == TS_NONE) return OUTCOME_NONE;
    memcpy(w->next, from, ts->words * sizeof(word));
    return OUTCOME_FOUND;
}

/* False: no memory, or w->fault or *ended says what. */
static bool walk_on(struct walking *w, struct open *seen, struct stop *ended) {
    struct trace *t = w->t;
    uint64_t from = t->count - 1;
    uint32_t label, known;
    bool room = open_push(seen, trace_state(t, from));
    while (room) {
        enum outcome found = step(w, &label);
        if (found != OUTCOME_FOUND) return found == OUTCOME_NONE;
        if ((known = open_find(seen, w->next)) != OPEN_NONE) {
            t->cycle = from + known;
            assert(t->cycle < t->count);
            t->closing = label;
            return true;
        }
        room = open_push(seen, w->next);
        trace_add(t, label, w->next);
        if (t->count % STEPS_A_LOOK == 0 && space_interrupted(w->s, "tracing on", t->count, w->s->states, ended))
            return false;
    }
    return false;
}

bool trace_walk_known(struct trace *t, struct space *s, const struct node_set *known, const struct node_set *through,
                      bool moving, struct stop *stop) {
    struct open seen;
    struct stop ended = {.kind = STOP_DONE};
    struct walking w = {.t = t, .s = s, .known = known, .through = through, .moving = moving};
    w.next = memory_get(s->ts->words * sizeof(word));
    bool good = open_init(&seen, s->ts->words, true, s->limits.max_memory) && walk_on(&w, &seen, &ended);
    open_fini(&seen);
    free(w.next);
    if (good) return true;
    if (ended.kind != STOP_DONE) *stop = ended;
    else if (w.fault.kind != TS_FINE) *stop = (struct stop){.kind = STOP_FAULT, .fault = w.fault};
    else *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for the counterexample"};
    return false;
}

struct member_of {
    struct space *s;
};

static bool is_in_space(const void *context, const word *state) {
    struct space *s = ((const struct member_of *)context)->s;
    uint64_t slot;
    space_find(s, state, 1, &slot);
    return slot != STORE_NONE;
}

bool trace_walk_on(struct trace *t, struct space *s, const struct node_set *through, bool moving, struct stop *stop) {
    const struct member_of all = {s};
    const struct node_set known = {is_in_space, &all};
    return trace_walk_known(t, s, &known, through, moving, stop);
}
