/* A division by zero in the model's code is reported.
 *
 * $ onager check crash_division.c
 *   error: SIGFPE
 * $ onager check crash_division.c --fast
 *   error: SIGFPE
 * $ onager check crash_division.c -p where=9
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(where, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static volatile int zero, result;

static void crash(void) { result = 7 / zero; }

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where == 0 && s->x == 2) crash();
    if (s->x == 3) return false;
    s->x++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
