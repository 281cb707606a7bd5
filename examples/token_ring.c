/* token_ring.c: demand-driven token ring. n customers, n servers, one token.
 *
 * A customer may ask its server for the critical section, be in it, leave it, or stop for good. Only the server that
 * holds the token may let its customer in. The token moves only when it is needed: that somebody waits for it is
 * passed on from server to server, against the direction in which the token moves.
 * (A. Valmari: A State Space Tool for Models Expressed in C++, Figures 1 to 4 and Table I.)
 *
 *     -p n=6       how many customers and servers
 *     -p fault=0   1: a server passes the wish for the token on even if the next server has the token already
 *                  2: a server whose customer has left the critical section keeps the token
 *     -p must=0    1: check that customer 0 does not ask for ever in vain (the default if fault=2)
 *     -p track=0   1: remember which customer was number 0 before the symmetry map rotated the ring
 *
 * Checked: at most one customer is in the critical section; at the end, all have stopped. A state is printed as one
 * group for each customer and its server: customer idle, asking, in the critical section or stopped (-RC and blank),
 * server idle, waiting for the token or for its customer (iwt), and * at the token.
 *
 * Both reductions, alone and together:
 *
 * $ onager check token_ring.c -p n=2
 *   holds, 68 states, 140 edges
 * $ onager check token_ring.c -p n=2 --stubborn
 *   holds, 44 states, 60 edges
 * $ onager check token_ring.c -p n=2 --symmetry
 *   holds, 34 states, 70 edges
 * $ onager check token_ring.c -p n=2 --stubborn --symmetry
 *   holds, 22 states, 30 edges
 * $ onager check token_ring.c -p n=3
 *   holds, 468 states, 1350 edges
 * $ onager check token_ring.c -p n=3 --stubborn
 *   holds, 219 states, 327 edges
 * $ onager check token_ring.c -p n=3 --symmetry
 *   holds, 156 states, 450 edges
 * $ onager check token_ring.c -p n=3 --stubborn --symmetry
 *   holds, 73 states, 109 edges
 * $ onager check token_ring.c -p n=4
 *   holds, 2928 states, 10880 edges
 * $ onager check token_ring.c -p n=4 --stubborn
 *   holds, 920 states, 1432 edges
 * $ onager check token_ring.c -p n=4 --symmetry
 *   holds, 732 states, 2720 edges
 * $ onager check token_ring.c -p n=4 --stubborn --symmetry
 *   holds, 230 states, 358 edges
 * $ onager check token_ring.c -p n=5
 *   holds, 17280 states, 78600 edges
 * $ onager check token_ring.c -p n=5 --stubborn
 *   holds, 3505 states, 5625 edges
 * $ onager check token_ring.c -p n=5 --symmetry
 *   holds, 3456 states, 15720 edges
 * $ onager check token_ring.c -p n=5 --stubborn --symmetry
 *   holds, 701 states, 1125 edges
 * $ onager audit token_ring.c -p n=3
 *   holds
 *
 * The first fault violates neither check, but the system may run for ever after all customers have stopped:
 *
 * $ onager check token_ring.c -p n=2 -p fault=1
 *   holds, 108 states, 248 edges
 * $ onager check token_ring.c -p n=2 -p fault=1 --symmetry
 *   holds, 54 states, 124 edges
 * $ onager check token_ring.c -p n=2 -p fault=1 --termination
 *   violated termination, 108 states, 248 edges
 * $ onager check token_ring.c -p n=2 -p fault=1 --stubborn
 *   violated termination, 67 states, 93 edges
 *
 * The obligations, which are the published ones, are not right for this faulty variant: a server that has the token and
 * moves on may prevent the previous one from moving. (With n=2, both reductions together find nothing else for that
 * reason.) The audit finds the mistake:
 *
 * $ onager audit token_ring.c -p n=2 -p fault=1
 *   violated: D2 is violated
 *
 * The second fault lets a customer be overtaken for ever by another one that comes back again and again:
 *
 * $ onager check token_ring.c -p n=2 -p must=1
 *   holds, 68 states, 140 edges
 * $ onager check token_ring.c -p n=4 -p must=1
 *   holds, 2928 states, 10880 edges
 * $ onager check token_ring.c -p n=4 -p must=1 --stubborn
 *   inconclusive
 * $ onager check token_ring.c -p n=2 -p fault=2
 *   violated must_progress, 68 states, 141 edges
 * $ onager check token_ring.c -p n=4 -p fault=2
 *   violated must_progress, 2604 states, 9776 edges
 * $ onager check token_ring.c -p n=4 -p fault=2 --stubborn
 *   violated must_progress, 960 states, 1568 edges
 *
 * With symmetry, customer 0 is now this customer and now that, unless it is tracked; then nothing is gained:
 *
 * $ onager check token_ring.c -p n=4 -p must=1 --symmetry
 *   inconclusive
 * $ onager check token_ring.c -p n=4 -p must=1 -p track=1 --symmetry
 *   holds, 2928 states, 10880 edges
 *
 * The same as a formula: who asks is served. No fairness is needed.
 *
 * $ onager check token_ring.c -p n=4 --ltl G(asks.0->F(served.0))
 *   holds, 4277 states, 20881 edges
 * $ onager check token_ring.c -p n=4 --ltl G(asks.0->F(served.0)) --algorithm nested
 *   holds
 * $ onager check token_ring.c -p n=4 --ltl G(asks.0->F(served.0)) --algorithm one-pass
 *   holds
 * $ onager check token_ring.c -p n=4 -p fault=2 --ltl G(asks.0->F(served.0))
 *   violated ltl
 * $ onager check token_ring.c -p n=4 -p fault=2 --ltl G(asks.0->F(served.0)) --algorithm one-pass --order dfs
 *   violated ltl
 * $ onager check token_ring.c -p n=4 --ltl G(asks.0->F(served.0)) --stubborn
 *   holds, 3450 states, 9509 edges
 * $ onager check token_ring.c -p n=4 -p fault=2 --ltl G(asks.0->F(served.0)) --stubborn
 *   violated ltl
 */
