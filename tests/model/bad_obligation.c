/* An obligation that names a transition that does not exist is reported.
 *
 * $ onager check bad_obligation.c
 *   holds, 4 states, 4 edges
 * $ onager check bad_obligation.c --stubborn
 *   error: the transition 2 was named, but there are only 0 to 1
 * $ onager check bad_obligation.c --stubborn -p named=1
 *   holds, 4 states, 4 edges
 * $ onager check bad_obligation.c --stubborn -p named=-1
 *   error: was named, but there are only 0 to 1
 */
#include <onager.h>

PARAM(named, 2)

#define STATE(var, array) array(1, x, 2)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->x[t]) return false;
    s->x[t] = 1;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    if (t == 1) stb(set, 0);
    else stb(set, (unsigned)named);
}

MODEL(.transitions = 2, .fire = fire, .obligations = obligations)
