/* endless_pairs.c: three tokens go round. Two values that are possible, but never stand together, make a loop endless:
 * who reads the code without a state meets it.
 *
 * $ onager check endless_pairs.c
 *   holds, 56 states, 126 edges
 */
#include <onager.h>

#define STATE(var, array) array(UPTO(3), x, 6)
DEFINE_STATE(STATE)

static void initial(state *s) { s->x[0] = 3; }

static bool fire(state *s, unsigned t) {
    volatile unsigned turns = 0;
    unsigned to = (t + 1) % 6;
    if (s->x[t] == 0) return false;
    while (s->x[t] + s->x[to] > 3) turns++;
    s->x[t]--;
    s->x[to]++;
    return true;
}

MODEL(.transitions = 6, .initial = initial, .fire = fire)
