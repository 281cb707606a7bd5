#include <assert.h>
#include <string.h>

#include "model/c/c_model_fault.h"

/* Makes the native successor of s by t, which was made before without a crash. */
static void fire_again(struct ts_worker *w, const word *s, uint32_t t) {
    w->m->plugin->unpack(w->native, s);
    if (!GUARD_ENTER(&w->guard)) return;
    w->m->model->fire(w->native, t);
    if (w->m->ts.reduction.symmetry) w->m->model->symmetry(w->native);
    guard_leave(&w->guard);
}

/* The function of the model that the batch is in. */
static const char *where_is(const struct onager_batch *b, const char *otherwise) {
    if (b->function == ONAGER_IN_OBLIGATIONS) return "obligations";
    return b->function == ONAGER_IN_SYMMETRY ? "symmetry" : otherwise;
}

static void take_fault(struct ts_worker *w, struct ts_batch *batch, const char *otherwise) {
    struct onager_batch *b = &w->batch;
    struct ts_fault *f = &batch->fault;
    const char *where = where_is(b, otherwise);
    const word *s = batch->sources + (size_t)b->source * w->m->ts.words;
    switch (b->fault) {
    case ONAGER_RAISED: c_fault_message(w, f, where, b->transition, b->message ? b->message : "?"); break;
    case ONAGER_FALSE_CHANGED:
        c_fault(f, TS_FALSE_CHANGED, where, b->transition, "fire returned false but had changed the state");
        break;
    case ONAGER_BAD_OBLIGATION: c_fault_obligation(w->m, f, where, b->transition, b->obligation); break;
    default: fire_again(w, s, b->transition); c_fault_range(w, f, where, b->transition);
    }
    f->source = b->source;
    c_strict_explain(w, f, s);
}

static uint32_t run_batch(struct ts_worker *w, struct ts_batch *batch, uint32_t (*run)(struct onager_batch *),
                          const char *where) {
    struct onager_batch *b = &w->batch;
    b->sources = batch->sources;
    b->count = batch->count;
    b->successors = batch->successors;
    b->labels = batch->labels;
    b->ends = batch->ends;
    b->classes = batch->classes;
    b->wanted = batch->wanted;
    b->source = 0;
    b->transition = TS_NONE;
    b->function = ONAGER_IN_FIRE;
    b->fault = ONAGER_OK;
    batch->fault.kind = TS_FINE;
    if (GUARD_ENTER(&w->guard)) {
        uint32_t done = run(b);
        guard_leave(&w->guard);
        assert(done <= batch->count && (done == batch->count) == (b->fault == ONAGER_OK));
        if (__builtin_expect(done < batch->count, 0)) take_fault(w, batch, where);
        return done;
    }
    c_fault_from_guard(w, &batch->fault, where_is(b, where), b->transition);
    batch->fault.source = b->source;
    c_strict_explain(w, &batch->fault, batch->sources + (size_t)b->source * w->m->ts.words);
    return b->source;
}

/* ---- Successors from tables ---- */

enum { CHECK_EACH = 4 }; /* one source of so many batches is expanded by the model's code too */

static int ask(void *context, word source, uint32_t t, word *successor, word *uses) {
    struct ts_worker *w = context;
    word reads, writes;
    enum trial_answer fired = trial_fire(&w->trial, &source, t, successor, (struct trial_uses){&reads, &writes});
    *uses = reads | writes;
    return fired;
}

/* For the report, if tables were asked for: the first obstacle of all threads. */
static void note_obstacle(struct ts_worker *w) {
    enum obstacle none = OBSTACLE_NONE, met = w->trial.obstacle ? w->trial.obstacle : w->lookup.obstacle;
    if (met) atomic_compare_exchange_strong(&w->m->obstacle, &none, met);
}

static void learn(struct ts_worker *w, word source, const word *successors, const uint32_t *labels, uint32_t count) {
    for (uint32_t k = 0; w->fired && k < count; k++) w->fired[labels[k]] = 1;
    lookup_learn(&w->lookup, source, successors, labels, count);
    if (w->lookup.phase == LOOKUP_GIVEN_UP) note_obstacle(w);
}

/* Nothing is left out, and nothing is known of origins. */
uint32_t c_model_expand_by_code(struct ts_worker *w, struct ts_batch *batch) {
    uint32_t done = run_batch(w, batch, w->m->plugin->expand, "fire");
    if (batch->origins) memcpy(batch->totals, batch->ends, done * sizeof *batch->ends);
    return done;
}

/* Expands source i of the batch by the model's code. Returns how many successors there are; -1: see batch->fault. */
static int64_t expand_one(struct ts_worker *w, struct ts_batch *batch, uint32_t i, word *successors, uint32_t *labels) {
    uint32_t end = 0;
    struct ts_batch one = {
        .sources = batch->sources + i, .count = 1, .successors = successors, .labels = labels, .ends = &end};
    if (c_model_expand_by_code(w, &one) == 1) return end;
    batch->fault = one.fault;
    batch->fault.source = i;
    return -1;
}

enum confirmation {
    CONFIRMED,
    NOT_LOOKED_UP, /* there is no answer in the tables, or no tables any more */
    REFUTED,       /* see batch->fault */
};

