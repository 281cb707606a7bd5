/* expect.c: see expect.h. What a reduction does not justify is never "holds". */
#include "expect.h"

#include <stdlib.h>

const char *const verdict_names[VERDICTS] = {"holds", "violated", "inconclusive"};
const char *const property_names[PROPERTIES + 1] = {
    "safety", "deadlock", "model_error", "may_progress", "must_progress", "infinite_occurrence", "termination", "none"};

bool some_has(const struct naive_graph *g, unsigned flags) {
    for (uint32_t i = 0; i < g->states; i++)
        if (g->flags[i] & flags) return true;
    return false;
}

bool some_cannot_reach(const struct naive_graph *g, unsigned flags) {
    bool *can = naive_can_reach(g, flags), some = false;
    for (uint32_t i = 0; i < g->states; i++) some |= !can[i];
    free(can);
    return some;
}

bool always_may_terminate(const struct naive_graph *g) { return !some_cannot_reach(g, NAIVE_TERMINAL); }

unsigned may_goals(const struct options *o) { return o->terminal_not_may ? NAIVE_MAY : NAIVE_MAY | NAIVE_TERMINAL; }

bool must_violated(const struct options *o, const struct naive_graph *g) {
    if (naive_cycle_avoiding(g, NAIVE_MUST)) return true;
    for (uint32_t i = 0; o->terminal_not_must && i < g->states; i++)
        if ((g->flags[i] & (NAIVE_TERMINAL | NAIVE_MUST)) == NAIVE_TERMINAL) return true;
    return false;
}

/* May progress with stubborn sets: that no progress state can be reached in the reduced graph says nothing, unless none
 * can be reached in the unreduced graph either. */
struct may {
    bool alarm;     /* there are states from which no progress state is reachable in the graph */
    bool confirmed; /* some of them really are such */
    bool all;       /* all of them are */
};

static struct may ask_may(const struct options *o, const struct naive_graph *g, const struct naive_graph *unreduced) {
    bool *can = naive_can_reach(g, may_goals(o)), *really = naive_can_reach(unreduced, may_goals(o));
    struct may may = {.all = true};
    for (uint32_t i = 0; i < g->states; i++) {
        if (can[i]) continue;
        bool real = !really[naive_find(unreduced, g->state[i])];
        may.alarm = true;
        may.confirmed |= real;
        may.all &= real;
    }
    free(can);
    free(really);
    return may;
}

/* One state after the other, as ASSET does it: what is found first, and the counts up to then. */
static bool found_on_the_fly(const struct options *o, const struct naive_graph *g, struct expectation *x) {
    *x = (struct expectation){.verdict = VIOLATED, .states = 1, .property = NO_PROPERTY};
    for (uint32_t i = 0; i < g->states; i++) {
        unsigned flags = g->flags[i];
        x->state = i;
        if (i == 0 && !o->no_state && flags & NAIVE_RAISES_STATE) x->property = MODEL_ERROR;
        else if (i == 0 && !o->no_state && flags & NAIVE_BAD) x->property = SAFETY;
        else if (flags & NAIVE_RAISES_FIRE) x->property = MODEL_ERROR;
        if (x->property != NO_PROPERTY) return true;
        for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
            uint32_t to = g->edge[e].to;
            x->edges++;
            if (to < x->states) continue;
            x->states = to + 1;
            x->state = to;
            if (o->no_state) continue;
            if (g->flags[to] & NAIVE_RAISES_STATE) x->property = MODEL_ERROR;
            else if (g->flags[to] & NAIVE_BAD) x->property = SAFETY;
            if (x->property != NO_PROPERTY) return true;
        }
        if (!(flags & NAIVE_TERMINAL)) continue;
        x->terminals++;
        x->state = i;
        if (o->no_deadlock) continue;
        if (flags & NAIVE_RAISES_END) x->property = MODEL_ERROR;
        else if (flags & NAIVE_ILLEGAL_END) x->property = DEADLOCK;
        if (x->property != NO_PROPERTY) return true;
    }
    return false;
}

struct expectation expect(const struct options *o, const struct naive_graph *g, const struct naive_graph *unreduced) {
    struct expectation x;
    if (found_on_the_fly(o, g, &x)) return x;
    x.state = UINT32_MAX;
    bool unjustified = false, stubborn = o->mode.stubborn;
    bool progress_means_something = !o->mode.symmetry || o->declared;
    bool needs_termination = stubborn && (!o->no_state || !o->no_may || !o->no_must || o->infinitely);
    bool terminates = always_may_terminate(g);
    bool asks_termination = !o->no_termination && (needs_termination || o->termination);
    x.depth = g->depth;
    /* A model error that stubborn sets leave out may turn up when a counterexample is made, and end it. */
    x.raises_outside = stubborn && some_has(unreduced, NAIVE_RAISES_FIRE);
    if (x.raises_outside) {
        x.also |= 1u << MODEL_ERROR;
        if (!o->no_must && progress_means_something && must_violated(o, g)) x.also |= 1u << MUST;
        if (asks_termination && !terminates) x.also |= 1u << TERMINATION;
        x.or_inconclusive = true;
    }
    if (!o->no_may) {
        struct may may = ask_may(o, g, unreduced);
        unjustified |= !progress_means_something;
        x.or_inconclusive |= may.alarm && !progress_means_something; /* it may give up at the doubtful error */
        x.false_alarm = may.alarm && !may.confirmed;
        if (may.alarm && !may.all && asks_termination && !terminates) x.also |= 1u << TERMINATION;
        if (may.confirmed && progress_means_something) return x.property = MAY, x;
    }
    if (!o->no_must) {
        bool violated = must_violated(o, g);
        unjustified |= stubborn || !progress_means_something;
        x.or_inconclusive |= violated && !progress_means_something;
        if (violated && progress_means_something) return x.property = MUST, x;
    }
    if (o->infinitely && naive_infinitely(g, o->often, o->rarely)) return x.property = INFINITE, x;
    if (asks_termination && !terminates) return x.property = TERMINATION, x;
    if (needs_termination && o->no_termination) unjustified = true;
    x.verdict = unjustified ? INCONCLUSIVE : HOLDS;
    return x;
}
