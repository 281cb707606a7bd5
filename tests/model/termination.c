/* From 0 to 1, which ends, or to 2 and 3, which go on for ever.
 *
 * $ onager check termination.c
 *   holds, 4 states, 4 edges
 * $ onager check termination.c --termination
 *   violated termination, 4 states, 4 edges
 * $ onager check termination.c --stubborn
 *   violated termination, 4 states, 4 edges
 * $ onager check termination.c --stubborn --no-check-state
 *   holds, 4 states, 4 edges
 * $ onager check termination.c --stubborn --no-check-state --termination
 *   violated termination, 4 states, 4 edges
 * $ onager check termination.c --stubborn --no-termination
 *   inconclusive, 4 states, 4 edges
 * $ onager check termination.c --termination -p leave=1
 *   holds, 4 states, 5 edges
 * $ onager check termination.c --stubborn -p leave=1
 *   holds, 4 states, 5 edges
 */
#include <onager.h>

PARAM(leave, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    switch (s->x) {
    case 0: s->x = t ? 1 : 2; return true;
    case 2: if (t) return false; s->x = 3; return true;
    case 3: if (t && !leave) return false; s->x = t ? 1 : 2; return true;
    default: return false;
    }
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    (void)t;
    stb_all(set);
}

static const char *check_state(const state *s) {
    (void)s;
    return NULL;
}

MODEL(.transitions = 2, .fire = fire, .check_state = check_state, .obligations = obligations)
