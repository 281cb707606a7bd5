#include "omega/ltl/ltl.h"

#include <stdlib.h>
#include <string.h>

#include "omega/convert.h"
#include "omega/ltl/ltl_simplify.h"
#include "omega/ltl/ltl_tableau.h"
#include "omega/simplify.h"
#include "omega/stutter.h"
#include "omega/trim.h"
#include "base/memory.h"

enum { LARGEST = 20000 };

/* How large a formula is as a tree, up to a limit; shared parts count as often as they are used. */
static uint32_t tree_size(const struct ltl *l, uint32_t formula, uint32_t *known) {
    struct ltl_node n = l->node[formula];
    if (known[formula]) return known[formula];
    uint32_t size = 1;
    if (ltl_is_unary(n.op) || ltl_is_binary(n.op)) size += tree_size(l, n.left, known);
    if (ltl_is_binary(n.op) && size <= LARGEST) size += tree_size(l, n.right, known);
    return known[formula] = size > LARGEST ? LARGEST + 1 : size;
}

static bool fits(const struct ltl *l, uint32_t formula) {
    uint32_t *known = memory_get_zeroed(l->count * sizeof *known), size = tree_size(l, formula, known);
    free(known);
    return size <= LARGEST;
}

/* Makes a copy with the same propositions, in which to rewrite; the formula there is in normal form, and simplified. */
static bool simplified(const struct ltl *l, uint32_t formula, bool negated, struct ltl *own, uint32_t *normal,
                       uint32_t *result) {
    struct ltl_rewriter r;
    ltl_init(own);
    for (uint32_t i = 0; i < l->propositions.count; i++) names_add(&own->propositions, l->propositions.text[i]);
    bool fine = fits(l, formula);
    if (fine) {
        ltl_rewriter_init(&r, own);
        *normal = ltl_normal(&r, ltl_import(own, l, formula), negated);
        fine = fits(own, *normal);
        if (fine) *result = ltl_simplify(&r, *normal);
        ltl_rewriter_fini(&r);
    }
    if (!fine) ltl_fini(own);
    return fine;
}

/* One way to make the automaton; keeps it if it is the first or the smallest. */
static bool try_tableau(struct ltl *l, uint32_t formula, bool split, uint64_t work, struct ba *best, bool *any,
                        struct problem *why) {
    struct ba tableau, small;
    if (!ltl_tableau(l, formula, split, work, &tableau, why)) return false;
    ba_simplify_by_state(&tableau, &small);
    ba_fini(&tableau);
    if (!*any || ba_smaller(&small, best)) {
        if (*any) ba_fini(best);
        *best = small;
    } else {
        ba_fini(&small);
    }
    *any = true;
    return true;
}

/* Which way makes the smallest automaton cannot be told beforehand. While it is cheap, others are tried, too. */
bool ltl_to_ba(const struct ltl *l, uint32_t formula, bool negated, struct ba *out, struct problem *why) {
    enum { MOST = 1000, LITTLE = 4, SMALL = 40 };
    struct ltl own;
    struct problem ignored = {0}; /* one automaton is enough */
    uint32_t normal, simple;
    bool any = false;
    if (l->propositions.count > MOST_PROPOSITIONS)
        return problem_set(why, EXIT_BAD_INPUT, "the formula has %u propositions; at most %d are possible",
                           l->propositions.count, MOST_PROPOSITIONS);
    if (!simplified(l, formula, negated, &own, &normal, &simple))
        return problem_set(why, EXIT_BAD_INPUT, "the formula is too large without <-> and xor");
    if (try_tableau(&own, simple, false, MOST, out, &any, why) && out->states <= SMALL) {
        try_tableau(&own, simple, true, LITTLE, out, &any, &ignored);
        if (normal != simple) try_tableau(&own, normal, false, LITTLE, out, &any, &ignored);
    }
    problem_fini(&ignored);
    ltl_fini(&own);
    return any;
}

char *ltl_simplified_text(const struct ltl *l, uint32_t formula, bool negated) {
    struct ltl own;
    uint32_t normal, simple;
    if (!simplified(l, formula, negated, &own, &normal, &simple)) return NULL;
    char *text = ltl_text(&own, simple);
    ltl_fini(&own);
    return text;
}

bool ltl_stutter_insensitive(const struct ltl *l, uint32_t formula, const struct ba *a, const struct ba *complement,
                             bool *answer, struct problem *why) {
    return ltl_idle_insensitive(l, formula, 0, a, complement, answer, why);
}

bool ltl_idle_insensitive(const struct ltl *l, uint32_t formula, uint64_t momentary, const struct ba *a,
                          const struct ba *complement, bool *answer, struct problem *why) {
    struct ba made = {0}, made_complement = {0};
    if (!momentary && ltl_without_next(l, formula)) return *answer = true;
    bool fine = true;
    if (!a) {
        fine = ltl_to_ba(l, formula, false, &made, why);
        a = &made;
    }
    if (fine && !complement) {
        fine = ltl_to_ba(l, formula, true, &made_complement, why);
        complement = &made_complement;
    }
    fine = fine && stutter_idle_insensitive_pair(a, complement, momentary, answer, why);
    ba_fini(&made);
    ba_fini(&made_complement);
    return fine;
}

/* What is accepted when it livelocks is accepted when it deadlocks. */
void ltl_extend_deadlocks(struct ta *a) {
    for (uint32_t s = 0; s < a->states; s++) {
        a->accept[s] &= (uint8_t)~ACCEPT_DEADLOCK;
        if (a->accept[s] & ACCEPT_LIVELOCK) a->accept[s] |= ACCEPT_DEADLOCK;
    }
}

bool ltl_to_ta(const struct ba *a, struct ta *out, struct problem *why) {
    struct sba states, small;
    struct ta large;
    if (!sba_from_ba(a, &states, why)) return false;
    sba_trim(&states, true, &small);
    sba_fini(&states);
    sba_minimise(&small, &states);
    ta_from_sba(&states, &large);
    ltl_extend_deadlocks(&large);
    ta_simplify(&large, false, out);
    sba_fini(&small);
    sba_fini(&states);
    ta_fini(&large);
    return true;
}

bool ltl_violations(const char *text, struct ltl_violations *out, struct problem *why) {
    struct problem too_large = {0};
    *out = (struct ltl_violations){0};
    ltl_init(&out->ltl);
    bool fine = ltl_parse(&out->ltl, text, &out->formula, why) &&
                ltl_to_ba(&out->ltl, out->formula, true, &out->ba, why) &&
                ltl_stutter_insensitive(&out->ltl, out->formula, NULL, &out->ba, &out->stutter_insensitive, why);
    if (!fine) {
        ltl_violations_fini(out);
        return false;
    }
    out->has_testing = out->stutter_insensitive && ltl_to_ta(&out->ba, &out->testing, &too_large);
    problem_fini(&too_large);
    return true;
}

void ltl_violations_fini(struct ltl_violations *v) {
    ltl_fini(&v->ltl);
    ba_fini(&v->ba);
    ta_fini(&v->testing);
    *v = (struct ltl_violations){0};
}
