/* Weak bisimilarity by signatures. The signature of a state is the set of all pairs (a, B) such that it gets to block B
 * by tau* a tau*, and (tau, B) such that it gets there by tau*. States of a block with different signatures are
 * separated until there are none.
 *
 * Saturated edges are not stored: there can be very many. A signature is computed by following edges, and only its hash
 * is kept, one for each block. After a split the largest part keeps the number of the block, so that only the states of
 * smaller parts have changed, and only states that get to these are looked at again. In the end the signatures
 * themselves are compared, so that equal hashes of different ones do no harm. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/bisimulation.h"
#include "lts/partition.h"

enum { NONE = UINT32_MAX };

struct list {
    uint32_t *at, count;
};

struct weak {
    const struct lts *lts;
    struct partition p;
    uint64_t *hash; /* of a block: that of the signatures of its states */
    uint64_t seed;  /* another one after hashes were equal by chance */
    uint32_t *tau_first, *tau_source, *visible_first, *visible_source; /* edges, as their targets see them */
    /* Signatures. */
    uint32_t *seen, visit; /* of a state: the last search that has found it */
    struct list before;    /* tau* of the state */
    struct list after;     /* tau* of a set of states */
    uint64_t *pairs, *other_pairs;
    size_t pair_count, pair_room, other_room;
    /* What to do. */
    struct list dirty;      /* states whose signatures may have changed */
    struct list changed;    /* states whose block numbers have changed */
    uint8_t *noted;         /* of a state: it is in `changed`, or in `dirty` */
    uint64_t steps, budget; /* work done, and allowed */
};

/* ---- Set-up ---- */

static uint32_t *reverse(const struct lts *l, bool taus, uint32_t **first) {
    uint32_t *count = memory_get_zeroed((l->states + UINT64_C(2)) * sizeof *count);
    for (uint64_t i = 0; i < l->edges; i++)
        if ((l->edge[i].label == LTS_TAU) == taus) count[l->edge[i].target + 2]++;
    for (uint32_t s = 0; s < l->states; s++) count[s + 2] += count[s + 1];
    uint32_t *source = memory_get(count[l->states + 1] * sizeof *source);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if ((e->label == LTS_TAU) == taus) source[count[e->target + 1]++] = s;
    *first = count;
    return source;
}

static void start(struct weak *g, const struct lts *l, uint64_t budget) {
    size_t bytes = (l->states + UINT64_C(1)) * sizeof(uint32_t);
    uint8_t *kind = memory_get(l->states);
    uint32_t kinds = lts_kinds(l, kind);
    *g = (struct weak){.lts = l, .seed = 1, .budget = budget};
    partition_init(&g->p, l->states, kind, kinds);
    g->hash = memory_get_zeroed(l->states * sizeof *g->hash);
    g->noted = memory_get_zeroed(l->states);
    g->seen = memory_get_zeroed(bytes);
    g->before.at = memory_get(bytes);
    g->after.at = memory_get(bytes);
    g->dirty.at = memory_get(bytes);
    g->changed.at = memory_get(bytes);
    g->tau_source = reverse(l, true, &g->tau_first);
    g->visible_source = reverse(l, false, &g->visible_first);
    free(kind);
}

static void finish(struct weak *g) {
    uint32_t *all[] = {g->seen,      g->before.at,  g->after.at,      g->dirty.at,      g->changed.at,
                       g->tau_first, g->tau_source, g->visible_first, g->visible_source};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    free(g->hash);
    free(g->noted);
    free(g->pairs);
    free(g->other_pairs);
    partition_fini(&g->p);
}

/* ---- Signatures ---- */

/* Begins a search: nothing has been found yet. */
static void new_visit(struct weak *g) {
    if (++g->visit != 0) return;
    memset(g->seen, 0, g->lts->states * sizeof *g->seen);
    g->visit = 1;
}

static void reach(struct weak *g, struct list *found, uint32_t s) {
    if (g->seen[s] == g->visit) return;
    g->seen[s] = g->visit;
    found->at[found->count++] = s;
}

/* Adds what the members of the list get to by tau*. */
static void close_forward(struct weak *g, struct list *found) {
    const struct lts *l = g->lts;
    for (uint32_t i = 0; i < found->count; i++, g->steps++)
        for (const struct lts_edge *e = lts_begin(l, found->at[i]); e < lts_end(l, found->at[i]) && e->label == LTS_TAU;
             e++, g->steps++)
            reach(g, found, e->target);
}

