/* A fire that returns false must leave the state alone.
 *
 * $ onager check false_changed.c
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c --stubborn
 *   error: fire returned false but had changed the state
 * $ onager check false_changed.c -p careful=1
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(careful, 0)

#define STATE(var, array)                                                                                              \
    var(2, x)                                                                                                          \
    var(2, y)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (!careful && s->x == 3) s->y = 1;
    if (s->x == 3) return false;
    s->x++;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    (void)t;
    stb_all(set);
}

MODEL(.transitions = 1, .fire = fire, .obligations = obligations)
