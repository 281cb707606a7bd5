/* Weak bisimilarity by signatures. The signature of a state is the set of all pairs (a, B) such that it gets to block B
 * by tau* a tau*, and (tau, B) such that it gets there by tau*. States of a block with different signatures are
 * separated until there are none. After a split the largest part keeps the number of the block, so that only the states
 * of smaller parts have changed, and only states that get to these are looked at again.
 *
 * Saturated edges are not stored: there can be very many. Signatures are sets that share what they have in common
 * (weak_sets.c): a state that gets to others by tau has what they have, and a little more.
 *
 * Where little is reached by tau*, that is not needed: then sketches (sketch.h) tell most states apart, and searching
 * from the few others shows what they have.
 *
 * Rounds are expensive if much gets to what has changed, and there can be as many as there are states. Three things
 * make them few in most cases. States that can not go on for ever get their classes in one pass, before the first round
 * (weak_founded.c). And between rounds, blocks are split by single new blocks, where few states get to them
 * (weak_nearby.c), or where few states do not get to what they were split from any more (weak_lost.c): long chains and
 * ladders are taken to pieces there, and not in a round for each step. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/bisimulation.h"
#include "minimize/division.h"
#include "minimize/sketch.h"
#include "minimize/weak.h"

enum { WORK_OF_SEARCHING = 8 }; /* for each state and edge */

/* ---- Set-up ---- */

/* Where the edges into each state begin, of those that are taus or of the others. */
static uint32_t *count_into(const struct lts *l, bool taus) {
    uint32_t *count = memory_get_zeroed((l->states + UINT64_C(2)) * sizeof *count);
    for (uint64_t i = 0; i < l->edges; i++)
        if ((l->edge[i].label == LTS_TAU) == taus) count[l->edge[i].target + 2]++;
    for (uint32_t s = 0; s < l->states; s++) count[s + 2] += count[s + 1];
    return count;
}

static void turn_edges(struct weak *g) {
    const struct lts *l = g->lts;
    g->tau_first = count_into(l, true);
    g->visible_first = count_into(l, false);
    g->tau_source = memory_get((g->tau_first[l->states + 1] + UINT64_C(1)) * sizeof *g->tau_source);
    g->visible = memory_get((g->visible_first[l->states + 1] + UINT64_C(1)) * sizeof *g->visible);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->label == LTS_TAU) g->tau_source[g->tau_first[e->target + 1]++] = s;
            else g->visible[g->visible_first[e->target + 1]++] = (struct weak_arrow){e->label, s};
        }
}

static void start(struct weak *g, const struct lts *l, struct effort *effort) {
    size_t bytes = (l->states + UINT64_C(1)) * sizeof(uint32_t);
    *g = (struct weak){.lts = l, .effort = effort};
    g->origin = memory_get(bytes);
    g->sign = memory_get_zeroed((l->states + UINT64_C(1)) * sizeof *g->sign);
    g->noted = memory_get_zeroed(l->states);
    g->seen = memory_get_zeroed(bytes);
    g->before.at = memory_get(bytes);
    g->after.at = memory_get(bytes);
    g->dirty.at = memory_get(bytes);
    g->changed.at = memory_get(bytes);
    turn_edges(g);
    assert(g->tau_first[l->states] + g->visible_first[l->states] == l->edges);
    weak_sets_init(g);
}

static void finish(struct weak *g) {
    uint32_t *all[] = {g->origin,     g->seen,      g->before.at,  g->after.at,     g->dirty.at,
                       g->changed.at, g->tau_first, g->tau_source, g->visible_first};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    free(g->visible);
    free(g->arrows);
    free(g->sign);
    free(g->noted);
    weak_sets_fini(g);
    partition_fini(&g->p);
}

/* ---- Searches ---- */

void weak_new_visit(struct weak *g) {
    if (++g->visit != 0) return;
    memset(g->seen, 0, g->lts->states * sizeof *g->seen);
    g->visit = 1;
}

bool weak_close_backward(struct weak *g, struct weak_list *found, uint64_t limit) {
    uint64_t begun = g->steps;
    for (uint32_t i = 0; i < found->count; i++, g->steps++) {
        if (g->steps - begun > limit) return false;
        for (uint32_t j = g->tau_first[found->at[i]]; j < g->tau_first[found->at[i] + 1]; j++, g->steps++)
            weak_reach(g, found, g->tau_source[j]);
    }
    return true;
}

/* ---- Splitting ---- */

static void note(struct weak *g, struct weak_list *list, uint32_t s) {
    if (g->noted[s]) return;
    g->noted[s] = 1;
    list->at[list->count++] = s;
}

static void forget(struct weak *g, const struct weak_list *list) {
    for (uint32_t i = 0; i < list->count; i++) g->noted[list->at[i]] = 0;
}

void weak_note_split(struct weak *g, uint32_t b, uint32_t fresh) {
    assert(fresh >= g->first_fresh && fresh < g->p.blocks);
    g->origin[fresh] = b < g->first_fresh ? b : g->origin[b];
    for (uint32_t i = g->p.block[fresh].first; i < g->p.block[fresh].end; i++) note(g, &g->changed, g->p.element[i]);
}

/* Separates the marked states of a block, which have the sign, from the others. Notes who has a new number. */
static void split(struct weak *g, uint32_t b, uint64_t sign) {
    uint32_t some = g->p.element[g->p.block[b].first], fresh = partition_split(&g->p, b);
    if (fresh == PARTITION_NONE) {
        g->sign[b] = sign;
        return;
    }
    weak_note_split(g, b, fresh);
    g->sign[fresh] = g->sign[b];
    g->sign[partition_block(&g->p, some)] = sign;
}

