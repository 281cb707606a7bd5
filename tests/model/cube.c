/* All states of n bits: many states in few steps, and n! ways to get to the last one.
 *
 * $ onager check cube.c -p n=16
 *   holds, 65536 states, 524288 edges
 * $ onager check cube.c -p n=16 --stubborn
 *   holds, 17 states, 16 edges
 * $ onager check cube.c -p n=16 --symmetry
 *   holds, 17 states, 136 edges
 * $ onager check cube.c -p n=16 --stubborn --symmetry
 *   holds, 17 states, 16 edges
 * $ onager check cube.c -p n=16 -p pad=64
 *   holds, 65536 states, 524288 edges
 * $ onager check cube.c -p n=12 -p pad=1000 --symmetry
 *   holds, 13 states, 78 edges
 */
#include <onager.h>

PARAM(n, 10, 1, 64)
PARAM(pad, 0)

#define STATE(var, array)                                                                                              \
    array(1, unused, pad)                                                                                              \
    array(1, x, n)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->x[t]) return false;
    s->x[t] = 1;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    (void)t;
    (void)set;
}

static void symmetry(state *s) {
    unsigned ones = 0;
    for (unsigned i = 0; i < n; i++) ones += s->x[i];
    for (unsigned i = 0; i < n; i++) s->x[i] = i < ones;
}

static const char *check_deadlock(const state *s) {
    for (unsigned i = 0; i < n; i++)
        if (!s->x[i]) return "not at the last state";
    return NULL;
}

MODEL(.transitions = n, .fire = fire, .obligations = obligations, .symmetry = symmetry,
      .check_deadlock = check_deadlock)
