/* Each check can be switched off; then the next one speaks. All fail in this model.
 *
 * $ onager check switches.c
 *   violated safety: bad state
 * $ onager check switches.c --no-check-state
 *   violated deadlock: bad end
 * $ onager check switches.c --no-check-state --no-check-deadlock
 *   violated may_progress, 5 states, 5 edges
 * $ onager check switches.c --no-check-state --no-check-deadlock --no-may-progress
 *   violated must_progress, 5 states, 5 edges
 * $ onager check switches.c --no-check-state --no-check-deadlock --no-may-progress --no-must-progress
 *   holds, 5 states, 5 edges
 * $ onager check switches.c --no-check-state --no-check-deadlock --no-may-progress --no-must-progress --termination
 *   violated termination, 5 states, 5 edges
 */
#include <onager.h>

/* 0 -> 1 -> 2 (end), 1 -> 3 <-> 4 */
#define STATE(var, array) var(3, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    switch (s->x) {
    case 0: s->x = 1; return t == 0 || (s->x = 0, false);
    case 1: s->x = t ? 3 : 2; return true;
    case 3:
    case 4: s->x = s->x == 3 ? 4 : 3; return t == 0 || (s->x = s->x == 3 ? 4 : 3, false);
    default: return false;
    }
}

static const char *check_state(const state *s) { return s->x == 1 ? "bad state" : NULL; }
static const char *check_deadlock(const state *s) { return s->x == 2 ? "bad end" : NULL; }
static bool may_progress(const state *s) { return s->x == 2; }
static bool must_progress(const state *s) { return s->x == 2; }

MODEL(.transitions = 2, .fire = fire, .check_state = check_state, .check_deadlock = check_deadlock,
      .may_progress = may_progress, .must_progress = must_progress)
