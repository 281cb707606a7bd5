/* Self-loops and parallel edges count as edges.
 *
 * $ onager check edges.c
 *   holds, 2 states, 8 edges
 */
#include <onager.h>

#define STATE(var, array) var(1, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    s->x = t < 2 ? s->x : !s->x;
    return true;
}

MODEL(.transitions = 4, .fire = fire)
