/* The same as false_changed.c where there are so many transitions that the copy is looked at only once a state.
 *
 *     -p by=0   a successor of another transition has the change
 *           1   only the last copy has it
 *           2   because of it another transition raises an error
 *           3   ... is enabled
 *           4   ... is disabled
 *
 * $ onager check false_changed_late.c
 *   error: fire returned false but had changed the state
 * $ onager check false_changed_late.c --scan forward
 *   error: fire returned false but had changed the state
 * $ onager check false_changed_late.c -p by=1
 *   error: fire returned false but had changed the state
 * $ onager check false_changed_late.c -p by=2
 *   error: fire returned false but had changed the state
 * $ onager check false_changed_late.c -p by=3
 *   error: fire returned false but had changed the state
 * $ onager check false_changed_late.c -p by=4
 *   error: fire returned false but had changed the state
 * $ onager check false_changed_late.c -p careful=1
 *   holds, 16 states, 15 edges
 * $ onager check false_changed_late.c -p careful=1 --scan forward
 *   holds, 16 states, 15 edges
 */
#include <onager.h>

PARAM(careful, 0, 0, 1)
PARAM(by, 0, 0, 4)

enum { count = 200, wrong = 50, other = 20, forth = 120 };

#define STATE(var, array) var(4, x) var(2, y) array(3, a, 60)
DEFINE_STATE(STATE)

/* 120 counts, and 20 does when the count is odd; so there is something enabled before and after 50, in both orders. */
static bool fire(state *s, unsigned t) {
    if (t == (by == 1 ? 0 : wrong) && s->x == 9) {
        s->y = careful ? s->y : 1;
        return false;
    }
    if (by == 2 && t == other && s->y) model_error("because of a change");
    if (by == 3 && t == other && s->y) return true;
    if (by == 4 && t == other && s->y) return false;
    if (t != (s->x % 2 ? (unsigned)other : (unsigned)forth) || s->x == 15) return false;
    s->x++;
    return true;
}

MODEL(.transitions = count, .fire = fire)
