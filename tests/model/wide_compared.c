/* A small variable is compared with a wide one, whose values are not told apart. That the transition depends on the small one
 * must not be forgotten, or stubborn sets leave the deadlock out.
 *
 * $ onager check wide_compared.c
 *   violated deadlock, 4 states, 3 edges
 * $ onager check wide_compared.c --stubborn
 *   violated deadlock
 */
#include <onager.h>

#define STATE(var, array) var(16, total) var(1, x) var(1, compared) var(1, moved)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (t == 0) {
        if (s->moved) return false;
        s->moved = 1;
        s->x = 1;
        return true;
    }
    if (s->compared || s->x != s->total) return false;
    s->compared = 1;
    return true;
}

static const char *check_deadlock(const state *s) { return s->compared ? NULL : "the variables became different before"; }

MODEL(.transitions = 2, .fire = fire, .check_deadlock = check_deadlock)