/* Whether source i has the same successors by code as by tables. */
static enum confirmation confirm(struct ts_worker *w, struct ts_batch *batch, uint32_t i) {
    word *by_tables = w->successors + w->m->ts.transitions;
    uint32_t end = 0;
    struct ts_batch one = {
        .sources = batch->sources + i, .count = 1, .capacity = 2, .successors = by_tables, .ends = &end};
    struct lookup_progress at = {0};
    int64_t n = expand_one(w, batch, i, w->successors, batch->labels);
    if (n < 0) return REFUTED;
    lookup_run(&w->lookup, &one, &at);
    if (at.next == 0) return NOT_LOOKED_UP;
    assert(end <= w->m->ts.transitions);
    if (n == end && memcmp(w->successors, by_tables, end * sizeof(word)) == 0) return CONFIRMED;
    c_fault(&batch->fault, TS_UNSTEADY, "fire", TS_NONE,
            "the same state has other successors now: fire may use nothing but the state, and constants");
    batch->fault.source = i;
    return REFUTED;
}

/* Returns false if they were given up: then nothing is done. */
static bool look_up(struct ts_worker *w, struct ts_batch *batch, uint32_t *done) {
    struct lookup_progress at = {0};
    while (w->lookup.phase == LOOKUP_WORKS) {
        lookup_run(&w->lookup, batch, &at);
        *done = at.next;
        if (at.next == batch->count) return true;
        word *successors = batch->successors + at.end;
        uint32_t *labels = batch->labels + at.end;
        int64_t n = expand_one(w, batch, at.next, successors, labels);
        if (n < 0) return true;
        learn(w, batch->sources[at.next], successors, labels, (uint32_t)n);
        if (batch->origins) batch->totals[at.next] = at.total += (uint32_t)n;
        batch->ends[at.next++] = at.end += (uint32_t)n;
    }
    return false;
}

static uint32_t expand_by_tables(struct ts_worker *w, struct ts_batch *batch) {
    uint32_t done = 0;
    batch->fault.kind = TS_FINE;
    if (!look_up(w, batch, &done)) return c_model_expand_by_code(w, batch);
    if (done < batch->count) return done;
    uint32_t chosen = w->looked_up / CHECK_EACH % batch->count;
    if (w->looked_up++ % CHECK_EACH == 0 && confirm(w, batch, chosen) == REFUTED) return batch->fault.source;
    return batch->count;
}

/* Are there tables for this search, or can there be? */
static bool has_tables(struct ts_worker *w, const struct ts_batch *batch) {
    w->m->looks_up = true;
    if (w->has_lookup) return w->lookup.phase != LOOKUP_GIVEN_UP;
    if (w->trial.obstacle || !observer_wanted(&w->m->observer, batch->count)) return false;
    if (!trial_init(&w->trial, &w->m->observer, &w->guard)) return note_obstacle(w), false;
    lookup_init(&w->lookup, w->m->facts, w->m->ts.reduction.forward, w->m->ts.takes_origins, ask, w);
    return w->has_lookup = true;
}

/* *by_code: nothing was looked up. */
static uint32_t expand(struct ts_worker *w, struct ts_batch *batch, bool *by_code) {
    *by_code = true;
    if (!w->m->tables || !batch->unlabelled || !has_tables(w, batch)) return c_model_expand_by_code(w, batch);
    if (w->lookup.phase == LOOKUP_WORKS && batch->count) {
        *by_code = false;
        batch->looked_up = true;
        return expand_by_tables(w, batch);
    }
    uint32_t done = c_model_expand_by_code(w, batch);
    for (uint32_t i = 0, begin = 0; i < done; begin = batch->ends[i++])
        learn(w, batch->sources[i], batch->successors + begin, batch->labels + begin, batch->ends[i] - begin);
    return done;
}

uint32_t c_model_expand(struct ts_worker *w, struct ts_batch *batch) {
    bool by_code;
    batch->looked_up = false;
    w->fired = batch->fired; /* an entry of the tables is learnt from a state where the transition occurs */
    uint32_t done = expand(w, batch, &by_code);
    return c_strict_is_due(&w->strict, batch) && done == batch->count ? c_strict_expand(w, batch, by_code) : done;
}

uint32_t c_model_classify(struct ts_worker *w, struct ts_batch *batch) {
    const char *where = batch->wanted == TS_BAD    ? "check_state"
                        : batch->wanted == TS_MAY  ? "may_progress"
                        : batch->wanted == TS_MUST ? "must_progress"
                                                   : "check_state, may_progress or must_progress";
    uint32_t done = run_batch(w, batch, w->m->plugin->classify, where);
    return c_strict_classify_is_due(&w->strict, batch->count) && done == batch->count ? c_strict_classify(w, batch)
                                                                                      : done;
}

bool c_model_valuate(struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                     uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    struct ts_batch batch = {.sources = states, .count = count};
    for (uint32_t i = 0; i < wanted_count; i++) w->ask[i] = w->m->asks[wanted[i]];
    w->batch.ask = w->ask;
    w->batch.ask_count = wanted_count;
    w->batch.valuations = out;
    if (run_batch(w, &batch, w->m->plugin->valuate, "a proposition") == count) return true;
    *fault = batch.fault;
    return false;
}
