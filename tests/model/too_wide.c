/* A width that there is none of is reported by the name of the variable.
 *
 * $ onager check too_wide.c
 *   error: broad must have 1 to 64 bits
 * $ onager check too_wide.c -p width=0
 *   error: broad must have 1 to 64 bits
 * $ onager check too_wide.c -p width=64
 *   holds, 3 states, 2 edges
 * $ onager check too_wide.c -p width=1
 *   error: 2 was stored in broad
 */
#include <onager.h>

PARAM(width, 65)

#define STATE(var, array) var(width, broad)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->broad == 2) return false;
    s->broad++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
