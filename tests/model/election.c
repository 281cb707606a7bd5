/* Election of a leader in a ring, after Chang and Roberts: a process sends its number on, or none at all; larger numbers
 * are passed on. Each process has a bounded queue, in a ring buffer.
 *
 * $ onager check election.c
 *   holds, 79847 states, 354623 edges
 * $ onager check election.c -p n=6 -p capacity=4
 *   holds, 4945 states, 16365 edges
 */
#include <onager.h>

PARAM(n, 8, 2, 16)
PARAM(capacity, 2, 1, 16)

ENUM(role, undecided, candidate, passive, leader)

#define STATE(var, array)                                                                                              \
    array(role, role, n) array(UPTO(capacity - 1), first, n) array(UPTO(capacity), length, n)                          \
    array(UPTO(n), queue, n *capacity)
DEFINE_STATE(STATE)

static bool put(state *s, unsigned i, unsigned number) {
    unsigned length = s->length[i];
    if (length == capacity) return false;
    CELL(s->queue, capacity, i, (s->first[i] + length) % capacity) = number;
    s->length[i] = length + 1;
    return true;
}

static void take(state *s, unsigned i) {
    unsigned first = s->first[i];
    CELL(s->queue, capacity, i, first) = 0;
    s->first[i] = (first + 1) % capacity;
    s->length[i]--;
}

static bool receive(state *s, unsigned i) {
    if (!s->length[i]) return false;
    unsigned number = CELL(s->queue, capacity, i, s->first[i]);
    if (s->role[i] == undecided) return false;
    if (s->role[i] == candidate && number == i + 1) s->role[i] = leader;
    else if (s->role[i] != candidate || number > i + 1) {
        if (!put(s, (i + 1) % n, number)) return false;
    }
    take(s, i);
    return true;
}

static bool fire(state *s, unsigned t) {
    unsigned i = t % n;
    switch (t / n) {
    case 0:
        if (s->role[i] != undecided || !put(s, (i + 1) % n, i + 1)) return false;
        s->role[i] = candidate;
        return true;
    case 1:
        if (s->role[i] != undecided) return false;
        s->role[i] = passive;
        return true;
    default: return receive(s, i);
    }
}

static const char *check_state(const state *s) {
    unsigned leaders = 0;
    for (unsigned i = 0; i < n; i++) leaders += s->role[i] == leader;
    return leaders > 1 ? "two are leaders" : NULL;
}

static const char *transition_name(unsigned t) {
    static const char *const names[] = {"take part", "stay out", "receive"};
    return format("%s %u", names[t / n], t % n);
}

MODEL(.transitions = 3 * n, .fire = fire, .check_state = check_state, .transition_name = transition_name)