#include <onager.h>

PARAM(n, 6, 2, 20)
PARAM(fault, 0, 0, 2)
PARAM(must, fault == 2, 0, 1)
PARAM(track, 0, 0, 1)

ENUM(customer, idle, requested, critical, terminated)
ENUM(server, resting, waiting_for_token, waiting_for_customer)

#define STATE(var, array)                                                                                              \
    array(customer, C, n)                                                                                              \
    array(server, S, n)                                                                                                \
    array(1, T, n)                                                                                                     \
    array(UPTO(n - 1), c0now, track)
DEFINE_STATE(STATE)

static unsigned next(unsigned i) { return i + 1 < n ? i + 1 : 0; }
static unsigned prev(unsigned i) { return i > 0 ? i - 1 : n - 1; }

static void initial(state *s) { s->T[1] = 1; }

static bool pass_token(state *s, unsigned i, unsigned to) {
    s->S[i] = to;
    s->T[i] = 0;
    s->T[next(i)] = 1;
    return true;
}

static bool wanted_by_next(const state *s, unsigned i) {
    return s->S[next(i)] == waiting_for_token && (fault == 1 || !s->T[next(i)]);
}

static bool fire(state *s, unsigned t) {
    if (t >= 2 * n) {
        unsigned i = t - 2 * n;
        switch (s->S[i]) {
        case resting:
            if (s->C[i] != requested && !wanted_by_next(s, i)) return false;
            s->S[i] = waiting_for_token;
            return true;
        case waiting_for_token:
            if (!s->T[i]) return false;
            if (s->C[i] == requested) {
                s->C[i] = critical;
                s->S[i] = waiting_for_customer;
                return true;
            }
            return s->S[next(i)] == waiting_for_token && pass_token(s, i, resting);
        case waiting_for_customer:
            if (s->C[i] == critical) return false;
            if (fault != 2) return pass_token(s, i, resting);
            s->S[i] = waiting_for_token;
            return true;
        default: model_error("illegal local state"); return false;
        }
    }
    if (t >= n) {
        if (s->C[t - n] != idle) return false;
        s->C[t - n] = terminated;
        return true;
    }
    if (s->C[t] == idle) {
        s->C[t] = requested;
        return true;
    }
    if (s->C[t] == critical) {
        s->C[t] = idle;
        return true;
    }
    return false;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    if (t >= 2 * n) {
        unsigned i = t - 2 * n;
        switch (s->S[i]) {
        case resting:
            if (s->C[i] != requested && !wanted_by_next(s, i)) stb(set, i, next(i) + 2 * n);
            return;
        case waiting_for_token:
            if (!s->T[i]) stb(set, prev(i) + 2 * n);
            else if (s->C[i] == requested) return;
            else if (s->S[next(i)] == waiting_for_token) stb(set, i);
            else stb(set, i, next(i) + 2 * n);
            return;
        case waiting_for_customer:
            if (s->C[i] == critical) stb(set, i);
            return;
        default: return;
        }
    }
    if (t >= n) {
        stb(set, t - n);
        return;
    }
    switch (s->C[t]) {
    case idle: stb(set, t + n, t + 2 * n); return;
    case requested: stb(set, t + 2 * n); return;
    case critical: stb_all(set); return;
    default: return;
    }
}

static const char *check_state(const state *s) {
    unsigned inside = 0;
    for (unsigned i = 0; i < n; i++) inside += s->C[i] == critical;
    return inside >= 2 ? "Mutual exclusion violated" : NULL;
}

static const char *check_deadlock(const state *s) {
    for (unsigned i = 0; i < n; i++)
        if (s->C[i] != terminated) return "Customer not terminated";
    return NULL;
}

static bool must_progress(const state *s) { return s->C[track ? s->c0now[0] : 0] != requested; }

static void symmetry(state *s) {
    unsigned i = 0;
    while (i < n && !s->T[i]) i++;
    i = prev(i % n);
    if (i == 0) return;
    state old = *s;
    for (unsigned j = 0; j < n; j++) {
        s->C[j] = old.C[(i + j) % n];
        s->S[j] = old.S[(i + j) % n];
        s->T[j] = old.T[(i + j) % n];
    }
    if (track) s->c0now[0] = (s->c0now[0] + n - i) % n;
}

static void print_state(const state *s, FILE *out) {
    for (unsigned i = 0; i < n; i++) fprintf(out, "%c%c%c", "-RC "[s->C[i]], "iwt"[s->S[i]], s->T[i] ? '*' : ' ');
}

static const char *transition_name(unsigned t) {
    static const char *const what[] = {"customer", "termination", "server"};
    return format("%s %u", what[t / n], t % n);
}

PROPOSITIONS(asks, n) { return s->C[i] == requested; }
PROPOSITIONS(served, n) { return s->C[i] == critical; }

/* The customer and its server. */
CHANGES(asks) { return t == i || t == 2 * n + i; }
CHANGES(served) { return t == i || t == 2 * n + i; }

MODEL(.transitions = 3 * n, .initial = initial, .fire = fire, .check_state = check_state,
      .check_deadlock = check_deadlock, .must_progress = must ? must_progress : NULL, .obligations = obligations,
      .symmetry = symmetry, .print_state = print_state, .transition_name = transition_name,
      .progress_is_symmetric = track)
