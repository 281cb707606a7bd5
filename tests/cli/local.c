/* Random transitions, each of which depends on a few variables, some of them on which ones depends on others; chosen by
 * -p seed while it is compiled. It is for the tables of successors, which may not make a difference. */
#include <onager.h>

PARAM(seed, 1)
PARAM(moves, 14, 1, 64)
PARAM(bad, 0, 0, 2) /* 1: some states are; 2: the check of some crashes */

enum { variables = 7 };
#define STATE(var, array) array(UPTO(4), x, variables) array(SIGNED(3), y, 2) var(2, p) var(1, q)
DEFINE_STATE(STATE)

/* A number that the compiler knows when it knows t. */
static inline unsigned pick(unsigned t, unsigned k, unsigned below) {
    uint64_t h = ((uint64_t)seed * 1000003 + t * 1009 + k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (unsigned)((h >> 33) % below);
}

static bool fire(state *s, unsigned t) {
    unsigned a = pick(t, 0, variables), b = pick(t, 1, variables), limit = pick(t, 2, 4), way = pick(t, 3, 6);
    if (s->x[a] > limit) return false;
    if (way == 0) { /* stores without looking */
        s->x[b] = limit;
        s->q = !s->q;
    } else if (way == 1) {
        if (s->q) return false;
        s->x[a]++;
        s->x[b] = s->x[b] ? s->x[b] - 1 : 0;
    } else if (way == 2) { /* which variable is looked at depends on another */
        if (s->x[s->p] < 2) return false;
        s->p = (s->p + 1) % 4;
    } else if (way == 3) {
        s->y[a % 2] = s->y[a % 2] == 3 ? -4 : s->y[a % 2] + 1;
        s->x[b] = s->y[a % 2] < 0 ? 0 : s->x[b];
    } else if (way == 4) { /* a loop */
        unsigned sum = 0;
        for (unsigned i = 0; i < limit; i++) sum += s->x[(a + i) % variables];
        if (sum > 5) return false;
        s->x[a] = (s->x[a] + 1) % 5;
    } else { /* nothing changes */
        return s->x[b] != 2;
    }
    return true;
}

static const char *check_state(const state *s) {
    unsigned sum = s->p;
    for (unsigned i = 0; i < variables; i++) sum += s->x[i];
    if (!bad || sum < 9) return NULL;
    if (bad == 2) __builtin_trap();
    return "bad luck";
}

MODEL(.transitions = moves, .fire = fire, .check_state = check_state)