static void add_pairs(struct weak *g, uint32_t label, const struct list *targets) {
    if (g->pair_count + targets->count > g->pair_room) {
        g->pair_room = 2 * (g->pair_count + targets->count) + 64;
        g->pairs = memory_resize(g->pairs, g->pair_room * sizeof *g->pairs);
    }
    for (uint32_t i = 0; i < targets->count; i++)
        g->pairs[g->pair_count++] = (uint64_t)label << 32 | partition_block(&g->p, targets->at[i]);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_pairs(struct weak *g) {
    size_t kept = 0;
    if (g->pair_count > 24) {
        qsort(g->pairs, g->pair_count, sizeof *g->pairs, by_value);
    } else {
        for (size_t i = 1; i < g->pair_count; i++) {
            uint64_t x = g->pairs[i];
            size_t j = i;
            for (; j > 0 && g->pairs[j - 1] > x; j--) g->pairs[j] = g->pairs[j - 1];
            g->pairs[j] = x;
        }
    }
    for (size_t i = 0; i < g->pair_count; i++)
        if (kept == 0 || g->pairs[kept - 1] != g->pairs[i]) g->pairs[kept++] = g->pairs[i];
    g->pair_count = kept;
}

/* One label after the other, each with one search from all states that it leads to. The edges of the states of `before`
 * are gone through once: `next` is where each state is. */
static void visible_pairs(struct weak *g, uint64_t *next) {
    const struct lts *l = g->lts;
    for (;;) {
        uint32_t label = NONE;
        for (uint32_t i = 0; i < g->before.count; i++, g->steps++)
            if (next[i] < l->first[g->before.at[i] + 1] && l->edge[next[i]].label < label)
                label = l->edge[next[i]].label;
        if (label == NONE) return;
        g->after.count = 0;
        new_visit(g);
        for (uint32_t i = 0; i < g->before.count; i++)
            for (; next[i] < l->first[g->before.at[i] + 1] && l->edge[next[i]].label == label; next[i]++)
                reach(g, &g->after, l->edge[next[i]].target);
        close_forward(g, &g->after);
        add_pairs(g, label, &g->after);
    }
}

/* The signature of a state, sorted, in `pairs`. */
static void signature(struct weak *g, uint32_t s) {
    const struct lts *l = g->lts;
    g->pair_count = g->before.count = 0;
    new_visit(g);
    reach(g, &g->before, s);
    close_forward(g, &g->before);
    add_pairs(g, LTS_TAU, &g->before);
    uint64_t few[16], *next = g->before.count <= 16 ? few : memory_get(g->before.count * sizeof *next);
    for (uint32_t i = 0; i < g->before.count; i++) {
        uint32_t t = g->before.at[i];
        for (next[i] = l->first[t]; next[i] < l->first[t + 1] && l->edge[next[i]].label == LTS_TAU;) next[i]++;
    }
    visible_pairs(g, next);
    if (next != few) free(next);
    sort_pairs(g);
    g->steps += g->pair_count;
}

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t hash_of(struct weak *g, uint32_t s) {
    uint64_t h = mix(g->seed);
    signature(g, s);
    for (size_t i = 0; i < g->pair_count; i++) h = mix(h ^ (g->pairs[i] + UINT64_C(0x9e3779b97f4a7c15))) + i;
    return h;
}

/* ---- Splitting ---- */

static void note(struct weak *g, struct list *list, uint32_t s) {
    if (g->noted[s]) return;
    g->noted[s] = 1;
    list->at[list->count++] = s;
}

static void forget(struct weak *g, const struct list *list) {
    for (uint32_t i = 0; i < list->count; i++) g->noted[list->at[i]] = 0;
}

/* Separates the marked states of a block, which have the hash, from the others. Notes who has a new number. */
static void split(struct weak *g, uint32_t b, uint64_t hash) {
    uint32_t some = g->p.element[g->p.block[b].first], fresh = partition_split(&g->p, b);
    if (fresh == PARTITION_NONE) {
        g->hash[b] = hash;
        return;
    }
    for (uint32_t i = g->p.block[fresh].first; i < g->p.block[fresh].end; i++) note(g, &g->changed, g->p.element[i]);
    g->hash[fresh] = g->hash[b];
    g->hash[partition_block(&g->p, some)] = hash;
}

struct fresh {
    uint32_t block, state;
    uint64_t hash;
};

static int by_block_and_hash(const void *a, const void *b) {
    const struct fresh *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->state < y->state ? -1 : x->state > y->state;
}

/* Splits each block by the hashes of its dirty states; those of the others are that of the block. What is left of a block
 * after a split may have a new number. */
static void split_by_hash(struct weak *g, struct fresh *list, uint32_t count) {
    qsort(list, count, sizeof *list, by_block_and_hash);
    for (uint32_t i = 0, j; i < count; i = j) {
        uint32_t b = partition_block(&g->p, list[i].state);
        for (j = i; j < count && list[j].block == list[i].block && list[j].hash == list[i].hash; j++) {}
        if (list[i].hash == g->hash[b]) continue;
        for (uint32_t k = i; k < j; k++) partition_mark(&g->p, list[k].state);
        split(g, b, list[i].hash);
    }
}

/* False: the budget is used up. */
static bool split_dirty(struct weak *g) {
    struct fresh *list = memory_get(g->dirty.count * sizeof *list);
    uint32_t count = 0;
    while (count < g->dirty.count && (!g->budget || g->steps < g->budget)) {
        uint32_t s = g->dirty.at[count];
        list[count++] = (struct fresh){partition_block(&g->p, s), s, hash_of(g, s)};
    }
    bool fine = count == g->dirty.count;
    g->changed.count = 0;
    if (fine) split_by_hash(g, list, count);
    forget(g, &g->changed);
    free(list);
    return fine;
}

/* ---- Who must be looked at again ---- */

static void close_backward(struct weak *g, struct list *found) {
    for (uint32_t i = 0; i < found->count; i++, g->steps++)
        for (uint32_t j = g->tau_first[found->at[i]]; j < g->tau_first[found->at[i] + 1]; j++, g->steps++)
            reach(g, found, g->tau_source[j]);
}

/* Those who get to changed states by tau*, and by tau* a tau*. */
static void find_dirty(struct weak *g) {
    struct list *to = &g->before, *from = &g->after;
    to->count = from->count = g->dirty.count = 0;
    new_visit(g);
    for (uint32_t i = 0; i < g->changed.count; i++) reach(g, to, g->changed.at[i]);
    close_backward(g, to);
    new_visit(g);
    for (uint32_t i = 0; i < to->count; i++)
        for (uint32_t j = g->visible_first[to->at[i]]; j < g->visible_first[to->at[i] + 1]; j++)
            reach(g, from, g->visible_source[j]);
    close_backward(g, from);
    for (uint32_t i = 0; i < to->count; i++) note(g, &g->dirty, to->at[i]);
    for (uint32_t i = 0; i < from->count; i++) note(g, &g->dirty, from->at[i]);
    forget(g, &g->dirty);
}

static void all_dirty(struct weak *g) {
    for (uint32_t s = 0; s < g->lts->states; s++) g->dirty.at[s] = s;
    g->dirty.count = g->lts->states;
    memset(g->hash, 0, g->lts->states * sizeof *g->hash);
}

/* ---- The end ---- */

static void keep_pairs(struct weak *g) {
    uint64_t *pairs = g->other_pairs;
    size_t room = g->other_room;
    g->other_pairs = g->pairs;
    g->other_room = g->pair_room;
    g->pairs = pairs;
    g->pair_room = room;
}

/* Whether all states of a block have the same signature. */
static bool is_stable(struct weak *g, uint32_t b) {
    if (partition_size(&g->p, b) == 1) return true;
    signature(g, g->p.element[g->p.block[b].first]);
    size_t count = g->pair_count;
    keep_pairs(g);
    for (uint32_t i = g->p.block[b].first + 1; i < g->p.block[b].end; i++) {
        signature(g, g->p.element[i]);
        if (g->pair_count != count || memcmp(g->pairs, g->other_pairs, count * sizeof *g->pairs) != 0) return false;
    }
    return true;
}

static bool all_stable(struct weak *g) {
    for (uint32_t b = 0; b < g->p.blocks; b++)
        if (!is_stable(g, b)) return false;
    return true;
}

static bool refine(struct weak *g) {
    do {
        all_dirty(g);
        while (g->dirty.count > 0) {
            if (!split_dirty(g)) return false;
            find_dirty(g);
        }
        g->seed++;
    } while (!all_stable(g));
    return true;
}

uint32_t *bisimulation_weak(const struct lts *l, uint64_t budget, uint32_t *blocks) {
    struct weak g;
    uint32_t *number = NULL;
    start(&g, l, budget);
    if (refine(&g)) {
        number = partition_numbers(&g.p, l->states);
        *blocks = g.p.blocks;
    }
    finish(&g);
    return number;
}
