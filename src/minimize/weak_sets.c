/* Signatures as sets. What a state gets to by tau* is its own block and what its successors by tau get to; by tau* a
 * tau*, what its successors by tau get to so, and what its successors by a get to by tau*. So signatures are computed
 * along tau-edges, successors first. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/weak.h"

enum { NODES = 1 << 20 };

/* ---- Set-up ---- */

/* Numbers states so that tau-edges lead to lower numbers; there are no tau-cycles. Those without tau-edges come
 * first. */
static uint32_t *ranks(const struct weak *g) {
    const struct lts *l = g->lts;
    uint32_t *rank = memory_get(l->states * sizeof *rank), *left = memory_get_zeroed(l->states * sizeof *left);
    uint32_t *queue = memory_get(l->states * sizeof *queue), found = 0;
    for (uint32_t s = 0; s < l->states; s++) {
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label == LTS_TAU; e++) left[s]++;
        if (left[s] == 0) queue[found++] = s;
    }
    for (uint32_t i = 0; i < found; i++) {
        rank[queue[i]] = i;
        for (uint32_t j = g->tau_first[queue[i]]; j < g->tau_first[queue[i] + 1]; j++)
            if (--left[g->tau_source[j]] == 0) queue[found++] = g->tau_source[j];
    }
    assert(found == l->states); /* no tau-cycles */
    free(left);
    free(queue);
    return rank;
}

void weak_sets_init(struct weak *g) {
    uint64_t n = g->lts->states;
    sets_init(&g->sets);
    g->rank = ranks(g);
    g->by_tau = memory_get_zeroed(n * sizeof *g->by_tau);
    g->by_label = memory_get_zeroed(n * sizeof *g->by_label);
    g->least_kept = NODES;
}

void weak_sets_fini(struct weak *g) {
    sets_fini(&g->sets);
    free(g->rank);
    free(g->by_tau);
    free(g->by_label);
    free(g->list);
}

/* ---- Signatures ---- */

void weak_list_room(struct weak *g, uint64_t n) {
    if (n <= g->list_room) return;
    g->list_room = (uint32_t)(n + n / 2);
    g->list = memory_resize(g->list, g->list_room * sizeof *g->list);
}

static void have_room(struct weak *g, uint32_t s) { weak_list_room(g, g->lts->first[s + 1] - g->lts->first[s] + 1); }

uint32_t weak_later(struct weak *g, uint32_t s) {
    const struct lts *l = g->lts;
    size_t n = 0;
    have_room(g, s);
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label == LTS_TAU; e++)
        g->list[n++] = g->by_tau[e->target];
    return sets_union_of(&g->sets, g->list, n);
}

/* The list has first what is there label by label, and then the sets of the label at hand. */
uint32_t weak_labelled(struct weak *g, uint32_t s) {
    const struct lts *l = g->lts;
    const struct lts_edge *e = lts_begin(l, s), *end = lts_end(l, s);
    size_t maps = 0;
    have_room(g, s);
    for (; e < end && e->label == LTS_TAU; e++) g->list[maps++] = g->by_label[e->target];
    while (e < end) {
        uint32_t label = e->label;
        size_t n = 0;
        for (; e < end && e->label == label; e++) g->list[maps + n++] = g->by_tau[e->target];
        g->list[maps] = sets_labelled(&g->sets, label, sets_union_of(&g->sets, g->list + maps, n));
        maps++;
    }
    return sets_union_of(&g->sets, g->list, maps);
}

/* ---- Successors first ---- */

static int by_rank(const void *a, const void *b, void *context) {
    const uint32_t *rank = context;
    uint32_t x = rank[*(const uint32_t *)a], y = rank[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

static void sort_dirty(struct weak *g) {
    if (g->dirty.count < g->lts->states / 8) {
        qsort_r(g->dirty.at, g->dirty.count, sizeof *g->dirty.at, by_rank, g->rank);
        return;
    }
    uint32_t n = 0, *state = memory_get(g->lts->states * sizeof *state);
    memset(state, 0xff, g->lts->states * sizeof *state);
    for (uint32_t i = 0; i < g->dirty.count; i++) state[g->rank[g->dirty.at[i]]] = g->dirty.at[i];
    for (uint32_t r = 0; r < g->lts->states; r++)
        if (state[r] != UINT32_MAX) g->dirty.at[n++] = state[r];
    free(state);
}

void weak_sign_dirty(struct weak *g) {
    uint64_t before = g->sets.work;
    sort_dirty(g);
    for (uint32_t i = 0; i < g->dirty.count && !effort_over(g->effort); i++) {
        uint32_t s = g->dirty.at[i], own = sets_single(&g->sets, partition_block(&g->p, s));
        g->by_tau[s] = sets_union(&g->sets, own, weak_later(g, s));
    }
    for (uint32_t i = 0; i < g->dirty.count && !effort_over(g->effort); i++)
        g->by_label[g->dirty.at[i]] = weak_labelled(g, g->dirty.at[i]);
    g->steps += g->sets.work - before + g->dirty.count;
}

/* All states of a block have the same signature now. */
void weak_forget_sets(struct weak *g) {
    if (g->sets.count / 2 < g->least_kept) return;
    uint32_t *lists[] = {g->by_tau, g->by_label};
    sets_keep(&g->sets, lists, 2, g->lts->states);
    for (uint32_t b = 0; b < g->p.blocks; b++) g->sign[b] = weak_sign(g, g->p.element[g->p.block[b].first]);
    g->least_kept = g->sets.count > NODES ? g->sets.count : NODES;
}
