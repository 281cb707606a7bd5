#include "reduce/derived/derived_ts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/derived/asker.h"
#include "reduce/guided.h"
#include "reduce/overlay.h"

enum { WATCHED = 2000 }; /* states */

struct derived_ts {
    struct overlay over; /* the first member */
    struct ts_ops ops;
    struct source *source;
    struct derived *derived;
    bool endless;
    bool *known;        /* DERIVED_TS_WATCHED: ts.changes_known */
    bool *none_visible; /* DERIVED_TS_BOTH; else NULL */
};

struct derived_worker {
    struct overlay_worker over; /* the first member */
    struct derived_ts *x;
    struct derived_asker asker;
    struct derived_sets *sets; /* the asker's */
    uint32_t *list, *enabled;
    struct guided *guided; /* of written rules, if they take part */
    struct ts_batch one;   /* of the base */
    uint64_t expanded;     /* by this worker, of a search without numbers */
    /* Of the state at hand. */
    bool whole;   /* nothing is proved of it: its set has all transitions */
    bool written; /* its set is that of written rules */
};

static struct derived_worker *really(struct ts_worker *w) { return (struct derived_worker *)(void *)w; }

/* A transition that raises an error in s, in the set or not. False: there is one. */
static bool no_error(struct derived_worker *w, const word *s, struct ts_fault *fault) {
    const struct derived *d = w->x->derived;
    const struct ts *base = w->x->over.base;
    for (uint32_t m = d->members; m-- > d->transitions;) {
        if (d->member[m].kind != MEMBER_ERROR || !derived_sets_enabled(w->sets, m)) continue;
        int fired = base->ops->fire(w->over.base, s, d->member[m].transition, w->asker.scratch, fault);
        return fired < 0 ? false : derived_contradicted(fault, d->member[m].transition);
    }
    return true;
}

/* All transitions: of a representative of which nothing is proved. D1 and D2 of other states do not speak of it, as it
 * is not reachable from them. */
static bool choose_all(struct derived_worker *w, const word *s, uint32_t *count, struct ts_fault *fault) {
    const struct ts *base = w->x->over.base;
    w->whole = true;
    for (uint32_t t = 0; t < base->transitions; t++) {
        int fired = base->ops->fire(w->over.base, s, t, w->asker.scratch, fault);
        if (fired < 0) return false;
        if (fired > 0) w->list[(*count)++] = t;
    }
    return true;
}

/* If the closure of written rules has fewer enabled transitions, that. */
static bool compare_written(struct derived_worker *w, const word *s, uint32_t *count, struct ts_fault *fault) {
    struct guided_watch watch = {.needs = GUIDED_ENABLED};
    uint32_t enabled = 0, fewer = 0;
    for (uint32_t t = 0; t < w->x->derived->transitions; t++)
        if (derived_sets_enabled(w->sets, t)) w->enabled[enabled++] = t;
    if (!guided_choose(w->guided, w->over.base, s, w->enabled, enabled, &watch, fault)) return false;
    for (uint32_t i = 0; i < enabled; i++) fewer += guided_has(w->guided, w->enabled[i]);
    if (fewer >= *count) return true;
    w->written = true;
    *count = 0;
    for (uint32_t i = 0; i < enabled; i++)
        if (guided_has(w->guided, w->enabled[i])) w->list[(*count)++] = w->enabled[i];
    return true;
}

/* The set of s: *count enabled transitions in w->list. */
static bool choose(struct derived_worker *w, const word *s, uint32_t *count, struct ts_fault *fault) {
    *count = 0;
    w->whole = w->written = false;
    if (w->x->over.base->reduction.symmetry && !derived_sets_possible(w->sets, s))
        return choose_all(w, s, count, fault);
    if (!derived_sets_enter(w->sets, s)) return derived_contradicted(fault, TS_NONE);
    if (!no_error(w, s, fault)) return false;
    *count = derived_sets_choose(w->sets, w->x->endless, w->list);
    if (*count == DERIVED_SETS_WRONG) return *count = 0, derived_contradicted(fault, TS_NONE);
    return !w->guided || *count < 2 || compare_written(w, s, count, fault);
}

static bool successor(struct derived_worker *w, const word *s, uint32_t t, word *to, struct ts_fault *fault) {
    const struct ts *base = w->x->over.base;
    if (w->whole || !derived_sets_fire(w->sets, t, to)) {
        int fired = base->ops->fire(w->over.base, s, t, to, fault);
        if (fired <= 0) return fired == 0 ? derived_contradicted(fault, t) : false;
    }
    return !base->reduction.symmetry || base->ops->representative(w->over.base, to, to, fault);
}

/* The model's own code makes the first successors, too: it is watched for mistakes that leave no trace in successors,
 * such as a value that does not fit and is stored over. False: there is one. */
static bool code_is_fine(struct derived_worker *w, const word *s, struct ts_fault *fault) {
    const struct ts *base = w->x->over.base;
    w->one.sources = s;
    w->one.count = 1;
    if (base->ops->expand(w->over.base, &w->one) == 1) return true;
    *fault = w->one.fault;
    return false;
}

static bool is_early(struct derived_worker *w, const struct ts_batch *batch, uint32_t source) {
    return batch->first ? batch->first + source <= WATCHED : w->expanded++ < WATCHED;
}

