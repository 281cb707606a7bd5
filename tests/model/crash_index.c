/* An index far out of bounds in the model's code is reported.
 *
 * $ onager check crash_index.c
 *   error: index 1099511627776 of the array items, which has 4 elements (crash_index.c:20: static void crash
 * $ onager check crash_index.c --fast
 *   error: crashed (SIGSEGV): index 1099511627776 of the array items, which has 4 elements (crash_index.c:20
 * $ onager check crash_index.c -p where=9
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(where, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static volatile int items[4];
static volatile long far_away = 1L << 40;

static void crash(void) { items[far_away] = 1; }

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where == 0 && s->x == 2) crash();
    if (s->x == 3) return false;
    s->x++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
