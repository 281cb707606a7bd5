/* A null pointer in the model's code: reported with the execution that led to it, in each of the model's functions.
 *
 * $ onager check crash_null.c
 *   error: SIGSEGV
 * $ onager check crash_null.c --fast
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=1
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=2
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=3
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=4
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=5 --stubborn
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=6 --symmetry
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=7
 *   error: SIGSEGV
 * $ onager check crash_null.c -p where=9
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(where, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static volatile int *volatile nowhere;

static int crash(void) {
    *nowhere = 1;
    return 0;
}

static void initial(state *s) {
    if (where == 7) s->x = crash();
}

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where == 0 && s->x == 2) crash();
    if (s->x == 3) return false;
    s->x++;
    return true;
}

static const char *check_state(const state *s) { return where == 1 && s->x == 2 && crash() ? "bad" : NULL; }
static const char *check_deadlock(const state *s) { return where == 2 && s->x == 3 && crash() ? "bad" : NULL; }
static bool may_progress(const state *s) { return where == 3 && s->x == 2 ? crash() : true; }
static bool must_progress(const state *s) { return where == 4 && s->x == 2 ? crash() : true; }

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)set;
    if (where == 5 && s->x == 2) stb(set, t + crash());
}

static void symmetry(state *s) {
    if (where == 6 && s->x == 2) crash();
}

MODEL(.transitions = 1, .initial = initial, .fire = fire, .check_state = check_state,
      .check_deadlock = check_deadlock, .may_progress = may_progress,
      .must_progress = where == 4 ? must_progress : NULL, .obligations = obligations, .symmetry = symmetry)
