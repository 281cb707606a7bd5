#include "reduce/guided_ts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/guided.h"
#include "reduce/overlay.h"

struct guided_ts {
    struct overlay over; /* the first member */
    struct ts_ops ops;
    enum guided_ts_goal goal;
    bool *visible; /* by transition */
};

/* What a struct ts_worker of it really is. */
struct guided_worker {
    struct overlay_worker over; /* the first member */
    struct guided_ts *x;
    struct guided *guided;
    struct ts_batch batch; /* of the base */
    word *scratch;         /* a state */
    uint32_t *seen;        /* GUIDED_TS_ACTIONS: what is seen of the moves of the state at hand */
};

static struct guided_worker *really(struct ts_worker *w) { return (struct guided_worker *)(void *)w; }
static struct guided_ts *whole(const struct ts *ts) { return (struct guided_ts *)(void *)(uintptr_t)ts; }

/* ---- False claims ---- */

static bool accuse_must(struct ts_fault *fault, uint32_t t) {
    *fault = (struct ts_fault){.kind = TS_FALSE_CHANGES, .transition = t, .where = "CHANGES"};
    snprintf(fault->text, sizeof fault->text,
             "it says that this transition never changes must_progress, but in the last state that is shown it does");
    return false;
}

/* Of transition t in state s. Nobody else will show the state. */
static bool accuse_sight(struct guided_worker *w, const word *s, uint32_t t, const char *claim, const char *truth,
                         const char *of, struct ts_fault *fault) {
    struct ts *base = w->x->over.base;
    struct ts_fault ignored;
    char name[64], *state = NULL;
    size_t size;
    FILE *out = open_memstream(&state, &size);
    base->ops->transition_name(w->over.base, t, name, sizeof name);
    if (!base->ops->print(w->over.base, s, NULL, out, &ignored)) fputs("some state", out);
    fclose(out);
    *fault = (struct ts_fault){.kind = TS_FALSE_CHANGES, .transition = t, .where = "observable"};
    snprintf(fault->text, sizeof fault->text, "it says that transition %u (%s) %s, but in %.100s it %s %s", t, name,
             claim, state, truth, of);
    free(state);
    return false;
}

/* Whether must_progress holds in a state. */
static bool ask_must(struct guided_worker *w, const word *s, bool *holds, struct ts_fault *fault) {
    uint8_t class = 0;
    struct ts_batch one = {.sources = s, .count = 1, .wanted = TS_MUST, .capacity = 1, .classes = &class};
    if (w->x->over.base->ops->classify(w->over.base, &one) < 1) return *fault = one.fault, false;
    *holds = class & TS_MUST;
    return true;
}

/* The moves [begin, end) of a state where must_progress holds or not: does one that is invisible change that? Model
 * code that fails in the next state is told when that is expanded. */
static bool must_is_true(struct guided_worker *w, uint32_t begin, uint32_t end, bool holds, struct ts_fault *fault) {
    for (uint32_t e = begin; e < end; e++) {
        struct ts_fault ignored;
        bool after;
        if (w->x->visible[w->batch.labels[e]]) continue;
        const word *to = w->batch.successors + (size_t)e * w->x->over.base->words;
        if (ask_must(w, to, &after, &ignored) && after != holds) return accuse_must(fault, w->batch.labels[e]);
    }
    return true;
}

/* After the invisible move e, is the visible move f, which is [f] in `seen`, seen as before? */
static bool unseen_keeps(struct guided_worker *w, const word *s, uint32_t e, uint32_t f, uint32_t seen,
                         struct ts_fault *fault) {
    struct ts *base = w->x->over.base;
    struct ts_fault ignored;
    const word *to = w->batch.successors + (size_t)e * base->words;
    uint32_t t = w->batch.labels[f];
    char name[64];
    if (base->ops->fire(w->over.base, to, t, w->scratch, &ignored) != 1) return true;
    uint32_t after = base->ops->action(w->over.base, to, t, &ignored);
    if (after == TS_NONE || after == seen) return true;
    base->ops->transition_name(w->over.base, t, name, sizeof name);
    return accuse_sight(w, s, w->batch.labels[e], "has nothing to do with what is seen", "changes what is seen of",
                        name, fault);
}

