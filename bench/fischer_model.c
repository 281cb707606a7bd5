/* fischer_model.c: Fischer's mutual exclusion algorithm without clocks, for bench/testing. examples/fischer.c has clocks.
 *
 *     repeat: await x = 0;  x := i;  delay  until x = i
 *     critical section
 *     x := 0
 *
 * What the delay is for is said by a guard: nobody writes x while somebody is in the critical section, because all that have
 * seen x = 0 have written by the time that the first delay is over. To see x = 0 and to write is one step, and a delay may
 * be as long as it likes. There are (n + 1) 2^n - 1 states.
 *
 *     -p n=12   how many processes
 */
#include <onager.h>

PARAM(n, 12, 2, 16)

ENUM(location, idle, waiting, critical)

#define STATE(var, array)                                                                                              \
    var(UPTO(n), x)                                                                                                    \
    array(location, P, n)
DEFINE_STATE(STATE)

static bool go(state *s, unsigned i, enum location to) {
    s->P[i] = to;
    return true;
}

static unsigned inside(const state *s) {
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) count += s->P[i] == critical;
    return count;
}

static bool fire(state *s, unsigned i) {
    switch (s->P[i]) {
    case idle:
        if (inside(s) > 0) return false;
        s->x = i + 1;
        return go(s, i, waiting);
    case waiting: return go(s, i, s->x == i + 1 ? critical : idle);
    default: s->x = 0; return go(s, i, idle);
    }
}

static const char *check_state(const state *s) { return inside(s) > 1 ? "Mutual exclusion violated" : NULL; }

static const char *check_deadlock(const state *s) {
    (void)s;
    return "Nothing can happen";
}

static void print_state(const state *s, FILE *out) {
    fprintf(out, "x=%u ", s->x);
    for (unsigned i = 0; i < n; i++) fputc("-W*"[s->P[i]], out);
}

static const char *transition_name(unsigned i) { return format("process %u", i + 1); }

PROPOSITIONS(waits, n) { return s->P[i] == waiting; }

MODEL(.transitions = n, .fire = fire, .check_state = check_state, .check_deadlock = check_deadlock,
      .print_state = print_state, .transition_name = transition_name)
