/* Signatures by following edges, again and again: nothing is stored but a hash. In the end the signatures themselves are
 * compared, so that equal hashes of different ones do no harm. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/weak.h"

enum { NONE = UINT32_MAX };

/* Adds what the members of the list get to by tau*. */
static void close_forward(struct weak *g, struct weak_list *found) {
    const struct lts *l = g->lts;
    for (uint32_t i = 0; i < found->count; i++, g->steps++)
        for (const struct lts_edge *e = lts_begin(l, found->at[i]); e < lts_end(l, found->at[i]) && e->label == LTS_TAU;
             e++, g->steps++)
            weak_reach(g, found, e->target);
}

static void add_pairs(struct weak *g, uint32_t label, const struct weak_list *targets) {
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
        weak_new_visit(g);
        for (uint32_t i = 0; i < g->before.count; i++)
            for (; next[i] < l->first[g->before.at[i] + 1] && l->edge[next[i]].label == label; next[i]++)
                weak_reach(g, &g->after, l->edge[next[i]].target);
        close_forward(g, &g->after);
        add_pairs(g, label, &g->after);
    }
}

/* The signature of a state, sorted, in `pairs`. */
static void signature(struct weak *g, uint32_t s) {
    const struct lts *l = g->lts;
    g->pair_count = g->before.count = 0;
    weak_new_visit(g);
    weak_reach(g, &g->before, s);
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

uint64_t weak_hash(struct weak *g, uint32_t s) {
    uint64_t h = mix(g->seed);
    signature(g, s);
    for (size_t i = 0; i < g->pair_count; i++) h = mix(h ^ (g->pairs[i] + UINT64_C(0x9e3779b97f4a7c15))) + i;
    return h;
}

static void keep_pairs(struct weak *g) {
    uint64_t *pairs = g->other_pairs;
    size_t room = g->other_room;
    g->other_pairs = g->pairs;
    g->other_room = g->pair_room;
    g->pairs = pairs;
    g->pair_room = room;
}

/* Whether all states of a block have the same signature. */
bool weak_is_stable(struct weak *g, uint32_t b) {
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