/* Builds that check hold all that is derived about state s against the code, and its values against the pairs. */
__attribute__((unused)) static bool is_as_derived(struct derived_worker *w, const word *s) {
    const struct derived *d = w->x->derived;
    const struct ts *base = w->x->over.base;
    word told[base->words + 1], own[base->words + 1];
    struct ts_fault fault;
    if (w->whole) return true; /* nothing is derived */
    if (!derived_sets_possible(w->sets, s)) return false;
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
        if (fine && is_early(w, batch, i)) fine = code_is_fine(w, s, &batch->fault);
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
    /* Nothing is derived of representatives. */
    while (i < batch->count && !base->reduction.symmetry &&
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
        if (w->whole || (w->written ? guided_has(w->guided, t) : derived_sets_has(w->sets, t))) list[(*count)++] = t;
    return true;
}

static struct ts_worker *worker_new(struct ts *ts) {
    struct derived_ts *x = (struct derived_ts *)(void *)ts;
    struct derived_worker *w = memory_get_zeroed(sizeof *w);
    w->x = x;
    w->over = (struct overlay_worker){&x->over, x->over.base->ops->worker_new(x->over.base)};
    derived_asker_init(&w->asker, x->derived, x->over.base);
    w->asker.w = w->over.base;
    w->sets = w->asker.sets;
    w->list = memory_get((x->derived->transitions + UINT64_C(1)) * sizeof *w->list);
    w->enabled = memory_get((x->derived->transitions + UINT64_C(1)) * sizeof *w->enabled);
    ts_batch_init(&w->one, x->over.base, 1);
    if (x->none_visible) w->guided = guided_new(x->over.base, x->none_visible);
    return (struct ts_worker *)(void *)w;
}

static void worker_free(struct ts_worker *worker) {
    struct derived_worker *w = really(worker);
    if (!w) return;
    derived_asker_fini(&w->asker);
    guided_free(w->guided);
    ts_batch_fini(&w->one);
    w->x->over.base->ops->worker_free(w->over.base);
    free(w->list);
    free(w->enabled);
    free(w);
}

static void close_derived(struct ts *ts) {
    struct derived_ts *x = (struct derived_ts *)(void *)ts;
    derived_free(x->derived);
    x->source->ops->close(x->source);
    x->over.base->ops->close(x->over.base);
    free(x->known);
    free(x->none_visible);
    free(x);
}

/* ---- Nothing left out ---- */

static uint32_t expand_all(struct ts_worker *worker, struct ts_batch *batch) {
    struct derived_worker *w = really(worker);
    return w->x->over.base->ops->expand(w->over.base, batch);
}

static int may_change(struct ts_worker *worker, uint32_t p, uint32_t t, struct ts_fault *fault) {
    const struct derived_ts *x = really(worker)->x;
    uint32_t propositions = x->over.ts.propositions;
    enum unit_kind kind = p < propositions    ? UNIT_PROPOSITION
                          : p == propositions ? UNIT_MUST_PROGRESS
                                              : UNIT_MAY_PROGRESS;
    (void)fault;
    return derived_may_change(x->derived, kind, p < propositions ? p : 0, t);
}

static int observable(struct ts_worker *worker, uint32_t t, struct ts_fault *fault) {
    (void)fault;
    return derived_observable(really(worker)->x->derived, t);
}

static void let_watch(struct derived_ts *x) {
    struct ts *ts = &x->over.ts;
    x->known = memory_get((ts->propositions + UINT64_C(2)) * sizeof *x->known);
    memset(x->known, true, ts->propositions + UINT64_C(2));
    x->ops.expand = expand_all;
    x->ops.stubborn_set = NULL;
    x->ops.may_change = may_change;
    x->ops.observable = observable;
    ts->changes_known = x->known;
    ts->observable_known = ts->actions > 0;
}

/* ---- Opening ---- */

static void leave_out(struct derived_ts *x) {
    struct reduction *r = &x->over.ts.reduction;
    r->stubborn = true;
    r->method = METHOD_DELETION;
    r->preserve = x->endless ? PRESERVE_SAFETY : PRESERVE_DEADLOCKS;
}

static void let_written(struct derived_ts *x) {
    x->none_visible = memory_get_zeroed(x->over.base->transitions + UINT64_C(1));
    x->over.ts.features |= TS_OBLIGATIONS;
}

struct ts *derived_ts_open(struct ts *base, enum derived_ts_goal goal, struct effort *effort, struct problem *why) {
    struct source *source = base->ops->read ? base->ops->read(base, why) : NULL;
    if (!source) {
        if (!base->ops->read) problem_set(why, EXIT_BAD_INPUT, "%s: its code cannot be read", base->path);
        return base->ops->close(base), NULL;
    }
    struct derived_ts *x = memory_get_zeroed(sizeof *x);
    x->source = source;
    x->over.base = base;
    source->effort = effort;
    x->derived = derived_new(source, goal != DERIVED_TS_DEADLOCKS, DERIVED_BUDGET);
    source->effort = NULL;
    if (effort_look(effort)) {
        effort_problem(effort, "deriving stubborn sets", why);
        return close_derived(&x->over.ts), NULL;
    }
    x->ops = overlay_ops();
    x->ops.close = close_derived;
    x->ops.worker_new = worker_new;
    x->ops.worker_free = worker_free;
    x->ops.expand = expand;
    x->ops.classify = classify;
    x->ops.stubborn_set = stubborn_set;
    x->over.ts = *base;
    x->over.ts.ops = &x->ops;
    x->over.ts.takes_origins = false; /* what is left out is left out by sets */
    x->over.ts.features = (base->features & ~(unsigned)TS_OBLIGATIONS) | TS_CHOICE_OF_RULES;
    x->over.ts.derived = x->derived;
    x->endless = goal == DERIVED_TS_ENDLESS;
    if (goal == DERIVED_TS_WATCHED) let_watch(x);
    else leave_out(x);
    if (goal == DERIVED_TS_BOTH) let_written(x);
    return &x->over.ts;
}

bool derived_ts_proves_good(const struct ts *ts) { return ts->derived && derived_proves_good(ts->derived); }
