/* The lock of Mellor-Crummey and Scott: processes queue up, each waits for a word of its own. A step reads or writes
 * one shared variable.
 *
 *     -p fault=0   0: right
 *                  1: who leaves just stores nil in `tail`, and looks for nobody behind it
 *                  2: who finds nobody behind it just stores nil in `tail`, without comparing
 *
 *     -p watch=0   the process that must always be able to enter, or to have stopped
 *
 * Every process may stop when it is idle.
 *
 * $ onager check mcs.c
 *   holds
 * $ onager check mcs.c -p n=3
 *   holds
 * $ onager check mcs.c -p fault=1
 *   violated may_progress
 * $ onager check mcs.c -p fault=1 --order dfs
 *   violated may_progress
 * $ onager check mcs.c -p fault=2
 *   violated may_progress
 * $ onager check mcs.c -p n=3 -p fault=2
 *   violated may_progress
 */
#include <onager.h>

PARAM(n, 2, 2, 8)
PARAM(fault, 0, 0, 2)
PARAM(watch, 0, 0, n - 1)

ENUM(location, idle, swap, link, spin, critical, look, compare, wait, hand_over, stopped)

enum { nil = n };

#define STATE(var, array)                                                                                              \
    array(location, at, n) array(UPTO(n), before, n) array(UPTO(n), next, n) array(1, locked, n) var(UPTO(n), tail)
DEFINE_STATE(STATE)

static void initial(state *s) {
    s->tail = nil;
    for (unsigned i = 0; i < n; i++) s->before[i] = s->next[i] = nil;
}

static bool go(state *s, unsigned i, enum location to) {
    s->at[i] = to;
    return true;
}

static bool leave(state *s, unsigned i) {
    s->before[i] = nil;
    return go(s, i, idle);
}

static bool fire(state *s, unsigned t) {
    unsigned i = t % n;
    if (t >= n) return s->at[i] == idle && go(s, i, stopped);
    switch (s->at[i]) {
    case idle: s->next[i] = nil; return go(s, i, swap);
    case swap:
        s->before[i] = s->tail;
        s->tail = i;
        s->locked[i] = 1;
        return go(s, i, s->before[i] == nil ? critical : link);
    case link: s->next[s->before[i]] = i; return go(s, i, spin);
    case spin: return s->locked[i] ? true : go(s, i, critical);
    case critical: return go(s, i, look);
    case look:
        if (fault == 1) return s->tail = nil, leave(s, i);
        return go(s, i, s->next[i] != nil ? hand_over : compare);
    case compare:
        if (fault != 2 && s->tail != i) return go(s, i, wait);
        s->tail = nil;
        return leave(s, i);
    case wait: return s->next[i] == nil ? true : go(s, i, hand_over);
    case hand_over: s->locked[s->next[i]] = 0; return leave(s, i);
    default: return false;
    }
}

static const char *check_state(const state *s) {
    unsigned inside = 0;
    for (unsigned i = 0; i < n; i++) inside += s->at[i] == critical;
    return inside > 1 && fault == 0 ? "two are inside" : NULL;
}

static bool may_progress(const state *s) { return s->at[watch] == critical || s->at[watch] == stopped; }

static const char *transition_name(unsigned t) { return format("%s %u", t < n ? "step" : "stop", t % n); }

MODEL(.transitions = 2 * n, .initial = initial, .fire = fire, .check_state = check_state, .may_progress = may_progress,
      .transition_name = transition_name)
