#include "graph/shorten.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store.h"

/* A breadth-first search among the states of the trace. A state is known by its first position there. */
struct shortening {
    struct trace *t;
    struct ts *ts;
    struct ts_worker *worker;
    struct ts_batch batch;
    struct store store;
    struct store_view view;
    const volatile sig_atomic_t *interrupted; /* or NULL */
    struct numbers queue;
    uint64_t *first;  /* by slot: the first position of the state */
    uint64_t *last;   /* by first position: the last position of the same state */
    uint64_t *parent; /* by first position: where the search came from, or TRACE_NONE */
    uint32_t *label;  /* and by which transition */
};

static uint64_t first_position(struct shortening *s, const word *state) {
    uint64_t slot;
    store_find(&s->store, &s->view, state, 1, &slot);
    return slot == STORE_NONE ? TRACE_NONE : s->first[slot];
}

static bool is_interrupted(const struct shortening *s) { return s->interrupted && *s->interrupted; }

/* False: no memory, or interrupted. */
static bool begin(struct shortening *s) {
    const struct trace *t = s->t;
    uint32_t fresh, fresh_count;
    const struct store_options exact = {0};
    if (!store_init(&s->store, s->ts->bits, (t->count + (1 << 20)) * t->words * sizeof(word) * 8, &exact)) return false;
    store_view_init(&s->view, &s->store);
    for (uint64_t i = 0; i < t->count; i++)
        if (is_interrupted(s) || store_insert(&s->store, &s->view, trace_state(t, i), 1, &fresh, &fresh_count) < 1)
            return false;
    store_settle(&s->store);
    s->first = memory_get(store_slots(&s->store) * sizeof *s->first);
    s->last = memory_get(t->count * sizeof *s->last);
    s->parent = memory_get(t->count * sizeof *s->parent);
    s->label = memory_get(t->count * sizeof *s->label);
    for (uint64_t i = t->count, slot; i-- > 0;) {
        store_find(&s->store, &s->view, trace_state(t, i), 1, &slot);
        s->first[slot] = i;
        s->parent[i] = TRACE_NONE;
    }
    for (uint64_t i = 0; i < t->count; i++) s->last[first_position(s, trace_state(t, i))] = i;
    ts_batch_init(&s->batch, s->ts, 1);
    numbers_add(&s->queue, 0);
    return true;
}

static void step_to(struct shortening *s, uint64_t from, uint32_t label, const word *state) {
    uint64_t to = first_position(s, state);
    if (to == TRACE_NONE || to == 0 || s->parent[to] != TRACE_NONE) return;
    s->parent[to] = from;
    s->label[to] = label;
    numbers_add(&s->queue, to);
}

/* The steps from a state to others of the trace: all that there are and, to be sure, the one that the trace makes. */
static void step_from(struct shortening *s, uint64_t at) {
    const struct trace *t = s->t;
    uint64_t next = s->last[at] + 1;
    s->batch.sources = trace_state(t, at);
    s->batch.count = 1;
    if (s->ts->ops->expand(s->worker, &s->batch) == 1)
        for (uint32_t e = 0; e < s->batch.ends[0]; e++)
            step_to(s, at, s->batch.labels[e], s->batch.successors + (size_t)e * t->words);
    if (next < t->count) step_to(s, at, t->transitions[next], trace_state(t, next));
}

/* Replaces the trace by what the search has found on its way to `goal`. */
static void replace(struct shortening *s, uint64_t goal) {
    struct numbers way = {0};
    struct trace result;
    trace_init(&result, s->t->words);
    for (uint64_t i = goal; i != 0; i = s->parent[i]) {
        assert(s->parent[i] != TRACE_NONE);
        numbers_add(&way, i);
    }
    trace_add(&result, TS_NONE, trace_state(s->t, 0));
    for (size_t k = way.count; k-- > 0;) trace_add(&result, s->label[way.at[k]], trace_state(s->t, way.at[k]));
    numbers_fini(&way);
    assert(result.count <= s->t->count); /* shorter, or as it was */
    trace_fini(s->t);
    *s->t = result;
}

void trace_shorten(struct trace *t, struct ts *ts, struct ts_worker *w, const volatile sig_atomic_t *interrupted) {
    struct shortening s = {.t = t, .ts = ts, .worker = w, .interrupted = interrupted};
    if (t->count < 2) return;
    if (begin(&s)) {
        uint64_t goal = first_position(&s, trace_state(t, t->count - 1));
        bool met = goal == 0;
        for (size_t i = 0; i < s.queue.count && !met && !is_interrupted(&s); i++) {
            step_from(&s, s.queue.at[i]);
            met = s.parent[goal] != TRACE_NONE;
        }
        if (met) replace(&s, goal);
    }
    numbers_fini(&s.queue);
    ts_batch_fini(&s.batch);
    if (s.store.shards) store_view_fini(&s.view);
    store_fini(&s.store);
    free(s.first);
    free(s.last);
    free(s.parent);
    free(s.label);
}
