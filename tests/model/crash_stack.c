/* Endless recursion in the model's code is reported.
 *
 * $ onager check crash_stack.c
 *   error: SIGSEGV
 * $ onager check crash_stack.c --fast
 *   error: SIGSEGV
 * $ onager check crash_stack.c -p where=9
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(where, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static int deeper(volatile int *from) {
    volatile int here[1000] = {*from + 1};
    return deeper(here) + here[0];
}

static volatile int result;

static void crash(void) { result = deeper(&result); }

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where == 0 && s->x == 2) crash();
    if (s->x == 3) return false;
    s->x++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
