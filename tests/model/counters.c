/* Workers that add to a total under a lock, each a few times. The variables are wider than they need to be.
 *
 * $ onager check counters.c
 *   holds, 10633 states, 27048 edges
 * $ onager check counters.c -p limit=5
 *   holds, 67881 states, 179080 edges
 * $ onager check counters.c -p width=16
 *   holds, 10633 states, 27048 edges
 */
#include <onager.h>

PARAM(n, 4, 1, 8)
PARAM(limit, 3, 1, 60)
PARAM(width, 8, 8, 32)

ENUM(location, begins, waits, adds, leaves)

#define STATE(var, array) array(location, at, n) array(width, rounds, n) var(1, locked) var(width, total)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned i) {
    switch (s->at[i]) {
    case begins:
        if (s->rounds[i] == limit) return false;
        s->rounds[i]++;
        s->at[i] = waits;
        return true;
    case waits:
        if (s->locked) return false;
        s->locked = 1;
        s->at[i] = adds;
        return true;
    case adds:
        s->total++;
        s->at[i] = leaves;
        return true;
    default:
        s->locked = 0;
        s->at[i] = begins;
        return true;
    }
}

static const char *check_state(const state *s) { return s->total > n * limit ? "the total is too large" : NULL; }

static const char *transition_name(unsigned t) { return format("worker %u", t); }

MODEL(.transitions = n, .fire = fire, .check_state = check_state, .transition_name = transition_name)
