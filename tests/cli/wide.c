/* wide.c: 262144 states on levels of up to 18152 of them, so that threads have something to share out.
 *
 * Six counters from 0 to 7. What goes wrong does so in one state, on level 18, or in all threads but the first:
 *
 *     -p mistake=0   nothing                           1, 2   fire crashes, or does not come back, in that state
 *                3   fire crashes in other threads     4      fire does not come back in other threads
 *                5   that state is bad                 6      the last state is bad
 *                7   check_state does not come back from any state of level 20, and says "looping" first
 *
 * SPIN=N in the environment: fire takes its time.
 */
#include <onager.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

PARAM(mistake, 0, 0, 7)

#define STATE(var, array) array(10, x, 6)
DEFINE_STATE(STATE)

static volatile int *volatile nowhere;
static volatile int zero;
static pthread_t first; /* the thread that loads models */

__attribute__((constructor)) static void remember_thread(void) { first = pthread_self(); }

static bool is_that_state(const state *s) {
    return s->x[0] == 3 && s->x[1] == 4 && s->x[2] == 2 && s->x[3] == 5 && s->x[4] == 1 && s->x[5] == 3;
}

static bool fire(state *s, unsigned t) {
    const char *spin = getenv("SPIN");
    bool here = t == 2 && is_that_state(s), first_thread = pthread_equal(first, pthread_self());
    for (volatile int i = spin ? atoi(spin) : 0; i > 0; i--) {}
    if ((mistake == 1 && here) || (mistake == 3 && !first_thread)) *nowhere = 1;
    while (((mistake == 2 && here) || (mistake == 4 && !first_thread)) && zero == 0) {}
    if (s->x[t] == 7) return false;
    s->x[t]++;
    return true;
}

static const char *check_state(const state *s) {
    if (mistake == 5 && is_that_state(s)) return "that state";
    unsigned level = 0;
    for (unsigned i = 0; i < 6; i++) level += s->x[i];
    if (mistake == 6 && level == 42) return "the last state";
    if (mistake == 7 && level == 20 && write(2, "looping\n", 8) == 8)
        while (zero == 0) {}
    return NULL;
}

MODEL(.transitions = 6, .fire = fire, .check_state = check_state)
