#include "search/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "search/bfs.h"
#include "search/certificate.h"
#include "search/fixpoint.h"
#include "search/opinion.h"
#include "search/scc.h"

struct check {
    struct answer *a;
    struct ts *ts;
    struct ts_worker *w;
    const struct questions *q;
    struct space s;
    struct stop stop;
    bool terminating; /* it was found that the model is always may-terminating */
};

/* ---- Answers ---- */

static void answer_with(struct check *c, enum verdict verdict, enum property property, char *message) {
    c->a->verdict = verdict;
    c->a->property = verdict == VERDICT_VIOLATED ? property : PROP_NONE;
    free(c->a->message);
    c->a->message = message;
}

static void inconclusive(struct check *c, const char *reason) {
    answer_with(c, VERDICT_INCONCLUSIVE, PROP_NONE, memory_copy_string(reason));
}

static char *name_transition(struct check *c, uint32_t t) {
    char name[128];
    if (t == TS_NONE) return memory_copy_string("");
    c->ts->ops->transition_name(c->w, t, name, sizeof name);
    return text_format(" in transition %u (%s)", t, name);
}

/* Model code failed: the model's own error is a violation, everything else a mistake in the model's code. */
static void answer_fault(struct check *c, const struct ts_fault *f) {
    char *transition = name_transition(c, f->transition);
    if (f->kind == TS_RAISED)
        answer_with(c, VERDICT_VIOLATED, PROP_MODEL_ERROR,
                    text_format("%s: %s (%s%s)", property_headline(PROP_MODEL_ERROR), f->text, f->where, transition));
    else
        answer_with(c, VERDICT_ERROR, PROP_NONE,
                    text_format("%s: %s%s: %s", c->ts->path, f->where, transition, f->text));
    free(transition);
}

static void forget_trace(struct check *c) {
    trace_fini(&c->a->trace);
    trace_init(&c->a->trace, c->ts->words);
}

/* Replays the trace; a trace that does not replay is a mistake of ours and no counterexample. */
static bool believe(struct check *c) {
    struct problem why = {0};
    bool good = trace_replay(&c->a->trace, c->ts, c->w, &why);
    if (!good) {
        answer_with(c, VERDICT_INTERNAL, PROP_NONE,
                    text_format("internal error: the counterexample does not replay: %s", why.text));
        forget_trace(c);
    }
    problem_fini(&why);
    return good;
}

/* The search had to stop before its end. */
static void answer_stop(struct check *c) {
    struct stop way = {.kind = STOP_DONE};
    switch (c->stop.kind) {
    case STOP_FAULT:
        answer_fault(c, &c->stop.fault);
        if (trace_to(&c->a->trace, &c->s, c->stop.state, &way)) believe(c);
        else forget_trace(c);
        break;
    case STOP_LIMIT: inconclusive(c, c->stop.reason ? c->stop.reason : "the search was given up"); break;
    default: break;
    }
}

/* ---- On the fly ---- */

/* What check_state or check_deadlock says about the last state of the trace. */
static void answer_state(struct check *c, enum property property, enum ts_feature feature) {
    struct trace *t = &c->a->trace;
    const char *message = NULL;
    struct ts_fault fault;
    struct stop way = {.kind = STOP_DONE};
    if (!trace_to(t, &c->s, c->stop.state, &way)) {
        inconclusive(c, way.reason);
        forget_trace(c);
        return;
    }
    if (!believe(c)) return;
    if (!c->ts->ops->check(c->w, trace_state(t, t->count - 1), feature, &message, &fault)) answer_fault(c, &fault);
    else if (message)
        answer_with(c, VERDICT_VIOLATED, property, text_format("%s: %s", property_headline(property), message));
    else
        answer_with(c, VERDICT_ERROR, PROP_NONE,
                    text_format("%s: %s answers differently when it is asked again about the same state", c->ts->path,
                                ts_feature_name(feature)));
}

