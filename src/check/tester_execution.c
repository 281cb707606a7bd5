#include "check/tester_execution.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What the tester sees of a step from state `from`, to be freed; NULL: nothing. */
static char *action_of(const struct trace *t, uint64_t from, uint32_t transition, struct tester_product *p,
                       struct ts_worker *w) {
    const struct ts *base = p->p.base;
    struct ts_fault fault;
    if (transition >= base->transitions) return NULL;
    uint32_t action = base->ops->action(w, trace_state(t, from), transition, &fault);
    if (action == TS_NONE || tester_product_letter(p, action) == LTS_TAU) return NULL;
    return memory_copy_string(base->action_names[action]);
}

void tester_trace(struct trace *t, const struct trace *lasso, struct tester_product *tp, struct ts_worker *w) {
    const struct product *p = &tp->p;
    struct trace_notes *n = memory_get_zeroed(sizeof *n);
    word *model = memory_get(p->base->words * sizeof(word));
    names_init(&n->propositions);
    names_init(&n->extra);
    names_add(&n->extra, "(tau of the tester)"); /* in the order of TESTER_MOVE_... */
    names_add(&n->extra, "(END)");
    names_add(&n->extra, "(ERROR)");
    assert(n->extra.count == TESTER_MOVES);
    n->extra_from = p->base->transitions;
    n->valuations = memory_get_zeroed((lasso->count + 1) * sizeof *n->valuations);
    n->beside = memory_get_zeroed((lasso->count + 1) * sizeof *n->beside);
    n->seen = memory_get_zeroed((lasso->count + 1) * sizeof *n->seen);
    for (uint64_t i = 0; i < lasso->count; i++) {
        const word *s = trace_state(lasso, i);
        product_model(p, s, model);
        trace_add(t, i == 0 ? TS_NONE : product_move(p, lasso->transitions[i]), model);
        n->beside[n->beside_count++] = memory_copy_string(tp->tester->state_name[product_state(p, s)]);
        if (i > 0) n->seen[i] = action_of(t, i - 1, t->transitions[i], tp, w);
    }
    t->notes = n;
    t->cycle = lasso->cycle;
    free(model);
    if (lasso->cycle == TRACE_NONE) return;
    t->closing = product_move(p, lasso->closing);
    n->seen[t->count] = action_of(t, t->count - 1, t->closing, tp, w);
}

/* ---- A second opinion ---- */

struct opinion {
    struct trace *t;
    struct ts *ts;
    struct ts_worker *w;
    const struct tester *tester;
    struct numbers stem, cycle;               /* what is seen: labels of the tester */
    bool still;                               /* nothing but invisible moves of the model in the cycle */
    bool *in;                                 /* the states in which the tester may be after the stem */
    const volatile sig_atomic_t *interrupted; /* or NULL */
    bool given_up;                            /* it was, before there was an opinion */
};

static bool is_interrupted(struct opinion *o) {
    if (o->interrupted && *o->interrupted) o->given_up = true;
    return o->given_up;
}

/* What is seen of a move; TS_NONE: the model failed. */
static uint32_t seen_as(const struct opinion *o, const word *s, uint32_t transition) {
    struct ts_fault fault;
    uint32_t action = o->ts->ops->action(o->w, s, transition, &fault);
    if (action == TS_NONE) return TS_NONE;
    if (action == 0 || (o->ts->action_hidden && o->ts->action_hidden[action])) return LTS_TAU;
    return tester_sees(o->tester, o->ts->action_names[action]);
}

/* What is seen of a state without moves; TS_NONE: the model failed. */
static uint32_t end_seen_as(const struct opinion *o, const word *s, uint32_t *move) {
    struct ts_fault fault;
    uint32_t label;
    return tester_product_end(o->tester, o->ts, o->w, s, move, &label, &fault) ? label : TS_NONE;
}

/* The move of the model that is none of its transitions: it must really have ended. */
static bool see_end(struct opinion *o, const word *s, uint32_t transition, bool in_cycle) {
    uint32_t move = TESTER_MOVES, label = end_seen_as(o, s, &move);
    if (label == TS_NONE || label == LTS_TAU || move != transition - o->ts->transitions) return false;
    numbers_add(in_cycle ? &o->cycle : &o->stem, label);
    if (in_cycle) o->still = false;
    return true;
}

