#include "omega/acceptance_sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "omega/automaton_graph.h"
#include "omega/trim.h"
#include "base/memory.h"

/* ---- Fewer sets ---- */

/* For set i of a component: the sets whose every edge there is also in set i, hence imply it. */
struct component_sets {
    uint64_t implied_by[MOST_SETS];
    uint64_t everywhere; /* sets that have all edges of the component */
    uint64_t kept;
};

static void look_at_edges(const struct ba *a, const struct components *c, uint32_t component,
                          struct component_sets *x) {
    for (uint32_t i = 0; i < a->sets; i++) x->implied_by[i] = ba_all_sets(a);
    x->everywhere = ba_all_sets(a);
    for (uint32_t s = 0; s < a->states; s++) {
        if (c->of[s] != component) continue;
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++) {
            if (c->of[e->target] != component) continue;
            x->everywhere &= e->marks;
            for (uint32_t i = 0; i < a->sets; i++)
                if (!(e->marks >> i & 1)) x->implied_by[i] &= ~e->marks;
        }
    }
}

/* Leaves out a set if one that is kept implies it; of sets that imply each other, the first is kept. */
static void choose(uint32_t sets, struct component_sets *x) {
    x->kept = propositions_mask(sets) & ~x->everywhere;
    for (uint32_t i = sets; i-- > 0;) {
        uint64_t others = x->implied_by[i] & x->kept & ~(UINT64_C(1) << i);
        if (x->kept >> i & 1 && others) x->kept &= ~(UINT64_C(1) << i);
    }
}

/* Marks of an edge inside: the sets that were kept, numbered from 0, and all that the component does not need. */
static uint64_t renumbered(uint64_t marks, uint64_t kept, uint32_t sets) {
    uint64_t result = 0;
    uint32_t next = 0;
    for (; kept; kept &= kept - 1, next++)
        if (marks & kept & (~kept + 1)) result |= UINT64_C(1) << next;
    assert(next <= sets);
    return result | (propositions_mask(sets) & ~propositions_mask(next));
}

void ba_fewer_sets(const struct ba *a, struct ba *out) {
    struct ba_builder b;
    struct components c;
    struct digraph g = graph_of_ba(a);
    components_find(&c, &g);
    bool *accepting = ba_accepting_components(a, &c);
    uint64_t *kept = memory_get_zeroed((c.count + 1) * sizeof *kept);
    ba_build(&b, &a->propositions);
    for (uint32_t i = 0; i < c.count; i++) {
        struct component_sets x;
        uint32_t needed = c.cyclic[i] && !accepting[i]; /* a set that is missing there */
        if (accepting[i]) {
            look_at_edges(a, &c, i, &x);
            choose(a->sets, &x);
            kept[i] = x.kept;
            needed = (uint32_t)__builtin_popcountll(x.kept);
        }
        if (needed > b.sets) b.sets = needed;
    }
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++) {
            bool counts = c.of[s] == c.of[e->target] && accepting[c.of[s]];
            uint64_t marks = counts ? renumbered(e->marks, kept[c.of[s]], b.sets) : 0;
            ba_build_edge(&b, s, e->label, marks, e->target);
        }
    ba_build_finish(&b, out);
    free(kept);
    free(accepting);
    components_fini(&c);
    digraph_fini(&g);
}

/* ---- More or fewer accepting states ---- */

/* The graph of an automaton inside its components, without the states that are left out. */
static void cycles_without(const struct ba *a, const struct components *c, const bool *out, struct components *rest) {
    uint32_t *first = memory_get((a->states + 1) * sizeof *first),
             *target = memory_get((a->edges + 1) * sizeof *target);
    uint32_t edges = 0;
    for (uint32_t s = 0; s < a->states; s++) {
        first[s] = edges;
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            if (!out[s] && !out[e->target] && c->of[s] == c->of[e->target]) target[edges++] = e->target;
    }
    first[a->states] = edges;
    components_find(rest, &(struct digraph){.nodes = a->states, .first = first, .target = target});
    free(first);
    free(target);
}

/* Cycles through s have another accepting state if s is on no cycle without the others. */
static void take_away(const struct ba *a, const struct components *c, bool *accept) {
    enum { MOST_TRIED = 1000 };
    if (a->states > MOST_TRIED) return;
    for (uint32_t s = 0; s < a->states; s++) {
        struct components rest;
        if (!accept[s]) continue;
        accept[s] = false;
        cycles_without(a, c, accept, &rest);
        accept[s] = rest.cyclic[rest.of[s]];
        components_fini(&rest);
    }
}

static void give(const struct ba *a, const struct components *c, const bool *accepting, bool *accept) {
    struct components rest;
    cycles_without(a, c, accept, &rest);
    for (uint32_t s = 0; s < a->states; s++)
        if (accepting[c->of[s]] && !rest.cyclic[rest.of[s]]) accept[s] = true;
    components_fini(&rest);
}

void ba_change_acceptance(const struct ba *a, bool more, struct ba *out) {
    struct ba_builder b;
    struct components c;
    struct digraph g = graph_of_ba(a);
    bool *accept = memory_get(a->states + 1);
    components_find(&c, &g);
    bool *accepting = ba_accepting_components(a, &c);
    for (uint32_t s = 0; s < a->states; s++) accept[s] = (a->accept[s] & ACCEPT_INFINITE) && accepting[c.of[s]];
    if (more) give(a, &c, accepting, accept);
    else take_away(a, &c, accept);
    ba_build(&b, &a->propositions);
    b.by_state = true;
    for (uint32_t s = 0; s < a->states; s++)
        ba_build_state(&b, (a->accept[s] & ~(unsigned)ACCEPT_INFINITE) | (accept[s] ? ACCEPT_INFINITE : 0u));
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            ba_build_edge(&b, s, e->label, 0, e->target);
    ba_build_finish(&b, out);
    free(accept);
    free(accepting);
    components_fini(&c);
    digraph_fini(&g);
}
