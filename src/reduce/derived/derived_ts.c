#include "reduce/derived/derived_ts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/derived/sets.h"
#include "reduce/over.h"

struct derived_ts {
    struct over over; /* the first member */
    struct ts_ops ops;
    struct source *source;
    struct derived *derived;
    bool endless;
};

struct derived_worker {
    struct over_worker over; /* the first member */
    struct derived_ts *x;
    struct derived_sets *sets;
    uint32_t *list;
    word *scratch;
    struct ts_fault fault; /* of the model, while a set was made */
};

static struct derived_worker *really(struct ts_worker *w) { return (struct derived_worker *)(void *)w; }

/* What diagrams do not tell, the model's code does. */
static bool ask(void *context, uint32_t member) {
    struct derived_worker *w = context;
    const struct member *m = &w->x->derived->member[member];
    const struct ts *base = w->x->over.base;
    const word *s = derived_sets_state(w->sets);
    struct ts_fault fault;
    if (m->kind == MEMBER_BAD_STATE) {
        const char *message = NULL;
        return !base->ops->check(w->over.base, s, TS_CHECK_STATE, &message, &fault) || message;
    }
    int fired = base->ops->fire(w->over.base, s, m->transition, w->scratch, &fault);
    return m->kind == MEMBER_ERROR ? fired < 0 : fired > 0;
}

static bool contradicted(struct ts_fault *fault, uint32_t t) {
    *fault = (struct ts_fault){.kind = TS_UNSTEADY, .transition = t, .where = "fire"};
    snprintf(fault->text, sizeof fault->text,
             "the code does something else here than when it was read without a state");
    return false;
}

/* A transition that raises an error in s, in the set or not. False: there is one. */
static bool no_error(struct derived_worker *w, const word *s, struct ts_fault *fault) {
    const struct derived *d = w->x->derived;
    const struct ts *base = w->x->over.base;
    for (uint32_t m = d->members; m-- > d->transitions;) {
        if (d->member[m].kind != MEMBER_ERROR || !derived_sets_enabled(w->sets, m)) continue;
        int fired = base->ops->fire(w->over.base, s, d->member[m].transition, w->scratch, fault);
        return fired < 0 ? false : contradicted(fault, d->member[m].transition);
    }
    return true;
}

/* The set of s: *count enabled transitions in w->list. */
static bool choose(struct derived_worker *w, const word *s, uint32_t *count, struct ts_fault *fault) {
    *count = 0;
    if (!derived_sets_enter(w->sets, s)) return contradicted(fault, TS_NONE);
    if (!no_error(w, s, fault)) return false;
    *count = derived_sets_choose(w->sets, w->x->endless, w->list);
    if (*count == DERIVED_SETS_WRONG) return *count = 0, contradicted(fault, TS_NONE);
    return true;
}

static bool successor(struct derived_worker *w, const word *s, uint32_t t, word *to, struct ts_fault *fault) {
    const struct ts *base = w->x->over.base;
    if (derived_sets_fire(w->sets, t, to)) return true;
    int fired = base->ops->fire(w->over.base, s, t, to, fault);
    if (fired < 0) return false;
    return fired > 0 ? true : contradicted(fault, t);
}

/* Builds that check hold all that is derived about state s against the code, and its values against the pairs. */
__attribute__((unused)) static bool is_as_derived(struct derived_worker *w, const word *s) {
    const struct derived *d = w->x->derived;
    const struct ts *base = w->x->over.base;
    word told[base->words + 1], own[base->words + 1];
    struct ts_fault fault;
    if (!derived_is_possible(d, s)) return false;
    for (uint32_t t = 0; t < d->transitions; t++) {
        int fired = base->ops->fire(w->over.base, s, t, own, &fault);
        if (derived_sets_enabled(w->sets, t) != (fired > 0)) return false;
        if (fired <= 0 || !derived_sets_fire(w->sets, t, told)) continue;
        if (memcmp(own, told, base->words * sizeof *own) != 0) return false;
    }
    return true;
}

static uint32_t expand(struct ts_worker *worker, struct ts_batch *batch) {
    struct derived_worker *w = really(worker);
    uint32_t words = w->x->over.base->words, made = 0, count;
    batch->fault.kind = TS_FINE;
    for (uint32_t i = 0; i < batch->count; i++) {
        const word *s = batch->sources + (size_t)i * words;
        batch->fault.source = i;
        bool fine = choose(w, s, &count, &batch->fault);
        assert(!fine || is_as_derived(w, s));
        for (uint32_t k = count; fine && k-- > 0; made++) {
            batch->labels[made] = w->list[k];
            fine = successor(w, s, w->list[k], batch->successors + (size_t)made * words, &batch->fault);
        }
        if (!fine) return batch->fault.source = i;
        batch->ends[i] = made;
    }
    return batch->count;
}

/* ---- Classes ---- */

/* A function of the state that is not true everywhere. False: what it says is not derived. */
static bool is_told(const struct derived *d, uint32_t root, const word *s, bool *holds) {
    uint32_t n = root == NODE_NONE ? root : diagram_walk(&d->diagram, root, d->variables, s);
    if (n == NODE_NONE || d->diagram.node[n].kind != NODE_VALUE) return false;
    *holds = d->diagram.values[d->diagram.node[n].effect] != 0;
    return true;
}