/* True if the whole space was built and nothing was found. */
static bool build(struct check *c) {
    struct bfs_goals goals = {
        .check_deadlock = (c->q->checks & PROP_DEADLOCK) != 0,
        .classes = c->q->checks & PROP_SAFETY ? TS_BAD : 0,
    };
    word *start = memory_get(c->ts->words * sizeof(word));
    struct ts_fault fault = {.kind = TS_FINE};
    bool started = c->ts->ops->initial(c->w, start, &fault) &&
                   (!c->ts->reduction.symmetry || c->ts->ops->representative(c->w, start, start, &fault));
    if (started) bfs_run(&c->s, start, &goals, &c->stop);
    else answer_fault(c, &fault);
    free(start);
    if (!started) return false;
    if (c->stop.kind == STOP_BAD_STATE) answer_state(c, PROP_SAFETY, TS_CHECK_STATE);
    else if (c->stop.kind == STOP_DEADLOCK) answer_state(c, PROP_DEADLOCK, TS_CHECK_DEADLOCK);
    else answer_stop(c);
    return c->stop.kind == STOP_DONE;
}

/* ---- Progress and termination ---- */

/* The execution to state `number`, and on through unmarked states to a cycle or to where there is none. */
static bool find_lasso(struct check *c, const struct fixpoint *f, uint64_t number) {
    struct trace *t = &c->a->trace;
    forget_trace(c);
    if (!trace_to(t, &c->s, number, &c->stop)) return answer_stop(c), false;
    t->no_return = t->count - 1;
    if (trace_walk_on(t, &c->s, fixpoint_unmarked, f, &c->stop)) return believe(c);
    /* A transition that the reduction left out has failed in the last state of the trace. */
    t->no_return = TRACE_NONE;
    answer_fault(c, &c->stop.fault);
    return false;
}

static void answer_lasso(struct check *c, enum property property) {
    answer_with(c, VERDICT_VIOLATED, property, memory_copy_string(property_headline(property)));
}

/* After the last state of the stem no goal is reachable in the full space. Since when? */
static void sharpen(struct check *c, const struct bfs_goals *goals) {
    struct trace *t = &c->a->trace;
    uint64_t low = 0;
    while (low < t->no_return) {
        uint64_t middle = low + (t->no_return - low) / 2;
        if (opinion_on(&c->s, trace_state(t, middle), goals) == OPINION_CONFIRMED) t->no_return = middle;
        else low = middle + 1;
    }
}

/* A state without progress was found in a space reduced by stubborn sets. What does that mean for the full space?
 * True if nothing: then the model is not always may-terminating, which is checked later. */
static bool reconsider(struct check *c, const struct fixpoint *f, enum property property) {
    const struct trace *t = &c->a->trace;
    bool ends_count = property == PROP_TERMINATION || !c->q->terminal_not_may;
    struct bfs_goals goals = {.any_terminal = ends_count, .classes = property == PROP_MAY ? TS_MAY : 0};
    enum opinion opinion = opinion_on(&c->s, trace_state(t, t->no_return), &goals);
    if (opinion == OPINION_CONFIRMED || (opinion == OPINION_NONE && property == PROP_TERMINATION)) {
        answer_lasso(c, property);
        return false;
    }
    if (opinion == OPINION_TERMINAL && opinion_on(&c->s, trace_state(t, t->count - 1), &goals) == OPINION_CONFIRMED) {
        c->a->note = "the obligations of the model are wrong (try: onager audit): in the full state space a terminal "
                     "state is reachable from the state after ==========, though not from the last one";
        answer_lasso(c, property);
        return false;
    }
    if (opinion == OPINION_TERMINAL) {
        inconclusive(c, "a terminal state is reachable in the full state space but not in the reduced one: the "
                        "obligations of the model are wrong (try: onager audit)");
        forget_trace(c);
        return false;
    }
    uint64_t number;
    if (opinion_search(&c->s, f, &goals, &number, &c->stop)) {
        if (find_lasso(c, f, number)) {
            sharpen(c, &goals);
            answer_lasso(c, property);
        }
        return false;
    }
    forget_trace(c);
    if (c->stop.kind != STOP_DONE) answer_stop(c);
    return c->stop.kind == STOP_DONE;
}

/* True if every state got marked. */
static bool everywhere(struct check *c, enum property property, struct fixpoint *f) {
    const char *doubt = property_doubt(property, &c->ts->reduction, ts_has(c->ts, TS_SYMMETRIC_PROGRESS));
    bool fine = fixpoint_run(f, &c->s, &c->stop);
    if (!fine) {
        answer_stop(c);
    } else if (f->unmarked > 0 && doubt) {
        fine = false;
        inconclusive(c, doubt);
    } else if (f->unmarked > 0) {
        fine = find_lasso(c, f, f->first_unmarked);
        if (fine && c->ts->reduction.stubborn && property != PROP_MUST) {
            fine = reconsider(c, f, property);
        } else if (fine) {
            fine = false;
            answer_lasso(c, property);
        }
    }
    fixpoint_fini(f);
    return fine;
}

