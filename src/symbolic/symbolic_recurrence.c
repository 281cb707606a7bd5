#include "symbolic/symbolic_recurrence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/rings.h"
#include "symbolic/symbolic_graph.h"

enum { TRIALS = 64 }; /* of nearest edges, whether they are on a cycle */

struct hunt {
    struct symbolic *s;
    struct ts_worker *w;
    const struct recurrence *q;
    struct trace *t;
    struct stop *stop;
    relation back;           /* of the transition */
    struct way way, forward; /* of all that are not excluded: backward, forward */
    mdd core, edges;         /* roots: the greatest set; its states with a step of the transition into it */
    word *head;
};

/* Both ways: what cannot come from a step of the transition is on no cycle with one either. */
static void shrink(struct hunt *h) {
    struct mdd_pool *m = &h->s->pool;
    mdd before = MDD_EMPTY;
    mdd_root(m, &before);
    h->core = h->s->reached;
    while (h->core != before && !m->stopped) {
        before = h->core;
        h->edges = relation_image(m, &h->s->relations, before, h->back);
        h->edges = mdd_intersect(m, h->edges, before);
        h->core = way_closure_within(m, &h->way, h->edges, before);
        mdd heads = relation_image(m, &h->s->relations, h->edges, h->s->event[h->q->transition]);
        heads = mdd_intersect(m, heads, h->core);
        h->core = way_closure_within(m, &h->forward, heads, h->core);
    }
    h->edges = mdd_intersect(m, h->edges, h->core);
    mdd_drop(m, 1);
}

/* Where the transition leads from the last state of the trace, into h->head. */
static bool find_head(struct hunt *h) {
    struct ts_fault fault = {.kind = TS_FINE};
    int fired = h->s->ts->ops->fire(h->w, trace_state(h->t, h->t->count - 1), h->q->transition, h->head, &fault);
    if (fired > 0) return true;
    *h->stop =
        fired < 0 ? (struct stop){.kind = STOP_FAULT, .fault = fault}
                  : (struct stop){.kind = STOP_LIMIT, .reason = "the model does not do what was derived from its code"};
    return false;
}

/* On from h->head, back to the last state of the trace: the cycle begins there. NONE: there is no way back. */
static enum outcome close_cycle(struct hunt *h) {
    struct mdd_pool *m = &h->s->pool;
    struct rings r = {0};
    uint64_t begin = h->t->count - 1;
    mdd goal = symbolic_one(h->s, trace_state(h->t, begin)), start = MDD_EMPTY;
    mdd_root(m, &goal);
    mdd_root(m, &start);
    start = symbolic_one(h->s, h->head);
    enum outcome there = rings_init(&r, h->s, &h->way, goal, h->s->reached, start);
    if (there == OUTCOME_FOUND) {
        trace_add(h->t, h->q->transition, h->head);
        if (!rings_follow(&r, h->w, h->q->excluded, h->t, h->stop)) there = OUTCOME_GIVEN_UP;
        h->t->cycle = begin;
        h->t->closing = h->t->transitions[--h->t->count]; /* the last state is the first of the cycle */
    } else if (there == OUTCOME_GIVEN_UP)
        *h->stop = (struct stop){.kind = STOP_LIMIT, .reason = symbolic_stopped(h->s)};
    rings_fini(&r);
    mdd_drop(m, 2);
    return there;
}

static void start_anew(struct hunt *h) {
    uint32_t words = h->t->words;
    trace_fini(h->t);
    trace_init(h->t, words);
}

/* The nearest edge that is on a cycle; of the first TRIALS that are in question. */
static enum outcome show_nearest(struct hunt *h, uint32_t trials) {
    struct mdd_pool *m = &h->s->pool;
    enum outcome there = OUTCOME_NONE;
    mdd tail = MDD_EMPTY;
    mdd_root(m, &tail);
    for (uint32_t i = 0; i < trials && there == OUTCOME_NONE; i++) {
        start_anew(h);
        if (symbolic_lead(h->s, h->w, h->edges, h->t, h->stop) != OUTCOME_FOUND || !find_head(h)) {
            there = OUTCOME_GIVEN_UP;
            break;
        }
        tail = symbolic_one(h->s, trace_state(h->t, h->t->count - 1));
        there = close_cycle(h);
        if (there == OUTCOME_NONE) h->edges = mdd_minus(m, h->edges, tail);
    }
    mdd_drop(m, 1);
    return there;
}

/* Edges of the last component: those from which all other edges that can be reached lead back. One that does not is
 * left for what comes after it. */
static enum outcome show_last(struct hunt *h) {
    struct mdd_pool *m = &h->s->pool;
    enum outcome there = OUTCOME_NONE;
    while (there == OUTCOME_NONE && h->edges != MDD_EMPTY && !m->stopped) {
        there = show_nearest(h, 1);
        if (there != OUTCOME_NONE) break;
        mdd after = symbolic_one(h->s, h->head);
        after = way_closure(m, &h->forward, after);
        h->edges = mdd_intersect(m, h->edges, after);
    }
    return there;
}

static enum outcome hunt(struct hunt *h) {
    shrink(h);
    if (symbolic_stopped(h->s)) {
        *h->stop = (struct stop){.kind = STOP_LIMIT, .reason = symbolic_stopped(h->s)};
        return OUTCOME_GIVEN_UP;
    }
    if (h->edges == MDD_EMPTY) return OUTCOME_NONE;
    *h->stop = (struct stop){.kind = STOP_DONE};
    enum outcome shown = show_nearest(h, TRIALS);
    if (shown == OUTCOME_NONE) shown = show_last(h);
    if (shown == OUTCOME_NONE) *h->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the cycle was not found again"};
    return OUTCOME_FOUND; /* there is one, even if it could not be shown */
}

enum outcome symbolic_recurrence(struct symbolic *s, struct ts_worker *w, const struct recurrence *q, struct trace *t,
                                 struct stop *stop) {
    struct hunt h = {.s = s, .w = w, .q = q, .t = t, .stop = stop};
    relation *list = memory_get((s->transitions + 1) * sizeof *list);
    relation *back = memory_get((s->transitions + 1) * sizeof *back);
    for (uint32_t u = 0; u < s->transitions; u++) {
        list[u] = q->excluded && q->excluded[u] ? RELATION_NONE : s->event[u];
        back[u] = relation_inverse(&s->relations, list[u]);
    }
    h.back = relation_inverse(&s->relations, s->event[q->transition]);
    h.head = memory_get(s->ts->words * sizeof *h.head);
    mdd_root(&s->pool, &h.core);
    mdd_root(&s->pool, &h.edges);
    enum outcome found = OUTCOME_GIVEN_UP;
    /* Results about a way of this number may still be in the cache: they are of another set of transitions. */
    mdd_forget(&s->pool);
    if (way_init(&h.way, &s->relations, 2, back, s->transitions) &&
        way_init(&h.forward, &s->relations, 3, list, s->transitions))
        found = hunt(&h);
    else *stop = (struct stop){.kind = STOP_LIMIT, .reason = symbolic_stopped(s)};
    way_fini(&h.way);
    way_fini(&h.forward);
    mdd_forget(&s->pool);
    mdd_drop(&s->pool, 2);
    free(list);
    free(back);
    free(h.head);
    return found;
}
