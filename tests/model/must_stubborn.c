/* Stubborn sets do not preserve must progress: a pass is not to be trusted, an error is.
 *
 * $ onager check must_stubborn.c
 *   holds, 9 states, 18 edges
 * $ onager check must_stubborn.c --stubborn
 *   inconclusive
 * $ onager check must_stubborn.c --stubborn --no-must-progress
 *   holds
 * $ onager check must_stubborn.c -p lazy=1
 *   violated must_progress
 * $ onager check must_stubborn.c -p lazy=1 --stubborn
 *   violated must_progress
 */
#include <onager.h>

PARAM(lazy, 0)

/* Two processes that go round once or more, and may stop. */
#define STATE(var, array) array(UPTO(2), x, 2)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    unsigned i = t % 2;
    if (t < 2) {
        if (s->x[i] == 2) return false;
        s->x[i] = !s->x[i];
        return true;
    }
    if (s->x[i] != 0) return false;
    s->x[i] = 2;
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)s;
    stb(set, t < 2 ? t + 2 : t - 2);
}

static const char *check_state(const state *s) {
    (void)s;
    return NULL;
}

static bool must_progress(const state *s) { return s->x[0] == 1 || (!lazy && s->x[1] == 1); }

MODEL(.transitions = 4, .fire = fire, .obligations = obligations, .check_state = check_state,
      .must_progress = must_progress)
