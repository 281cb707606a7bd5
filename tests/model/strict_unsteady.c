/* Code that does not do the same every time is reported. (Memory that a constructor has got is not static memory.)
 *
 * $ onager check strict_unsteady.c
 *   error: the same state has other successors now: fire may use nothing but the state, and constants
 */
#include <onager.h>

#include <stdlib.h>

#define STATE(var, array) var(7, x)
DEFINE_STATE(STATE)

static unsigned *volatile calls; /* or a compiler makes static memory of it */

__attribute__((constructor)) static void prepare(void) { calls = calloc(1, sizeof *calls); }

__attribute__((destructor)) static void tidy(void) { free(calls); }

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->x > 100) return false;
    s->x = (uint8_t)(++*calls % 128);
    return true;
}

MODEL(.transitions = 4, .fire = fire)
