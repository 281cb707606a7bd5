/* The lock of Mellor-Crummey and Scott, where who waits is blocked: no step leads from a state to itself. So a process can
 * always come to an end, and stubborn sets preserve all that is asked.
 *
 * $ onager check mcs_blocked.c -p n=3
 *   holds
 * $ onager check mcs_blocked.c
 *   holds, 41769 states, 147012 edges
 * $ onager check mcs_blocked.c --stubborn --no-check-state
 *   holds, 5407 states, 6998 edges
 */
#include <onager.h>

PARAM(n, 4, 2, 8)

ENUM(location, idle, swap, lock, link, spin, critical, look, compare, stopped, hand_over, wait)

enum { nil = n };

#define STATE(var, array)                                                                                              \
    array(location, at, n) array(UPTO(n), next, n) array(1, locked, n) array(UPTO(n), before, n) var(UPTO(n), tail)
DEFINE_STATE(STATE)

static void initial(state *s) {
    s->tail = nil;
    for (unsigned i = 0; i < n; i++) s->next[i] = s->before[i] = nil;
}

static bool go(state *s, unsigned i, enum location to) {
    s->at[i] = to;
    return true;
}

static bool fire(state *s, unsigned t) {
    unsigned i = t % n;
    if (t >= n) return s->at[i] == idle && go(s, i, stopped);
    switch (s->at[i]) {
    case idle: s->next[i] = nil; return go(s, i, swap);
    case swap:
        s->before[i] = s->tail;
        s->tail = i;
        return go(s, i, s->before[i] == nil ? critical : lock);
    case lock: s->locked[i] = 1; return go(s, i, link);
    case link:
        s->next[s->before[i]] = i;
        s->before[i] = nil;
        return go(s, i, spin);
    case spin: return !s->locked[i] && go(s, i, critical);
    case critical: return go(s, i, look);
    case look: return go(s, i, s->next[i] == nil ? compare : hand_over);
    case compare:
        if (s->tail != i) return go(s, i, wait);
        s->tail = s->before[i] = nil;
        return go(s, i, idle);
    case wait: return s->next[i] != nil && go(s, i, hand_over);
    case hand_over: s->locked[s->next[i]] = 0; return go(s, i, idle);
    default: return false;
    }
}

static const char *check_state(const state *s) {
    unsigned inside = 0;
    for (unsigned i = 0; i < n; i++) inside += s->at[i] == critical;
    return inside > 1 ? "two are inside" : NULL;
}

static const char *transition_name(unsigned t) { return format("%s %u", t < n ? "step" : "stop", t % n); }

MODEL(.transitions = 2 * n, .initial = initial, .fire = fire, .check_state = check_state,
      .transition_name = transition_name)
