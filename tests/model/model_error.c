/* An error that the model raises itself is a violation, wherever it is raised.
 *
 * $ onager check model_error.c
 *   violated model_error: in fire
 * $ onager check model_error.c -p where=1
 *   violated model_error: in check_state
 * $ onager check model_error.c -p where=2
 *   violated model_error: in check_deadlock
 * $ onager check model_error.c -p where=3
 *   violated model_error: in may_progress
 * $ onager check model_error.c -p where=4
 *   violated model_error: in must_progress
 * $ onager check model_error.c -p where=5 --stubborn
 *   violated model_error: in obligations
 * $ onager check model_error.c -p where=6 --symmetry
 *   violated model_error: in symmetry
 * $ onager check model_error.c -p where=7
 *   violated model_error: in initial
 * $ onager check model_error.c -p where=8
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(where, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static void initial(state *s) {
    if (where == 7) model_error("in initial");
    s->x = 0;
}

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where == 0 && s->x == 2) model_error("in fire");
    if (s->x == 3) return false;
    s->x++;
    return true;
}

static const char *check_state(const state *s) {
    if (where == 1 && s->x == 2) model_error("in check_state");
    return NULL;
}

static const char *check_deadlock(const state *s) {
    if (where == 2 && s->x == 3) model_error("in check_deadlock");
    return NULL;
}

static bool may_progress(const state *s) {
    if (where == 3 && s->x == 2) model_error("in may_progress");
    return true;
}

static bool must_progress(const state *s) {
    if (where == 4 && s->x == 2) model_error("in must_progress");
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)t;
    (void)set;
    if (where == 5 && s->x == 2) model_error("in obligations");
}

static void symmetry(state *s) {
    if (where == 6 && s->x == 2) model_error("in symmetry");
}

MODEL(.transitions = 1, .initial = initial, .fire = fire, .check_state = check_state,
      .check_deadlock = check_deadlock, .may_progress = where == 3 ? may_progress : NULL,
      .must_progress = where == 4 ? must_progress : NULL, .obligations = obligations, .symmetry = symmetry)
