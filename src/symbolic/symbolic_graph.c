#include "symbolic/symbolic_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/way.h"
#include "symbolic/rings.h"
#include "symbolic/symbolic_ctl.h"
#include "symbolic/symbolic_recurrence.h"
#include "ts/valuation.h"

static bool give_up(struct stop *stop, const char *reason) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static bool is_over(const struct symbolic *s, struct stop *stop) {
    const char *reason = symbolic_stopped(s);
    return reason && !give_up(stop, reason);
}

/* ---- Nodes ---- */

static uint64_t tell(struct symbolic_graph *own, const word *state) {
    uint32_t words = own->s->ts->words;
    if (own->count == own->room) {
        own->room = 2 * own->room + 16;
        own->told = memory_resize(own->told, own->room * words * sizeof *own->told);
    }
    memcpy(own->told + own->count * words, state, words * sizeof *state);
    return own->count++;
}

static bool state_of(struct state_graph *g, uint64_t node, word *state) {
    const struct symbolic_graph *own = g->own;
    uint32_t words = own->s->ts->words;
    assert(node < own->count);
    memcpy(state, own->told + node * words, words * sizeof *state);
    return true;
}

/* ---- Executions ---- */

enum outcome symbolic_lead(struct symbolic *s, struct ts_worker *w, mdd set, struct trace *t, struct stop *stop) {
    struct rings r;
    enum outcome there = rings_init(&r, s, &s->backward, set, s->reached, s->initial);
    *stop = (struct stop){.kind = STOP_DONE};
    if (there == OUTCOME_FOUND) {
        trace_add(t, TS_NONE, s->source->initial);
        if (!rings_follow(&r, w, NULL, t, stop)) there = OUTCOME_GIVEN_UP;
    } else if (is_over(s, stop)) there = OUTCOME_GIVEN_UP;
    rings_fini(&r);
    return there;
}

static bool way(struct state_graph *g, uint64_t node, struct trace *t, struct stop *stop) {
    struct symbolic_graph *own = g->own;
    mdd one = symbolic_one(own->s, own->told + node * own->s->ts->words);
    mdd_root(&own->s->pool, &one);
    enum outcome there = symbolic_lead(own->s, g->worker, one, t, stop);
    mdd_drop(&own->s->pool, 1);
    return there == OUTCOME_FOUND || (stop->kind == STOP_DONE && give_up(stop, "the way back was not found"));
}

static bool is_reached(const void *context, const word *state) {
    const struct symbolic *s = context;
    return symbolic_has(s, s->reached, state);
}

static bool walk_on(struct state_graph *g, const struct node_set *through, bool moving, struct trace *t,
                    struct stop *stop) {
    struct symbolic_graph *own = g->own;
    const struct node_set known = {is_reached, own->s};
    return trace_walk_known(t, own->space, &known, through, moving, stop);
}

/* ---- Marks ---- */

struct marks {
    struct symbolic *s;
    mdd unmarked; /* a root */
};

static void forget(struct marks *m) {
    mdd_unroot(&m->s->pool, &m->unmarked);
    free(m);
}

static bool is_unmarked(const void *context, const word *state) {
    const struct marks *m = context;
    return symbolic_has(m->s, m->unmarked, state);
}

enum outcome symbolic_class(struct symbolic *s, unsigned classes, mdd among, mdd *found, struct stop *stop) {
    static const unsigned known[] = {TS_MAY, TS_MUST, TS_NAMED};
    mdd all = MDD_EMPTY, within = among, unknown = MDD_EMPTY;
    mdd_root(&s->pool, &all);
    mdd_root(&s->pool, &within);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!(classes & known[i])) continue;
        uint32_t root = known[i] == TS_MAY ? s->views.may : s->views.must, number = s->ts->named;
        if (known[i] == TS_NAMED && number < s->ts->propositions) root = s->views.proposition[number];
        if (known[i] == TS_NAMED && number >= s->ts->propositions)
            root = number == valuation_of_class(s->ts, TS_MAY) ? s->views.may : s->views.must;
        unknown = symbolic_where(s, root, within, LEAVES_UNKNOWN);
        if (unknown != MDD_EMPTY) break;
        all = mdd_union(&s->pool, all, symbolic_where(s, root, within, LEAVES_TRUE));
    }
    mdd_drop(&s->pool, 2);
    *found = all;
    *stop = (struct stop){.kind = STOP_DONE};
    if (!is_over(s, stop) && unknown != MDD_EMPTY)
        give_up(stop, "in a state that is reached, a progress check or proposition fails, or what it answers is not "
                      "known from its code; decision diagrams cannot go on");
    return stop->kind == STOP_DONE ? OUTCOME_FOUND : OUTCOME_GIVEN_UP;
}

