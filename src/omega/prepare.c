#include "omega/prepare.h"

#include "omega/simplify.h"
#include "omega/stutter.h"

static bool make_testing(const struct ba *a, struct ta *out, struct problem *why) {
    bool insensitive;
    if (!stutter_insensitive(a, &insensitive, why)) return false;
    if (!insensitive)
        return problem_set(why, EXIT_BAD_INPUT,
                           "one-pass needs a testing automaton, and an automaton that depends on how often a state "
                           "is repeated has none; leave --algorithm out, or take nested or tarjan");
    return ta_from_ba(a, out, why);
}

bool given_automaton(const struct hoa *h, bool testing, struct ba *ba, struct ta *ta, struct problem *why) {
    if (h->testing) {
        if (!testing) return ba_from_ta(&h->ta, ba, why);
        ta_simplify(&h->ta, false, ta);
        return true;
    }
    struct ba small;
    ba_simplify_by_state(&h->ba, &small);
    if (!testing) {
        *ba = small;
        return true;
    }
    bool good = make_testing(&small, ta, why);
    ba_fini(&small);
    return good;
}

uint8_t given_accepts_nothing(const struct hoa *h) {
    unsigned accept = 0;
    for (uint32_t i = 0; !h->testing && i < h->ba.initials; i++) accept |= h->ba.accept[h->ba.initial[i]];
    return accept & (ACCEPT_FINITE | ACCEPT_DEADLOCK);
}
