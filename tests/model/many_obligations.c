/* More obligations than there is room for at first, in one call and in many; out of order, and repeated.
 *
 * $ onager check many_obligations.c
 *   holds, 256 states, 1024 edges
 * $ onager check many_obligations.c --stubborn
 *   holds, 256 states, 1024 edges
 * $ onager check many_obligations.c --stubborn -p times=100
 *   holds, 256 states, 1024 edges
 * $ onager check many_obligations.c --stubborn -p times=10000
 *   holds, 256 states, 1024 edges
 * $ onager check many_obligations.c --stubborn -p times=0
 *   holds, 9 states, 8 edges
 * $ onager check many_obligations.c --stubborn -p times=0 --scan forward
 *   holds, 9 states, 8 edges
 */
#include <onager.h>

PARAM(times, 1)

#define STATE(var, array) array(1, x, 8)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->x[t]) return false;
    s->x[t] = 1;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    (void)t;
    for (int i = 0; i < times; i++) stb(set, 7, 3, 1, 5, 0, 2, 6, 4, 4, 7, 3, 1, 5, 0, 2, 6);
}

MODEL(.transitions = 8, .fire = fire, .obligations = obligations)
