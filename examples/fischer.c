/* fischer.c: Fischer's mutual exclusion algorithm, which relies on time.
 *
 *     repeat: await x = 0;  x := i;  delay  until x = i
 *     critical section
 *     x := 0
 *
 * Time is a number of ticks. From seeing x = 0 to writing x, a process takes at most `limit` ticks. It then waits for
 * longer than that before it looks at x again, so that all who had seen x = 0 have written by then.
 *
 *     -p n=4       how many processes
 *     -p limit=1   in how many ticks a process must have written
 *     -p fault=0   1: it waits for `limit` ticks only
 *
 * Checked: mutual exclusion; time never stands still; somebody can always get to the critical section. A process is
 * printed as - idle, w about to write, W waiting, * in the critical section, with the ticks since it began to.
 * Everybody's clock changes with each tick, so that stubborn sets would gain nothing. But all processes are alike:
 *
 * $ onager check fischer.c
 *   holds, 1319 states, 3257 edges
 * $ onager check fischer.c --symmetry
 *   holds, 112 states, 311 edges
 * $ onager check fischer.c -p n=2
 *   holds, 43 states, 73 edges
 * $ onager check fischer.c -p n=3
 *   holds, 237 states, 502 edges
 * $ onager check fischer.c -p n=5
 *   holds, 7433 states, 20866 edges
 * $ onager check fischer.c -p n=5 --symmetry
 *   holds, 205 states, 670 edges
 * $ onager check fischer.c -p limit=2
 *   holds, 3280 states, 8284 edges
 * $ onager check fischer.c -p limit=0
 *   holds, 400 states, 972 edges
 * $ onager audit fischer.c
 *   holds
 *
 * Whoever waits too briefly is joined by one who was slow to write:
 *
 * $ onager check fischer.c -p n=2 -p fault=1
 *   violated safety, 40 states, 61 edges
 * $ onager check fischer.c -p n=3 -p fault=1 --symmetry
 *   violated safety, 41 states, 76 edges
 */
#include <onager.h>

PARAM(n, 4, 2, 12)
PARAM(limit, 1, 0, 14)
PARAM(fault, 0, 0, 1)

enum { wait = limit + !fault };

ENUM(location, idle, writing, waiting, critical)

#define STATE(var, array)                                                                                              \
    var(UPTO(n), x)                                                                                                    \
    array(location, P, n)                                                                                              \
    array(UPTO(limit + 1), clock, n)
DEFINE_STATE(STATE)

static bool go(state *s, unsigned i, enum location to) {
    s->P[i] = to;
    s->clock[i] = 0;
    return true;
}

/* Time passes by one unit, unless somebody must write now. Clocks stand still where they do not matter any more. */
static bool tick(state *s) {
    bool changes = false;
    for (unsigned i = 0; i < n; i++) {
        if (s->P[i] == writing && s->clock[i] >= limit) return false;
        changes |= s->P[i] == writing || (s->P[i] == waiting && s->clock[i] < wait);
    }
    for (unsigned i = 0; i < n; i++)
        if (s->P[i] == writing || (s->P[i] == waiting && s->clock[i] < wait)) s->clock[i]++;
    return changes;
}

static bool fire(state *s, unsigned t) {
    if (t == n) return tick(s);
    unsigned me = t + 1;
    switch (s->P[t]) {
    case idle: return s->x == 0 && go(s, t, writing);
    case writing: s->x = me; return go(s, t, waiting);
    case waiting:
        if (s->clock[t] < wait) return false;
        return go(s, t, s->x == me ? critical : idle);
    default: s->x = 0; return go(s, t, idle);
    }
}

static const char *check_state(const state *s) {
    unsigned inside = 0;
    for (unsigned i = 0; i < n; i++) inside += s->P[i] == critical;
    return inside >= 2 ? "Mutual exclusion violated" : NULL;
}

static const char *check_deadlock(const state *s) {
    (void)s;
    return "Nothing can happen, not even time pass";
}

static bool may_progress(const state *s) {
    for (unsigned i = 0; i < n; i++)
        if (s->P[i] == critical) return true;
    return false;
}

/* All processes are alike: sort them, and let x follow its process. */
static void symmetry(state *s) {
    for (unsigned i = 1; i < n; i++) {
        for (unsigned j = i; j > 0; j--) {
            unsigned low = (s->P[j - 1] * 16u + s->clock[j - 1]) * 2 + (s->x == j);
            unsigned high = (s->P[j] * 16u + s->clock[j]) * 2 + (s->x == j + 1);
            if (low <= high) break;
            unsigned location = s->P[j], clock = s->clock[j];
            s->P[j] = s->P[j - 1];
            s->clock[j] = s->clock[j - 1];
            s->P[j - 1] = location;
            s->clock[j - 1] = clock;
            s->x = s->x == j ? j + 1 : s->x == j + 1 ? j : s->x;
        }
    }
}

static void print_state(const state *s, FILE *out) {
    fprintf(out, "x=%u ", s->x);
    for (unsigned i = 0; i < n; i++) {
        fprintf(out, " %c", "-wW*"[s->P[i]]);
        if (s->P[i] == writing || s->P[i] == waiting) fprintf(out, "%u", s->clock[i]);
        else fputc(' ', out);
    }
}

static const char *transition_name(unsigned t) { return t < n ? format("process %u", t + 1) : "tick"; }

MODEL(.transitions = n + 1, .fire = fire, .check_state = check_state, .check_deadlock = check_deadlock,
      .may_progress = may_progress, .symmetry = symmetry, .print_state = print_state,
      .transition_name = transition_name, .progress_is_symmetric = true)