/* The moves [begin, end) of s: is one seen that is said not to be, or does one change what is seen of another? */
static bool sight_is_true(struct guided_worker *w, const word *s, uint32_t begin, uint32_t end,
                          struct ts_fault *fault) {
    struct ts *base = w->x->over.base;
    for (uint32_t e = begin; e < end; e++) {
        uint32_t t = w->batch.labels[e], action = base->ops->action(w->over.base, s, t, fault);
        if (action == TS_NONE) return false;
        w->seen[e - begin] = action;
        if (action == 0 || w->x->visible[t]) continue;
        return accuse_sight(w, s, t, "is never seen", "is seen as",
                            base->ops->action_name ? base->ops->action_name(base, action) : base->action_names[action],
                            fault);
    }
    for (uint32_t e = begin; e < end; e++)
        for (uint32_t f = begin; f < end && !w->x->visible[w->batch.labels[e]]; f++)
            if (w->x->visible[w->batch.labels[f]] && !unseen_keeps(w, s, e, f, w->seen[f - begin], fault)) return false;
    return true;
}

/* ---- Sets ---- */

/* The set of a state whose moves are [begin, end) of the batch. */
static bool choose(struct guided_worker *w, const word *s, uint32_t begin, uint32_t end, struct ts_fault *fault) {
    struct guided_watch watch = {.needs = GUIDED_ENABLED};
    bool checked = !w->x->over.base->fast;
    if (w->x->goal != GUIDED_TS_ACTIONS) {
        bool holds;
        watch.endless = w->x->goal == GUIDED_TS_MUST_ENDLESS;
        if (!ask_must(w, s, &holds, fault)) return false;
        watch.needs |= holds ? GUIDED_VISIBLE : GUIDED_INVISIBLE;
        if (checked && !must_is_true(w, begin, end, holds, fault)) return false;
    } else if (checked && w->x->over.base->observable_known && !sight_is_true(w, s, begin, end, fault)) {
        return false;
    }
    return guided_choose(w->guided, w->over.base, s, w->batch.labels + begin, end - begin, &watch, fault);
}

static uint32_t fail(struct ts_batch *batch, const struct ts_fault *fault, uint32_t source) {
    if (fault != &batch->fault) batch->fault = *fault;
    batch->fault.source = source;
    return source;
}

static void make_room(struct guided_worker *w, uint32_t states) {
    if (w->batch.capacity >= states) return;
    ts_batch_fini(&w->batch);
    ts_batch_init(&w->batch, w->x->over.base, states);
}

static uint32_t expand(struct ts_worker *worker, struct ts_batch *batch) {
    struct guided_worker *w = really(worker);
    const struct ts *base = w->x->over.base;
    uint32_t made = 0;
    make_room(w, batch->count);
    w->batch.sources = batch->sources;
    w->batch.count = batch->count;
    uint32_t done = base->ops->expand(w->over.base, &w->batch);
    for (uint32_t i = 0, begin = 0; i < done; begin = w->batch.ends[i++]) {
        uint32_t end = w->batch.ends[i];
        if (!choose(w, batch->sources + (size_t)i * base->words, begin, end, &batch->fault))
            return fail(batch, &batch->fault, i);
        for (uint32_t e = begin; e < end; e++) {
            if (!guided_has(w->guided, w->batch.labels[e])) continue;
            batch->labels[made] = w->batch.labels[e];
            memcpy(batch->successors + (size_t)made * base->words, w->batch.successors + (size_t)e * base->words,
                   base->words * sizeof(word));
            made++;
        }
        assert(begin == end || made > (i ? batch->ends[i - 1] : 0)); /* D0 */
        batch->ends[i] = made;
    }
    return done < batch->count ? fail(batch, &w->batch.fault, done) : done;
}

