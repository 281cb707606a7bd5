/* Checks by decision diagrams: the order of things is that of check.c; here is what a search does on the way. */
#include <stdlib.h>

#include "base/effort.h"
#include "check/answer.h"
#include "explore/terminal_error.h"
#include "symbolic/symbolic_graph.h"

/* ---- Beginning ---- */

static bool is_over(void *context) { return limits_over(context); }

/* Why the model cannot be made decision diagrams of; that it is said here makes it no mistake of the user. */
static bool refuse(struct check *c, struct problem *why) {
    check_inconclusive(c, why->text);
    problem_fini(why);
    return false;
}

static void count(struct check *c) {
    struct symbolic *s = c->symbolic;
    struct symbolic_facts *f = &c->a->symbolic;
    f->states = symbolic_count(s, s->reached);
    f->edges = symbolic_edges(s);
    f->terminals = symbolic_count(s, symbolic_terminal(s));
    f->order = s->order;
    f->levels = s->levels;
    f->nodes = mdd_nodes(&s->pool, s->reached);
}

static bool begin(struct check *c) {
    struct problem why = {0};
    struct effort effort = {.deadline = c->s.limits.deadline, .interrupted = c->s.limits.interrupted};
    struct symbolic_options o = {
        .limits = {.memory = c->s.limits.max_memory, .over = is_over, .context = &c->s.limits}};
    if (!c->ts->ops->read) {
        problem_set(&why, EXIT_INCONCLUSIVE,
                    "decision diagrams are made of what is proved of C models, and %s is none (--engine explicit)",
                    c->ts->path);
        return refuse(c, &why);
    }
    struct source *source = c->ts->ops->read(c->ts, &why);
    if (source) source->effort = &effort;
    c->symbolic = source ? symbolic_new(c->ts, source, &o, &why) : NULL;
    if (c->symbolic) source->effort = NULL;
    if (effort_look(&effort)) {
        problem_fini(&why); /* that little could be read is no news */
        why = (struct problem){0};
        problem_set(&why, EXIT_INCONCLUSIVE,
                    effort.over == EFFORT_LATE ? "the limit on time (--time) was reached" : "interrupted");
    }
    if (!c->symbolic || why.text) return refuse(c, &why);
    c->symbolic_graph = memory_get(sizeof *c->symbolic_graph);
    symbolic_graph_init(&c->graph, c->symbolic_graph, c->symbolic, &c->s);
    count(c);
    return !symbolic_stopped(c->symbolic) || (check_inconclusive(c, symbolic_stopped(c->symbolic)), false);
}

void check_end_symbolic(struct check *c) {
    if (!c->symbolic) return;
    c->a->symbolic.most = c->symbolic->pool.peak;
    symbolic_graph_fini(c->symbolic_graph);
    free(c->symbolic_graph);
    symbolic_free(c->symbolic);
}

/* ---- What is found on the way ---- */

/* Roots. */
struct findings {
    mdd bad, failing,
        ends; /* bad states; states in which a transition fails; terminal states with which something is wrong */
    mdd lead; /* from where a step leads to a bad state */
};

/* Terminal states that check_deadlock finds wrong, or that lack a class. False: it is not known. */
static bool find_ends(struct check *c, struct findings *f) {
    struct symbolic *s = c->symbolic;
    struct mdd_pool *m = &s->pool;
    struct bfs_goals goals = check_goals(c);
    uint32_t classes[] = {TS_MAY, TS_MUST};
    mdd terminal = symbolic_terminal(s), has = MDD_EMPTY;
    bool known = true;
    mdd_root(m, &terminal);
    mdd_root(m, &has);
    if (goals.check_deadlock) {
        known = symbolic_where(s, s->views.bad_deadlock, terminal, LEAVES_UNKNOWN) == MDD_EMPTY;
        f->ends = symbolic_where(s, s->views.bad_deadlock, terminal, LEAVES_ENABLED);
    }
    if (!known)
        c->stop = (struct stop){.kind = STOP_LIMIT,
                                .reason = "what check_deadlock answers in some terminal state is not "
                                          "known from its code; decision diagrams cannot go on"};
    for (int i = 0; i < 2 && known; i++) {
        if (!(goals.at_ends & classes[i])) continue;
        known = symbolic_class(s, classes[i], terminal, &has, &c->stop) == OUTCOME_FOUND;
        has = mdd_minus(m, terminal, has);
        f->ends = mdd_union(m, f->ends, has);
    }
    mdd_drop(m, 2);
    return known;
}

