/* The order in which transitions are tried decides which of two errors at the same depth is found first.
 *
 * $ onager check scan.c
 *   violated safety, 2 states, 1 edges: two
 * $ onager check scan.c --scan backward
 *   violated safety, 2 states, 1 edges: two
 * $ onager check scan.c --scan forward
 *   violated safety, 2 states, 1 edges: one
 */
#include <onager.h>

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->x) return false;
    s->x = t + 1;
    return true;
}

static const char *check_state(const state *s) { return s->x == 1 ? "one" : s->x == 2 ? "two" : NULL; }

MODEL(.transitions = 2, .fire = fire, .check_state = check_state)
