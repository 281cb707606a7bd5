/* Edges that others imply. What a state gets to is computed along tau-edges, successors first, in sets that share what
 * they have in common (shared_sets.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/steps.h"
#include "algo/shared_sets.h"
#include "lts/lts_components.h"

enum { NODES = 1 << 20 };

struct implied {
    const struct lts *lts;
    struct sets sets;
    uint32_t *later;    /* of a state: what it gets to by tau tau* */
    uint32_t *reached;  /* by tau* */
    uint32_t *by_label; /* by tau* label tau*, for each label */
    uint32_t *list, *other;
    uint32_t least_kept; /* nodes after the last time that sets were forgotten */
};

static const struct lts_edge *visible_edges(const struct lts *l, uint32_t s) {
    const struct lts_edge *e = lts_begin(l, s);
    while (e < lts_end(l, s) && e->label == LTS_TAU) e++;
    return e;
}

/* The union, over the edges from `e` to `end`, of what `of` says about their targets. */
static uint32_t unite(struct implied *m, const struct lts_edge *e, const struct lts_edge *end, const uint32_t *of) {
    size_t n = 0;
    for (; e < end; e++) m->list[n++] = of[e->target];
    return sets_union_of(&m->sets, m->list, n);
}

static void find_reached(struct implied *m, uint32_t s) {
    m->later[s] = unite(m, lts_begin(m->lts, s), visible_edges(m->lts, s), m->reached);
    m->reached[s] = sets_union(&m->sets, m->later[s], sets_single(&m->sets, s));
}

/* A tau-edge from s to t is implied if t is after a successor. An a-edge is if t is after one by a, or if a successor
 * by tau gets to t so. */
static void mark_implied(struct implied *m, uint32_t s, uint8_t *implied) {
    const struct lts *l = m->lts;
    const struct lts_edge *e = lts_begin(l, s), *end = visible_edges(l, s), *begin;
    uint32_t after = unite(m, e, end, m->later), by_taus = unite(m, e, end, m->by_label);
    size_t maps = 0;
    for (; e < end; e++) implied[e - l->edge] = sets_has(&m->sets, after, e->target);
    for (begin = e; e < lts_end(l, s); begin = end) {
        uint32_t otherwise = sets_of_label(&m->sets, by_taus, begin->label);
        for (end = begin; end < lts_end(l, s) && end->label == begin->label; end++) {}
        after = unite(m, begin, end, m->later);
        m->other[maps++] = sets_labelled(&m->sets, begin->label, unite(m, begin, end, m->reached));
        for (; e < end; e++)
            implied[e - l->edge] = sets_has(&m->sets, after, e->target) || sets_has(&m->sets, otherwise, e->target);
    }
    m->by_label[s] = sets_union(&m->sets, by_taus, sets_union_of(&m->sets, m->other, maps));
}

static void forget_sets(struct implied *m) {
    uint32_t *lists[] = {m->later, m->reached, m->by_label};
    if (m->sets.count / 2 < m->least_kept) return;
    sets_keep(&m->sets, lists, 3, m->lts->states);
    m->least_kept = m->sets.count > NODES ? m->sets.count : NODES;
}

static void find_implied(struct implied *m, const uint32_t *order, struct effort *effort, uint8_t *implied) {
    for (uint32_t i = 0; i < m->lts->states && !effort_over(effort); i++, forget_sets(m)) find_reached(m, order[i]);
    for (uint32_t i = 0; i < m->lts->states && !effort_over(effort); i++, forget_sets(m))
        mark_implied(m, order[i], implied);
}

static uint64_t most_edges(const struct lts *l) {
    uint64_t most = 0;
    for (uint32_t s = 0; s < l->states; s++)
        if (l->first[s + 1] - l->first[s] > most) most = l->first[s + 1] - l->first[s];
    return most;
}

static void remove_edges(struct lts *l, const uint8_t *removed) {
    uint64_t kept = 0, i = 0;
    for (uint32_t s = 0; s < l->states; s++) {
        uint64_t end = l->first[s + 1];
        l->first[s] = kept;
        for (; i < end; i++)
            if (!removed[i]) l->edge[kept++] = l->edge[i];
    }
    assert(i == l->edges);
    l->first[l->states] = l->edges = kept;
}

static void find_by_sets(const struct lts *l, struct effort *effort, uint8_t *implied) {
    size_t bytes = l->states * sizeof(uint32_t), list = (most_edges(l) + 1) * sizeof(uint32_t);
    uint32_t *order = tau_targets_first(l);
    struct implied m = {.lts = l, .least_kept = NODES};
    sets_init(&m.sets);
    m.later = memory_get_zeroed(bytes);
    m.reached = memory_get_zeroed(bytes);
    m.by_label = memory_get_zeroed(bytes);
    m.list = memory_get(list);
    m.other = memory_get(list);
    memset(implied, 0, l->edges);
    find_implied(&m, order, effort, implied);
    sets_fini(&m.sets);
    uint32_t *all[] = {m.later, m.reached, m.by_label, m.list, m.other, order};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

void drop_implied_edges(struct lts *l, struct effort *effort) {
    enum { WORK_OF_SEARCHING = 8 };
    uint8_t *implied = memory_get_zeroed(l->edges);
    if (!find_implied_by_search(l, WORK_OF_SEARCHING * (l->edges + l->states), effort, implied))
        find_by_sets(l, effort, implied);
    remove_edges(l, implied);
    free(implied);
}
