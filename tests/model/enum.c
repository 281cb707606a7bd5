/* Named values, and a default printout.
 *
 * $ onager check enum.c
 *   violated safety, 3 states, 2 edges: yellow
 * $ onager check enum.c --no-check-state
 *   holds, 3 states, 3 edges
 */
#include <onager.h>

ENUM(light, red, green, yellow)

#define STATE(var, array) var(light, now)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    s->now = s->now == yellow ? red : s->now + 1;
    return true;
}

static const char *check_state(const state *s) { return s->now == yellow ? "yellow" : NULL; }

MODEL(.transitions = 1, .fire = fire, .check_state = check_state)
