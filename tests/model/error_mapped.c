/* Model errors that a wrong symmetry map hides. From 0, one step leads to 1 and one to 2; an error is raised in 2. The map
 * says that 2 is symmetric to 1. Neither has a successor, so that the audit of the map sees nothing but the error.
 *
 *     -p error=1   0: there is none, and the map is right
 *     -p end=0     1: to end is an error, too, which is found in 1; the execution without the map leads to 2
 *     -p to=1      2: the only step leads to 2
 *     -p crash=0   1: a crash takes the place of the error
 *
 * $ onager check error_mapped.c
 *   violated model_error
 * $ onager check error_mapped.c --symmetry
 *   error: the model's code failed: fire: two
 * $ onager check error_mapped.c --symmetry --order dfs
 *   error: the model's code failed: fire: two
 * $ onager check error_mapped.c --symmetry -p error=0
 *   holds, 2 states, 2 edges
 * $ onager check error_mapped.c --symmetry -p end=1 -p to=2
 *   violated model_error
 * $ onager check error_mapped.c --symmetry -p end=1 -p to=2 -p crash=1
 *   error: fire in transition 2
 */
#include <onager.h>
#include <stdlib.h>

PARAM(error, 1)
PARAM(end, 0)
PARAM(crash, 0)
PARAM(to, 1)

#define STATE(var, array) var(UPTO(2), x)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (t == 2) {
        if (error && !crash && s->x == 2) model_error("two");
        if (crash && s->x == 2) abort();
        return false;
    }
    if (s->x || t + 1 < to) return false;
    s->x = t + 1;
    return true;
}

static const char *check_deadlock(const state *s) {
    (void)s;
    return end ? "it ends" : NULL;
}

static void symmetry(state *s) {
    if (s->x == 2) s->x = 1;
}

MODEL(.transitions = 3, .fire = fire, .symmetry = symmetry, .check_deadlock = check_deadlock)
