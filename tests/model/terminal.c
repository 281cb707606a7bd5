/* Whether terminal states count as progress. From 0, one may go on to 1 and back, or end in 2.
 *
 * $ onager check terminal.c
 *   holds, 3 states, 3 edges
 * $ onager check terminal.c --terminal-not-may
 *   violated may_progress, 3 states, 2 edges
 * $ onager check terminal.c --terminal-not-must
 *   violated must_progress, 3 states, 2 edges
 * $ onager check terminal.c --terminal-not-may --no-may-progress
 *   holds, 3 states, 3 edges
 * $ onager check terminal.c --terminal-not-must --no-must-progress
 *   holds, 3 states, 3 edges
 * $ onager check terminal.c -p lazy=1
 *   violated must_progress, 3 states, 3 edges
 */
#include <onager.h>

PARAM(lazy, 0)

#define STATE(var, array) var(UPTO(2), x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->x == 2 || (t == 1 && s->x == 1)) return false;
    s->x = t == 1 ? 2 : !s->x;
    return true;
}

static bool may_progress(const state *s) { return s->x == 1; }
static bool must_progress(const state *s) { return s->x == 1 && !lazy; }

MODEL(.transitions = 2, .fire = fire, .may_progress = may_progress, .must_progress = must_progress)
