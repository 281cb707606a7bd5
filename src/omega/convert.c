#include "omega/convert.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/ways.h"
#include "omega/automaton_graph.h"
#include "omega/trim.h"
#include "base/memory.h"

/* Beyond these, an automaton is of no use for anybody. */
enum { MOST_STATES = 1 << 20, MOST_EDGES = 1 << 24, MOST_VALUED = 16, MOST_CHANGING = 12 };

/* ---- Theorem 2.1 ---- */

void ba_remove_finite(const struct ba *a, struct ba *out) {
    struct ba_builder b;
    ba_build(&b, &a->propositions);
    b.sets = a->sets;
    b.by_state = a->by_state;
    uint32_t all = UINT32_MAX, *number = memory_get((a->states + 1) * sizeof *number);
    for (uint32_t s = 0; s < a->states; s++) {
        bool finite = a->accept[s] & ACCEPT_FINITE;
        if (finite && all == UINT32_MAX) all = ba_build_state(&b, ACCEPT_INFINITE | ACCEPT_DEADLOCK);
        number[s] = finite ? all : ba_build_state(&b, a->accept[s]);
    }
    if (all != UINT32_MAX) ba_build_edge(&b, all, (struct cube){0, 0}, ba_all_sets(a), all);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, number[a->initial[i]]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s) && number[s] != all; e++)
            ba_build_edge(&b, number[s], e->label, e->marks, number[e->target]);
    ba_build_finish(&b, out);
    free(number);
}

static bool too_many_propositions(const struct names *p, const char *what, struct problem *why) {
    if (p->count <= MOST_VALUED) return false;
    problem_set(why, EXIT_BAD_INPUT,
                "%s may need a state for each of the 2^%u valuations of the propositions; at most %d propositions are "
                "possible",
                what, p->count, MOST_VALUED);
    return true;
}

/* The clique S2 = 2^Π, and what leads to it. */
bool sba_remove_finite(const struct sba *a, struct sba *out, struct problem *why) {
    struct ta_builder b;
    bool any = false;
    for (uint32_t s = 0; s < a->states; s++) any |= (a->accept[s] & ACCEPT_FINITE) != 0;
    if (any && a->propositions.count > MOST_CHANGING)
        return problem_set(why, EXIT_BAD_INPUT,
                           "without finite acceptance, the automaton needs a clique of 2^%u states; at most %d "
                           "propositions are possible",
                           a->propositions.count, MOST_CHANGING);
    uint32_t clique = any ? 1u << a->propositions.count : 0;
    uint32_t *number = memory_get((a->states + 1) * sizeof *number);
    ta_build(&b, &a->propositions);
    for (uint32_t v = 0; v < clique; v++) ta_build_state(&b, v, ACCEPT_INFINITE | ACCEPT_DEADLOCK);
    for (uint32_t v = 0; v < clique; v++)
        for (uint32_t w = 0; w < clique; w++) ta_build_edge(&b, v, 0, w);
    for (uint32_t s = 0; s < a->states; s++)
        number[s] =
            a->accept[s] & ACCEPT_FINITE ? (uint32_t)a->value[s] : ta_build_state(&b, a->value[s], a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++) ta_build_initial(&b, number[a->initial[i]], 0);
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t i = a->first[s]; i < a->first[s + 1] && number[s] >= clique; i++)
            ta_build_edge(&b, number[s], 0, number[a->target[i]]);
    sba_build_finish(&b, out);
    free(number);
    return true;
}

