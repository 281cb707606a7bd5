/* What is wrong with the initial state is found, too.
 *
 * $ onager check bad_start.c
 *   violated safety, 1 states, 0 edges: bad from the start
 * $ onager check bad_start.c --no-check-state
 *   violated deadlock, 1 states, 0 edges: stuck from the start
 * $ onager check bad_start.c --no-check-state --no-check-deadlock
 *   holds, 1 states, 0 edges
 */
#include <onager.h>

#define STATE(var, array) var(1, x)
DEFINE_STATE(STATE)

static void initial(state *s) { s->x = 1; }

static bool fire(state *s, unsigned t) {
    (void)s;
    (void)t;
    return false;
}

static const char *check_state(const state *s) { return s->x ? "bad from the start" : NULL; }

static const char *check_deadlock(const state *s) { return s->x ? "stuck from the start" : NULL; }

MODEL(.transitions = 1, .initial = initial, .fire = fire, .check_state = check_state,
      .check_deadlock = check_deadlock)
