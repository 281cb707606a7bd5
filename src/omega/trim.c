#include "omega/trim.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/ways.h"
#include "base/memory.h"
#include "omega/automaton_graph.h"

enum { GONE = UINT32_MAX };

bool *ba_accepting_components(const struct ba *a, const struct components *c) {
    uint64_t *marks = memory_get_zeroed((c->count + 1) * sizeof *marks);
    bool *accepting = memory_get_zeroed(c->count + 1);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            if (c->of[s] == c->of[e->target]) marks[c->of[s]] |= e->marks;
    for (uint32_t i = 0; i < c->count; i++) accepting[i] = c->cyclic[i] && marks[i] == ba_all_sets(a);
    free(marks);
    return accepting;
}

/* Keeps of the states that are good those that can be reached, and those that are between. */
static uint32_t *number_useful(const struct digraph *g, bool *good, bool *reached, uint32_t *count) {
    uint32_t *number = memory_get((g->nodes + 1) * sizeof *number);
    ways_reach(g, reached);
    ways_reach_back(g, good);
    *count = 0;
    for (uint32_t s = 0; s < g->nodes; s++) number[s] = good[s] && reached[s] ? (*count)++ : GONE;
    return number;
}

/* ---- Labels on edges ---- */

/* Without the edges of states with finite acceptance. */
static void cut_finite(const struct ba *a, struct ba *out) {
    struct ba_builder b;
    ba_build(&b, &a->propositions);
    b.sets = a->sets;
    b.by_state = a->by_state;
    for (uint32_t s = 0; s < a->states; s++)
        ba_build_state(&b, a->accept[s] & ACCEPT_FINITE ? ACCEPT_FINITE : a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s) && !(a->accept[s] & ACCEPT_FINITE); e++)
            ba_build_edge(&b, s, e->label, e->marks, e->target);
    ba_build_finish(&b, out);
}

/* The automaton with the states that have numbers; marks only in accepting components, where they count. */
static void ba_renumber(const struct ba *a, const uint32_t *number, const struct components *c, const bool *accepting,
                        struct ba *out) {
    struct ba_builder b;
    ba_build(&b, &a->propositions);
    b.sets = a->sets;
    b.by_state = a->by_state;
    for (uint32_t s = 0; s < a->states; s++)
        if (number[s] != GONE)
            ba_build_state(&b, accepting[c->of[s]] ? a->accept[s] : a->accept[s] & ~(unsigned)ACCEPT_INFINITE);
    for (uint32_t i = 0; i < a->initials; i++)
        if (number[a->initial[i]] != GONE) ba_build_initial(&b, number[a->initial[i]]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            if (number[s] != GONE && number[e->target] != GONE) {
                bool counts = c->of[s] == c->of[e->target] && accepting[c->of[s]];
                ba_build_edge(&b, number[s], e->label, counts ? e->marks : 0, number[e->target]);
            }
    ba_build_finish(&b, out);
}

void ba_trim(const struct ba *a, struct ba *out) {
    struct ba cut;
    struct components c;
    uint32_t kept;
    cut_finite(a, &cut);
    struct digraph g = graph_of_ba(&cut);
    components_find(&c, &g);
    bool *accepting = ba_accepting_components(&cut, &c);
    bool *good = memory_get_zeroed(cut.states + 1), *reached = memory_get_zeroed(cut.states + 1);
    for (uint32_t s = 0; s < cut.states; s++)
        good[s] = accepting[c.of[s]] || (cut.accept[s] & (ACCEPT_FINITE | ACCEPT_DEADLOCK));
    for (uint32_t i = 0; i < cut.initials; i++) reached[cut.initial[i]] = true;
    uint32_t *number = number_useful(&g, good, reached, &kept);
    ba_renumber(&cut, number, &c, accepting, out);
    assert(out->states == kept);
    free(number);
    free(good);
    free(reached);
    free(accepting);
    components_fini(&c);
    digraph_fini(&g);
    ba_fini(&cut);
}

/* Has state s, for each valuation, an edge into the set? */
static bool stays(const struct ba *a, uint32_t s, const bool *set, struct cubes *labels) {
    labels->count = 0;
    for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
        if (set[e->target]) cubes_add(labels, e->label);
    return cube_covered((struct cube){0, 0}, labels->at, labels->count);
}

void ba_accept_early(const struct ba *a, struct ba *out) {
    struct ba early;
    struct cubes labels = {0};
    bool *all = memory_get(a->states + 1);
    for (uint32_t s = 0; s < a->states; s++)
        all[s] = (a->by_state && (a->accept[s] & ACCEPT_INFINITE)) || (a->accept[s] & ACCEPT_FINITE);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < a->states; s++)
            if (all[s] && !(a->accept[s] & ACCEPT_FINITE) && !stays(a, s, all, &labels)) {
                all[s] = false;
                changed = true;
            }
    }
    ba_copy(&early, a);
    for (uint32_t s = 0; s < a->states; s++)
        if (all[s]) early.accept[s] |= ACCEPT_FINITE;
    ba_trim(&early, out);
    ba_fini(&early);
    cubes_fini(&labels);
    free(all);
}

/* ---- Acceptance by states ---- */

/* TA 2.3: an infinite acceptance state that is in no cycle is none; a finite one needs nothing else. */
static void clean_acceptance(const struct digraph *g, uint8_t *accept) {
    struct components c;
    components_find(&c, g);
    for (uint32_t s = 0; s < g->nodes; s++) {
        if (!c.cyclic[c.of[s]]) accept[s] &= (uint8_t)~ACCEPT_INFINITE;
        if (accept[s] & ACCEPT_FINITE) accept[s] = ACCEPT_FINITE;
    }
    components_fini(&c);
}