bool ta_remove_finite(const struct ta *a, struct ta *out, struct problem *why) {
    struct ta_builder b;
    bool any = accept_kinds(a->accept, a->states) & ACCEPT_FINITE;
    if (any && a->propositions.count > MOST_CHANGING)
        return problem_set(
            why, EXIT_BAD_INPUT,
            "without finite acceptance, the testing automaton needs an edge for each of 2^%u changes; at "
            "most %d propositions are possible",
            a->propositions.count, MOST_CHANGING);
    uint32_t *number = memory_get((a->states + 1) * sizeof *number);
    ta_build(&b, &a->propositions);
    uint32_t all = any ? ta_build_state(&b, 0, ACCEPT_INFINITE | ACCEPT_DEADLOCK | ACCEPT_LIVELOCK) : UINT32_MAX;
    for (uint64_t change = 1; any && change <= propositions_mask(a->propositions.count); change++)
        ta_build_edge(&b, all, change, all);
    for (uint32_t s = 0; s < a->states; s++)
        number[s] = a->accept[s] & ACCEPT_FINITE ? all : ta_build_state(&b, 0, a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++) ta_build_initial(&b, number[a->initial[i].state], a->initial[i].value);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ta_edge *e = ta_begin(a, s); e < ta_end(a, s) && number[s] != all; e++)
            ta_build_edge(&b, number[s], e->change, number[e->target]);
    ta_build_finish(&b, out);
    free(number);
    return true;
}

/* ---- Labels on edges, valuations of states ---- */

void ba_from_sba(const struct sba *a, struct ba *out) {
    struct ba_builder b;
    uint32_t n = a->propositions.count;
    ba_build(&b, &a->propositions);
    b.by_state = true;
    uint32_t start = ba_build_state(&b, 0);
    ba_build_initial(&b, start);
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++)
        ba_build_edge(&b, start, cube_of(a->value[a->initial[i]], n), 0, a->initial[i] + 1);
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
            ba_build_edge(&b, s + 1, cube_of(a->value[a->target[i]], n), 0, a->target[i] + 1);
    ba_build_finish(&b, out);
}

/* States of pairs that were found so far: (state, valuation) to number. */
struct pairs {
    const struct ba *a;
    struct ta_builder build;
    uint32_t *number; /* [state << propositions | valuation], + 1; 0: none */
    uint64_t *todo;   /* the same index, of all pairs in the order of finding */
    uint32_t n;       /* propositions */
};

static uint32_t pair(struct pairs *p, uint32_t state, uint64_t valuation) {
    assert(valuation >> p->n == 0);
    uint64_t index = (uint64_t)state << p->n | valuation;
    if (!p->number[index]) {
        p->todo[p->build.states] = index;
        p->number[index] = ta_build_state(&p->build, valuation, p->a->accept[state]) + 1;
    }
    return p->number[index] - 1;
}

/* Follows an edge with each of its valuations; source == UINT32_MAX: from an initial state. */
static void follow(struct pairs *p, uint32_t source, struct cube label, uint32_t target) {
    uint64_t free_ones = propositions_mask(p->n) & ~label.care, some = 0;
    do {
        uint32_t to = pair(p, target, label.value | some);
        if (source == UINT32_MAX) ta_build_initial(&p->build, to, 0);
        else ta_build_edge(&p->build, source, 0, to);
        some = (some - free_ones) & free_ones;
    } while (some);
}

static void fill_pairs(struct pairs *p) {
    for (uint32_t i = 0; i < p->a->initials; i++) {
        uint32_t s = p->a->initial[i];
        /* What accepts before anything is read must also do so after the first valuation. */
        if (p->a->accept[s] & ACCEPT_FINITE) follow(p, UINT32_MAX, (struct cube){0, 0}, s);
        for (const struct ba_edge *e = ba_begin(p->a, s); e < ba_end(p->a, s); e++)
            follow(p, UINT32_MAX, e->label, e->target);
    }
    for (uint32_t i = 0; i < p->build.states; i++) {
        uint32_t s = (uint32_t)(p->todo[i] >> p->n);
        for (const struct ba_edge *e = ba_begin(p->a, s); e < ba_end(p->a, s); e++) follow(p, i, e->label, e->target);
    }
}

