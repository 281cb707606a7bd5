/* A model with far too many states: it stops at a limit and says so.
 *
 * $ onager check limits.c --max-states 1000
 *   inconclusive: states
 * $ onager check limits.c --max-states 100000
 *   inconclusive: states
 * $ onager check limits.c --max-memory 100M
 *   inconclusive: memory
 * $ onager check limits.c --time 1s
 *   inconclusive: time
 * $ onager check limits.c --max-states 1000 -p bad=3
 *   violated safety
 * $ onager check limits.c --max-states 1000 -p bad=30
 *   inconclusive
 */
#include <onager.h>

PARAM(bad, -1)

#define STATE(var, array) array(20, x, 3)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    s->x[t] = (s->x[t] + 1) % 1000003;
    return true;
}

static const char *check_state(const state *s) {
    return bad >= 0 && s->x[0] + s->x[1] + s->x[2] == (unsigned)bad ? "reached" : NULL;
}

MODEL(.transitions = 3, .fire = fire, .check_state = check_state)
