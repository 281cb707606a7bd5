/* An array of length 0 is no variable: it takes no bits, and nothing is blamed on it.
 *
 * $ onager check empty_array.c
 *   error: 6 was stored in x
 * $ onager check empty_array.c -p top=5
 *   holds, 6 states, 5 edges
 * $ onager check empty_array.c -p extra=2 -p top=5
 *   holds, 6 states, 5 edges
 */
#include <onager.h>

PARAM(extra, 0)
PARAM(top, 6)

#define STATE(var, array)                                                                                              \
    array(1, none, extra)                                                                                              \
    var(UPTO(5), x)                                                                                                    \
    array(2, nor_this, extra)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->x >= top) return false;
    s->x++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
