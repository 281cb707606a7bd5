/* A reduction for which the model has not what it needs is never left out silently.
 *
 * $ onager check missing_reduction.c
 *   holds, 2 states, 2 edges
 * $ onager check missing_reduction.c --stubborn --rules written
 *   error: obligations
 * $ onager check missing_reduction.c --stubborn
 *   holds, 2 states, 2 edges
 * $ onager check missing_reduction.c --symmetry
 *   error: symmetry
 */
#include <onager.h>

#define STATE(var, array) var(1, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    s->x = !s->x;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