/* State `from` of the trace, and the transition from there. */
static bool see(struct opinion *o, uint64_t from, uint32_t transition, bool in_cycle) {
    if (transition > o->ts->transitions + TESTER_MOVE_TAU)
        return see_end(o, trace_state(o->t, from), transition, in_cycle);
    if (transition >= o->ts->transitions) {
        if (in_cycle) o->still = false;
        return true; /* the tester's own */
    }
    uint32_t label = seen_as(o, trace_state(o->t, from), transition);
    if (label == TS_NONE) return false;
    if (label == LTS_TAU) return true;
    numbers_add(in_cycle ? &o->cycle : &o->stem, label);
    if (in_cycle) o->still = false;
    return true;
}

static bool see_all(struct opinion *o) {
    const struct trace *t = o->t;
    bool good = true;
    o->still = t->cycle != TRACE_NONE;
    for (uint64_t i = 1; good && i < t->count; i++) good = see(o, i - 1, t->transitions[i], i > t->cycle);
    return good && (t->cycle == TRACE_NONE || see(o, t->count - 1, t->closing, true));
}

/* A set of states of the tester. What is done with it takes no longer than it has states. */
struct set {
    bool *has;
    uint32_t *at, count;
};

static struct set set_get(uint32_t states) {
    return (struct set){memory_get_zeroed(states), memory_get(states * sizeof(uint32_t)), 0};
}

static void set_free(struct set *x) {
    free(x->has);
    free(x->at);
}

static void set_add(struct set *x, uint32_t state) {
    if (!x->has[state]) x->at[x->count++] = state;
    x->has[state] = true;
}

static void set_clear(struct set *x) {
    while (x->count > 0) x->has[x->at[--x->count]] = false;
}

/* Adds where this label leads to from the states of a set, which may be the same one and grow on the way. */
static void set_add_after(struct set *to, const struct set *from, const struct lts *l, uint64_t label) {
    for (uint32_t i = 0; i < from->count; i++)
        for (const struct lts_edge *e = lts_begin(l, from->at[i]); e < lts_end(l, from->at[i]); e++)
            if (e->label == label) set_add(to, e->target);
}

static void run_tester(struct opinion *o) {
    const struct lts *l = &o->tester->lts;
    struct set now = set_get(l->states), next = set_get(l->states);
    set_add(&now, l->initial);
    set_add_after(&now, &now, l, LTS_TAU);
    for (size_t i = 0; i < o->stem.count && !is_interrupted(o); i++) {
        struct set swap = now;
        set_clear(&next);
        set_add_after(&next, &now, l, o->stem.at[i]);
        set_add_after(&next, &next, l, LTS_TAU);
        now = next;
        next = swap;
    }
    memcpy(o->in, now.has, l->states);
    set_free(&now);
    set_free(&next);
}

static bool may_be_in(const struct opinion *o, enum tester_kind kind) {
    for (uint32_t s = 0; s < o->tester->lts.states; s++)
        if (o->in[s] && (o->tester->kinds[s] & kind)) return true;
    return false;
}

/* A stable state of the model, and a deadlock monitor, that have no action in common. */
static bool is_stuck(const struct opinion *o) {
    const struct lts *l = &o->tester->lts;
    const word *s = trace_state(o->t, o->t->count - 1);
    word *to = memory_get(o->ts->words * sizeof *to);
    bool *can = memory_get_zeroed(l->labels.count), stuck = false;
    struct ts_fault fault;
    uint32_t moves = 0, move;
    for (uint32_t t = 0; t < o->ts->transitions; t++)
        if (o->ts->ops->fire(o->w, s, t, to, &fault) != 0) {
            uint32_t label = seen_as(o, s, t);
            can[label == TS_NONE ? LTS_TAU : label] = true;
            moves++;
        }
    uint32_t ending = moves ? LTS_TAU : end_seen_as(o, s, &move);
    if (ending == TS_NONE) can[LTS_TAU] = true; /* the model fails: no opinion */
    else if (ending != LTS_TAU) can[ending] = true;
    for (uint32_t q = 0; q < l->states && !can[LTS_TAU]; q++) {
        bool goes_on = !o->in[q] || !(o->tester->kinds[q] & TESTER_DEADLOCK);
        for (const struct lts_edge *e = lts_begin(l, q); e < lts_end(l, q); e++)
            goes_on |= e->label == LTS_TAU || can[e->label];
        stuck |= !goes_on;
    }
    free(to);
    free(can);
    return stuck;
}

/* ---- Runs that go on for ever: nodes are pairs of a position in the cycle and a state ---- */

