/* Needham and Schroeder's protocol with public keys, and an intruder who is the network (Lowe 1996). Initiators and
 * responders have one session and one nonce each; the intruder keeps what it cannot read, and makes what it can.
 *
 *     -p lowe=1   the responder's name is in the second message: Lowe's correction
 *
 * $ onager check needham.c -p ni=1 -p nr=1
 *   holds
 * $ onager check needham.c -p ni=1 -p nr=1 -p lowe=0
 *   violated safety
 */
#include <onager.h>

PARAM(ni, 2, 1, 4)
PARAM(nr, 2, 1, 4)
PARAM(lowe, 1, 0, 1)

enum {
    hosts = ni + nr, /* the intruder is the next one */
    nonces = hosts + 1,
    starters = ni + 1,  /* whom a first message may come from, and */
    answerers = nr + 1, /* ... a second one: the last is the intruder */
    firsts = nr * nonces * starters,          /* {nonce, initiator} for a responder */
    seconds = ni * nonces * nonces * answerers, /* {nonce, nonce, responder} for an initiator */
    thirds = nr * nonces,
    to_start = ni * answerers
};

#define STATE(var, array)                                                                                              \
    array(2, at, hosts) array(UPTO(nr), partner, ni) array(UPTO(ni), claimed, nr) array(UPTO(nonces - 1), got, nr)     \
    array(1, knows, nonces) array(1, first, firsts) array(1, second, seconds) array(1, third, thirds)
DEFINE_STATE(STATE)

static void initial(state *s) { s->knows[hosts] = 1; }

static unsigned nonce_of(unsigned r) { return ni + r; }

static bool start(state *s, unsigned i, unsigned r) {
    if (s->at[i]) return false;
    s->at[i] = 1;
    s->partner[i] = r;
    if (r == nr) s->knows[i] = 1;
    else s->first[(r * nonces + i) * starters + i] = 1;
    return true;
}

/* A responder takes {x, i}, and answers. */
static bool take_first(state *s, unsigned m) {
    unsigned i = m % starters, x = m / starters % nonces, r = m / starters / nonces;
    if (s->at[ni + r] || (!s->first[m] && !s->knows[x])) return false;
    s->at[ni + r] = 1;
    s->claimed[r] = i;
    s->got[r] = x;
    if (i == ni) s->knows[x] = s->knows[nonce_of(r)] = 1;
    else s->second[((i * nonces + x) * nonces + nonce_of(r)) * answerers + r] = 1;
    return true;
}

/* An initiator takes {its nonce, y, r}, and confirms. */
static bool take_second(state *s, unsigned t) {
    unsigned r = t % answerers, y = t / answerers % nonces, i = t / answerers / nonces;
    unsigned m = ((i * nonces + i) * nonces + y) * answerers + r;
    if (s->at[i] != 1 || (lowe && s->partner[i] != r) || (!s->second[m] && !(s->knows[i] && s->knows[y]))) return false;
    s->at[i] = 2;
    unsigned to = s->partner[i];
    if (to == nr) s->knows[y] = 1;
    else s->third[to * nonces + y] = 1;
    return true;
}

static bool take_third(state *s, unsigned r) {
    if (s->at[ni + r] != 1 || (!s->third[r * nonces + nonce_of(r)] && !s->knows[nonce_of(r)])) return false;
    s->at[ni + r] = 2;
    return true;
}

enum { before_first = to_start, before_second = before_first + firsts, before_third = before_second + ni * nonces * answerers };

static bool fire(state *s, unsigned t) {
    if (t < before_first) return start(s, t / answerers, t % answerers);
    if (t < before_second) return take_first(s, t - before_first);
    if (t < before_third) return take_second(s, t - before_second);
    return take_third(s, t - before_third);
}

/* A responder that is sure of an initiator is right. */
static const char *check_state(const state *s) {
    for (unsigned r = 0; r < nr; r++) {
        unsigned i = s->claimed[r];
        if (s->at[ni + r] == 2 && i < ni && s->partner[i] != r) return "somebody is taken for another";
    }
    return NULL;
}

MODEL(.transitions = before_third + nr, .initial = initial, .fire = fire, .check_state = check_state)
