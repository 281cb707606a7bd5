/* Tree failures. After a trace, s can be refused to do anything but Tr(s); the other side must have a state r, after
 * the same trace, with Tr(r) a subset of Tr(s). Refused sets K smaller than the complement of Tr(s) are easier to
 * refuse, so that one K is enough. A tau edge from s leads to a state with fewer traces, which is harder to match, and
 * one from r to a state that matches better: only states without tau edges are looked at, on either side. (Tau cycles
 * are gone.) */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/contest.h"
#include "compare/trace_inclusion.h"

struct tree {
    struct contest *c;
    struct inclusion inclusion;
};

/* Members of a set may move while questions are answered, so they are taken by number. */
static uint32_t member(const struct contest *c, uint32_t set, uint32_t i) { return after_members(&c->after, set)[i]; }

static enum pair_answer visit(void *context, uint32_t s, uint32_t set) {
    struct tree *t = context;
    const struct joint *j = &t->c->small;
    if (set == AFTER_EMPTY) return PAIR_FAILS;
    if (!joint_stable(j, s)) return PAIR_GOES_ON;
    uint32_t traces_of_s = after_start(&t->c->after, s);
    for (uint32_t i = 0; i < after_count(&t->c->after, set); i++) {
        uint32_t r = member(t->c, set, i);
        if (joint_stable(j, r) && inclusion_fails(&t->inclusion, r, traces_of_s) != OUTCOME_FOUND) return PAIR_GOES_ON;
    }
    return effort_over(&t->c->effort) ? PAIR_GOES_ON : PAIR_FAILS;
}

static bool can_do(struct contest *c, uint32_t state, const struct word *w) {
    uint32_t set = after_start(&c->after, state);
    for (uint32_t i = 0; i < w->length && set != AFTER_EMPTY; i++) {
        after_expand(&c->after, set);
        set = after_by(&c->after, set, w->label[i]);
    }
    return set != AFTER_EMPTY;
}

static bool can_do_some(struct contest *c, uint32_t state, const struct comparison *out) {
    for (uint32_t i = 0; i < out->word_count; i++)
        if (can_do(c, state, &out->words[i])) return true;
    return false;
}

/* Words that s can not do, such that each state of the set can do one of them. */
static void find_words(struct tree *t, uint32_t s, uint32_t set, struct comparison *out) {
    uint32_t traces_of_s = after_start(&t->c->after, s);
    out->words = memory_get((after_count(&t->c->after, set) + UINT64_C(1)) * sizeof *out->words);
    for (uint32_t i = 0; i < after_count(&t->c->after, set); i++) {
        uint32_t r = member(t->c, set, i);
        if (!joint_stable(&t->c->small, r) || can_do_some(t->c, r, out)) continue;
        struct word *w = &out->words[out->word_count++];
        w->label = inclusion_gap(&t->inclusion, r, traces_of_s, &w->length);
    }
}

enum outcome contest_tree(struct contest *c, int side, uint32_t before, struct comparison *out) {
    struct tree t = {.c = c};
    struct pairs p;
    inclusion_init(&t.inclusion, &c->small, &c->after);
    pairs_init(&p, &c->small, &c->after);
    uint32_t failing;
    enum outcome outcome = pairs_search(&p, side, before, visit, &t, &failing);
    out->pairs += p.count;
    out->nodes += t.inclusion.count;
    if (outcome == OUTCOME_FOUND) {
        bool trace = p.pair[failing].set == AFTER_EMPTY;
        out->witness = trace ? WITNESS_TRACE : WITNESS_TREE_FAILURE;
        out->side = side;
        out->trace.label = pairs_trace(&p, failing, &out->trace.length);
        if (!trace) find_words(&t, p.pair[failing].state, p.pair[failing].set, out);
    }
    pairs_fini(&p);
    inclusion_fini(&t.inclusion);
    return outcome;
}
