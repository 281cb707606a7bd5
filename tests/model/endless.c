/* An endless loop in the model's code is reported, in each of the model's functions.
 *
 * $ onager check endless.c --model-timeout 1s
 *   error: endless loop
 * $ onager check endless.c --model-timeout 1s -p where=1
 *   error: endless loop
 * $ onager check endless.c --model-timeout 1s -p where=2 --stubborn
 *   error: endless loop
 * $ onager check endless.c --model-timeout 1s -p where=3 --symmetry
 *   error: endless loop
 * $ onager check endless.c --model-timeout 1s -p where=4
 *   error: endless loop
 * $ onager check endless.c --model-timeout 1s -p where=5
 *   holds, 4 states, 3 edges
 */
#include <onager.h>

PARAM(where, 0)

#define STATE(var, array) var(2, x)
DEFINE_STATE(STATE)

static volatile int always = 1;

static void loop(void) {
    while (always) {}
}

static void initial(state *s) {
    (void)s;
    if (where == 4) loop();
}

static bool fire(state *s, unsigned t) {
    (void)t;
    if (where == 0 && s->x == 2) loop();
    if (s->x == 3) return false;
    s->x++;
    return true;
}

static const char *check_state(const state *s) {
    if (where == 1 && s->x == 2) loop();
    return NULL;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)t;
    (void)set;
    if (where == 2 && s->x == 2) loop();
}

static void symmetry(state *s) {
    if (where == 3 && s->x == 2) loop();
}

MODEL(.transitions = 1, .initial = initial, .fire = fire, .check_state = check_state, .obligations = obligations,
      .symmetry = symmetry)
