/* Executions that were found with symmetry: made concrete, and asked once more whether they show what they should. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "reduce/audit.h"
#include "reduce/likeness.h"
#include "check/concretize.h"
#include "check/answer.h"
#include "check/second_opinion.h"
#include "ts/valuation.h"

enum {
    MOST_STATES = 1 << 20, /* of a concrete execution */
    MOST_AFTER = 100000,   /* of the space after it */
};

static const char wrong[] = "the symmetry map is wrong (try: onager audit)";

/* All of a state, as one line; to be freed. */
static char *told(struct check *c, const word *s) {
    char *text = NULL;
    size_t size = 0;
    struct ts_fault fault;
    FILE *out = open_memstream(&text, &size);
    if (!c->ts->ops->print(c->w, s, NULL, out, &fault)) fprintf(out, "(%s: %s)", fault.where, fault.text);
    fclose(out);
    return text;
}

/* `text` is freed. */
static void blame(struct check *c, char *text) {
    check_answer(c, VERDICT_ERROR, PROP_NONE, text_format("%s: %s: %s", c->ts->path, wrong, text));
    free(text);
}

/* The last state of the concrete execution has no step like that of its representative. */
static void blame_step(struct check *c, const struct trace *real, const struct concrete_gap *gap) {
    const struct trace *r = &c->a->trace;
    char name[128];
    char *there = told(c, trace_state(r, gap->to));
    if (gap->from == TRACE_NONE) {
        blame(c, text_format("the initial state has another representative than '%s' now", there));
    } else {
        char *here = told(c, trace_state(real, real->count - 1)), *image = told(c, trace_state(r, gap->from));
        c->ts->ops->transition_name(c->w, gap->transition, name, sizeof name);
        blame(c, text_format("the state '%s' has the representative '%s', where transition %u (%s) leads to a state "
                             "with representative '%s'; but no transition does so from the state itself",
                             here, image, gap->transition, name, there));
        free(here);
        free(image);
    }
    free(there);
}

/* What is true of state number i of the reduced execution is not true of state k of the concrete one. */
static void blame_state(struct check *c, const struct trace *real, uint64_t k, uint64_t i, const char *what) {
    char *here = told(c, trace_state(real, k)), *image = told(c, trace_state(&c->a->trace, i));
    blame(c, text_format("the representative of the state '%s' is '%s', and %s there, but not in the state itself",
                         here, image, what));
    free(here);
    free(image);
}

/* ---- The end of the execution ---- */

/* Is something enabled in state number k of the concrete execution, as nothing is in the last one of the reduced one?
 * Then the map is wrong; a failure of model code is an answer, too. False: the last state is terminal. */
static bool goes_on(struct check *c, const struct trace *real, uint64_t k) {
    struct ts_fault fault;
    word *next = memory_get(c->ts->words * sizeof(word));
    int fired = 0;
    for (uint32_t t = 0; t < c->ts->transitions && fired == 0; t++)
        fired = c->ts->ops->fire(c->w, trace_state(real, k), t, next, &fault);
    free(next);
    if (fired < 0) check_fault(c, &fault);
    if (fired > 0) blame_state(c, real, k, c->a->trace.count - 1, "no transition is enabled");
    return fired != 0;
}

/* What check_state or check_deadlock says of the last state, in its own words. */
static void ask_check(struct check *c, const struct trace *real, enum property property, enum ts_feature feature) {
    const word *last = trace_state(real, real->count - 1);
    const char *message = NULL;
    struct ts_fault fault;
    uint64_t end = c->a->trace.count - 1;
    if (feature == TS_CHECK_DEADLOCK && goes_on(c, real, real->count - 1)) return;
    if (!c->ts->ops->check(c->w, last, feature, &message, &fault)) check_fault(c, &fault);
    else if (message)
        check_answer(c, VERDICT_VIOLATED, property, text_format("%s: %s", property_headline(property), message));
    else if (feature == TS_CHECK_STATE) blame_state(c, real, real->count - 1, end, "check_state finds an error");
    else blame_state(c, real, real->count - 1, end, "check_deadlock finds an error");
}

/* The model has raised an error in the last state, or at one of its transitions. Which is it here? */
static void ask_error(struct check *c, const struct trace *real) {
    const word *last = trace_state(real, real->count - 1);
    word *next = memory_get(c->ts->words * sizeof(word));
    struct ts_fault fault = {.kind = TS_FINE};
    const char *message;
    bool fires = strcmp(c->fault.where, "fire") == 0, checks = strcmp(c->fault.where, "check_state") == 0;
    for (uint32_t t = 0; fires && t < c->ts->transitions && fault.kind == TS_FINE; t++)
        if (c->ts->ops->fire(c->w, last, t, next, &fault) >= 0) fault.kind = TS_FINE;
    if (checks && c->ts->ops->check(c->w, last, TS_CHECK_STATE, &message, &fault)) fault.kind = TS_FINE;
    if (fault.kind != TS_FINE) check_fault(c, &fault);
    else if (fires || checks) blame_state(c, real, real->count - 1, c->a->trace.count - 1, "the model raises an error");
    free(next);
}

