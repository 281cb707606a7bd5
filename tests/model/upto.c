/* UPTO(5) has six values in three bits, and a seventh is reported, though it would fit.
 *
 * $ onager check upto.c
 *   holds, 6 states, 5 edges
 * $ onager check upto.c -p top=6
 *   error: 6 was stored in x[1]
 * $ onager check upto.c -p top=6 --fast
 *   holds, 7 states, 6 edges
 */
#include <onager.h>

PARAM(top, 5)

#define STATE(var, array) array(UPTO(5), x, 3)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->x[1] >= top) return false;
    s->x[1]++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