static bool may_progress(struct check *c) {
    struct fixpoint f = {.kind = FIXPOINT_SOME,
                         .target = TS_MAY,
                         .terminal_is_target = !c->q->terminal_not_may,
                         .phase = "may progress"};
    return everywhere(c, PROP_MAY, &f);
}

static bool must_progress(struct check *c) {
    struct fixpoint f = {.kind = FIXPOINT_ALL,
                         .target = TS_MUST,
                         .terminal_is_target = !c->q->terminal_not_must,
                         .phase = "must progress"};
    return everywhere(c, PROP_MUST, &f);
}

static bool termination(struct check *c) {
    struct fixpoint f = {.kind = FIXPOINT_SOME, .terminal_is_target = true, .phase = "termination"};
    return c->terminating = everywhere(c, PROP_TERMINATION, &f);
}

/* ---- Infinite occurrence (STOP Theorem 6) ---- */

/* Looks for an edge of `infinitely` inside a component. *number: its tail; *head: its head. */
static bool find_edge(struct check *c, const struct scc *components, uint64_t *number, word *head) {
    struct space *s = &c->s;
    struct walk walk;
    struct ts_batch batch;
    uint32_t words = c->ts->words;
    bool found = false;
    ts_batch_init(&batch, c->ts, ts_batch_states(c->ts));
    walk_init(&walk, s, false, 0, batch.capacity);
    while (!found && walk_next(&walk, &c->stop)) {
        batch.sources = walk.states;
        batch.count = walk.count;
        if (c->ts->ops->expand(c->w, &batch) < walk.count) break;
        for (uint32_t i = 0, e = 0; i < walk.count && !found; i++)
            for (; e < batch.ends[i] && !found; e++) {
                uint64_t from, to;
                if (batch.labels[e] != c->q->infinitely) continue;
                table_find(&s->table, walk.states + (size_t)i * words, 1, &from);
                table_find(&s->table, batch.successors + (size_t)e * words, 1, &to);
                found = scc_of(components, from) == scc_of(components, to);
                *number = walk.first + i;
                memcpy(head, batch.successors + (size_t)e * words, words * sizeof(word));
            }
    }
    walk_fini(&walk);
    ts_batch_fini(&batch);
    return found;
}

/* Appends to the trace a shortest path, inside the component and without the excluded transitions, from `head` to the
 * state at `goal`. Backward pointers are kept by slot. */
static bool close_cycle(struct check *c, const struct scc *components, const word *head, uint64_t goal) {
    struct space *s = &c->s;
    struct trace *t = &c->a->trace, way;
    struct ts_batch batch;
    struct region back = {0}; /* uint64_t by slot: 1 + index in `way` of the state that led here */
    uint32_t words = c->ts->words;
    uint64_t slot, goal_index = TRACE_NONE;
    struct numbers parents = {0};
    if (!region_init(&back, s->table.slots * 8) || !region_grow(&back, s->table.slots * 8)) return false;
    uint64_t *seen = (uint64_t *)(void *)back.base;
    trace_init(&way, words);
    ts_batch_init(&batch, c->ts, 1);
    table_find(&s->table, head, 1, &slot);
    uint64_t component = scc_of(components, slot);
    trace_add(&way, c->q->infinitely, head);
    numbers_add(&parents, TRACE_NONE);
    seen[slot] = 1;
    if (slot == goal) goal_index = 0;
    for (uint64_t i = 0; i < way.count && goal_index == TRACE_NONE; i++) {
        batch.sources = trace_state(&way, i);
        batch.count = 1;
        if (c->ts->ops->expand(c->w, &batch) < 1) break;
        for (uint32_t e = 0; e < batch.ends[0] && goal_index == TRACE_NONE; e++) {
            const word *next = batch.successors + (size_t)e * words;
            if (components->excluded[batch.labels[e]]) continue;
            table_find(&s->table, next, 1, &slot);
            if (seen[slot] || scc_of(components, slot) != component) continue;
            seen[slot] = 1;
            if (slot == goal) goal_index = way.count;
            trace_add(&way, batch.labels[e], next);
            numbers_add(&parents, i);
        }
    }
    struct numbers order = {0};
    for (uint64_t i = goal_index; i != TRACE_NONE; i = parents.at[i]) numbers_add(&order, i);
    /* The goal is the last state of the stem, so that the cycle closes from there. */
    t->cycle = t->count - 1;
    for (uint64_t k = order.count; k-- > 1;) trace_add(t, way.transitions[order.at[k]], trace_state(&way, order.at[k]));
    t->closing = goal_index != TRACE_NONE ? way.transitions[goal_index] : TS_NONE;
    numbers_fini(&order);
    numbers_fini(&parents);
    region_fini(&back);
    trace_fini(&way);
    ts_batch_fini(&batch);
    return goal_index != TRACE_NONE;
}

