/* A thousand transitions, each enabled in one state.
 *
 * $ onager check many_transitions.c
 *   holds, 1001 states, 1000 edges
 * $ onager check many_transitions.c --scan forward
 *   holds, 1001 states, 1000 edges
 * $ onager check many_transitions.c --stubborn
 *   holds, 1001 states, 1000 edges
 * $ onager check many_transitions.c --stubborn --scan forward
 *   holds, 1001 states, 1000 edges
 */
#include <onager.h>

PARAM(count, 1000)

#define STATE(var, array) var(UPTO(count), x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->x != t) return false;
    s->x++;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    if (s->x < t) stb(set, t - 1);
}

static const char *check_deadlock(const state *s) { return s->x == count ? NULL : "not at the end"; }

MODEL(.transitions = count, .fire = fire, .obligations = obligations, .check_deadlock = check_deadlock)
