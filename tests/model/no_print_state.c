/* Neither print_state nor transition_name nor initial nor anything else that may be absent.
 *
 * $ onager check no_print_state.c
 *   holds, 32 states, 31 edges
 */
#include <onager.h>

#define STATE(var, array)                                                                                              \
    var(4, low)                                                                                                        \
    array(1, high, 1)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->low < 15) s->low++;
    else if (s->high[0]) return false;
    else s->low = 0, s->high[0] = 1;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
