/* Parameters: their defaults may depend on others, and what does not fit is rejected.
 *
 * $ onager check parameters.c
 *   holds, 4 states, 3 edges
 * $ onager check parameters.c -p n=5
 *   holds, 6 states, 5 edges
 * $ onager check parameters.c -p n=5 -p last=2
 *   holds, 3 states, 2 edges
 * $ onager check parameters.c -p n=9
 *   error: n must lie in
 * $ onager check parameters.c -p last=-1
 *   holds, 2 states, 1 edges
 * $ onager check parameters.c -p m=5
 *   error: has no parameter 'm'
 * $ onager check parameters.c -p lost=5
 *   error: did you mean 'last'
 * $ onager check parameters.c -p n=three
 *   error: three
 * $ onager check parameters.c -p n
 *   error: n
 * $ onager check parameters.c -p n=99999999999999999999
 *   error: 99999999999999999999
 */
#include <onager.h>

PARAM(n, 3, 1, 8)
PARAM(last, n)

#define STATE(var, array) var(UPTO(8), x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->x == (last < 0 ? 1 : last)) return false;
    s->x++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
