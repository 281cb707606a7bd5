#include "base/text.h"
#include "check/continuation.h"
#include "explore/terminal_error.h"
#include "graph/backward.h"
#include "check/answer.h"
#include "check/second_opinion.h"
#include "graph/relevel.h"
#include "check/shortest_progress.h"

/* Continues the trace through allowed states to a cycle or to where there is none. */
static bool walk_on(struct check *c, trace_allowed *allowed, const void *context) {
    struct trace *t = &c->a->trace;
    t->no_return = t->count - 1;
    if (trace_walk_on(t, &c->s, allowed, context, &c->stop)) return check_believe(c);
    t->no_return = TRACE_NONE;
    /* A transition that the reduction left out may have failed in the last state of the trace, which is replayed all
     * the same: that is how it is known where states were mapped. */
    if (c->stop.kind == STOP_FAULT) return check_fault(c, &c->stop.fault), check_believe(c), false;
    check_forget_trace(c);
    return check_stop(c), false;
}

/* The execution to state `number`, and on through unmarked states. */
static bool find_lasso(struct check *c, const struct fixpoint *f, uint64_t number) {
    check_forget_trace(c);
    if (!trace_to(&c->a->trace, &c->s, number, &c->stop)) return check_stop(c), false;
    return walk_on(c, fixpoint_unmarked, f);
}

static void answer_lasso(struct check *c, enum property property) {
    check_answer(c, VERDICT_VIOLATED, property, memory_copy_string(property_headline(property)));
}

