/* Lamport's bakery, with the numbers looked at in one step. There are so many tickets; who finds none left waits.
 *
 * $ onager check bakery.c
 *   holds, 1712 states, 4496 edges
 * $ onager check bakery.c -p n=5
 *   holds, 8112 states, 23680 edges
 */
#include <onager.h>

PARAM(n, 4, 2, 8)
PARAM(tickets, 7, 1, 255)

ENUM(location, outside, waiting, inside, stopped)

#define STATE(var, array) array(location, at, n) array(UPTO(tickets), number, n)
DEFINE_STATE(STATE)

static bool take_ticket(state *s, unsigned i) {
    unsigned most = 0;
    for (unsigned j = 0; j < n; j++)
        if (s->number[j] > most) most = s->number[j];
    if (most == tickets) return false;
    s->number[i] = most + 1;
    s->at[i] = waiting;
    return true;
}

static bool enter(state *s, unsigned i) {
    unsigned mine = s->number[i];
    for (unsigned j = 0; j < n; j++) {
        if (j == i) continue;
        unsigned other = s->number[j];
        if (other && (other < mine || (other == mine && j < i))) return false;
    }
    s->at[i] = inside;
    return true;
}

static bool stop(state *s, unsigned i) {
    if (s->at[i] != outside) return false;
    s->at[i] = stopped;
    return true;
}

static bool fire(state *s, unsigned t) {
    unsigned i = t % n;
    if (t >= n) return stop(s, i);
    switch (s->at[i]) {
    case outside: return take_ticket(s, i);
    case waiting: return enter(s, i);
    case inside:
        s->number[i] = 0;
        s->at[i] = outside;
        return true;
    default: return false;
    }
}

static const char *check_state(const state *s) {
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) count += s->at[i] == inside;
    return count > 1 ? "two are inside" : NULL;
}

static const char *transition_name(unsigned t) { return format("%s %u", t < n ? "step" : "stop", t % n); }

MODEL(.transitions = 2 * n, .fire = fire, .check_state = check_state, .transition_name = transition_name)
