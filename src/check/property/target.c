#include "check/property/target.h"

#include <assert.h>

#include "base/text.h"
#include "check/continuation.h"
#include "ts/valuation.h"
#include "check/second_opinion.h"

bool target_walk_on(struct check *c, const struct node_set *through) {
    struct trace *t = &c->a->trace;
    assert(t->count > 0 && t->cycle == TRACE_NONE); /* it does not go on yet */
    t->no_return = t->count - 1;
    if (graph_walk_on(&c->graph, through, false, t, &c->stop)) return check_believe(c);
    t->no_return = TRACE_NONE;
    /* A transition that the reduction left out may have failed in the last state of the trace, which is replayed all
     * the same: that is how it is known where states were mapped. */
    if (c->stop.kind == STOP_FAULT) return check_fault(c, &c->stop.fault), check_believe(c), false;
    check_forget_trace(c);
    return check_stop(c), false;
}

/* The execution to a node, and on through unmarked ones. */
static bool find_lasso(struct check *c, const struct backward *q, uint64_t node) {
    check_forget_trace(c);
    if (!graph_way(&c->graph, node, &c->a->trace, &c->stop)) return check_stop(c), false;
    return target_walk_on(c, &q->unmarked);
}

void target_answer(struct check *c, enum property property) {
    const char *headline = property_headline(property);
    char *message = property_row(property)->target & TS_NAMED
                        ? text_format("%s: %s", headline, valuation_name(c->ts, c->ts->named))
                        : memory_copy_string(headline);
    check_answer(c, VERDICT_VIOLATED, property, message);
}

/* Nothing good comes after the point of no return: the execution shows how the last ways are closed. */
static void answer_doomed(struct check *c, enum property property) {
    if (bottom_lead(&c->a->trace, &c->s) == BOTTOM_REACHED) {
        if (!check_believe(c)) return;
    } else if (!c->a->note) {
        c->a->note = "the part after ========== was not searched to its end (it is too large, model code fails "
                     "there, or it was interrupted): the execution may end in a cycle that can still be left";
    }
    target_answer(c, property);
}

/* After the last state of the stem no goal is reachable in the full space. Since when? */
void target_sharpen(struct check *c, const struct bfs_goals *goals) {
    struct trace *t = &c->a->trace;
    uint64_t low = 0;
    assert(t->no_return < t->count);
    while (low < t->no_return) {
        uint64_t middle = low + (t->no_return - low) / 2;
        if (opinion_on(&c->s, trace_state(t, middle), goals) == OPINION_CONFIRMED) t->no_return = middle;
        else low = middle + 1;
    }
}

/* Executions that may end where targets are not reached: what the full space is asked. */
static struct bfs_goals goals_of(const struct check *c, const struct property_row *row) {
    return (struct bfs_goals){.any_terminal =
                                  property_counts_ends(row, c->q->terminal_not_may, c->q->terminal_not_must),
                              .classes = row->target};
}

/* A state from which no target is reachable was found in a space reduced by stubborn sets. What does that mean for the
 * full space? True if nothing: then the model is not always may-terminating, which is found out later.
 * PROP_TERMINATION: never true, and q is not needed. */
static bool reconsider(struct check *c, const struct backward *q, enum property property) {
    const struct trace *t = &c->a->trace;
    struct bfs_goals goals = goals_of(c, property_row(property));
    enum opinion opinion = opinion_on(&c->s, trace_state(t, t->no_return), &goals);
    if (opinion == OPINION_CONFIRMED || (opinion == OPINION_NONE && property == PROP_TERMINATION)) {
        if (opinion == OPINION_NONE)
            c->a->note = "the violation was found in the reduced state space, which is enough if the obligations "
                         "are right; the search of the full one was given up";
        answer_doomed(c, property);
        return false;
    }
    if (opinion == OPINION_TERMINAL && opinion_on(&c->s, trace_state(t, t->count - 1), &goals) == OPINION_CONFIRMED) {
        c->a->note = "the obligations of the model are wrong (try: onager audit): in the full state space a terminal "
                     "state is reachable from the state after ==========, though not from the last one";
        target_answer(c, property);
        return false;
    }
    if (opinion == OPINION_TERMINAL) {
        check_inconclusive(c, "a terminal state is reachable in the full state space but not in the reduced one: the "
                              "obligations of the model are wrong (try: onager audit)");
        check_forget_trace(c);
        return false;
    }
    uint64_t node;
    enum outcome other = opinion_search(&c->graph, &c->s, q, &goals, &node, &c->stop);
    if (other == OUTCOME_FOUND && find_lasso(c, q, node)) {
        target_sharpen(c, &goals);
        answer_doomed(c, property);
    }
    if (other != OUTCOME_FOUND) check_forget_trace(c);
    if (other == OUTCOME_GIVEN_UP) check_stop(c);
    return other == OUTCOME_NONE;
}

/* A shortest cycle was asked for. True: that was the answer; false: any execution will do. */
static bool answer_shortest(struct check *c, const struct backward *q, enum property property) {
    if (!c->q->shortest) return false;
    check_forget_trace(c);
    if (graph_shortest(&c->graph, &(struct shortest_lasso){.unmarked = q}, &c->a->trace, &c->stop) == OUTCOME_FOUND) {
        if (check_believe(c)) target_answer(c, property);
        return true;
    }
    if (c->stop.kind == STOP_FAULT) return check_stop(c), true;
    check_not_shortest(c);
    return false;
}

void target_lost(struct check *c, enum property property) {
    if (c->ts->reduction.stubborn) reconsider(c, NULL, property);
    else answer_doomed(c, property);
}

struct backward target_question(const struct check *c, const struct property_row *row, const char *phase) {
    return (struct backward){.kind = row->rank == RANK_ALL ? BACKWARD_ALL : BACKWARD_SOME,
                             .target = row->target,
                             .terminal_is_target =
                                 property_counts_ends(row, c->q->terminal_not_may, c->q->terminal_not_must),
                             .phase = phase};
}

/* Not every node got marked. False: the answer is set. */
static bool judge_unmarked(struct check *c, enum property property, struct backward *q) {
    const char *doubt = property_doubt(property, &c->ts->reduction, property_symmetric(c->ts));
    bool all = q->kind == BACKWARD_ALL;
    uint64_t node;
    if (doubt) return check_inconclusive(c, doubt), false;
    if (!graph_nearest(&c->graph, q, &node, &c->stop)) return check_stop(c), false;
    if (answer_shortest(c, q, property) || !find_lasso(c, q, node)) return false;
    if (c->ts->reduction.stubborn && !all) return reconsider(c, q, property);
    if (all) target_answer(c, property);
    else answer_doomed(c, property);
    return false;
}

bool target_ask(struct check *c, enum property property, const char *phase) {
    struct backward q = target_question(c, property_row(property), phase);
    q.marks = check_saved_marks(c);
    enum outcome lost = graph_backward(&c->graph, &q, &c->stop);
    if (lost == OUTCOME_GIVEN_UP) check_stop(c);
    bool fine = lost == OUTCOME_NONE || (lost == OUTCOME_FOUND && judge_unmarked(c, property, &q));
    graph_forget(&c->graph, q.marks);
    return fine;
}
