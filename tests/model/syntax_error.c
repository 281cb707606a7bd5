/* The compiler's message points into this file.
 *
 * $ onager check syntax_error.c
 *   error: syntax_error.c:12
 */
#include <onager.h>

#define STATE(var, array) var(1, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    s->y = 1;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