static bool stubborn_set(struct ts_worker *worker, const word *s, uint32_t *list, uint32_t *count,
                         struct ts_fault *fault) {
    struct guided_worker *w = really(worker);
    const struct ts *base = w->x->over.base;
    *count = 0;
    w->batch.sources = s;
    w->batch.count = 1;
    if (base->ops->expand(w->over.base, &w->batch) < 1) return *fault = w->batch.fault, false;
    uint32_t moves = w->batch.ends[0];
    if (moves == 0) return true;
    if (!choose(w, s, 0, moves, fault)) return false;
    for (uint32_t t = 0; t < base->transitions; t++)
        if (guided_has(w->guided, t)) list[(*count)++] = t;
    return true;
}

/* ---- Making and closing ---- */

static struct ts_worker *worker_new(struct ts *ts) {
    struct guided_ts *x = whole(ts);
    struct guided_worker *w = memory_get_zeroed(sizeof *w);
    w->x = x;
    w->over.x = &x->over;
    w->over.base = x->over.base->ops->worker_new(x->over.base);
    w->guided = guided_new(x->over.base, x->visible);
    w->scratch = memory_get((x->over.base->words + UINT64_C(1)) * sizeof *w->scratch);
    w->seen = memory_get((x->over.base->transitions + UINT64_C(1)) * sizeof *w->seen);
    make_room(w, 1);
    return (struct ts_worker *)(void *)w;
}

static void worker_free(struct ts_worker *worker) {
    struct guided_worker *w = really(worker);
    ts_batch_fini(&w->batch);
    guided_free(w->guided);
    w->x->over.base->ops->worker_free(w->over.base);
    free(w->scratch);
    free(w->seen);
    free(w);
}

static void close_guided(struct ts *ts) {
    struct guided_ts *x = whole(ts);
    x->over.base->ops->close(x->over.base);
    free(x->visible);
    free(x);
}

/* By GUIDED_TS_...: may t be seen, or change must_progress? -1: fault. */
static int is_visible(struct guided_ts *x, struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    struct ts *base = x->over.base;
    if (x->goal != GUIDED_TS_ACTIONS)
        return guided_ts_knows_must(base) ? base->ops->may_change(w, base->propositions, t, fault) : 1;
    return base->observable_known ? base->ops->observable(w, t, fault) : 1;
}

bool guided_ts_knows_must(const struct ts *ts) {
    return ts_has(ts, TS_MUST_PROGRESS) && ts->changes_known && ts->changes_known[ts->propositions];
}

struct ts *guided_ts_open(struct ts *base, enum guided_ts_goal goal, struct problem *why) {
    struct guided_ts *x = memory_get_zeroed(sizeof *x);
    struct ts_fault fault = {.text = ""};
    x->over.ts = *base;
    x->ops = overlay_ops();
    x->ops.close = close_guided;
    x->ops.worker_new = worker_new;
    x->ops.worker_free = worker_free;
    x->ops.expand = expand;
    x->ops.stubborn_set = stubborn_set;
    x->over.ts.ops = &x->ops;
    x->over.ts.takes_origins = false; /* what is left out is left out by sets */
    x->over.ts.reduction.stubborn = true;
    x->over.ts.reduction.preserve = goal == GUIDED_TS_ACTIONS        ? PRESERVE_DEADLOCK_TRACES
                                    : goal == GUIDED_TS_MUST_ENDLESS ? PRESERVE_SAFETY
                                                                     : PRESERVE_DEADLOCKS;
    x->over.ts.reduction.method = METHOD_CHEAPEST; /* of all closures, the least */
    x->over.ts.reduction.progress = goal != GUIDED_TS_ACTIONS;
    x->over.base = base;
    x->goal = goal;
    x->visible = memory_get_zeroed(base->transitions + UINT64_C(1));
    struct ts_worker *w = base->ops->worker_new(base);
    int visible = 0;
    for (uint32_t t = 0; t < base->transitions && visible >= 0; t++)
        x->visible[t] = (visible = is_visible(x, w, t, &fault)) > 0;
    if (visible < 0)
        problem_set(why, EXIT_BAD_INPUT, "%s: %s in transition %u: %s", base->path, fault.where, fault.transition,
                    fault.text);
    base->ops->worker_free(w);
    if (visible < 0) return close_guided(&x->over.ts), NULL;
    return &x->over.ts;
}
