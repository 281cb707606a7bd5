#include <stdlib.h>

#include "automata/product.h"
#include "base/memory.h"
#include "search/product.h"

/* The action of a transition is the same in all states, as in every network. */
static bool see_actions(struct product *p, struct ts_worker *base, struct ts_fault *fault) {
    const struct ts *ts = p->base;
    word *s = memory_get(ts->words * sizeof(word));
    bool good = ts->ops->initial(base, s, fault);
    for (uint32_t t = 0; t < ts->transitions && good; t++) {
        uint32_t action = ts->ops->action(base, s, t, fault);
        good = action != TS_NONE;
        if (good) p->visible[t] = (p->effects[action].begins | p->effects[action].ends) != 0;
    }
    free(s);
    return good;
}

static bool see_states(struct product *p, struct ts_worker *base, bool *unknown, struct ts_fault *fault) {
    const struct ts *ts = p->base;
    for (uint32_t i = 0; i < p->propositions; i++) {
        bool known = ts->changes_known && ts->changes_known[p->wanted[i]];
        *unknown |= !known;
        for (uint32_t t = 0; t < ts->transitions; t++) {
            int may = known ? ts->ops->may_change(base, p->wanted[i], t, fault) : 1;
            if (may < 0) return false;
            p->visible[t] |= may > 0;
        }
    }
    return true;
}

bool product_guide(struct product *p, struct ts_worker *base, bool *unknown, struct problem *why) {
    struct ts_fault fault = {.text = ""};
    *unknown = false;
    p->visible = memory_get_zeroed(p->base->transitions + UINT64_C(1));
    if (p->by_action ? see_actions(p, base, &fault) : see_states(p, base, unknown, &fault)) return true;
    return problem_set(why, EXIT_BAD_INPUT, "%s: %s in transition %u: %s", p->base->path, fault.where,
                       fault.transition, fault.text);
}

bool product_skip(struct product *p) {
    enum { MOST = 4096 };
    uint64_t lasting = propositions_mask(p->propositions) & ~p->momentary;
    uint32_t bits = (uint32_t)__builtin_popcountll(lasting), states = p->ba->states;
    if (bits > 12 || ((uint64_t)states << bits) > MOST) return false;
    p->livelock = memory_get_zeroed(((size_t)states << bits) + 1);
    for (uint32_t number = 0; number < 1u << bits; number++) {
        uint64_t values = 0, rest = lasting;
        for (uint32_t k = 0; k < bits; k++, rest &= rest - 1)
            if (number >> k & 1) values |= rest & (~rest + 1);
        for (uint32_t q = 0; q < states; q++)
            p->livelock[(size_t)number * states + q] = ba_accepts_constant(p->ba, q, values);
    }
    return true;
}

/* A visible move has this label after it. If all propositions are momentary, one of them holds then. */
static bool is_readable(const struct product *p, struct cube label) {
    uint64_t all = propositions_mask(p->propositions);
    return p->momentary != all || (label.care & all) != all || (label.value & all) != 0;
}

bool product_may_read_for_ever(const struct product *p) {
    const struct ba *a = p->ba;
    struct ba_builder b;
    struct ba part;
    ba_build(&b, &a->propositions);
    b.sets = a->sets;
    b.by_state = a->by_state;
    for (uint32_t q = 0; q < a->states; q++) ba_build_state(&b, a->accept[q]);
    for (uint32_t q = 0; q < a->states; q++) ba_build_initial(&b, q);
    for (uint32_t q = 0; q < a->states; q++)
        for (const struct ba_edge *e = ba_begin(a, q); e < ba_end(a, q); e++)
            if (is_readable(p, e->label)) ba_build_edge(&b, q, e->label, e->marks, e->target);
    ba_build_finish(&b, &part);
    bool none = ba_accepts_no_infinite(&part);
    ba_fini(&part);
    return !none;
}
