/* expect.c: see expect.h. What a reduction does not justify is never "holds". */
#include "expect.h"

#include <stdlib.h>

const char *const verdict_names[VERDICTS] = {"holds", "violated", "inconclusive"};
const char *const property_names[PROPERTIES + 1] = {
    "safety", "deadlock", "model_error", "may_progress", "must_progress", "infinite_occurrence", "termination", "none"};

const char *const store_names[STORES] = {"exact", "hash-compact", "bitstate"};

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

/* Progress must not end in a terminal state, if terminal states are no progress by themselves. */
static enum property stuck_at(const struct options *o, unsigned flags) {
    if (o->mode.symmetry && !o->declared) return NO_PROPERTY;
    if (!o->no_may && o->terminal_not_may && !(flags & NAIVE_MAY)) return MAY;
    if (!o->no_must && o->terminal_not_must && !(flags & NAIVE_MUST)) return MUST;
    return NO_PROPERTY;
}

static bool wrong_end(const struct options *o, unsigned flags, struct expectation *x) {
    if (!o->no_deadlock && flags & NAIVE_RAISES_END) return x->property = MODEL_ERROR, true;
    if (!o->no_deadlock && flags & NAIVE_ILLEGAL_END) return x->property = DEADLOCK, true;
    x->property = stuck_at(o, flags);
    x->stuck = x->property != NO_PROPERTY;
    return x->stuck;
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
        if (wrong_end(o, flags, x)) return true;
    }
    return false;
}

/* ---- Depth-first ---- */

struct deep {
    const struct options *o;
    const struct naive_graph *g;
    struct expectation *x;
    bool termination; /* is asked for */
    bool *ends;       /* a terminal state can be reached */
    bool *known, *on_path, *seen;
    uint32_t depth, deepest;
};

/* Can a state on the path before s be reached from s? If not, s is where its component was entered. */
static bool leads_back(struct deep *d, uint32_t from, uint32_t s) {
    const struct naive_graph *g = d->g;
    d->seen[from] = true;
    for (uint32_t e = g->first_edge[from]; e < g->first_edge[from + 1]; e++) {
        uint32_t to = g->edge[e].to;
        if (to != s && d->on_path[to]) return true;
        if (!d->seen[to] && leads_back(d, to, s)) return true;
    }
    return false;
}

static bool is_trap(struct deep *d, uint32_t s) {
    if (!d->termination || d->ends[s]) return false;
    for (uint32_t i = 0; i < d->g->states; i++) d->seen[i] = false;
    return !leads_back(d, s, s);
}

/* The textbook's search. True: something was found. */
static bool enter(struct deep *d, uint32_t s) {
    const struct naive_graph *g = d->g;
    struct expectation *x = d->x;
    unsigned flags = g->flags[s];
    d->known[s] = d->on_path[s] = true;
    if (d->depth++ > d->deepest) d->deepest = d->depth - 1;
    x->states++;
    x->state = s;
    x->length = d->depth;
    if (!d->o->no_state && flags & NAIVE_RAISES_STATE) return x->property = MODEL_ERROR, true;
    if (!d->o->no_state && flags & NAIVE_BAD) return x->property = SAFETY, true;
    if (flags & NAIVE_RAISES_FIRE) return x->property = MODEL_ERROR, true;
    x->edges += g->first_edge[s + 1] - g->first_edge[s];
    x->terminals += (flags & NAIVE_TERMINAL) != 0;
    if (flags & NAIVE_TERMINAL && wrong_end(d->o, flags, x)) return true;
    for (uint32_t e = g->first_edge[s]; e < g->first_edge[s + 1]; e++)
        if (!d->known[g->edge[e].to] && enter(d, g->edge[e].to)) return true;
    if (is_trap(d, s)) return x->property = TERMINATION, true;
    d->depth--;
    return d->on_path[s] = false;
}

