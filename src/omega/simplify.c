#include "omega/simplify.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "omega/convert.h"
#include "omega/automaton_graph.h"
#include "omega/acceptance_sets.h"
#include "omega/simulate.h"
#include "omega/trim.h"
#include "base/memory.h"

bool ba_smaller(const struct ba *a, const struct ba *b) {
    uint32_t m = ba_arrows(a), n = ba_arrows(b);
    if (a->states != b->states) return a->states < b->states;
    if (m != n) return m < n;
    return ba_deterministic(a) && !ba_deterministic(b);
}

/* ---- Building what is left ---- */

/* Begins a copy of an automaton with all its states. */
static void begin(const struct ba *a, struct ba_builder *b) {
    ba_build(b, &a->propositions);
    b->sets = a->sets;
    b->by_state = a->by_state;
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(b, a->accept[s]);
}

/* Of each state, the first one that is related to it both ways. */
static uint32_t *representatives(const struct relation *r) {
    uint32_t *of = memory_get((r->states + 1) * sizeof *of);
    for (uint32_t s = 0; s < r->states; s++)
        for (of[s] = 0; !relation_both(r, s, of[s]);) {
            assert(of[s] < s); /* a state is related to itself */
            of[s]++;
        }
    return of;
}

/* ---- Forward ---- */

/* The labels of the edges of the same state that are better than e, where they have a valuation in common. */
static void find_better(const struct ba *a, uint32_t s, const struct ba_edge *e, const struct relation *r,
                        struct cubes *labels) {
    labels->count = 0;
    for (const struct ba_edge *f = ba_begin(a, s); f < ba_end(a, s); f++) {
        if ((e->marks & ~f->marks) || !relation_has(r, e->target, f->target)) continue;
        if ((f->marks & ~e->marks) == 0 && relation_has(r, f->target, e->target)) continue;
        if (cube_meets(e->label, f->label)) cubes_add(labels, f->label);
    }
}

/* Are there better ones for each valuation of e? */
static bool outdone(const struct ba *a, uint32_t s, const struct ba_edge *e, const struct relation *r,
                    struct cubes *labels) {
    find_better(a, s, e, r, labels);
    return cube_covered(e->label, labels->at, labels->count);
}

/* Merges states; edges of merged states are those of the representative. */
static void merge_forward(const struct ba *a, const struct relation *r, struct ba *out) {
    struct ba_builder b;
    uint32_t *of = representatives(r);
    begin(a, &b);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, of[a->initial[i]]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s) && of[s] == s; e++)
            ba_build_edge(&b, s, e->label, e->marks, of[e->target]);
    ba_build_finish(&b, out);
    free(of);
}

/* The relation stays a simulation when merged states lose their edges, as no edge leads to them. */
static void prune_forward(const struct ba *a, const struct relation *r, struct ba *out) {
    struct ba_builder b;
    struct cubes pieces = {0};
    begin(a, &b);
    for (uint32_t i = 0; i < a->initials; i++) {
        bool better = false;
        for (uint32_t k = 0; k < a->initials; k++)
            better |= k != i && relation_has(r, a->initial[i], a->initial[k]) &&
                      !relation_has(r, a->initial[k], a->initial[i]);
        if (!better) ba_build_initial(&b, a->initial[i]);
    }
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            if (!outdone(a, s, e, r, &pieces)) ba_build_edge(&b, s, e->label, e->marks, e->target);
    ba_build_finish(&b, out);
    cubes_fini(&pieces);
}

static void reduce_forward(const struct ba *a, struct ba *out) {
    struct relation r;
    struct ba merged, pruned;
    simulate_direct(a, &r);
    merge_forward(a, &r, &merged);
    prune_forward(&merged, &r, &pruned);
    ba_trim(&pruned, out);
    ba_fini(&merged);
    ba_fini(&pruned);
    relation_fini(&r);
}

/* ---- Backward ---- */

/* Merged states have the edges of all. */
static void reduce_backward(const struct ba *a, struct ba *out) {
    struct relation r;
    struct ba_builder b;
    struct ba merged;
    simulate_backward(a, &r);
    uint32_t *of = representatives(&r);
    begin(a, &b);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, of[a->initial[i]]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            ba_build_edge(&b, of[s], e->label, e->marks, of[e->target]);
    ba_build_finish(&b, &merged);
    ba_trim(&merged, out);
    ba_fini(&merged);
    free(of);
    relation_fini(&r);
}

/* ---- Loosely ---- */