/* From where progress has become impossible (for must progress: on the cycle), there must be no state with progress; if
 * there is no cycle, the last state must be terminal. */
static void ask_progress(struct check *c, const struct trace *real, const struct property_row *row) {
    const struct trace *r = &c->a->trace;
    uint8_t class = (uint8_t)row->target;
    uint64_t first = row->rank == RANK_ALL && real->cycle != TRACE_NONE ? real->cycle : real->no_return;
    for (uint64_t i = first; i < real->count && c->a->verdict == VERDICT_VIOLATED; i++) {
        uint8_t answer = 0;
        struct ts_batch b = {.sources = trace_state(real, i), .count = 1, .wanted = class, .classes = &answer};
        uint64_t k = i < r->count ? i : r->cycle + (i - r->cycle) % (r->count - r->cycle);
        if (class && valuation_classify(c->ts, c->w, &b) < 1) check_fault(c, &b.fault);
        else if (answer & class) blame_state(c, real, i, k, "there is no progress");
    }
    if (r->cycle == TRACE_NONE && c->a->verdict == VERDICT_VIOLATED) goes_on(c, real, real->count - 1);
}

/* That a goal cannot be reached any more was seen in the reduced space. Is it so without the map, as far as one looks?
 * (With stubborn sets, the obligations may be to blame as well: second_opinion.h has looked into that.) */
static void ask_after(struct check *c, const struct trace *real, const struct property_row *row) {
    struct bfs_goals goals = {.any_terminal =
                                  property_counts_ends(row, c->q->terminal_not_may, c->q->terminal_not_must),
                              .classes = row->target};
    if (c->a->verdict != VERDICT_VIOLATED || c->ts->reduction.stubborn) return;
    enum opinion opinion = opinion_without_map(&c->s, trace_state(real, real->no_return), &goals, MOST_AFTER);
    if (opinion != OPINION_REFUTED && opinion != OPINION_TERMINAL) return;
    blame_state(c, real, real->no_return, real->no_return,
                opinion == OPINION_TERMINAL ? "no terminal state can be reached from" : "no progress can be made from");
}

static void ask_again(struct check *c, const struct trace *real) {
    const struct property_row *row = property_row(c->a->property);
    if (row->rank == RANK_SOME || row->rank == RANK_ALL) ask_progress(c, real, row);
    if (row->rank == RANK_SOME) ask_after(c, real, row);
    if (row->when != ON_THE_FLY) return;
    if (row->needs & NEEDS_FUNCTION) ask_check(c, real, row->id, (enum ts_feature)row->feature);
    else ask_error(c, real);
}

/* There is no next step. If the state and its representative cannot be symmetric, the map is wrong. Otherwise it may be
 * one that gives symmetric states different representatives, and the execution is shown as it was found. */
static bool is_wrong(struct check *c, const struct trace *real, const struct concrete_gap *gap) {
    if (gap->from == TRACE_NONE) return true;
    return likeness(c->ts, c->w, trace_state(real, real->count - 1), trace_state(&c->a->trace, gap->from),
                    TS_BAD | AUDIT_DEADLOCK) == UNLIKE;
}

void check_concrete(struct check *c) {
    struct trace *reduced = &c->a->trace, real;
    struct concrete_gap gap;
    if (!c->ts->reduction.symmetry || reduced->count == 0) return;
    reduced->swaps = c->q->swaps;
    if (c->q->swaps && c->q->no_audit) return; /* who knows that the map is right need not be shown */
    trace_init(&real, c->ts->words);
    enum concrete found = concrete_trace(&real, reduced, c->ts, c->w, MOST_STATES, &gap);
    bool unknown = found == CONCRETE_NO_STEP && !is_wrong(c, &real, &gap);
    if (found == CONCRETE_NO_STEP && !unknown) blame_step(c, &real, &gap);
    else if (found == CONCRETE_FAULT) check_fault(c, &gap.fault);
    else if (unknown)
        c->a->note = "the execution shown is one of representatives, since none of the model itself was found "
                     "for it: the map gives symmetric states different representatives, or it is wrong (try: "
                     "onager audit)";
    else if (c->a->verdict == VERDICT_VIOLATED) ask_again(c, &real);
    if (found == CONCRETE_OPEN && !c->q->swaps && c->a->verdict == VERDICT_VIOLATED)
        c->a->note = "the execution goes on for ever through states that are symmetric to those shown last, "
                     "but takes too many steps until a state is repeated: the cycle is not shown (try: "
                     "--swaps)";
    if (found == CONCRETE_NO_MEMORY && !c->q->swaps && c->a->verdict == VERDICT_VIOLATED)
        c->a->note = "there was not enough memory to find a state that is repeated: the cycle is not shown "
                     "(try: --swaps)";
    bool keep = unknown || (c->q->swaps && c->a->verdict == VERDICT_VIOLATED);
    struct trace shown = keep ? *reduced : real, other = keep ? real : *reduced;
    c->a->trace = shown;
    c->a->trace.swaps = keep;
    trace_fini(&other);
}
