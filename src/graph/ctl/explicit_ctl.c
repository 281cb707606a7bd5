#include "graph/ctl/explicit_ctl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "graph/ctl/evaluate.h"
#include "graph/edges.h"
#include "graph/sweep.h"
#include "ts/valuation.h"

static const char phase[] = "computation tree logic";

struct sets {
    struct space *s;
    struct stop *stop;
    struct region numbers; /* of states, by slot */
    struct region first;   /* uint64_t: where the predecessors of each state begin; one more */
    struct region from;    /* uint32_t: predecessors */
    struct region out;     /* uint32_t: how many successors each has */
    struct region queue;   /* uint32_t: work, or the distance of each state */
    struct bitmap *set;
    uint32_t count, wanted;
};

static uint64_t *firsts(const struct sets *x) { return (uint64_t *)(void *)x->first.base; }
static uint32_t *froms(const struct sets *x) { return (uint32_t *)(void *)x->from.base; }
static uint32_t *outs(const struct sets *x) { return (uint32_t *)(void *)x->out.base; }
static uint32_t *queue(const struct sets *x) { return (uint32_t *)(void *)x->queue.base; }

static bool give_up(struct sets *x, const char *reason) {
    *x->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

/* ---- Edges ---- */

static bool count_edges(void *context, const struct sweep_batch *b) {
    struct sets *x = context;
    for (uint32_t i = 0; i < b->count; i++) {
        outs(x)[b->numbers[i]] = sweep_end(b, i) - sweep_begin(b, i);
        for (uint32_t e = sweep_begin(b, i); e < sweep_end(b, i); e++) firsts(x)[b->to[e] + 1]++;
    }
    return true;
}

/* first[n] is where the next predecessor of n goes: in the end, where those of n + 1 begin. */
static bool note_edges(void *context, const struct sweep_batch *b) {
    struct sets *x = context;
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t e = sweep_begin(b, i); e < sweep_end(b, i); e++)
            froms(x)[firsts(x)[b->to[e]]++] = (uint32_t)b->numbers[i];
    return true;
}

static bool sweep_edges(struct sets *x, bool (*put)(void *context, const struct sweep_batch *b)) {
    struct sweep w = {.s = x->s,
                      .phase = phase,
                      .context = x,
                      .need = SWEEP_EDGES,
                      .to = SWEEP_TO_NUMBERS,
                      .numbers = &x->numbers,
                      .put = put};
    sweep_init(&w);
    bool good = sweep_all(&w, x->stop);
    sweep_fini(&w);
    return good;
}

static bool sets_init(struct sets *x, struct space *s, uint32_t count, struct stop *stop) {
    uint64_t n = s->states;
    *x = (struct sets){.s = s, .stop = stop, .set = memory_get_zeroed((count + 1) * sizeof *x->set), .count = count};
    if (n >= UINT32_MAX) return give_up(x, "there are too many states for computation tree logic");
    if (s->edges_kept && edges_settle(s, stop) == EDGES_STOPPED) return false;
    if (!sweep_number_slots(s, &x->numbers, phase, stop)) return false;
    if (!space_get(s, &x->first, (n + 2) * sizeof(uint64_t)) || !space_get(s, &x->out, n * sizeof(uint32_t)) ||
        !space_get(s, &x->queue, n * sizeof(uint32_t)))
        return give_up(x, "no memory was left for computation tree logic");
    for (uint32_t i = 0; i < count; i++)
        if (!space_get_bits(s, &x->set[i], n)) return give_up(x, "no memory was left for computation tree logic");
    if (!sweep_edges(x, count_edges)) return false;
    for (uint64_t i = 0; i < n; i++) firsts(x)[i + 1] += firsts(x)[i];
    if (!space_get(s, &x->from, (firsts(x)[n] + 1) * sizeof(uint32_t)))
        return give_up(x, "no memory was left for computation tree logic");
    if (!sweep_edges(x, note_edges)) return false;
    memmove(firsts(x) + 1, firsts(x), n * sizeof(uint64_t));
    firsts(x)[0] = 0;
    return true;
}

static void sets_fini(struct sets *x) {
    for (uint32_t i = 0; i < x->count; i++) bitmap_fini(&x->set[i]);
    free(x->set);
    region_fini(&x->numbers);
    region_fini(&x->first);
    region_fini(&x->from);
    region_fini(&x->out);
    region_fini(&x->queue);
}

