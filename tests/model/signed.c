/* A signed variable has all its values, and a step beyond either end is reported.
 *
 * $ onager check signed.c
 *   holds, 16 states, 30 edges
 * $ onager check signed.c -p low=-9
 *   error: -9 was stored in x
 * $ onager check signed.c -p high=8
 *   error: 8 was stored in x
 */
#include <onager.h>

PARAM(low, -8)
PARAM(high, 7)

#define STATE(var, array) var(SIGNED(4), x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->x == (t ? high : low)) return false;
    s->x += t ? 1 : -1;
    return true;
}

MODEL(.transitions = 2, .fire = fire)
