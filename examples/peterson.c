/* peterson.c: Peterson's mutual exclusion algorithm for n customers.
 *
 *     for j := 1 to n - 1:
 *         Q[i] := j;  TURN[j] := i
 *         wait until (for all k /= i: Q[k] < j) or TURN[j] /= i
 *     critical section
 *     Q[i] := 0
 *
 * A step reads or writes one shared variable, so that the "for all" is a loop of its own. Gates are numbered from 0.
 * (A. Valmari: Stop It, and Be Stubborn!, Figures 1, 2, 4 and Table I.)
 *
 *     -p n=3         how many customers
 *     -p variant=2   0: a questionable model: all customers try again and again; an error stays hidden
 *                    1: an idle customer may stop for good; this reveals the error: Q[k] = 0 means two things
 *                    2: correct: Q is written as j + 1
 *                    3: like 2, but TURN is written before Q; this violates mutual exclusion
 *     -p watch=0     the customer that must always be able to get to the critical section, or else have stopped
 *     -p must=0      1: must progress of that customer: it cannot be kept waiting for ever
 *     -p bytes=0     1: counters take 8 bits each, though they need not: the same model with long states
 *
 * Checked: mutual exclusion; may progress of customer `watch`, and must progress; nobody but stopped customers at the
 * end. A customer is printed as j, its location (- idle, * critical section, blank stopped), k and Q; then TURN.
 *
 * $ onager check peterson.c -p n=2 -p variant=0
 *   holds, 133 states, 266 edges
 * $ onager check peterson.c -p n=3 -p variant=0
 *   holds, 38038 states, 114114 edges
 * $ onager check peterson.c -p n=3 -p variant=0 -p bytes=1
 *   holds, 38038 states, 114114 edges
 * $ onager check peterson.c -p n=2 -p variant=1
 *   violated may_progress, 163 states, 326 edges
 * $ onager check peterson.c -p n=2 -p variant=1 --stubborn
 *   violated may_progress, 116 states, 162 edges
 * $ onager check peterson.c -p n=3 -p variant=1
 *   violated may_progress, 43675 states, 131025 edges
 * $ onager check peterson.c -p n=3 -p variant=1 --stubborn
 *   violated may_progress, 23134 states, 41562 edges
 * $ onager check peterson.c -p n=2
 *   holds, 574 states, 1148 edges
 * $ onager check peterson.c -p n=2 --stubborn
 *   holds, 378 states, 522 edges
 * $ onager check peterson.c
 *   holds, 96854 states, 290562 edges
 * $ onager check peterson.c --stubborn
 *   holds, 44868 states, 78750 edges
 * $ onager check peterson.c -p n=2 -p variant=3
 *   violated safety, 336 states, 602 edges
 * $ onager check peterson.c -p n=2 -p variant=3 --stubborn
 *   violated safety, 219 states, 258 edges
 * $ onager check peterson.c -p n=3 -p variant=3
 *   violated safety, 32957 states, 87081 edges
 * $ onager check peterson.c -p n=3 -p variant=3 --stubborn
 *   violated safety, 15164 states, 22100 edges
 * $ onager audit peterson.c -p n=2
 *   holds
 * $ onager audit peterson.c -p n=2 -p variant=3
 *   holds
 *
 * (The counts of variant 3 are where the search stopped; they depend on --scan.) The answer does not depend on who is
 * watched:
 *
 * $ onager check peterson.c -p watch=1
 *   holds, 96854 states, 290562 edges
 * $ onager check peterson.c -p watch=2 --stubborn
 *   holds, 44868 states, 78750 edges
 * $ onager check peterson.c -p n=2 -p variant=1 -p watch=1
 *   violated may_progress, 163 states, 326 edges
 *
 * Variant 0 never ends. Stubborn sets alone then prove neither safety nor progress, and the tool says so:
 *
 * $ onager check peterson.c -p n=2 -p variant=0 --stubborn
 *   violated termination, 88 states, 124 edges
 * $ onager check peterson.c -p n=3 -p variant=0 --stubborn
 *   violated termination, 18817 states, 34083 edges
 *
 * Who tries gets in, if nobody who can move is forgotten for ever:
 *
 * $ onager check peterson.c -p n=2 --ltl G!(inside.0&inside.1)
 *   holds
 * $ onager check peterson.c -p n=2 --ltl G!(inside.0&inside.1) --stubborn
 *   holds
 * $ onager check peterson.c -p n=2 -p variant=3 --ltl G!(inside.0&inside.1) --stubborn
 *   violated ltl
 * $ onager check peterson.c -p n=2 --ltl G(tries.0->F(inside.0))
 *   violated ltl
 * $ onager check peterson.c -p n=2 --ltl G(tries.0->F(inside.0)) --weak-fair 0,1
 *   holds, 979 states, 2798 edges
 * $ onager check peterson.c --ltl G(tries.2->F(inside.2)) --weak-fair customer*0,customer*1,customer*2
 *   holds
 * $ onager check peterson.c -p n=2 -p variant=1 --ltl G(tries.0->F(inside.0)) --weak-fair 0,1
 *   violated ltl
 *
 * The same as must progress of who is watched, and as a formula about that; fairness to one customer is not enough:
 *
 * $ onager check peterson.c -p n=2 -p must=1
 *   violated must_progress
 * $ onager check peterson.c -p n=2 -p must=1 --weak-fair 0,1
 *   holds, 574 states, 1148 edges
 * $ onager check peterson.c -p n=2 -p must=1 --ltl GF(must_progress) --weak-fair 0,1
 *   holds
 * $ onager check peterson.c -p must=1 -p watch=1 --strong-fair customer*0,customer*1,customer*2
 *   holds, 96854 states, 290562 edges
 * $ onager check peterson.c -p n=2 -p must=1 --weak-fair 0
 *   violated must_progress
 * $ onager check peterson.c -p n=2 -p variant=1 -p must=1 --no-may-progress --weak-fair 0,1
 *   violated must_progress
 */