mdd symbolic_staying(struct symbolic *s, mdd within, mdd terminal) {
    struct mdd_pool *m = &s->pool;
    mdd all = within, before = MDD_EMPTY, ends = terminal;
    mdd_root(m, &all);
    mdd_root(m, &before);
    mdd_root(m, &ends);
    while (all != before && !m->stopped) {
        before = all;
        all = way_image(m, &s->backward, before);
        all = mdd_union(m, all, ends);
        all = mdd_intersect(m, all, before);
    }
    mdd_drop(m, 3);
    return all;
}

static mdd losing(struct symbolic *s, const struct backward *q, mdd targets, mdd terminal) {
    struct mdd_pool *m = &s->pool;
    if (q->kind == BACKWARD_ALL) return symbolic_staying(s, mdd_minus(m, s->reached, targets), terminal);
    return mdd_minus(m, s->reached, way_closure_within(m, &s->backward, targets, s->reached));
}

static enum outcome backward(struct state_graph *g, struct backward *q, struct stop *stop) {
    struct symbolic *s = ((struct symbolic_graph *)g->own)->s;
    mdd targets = MDD_EMPTY, terminal = MDD_EMPTY;
    if (!q->marks) {
        q->marks = memory_get_zeroed(sizeof *q->marks);
        q->marks->s = s;
        mdd_root(&s->pool, &q->marks->unmarked);
    }
    mdd_root(&s->pool, &targets);
    mdd_root(&s->pool, &terminal);
    enum outcome known = symbolic_class(s, q->target, s->reached, &targets, stop);
    if (known == OUTCOME_FOUND) {
        terminal = symbolic_terminal(s);
        if (q->terminal_is_target) targets = mdd_union(&s->pool, targets, terminal);
        q->marks->unmarked = losing(s, q, targets, terminal);
    }
    mdd_unroot(&s->pool, &targets);
    mdd_unroot(&s->pool, &terminal);
    q->unmarked = (struct node_set){is_unmarked, q->marks};
    if (known != OUTCOME_FOUND || is_over(s, stop)) return OUTCOME_GIVEN_UP;
    return q->marks->unmarked != MDD_EMPTY ? OUTCOME_FOUND : OUTCOME_NONE;
}

static bool nearest(struct state_graph *g, struct backward *q, uint64_t *node, struct stop *stop) {
    struct symbolic_graph *own = g->own;
    struct trace t;
    trace_init(&t, own->s->ts->words);
    enum outcome there = symbolic_lead(own->s, g->worker, q->marks->unmarked, &t, stop);
    if (there == OUTCOME_FOUND) *node = tell(own, trace_state(&t, t.count - 1));
    else if (stop->kind == STOP_DONE) give_up(stop, "the way back was not found");
    trace_fini(&t);
    return there == OUTCOME_FOUND;
}

/* ---- What is not answered ---- */

static bool no_bottoms(struct state_graph *g, struct terminal_sets *t, struct stop *stop) {
    (void)g, (void)t;
    return give_up(stop, "decision diagrams do not know bottom components");
}

static bool no_bottom_nodes(struct state_graph *g, const struct backward *q, const char *phase, struct bottom_nodes *b,
                            struct stop *stop) {
    (void)g, (void)q, (void)phase, (void)b;
    return give_up(stop, "decision diagrams do not know bottom components");
}

static enum outcome no_shortest(struct state_graph *g, const struct shortest_lasso *q, struct trace *t,
                                struct stop *stop) {
    (void)g, (void)q, (void)t;
    give_up(stop, "decision diagrams do not know shortest cycles");
    return OUTCOME_GIVEN_UP;
}

static enum outcome recurrence(struct state_graph *g, struct recurrence *q, struct trace *t, struct stop *stop) {
    return symbolic_recurrence(((struct symbolic_graph *)g->own)->s, g->worker, q, t, stop);
}

static enum outcome ctl(struct state_graph *g, const struct ctl *f, struct trace *t, struct stop *stop) {
    return symbolic_ctl(g, ((struct symbolic_graph *)g->own)->s, f, t, stop);
}

static const struct graph_ops ops = {
    .backward = backward,
    .forget = forget,
    .nearest = nearest,
    .bottoms = no_bottoms,
    .bottom_nodes = no_bottom_nodes,
    .state = state_of,
    .way = way,
    .walk_on = walk_on,
    .recurrence = recurrence,
    .shortest = no_shortest,
    .ctl = ctl,
};

void symbolic_graph_init(struct state_graph *g, struct symbolic_graph *own, struct symbolic *s, struct space *space) {
    *own = (struct symbolic_graph){.s = s, .space = space};
    *g = (struct state_graph){.ops = &ops, .ts = s->ts, .worker = space->worker, .own = own};
}

void symbolic_graph_fini(struct symbolic_graph *own) {
    free(own->told);
    *own = (struct symbolic_graph){0};
}
