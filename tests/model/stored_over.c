/* A value that does not fit is stored, and stored over in the same step: a mistake that successors do not show.
 *
 * $ onager check stored_over.c
 *   error: the value 2 was stored in x
 * $ onager check stored_over.c --stubborn
 *   error: the value 2 was stored in x
 */
#include <onager.h>

#define STATE(var, array) var(UPTO(1), x) var(UPTO(2), y)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    (void)t;
    if (s->y == 2) return false;
    s->x = s->x + 2;
    s->x = s->y % 2;
    s->y++;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
