/* $ onager check no_parameters.c
 *   holds, 2 states, 2 edges
 * $ onager check no_parameters.c -p n=1
 *   error: has no parameter 'n'
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