/* For each state, the one furthest down that accepts the same. */
static uint32_t *furthest_down(const struct ba *a, const struct components *c, const struct relation *r) {
    uint32_t *of = memory_get((a->states + 1) * sizeof *of);
    for (uint32_t s = 0; s < a->states; s++) {
        of[s] = s;
        for (uint32_t t = 0; t < a->states; t++)
            if (c->of[t] < c->of[of[s]] && relation_both(r, s, t)) of[s] = t;
    }
    return of;
}

/* Is there an edge that leads out of the component, and outdoes edge e of state s? */
static bool left_out(const struct ba *a, uint32_t s, const struct ba_edge *e, const uint32_t *of,
                     const struct components *c, const struct relation *r) {
    for (const struct ba_edge *f = ba_begin(a, s); f < ba_end(a, s); f++) {
        uint32_t from = of[e->target], to = of[f->target];
        if (from == to || c->of[to] >= c->of[s] || !cube_within(e->label, f->label) || !relation_has(r, from, to))
            continue;
        if (!relation_has(r, to, from) || to < from || c->of[from] >= c->of[s]) return true;
    }
    return false;
}

/* Languages of states stay what they are with each of these steps, so that the relation holds all the time. */
static void reduce_loosely(const struct ba *a, struct ba *out) {
    struct digraph g = graph_of_ba(a);
    struct components c;
    struct relation r;
    struct ba_builder b;
    struct ba reduced;
    components_find(&c, &g);
    simulate_loosely(a, &c, &r);
    uint32_t *of = furthest_down(a, &c, &r);
    begin(a, &b);
    for (uint32_t i = 0; i < a->initials; i++) {
        uint32_t s = of[a->initial[i]];
        bool better = false;
        for (uint32_t k = 0; k < a->initials; k++) {
            uint32_t t = of[a->initial[k]];
            better |= s != t && relation_has(&r, s, t) && (!relation_has(&r, t, s) || t < s);
        }
        if (!better) ba_build_initial(&b, s);
    }
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            if (!left_out(a, s, e, of, &c, &r)) ba_build_edge(&b, s, e->label, e->marks, of[e->target]);
    ba_build_finish(&b, &reduced);
    ba_trim(&reduced, out);
    ba_fini(&reduced);
    free(of);
    relation_fini(&r);
    components_fini(&c);
    digraph_fini(&g);
}

/* ---- All together ---- */

/* Replaces an automaton by what a step makes of it. */
static void apply(void (*step)(const struct ba *, struct ba *), struct ba *a) {
    struct ba next;
    step(a, &next);
    ba_fini(a);
    *a = next;
}

void ba_simplify(const struct ba *a, struct ba *out) {
    ba_trim(a, out);
    if (!out->by_state) apply(ba_fewer_sets, out);
    for (uint32_t states = UINT32_MAX, edges = UINT32_MAX;
         out->states <= MOST_SIMULATED && (out->states < states || out->edges < edges);) {
        states = out->states;
        edges = out->edges;
        apply(reduce_forward, out);
        apply(reduce_loosely, out);
        apply(reduce_backward, out);
        if (!out->by_state) apply(ba_fewer_sets, out);
    }
}

/* The next permutation of n numbers, in lexicographic order; false after the last. */
static bool next_order(uint32_t *order, uint32_t n) {
    uint32_t i = n, k = n;
    while (i > 1 && order[i - 2] > order[i - 1]) i--;
    if (i <= 1) return false;
    while (order[k - 1] < order[i - 2]) k--;
    uint32_t swap = order[i - 2];
    order[i - 2] = order[k - 1];
    order[k - 1] = swap;
    for (k = n; i < k; i++, k--) {
        swap = order[i - 1];
        order[i - 1] = order[k - 1];
        order[k - 1] = swap;
    }
    return true;
}

/* Takes `candidate` for *best if it is smaller. */
static void keep_smaller(struct ba *best, bool *any, struct ba *candidate) {
    if (*any && !ba_smaller(candidate, best)) {
        ba_fini(candidate);
        return;
    }
    if (*any) ba_fini(best);
    *best = *candidate;
    *any = true;
}

/* Takes from labels what better edges of the same state have as well. That makes no edge fewer, but more automata
 * deterministic, and products smaller. */
static void sharpen(const struct ba *a, struct ba *out) {
    struct relation r;
    struct ba_builder b;
    struct cubes better = {0}, rest = {0};
    if (a->states > MOST_SIMULATED) {
        ba_copy(out, a);
        return;
    }
    simulate_direct(a, &r);
    begin(a, &b);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++) {
            find_better(a, s, e, &r, &better);
            rest.count = 0;
            cubes_add_rest(&rest, e->label, better.at, better.count);
            for (uint32_t i = 0; i < rest.count; i++) ba_build_edge(&b, s, rest.at[i], e->marks, e->target);
        }
    ba_build_finish(&b, out);
    cubes_fini(&better);
    cubes_fini(&rest);
    relation_fini(&r);
}

