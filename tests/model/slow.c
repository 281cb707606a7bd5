/* A model that is slow as a whole, but none of whose functions is, is not taken for an endless loop.
 *
 * $ onager check slow.c --model-timeout 1s
 *   holds, 30 states, 29 edges
 */
#include <onager.h>

#define STATE(var, array) var(5, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    volatile unsigned work;
    if (s->x == 29) return false;
    for (unsigned i = 0; i < 30 * 1000 * 1000; i++) work = i;
    s->x++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
