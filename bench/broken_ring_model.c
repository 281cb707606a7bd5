/* broken_ring_model.c: a token ring whose token may go the wrong way, for bench/testing. examples/token_ring.c has customers, too.
 *
 * A server serves its client only while it has the token, which goes to the right: after a client was served, and if the
 * server to the right has asked for it. Who wants the token, or was asked for it, asks the server to the left. It may
 * happen that the token goes to the left instead; then who gets it still has asked for it, if it had.
 *
 *     -p n=6        how many servers
 *     -p broken=1   0: the token always goes to the right
 *
 * starves.(5 * i + k) tells that server i has not got the token and waits in the k-th of five ways:
 *
 *     0  its client wants to be served                    1  the same, and it has asked the server to the left
 *     2  its client wants, and it was asked               3  the same, and it has asked the server to the left
 *     4  only the server to the right wants the token; it has asked the server to the left
 */
#include <onager.h>

PARAM(n, 6, 3, 12)
PARAM(broken, 1, 0, 1)

ENUM(client, idle, requested, critical)

#define STATE(var, array)                                                                                              \
    var(UPTO(n - 1), token)                                                                                            \
    array(client, C, n)                                                                                                \
    array(1, asks, n)
DEFINE_STATE(STATE)

enum { request, serve, ask, leave, pass, leave_wrongly, pass_wrongly, kinds = broken ? 7 : 5 };

static unsigned right(unsigned i) { return i + 1 < n ? i + 1 : 0; }
static unsigned left(unsigned i) { return i > 0 ? i - 1 : n - 1; }

static bool move_right(state *s, unsigned i) {
    s->token = right(i);
    s->asks[right(i)] = 0;
    return true;
}

static bool move_left(state *s, unsigned i) {
    s->token = left(i);
    return true;
}

static bool fire(state *s, unsigned t) {
    unsigned i = t / kinds;
    bool here = s->token == i, asked = s->asks[right(i)];
    switch (t % kinds) {
    case request:
        if (s->C[i] != idle) return false;
        s->C[i] = requested;
        return true;
    case serve:
        if (!here || s->C[i] != requested) return false;
        s->C[i] = critical;
        return true;
    case ask:
        if (here || s->asks[i] || !(asked || s->C[i] == requested)) return false;
        s->asks[i] = 1;
        return true;
    case leave:
    case leave_wrongly:
        if (s->C[i] != critical) return false;
        s->C[i] = idle;
        return t % kinds == leave ? move_right(s, i) : move_left(s, i);
    default:
        if (!here || !asked || s->C[i] != idle) return false;
        return t % kinds == pass ? move_right(s, i) : move_left(s, i);
    }
}

static const char *check_state(const state *s) {
    for (unsigned i = 0; i < n; i++)
        if (s->C[i] == critical && s->token != i) return "Served without the token";
    return NULL;
}

static const char *check_deadlock(const state *s) {
    (void)s;
    return "Nothing can happen";
}

static void print_state(const state *s, FILE *out) {
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "%c%c%c ", "-RC"[s->C[i]], s->asks[i] ? '<' : ' ', s->token == i ? '*' : ' ');
}

static const char *transition_name(unsigned t) {
    static const char *const what[] = {"request", "serve",         "ask",         "leave",
                                       "pass",    "leave wrongly", "pass wrongly"};
    return format("%s %u", what[t % kinds], t / kinds);
}

PROPOSITIONS(starves, 5 * n) {
    unsigned me = (unsigned)i / 5, way = (unsigned)i % 5;
    bool asked = s->asks[right(me)], asks = s->asks[me];
    if (s->token == me) return false;
    if (way == 4) return s->C[me] == idle && asked && asks;
    return s->C[me] == requested && asked == (way >= 2) && asks == (way % 2 == 1);
}

MODEL(.transitions = kinds * n, .fire = fire, .check_state = check_state, .check_deadlock = check_deadlock,
      .print_state = print_state, .transition_name = transition_name)
