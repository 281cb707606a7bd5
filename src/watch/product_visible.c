#include <assert.h>
#include <stdlib.h>

#include "omega/intersection.h"
#include "base/memory.h"
#include "watch/product.h"

/* The action of a transition is the same in all states, as in every network. */
static bool see_actions(struct product *p, struct ts_worker *base, struct ts_fault *fault) {
    const struct ts *ts = p->base;
    word *s = memory_get(ts->words * sizeof(word));
    bool good = ts->ops->initial(base, s, fault);
    for (uint32_t t = 0; t < ts->transitions && good; t++) {
        uint32_t action = ts->ops->action(base, s, t, fault);
        good = action != TS_NONE;
        if (good) p->changes[t] = p->effects[action];
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
            if (may > 0) p->changes[t].begins |= UINT64_C(1) << i;
        }
    }
    return true;
}

/* Might the automaton be there for ever and accept, though it reads one change after the other? Or, reading them, come
 * to accept a livelock where it does not now? */
static bool may_stay(const struct product *p, uint32_t state) {
    uint32_t lasting = p->propositions - (uint32_t)__builtin_popcountll(p->momentary);
    if (p->ta) return p->ta->accept[state] & ACCEPT_INFINITE;
    assert(p->livelock); /* of Büchi automata, only those that skip get here */
    bool livelock = false;
    for (uint32_t number = 0; number < 1u << lasting; number++)
        livelock |= p->livelock[(size_t)number * p->ba->states + state];
    return livelock || (p->ba->accept[state] & ACCEPT_INFINITE);
}

/* May a move with this effect make the automaton go on from a state, or read on there if it may stay? */
static bool may_go_on(const struct product *p, uint32_t state, bool stay, struct product_effect effect) {
    uint64_t changes = effect.begins | effect.ends;
    if (p->ta) {
        for (const struct ta_edge *e = ta_begin(p->ta, state); e < ta_end(p->ta, state); e++)
            if ((stay || e->target != state) && (e->change & ~changes) == 0) return true;
        return false;
    }
    struct cube after = {changes | p->momentary, effect.begins}; /* other propositions may hold or not */
    for (const struct ba_edge *e = ba_begin(p->ba, state); e < ba_end(p->ba, state); e++)
        if ((stay || e->target != state) && cube_meets(e->label, after)) return true;
    return false;
}

static void find_wanted(struct product *p) {
    enum { MOST = 1 << 24 };
    uint32_t n = p->base->transitions, states = p->ba ? p->ba->states : p->ta->states;
    size_t width = n + UINT64_C(1);
    if (states * (uint64_t)width > MOST) return;
    p->wanted_moves = memory_get_zeroed(states * width + 1);
    for (uint32_t q = 0; q < states; q++) {
        bool *row = p->wanted_moves + q * width, stay = may_stay(p, q);
        for (uint32_t t = 0; t < n; t++) row[t] = p->visible[t] && may_go_on(p, q, stay, p->changes[t]);
        for (uint32_t f = 0; f < p->free.count; f++) row[n] |= may_go_on(p, q, stay, p->effects[p->base->actions + f]);
    }
}

bool product_guide(struct product *p, struct ts_worker *base, bool *unknown, struct problem *why) {
    struct ts_fault fault = {.text = ""};
    uint32_t n = p->base->transitions;
    *unknown = false;
    p->visible = memory_get_zeroed(n + UINT64_C(1));
    p->changes = memory_get_zeroed((n + UINT64_C(1)) * sizeof *p->changes);
    if (!(p->by_action ? see_actions(p, base, &fault) : see_states(p, base, unknown, &fault)))
        return problem_set(why, EXIT_BAD_INPUT, "%s: %s in transition %u: %s", p->base->path, fault.where,
                           fault.transition, fault.text);
    for (uint32_t t = 0; t < n; t++) p->visible[t] = (p->changes[t].begins | p->changes[t].ends) != 0;
    if (p->ta) find_wanted(p);
    return true;
}

bool product_skip(struct product *p) {
    enum { MOST = 4096 };
    uint64_t lasting = propositions_mask(p->propositions) & ~p->momentary;
    assert(p->visible && p->ba); /* product_guide comes first */
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
    find_wanted(p);
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
