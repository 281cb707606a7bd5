/* Code that does not do the same every time is reported.
 *
 * $ onager check strict_unsteady.c
 *   error: the same state has other successors now: fire may use nothing but the state, and constants
 */
#include <onager.h>

#include <time.h>

#define STATE(var, array) var(7, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    struct timespec now;
    (void)t;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (s->x > 100) return false;
    s->x = (uint8_t)((now.tv_nsec >> 2) % 128);
    return true;
}

MODEL(.transitions = 4, .fire = fire)