static bool found_deep(const struct options *o, const struct naive_graph *g, bool termination, struct expectation *x) {
    bool *flags = calloc(3, g->states);
    struct deep d = {.o = o, .g = g, .x = x, .termination = termination};
    if (!flags) abort();
    d.known = flags, d.on_path = flags + g->states, d.seen = flags + 2 * (size_t)g->states;
    d.ends = naive_can_reach(g, NAIVE_TERMINAL);
    *x = (struct expectation){.verdict = VIOLATED, .property = NO_PROPERTY};
    bool found = enter(&d, 0);
    x->depth = d.deepest;
    if (!found) x->length = 0;
    free(d.ends);
    free(flags);
    return found;
}

/* ---- All of it ---- */

/* The most states of one level among the first so many states. */
static uint32_t widest_level(const struct naive_graph *g, uint32_t states) {
    uint32_t widest = 0, here = 0;
    for (uint32_t i = 0; i < states; i++) {
        here = i > 0 && g->depth_of[i] == g->depth_of[i - 1] ? here + 1 : 1;
        if (here > widest) widest = here;
    }
    return widest;
}

static struct expectation expect_verdict(const struct options *o, const struct naive_graph *g,
                                         const struct naive_graph *unreduced) {
    struct expectation x;
    bool unjustified = false, stubborn = o->mode.stubborn;
    bool progress_means_something = !o->mode.symmetry || o->declared;
    bool needs_termination =
        stubborn && (!o->no_state || !o->no_may || (!o->no_must && !o->mode.must) || o->infinitely);
    bool terminates = always_may_terminate(g);
    bool asks_termination = !o->no_termination && (needs_termination || o->termination);
    if (o->deep ? found_deep(o, g, asks_termination, &x) : found_on_the_fly(o, g, &x)) {
        x.late = x.stuck && some_has(unreduced, NAIVE_RAISES_FIRE);
        if (x.property != TERMINATION) return x;
        /* A model error that was not met may turn up when the counterexample is made. */
        x.raises_outside = some_has(unreduced, NAIVE_RAISES_FIRE);
        x.or_inconclusive = x.raises_outside && stubborn;
        if (x.raises_outside && stubborn) x.also |= 1u << MODEL_ERROR;
        return x;
    }
    x.state = UINT32_MAX;
    if (!o->deep) x.depth = g->depth;
    /* A model error that stubborn sets leave out may turn up in the audit, or where a counterexample is made, and end
     * that. */
    x.raises_outside = stubborn && some_has(unreduced, NAIVE_RAISES_FIRE);
    if (x.raises_outside) x.also |= 1u << MODEL_ERROR;
    /* Nothing else is asked of states that are not kept exactly. */
    if (o->store != EXACT) return x.verdict = INCONCLUSIVE, x;
    if (x.raises_outside) {
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
        unjustified |= (stubborn && !o->mode.must) || !progress_means_something;
        x.or_inconclusive |= violated && !progress_means_something;
        if (violated && progress_means_something) return x.property = MUST, x;
    }
    if (o->infinitely && naive_infinitely(g, o->often, o->rarely)) return x.property = INFINITE, x;
    if (asks_termination && !terminates) return x.property = TERMINATION, x;
    if (needs_termination && o->no_termination) unjustified = true;
    /* Model errors are always asked for. If they are not covered and nothing else is, nothing is known to hold. */
    bool errors_covered = !stubborn || (terminates && !o->no_termination);
    bool errors_only = o->no_state && o->no_deadlock && o->no_may && o->no_must && !o->infinitely && !o->termination;
    if (errors_only && !errors_covered) unjustified = true;
    x.verdict = unjustified ? INCONCLUSIVE : HOLDS;
    return x;
}

struct expectation expect(const struct options *o, const struct naive_graph *g, const struct naive_graph *unreduced) {
    struct expectation x = expect_verdict(o, g, unreduced);
    if (!o->deep) x.widest = widest_level(g, x.states);
    return x;
}
