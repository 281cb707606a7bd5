/* A variable that leaves its range and comes back within one call is reported.
 *
 * $ onager check strict_within.c
 *   error: the value 9 was stored in x, which is declared as 3: 0 to 7 (strict_within.c:14: s->x += 9;)
 */
#include <onager.h>

#define STATE(var, array) var(3, x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->x == 5) return false;
    s->x += 9;
    s->x -= 8;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