static bool infinite_occurrence(struct check *c) {
    struct scc components = {.excluded = c->q->finitely, .phase = "infinite occurrence"};
    uint64_t number, goal;
    word *head = memory_get(c->ts->words * sizeof(word));
    bool fine = scc_run(&components, &c->s, &c->stop);
    if (!fine) answer_stop(c);
    else if (find_edge(c, &components, &number, head)) {
        struct trace *t = &c->a->trace;
        fine = false;
        if (trace_to(t, &c->s, number, &c->stop)) {
            table_find(&c->s.table, trace_state(t, t->count - 1), 1, &goal);
            if (!close_cycle(c, &components, head, goal)) c->stop.kind = STOP_LIMIT;
        }
        if (c->stop.kind != STOP_DONE) {
            t->count = 0;
            inconclusive(c, "there is such an execution, but no memory was left to show it");
        } else if (believe(c)) {
            char name[128];
            c->ts->ops->transition_name(c->w, c->q->infinitely, name, sizeof name);
            answer_with(c, VERDICT_VIOLATED, PROP_INFINITE,
                        text_format("%s: transition %u (%s) can occur again and again, for ever",
                                    property_headline(PROP_INFINITE), c->q->infinitely, name));
        }
    }
    scc_fini(&components);
    free(head);
    return fine;
}

/* ---- All of it ---- */

static void run_checks(struct check *c) {
    unsigned checks = c->q->checks;
    bool need = property_needs_termination(checks, &c->ts->reduction) && !c->q->no_termination;
    c->a->checked = checks | (need ? PROP_TERMINATION : 0u);
    /* Stubborn sets are few edges and much work: worth keeping. */
    c->s.edges_kept = c->ts->reduction.stubborn && (c->a->checked & (PROP_MAY | PROP_MUST | PROP_TERMINATION)) != 0;
    if (!build(c)) return;
    if ((checks & PROP_MAY) && !may_progress(c)) return;
    if ((checks & PROP_MUST) && !must_progress(c)) return;
    if ((checks & PROP_INFINITE) && !infinite_occurrence(c)) return;
    if ((need || (checks & PROP_TERMINATION)) && !termination(c)) return;
    const char *gap = property_gap(checks, &c->ts->reduction, c->terminating, ts_has(c->ts, TS_SYMMETRIC_PROGRESS));
    if (gap) inconclusive(c, gap);
    else answer_with(c, VERDICT_HOLDS, PROP_NONE, NULL);
}

void check_run(struct answer *a, struct ts *ts, struct ts_worker *w, const struct questions *q,
               const struct limits *limits, const struct ticker *ticker) {
    struct check c = {.a = a, .ts = ts, .w = w, .q = q};
    struct problem why = {0};
    double start = clock_seconds();
    *a = (struct answer){.verdict = VERDICT_INCONCLUSIVE};
    trace_init(&a->trace, ts->words);
    if (space_init(&c.s, ts, w, limits, &why)) {
        if (ticker) c.s.ticker = *ticker;
        run_checks(&c);
        if (q->certificate && a->verdict == VERDICT_HOLDS)
            certificate_write(q->certificate, &c.s, q, a->checked, &a->certificate);
        a->states = c.s.states;
        a->edges = c.s.edges;
        a->terminals = c.s.terminals;
        a->depth = space_depth(&c.s);
        space_fini(&c.s);
    } else {
        inconclusive(&c, why.text);
    }
    problem_fini(&why);
    a->seconds = clock_seconds() - start;
}

void answer_fini(struct answer *a) {
    free(a->message);
    trace_fini(&a->trace);
    problem_fini(&a->certificate);
}
