/* Election of a leader in a ring, after Dolev, Klawe and Rodeh: who is active compares the number of the one before it with its
 * own and with that of the one before that. A channel has two places; its first message is at 0.
 *
 * $ onager check leader.c -p n=4
 *   holds, 90 states, 191 edges
 * $ onager check leader.c -p n=4 --stubborn
 *   holds, 21 states, 20 edges
 * $ onager check leader.c --stubborn
 *   holds, 36 states, 35 edges
 */
#include <onager.h>

PARAM(n, 7, 2, 10)

ENUM(role, begins, active, relays, done)
ENUM(kind, one, two, winner)

/* Numbers are 1 to n; a message is 1 + kind * n + number - 1, and 0 is none. */
#define STATE(var, array)                                                                                              \
    array(role, role, n) array(1, knows, n) array(UPTO(n), most, n) array(UPTO(n), neighbour, n)                       \
        array(UPTO(3 * n), channel, 2 * n) var(UPTO(n), leaders)
DEFINE_STATE(STATE)

static unsigned own(unsigned i) { return (2 * n - i) % n + 1; }

static bool put(state *s, unsigned i, enum kind kind, unsigned number) {
    unsigned to = (i + 1) % n, message = kind * n + number;
    if (!CELL(s->channel, 2, to, 0)) CELL(s->channel, 2, to, 0) = message;
    else if (!CELL(s->channel, 2, to, 1)) CELL(s->channel, 2, to, 1) = message;
    else return false;
    return true;
}

static bool receive_one(state *s, unsigned i, unsigned number) {
    if (s->role[i] == relays) return put(s, i, one, number);
    if (number != s->most[i]) {
        if (!put(s, i, two, number)) return false;
        s->neighbour[i] = number;
        return true;
    }
    if (!put(s, i, winner, number)) return false;
    s->knows[i] = 1;
    return true;
}

static bool receive_two(state *s, unsigned i, unsigned number) {
    if (s->role[i] == relays) return put(s, i, two, number);
    if (s->neighbour[i] <= number || s->neighbour[i] <= s->most[i]) {
        s->role[i] = relays;
        return true;
    }
    if (!put(s, i, one, s->neighbour[i])) return false;
    s->most[i] = s->neighbour[i];
    return true;
}

static bool receive_winner(state *s, unsigned i, unsigned number) {
    if (!s->knows[i] && !put(s, i, winner, number)) return false;
    if (number == own(i)) s->leaders++;
    s->role[i] = done;
    return true;
}

static bool fire(state *s, unsigned i) {
    if (s->role[i] == begins) {
        if (!put(s, i, one, own(i))) return false;
        s->most[i] = own(i);
        s->role[i] = active;
        return true;
    }
    unsigned message = CELL(s->channel, 2, i, 0);
    if (s->role[i] == done || !message) return false;
    unsigned number = (message - 1) % n + 1;
    bool received = message <= n       ? receive_one(s, i, number)
                    : message <= 2 * n ? receive_two(s, i, number)
                                       : receive_winner(s, i, number);
    if (!received) return false;
    CELL(s->channel, 2, i, 0) = CELL(s->channel, 2, i, 1);
    CELL(s->channel, 2, i, 1) = 0;
    return true;
}

static const char *check_state(const state *s) { return s->leaders > 1 ? "there are two leaders" : NULL; }

MODEL(.transitions = n, .fire = fire, .check_state = check_state)