/* ---- Operators ---- */

static bool all(void *context, uint32_t i) {
    struct sets *x = context;
    for (uint64_t n = 0; n < x->s->states; n++) bitmap_add(&x->set[i], n);
    return true;
}

static bool put_values(void *context, const struct sweep_batch *b) {
    struct sets *x = context;
    struct ts *ts = x->s->ts;
    struct ts_fault fault = {.kind = TS_FINE};
    const uint32_t i = x->wanted, number = ts->named;
    for (uint32_t k = 0; k < b->count; k++) {
        uint64_t value = 0;
        if (!valuation_get(ts, x->s->worker, b->states + (size_t)k * ts->words, 1, &number, 1, &value, &fault)) {
            *x->stop = (struct stop){.kind = STOP_FAULT, .state = b->numbers[k], .fault = fault};
            return false;
        }
        if (value) bitmap_add(&x->set[i], b->numbers[k]);
    }
    return true;
}

static bool proposition(void *context, uint32_t i, uint32_t number) {
    struct sets *x = context;
    struct sweep w = {.s = x->s, .phase = phase, .context = x, .need = SWEEP_STATES, .put = put_values};
    uint32_t named = x->s->ts->named;
    x->wanted = i;
    x->s->ts->named = number;
    sweep_init(&w);
    bool good = sweep_all(&w, x->stop);
    sweep_fini(&w);
    x->s->ts->named = named;
    return good;
}

static bool complement(void *context, uint32_t i, uint32_t a) {
    struct sets *x = context;
    for (uint64_t n = 0; n < x->s->states; n++)
        if (!bitmap_has(&x->set[a], n)) bitmap_add(&x->set[i], n);
    return true;
}

static bool unite(void *context, uint32_t i, uint32_t a, uint32_t b) {
    struct sets *x = context;
    for (uint64_t n = 0; n < x->s->states; n++)
        if (bitmap_has(&x->set[a], n) || bitmap_has(&x->set[b], n)) bitmap_add(&x->set[i], n);
    return true;
}

static bool before(void *context, uint32_t i, uint32_t a) {
    struct sets *x = context;
    for (uint64_t n = 0; n < x->s->states; n++) {
        if (!bitmap_has(&x->set[a], n)) continue;
        if (outs(x)[n] == 0) bitmap_add(&x->set[i], n);
        for (uint64_t k = firsts(x)[n]; k < firsts(x)[n + 1]; k++) bitmap_add(&x->set[i], froms(x)[k]);
    }
    return true;
}

static bool until(void *context, uint32_t i, uint32_t a, uint32_t b) {
    struct sets *x = context;
    uint64_t count = 0;
    for (uint64_t n = 0; n < x->s->states; n++)
        if (bitmap_has(&x->set[b], n)) {
            bitmap_add(&x->set[i], n);
            queue(x)[count++] = (uint32_t)n;
        }
    for (uint64_t at = 0; at < count; at++)
        for (uint64_t k = firsts(x)[queue(x)[at]]; k < firsts(x)[queue(x)[at] + UINT64_C(1)]; k++) {
            uint32_t n = froms(x)[k];
            if (!bitmap_has(&x->set[a], n) || bitmap_has(&x->set[i], n)) continue;
            bitmap_add(&x->set[i], n);
            queue(x)[count++] = n;
        }
    return true;
}

/* Those leave that have no successor inside; a terminal state stays. */
static bool always(void *context, uint32_t i, uint32_t a) {
    struct sets *x = context;
    struct region inside = {0}; /* uint32_t: successors that are in the set, and not taken out yet */
    uint64_t states = x->s->states, count = 0;
    if (!space_get(x->s, &inside, states * sizeof(uint32_t)))
        return give_up(x, "no memory was left for computation tree logic");
    uint32_t *left = (uint32_t *)(void *)inside.base;
    for (uint64_t n = 0; n < states; n++) {
        if (!bitmap_has(&x->set[a], n)) continue;
        bitmap_add(&x->set[i], n);
        if (outs(x)[n] == 0) left[n]++;
        for (uint64_t k = firsts(x)[n]; k < firsts(x)[n + 1]; k++) left[froms(x)[k]]++;
    }
    for (uint64_t n = 0; n < states; n++)
        if (bitmap_has(&x->set[i], n) && left[n] == 0) queue(x)[count++] = (uint32_t)n;
    for (uint64_t at = 0; at < count; at++) bitmap_remove(&x->set[i], queue(x)[at]);
    for (uint64_t at = 0; at < count; at++)
        for (uint64_t k = firsts(x)[queue(x)[at]]; k < firsts(x)[queue(x)[at] + UINT64_C(1)]; k++) {
            uint32_t n = froms(x)[k];
            if (--left[n] > 0 || !bitmap_has(&x->set[i], n)) continue;
            bitmap_remove(&x->set[i], n);
            queue(x)[count++] = n;
        }
    region_fini(&inside);
    return true;
}

