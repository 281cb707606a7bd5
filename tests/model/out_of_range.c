/* A value that does not fit its variable is reported, wherever it is stored.
 *
 * $ onager check out_of_range.c
 *   error: the value 8 was stored in x
 * $ onager check out_of_range.c -p where=1
 *   error: the value 9 was stored in x
 * $ onager check out_of_range.c -p where=2 --symmetry
 *   error: the value 10 was stored in x
 * $ onager check out_of_range.c -p where=2
 *   holds, 8 states, 7 edges
 */
#include <onager.h>

PARAM(where, 0)

#define STATE(var, array)                                                                                              \
    var(5, before)                                                                                                     \
    var(3, x)                                                                                                          \
    var(5, after)
DEFINE_STATE(STATE)

static void initial(state *s) {
    if (where == 1) s->x = 9;
}

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where != 0 && s->x == 7) return false;
    s->x++;
    return true;
}

static void symmetry(state *s) {
    if (where == 2 && s->x == 5) s->x = 10;
}

MODEL(.transitions = 1, .initial = initial, .fire = fire, .symmetry = symmetry)