#include <onager.h>

PARAM(n, 3, 2, 9)
PARAM(variant, 2, 0, 3)
PARAM(watch, 0, 0, n - 1)
PARAM(must, 0, 0, 1)
PARAM(bytes, 0, 0, 1)

enum {
    may_stop = variant >= 1,    /* an idle customer may stop for good */
    gate_offset = variant >= 2, /* gate j is j + 1 in Q, so that 0 means only "not interested" */
    swapped = variant == 3,     /* T is written before Q */
};

ENUM(location, idle, at_gate, first_write, second_write, test_turn, next_k, test_Q, critical, terminated)

#define COUNTER(most) (bytes ? 8 : UPTO(most))
#define STATE(var, array)                                                                                              \
    array(location, S, n)                                                                                              \
    array(COUNTER(n - 1), j, n)                                                                                        \
    array(COUNTER(n), k, n)                                                                                            \
    array(COUNTER(n - 2 + gate_offset), Q, n)                                                                          \
    array(COUNTER(n - 1), T, n - 1)
DEFINE_STATE(STATE)

static bool go(state *s, unsigned i, enum location to) {
    s->S[i] = to;
    return true;
}

static bool next_gate(state *s, unsigned i) {
    s->j[i]++;
    return go(s, i, at_gate);
}

static void write_Q(state *s, unsigned i) { s->Q[i] = s->j[i] + gate_offset; }
static void write_T(state *s, unsigned i) { s->T[s->j[i]] = i; }

static bool fire(state *s, unsigned t) {
    if (t >= n) return s->S[t - n] == idle && go(s, t - n, terminated);

    unsigned i = t;
    switch (s->S[i]) {
    case idle: s->j[i] = 0; return go(s, i, at_gate);
    case at_gate: return go(s, i, s->j[i] < n - 1 ? first_write : critical);
    case first_write: swapped ? write_T(s, i) : write_Q(s, i); return go(s, i, second_write);
    case second_write: swapped ? write_Q(s, i) : write_T(s, i); return go(s, i, test_turn);
    case test_turn:
        if (s->T[s->j[i]] != i) return next_gate(s, i);
        s->k[i] = 0;
        return go(s, i, next_k);
    case next_k: return s->k[i] < n ? go(s, i, test_Q) : next_gate(s, i);
    case test_Q:
        if (s->k[i] != i && s->Q[s->k[i]] >= s->j[i] + gate_offset) return go(s, i, test_turn);
        s->k[i]++;
        return go(s, i, next_k);
    case critical: s->Q[i] = 0; return go(s, i, idle);
    case terminated: return false;
    default: model_error("illegal local state"); return false;
    }
}

/* Only what reads or writes Q and T concerns other customers. Leaving the critical section may hide a violation of
 * mutual exclusion, so that everything that may reveal it must come along. */
static void obligations(const state *s, unsigned t, stubborn *set) {
    if (t >= n) {
        stb(set, t - n);
        return;
    }
    switch (s->S[t]) {
    case idle:
        if (may_stop) stb(set, t + n);
        return;
    case at_gate:
    case next_k:
    case terminated: return;
    case test_turn: /* others write to T[j] only their own numbers: what is not t stays so */
        if (s->T[s->j[t]] == t) stb_all(set);
        return;
    default: stb_all(set); return;
    }
}

static const char *check_state(const state *s) {
    unsigned inside = 0;
    for (unsigned i = 0; i < n; i++) inside += s->S[i] == critical;
    return inside >= 2 ? "Mutex violated" : NULL;
}

static const char *check_deadlock(const state *s) {
    for (unsigned i = 0; i < n; i++)
        if (s->S[i] != terminated) return "Customer not terminated";
    return NULL;
}

static bool may_progress(const state *s) { return s->S[watch] == critical || s->S[watch] == terminated; }

static bool must_progress(const state *s) { return may_progress(s) || s->S[watch] == idle; }

static void print_state(const state *s, FILE *out) {
    for (unsigned i = 0; i < n; i++) fprintf(out, "%u%c%u%u ", s->j[i], "-jQTwkA* "[s->S[i]], s->k[i], s->Q[i]);
    for (unsigned i = 0; i < n - 1; i++) fprintf(out, "%u", s->T[i]);
}

static const char *transition_name(unsigned t) { return format("%s %u", t < n ? "customer" : "termination", t % n); }

PROPOSITIONS(tries, n) { return s->S[i] != idle && s->S[i] != critical && s->S[i] != terminated; }
PROPOSITIONS(inside, n) { return s->S[i] == critical; }
CHANGES(tries) { return t == i; }
CHANGES(inside) { return t == i; }

MODEL(.transitions = may_stop ? 2 * n : n, .fire = fire, .check_state = check_state, .check_deadlock = check_deadlock,
      .may_progress = may_progress, .must_progress = must ? must_progress : NULL, .obligations = obligations,
      .print_state = print_state, .transition_name = transition_name)