struct rounds {
    struct opinion *o;
    const struct lts *l;
    const struct numbers *cycle;
    uint8_t *keep, *back;
};

/* The node that an edge leads to, or SIZE_MAX if it is not for this position. */
static size_t node_after(const struct rounds *r, size_t at, const struct lts_edge *e) {
    if (e->label == LTS_TAU) return at * r->l->states + e->target;
    if (e->label != r->cycle->at[at]) return SIZE_MAX;
    return (at + 1) % r->cycle->count * r->l->states + e->target;
}

/* One round over all edges between nodes to keep: forward marks what is reached, backward what reaches. */
static bool spread(const struct rounds *r, uint8_t *mark, bool backward) {
    bool more = false;
    for (size_t at = 0; at < r->cycle->count && !is_interrupted(r->o); at++)
        for (uint32_t s = 0; s < r->l->states; s++)
            for (const struct lts_edge *e = lts_begin(r->l, s); e < lts_end(r->l, s); e++) {
                size_t from = at * r->l->states + s, to = node_after(r, at, e);
                if (to == SIZE_MAX || (backward && (!r->keep[from] || !r->keep[to]))) continue;
                size_t source = backward ? to : from, target = backward ? from : to;
                if (mark[source] && !mark[target]) mark[target] = more = true;
            }
    return more;
}

/* Leaves what can get to a monitor by one edge or more, until nothing changes. Then a run goes through monitors for
 * ever if anything is left. */
static bool goes_round(struct opinion *o) {
    const struct lts *l = &o->tester->lts;
    size_t nodes = o->cycle.count * l->states;
    struct rounds r = {o, l, &o->cycle, memory_get_zeroed(nodes + 1), memory_get_zeroed(nodes + 1)};
    bool left = false, changed = nodes > 0;
    for (uint32_t s = 0; nodes > 0 && s < l->states; s++) r.keep[s] = o->in[s];
    while (nodes > 0 && !is_interrupted(o) && spread(&r, r.keep, false)) {}
    while (changed && !is_interrupted(o)) {
        memset(r.back, 0, nodes);
        for (size_t at = 0; at < o->cycle.count; at++) /* nodes with an edge to a monitor */
            for (uint32_t s = 0; s < l->states; s++)
                for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
                    size_t to = node_after(&r, at, e), from = at * l->states + s;
                    if (to != SIZE_MAX && r.keep[from] && r.keep[to] && (o->tester->kinds[e->target] & TESTER_INFINITE))
                        r.back[from] = 1;
                }
        while (!is_interrupted(o) && spread(&r, r.back, true)) {}
        changed = left = false;
        for (size_t i = 0; i < nodes; i++) {
            changed |= r.keep[i] && !r.back[i];
            r.keep[i] = r.keep[i] && r.back[i];
            left |= r.keep[i];
        }
    }
    free(r.keep);
    free(r.back);
    return left;
}

static const char *objection(struct opinion *o, enum tester_kind kind) {
    switch (kind) {
    case TESTER_REJECT:
        return may_be_in(o, kind) ? NULL : "the tester does not get into a reject state by what is seen";
    case TESTER_DEADLOCK: return is_stuck(o) ? NULL : "something can still occur";
    case TESTER_LIVELOCK:
        if (!o->still) return "the cycle can be seen";
        return may_be_in(o, kind) ? NULL : "the tester does not get into a livelock monitor by what is seen";
    case TESTER_INFINITE:
        return goes_round(o) ? NULL : "the tester does not go through infinite-trace monitors for ever";
    }
    return "there is no such error";
}

enum belief tester_trace_believe(struct trace *t, struct ts *ts, struct ts_worker *w, const struct tester *tester,
                                 enum tester_kind kind, const volatile sig_atomic_t *interrupted, struct problem *why) {
    struct opinion o = {.t = t, .ts = ts, .w = w, .tester = tester, .interrupted = interrupted};
    if (!trace_replay(t, ts, w, why)) return BELIEF_NO;
    o.in = memory_get_zeroed(tester->lts.states);
    const char *doubt = see_all(&o) ? NULL : "the model fails";
    if (!doubt) run_tester(&o);
    if (!doubt) doubt = objection(&o, kind);
    free(o.in);
    numbers_fini(&o.stem);
    numbers_fini(&o.cycle);
    if (o.given_up) return BELIEF_GIVEN_UP;
    if (doubt) problem_set(why, EXIT_INTERNAL, "%s", doubt);
    return doubt ? BELIEF_NO : BELIEF_YES;
}
