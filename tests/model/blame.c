/* Whatever goes wrong in the middle of a search for a stubborn set is blamed on the right function and transition.
 *
 * $ onager check blame.c -p how=1 --stubborn
 *   error: fire in transition 4 (t4): the model's code crashed
 * $ onager check blame.c -p how=2 --stubborn
 *   error: fire in transition 3 (t3): the value 4 was stored in x
 * $ onager check blame.c -p how=3 --stubborn
 *   error: obligations in transition 1 (t1): the model's code crashed
 * $ onager check blame.c -p how=4 --stubborn
 *   error: obligations in transition 1 (t1): the transition 77 was named
 * $ onager check blame.c -p how=5 --stubborn
 *   error: fire in transition 1 (t1): fire returned false
 * $ onager check blame.c -p how=6 --stubborn
 *   violated model_error: fire in transition 1 (t1)
 * $ onager check blame.c -p how=7 --stubborn
 *   violated model_error: obligations in transition 1 (t1)
 * $ onager check blame.c -p how=1 --stubborn --scan forward
 *   error: fire in transition 4 (t4): the model's code crashed
 * $ onager check blame.c -p how=2 --stubborn --scan forward
 *   error: fire in transition 3 (t3): the value 4 was stored in x
 * $ onager check blame.c -p how=3 --stubborn --scan forward
 *   error: obligations in transition 1 (t1): the model's code crashed
 * $ onager check blame.c -p how=4 --stubborn --scan forward
 *   error: obligations in transition 1 (t1): the transition 77 was named
 * $ onager check blame.c -p how=5 --stubborn --scan forward
 *   error: fire in transition 1 (t1): fire returned false
 * $ onager check blame.c -p how=6 --stubborn --scan forward
 *   violated model_error: fire in transition 1 (t1)
 * $ onager check blame.c -p how=7 --stubborn --scan forward
 *   violated model_error: obligations in transition 1 (t1)
 * $ onager check blame.c -p how=1
 *   error: fire in transition 4 (t4): the model's code crashed
 * $ onager check blame.c -p how=2
 *   error: fire in transition 3 (t3): the value 4 was stored in x
 * $ onager check blame.c -p how=5
 *   error: fire in transition 1 (t1): fire returned false
 * $ onager check blame.c -p how=6
 *   violated model_error: fire in transition 1 (t1)
 * $ onager check blame.c -p how=0 --stubborn
 *   holds
 */
#include <onager.h>

PARAM(how, 0, 0, 7)

#define STATE(var, array)                                                                                              \
    var(UPTO(3), x)                                                                                                    \
    var(2, y)                                                                                                          \
    array(1, z, 2)
DEFINE_STATE(STATE)

static int *volatile nowhere;

static bool fire(state *s, unsigned t) {
    if (t == 4) { /* is never enabled */
        if (how == 1 && s->x == 2) *nowhere = 1;
        return false;
    }
    if (t == 3) {
        if (how != 2 && s->x == 3) return false;
        s->x++;
        return true;
    }
    if (t == 2) return false;
    if (how == 5 && t == 1 && s->x == 2) {
        s->y = 3;
        return false;
    }
    if (how == 6 && t == 1 && s->x == 2) model_error("once too often");
    if (s->z[t]) return false;
    s->z[t] = 1;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    if (how == 3 && t == 1 && s->x == 1) *nowhere = 1;
    if (how == 4 && t == 1 && s->x == 1) stb(set, 77);
    if (how == 7 && t == 1 && s->x == 2) model_error("once too often");
    switch (t) { /* 2 is a component by itself that is complete when the obligations of 1 are asked for */
    case 0: stb(set, 2, 1, 3, 4); break;
    case 1: stb(set, 0, 3, 1); break;
    case 3: stb(set, 0); break;
    case 4: stb(set, 2, 1); break;
    default: break;
    }
}

MODEL(.transitions = 5, .fire = fire, .obligations = obligations)