/* ---- States ---- */

static uint64_t number_of(const struct sets *x, const word *state) {
    uint64_t slot;
    space_find(x->s, state, 1, &slot);
    return slot == STORE_NONE ? NO_NODE : ((const uint32_t *)(const void *)x->numbers.base)[slot];
}

static bool has(const void *context, uint32_t i, const word *state) {
    const struct sets *x = context;
    uint64_t n = number_of(x, state);
    return n != NO_NODE && bitmap_has(&x->set[i], n);
}

/* The distance to b, through a, of all states; UINT32_MAX: there is no way. */
static bool measure(struct sets *x, uint32_t a, uint32_t b, struct region *distance) {
    uint64_t states = x->s->states, count = 0;
    if (!space_get(x->s, distance, states * sizeof(uint32_t)))
        return give_up(x, "no memory was left for the counterexample");
    uint32_t *far = (uint32_t *)(void *)distance->base;
    for (uint64_t n = 0; n < states; n++) {
        far[n] = bitmap_has(&x->set[b], n) ? 0 : UINT32_MAX;
        if (far[n] == 0) queue(x)[count++] = (uint32_t)n;
    }
    for (uint64_t at = 0; at < count; at++)
        for (uint64_t k = firsts(x)[queue(x)[at]]; k < firsts(x)[queue(x)[at] + UINT64_C(1)]; k++) {
            uint32_t n = froms(x)[k];
            if (!bitmap_has(&x->set[a], n) || far[n] != UINT32_MAX) continue;
            far[n] = far[queue(x)[at]] + 1;
            queue(x)[count++] = n;
        }
    return true;
}

/* By the first transition in the order of firing to a state that is nearer. */
static bool approach(struct sets *x, const uint32_t *far, uint32_t distance, word *next, struct trace *t) {
    const struct ts *ts = x->s->ts;
    for (uint32_t k = 0; k < ts->transitions; k++) {
        uint32_t u = ts->reduction.forward ? k : ts->transitions - 1 - k;
        struct ts_fault fault;
        if (ts->ops->fire(x->s->worker, trace_state(t, t->count - 1), u, next, &fault) <= 0) continue;
        uint64_t n = number_of(x, next);
        if (n == NO_NODE || far[n] != distance) continue;
        trace_add(t, u, next);
        return true;
    }
    return give_up(x, "the way was not found again");
}

static bool follow(void *context, uint32_t a, uint32_t b, struct trace *t) {
    struct sets *x = context;
    struct region distance = {0};
    word *next = memory_get(x->s->ts->words * sizeof *next);
    bool good = measure(x, a, b, &distance);
    const uint32_t *far = (const uint32_t *)(const void *)distance.base;
    uint64_t begin = number_of(x, trace_state(t, t->count - 1));
    assert(!good || (begin != NO_NODE && far[begin] != UINT32_MAX));
    for (uint32_t left = good ? far[begin] : 0; good && left > 0; left--) good = approach(x, far, left - 1, next, t);
    region_fini(&distance);
    free(next);
    return good;
}

enum outcome explicit_ctl(struct state_graph *g, struct space *s, const struct ctl *f, struct trace *t,
                          struct stop *stop) {
    struct sets x;
    *stop = (struct stop){.kind = STOP_DONE};
    const struct ctl_sets sets = {all, proposition, complement, unite, before, until, always, has, follow, &x};
    enum outcome found = sets_init(&x, s, f->count, stop) ? ctl_evaluate(g, f, &sets, t, stop) : OUTCOME_GIVEN_UP;
    sets_fini(&x);
    return found;
}
