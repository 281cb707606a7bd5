/* plan.h: a network, prepared for being executed fast.
 *
 * An action is a label of the network that can occur at all, or the tau of one component. Its parts are the components
 * that take part in it. Labels that some part of theirs can execute in none of its states never occur: they are no
 * actions, and their edges are left out.
 *
 * A transition is an action together with a choice among the edges of its parts: transition number = the action's first
 * one + the choices in mixed radix. Edges of one action in one local state are numbered from 0 on, so that most actions
 * have one transition.
 *
 * A state of the network is the local states side by side. Bit 0 is 1. If some component can err, or the network can
 * end, the next bit marks ERROR and END. ERROR is the tuple where the component that erred (the first one, if several
 * do at a time) is in its error state, and all others are in state 0; END is the tuple where the components that have
 * an end state are in it, and all others are in state 0. There is one END, and one ERROR for each component.
 *
 * A move changes a local state from x to y; in the tuple, that is the exclusive or of x and y at the component's place.
 * The components do not share words, unless they fit completely.
 *
 * A plan does not change once it is made.
 */
#ifndef NET_PLAN_H
#define NET_PLAN_H

#include "net/network.h"
#include "ts/ts.h"

enum { PLAN_MARK = 1, PLAN_SPECIAL = 2 }; /* bits of word 0 of a state; the latter only if plan->special */

enum plan_attention {
    PLAN_ERRS = 1, /* the target is the error state */
    PLAN_ENDS = 2, /* the network may have ended */
};

struct plan_edge {
    uint64_t change; /* of the component's word */
    uint32_t target;
    uint32_t attention; /* enum plan_attention */
};

/* The edges of one action in one local state. */
struct plan_group {
    uint32_t action;
    uint32_t begin, end;
};

struct plan_component {
    const char *name;
    uint32_t states, initial, end, error;
    uint32_t word, shift;
    uint64_t mask;             /* after shifting */
    uint32_t locals;           /* actions that it takes part in */
    uint32_t *actions;         /* by local number, ascending */
    uint32_t *first;           /* by state: of its groups; one more at the end */
    uint32_t *dense;           /* [state * locals + local number]: group + 1, or 0; NULL if that would be too large */
    uint32_t *scan;            /* the groups of actions that begin here, by state, in the order of scanning */
    uint32_t *scanning;        /* by state: where its groups begin in `scan`; one more at the end */
    struct plan_group *groups; /* of each state by action, ascending */
    struct plan_edge *edges;
    bool has_tau; /* in some state */
};

struct plan_part {
    uint32_t component, local;
    uint32_t radix; /* most edges in one state */
};

struct plan_action {
    uint32_t label; /* of the network */
    uint32_t parts;
    struct plan_part *part; /* the first is where the action begins */
    uint32_t transition;    /* its first */
    uint32_t transitions;
    bool visible, low, errs; /* seen outside; gives way to others; may lead to ERROR from some state */
};

struct plan {
    struct network network;
    uint32_t words, bits;
    uint32_t count;
    struct plan_component *component;
    uint32_t actions;
    struct plan_action *action;
    uint32_t ender; /* an action that never occurs, but would be enabled in END and nowhere else; or LTS_NONE */
    uint32_t transitions;
    uint32_t *action_of; /* by transition */
    uint32_t most_parts;
    bool special, can_end, can_err, has_low;
    bool forward;
};

/* The network is taken over, also if that fails. `ends_seen`: if the network can end, it has an `ender`: as if an
 * observer could see that it has ended. */
struct plan *plan_new(struct network *n, bool forward, bool ends_seen, struct problem *why);
void plan_free(struct plan *p);

static inline uint32_t plan_local(const struct plan_component *c, const word *s) {
    return (uint32_t)(s[c->word] >> c->shift & c->mask);
}

void plan_unpack(const struct plan *p, const word *s, uint32_t *locals);
void plan_initial(const struct plan *p, word *out);

static inline bool plan_is_special(const struct plan *p, const word *s) {
    return p->special && (s[0] & PLAN_SPECIAL) != 0;
}
uint32_t plan_error(const struct plan *p, const word *s); /* the component that erred, or LTS_NONE */

/* The tuple has just been made by edges that need attention: makes it ERROR or END if it is. */
void plan_settle(const struct plan *p, word *s);

/* The group of an action in a local state of a component, or NULL: it is disabled there. */
const struct plan_group *plan_search(const struct plan_component *c, uint32_t state, uint32_t action);
static inline const struct plan_group *plan_group(const struct plan_component *c, uint32_t state, uint32_t local) {
    if (__builtin_expect(!c->dense, 0)) return plan_search(c, state, c->actions[local]);
    uint32_t found = c->dense[(size_t)state * c->locals + local];
    return found ? c->groups + found - 1 : NULL;
}

bool plan_enabled(const struct plan *p, const uint32_t *locals, uint32_t action);

#endif
