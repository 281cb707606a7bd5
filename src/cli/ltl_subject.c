#include "cli/ltl_subject.h"

#include <stdlib.h>
#include <string.h>

#include "omega/convert.h"
#include "omega/simplify.h"
#include "omega/stutter.h"
#include "omega/trim.h"

void subject_fini(struct subject *s) {
    if (s->from_formula) ltl_fini(&s->ltl);
    if (s->has_given) hoa_fini(&s->given);
    if (s->has_ba) ba_fini(&s->ba);
    if (s->has_complement) ba_fini(&s->complement);
    if (s->has_ta) ta_fini(&s->ta);
    free(s->name);
    free(s->simplified);
}

/* ---- Where it comes from ---- */

bool subject_is_file(const char *text) {
    size_t length = strlen(text);
    return strcmp(text, "-") == 0 || (length > 4 && strcmp(text + length - 4, ".hoa") == 0);
}

bool subject_read_formula(struct subject *s, const char *text, bool negated, struct problem *why) {
    ltl_init(&s->ltl);
    s->from_formula = true;
    if (!ltl_parse(&s->ltl, text, &s->formula, why)) return false;
    if (negated) s->formula = ltl_make(&s->ltl, LTL_NOT, s->formula, 0);
    s->name = ltl_text(&s->ltl, s->formula);
    s->simplified = ltl_simplified_text(&s->ltl, s->formula, false);
    s->has_ba = ltl_to_ba(&s->ltl, s->formula, false, &s->ba, why);
    return s->has_ba;
}

static void forget(uint8_t *accept, uint32_t states, uint8_t kind) {
    for (uint32_t i = 0; i < states; i++) accept[i] &= (uint8_t)~kind;
}

/* As it is, or smaller; without deadlock acceptance, if finite sequences do not matter. */
static void take_testing(struct subject *s, const struct ta *a) {
    struct ta copy;
    bool infinite_only = s->o->infinite_only;
    ta_copy(&copy, a);
    if (infinite_only) forget(copy.accept, copy.states, ACCEPT_DEADLOCK);
    if (s->has_ta) ta_fini(&s->ta);
    if (s->o->no_simplify) {
        s->ta = copy;
    } else {
        ta_simplify(&copy, infinite_only, &s->ta);
        ta_fini(&copy);
    }
    s->has_ta = true;
}

static void take_buchi(struct subject *s, const struct ba *a) {
    struct ba copy;
    ba_copy(&copy, a);
    if (s->o->infinite_only) forget(copy.accept, copy.states, ACCEPT_DEADLOCK);
    if (!s->o->no_simplify) ba_simplify_by_state(&copy, &s->ba);
    else if (!copy.by_state) ba_degeneralise(&copy, NULL, &s->ba);
    else ba_copy(&s->ba, &copy);
    ba_fini(&copy);
    s->has_ba = true;
}

/* A testing automaton stays one, and becomes a Büchi automaton, too: Theorem 4.2. */
static bool from_testing(struct subject *s, struct problem *why) {
    struct sba states;
    if (!s->o->no_simplify) {
        s->has_ba = ba_from_ta(&s->ta, &s->ba, why);
    } else if ((s->has_ba = sba_from_ta(&s->ta, &states, why))) {
        ba_from_sba(&states, &s->ba);
        sba_fini(&states);
    }
    return s->decided = s->insensitive = s->has_ba;
}

bool subject_read_file(struct subject *s, const char *path, struct problem *why) {
    if (!hoa_read(path, &s->given, why)) return false;
    s->has_given = true;
    s->name = s->given.name;
    s->given.name = NULL;
    if (s->given.testing) take_testing(s, &s->given.ta);
    else take_buchi(s, &s->given.ba);
    return s->has_ba || from_testing(s, why);
}

/* ---- What can be found out ---- */

