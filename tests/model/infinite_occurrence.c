/* Two processes that go round and may stop; `left` needs a `tick` between any two steps.
 *
 * $ onager check infinite_occurrence.c --infinitely left --finitely right
 *   violated infinite_occurrence, 12 states, 24 edges
 * $ onager check infinite_occurrence.c --infinitely left --finitely right,tick
 *   holds, 12 states, 24 edges
 * $ onager check infinite_occurrence.c --infinitely left --finitely tick
 *   holds, 12 states, 24 edges
 * $ onager check infinite_occurrence.c --infinitely right --finitely left,tick
 *   violated infinite_occurrence, 12 states, 24 edges
 * $ onager check infinite_occurrence.c --infinitely 1 --finitely 0,2
 *   violated infinite_occurrence, 12 states, 24 edges
 * $ onager check infinite_occurrence.c --infinitely stop
 *   holds, 12 states, 24 edges
 * $ onager check infinite_occurrence.c --infinitely left --finitely right --stubborn
 *   violated infinite_occurrence
 * $ onager check infinite_occurrence.c --infinitely left --finitely tick --stubborn
 *   holds
 * $ onager check infinite_occurrence.c --infinitely centre
 *   error: centre
 * $ onager check infinite_occurrence.c --infinitely 7
 *   error: 7
 */
#include <onager.h>

#define STATE(var, array)                                                                                              \
    var(1, ticked)                                                                                                     \
    var(1, l)                                                                                                          \
    var(1, r)                                                                                                          \
    var(1, stopped)
DEFINE_STATE(STATE)

enum { left, right, tick, stop };

static bool fire(state *s, unsigned t) {
    if (s->stopped) return false;
    switch (t) {
    case left:
        if (!s->ticked) return false;
        s->ticked = 0;
        s->l = !s->l;
        return true;
    case right: s->r = !s->r; return true;
    case tick:
        if (s->ticked) return false;
        s->ticked = 1;
        return true;
    default:
        s->stopped = 1;
        s->l = 0;
        return true;
    }
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    if (!s->stopped) stb_all(set);
    (void)t;
}

static const char *transition_name(unsigned t) {
    static const char *const names[] = {"left", "right", "tick", "stop"};
    return names[t];
}

MODEL(.transitions = 4, .fire = fire, .obligations = obligations, .transition_name = transition_name)
