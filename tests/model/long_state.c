/* States of exactly as many bits as fit in one word or two, of one more, and of thousands: a bit that goes round.
 *
 * $ onager check long_state.c -p bits=62
 *   holds, 62 states, 62 edges
 * $ onager check long_state.c -p bits=63
 *   holds, 63 states, 63 edges
 * $ onager check long_state.c -p bits=64
 *   holds, 64 states, 64 edges
 * $ onager check long_state.c -p bits=65
 *   holds, 65 states, 65 edges
 * $ onager check long_state.c -p bits=127
 *   holds, 127 states, 127 edges
 * $ onager check long_state.c -p bits=128
 *   holds, 128 states, 128 edges
 * $ onager check long_state.c -p bits=1000
 *   holds, 1000 states, 1000 edges
 * $ onager check long_state.c -p bits=5000
 *   holds, 5000 states, 5000 edges
 * $ onager check long_state.c -p bits=100 -p bad=77
 *   violated safety, 78 states, 77 edges
 */
#include <onager.h>

PARAM(bits, 64, 1, 100000)
PARAM(bad, -1)

#define STATE(var, array) array(1, x, bits)
DEFINE_STATE(STATE)

static void initial(state *s) { s->x[0] = 1; }

static unsigned place(const state *s) {
    unsigned i = 0;
    while (i < bits && !s->x[i]) i++;
    return i;
}

static bool fire(state *s, unsigned t) {
    (void)t;
    unsigned i = place(s);
    s->x[i] = 0;
    s->x[(i + 1) % bits] = 1;
    return true;
}

static const char *check_state(const state *s) {
    unsigned ones = 0;
    for (unsigned i = 0; i < bits; i++) ones += s->x[i];
    if (ones != 1) return "a bit was lost or found";
    return bad >= 0 && place(s) == (unsigned)bad ? "there" : NULL;
}

MODEL(.transitions = 1, .initial = initial, .fire = fire, .check_state = check_state)