/* Which states are worth keeping; `initial` becomes the states that can be reached. */
static uint32_t *keep_useful(const struct digraph *g, const uint8_t *accept, bool *initial) {
    bool *good = memory_get_zeroed(g->nodes + 1);
    uint32_t kept;
    for (uint32_t s = 0; s < g->nodes; s++) good[s] = accept[s] != 0;
    uint32_t *number = number_useful(g, good, initial, &kept);
    free(good);
    return number;
}

/* TA 2.3, for stuttering-insensitive automata: a state from which one that accepts in this way is reached while the
 * valuation stays the same accepts so, too. */
void sba_ignore_stuttering(const struct sba *a, uint8_t *accept, uint8_t kind) {
    struct digraph g = graph_of_stuttering(a);
    bool *set = memory_get(a->states + 1);
    for (uint32_t s = 0; s < a->states; s++) set[s] = accept[s] & kind;
    ways_reach_back(&g, set);
    for (uint32_t s = 0; s < a->states; s++)
        if (set[s]) accept[s] |= kind;
    free(set);
    digraph_fini(&g);
}

/* The graph without the edges that leave finite acceptance states. */
static struct digraph without_finite(const struct digraph *g, const uint8_t *accept) {
    uint32_t edges = 0;
    struct digraph r = digraph_new(g->nodes, digraph_edges(g));
    for (uint32_t s = 0; s < g->nodes; s++) {
        r.own_first[s] = edges;
        for (uint32_t i = g->first[s]; i < g->first[s + 1] && !(accept[s] & ACCEPT_FINITE); i++)
            r.own_target[edges++] = g->target[i];
    }
    r.own_first[g->nodes] = edges;
    return r;
}

void sba_trim(const struct sba *a, bool stuttering_insensitive, struct sba *out) {
    struct ta_builder b;
    uint8_t *accept = memory_get(a->states + 1);
    bool *initial = memory_get_zeroed(a->states + 1);
    memcpy(accept, a->accept, a->states);
    if (stuttering_insensitive) {
        sba_ignore_stuttering(a, accept, ACCEPT_FINITE);
        sba_ignore_stuttering(a, accept, ACCEPT_DEADLOCK);
    }
    struct digraph whole = graph_of_sba(a), g = without_finite(&whole, accept);
    clean_acceptance(&g, accept);
    for (uint32_t i = 0; i < a->initials; i++) initial[a->initial[i]] = true;
    uint32_t *number = keep_useful(&g, accept, initial);
    ta_build(&b, &a->propositions);
    for (uint32_t s = 0; s < a->states; s++)
        if (number[s] != GONE) ta_build_state(&b, a->value[s], accept[s]);
    for (uint32_t i = 0; i < a->initials; i++)
        if (number[a->initial[i]] != GONE) ta_build_initial(&b, number[a->initial[i]], 0);
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t i = g.first[s]; i < g.first[s + 1]; i++)
            if (number[s] != GONE && number[g.target[i]] != GONE) ta_build_edge(&b, number[s], 0, number[g.target[i]]);
    sba_build_finish(&b, out);
    digraph_fini(&g);
    free(number);
    free(initial);
    free(accept);
}

/* TA 3.4: does the state accept all that can come? */
static bool accepts_everything(const struct ta *a, uint32_t s, bool infinite_only) {
    unsigned needed = ACCEPT_INFINITE | ACCEPT_LIVELOCK | (infinite_only ? 0u : ACCEPT_DEADLOCK);
    if ((a->accept[s] & needed) != needed || a->propositions.count > 31) return false;
    uint32_t loops = 0;
    for (const struct ta_edge *e = ta_begin(a, s); e < ta_end(a, s); e++) loops += e->target == s;
    return loops == propositions_mask(a->propositions.count);
}

void ta_trim(const struct ta *a, bool infinite_only, struct ta *out) {
    struct ta_builder b;
    uint8_t *accept = memory_get(a->states + 1);
    bool *initial = memory_get_zeroed(a->states + 1);
    for (uint32_t s = 0; s < a->states; s++)
        accept[s] = accepts_everything(a, s, infinite_only) ? ACCEPT_FINITE : a->accept[s];
    struct digraph whole = graph_of_ta(a), g = without_finite(&whole, accept);
    clean_acceptance(&g, accept);
    for (uint32_t i = 0; i < a->initials; i++) initial[a->initial[i].state] = true;
    uint32_t *number = keep_useful(&g, accept, initial);
    ta_build(&b, &a->propositions);
    for (uint32_t s = 0; s < a->states; s++)
        if (number[s] != GONE) ta_build_state(&b, 0, accept[s]);
    for (uint32_t i = 0; i < a->initials; i++)
        if (number[a->initial[i].state] != GONE) ta_build_initial(&b, number[a->initial[i].state], a->initial[i].value);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ta_edge *e = ta_begin(a, s); e < ta_end(a, s) && !(accept[s] & ACCEPT_FINITE); e++)
            if (number[s] != GONE && number[e->target] != GONE)
                ta_build_edge(&b, number[s], e->change, number[e->target]);
    ta_build_finish(&b, out);
    digraph_fini(&whole);
    digraph_fini(&g);
    free(number);
    free(initial);
    free(accept);
}
