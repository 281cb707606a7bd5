#include "check/continuation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "explore/bfs.h"
#include "graph/explicit.h"
#include "ts/unreduced.h"

/* What can be reached from the point of no return, and its components that cannot be left. */
struct after {
    struct space s;
    struct state_graph graph;
    struct bottom_nodes bottoms;
    struct ts *base; /* the system that the trace is of, and a worker of it */
    struct ts_worker *base_worker;
    struct stop stop;
};

/* Is a state of the trace, which need not be a representative, in such a component? */
static bool is_bottom(struct after *a, const word *state) {
    const struct node_set *inside = &a->bottoms.inside;
    word *image = memory_get(a->base->words * sizeof(word));
    struct ts_fault fault;
    memcpy(image, state, a->base->words * sizeof(word));
    bool good = !a->base->reduction.symmetry || a->base->ops->representative(a->base_worker, state, image, &fault);
    good = good && inside->has(inside->context, image);
    free(image);
    return good;
}

/* False: it is not known. */
static bool explore(struct after *a, const word *start) {
    const struct bfs_goals none = {0};
    a->s.edges_kept = true;
    bfs_run(&a->s, start, &none, &a->stop);
    return a->stop.kind == STOP_DONE && graph_bottom_nodes(&a->graph, NULL, "counterexample", &a->bottoms, &a->stop) &&
           a->bottoms.first.count > 0;
}

/* From the last state of the trace, which is in such a component, until a state comes again, or to a terminal state.
 * False: given up. */
static bool go_round(struct after *a, struct trace *t) { return graph_walk_on(&a->graph, NULL, true, t, &a->stop); }

/* Does anything but a self-loop lead on from the last state of the trace? */
static enum outcome moves_on(struct after *a, const struct trace *t) {
    struct trace on;
    trace_init(&on, t->words);
    trace_add(&on, TS_NONE, trace_state(t, t->count - 1));
    bool good = go_round(a, &on), moves = on.count > 1;
    trace_fini(&on);
    return !good ? OUTCOME_GIVEN_UP : moves ? OUTCOME_FOUND : OUTCOME_NONE;
}

/* Does the trace end in such a component already, and not in a self-loop where there is more? NONE: it does not. */
static enum outcome ends_well(struct after *a, const struct trace *t) {
    uint64_t last = t->count - 1;
    if (!is_bottom(a, trace_state(t, last))) return OUTCOME_NONE;
    if (t->cycle != last) return OUTCOME_FOUND;
    enum outcome more = moves_on(a, t);
    return more == OUTCOME_FOUND ? OUTCOME_NONE : more == OUTCOME_NONE ? OUTCOME_FOUND : OUTCOME_GIVEN_UP;
}

/* Replaces what comes after the point of no return. False: the trace is as it was. */
static bool replace(struct after *a, struct trace *t) {
    struct trace way, made;
    trace_init(&way, t->words);
    trace_init(&made, t->words);
    bool good = graph_way(&a->graph, a->bottoms.first.at[0], &way, &a->stop);
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
    struct after a = {.base = s->ts, .base_worker = s->worker};
    struct ts_full full;
    struct limits limits = s->limits;
    struct problem why = {0};
    enum bottom result = BOTTOM_UNKNOWN;
    assert(t->no_return < t->count);
    limits.max_states = BOTTOM_STATES;
    ts_full_init(&full, s->ts);
    struct ts_worker *w = ts_full_worker(&full, s->worker);
    bool reduced = s->ts->reduction.stubborn;
    if (space_init(&a.s, reduced ? &full.ts : s->ts, reduced ? w : s->worker, &limits, NULL, &why)) {
        a.s.ticker = s->ticker;
        explicit_graph_init(&a.graph, &a.s);
        result = lead(&a, t);
        bottom_nodes_fini(&a.bottoms);
        space_fini(&a.s);
    }
    problem_fini(&why);
    free(w);
    return result;
}