bool subject_find_complement(struct subject *s, struct problem *why) {
    if (!s->has_complement) s->has_complement = ltl_to_ba(&s->ltl, s->formula, true, &s->complement, why);
    return s->has_complement;
}

bool subject_decide_stuttering(struct subject *s, struct problem *why) {
    if (s->decided) return true;
    if (s->from_formula)
        s->decided = subject_find_complement(s, why) &&
                     ltl_stutter_insensitive(&s->ltl, s->formula, &s->ba, &s->complement, &s->insensitive, why);
    else s->decided = stutter_insensitive(&s->ba, &s->insensitive, why);
    return s->decided;
}

/* Theorem 4.1, and nothing else. */
static bool construct_testing(struct subject *s, struct problem *why) {
    struct sba states;
    if (!sba_from_ba(&s->ba, &states, why)) return false;
    ta_from_sba(&states, &s->ta);
    sba_fini(&states);
    if (s->from_formula) ltl_extend_deadlocks(&s->ta);
    return true;
}

/* From a formula, deadlocks count as if the last valuation came for ever; from a file, as the file says. */
bool subject_find_testing(struct subject *s, struct problem *why) {
    if (s->has_ta) return true;
    s->has_ta = s->o->no_simplify ? construct_testing(s, why)
                : s->from_formula ? ltl_to_ta(&s->ba, &s->ta, why)
                                  : ta_from_ba(&s->ba, &s->ta, why);
    if (s->has_ta && s->o->infinite_only) {
        struct ta all = s->ta;
        s->has_ta = false;
        take_testing(s, &all);
        ta_fini(&all);
    }
    return s->has_ta;
}

bool subject_need_testing(struct subject *s, struct problem *why) {
    if (!subject_decide_stuttering(s, why)) return false;
    if (!s->insensitive)
        return problem_set(why, EXIT_BAD_INPUT,
                           "it is sensitive to stuttering: it tells sequences apart that differ only in how often in a "
                           "row a valuation comes, which testing automata cannot");
    return subject_find_testing(s, why);
}

/* Is it known to be insensitive, or easily found out, where that makes states with valuations fewer (TA 2.3)? */
static bool ignores_stuttering(struct subject *s) {
    struct problem ignored = {0};
    if (!(accept_kinds(s->ba.accept, s->ba.states) & (ACCEPT_FINITE | ACCEPT_DEADLOCK)))
        return s->decided && s->insensitive;
    bool known = subject_decide_stuttering(s, &ignored);
    problem_fini(&ignored);
    return known && s->insensitive;
}

bool subject_states(struct subject *s, struct sba *out, struct problem *why) {
    struct sba states, small;
    bool testing = s->has_given && s->given.testing;
    if (!(testing ? sba_from_ta(&s->ta, &states, why) : sba_from_ba(&s->ba, &states, why))) return false;
    if (!s->o->no_simplify) {
        sba_trim(&states, ignores_stuttering(s), &small);
        sba_fini(&states);
        sba_minimise(&small, &states);
        sba_fini(&small);
    }
    if (!s->o->no_finite) {
        *out = states;
        return true;
    }
    bool good = sba_remove_finite(&states, out, why);
    if (good && s->o->infinite_only) forget(out->accept, out->states, ACCEPT_DEADLOCK);
    sba_fini(&states);
    return good;
}

bool subject_remove_finite(struct subject *s, struct problem *why) {
    struct ba ba;
    struct ta ta;
    if (!s->o->no_finite) return true;
    ba_remove_finite(&s->ba, &ba);
    ba_fini(&s->ba);
    s->ba = ba;
    if (s->o->infinite_only) forget(ba.accept, ba.states, ACCEPT_DEADLOCK);
    if (!s->has_ta) return true;
    if (!ta_remove_finite(&s->ta, &ta, why)) return false;
    ta_fini(&s->ta);
    s->ta = ta;
    if (s->o->infinite_only) forget(ta.accept, ta.states, ACCEPT_DEADLOCK);
    return true;
}