/* False: it is bad, or something is not derived. */
static bool class_of(const struct derived *d, const word *s, unsigned wanted, uint8_t *classes) {
    bool may = false, must = false;
    if (wanted & TS_BAD) {
        uint32_t n = d->bad == NODE_NONE ? d->bad : diagram_walk(&d->diagram, d->bad, d->variables, s);
        if (n == NODE_NONE || d->diagram.node[n].kind != NODE_DISABLED) return false;
    }
    if ((wanted & TS_MAY) && !is_told(d, d->may_progress, s, &may)) return false;
    if ((wanted & TS_MUST) && !is_told(d, d->must_progress, s, &must)) return false;
    *classes = (uint8_t)((may ? TS_MAY : 0) | (must ? TS_MUST : 0));
    return true;
}

/* In builds that check: does the code say the same? */
__attribute__((unused)) static bool is_class_of(struct derived_worker *w, struct ts_batch *batch) {
    uint8_t derived[batch->count + 1];
    memcpy(derived, batch->classes, batch->count);
    return w->x->over.base->ops->classify(w->over.base, batch) == batch->count &&
           memcmp(derived, batch->classes, batch->count) == 0;
}

/* The code is asked where something is bad or not derived. */
static uint32_t classify(struct ts_worker *worker, struct ts_batch *batch) {
    struct derived_worker *w = really(worker);
    const struct ts *base = w->x->over.base;
    uint32_t i = 0;
    while (i < batch->count &&
           class_of(w->x->derived, batch->sources + (size_t)i * base->words, batch->wanted, &batch->classes[i]))
        i++;
    batch->fault.kind = TS_FINE;
    assert(i < batch->count || is_class_of(w, batch));
    return i == batch->count ? i : base->ops->classify(w->over.base, batch);
}

static bool stubborn_set(struct ts_worker *worker, const word *s, uint32_t *list, uint32_t *count,
                         struct ts_fault *fault) {
    struct derived_worker *w = really(worker);
    uint32_t enabled;
    *count = 0;
    if (!choose(w, s, &enabled, fault)) return false;
    for (uint32_t t = 0; t < w->x->derived->transitions && enabled; t++)
        if (derived_sets_has(w->sets, t)) list[(*count)++] = t;
    return true;
}

static struct ts_worker *worker_new(struct ts *ts) {
    struct derived_ts *x = (struct derived_ts *)(void *)ts;
    struct derived_worker *w = memory_get_zeroed(sizeof *w);
    w->x = x;
    w->over = (struct over_worker){&x->over, x->over.base->ops->worker_new(x->over.base)};
    w->sets = derived_sets_new(x->derived, (struct derived_sets_asking){ask, w});
    w->list = memory_get((x->derived->transitions + UINT64_C(1)) * sizeof *w->list);
    w->scratch = memory_get((x->over.base->words + UINT64_C(1)) * sizeof *w->scratch);
    return (struct ts_worker *)(void *)w;
}

static void worker_free(struct ts_worker *worker) {
    struct derived_worker *w = really(worker);
    if (!w) return;
    derived_sets_free(w->sets);
    w->x->over.base->ops->worker_free(w->over.base);
    free(w->list);
    free(w->scratch);
    free(w);
}

static void close_derived(struct ts *ts) {
    struct derived_ts *x = (struct derived_ts *)(void *)ts;
    derived_free(x->derived);
    x->source->ops->close(x->source);
    x->over.base->ops->close(x->over.base);
    free(x);
}

struct ts *derived_ts_open(struct ts *base, enum derived_ts_goal goal, struct problem *why) {
    struct source *source = base->ops->read ? base->ops->read(base, why) : NULL;
    if (!source) {
        if (!base->ops->read) problem_set(why, EXIT_BAD_INPUT, "%s: its code cannot be read", base->path);
        return base->ops->close(base), NULL;
    }
    struct derived_ts *x = memory_get_zeroed(sizeof *x);
    x->source = source;
    x->derived = derived_new(source, goal != DERIVED_TS_DEADLOCKS, DERIVED_BUDGET);
    x->ops = over_ops();
    x->ops.close = close_derived;
    x->ops.worker_new = worker_new;
    x->ops.worker_free = worker_free;
    x->ops.expand = expand;
    x->ops.classify = classify;
    x->ops.stubborn_set = stubborn_set;
    x->over.base = base;
    x->over.ts = *base;
    x->over.ts.ops = &x->ops;
    x->over.ts.takes_origins = false; /* what is left out is left out by sets */
    x->over.ts.features = (base->features & ~(unsigned)TS_OBLIGATIONS) | TS_CHOICE_OF_RULES;
    x->over.ts.reduction.stubborn = true;
    x->over.ts.reduction.method = METHOD_DELETION;
    x->endless = goal == DERIVED_TS_ENDLESS;
    x->over.ts.reduction.preserve = x->endless ? PRESERVE_SAFETY : PRESERVE_DEADLOCKS;
    return &x->over.ts;
}
