#include "omega/complement.h"

#include <stdlib.h>

#include "base/memory.h"

enum { MOST_CHANGES = 12 };
#define NONE UINT32_MAX

/* ---- Büchi automata ---- */

/* In the first copy state s is s; in the second, second[s], or NONE. */
static void ba_copy_edges(struct ba_builder *b, const struct ba *a, uint32_t s, const uint32_t *second, uint32_t lost) {
    struct cubes labels = {0}, rest = {0};
    for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++) {
        uint32_t to = second[e->target];
        ba_build_edge(b, s, e->label, 0, e->target);
        if (to != NONE) ba_build_edge(b, s, e->label, 0, to);
        if (to != NONE && second[s] != NONE) ba_build_edge(b, second[s], e->label, 0, to);
        cubes_add(&labels, e->label);
    }
    cubes_add_rest(&rest, (struct cube){0, 0}, labels.at, labels.count);
    for (uint32_t i = 0; i < rest.count; i++) {
        ba_build_edge(b, s, rest.at[i], 0, lost);
        if (second[s] != NONE) ba_build_edge(b, second[s], rest.at[i], 0, lost);
    }
    cubes_fini(&labels);
    cubes_fini(&rest);
}

bool ba_complement(const struct ba *a, struct ba *out) {
    struct ba_builder b;
    if (!a->by_state || a->initials > 1 || !ba_deterministic(a)) return false;
    uint32_t *second = memory_get((a->states + 1) * sizeof *second);
    ba_build(&b, &a->propositions);
    b.by_state = true;
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, 0);
    for (uint32_t s = 0; s < a->states; s++)
        second[s] = a->accept[s] & ACCEPT_INFINITE ? NONE : ba_build_state(&b, ACCEPT_INFINITE);
    uint32_t lost = ba_build_state(&b, ACCEPT_INFINITE);
    ba_build_edge(&b, lost, (struct cube){0, 0}, 0, lost);
    ba_build_initial(&b, a->initials ? a->initial[0] : lost);
    for (uint32_t s = 0; s < a->states; s++) ba_copy_edges(&b, a, s, second, lost);
    ba_build_finish(&b, out);
    free(second);
    return true;
}

/* ---- Testing automata ---- */

static bool accepts_all(const struct ta *a, uint32_t s) { return a->accept[s] & ACCEPT_FINITE; }

/* Livelocks and deadlocks are as they are not in a, and this says it in the first copy. */
static unsigned other_ends(const struct ta *a, uint32_t s) {
    return ~(unsigned)a->accept[s] & (ACCEPT_LIVELOCK | ACCEPT_DEADLOCK);
}

static void ta_copy_edges(struct ta_builder *b, const struct ta *a, uint32_t s, const uint32_t *second, uint32_t lost) {
    uint64_t all = propositions_mask(a->propositions.count);
    for (uint64_t change = 1; change <= all; change++) {
        const struct ta_edge *end, *e = ta_next(a, s, change, &end);
        uint32_t to = e < end ? e->target : lost, later = e < end ? second[e->target] : lost;
        if (e < end && accepts_all(a, to)) continue;
        ta_build_edge(b, s, change, to);
        if (later != NONE && later != to) ta_build_edge(b, s, change, later);
        if (later != NONE && second[s] != NONE) ta_build_edge(b, second[s], change, later);
    }
}

/* Where a accepts everything, there is nothing; where it has no edge, all is accepted. */
bool ta_complement(const struct ta *a, struct ta *out) {
    struct ta_builder b;
    if (!ta_deterministic(a) || !ta_one_start(a) || a->propositions.count > MOST_CHANGES) return false;
    uint64_t all = propositions_mask(a->propositions.count);
    uint32_t *second = memory_get((a->states + 1) * sizeof *second);
    ta_build(&b, &a->propositions);
    for (uint32_t s = 0; s < a->states; s++) ta_build_state(&b, 0, accepts_all(a, s) ? 0 : other_ends(a, s));
    for (uint32_t s = 0; s < a->states; s++)
        second[s] = a->accept[s] & ACCEPT_INFINITE || accepts_all(a, s) ? NONE : ta_build_state(&b, 0, ACCEPT_INFINITE);
    uint32_t lost = ta_build_state(&b, 0, ACCEPT_FINITE);
    for (uint64_t value = 0; value <= all; value++) {
        const struct ta_initial *end, *i = ta_start(a, value, &end);
        ta_build_initial(&b, i < end ? i->state : lost, value);
    }
    for (uint32_t s = 0; s < a->states; s++)
        if (!accepts_all(a, s)) ta_copy_edges(&b, a, s, second, lost);
    ta_build_finish(&b, out);
    free(second);
    return true;
}