bool sba_from_ba(const struct ba *a, struct sba *out, struct problem *why) {
    struct ba by_state = {0};
    if (too_many_propositions(&a->propositions, "an automaton with valuations of states", why)) return false;
    if (!a->by_state) {
        ba_degeneralise(a, NULL, &by_state);
        a = &by_state;
    }
    struct pairs p = {.a = a, .n = a->propositions.count};
    uint64_t pairs = (uint64_t)a->states << p.n, edges = 0;
    for (uint32_t i = 0; i < a->edges; i++)
        edges += UINT64_C(1) << (2 * p.n - (uint32_t)__builtin_popcountll(a->edge[i].label.care));
    bool fits = pairs <= MOST_STATES && edges <= MOST_EDGES;
    if (fits) {
        p.number = memory_get_zeroed((pairs + 1) * sizeof *p.number);
        p.todo = memory_get((pairs + 1) * sizeof *p.todo);
        ta_build(&p.build, &a->propositions);
        fill_pairs(&p);
        sba_build_finish(&p.build, out);
        free(p.number);
        free(p.todo);
    } else {
        problem_set(why, EXIT_BAD_INPUT,
                    "an automaton with valuations of states would have up to %llu states and %llu edges, which is too "
                    "much: use fewer propositions (there are %u)",
                    (unsigned long long)pairs, (unsigned long long)edges, p.n);
    }
    ba_fini(&by_state);
    return fits;
}

/* ---- Theorem 4.1 ---- */

/* The states from which, while the valuation stays the same, infinite acceptance states can be visited for ever. */
static void find_livelocks(const struct sba *a, uint8_t *accept) {
    struct digraph g = graph_of_stuttering(a);
    struct components c;
    components_find(&c, &g);
    bool *livelock = memory_get_zeroed(a->states + 1);
    for (uint32_t s = 0; s < a->states; s++) livelock[s] = c.cyclic[c.of[s]] && (a->accept[s] & ACCEPT_INFINITE);
    ways_reach_back(&g, livelock);
    for (uint32_t s = 0; s < a->states; s++)
        if (livelock[s]) accept[s] |= ACCEPT_LIVELOCK;
    free(livelock);
    components_fini(&c);
    digraph_fini(&g);
}

void ta_from_sba(const struct sba *a, struct ta *out) {
    struct ta_builder b;
    uint8_t *accept = memory_get(a->states + 1);
    memcpy(accept, a->accept, a->states);
    sba_ignore_stuttering(a, accept, ACCEPT_FINITE);
    find_livelocks(a, accept);
    ta_build(&b, &a->propositions);
    for (uint32_t s = 0; s < a->states; s++) ta_build_state(&b, 0, accept[s]);
    for (uint32_t i = 0; i < a->initials; i++) ta_build_initial(&b, a->initial[i], a->value[a->initial[i]]);
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
            uint64_t change = a->value[s] ^ a->value[a->target[i]];
            if (change) ta_build_edge(&b, s, change, a->target[i]);
        }
    ta_build_finish(&b, out);
    free(accept);
}

/* ---- Theorem 4.2 ---- */

/* The intermediate automaton: states with their valuations, as far as they can be reached. */
struct unfolding {
    const struct ta *a;
    struct ta_builder build;
    uint32_t *primary, *secondary; /* [state << propositions | valuation], + 1; 0: not reached */
    uint64_t *todo;
    uint32_t found, n;
};

/* Figure 1: what becomes of a state depends on whether it has infinite and livelock acceptance.
 *
 *   neither   ->  (s) with a loop
 *   both      ->  ((s)) with a loop: ((s)) is an infinite acceptance state
 *   infinite  ->  ((s)) without a loop, so that it cannot be stayed in, and (s') with one; both have all edges
 *   livelock  ->  (s) with a loop and all edges, and ((s')) with a loop and nothing else, to be stayed in for ever
 */
static uint32_t unfold(struct unfolding *u, uint32_t state, uint64_t value) {
    uint64_t index = (uint64_t)state << u->n | value;
    assert(value >> u->n == 0);
    unsigned accept = u->a->accept[state], kept = accept & (ACCEPT_FINITE | ACCEPT_DEADLOCK);
    if (u->primary[index]) return u->primary[index] - 1;
    u->todo[u->found++] = index;
    bool infinite = accept & ACCEPT_INFINITE, livelock = accept & ACCEPT_LIVELOCK;
    uint32_t s = ta_build_state(&u->build, value, kept | (infinite ? ACCEPT_INFINITE : 0u));
    u->primary[index] = s + 1;
    if (!infinite || livelock) ta_build_edge(&u->build, s, 0, s);
    if (infinite != livelock) {
        uint32_t other = ta_build_state(&u->build, value, kept | (livelock ? ACCEPT_INFINITE : 0u));
        ta_build_edge(&u->build, s, 0, other);
        ta_build_edge(&u->build, other, 0, other);
        if (infinite) u->secondary[index] = other + 1;
    }
    return s;
}

