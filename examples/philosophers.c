/* philosophers.c: dining philosophers.
 *
 * n philosophers sit around a table with a fork between any two neighbours. One who is hungry takes the left fork, then
 * the right fork, eats, puts the left fork down, then the right fork.
 *
 *     -p n=5        how many philosophers
 *     -p lefty=0    1: philosopher 0 is left-handed: takes the right fork first and puts it down first
 *     -p watch=-1   0, 1, ...: check that this philosopher does not wait for the second fork for ever
 *
 * Checked: no deadlock. Philosophers are printed around the table: / and \ are forks in their hands, . is a fork on the
 * table, @ is one who eats.
 *
 * There is one deadlock: all have the left fork.
 *
 * $ onager check philosophers.c
 *   violated deadlock, 142 states, 361 edges
 * $ onager check philosophers.c --stubborn
 *   violated deadlock, 58 states, 72 edges
 * $ onager check philosophers.c --symmetry
 *   violated deadlock, 35 states, 93 edges
 * $ onager check philosophers.c --stubborn --symmetry
 *   violated deadlock, 14 states, 20 edges
 *
 * There are 3^n - 1 reachable states, and 3^n with a left-handed philosopher:
 *
 * $ onager check philosophers.c --no-check-deadlock
 *   holds, 242 states, 805 edges
 * $ onager check philosophers.c --no-check-deadlock --symmetry
 *   holds, 50 states, 165 edges
 * $ onager check philosophers.c -p n=10 --no-check-deadlock
 *   holds, 59048 states, 393650 edges
 * $ onager check philosophers.c -p lefty=1
 *   holds, 243 states, 810 edges
 * $ onager check philosophers.c -p lefty=1 --stubborn
 *   holds, 52 states, 71 edges
 * $ onager audit philosophers.c
 *   holds
 * $ onager audit philosophers.c -p lefty=1
 *   holds
 *
 * But a neighbour may eat again and again while one waits with a fork in the hand:
 *
 * $ onager check philosophers.c -p lefty=1 -p watch=2
 *   violated must_progress, 243 states, 810 edges
 * $ onager check philosophers.c -p n=10 -p lefty=1 --ltl G(waits.2->F(eats.2)) --stubborn
 *   violated ltl, 16 states, 52 edges
 *
 * Nobody eats without having waited:
 *
 * $ onager check philosophers.c -p n=10 -p lefty=1 --ltl (!eats.3)W(waits.3)
 *   holds, 26245 states, 166213 edges
 * $ onager check philosophers.c -p n=10 -p lefty=1 --ltl (!eats.3)W(waits.3) --stubborn
 *   holds, 10145 states, 13525 edges
 */
#include <onager.h>

PARAM(n, 5, 2, 30)
PARAM(lefty, 0, 0, 1)
PARAM(watch, -1, -1, n - 1)

/* `first` and `second` are the forks in the order of taking them: left and right, but right and left if left-handed. */
ENUM(philosopher, thinking, has_first, has_both, has_second)

#define STATE(var, array) array(philosopher, P, n)
DEFINE_STATE(STATE)

static unsigned right_neighbour(unsigned i) { return i + 1 < n ? i + 1 : 0; }
static unsigned left_neighbour(unsigned i) { return i > 0 ? i - 1 : n - 1; }
static bool left_handed(unsigned i) { return lefty && i == 0; }

/* With whom i shares the fork. */
static unsigned rival_for_first(unsigned i) { return left_handed(i) ? right_neighbour(i) : left_neighbour(i); }
static unsigned rival_for_second(unsigned i) { return left_handed(i) ? left_neighbour(i) : right_neighbour(i); }

static bool has_left(const state *s, unsigned i) {
    return s->P[i] == has_both || s->P[i] == (left_handed(i) ? has_second : has_first);
}
static bool has_right(const state *s, unsigned i) {
    return s->P[i] == has_both || s->P[i] == (left_handed(i) ? has_first : has_second);
}
static bool left_is_free(const state *s, unsigned i) { return !has_right(s, left_neighbour(i)); }
static bool right_is_free(const state *s, unsigned i) { return !has_left(s, right_neighbour(i)); }

static bool fire(state *s, unsigned i) {
    switch (s->P[i]) {
    case thinking:
        if (left_handed(i) ? !right_is_free(s, i) : !left_is_free(s, i)) return false;
        s->P[i] = has_first;
        return true;
    case has_first:
        if (left_handed(i) ? !left_is_free(s, i) : !right_is_free(s, i)) return false;
        s->P[i] = has_both;
        return true;
    case has_both: s->P[i] = has_second; return true;
    default: s->P[i] = thinking; return true;
    }
}

/* Only the one with whom the fork is shared can take it away or give it back. */
static void obligations(const state *s, unsigned i, stubborn *set) {
    if (s->P[i] == thinking) stb(set, rival_for_first(i));
    if (s->P[i] == has_first) stb(set, rival_for_second(i));
}

static const char *check_deadlock(const state *s) {
    (void)s;
    return "Everybody has one fork and waits for the other";
}

static bool must_progress(const state *s) { return s->P[watch < 0 ? 0 : watch] != has_first; }

/* The least of all rotations, compared from philosopher 0 on. */
static void symmetry(state *s) {
    unsigned best = 0;
    for (unsigned i = 1; i < n; i++) {
        unsigned j = 0;
        while (j < n && s->P[(i + j) % n] == s->P[(best + j) % n]) j++;
        if (j < n && s->P[(i + j) % n] < s->P[(best + j) % n]) best = i;
    }
    state old = *s;
    for (unsigned j = 0; j < n; j++) s->P[j] = old.P[(best + j) % n];
}

/* In the order around the table: forks on the table, and philosophers with theirs. */
static void print_state(const state *s, FILE *out) {
    for (unsigned i = 0; i < n; i++) {
        bool left = has_left(s, i), right = has_right(s, i);
        fputc(left ? '/' : left_is_free(s, i) ? '.' : ' ', out);
        fputc(left && right ? '@' : 'o', out);
        fputc(right ? '\\' : ' ', out);
    }
}

static const char *transition_name(unsigned i) { return format("philosopher %u", i); }

PROPOSITIONS(waits, n) { return s->P[i] == has_first; }
PROPOSITIONS(eats, n) { return s->P[i] == has_both; }
CHANGES(waits) { return t == i; }
CHANGES(eats) { return t == i; }

MODEL(.transitions = n, .fire = fire, .check_deadlock = check_deadlock,
      .must_progress = watch < 0 ? NULL : must_progress, .obligations = obligations,
      .symmetry = lefty ? NULL : symmetry, .print_state = print_state, .transition_name = transition_name)
