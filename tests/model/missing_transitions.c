/* $ onager check missing_transitions.c
 *   error: .transitions
 */
#include <onager.h>

#define STATE(var, array) var(1, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)s;
    (void)t;
    return false;
}

MODEL(.fire = fire)