/* Nothing good comes after the point of no return: the execution shows how the last ways are closed. */
static void answer_doomed(struct check *c, enum property property) {
    if (bottom_lead(&c->a->trace, &c->s) == BOTTOM_REACHED) {
        if (!check_believe(c)) return;
    } else if (!c->a->note) {
        c->a->note = "what follows after ========== was not searched to its end (it is too large, model code fails "
                     "there, or it was interrupted): the execution may end in a cycle that can still be left";
    }
    answer_lasso(c, property);
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
 * True if nothing: then the model is not always may-terminating, which is checked later. PROP_TERMINATION: never true,
 * and f is not needed. */
static bool reconsider(struct check *c, const struct fixpoint *f, enum property property) {
    const struct trace *t = &c->a->trace;
    bool ends_count = property == PROP_TERMINATION || !c->q->terminal_not_may;
    struct bfs_goals goals = {.any_terminal = ends_count, .classes = property == PROP_MAY ? TS_MAY : 0};
    enum opinion opinion = opinion_on(&c->s, trace_state(t, t->no_return), &goals);
    if (opinion == OPINION_CONFIRMED || (opinion == OPINION_NONE && property == PROP_TERMINATION)) {
        if (opinion == OPINION_NONE)
            c->a->note =
                "that no terminal state can be reached was seen in the reduced state space, which is enough if "
                "the obligations are right; a search of the full one was given up";
        answer_doomed(c, property);
        return false;
    }
    if (opinion == OPINION_TERMINAL && opinion_on(&c->s, trace_state(t, t->count - 1), &goals) == OPINION_CONFIRMED) {
        c->a->note = "the obligations of the model are wrong (try: onager audit): in the full state space a terminal "
                     "state is reachable from the state after ==========, though not from the last one";
        answer_lasso(c, property);
        return false;
    }
    if (opinion == OPINION_TERMINAL) {
        check_inconclusive(c, "a terminal state is reachable in the full state space but not in the reduced one: the "
                              "obligations of the model are wrong (try: onager audit)");
        check_forget_trace(c);
        return false;
    }
    uint64_t number;
    enum outcome other = opinion_search(&c->s, f, &goals, &number, &c->stop);
    if (other == OUTCOME_FOUND && find_lasso(c, f, number)) {
        sharpen(c, &goals);
        answer_doomed(c, property);
    }
    if (other != OUTCOME_FOUND) check_forget_trace(c);
    if (other == OUTCOME_GIVEN_UP) check_stop(c);
    return other == OUTCOME_NONE;
}

/* A shortest execution to the first unmarked state needs an order in which it is the nearest. */
static bool order_by_levels(struct check *c, struct fixpoint *f) {
    return c->s.levels.count > 0 || (space_relevel(&c->s, NULL, &c->stop) && fixpoint_renumber(f, &c->s, &c->stop));
}

/* A shortest cycle was asked for. True: that was the answer; false: any execution will do. */
static bool answer_shortest(struct check *c, const struct fixpoint *f, enum property property) {
    if (!c->q->shortest) return false;
    if (shortest_progress(c, f) == OUTCOME_FOUND) {
        if (check_believe(c)) answer_lasso(c, property);
        return true;
    }
    if (c->stop.kind == STOP_FAULT) return check_stop(c), true;
    check_not_shortest(c);
    return false;
}

/* True if every state got marked. */
static bool everywhere(struct check *c, enum property property, struct fixpoint *f) {
    const char *doubt = property_doubt(property, &c->ts->reduction, property_symmetric(c->ts));
    f->marked = c->position.marked; /* from a checkpoint, if any */
    c->position.marked = (struct bitmap){0};
    bool fine = fixpoint_run(f, &c->s, &c->stop);
    if (!fine) {
        check_stop(c);
    } else if (f->unmarked > 0 && doubt) {
        fine = false;
        check_inconclusive(c, doubt);
    } else if (f->unmarked > 0 && !order_by_levels(c, f)) {
        fine = false;
        check_stop(c);
    } else if (f->unmarked > 0 && answer_shortest(c, f, property)) {
        fine = false;
    } else if (f->unmarked > 0) {
        fine = find_lasso(c, f, f->first_unmarked);
        if (fine && c->ts->reduction.stubborn && property != PROP_MUST) {
            fine = reconsider(c, f, property);
        } else if (fine) {
            fine = false;
            if (property == PROP_MUST) answer_lasso(c, property);
            else answer_doomed(c, property);
        }
    }
    fixpoint_fini(f);
    return fine;
}

bool check_may_progress(struct check *c) {
    struct fixpoint f = {.kind = FIXPOINT_SOME,
                         .target = TS_MAY,
                         .terminal_is_target = !c->q->terminal_not_may,
                         .phase = "may progress"};
    return everywhere(c, PROP_MAY, &f);
}

bool check_must_progress(struct check *c) {
    if (c->q->fair) return check_fair_must_progress(c);
    struct fixpoint f = {.kind = FIXPOINT_ALL,
                         .target = TS_MUST,
                         .terminal_is_target = !c->q->terminal_not_must,
                         .phase = "must progress"};
    return everywhere(c, PROP_MUST, &f);
}

bool check_termination(struct check *c) {
    struct fixpoint f = {.kind = FIXPOINT_SOME, .terminal_is_target = true, .phase = "termination"};
    return c->terminating = everywhere(c, PROP_TERMINATION, &f);
}

bool check_endings(struct check *c) {
    struct fixpoint f = {.kind = FIXPOINT_SOME, .terminal_is_target = true, .phase = "termination"};
    if (c->s.terminals == 0) return true;
    f.marked = c->position.marked; /* from a checkpoint, if any */
    c->position.marked = (struct bitmap){0};
    bool fine = fixpoint_run(&f, &c->s, &c->stop);
    if (fine) c->terminating = f.unmarked == 0;
    else check_stop(c);
    fixpoint_fini(&f);
    return fine;
}

/* The states before the last of the trace that are no must-progress states, up to one that is: from them, too, must
 * progress can be avoided. */
static void sharpen_must(struct check *c) {
    struct trace *t = &c->a->trace;
    struct ts_fault fault;
    uint32_t lacks = TS_MUST;
    while (t->no_return > 0) {
        bool good = ends_lack(c->ts, c->w, trace_state(t, t->no_return - 1), TS_MUST, &lacks, &fault);
        if (!good || !lacks) return;
        t->no_return--;
    }
}

void check_stuck(struct check *c, bool sharpened) {
    struct trace *t = &c->a->trace;
    const struct bfs_goals may = {.classes = TS_MAY};
    uint32_t lacks = 0;
    struct ts_fault fault;
    if (!check_believe(c)) return;
    if (!ends_lack(c->ts, c->w, trace_state(t, t->count - 1), check_goals(c).at_ends, &lacks, &fault)) {
        check_fault(c, &fault);
        return;
    }
    if (!lacks) {
        check_answer(c, VERDICT_ERROR, PROP_NONE,
                     text_format("%s: may_progress or must_progress answers differently when it is asked again about "
                                 "the same state",
                                 c->ts->path));
        return;
    }
    t->no_return = t->count - 1;
    if (lacks & TS_MAY && sharpened) sharpen(c, &may);
    else if (!(lacks & TS_MAY)) sharpen_must(c);
    answer_lasso(c, lacks & TS_MAY ? PROP_MAY : PROP_MUST);
}

/* A depth-first search came to a trap, from where no terminal state can be reached. Perhaps that was so before: of
 * states on the way that still have successors to be looked at, the search cannot know. */
static void sharpen_trap(struct check *c) {
    struct trace *t = &c->a->trace;
    uint64_t low = c->end.may_end, next = low; /* the first, because often no state at all may terminate */
    while (low < t->no_return) {
        if (opinion_on_end(&c->s, trace_state(t, next)) == OPINION_CONFIRMED) t->no_return = next;
        else low = next + 1;
        next = low + (t->no_return - low) / 2;
    }
}

void check_trap(struct check *c) {
    struct stop way;
    if (!check_trace_to_stop(c, &way)) {
        check_inconclusive(c, way.reason);
        return;
    }
    if (!walk_on(c, dfs_in_trap, &c->end)) return;
    sharpen_trap(c);
    if (c->ts->reduction.stubborn) reconsider(c, NULL, PROP_TERMINATION);
    else answer_doomed(c, PROP_TERMINATION);
}
