/* Infinite occurrence (STOP Theorem 6): can a transition occur again and again, and some others not? */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/property/property_ops.h"

static void answer(struct check *c) {
    if (c->stop.kind != STOP_DONE) {
        char *message = text_format("violated, but the execution cannot be shown: %s",
                                    c->stop.kind == STOP_FAULT ? c->stop.fault.text
                                    : c->stop.reason           ? c->stop.reason
                                                               : "there was not enough memory");
        check_forget_trace(c);
        check_inconclusive(c, message);
        free(message);
    } else if (check_believe(c)) {
        char name[128];
        assert(c->a->trace.cycle != TRACE_NONE);
        c->ts->ops->transition_name(c->w, c->q->infinitely, name, sizeof name);
        check_answer(c, VERDICT_VIOLATED, PROP_INFINITE,
                     text_format("%s: transition %u (%s) can occur infinitely often", property_headline(PROP_INFINITE),
                                 c->q->infinitely, name));
    }
}

static bool ask(struct check *c) {
    struct recurrence q = {.transition = c->q->infinitely,
                           .excluded = c->q->finitely,
                           .phase = "infinite occurrence",
                           .marks = check_saved_marks(c)};
    enum outcome found = graph_recurrence(&c->graph, &q, &c->a->trace, &c->stop);
    if (found == OUTCOME_GIVEN_UP) check_stop(c);
    else if (found == OUTCOME_FOUND) answer(c);
    graph_forget(&c->graph, q.marks);
    return found == OUTCOME_NONE;
}

/* The transitions that a list names. */
static bool parse_transitions(const char *list, struct ts *ts, struct ts_worker *w, bool *set, struct problem *why) {
    char *copy = memory_copy_string(list), *rest = copy;
    bool good = true;
    for (char *name; good && (name = strsep(&rest, ","));) {
        uint32_t t = ts_find_transition(ts, w, name);
        if (t == TS_NONE) good = ts_lacks_transition(ts, w, name, why);
        else set[t] = true;
    }
    free(copy);
    return good;
}

/* --infinitely T --finitely U,... */
static bool read_options(struct questions *q, struct ts *ts, struct ts_worker *w, struct problem *why) {
    const char *what = q->what[PROPERTY_INFINITE], *besides = q->besides[PROPERTY_INFINITE];
    q->infinitely = ts_find_transition(ts, w, what);
    if (q->infinitely == TS_NONE) return ts_lacks_transition(ts, w, what, why);
    q->made = memory_get_zeroed(ts->transitions);
    q->finitely = q->made;
    if (besides && !parse_transitions(besides, ts, w, q->made, why)) return false;
    return !q->finitely[q->infinitely] ||
           problem_set(why, EXIT_BAD_INPUT, "transition '%s' is both in --infinitely and in --finitely", what);
}

const struct property_ops ops_INFINITE = {.options = read_options, .ask = ask};
