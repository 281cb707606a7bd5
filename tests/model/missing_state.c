/* $ onager check missing_state.c
 *   error: DEFINE_STATE
 */
#include <onager.h>

static bool fire(state *s, unsigned t) {
    (void)s;
    (void)t;
    return false;
}

MODEL(.transitions = 1, .fire = fire)
