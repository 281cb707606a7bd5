/* abort() in the model's code is reported.
 *
 * $ onager check crash_abort.c
 *   error: SIGABRT
 * $ onager check crash_abort.c --fast
 *   error: SIGABRT
 * $ onager check crash_abort.c -p where=9
 *   holds, 4 states, 3 edges
 */
#include <onager.h>
#include <stdlib.h>

PARAM(where, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static void crash(void) { abort(); }

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where == 0 && s->x == 2) crash();
    if (s->x == 3) return false;
    s->x++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
