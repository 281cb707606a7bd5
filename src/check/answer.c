#include "check/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void check_answer(struct check *c, enum verdict verdict, enum property property, char *message) {
    c->a->verdict = verdict;
    c->a->property = verdict == VERDICT_VIOLATED ? property : PROP_NONE;
    free(c->a->message);
    c->a->message = message;
}

void check_inconclusive(struct check *c, const char *reason) {
    check_answer(c, VERDICT_INCONCLUSIVE, PROP_NONE, memory_copy_string(reason));
}

void check_not_shortest(struct check *c) {
    c->stop = (struct stop){.kind = STOP_DONE};
    c->a->note = "the search for a shortest cycle was given up: this one need not be shortest";
}

void check_set_aside(struct check *c) {
    unsigned possible = c->a->property;
    for (const struct property_row *row = property_table; row->name; row++)
        if (row->when == ON_THE_FLY || (row->needs & DFS_FINDS && c->q->order == ORDER_DFS)) possible |= row->id;
    c->a->unchecked = c->a->checked & ~possible;
    c->a->checked &= possible;
}

static char *name_transition(struct check *c, uint32_t t) {
    char name[128];
    if (t == TS_NONE) return memory_copy_string("");
    c->ts->ops->transition_name(c->w, t, name, sizeof name);
    return text_format(" in transition %u (%s)", t, name);
}

/* Model code failed: the model's own error is a violation, everything else a mistake in the model's code. */
void check_fault(struct check *c, const struct ts_fault *f) {
    char *transition = name_transition(c, f->transition);
    c->fault = *f;
    if (f->kind == TS_RAISED)
        check_answer(c, VERDICT_VIOLATED, PROP_MODEL_ERROR,
                     text_format("%s: %s (%s%s)", property_headline(PROP_MODEL_ERROR), f->text, f->where, transition));
    else
        check_answer(c, VERDICT_ERROR, PROP_NONE,
                     text_format("%s: %s%s: %s", c->ts->path, f->where, transition, f->text));
    free(transition);
}

void check_forget_trace(struct check *c) {
    trace_fini(&c->a->trace);
    trace_init(&c->a->trace, c->ts->words);
}

/* Replays the trace; a trace that does not replay is a mistake of ours and no counterexample. */
bool check_believe(struct check *c) {
    struct problem why = {0};
    bool good = trace_replay(&c->a->trace, c->ts, c->w, &why);
    if (!good) {
        check_answer(c, VERDICT_INTERNAL, PROP_NONE,
                     text_format("internal error: the counterexample does not replay: %s", why.text));
        check_forget_trace(c);
    }
    problem_fini(&why);
    return good;
}

/* The execution to where the search stopped. */
bool check_trace_to_stop(struct check *c, struct stop *way) {
    uint64_t number = c->stop.state;
    if (!c->traced) return graph_way(&c->graph, number, &c->a->trace, way);
    *way = (struct stop){.kind = STOP_LIMIT, .reason = "the way back was not found"};
    return c->a->trace.count > 0;
}

/* The search had to stop before its end. */
void check_stop(struct check *c) {
    struct stop way = {.kind = STOP_DONE};
    switch (c->stop.kind) {
    case STOP_FAULT:
        check_fault(c, &c->stop.fault);
        if (check_trace_to_stop(c, &way)) check_believe(c);
        else check_forget_trace(c);
        break;
    case STOP_LIMIT:
    case STOP_DONE: /* never: who calls this has given up */
        check_inconclusive(c, c->stop.reason ? c->stop.reason : "the search was given up");
        break;
    default: break;
    }
}

/* What check_state or check_deadlock says about the last state of the trace. */
void check_answer_end(struct check *c, enum property property, enum ts_feature feature) {
    struct trace *t = &c->a->trace;
    const char *message = NULL;
    struct ts_fault fault;
    if (!check_believe(c)) return;
    if (!c->ts->ops->check(c->w, trace_state(t, t->count - 1), feature, &message, &fault)) check_fault(c, &fault);
    else if (message)
        check_answer(c, VERDICT_VIOLATED, property, text_format("%s: %s", property_headline(property), message));
    else
        check_answer(
            c, VERDICT_ERROR, PROP_NONE,
            text_format("%s: %s gives different answers for the same state (it must use nothing but the state)",
                        c->ts->path, ts_feature_name(feature)));
}

/* Whether terminal states are looked at for this kind of progress: not if the answer would be doubted. */
static bool asks_of_ends(const struct check *c, enum property p, bool terminal_not) {
    return (c->q->checks & p) && terminal_not && !property_doubt(p, &c->ts->reduction, property_symmetric(c->ts));
}

struct bfs_goals check_goals(const struct check *c) {
    const struct questions *q = c->q;
    return (struct bfs_goals){
        .check_deadlock = (q->checks & PROP_DEADLOCK) != 0,
        .classes = q->checks & PROP_SAFETY ? TS_BAD : 0,
        .at_ends = (asks_of_ends(c, PROP_MAY, q->terminal_not_may) ? TS_MAY : 0u) |
                   (asks_of_ends(c, PROP_MUST, q->terminal_not_must) ? TS_MUST : 0u),
    };
}

struct marks *check_saved_marks(struct check *c) {
    return explicit_marks(&c->s, &c->position.marked);
}

/* The initial state, or its representative. False: the model failed, which is the answer. */
bool check_start(struct check *c, word *start) {
    struct ts_fault fault = {.kind = TS_FINE};
    bool good = c->ts->ops->initial(c->w, start, &fault) &&
                (!c->ts->reduction.symmetry || c->ts->ops->representative(c->w, start, start, &fault));
    if (!good) check_fault(c, &fault);
    return good;
}
