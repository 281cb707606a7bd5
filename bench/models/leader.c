/* Leader election in a ring of channels (Dolev, Klawe and Rodeh 1982), statement by statement as in the example of Spin,
 * leader0.pml, which is beside it: leader.pml. There the states have names such as these, without being told. A number
 * that nobody reads any more becomes 0.
 *
 * $ onager check leader.c -p n=3
 *   holds, 679 states, 1623 edges
 * $ onager check leader.c
 *   holds, 41692 states, 169689 edges
 */
#include <onager.h>

PARAM(n, 5, 2, 10)

ENUM(kind, none, one, two, winner)
ENUM(location, asleep, start, loop, one_active, one_other, send_two, note, greatest, know, send_winner, one_pass, two_active,
     two_greater, raise_maximum, send_one, stop, two_pass, winner_own, lost, said, count, asserted, winner_known,
     winner_pass, over, gone)
ENUM(creator, begins, waits, ended)
enum { room = 2 * n };

#define STATE(var, array)                                                                                              \
    array(location, at, n) array(1, active, n) array(1, knows, n) array(UPTO(n), nr, n) array(UPTO(n), maximum, n)     \
    array(UPTO(n), neighbour, n) array(UPTO(room), length, n) array(kind, what, n *room)                               \
    array(UPTO(n), number, n *room) var(UPTO(n), leaders) var(creator, init)
DEFINE_STATE(STATE)

static unsigned own(unsigned i) { return (n + 3 - (i + 1)) % n + 1; }

static void initial(state *s) {
    for (unsigned i = 0; i < n; i++) s->active[i] = 1, s->maximum[i] = own(i);
}

static void put(state *s, unsigned i, enum kind k, unsigned number) {
    unsigned to = (i + 1) % n, l = s->length[to];
    s->what[to * room + l] = k;
    s->number[to * room + l] = number;
    s->length[to] = l + 1;
}

static void take(state *s, unsigned i) {
    unsigned l = s->length[i];
    for (unsigned k = 0; k + 1 < l; k++) {
        s->what[i * room + k] = s->what[i * room + k + 1];
        s->number[i * room + k] = s->number[i * room + k + 1];
    }
    s->what[i * room + l - 1] = 0;
    s->number[i * room + l - 1] = 0;
    s->length[i] = l - 1;
}

static void go(state *s, unsigned i, enum location to) {
    s->at[i] = to;
    if (to == loop) s->nr[i] = 0;
}

/* A process dies when it is over and those that were made later are dead; who has made them all comes last. */
static bool fire_creator(state *s) {
    if (s->init == ended || (s->init == waits && s->at[0] != gone)) return false;
    s->init++;
    return true;
}

static bool fire(state *s, unsigned i) {
    if (i == n) return fire_creator(s);
    if (s->init < waits) return false;
    unsigned nr = s->nr[i];
    switch (s->at[i]) {
    case asleep: go(s, i, start); return true;
    case start: put(s, i, one, own(i)); go(s, i, loop); return true;
    case loop: {
        if (!s->length[i]) return false;
        enum kind k = s->what[i * room];
        s->nr[i] = s->number[i * room];
        take(s, i);
        go(s, i, k == one ? one_active : k == two ? two_active : winner_own);
        return true;
    }
    case one_active: go(s, i, s->active[i] ? one_other : one_pass); return true;
    case one_other: go(s, i, nr != s->maximum[i] ? send_two : greatest); return true;
    case send_two: put(s, i, two, nr); go(s, i, note); return true;
    case note: s->neighbour[i] = nr; go(s, i, loop); return true;
    case greatest: go(s, i, know); return true;
    case know: s->knows[i] = 1; go(s, i, send_winner); return true;
    case send_winner: put(s, i, winner, nr); go(s, i, loop); return true;
    case one_pass: put(s, i, one, nr); go(s, i, loop); return true;
    case two_active: go(s, i, s->active[i] ? two_greater : two_pass); return true;
    case two_greater: {
        unsigned neighbour = s->neighbour[i];
        go(s, i, neighbour > nr && neighbour > s->maximum[i] ? raise_maximum : stop);
        return true;
    }
    case raise_maximum: s->maximum[i] = s->neighbour[i]; go(s, i, send_one); return true;
    case send_one: put(s, i, one, s->neighbour[i]); go(s, i, loop); return true;
    case stop: s->active[i] = 0; go(s, i, loop); return true;
    case two_pass: put(s, i, two, nr); go(s, i, loop); return true;
    case winner_own: go(s, i, nr == own(i) ? said : lost); return true;
    case lost: go(s, i, winner_known); return true;
    case said: go(s, i, count); return true;
    case count: s->leaders++; go(s, i, asserted); return true;
    case asserted: go(s, i, winner_known); return true;
    case winner_known: go(s, i, s->knows[i] ? over : winner_pass); return true;
    case winner_pass: put(s, i, winner, nr); go(s, i, over); return true;
    case over:
        if (i + 1 < n && s->at[i + 1] != gone) return false;
        go(s, i, gone);
        return true;
    default: return false;
    }
}

static const char *check_state(const state *s) { return s->leaders > 1 ? "two leaders" : NULL; }

MODEL(.transitions = n + 1, .initial = initial, .fire = fire, .check_state = check_state)
