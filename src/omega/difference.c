#include "omega/difference.h"

#include <assert.h>
#include <stdlib.h>

#include "omega/complement.h"
#include "omega/convert.h"
#include "omega/automaton_graph.h"
#include "omega/intersection.h"
#include "omega/simulate.h"
#include "omega/trim.h"
#include "base/memory.h"

void ba_read_as(const struct ba *a, const struct names *propositions, struct ba *out) {
    struct ba_builder b;
    ba_build(&b, propositions);
    b.sets = a->sets;
    b.by_state = a->by_state;
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(&b, a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(&b, a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++) {
            struct cube label = {0, 0};
            for (uint64_t rest = e->label.care; rest; rest &= rest - 1) {
                uint32_t p = (uint32_t)__builtin_ctzll(rest);
                uint32_t q = names_find(propositions, a->propositions.text[p]);
                assert(q != NAMES_NONE); /* nothing is left out of what the automaton reads */
                label.care |= UINT64_C(1) << q;
                label.value |= (e->label.value >> p & 1) << q;
            }
            ba_build_edge(&b, s, label, e->marks, e->target);
        }
    ba_build_finish(&b, out);
}

/* ---- Simulation ---- */

static void add_to_union(struct ba_builder *b, const struct ba *a, uint32_t offset) {
    for (uint32_t s = 0; s < a->states; s++) ba_build_state(b, a->accept[s]);
    for (uint32_t i = 0; i < a->initials; i++) ba_build_initial(b, offset + a->initial[i]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            ba_build_edge(b, offset + s, e->label, e->marks, offset + e->target);
}

static bool some_initial(const struct relation *r, uint32_t s, const struct ba *b, uint32_t offset) {
    for (uint32_t k = 0; k < b->initials; k++)
        if (relation_has(r, s, offset + b->initial[k])) return true;
    return false;
}

/* Is each initial state of a simulated by one of b? Then b accepts all that a does. */
static bool simulated(const struct ba *a, const struct ba *b) {
    struct ba_builder builder;
    struct ba both;
    struct components c;
    struct relation r;
    bool answer = true;
    if (!a->by_state || !b->by_state || (uint64_t)a->states + b->states > MOST_SIMULATED) return false;
    ba_build(&builder, &a->propositions);
    builder.by_state = true;
    add_to_union(&builder, a, 0);
    add_to_union(&builder, b, a->states);
    ba_build_finish(&builder, &both);
    struct digraph g = graph_of_ba(&both);
    components_find(&c, &g);
    simulate_loosely(&both, &c, &r);
    for (uint32_t i = 0; i < a->initials; i++) answer &= some_initial(&r, a->initial[i], b, a->states);
    relation_fini(&r);
    components_fini(&c);
    digraph_fini(&g);
    ba_fini(&both);
    return answer;
}

/* ---- What the first accepts and the second does not ---- */

static enum outcome in_product(const struct ba *a, const struct ba *complement, struct sequence *out,
                               struct problem *why) {
    struct ba both;
    if (!ba_product(a, complement, &both, why)) {
        why->status = EXIT_INCONCLUSIVE;
        return OUTCOME_GIVEN_UP;
    }
    bool found = sequence_accepted(&both, out);
    ba_fini(&both);
    return found ? OUTCOME_FOUND : OUTCOME_NONE;
}

static enum outcome outcome_of(bool decided, bool included) {
    return !decided ? OUTCOME_GIVEN_UP : included ? OUTCOME_NONE : OUTCOME_FOUND;
}

static enum outcome escape(const struct language *a, const struct language *b, struct sequence *out,
                           struct problem *why) {
    struct ba complement;
    bool included = false;
    if (b->complement) return in_product(a->ba, b->complement, out, why);
    if (ba_complement(b->ba, &complement)) {
        enum outcome result = in_product(a->ba, &complement, out, why);
        ba_fini(&complement);
        return result;
    }
    if (simulated(a->ba, b->ba)) return OUTCOME_NONE;
    bool decided = ba_included(a->ba, b->ba, &included, out, why);
    return outcome_of(decided, included);
}

static enum outcome finite_escape(const struct language *a, const struct language *b, struct sequence *out,
                                  struct problem *why) {
    bool included = false, decided = ba_finite_included(a->ba, b->ba, &included, out, why);
    return outcome_of(decided, included);
}

enum outcome language_difference(const struct language *a, const struct language *b, bool finite, struct sequence *out,
                                 bool *first, struct problem *why) {
    enum outcome result = OUTCOME_NONE;
    for (int question = 0; question < (finite ? 4 : 2); question++) {
        struct problem here = {0};
        *first = question % 2 == 0;
        const struct language *x = *first ? a : b, *y = *first ? b : a;
        enum outcome one = (question < 2 ? escape : finite_escape)(x, y, out, &here);
        if (one == OUTCOME_FOUND) {
            problem_fini(&here);
            problem_fini(why);
            return OUTCOME_FOUND;
        }
        if (one == OUTCOME_GIVEN_UP && result == OUTCOME_NONE) {
            result = one;
            *why = here;
        } else {
            problem_fini(&here);
        }
    }
    return result;
}