static void unfold_all(struct unfolding *u) {
    for (uint32_t i = 0; i < u->a->initials; i++)
        ta_build_initial(&u->build, unfold(u, u->a->initial[i].state, u->a->initial[i].value), 0);
    for (uint32_t i = 0; i < u->found; i++) {
        uint64_t index = u->todo[i], value = index & propositions_mask(u->n);
        uint32_t state = (uint32_t)(index >> u->n);
        for (const struct ta_edge *e = ta_begin(u->a, state); e < ta_end(u->a, state); e++) {
            uint32_t to = unfold(u, e->target, value ^ e->change);
            ta_build_edge(&u->build, u->primary[index] - 1, 0, to);
            if (u->secondary[index]) ta_build_edge(&u->build, u->secondary[index] - 1, 0, to);
        }
    }
}

static bool unfolding_init(struct unfolding *u, const struct ta *a, struct problem *why) {
    *u = (struct unfolding){.a = a, .n = a->propositions.count};
    if (too_many_propositions(&a->propositions, "an automaton with valuations of states", why)) return false;
    uint64_t pairs = (uint64_t)a->states << u->n;
    if (pairs > MOST_STATES || (uint64_t)a->edges << u->n > MOST_EDGES) {
        problem_set(why, EXIT_BAD_INPUT,
                    "an automaton with valuations of states would have up to %llu states, which is too much: use fewer "
                    "propositions (there are %u)",
                    2 * (unsigned long long)pairs, u->n);
        return false;
    }
    u->primary = memory_get_zeroed((pairs + 1) * sizeof *u->primary);
    u->secondary = memory_get_zeroed((pairs + 1) * sizeof *u->secondary);
    u->todo = memory_get((pairs + 1) * sizeof *u->todo);
    ta_build(&u->build, &a->propositions);
    return true;
}

static void unfolding_fini(struct unfolding *u) {
    free(u->primary);
    free(u->secondary);
    free(u->todo);
}

bool sba_from_ta(const struct ta *a, struct sba *out, struct problem *why) {
    struct unfolding u;
    if (!unfolding_init(&u, a, why)) return false;
    unfold_all(&u);
    sba_build_finish(&u.build, out);
    unfolding_fini(&u);
    return true;
}

/* A state with its valuation, as it is. */
static uint32_t unfold_state(struct unfolding *u, uint32_t state, uint64_t value) {
    uint64_t index = (uint64_t)state << u->n | value;
    if (!u->primary[index]) {
        u->todo[u->found++] = index;
        u->primary[index] = ta_build_state(&u->build, 0, u->a->accept[state]) + 1;
    }
    return u->primary[index] - 1;
}

bool ta_unfold(const struct ta *a, struct ta *out, struct problem *why) {
    struct unfolding u;
    if (!unfolding_init(&u, a, why)) return false;
    for (uint32_t i = 0; i < a->initials; i++)
        ta_build_initial(&u.build, unfold_state(&u, a->initial[i].state, a->initial[i].value), a->initial[i].value);
    for (uint32_t i = 0; i < u.found; i++) {
        uint64_t value = u.todo[i] & propositions_mask(u.n);
        uint32_t state = (uint32_t)(u.todo[i] >> u.n);
        for (const struct ta_edge *e = ta_begin(a, state); e < ta_end(a, state); e++)
            ta_build_edge(&u.build, i, e->change, unfold_state(&u, e->target, value ^ e->change));
    }
    ta_build_finish(&u.build, out);
    unfolding_fini(&u);
    return true;
}