void weak_split_by_list(struct weak *g, const struct weak_list *list) {
    uint32_t touched = 0;
    weak_list_room(g, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        if (partition_mark(&g->p, list->at[i])) g->list[touched++] = partition_block(&g->p, list->at[i]);
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t fresh = partition_split(&g->p, g->list[i]);
        if (fresh == PARTITION_NONE) continue;
        g->sign[fresh] = g->sign[g->list[i]];
        weak_note_split(g, g->list[i], fresh);
    }
}

struct fresh {
    uint32_t block, state;
    uint64_t sign;
};

static int by_block_and_sign(const void *a, const void *b) {
    const struct fresh *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    if (x->sign != y->sign) return x->sign < y->sign ? -1 : 1;
    return x->state < y->state ? -1 : x->state > y->state;
}

/* Splits each block by the signs of its dirty states; those of the others are that of the block. What is left of a
 * block after a split may have a new number. */
static void split_by_sign(struct weak *g, struct fresh *list, uint32_t count) {
    qsort(list, count, sizeof *list, by_block_and_sign);
    for (uint32_t i = 0, j; i < count; i = j) {
        uint32_t b = partition_block(&g->p, list[i].state);
        for (j = i; j < count && list[j].block == list[i].block && list[j].sign == list[i].sign; j++) {}
        if (list[i].sign == g->sign[b]) continue;
        for (uint32_t k = i; k < j; k++) partition_mark(&g->p, list[k].state);
        split(g, b, list[i].sign);
    }
}

static void split_dirty(struct weak *g) {
    struct fresh *list = memory_get(g->dirty.count * sizeof *list);
    weak_sign_dirty(g);
    for (uint32_t i = 0; i < g->dirty.count; i++) {
        uint32_t s = g->dirty.at[i];
        list[i] = (struct fresh){partition_block(&g->p, s), s, weak_sign(g, s)};
    }
    g->changed.count = 0;
    g->first_fresh = g->p.blocks;
    split_by_sign(g, list, g->dirty.count);
    weak_forget_sets(g);
    free(list);
}

/* ---- Who must be looked at again ---- */

/* Those who get to changed states by tau*, and by tau* a tau*. */
static void find_dirty(struct weak *g) {
    struct weak_list *to = &g->before, *from = &g->after;
    to->count = from->count = g->dirty.count = 0;
    forget(g, &g->changed);
    weak_new_visit(g);
    for (uint32_t i = 0; i < g->changed.count; i++) weak_reach(g, to, g->changed.at[i]);
    weak_close_backward(g, to, UINT64_MAX);
    weak_new_visit(g);
    for (uint32_t i = 0; i < to->count; i++)
        for (uint32_t j = g->visible_first[to->at[i]]; j < g->visible_first[to->at[i] + 1]; j++)
            weak_reach(g, from, g->visible[j].source);
    weak_close_backward(g, from, UINT64_MAX);
    for (uint32_t i = 0; i < to->count; i++) note(g, &g->dirty, to->at[i]);
    for (uint32_t i = 0; i < from->count; i++) note(g, &g->dirty, from->at[i]);
    forget(g, &g->dirty);
}

/* All states whose classes are not known yet: those from block number `known` on. */
static void all_dirty(struct weak *g, uint32_t known) {
    for (uint32_t s = 0; s < g->lts->states; s++)
        if (partition_block(&g->p, s) >= known) g->dirty.at[g->dirty.count++] = s;
}

/* ---- All of it ---- */

/* `end` and `error` have parts of their own. */
static void keep_apart(uint32_t *part, uint32_t *parts, const struct lts *l) {
    const uint32_t special[] = {l->end, l->error};
    for (size_t i = 0; i < 2; i++)
        for (uint32_t s = 0; special[i] != LTS_NONE && s < l->states; s++)
            if (s != special[i] && part[s] == part[special[i]]) {
                part[special[i]] = (*parts)++;
                break;
            }
}

/* Bytes that are taken at once; sets take as much again and more. */
static uint64_t memory_for(const struct lts *l) { return 8 * l->edges + 80 * (uint64_t)l->states; }

/* By sketches, and then by searching from states that are not alone. If they are few, or get to little, that is all.
 * NULL: it is not, or the effort is over. */
static uint32_t *try_search(const struct lts *l, uint64_t budget, struct effort *effort, uint32_t *blocks) {
    uint32_t parts, *part = sketch_weakly(l, effort, &parts), *number = NULL;
    struct division d;
    keep_apart(part, &parts, l);
    division_init_from(&d, l, RELATION_WEAK, part, parts, effort);
    d.most_work = WORK_OF_SEARCHING * (l->edges + (uint64_t)l->states);
    if (d.most_work > budget) d.most_work = budget;
    while (division_refine(&d)) {}
    struct bisimulation_start from = {d.part, d.count, !division_over(&d) && division_is_stable(&d)};
    if (from.stable) number = bisimulation_done(l, &from, blocks);
    division_fini(&d);
    return number;
}

uint32_t *bisimulation_weak(const struct lts *l, uint64_t budget, struct effort *effort, uint32_t *blocks) {
    struct weak g;
    uint32_t *number = NULL;
    if (!effort_allows(effort, memory_for(l))) return NULL;
    number = try_search(l, budget, effort, blocks);
    if (number || effort_look(effort)) return number;
    start(&g, l, effort);
    all_dirty(&g, weak_start_partition(&g));
    while (g.dirty.count > 0 && g.steps < budget && !effort_look(effort)) {
        split_dirty(&g);
        weak_split_lost(&g);
        weak_split_nearby(&g);
        find_dirty(&g);
    }
    if (g.dirty.count == 0) {
        number = partition_numbers(&g.p, l->states);
        *blocks = g.p.blocks;
    }
    finish(&g);
    return number;
}
