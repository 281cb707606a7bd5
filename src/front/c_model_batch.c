#include "front/c_model_fault.h"

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
    case ONAGER_RAISED: c_fault(f, TS_RAISED, where, b->transition, "%s", b->message ? b->message : "?"); break;
    case ONAGER_FALSE_CHANGED:
        c_fault(f, TS_FALSE_CHANGED, where, b->transition, "fire returned false but had changed the state");
        break;
    case ONAGER_BAD_OBLIGATION: c_fault_obligation(w->m, f, where, b->transition, b->obligation); break;
    default: fire_again(w, s, b->transition); c_fault_range(w, f, where, b->transition);
    }
    f->source = b->source;
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
        if (__builtin_expect(done < batch->count, 0)) take_fault(w, batch, where);
        return done;
    }
    c_fault_from_guard(w, &batch->fault, where_is(b, where), b->transition);
    batch->fault.source = b->source;
    return b->source;
}

uint32_t c_model_expand(struct ts_worker *w, struct ts_batch *batch) {
    return run_batch(w, batch, w->m->plugin->expand, "fire");
}

uint32_t c_model_classify(struct ts_worker *w, struct ts_batch *batch) {
    const char *where = batch->wanted == TS_BAD    ? "check_state"
                        : batch->wanted == TS_MAY  ? "may_progress"
                        : batch->wanted == TS_MUST ? "must_progress"
                                                   : "check_state, may_progress or must_progress";
    return run_batch(w, batch, w->m->plugin->classify, where);
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
