#include "omega/automaton_word.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Node i * states + s: the automaton is in s after it has read valuation i. */
struct run {
    const struct ba *ba; /* or NULL, and then */
    const struct ta *ta;
    const uint8_t *accept;
    uint32_t states;
    const uint64_t *values;
    uint64_t n, cycle;
    bool *met;
};

static uint64_t after(const struct run *r, uint64_t i) { return i + 1 < r->n ? i + 1 : r->cycle; }
static uint64_t node(const struct run *r, uint64_t i, uint32_t s) { return i * r->states + s; }

/* The k-th move from state s at position i to position j. False: there are not so many. *to is NAMES_NONE if it may not
 * be taken. */
static bool move(const struct run *r, uint64_t i, uint32_t s, uint64_t j, uint32_t k, uint32_t *to, uint64_t *marks) {
    *to = NAMES_NONE;
    if (r->ba) {
        if (k >= r->ba->first[s + 1] - r->ba->first[s]) return false;
        const struct ba_edge *e = &r->ba->edge[r->ba->first[s] + k];
        if (((r->values[j] ^ e->label.value) & e->label.care) == 0) *to = e->target;
        *marks = e->marks;
        return true;
    }
    *marks = r->accept[s] & ACCEPT_INFINITE ? 1 : 0;
    if (r->values[i] == r->values[j]) {
        *to = s;
        return k == 0;
    }
    if (k >= r->ta->first[s + 1] - r->ta->first[s]) return false;
    const struct ta_edge *e = &r->ta->edge[r->ta->first[s] + k];
    if (e->change == (r->values[i] ^ r->values[j])) *to = e->target;
    return true;
}

/* Marks what is reached from the states at position 0, sweep by sweep. */
static void meet(struct run *r) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint64_t i = 0; i < r->n && (i + 1 < r->n || r->cycle < r->n); i++)
            for (uint32_t s = 0; s < r->states; s++) {
                uint64_t marks, j = after(r, i);
                uint32_t to;
                for (uint32_t k = 0; r->met[node(r, i, s)] && move(r, i, s, j, k, &to, &marks); k++) {
                    if (to == NAMES_NONE || r->met[node(r, j, to)]) continue;
                    r->met[node(r, j, to)] = true;
                    if (j <= i) changed = true; /* else this sweep gets there */
                }
            }
    }
}

/* Is there a move from the node to a live one that is in the set, or to a good one? */
static bool gets_on(const struct run *r, uint64_t i, uint32_t s, uint64_t set, const bool *live, const bool *good) {
    uint64_t marks, j = after(r, i);
    uint32_t to;
    for (uint32_t k = 0; move(r, i, s, j, k, &to, &marks); k++)
        if (to != NAMES_NONE && live[node(r, j, to)] && ((marks & set) == set || good[node(r, j, to)])) return true;
    return false;
}

/* Leaves of the live nodes those from which a move of the set can be reached through live ones. True: some were not. */
static bool thin_out(const struct run *r, uint64_t set, bool *live) {
    uint64_t nodes = r->n * r->states;
    bool *good = memory_get_zeroed(nodes + 1), changed = true;
    while (changed) {
        changed = false;
        for (uint64_t i = r->n; i-- > r->cycle;)
            for (uint32_t s = 0; s < r->states; s++) {
                uint64_t v = node(r, i, s);
                if (live[v] && !good[v] && gets_on(r, i, s, set, live, good)) good[v] = changed = true;
            }
    }
    bool fewer = memcmp(good, live, nodes) != 0;
    memcpy(live, good, nodes);
    free(good);
    return fewer;
}

/* Is there a run that takes moves of each set infinitely often? What is left when nothing more can be taken out from
 * where one of them is out of reach. */
static bool accepts_infinitely(const struct run *r, uint32_t sets) {
    uint64_t nodes = r->n * r->states;
    bool *live = memory_get_zeroed(nodes + 1), changed = true, any = false;
    memcpy(live + r->cycle * r->states, r->met + r->cycle * r->states, nodes - r->cycle * r->states);
    while (changed) {
        changed = false;
        for (uint32_t k = 0; k < (sets ? sets : 1); k++)
            if (thin_out(r, sets ? UINT64_C(1) << k : 0, live)) changed = true;
    }
    for (uint64_t v = 0; v < nodes; v++) any |= live[v];
    free(live);
    return any;
}

static bool is_constant(const struct run *r) {
    for (uint64_t i = r->cycle; i < r->n; i++)
        if (r->values[i] != r->values[r->cycle]) return false;
    return true;
}

/* A node of [from, n) that accepts so. */
static bool meets(const struct run *r, uint64_t from, uint8_t kind) {
    for (uint64_t i = from; i < r->n; i++)
        for (uint32_t s = 0; s < r->states; s++)
            if (r->met[node(r, i, s)] && (r->accept[s] & kind)) return true;
    return false;
}

/* Where it begins is marked. */
static bool accepted(struct run *r) {
    meet(r);
    assert(r->n > 0);
    if (meets(r, 0, ACCEPT_FINITE)) return true;
    if (r->cycle >= r->n) return meets(r, r->n - 1, ACCEPT_DEADLOCK);
    if (r->ta && is_constant(r)) return meets(r, r->cycle, ACCEPT_LIVELOCK);
    return accepts_infinitely(r, r->ba ? r->ba->sets : 1);
}

bool automaton_word_ba(const struct ba *a, const uint64_t *valuations, uint64_t n, uint64_t cycle) {
    struct run r = {.ba = a, .accept = a->accept, .states = a->states, .values = valuations, .n = n, .cycle = cycle};
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->accept[a->initial[i]] & (n == 0 ? ACCEPT_FINITE | ACCEPT_DEADLOCK : ACCEPT_FINITE)) return true;
    if (n == 0) return false;
    r.met = memory_get_zeroed(n * a->states + 1);
    for (uint32_t i = 0; i < a->initials; i++) {
        uint64_t marks;
        uint32_t to;
        for (uint32_t k = 0; move(&r, 0, a->initial[i], 0, k, &to, &marks); k++)
            if (to != NAMES_NONE) r.met[to] = true;
    }
    bool result = accepted(&r);
    free(r.met);
    return result;
}

bool automaton_word_ta(const struct ta *a, const uint64_t *valuations, uint64_t n, uint64_t cycle) {
    struct run r = {.ta = a, .accept = a->accept, .states = a->states, .values = valuations, .n = n, .cycle = cycle};
    if (n == 0) return false;
    r.met = memory_get_zeroed(n * a->states + 1);
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->initial[i].value == valuations[0]) r.met[a->initial[i].state] = true;
    bool result = accepted(&r);
    free(r.met);
    return result;
}
