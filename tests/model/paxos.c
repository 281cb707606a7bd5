/* Paxos with a proposer for each ballot, whose value is its own unless an acceptor has accepted another before. Messages
 * stay where they are.
 *
 * $ onager check paxos.c
 *   holds, 1777 states, 4154 edges
 * $ onager check paxos.c -p n=5
 *   holds, 325185 states, 1235810 edges
 */
#include <onager.h>

PARAM(n, 3, 1, 9)
PARAM(ballots, 2, 1, 7)

/* Ballots and values are 1, 2, ...; 0 is none. */
#define STATE(var, array)                                                                                              \
    array(UPTO(ballots), promised, n) array(UPTO(ballots), accepted, n) array(1, prepare, ballots)                     \
    array(UPTO(ballots + 1), promise, ballots *n) array(UPTO(ballots), propose, ballots) array(1, accept, ballots *n)
DEFINE_STATE(STATE)

static bool begin(state *s, unsigned b) {
    if (s->prepare[b]) return false;
    s->prepare[b] = 1;
    return true;
}

/* What each acceptor answers: one more than the ballot that it accepted last. */
static bool answer_prepare(state *s, unsigned b, unsigned a) {
    if (!s->prepare[b] || s->promised[a] >= b + 1) return false;
    s->promised[a] = b + 1;
    CELL(s->promise, n, b, a) = s->accepted[a] + 1;
    return true;
}

static bool make_proposal(state *s, unsigned b) {
    unsigned count = 0, highest = 0;
    if (s->propose[b]) return false;
    for (unsigned a = 0; a < n; a++) {
        unsigned answer = CELL(s->promise, n, b, a);
        if (!answer) continue;
        count++;
        if (answer - 1 > highest) highest = answer - 1;
    }
    if (2 * count <= n) return false;
    s->propose[b] = highest ? s->propose[highest - 1] : b + 1;
    return true;
}

static bool answer_proposal(state *s, unsigned b, unsigned a) {
    if (!s->propose[b] || CELL(s->accept, n, b, a) || s->promised[a] > b + 1) return false;
    s->promised[a] = s->accepted[a] = b + 1;
    CELL(s->accept, n, b, a) = 1;
    return true;
}

enum { prepares, promises = ballots, proposals = promises + ballots * n, accepts = proposals + ballots };

static bool fire(state *s, unsigned t) {
    if (t < promises) return begin(s, t);
    if (t < proposals) return answer_prepare(s, (t - promises) / n, (t - promises) % n);
    if (t < accepts) return make_proposal(s, t - proposals);
    return answer_proposal(s, (t - accepts) / n, (t - accepts) % n);
}

static const char *check_state(const state *s) {
    unsigned chosen = 0;
    for (unsigned b = 0; b < ballots; b++) {
        unsigned count = 0;
        for (unsigned a = 0; a < n; a++) count += CELL(s->accept, n, b, a);
        if (2 * count <= n) continue;
        if (chosen && chosen != s->propose[b]) return "two values are chosen";
        chosen = s->propose[b];
    }
    return NULL;
}

static const char *transition_name(unsigned t) {
    if (t < promises) return format("prepare %u", t + 1);
    if (t < proposals) return format("promise %u by %u", (t - promises) / n + 1, (t - promises) % n);
    if (t < accepts) return format("propose %u", t - proposals + 1);
    return format("accept %u by %u", (t - accepts) / n + 1, (t - accepts) % n);
}

MODEL(.transitions = accepts + ballots * n, .fire = fire, .check_state = check_state,
      .transition_name = transition_name)
