#include "compare/pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Of the pairs with the same state, so many are looked at for a smaller set. */
enum { SMALLER_SETS_TRIED = 24 };

void pairs_init(struct pairs *p, const struct joint *j, struct after *after) {
    *p = (struct pairs){.j = j, .after = after};
    twins_init(&p->by_pair, sizeof *p->pair);
    p->head = memory_get(j->lts.states * sizeof *p->head);
    memset(p->head, 0xff, j->lts.states * sizeof *p->head);
}

void pairs_fini(struct pairs *p) {
    effort_give_back(p->after->effort, p->room * sizeof *p->pair);
    free(p->pair);
    twins_fini(&p->by_pair);
    free(p->head);
    *p = (struct pairs){0};
}

static bool smaller_is_known(const struct pairs *p, uint32_t state, uint32_t set) {
    uint32_t tried = 0;
    for (uint32_t i = p->head[state]; i != UINT32_MAX && tried < SMALLER_SETS_TRIED; i = p->pair[i].next, tried++) {
        effort_work(p->after->effort, 1 + after_count(p->after, p->pair[i].set));
        if (after_subset(p->after, p->pair[i].set, set)) return true;
    }
    return false;
}

static void push(struct pairs *p, uint32_t state, uint32_t set, uint32_t parent, uint32_t label) {
    if (twins_find(&p->by_pair, p->pair, state, set) != TWINS_NONE || after_has(p->after, set, state) ||
        smaller_is_known(p, state, set))
        return;
    effort_work(p->after->effort, 4);
    if (p->count == p->room) {
        uint64_t room = p->room ? 2 * p->room : 256;
        effort_take(p->after->effort, (room - p->room) * (sizeof *p->pair + 4 * sizeof(uint32_t)));
        p->pair = memory_resize(p->pair, room * sizeof *p->pair);
        p->room = room;
    }
    p->pair[p->count] = (struct pair){state, set, parent, label, p->head[state]};
    p->head[state] = p->count++;
    twins_add(&p->by_pair, p->pair, p->count);
}

/* Tau edges do not make the trace longer: what they lead to belongs to the same level. */
static void add_invisible(struct pairs *p, uint32_t begin) {
    const struct lts *l = &p->j->lts;
    for (uint32_t i = begin; i < p->count; i++)
        for (const struct lts_edge *e = lts_begin(l, p->pair[i].state); e < lts_end(l, p->pair[i].state); e++) {
            if (e->label != LTS_TAU) break;
            push(p, e->target, p->pair[i].set, i, LTS_TAU);
        }
}

static void add_visible(struct pairs *p, uint32_t i) {
    const struct lts *l = &p->j->lts;
    uint32_t state = p->pair[i].state, set = p->pair[i].set;
    after_expand(p->after, set);
    for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state); e++)
        if (e->label != LTS_TAU) push(p, e->target, after_by(p->after, set, e->label), i, e->label);
}

enum outcome pairs_search(struct pairs *p, int side, uint32_t before, pair_visit *visit, void *context,
                          uint32_t *failing) {
    assert(p->count == 0); /* the first pair is the root, which is its own parent */
    push(p, p->j->root[side], after_start(p->after, p->j->root[!side]), 0, LTS_TAU);
    uint32_t begin = 0;
    for (p->depth = 0; p->depth < before && begin < p->count; p->depth++) {
        add_invisible(p, begin);
        uint32_t end = p->count;
        for (uint32_t i = begin; i < end; i++) {
            enum pair_answer answer = visit(context, p->pair[i].state, p->pair[i].set);
            if (answer == PAIR_FAILS) return *failing = i, OUTCOME_FOUND;
            if (effort_over(p->after->effort)) return OUTCOME_GIVEN_UP;
            if (answer == PAIR_GOES_ON) add_visible(p, i);
        }
        begin = end;
    }
    return OUTCOME_NONE;
}

uint32_t *pairs_trace(const struct pairs *p, uint32_t pair, uint32_t *length) {
    uint32_t count = 0;
    for (uint32_t i = pair; i != 0; i = p->pair[i].parent) count += p->pair[i].label != LTS_TAU;
    uint32_t *trace = memory_get((count + UINT64_C(1)) * sizeof *trace);
    *length = count;
    for (uint32_t i = pair; i != 0; i = p->pair[i].parent)
        if (p->pair[i].label != LTS_TAU) trace[--count] = p->pair[i].label;
    return trace;
}