static bool find(struct check *c, struct findings *f) {
    struct symbolic *s = c->symbolic;
    struct mdd_pool *m = &s->pool;
    if (c->q->checks & PROP_SAFETY) f->bad = symbolic_where(s, s->views.bad, s->reached, LEAVES_ENABLED);
    f->lead = mdd_intersect(m, way_image(m, &s->backward, f->bad), s->reached);
    f->failing = symbolic_failing(s);
    bool known = find_ends(c, f);
    if (symbolic_stopped(s)) c->stop = (struct stop){.kind = STOP_LIMIT, .reason = symbolic_stopped(s)};
    return known && c->stop.kind == STOP_DONE;
}

/* The model fails in the last state of the trace: expanding that tells how. */
static void answer_failing(struct check *c) {
    struct ts_batch one;
    ts_batch_init(&one, c->ts, 1);
    one.sources = trace_state(&c->a->trace, c->a->trace.count - 1);
    one.count = 1;
    bool fails = c->ts->ops->expand(c->w, &one) < 1;
    if (fails) {
        check_fault(c, &one.fault);
        check_believe(c);
    } else {
        check_inconclusive(c, "the model does not fail where its code was found to fail");
        check_forget_trace(c);
    }
    ts_batch_fini(&one);
}

/* A step from the last state of the trace leads to a bad one. */
static void answer_bad(struct check *c, mdd bad) {
    const struct ts *ts = c->ts;
    struct trace *t = &c->a->trace;
    word *next = memory_get(ts->words * sizeof *next);
    struct ts_fault fault;
    for (uint32_t i = 0; i < ts->transitions; i++) {
        uint32_t u = ts->reduction.forward ? i : ts->transitions - 1 - i;
        if (ts->ops->fire(c->w, trace_state(t, t->count - 1), u, next, &fault) <= 0) continue;
        if (!symbolic_has(c->symbolic, bad, next)) continue;
        trace_add(t, u, next);
        break;
    }
    free(next);
    check_answer_end(c, PROP_SAFETY, TS_CHECK_STATE);
}

/* Something is wrong with the last state of the trace, which is terminal. */
static void answer_end(struct check *c) {
    struct trace *t = &c->a->trace;
    struct bfs_goals goals = check_goals(c);
    struct ts_fault fault = {.kind = TS_FINE};
    switch (ends_look(c->ts, c->w, trace_state(t, t->count - 1), &goals, &fault)) {
    case STOP_DEADLOCK: check_answer_end(c, PROP_DEADLOCK, TS_CHECK_DEADLOCK); break;
    case STOP_STUCK: check_stuck(c, true); break;
    case STOP_FAULT:
        check_fault(c, &fault);
        check_believe(c);
        break;
    default: check_inconclusive(c, "nothing is wrong where something was found to be wrong"); check_forget_trace(c);
    }
}

/* In the order of a search: a state is looked at when it is found; its successors, and that it has none, when it is
 * expanded. */
static bool answer(struct check *c, const struct findings *f) {
    struct symbolic *s = c->symbolic;
    struct trace *t = &c->a->trace;
    if (mdd_intersect(&s->pool, s->initial, f->bad) != MDD_EMPTY) {
        trace_add(t, TS_NONE, s->source->initial);
        check_answer_end(c, PROP_SAFETY, TS_CHECK_STATE);
        return false;
    }
    mdd all = mdd_union(&s->pool, f->lead, f->ends);
    enum outcome there = symbolic_lead(s, c->w, mdd_union(&s->pool, all, f->failing), t, &c->stop);
    if (there == OUTCOME_NONE) return true;
    if (there == OUTCOME_GIVEN_UP) {
        check_forget_trace(c);
        return check_stop(c), false;
    }
    const word *last = trace_state(t, t->count - 1);
    if (symbolic_has(s, f->failing, last)) answer_failing(c);
    else if (symbolic_has(s, f->lead, last)) answer_bad(c, f->bad);
    else answer_end(c);
    return false;
}

bool check_build_symbolic(struct check *c) {
    struct findings f = {0};
    if (!begin(c)) return false;
    struct mdd_pool *m = &c->symbolic->pool;
    mdd_root(m, &f.bad);
    mdd_root(m, &f.failing);
    mdd_root(m, &f.ends);
    mdd_root(m, &f.lead);
    bool fine = find(c, &f);
    if (fine) fine = answer(c, &f);
    else check_stop(c);
    mdd_drop(m, 4);
    return fine;
}