/* With as few and with as many accepting states as possible, before merging. */
static void try_acceptances(const struct ba *a, struct ba *best, bool *any) {
    for (int more = 0; more < 2; more++) {
        struct ba changed, small;
        ba_change_acceptance(a, more, &changed);
        ba_simplify(&changed, &small);
        ba_fini(&changed);
        keep_smaller(best, any, &small);
    }
}

/* All orders of the acceptance sets, if they are not too many. */
static void try_orders(const struct ba *a, struct ba *best, bool *any) {
    enum { MOST_ORDERS = 24 };
    uint32_t order[MOST_SETS];
    int tries = 0;
    for (uint32_t i = 0; i < a->sets; i++) order[i] = i;
    do {
        struct ba by_state;
        ba_degeneralise(a, order, &by_state);
        try_acceptances(&by_state, best, any);
        ba_fini(&by_state);
    } while (a->states < 100 && !a->by_state && ++tries < MOST_ORDERS && next_order(order, a->sets));
}

void ba_simplify_by_state(const struct ba *a, struct ba *out) {
    struct ba small, sharp;
    bool any = false;
    ba_simplify(a, &small);
    try_orders(&small, out, &any);
    if (!small.by_state) {
        sharpen(&small, &sharp);
        try_orders(&sharp, out, &any);
        ba_fini(&sharp);
    }
    ba_fini(&small);
    apply(sharpen, out);
}

/* ---- Testing automata ----
 *
 * A testing automaton reads changes as a Büchi automaton reads valuations; livelock and deadlock acceptance are both
 * acceptance of finite sequences of changes. So what is true of direct simulation there is true here. */

static void as_buchi(const struct ta *a, struct ba *out) {
    struct ba_builder b;
    ba_build(&b, &a->propositions);
    b.by_state = true;
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, a->accept[s]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ta_edge *e = ta_begin(a, s); e < ta_end(a, s); e++)
            ba_build_edge(&b, s, cube_of(e->change, a->propositions.count), 0, e->target);
    ba_build_finish(&b, out);
}

static bool change_outdone(const struct ta *a, uint32_t s, const struct ta_edge *e, const struct relation *r) {
    for (const struct ta_edge *f = ta_begin(a, s); f < ta_end(a, s); f++)
        if (f->change == e->change && relation_has(r, e->target, f->target) && !relation_has(r, f->target, e->target))
            return true;
    return false;
}

static bool start_outdone(const struct ta *a, const struct ta_initial *i, const struct relation *r) {
    const struct ta_initial *end;
    for (const struct ta_initial *k = ta_start(a, i->value, &end); k < end; k++)
        if (relation_has(r, i->state, k->state) && !relation_has(r, k->state, i->state)) return true;
    return false;
}

static void ta_reduce_forward(const struct ta *a, struct ta *out) {
    struct ba buchi;
    struct relation r;
    struct ta_builder b;
    as_buchi(a, &buchi);
    simulate_direct(&buchi, &r);
    uint32_t *of = representatives(&r);
    ta_build(&b, &a->propositions);
    for (uint32_t s = 0; s < a->states; s++) ta_build_state(&b, 0, a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++)
        if (!start_outdone(a, &a->initial[i], &r)) ta_build_initial(&b, of[a->initial[i].state], a->initial[i].value);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ta_edge *e = ta_begin(a, s); e < ta_end(a, s) && of[s] == s; e++)
            if (!change_outdone(a, s, e, &r)) ta_build_edge(&b, s, e->change, of[e->target]);
    ta_build_finish(&b, out);
    free(of);
    relation_fini(&r);
    ba_fini(&buchi);
}

void ta_simplify(const struct ta *a, bool infinite_only, struct ta *out) {
    struct ta trimmed, reduced;
    ta_trim(a, infinite_only, &trimmed);
    ta_minimise(&trimmed, out);
    ta_fini(&trimmed);
    for (uint32_t states = UINT32_MAX, edges = UINT32_MAX;
         out->states <= MOST_SIMULATED && (out->states < states || out->edges < edges);) {
        states = out->states;
        edges = out->edges;
        ta_reduce_forward(out, &reduced);
        ta_fini(out);
        ta_trim(&reduced, infinite_only, out);
        ta_fini(&reduced);
    }
}
