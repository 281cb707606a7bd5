/* Is the model always may-terminating: can a terminal state be reached from every state? */
#include "check/property/property_ops.h"

#include <assert.h>

#include "check/property/target.h"
#include "check/second_opinion.h"

static const char phase[] = "termination";

static bool ask(struct check *c) { return c->terminating = target_ask(c, PROP_TERMINATION, phase); }

const struct property_ops ops_TERMINATION = {.ask = ask};

bool check_endings(struct check *c) {
    struct backward q = target_question(c, property_row(PROP_TERMINATION), phase);
    if (c->s.terminals == 0) return true;
    q.marks = check_saved_marks(c);
    enum outcome lost = graph_backward(&c->graph, &q, &c->stop);
    if (lost == OUTCOME_GIVEN_UP) check_stop(c);
    else c->terminating = lost == OUTCOME_NONE;
    graph_forget(&c->graph, q.marks);
    return lost != OUTCOME_GIVEN_UP;
}

/* A depth-first search came to a trap, from where no terminal state can be reached. Perhaps that was so before: of
 * states on the way that still have successors to be looked at, the search cannot know. */
static void sharpen_trap(struct check *c) {
    struct trace *t = &c->a->trace;
    uint64_t low = c->end.may_end, next = low; /* the first, because often no state at all may terminate */
    assert(low <= t->no_return);               /* from the last state, no terminal state can be reached */
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
    const struct node_set trap = {dfs_in_trap, &c->end};
    if (!target_walk_on(c, &trap)) return;
    sharpen_trap(c);
    target_lost(c, PROP_TERMINATION);
}
