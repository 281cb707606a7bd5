#include "derive/readings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/table.h"
#include "base/effort.h"
#include "base/memory.h"

/* What is at work on one unit. */
struct growth {
    struct readings *r;
    uint32_t unit, most; /* points that it may have */
    uint32_t made;
    bool merged, over;
    bool changed;
    struct table *known; /* merged points by their numbers */
    uint32_t *mine;      /* the readings of the unit, in the order of their making */
    uint32_t mine_room;
};

static uint32_t spread(uint32_t x) { return x * UINT32_C(0x9e3779b1) ^ x >> 15; }

static bool same_point(const void *things, const void *wanted, uint32_t number) {
    const struct growth *g = things;
    return g->r->at[g->mine[number]].point == *(const point *)wanted;
}

static uint32_t hash_of_point(const void *things, uint32_t number) {
    const struct growth *g = things;
    return spread(g->r->at[g->mine[number]].point);
}

static uint32_t values_of(const struct readings *r, uint32_t x) {
    uint32_t slots = r->slots.of[x].count, bits = r->source->variables[x].bits;
    if (slots) return slots;
    return bits <= r->budget.wide ? UINT32_C(1) << bits : 0;
}

/* The reading of point p. */
static uint32_t reading_of(struct growth *g, point p) {
    struct readings *r = g->r;
    uint32_t *cell = NULL;
    if (g->merged) {
        cell = table_find(g->known, spread(p), same_point, g, &p);
        if (*cell) return g->mine[*cell - 1];
    }
    MAKE_ROOM(r->at, r->count, r->room);
    MAKE_ROOM(g->mine, g->made, g->mine_room);
    uint32_t n = r->count++;
    struct reading *at = &r->at[n];
    *at = (struct reading){.at = r->source->ops->view(r->source, p), .point = p};
    g->mine[g->made++] = n;
    r->points++;
    if (g->made > g->most || effort_over(r->source->effort)) g->over = true;
    if (g->merged) {
        at->hull = memory_get_zeroed(r->slots.words * sizeof *at->hull);
        table_put(g->known, cell, hash_of_point, g);
    }
    if (at->at.kind == POINT_READ) {
        at->values = values_of(r, at->at.variable);
        if (at->values == 0)
            at->at = (struct point_view){.kind = LEAF_UNKNOWN, .text = "it reads a variable with too many values"};
        else {
            at->next = memory_get(at->values * sizeof *at->next);
            for (uint32_t v = 0; v < at->values; v++) at->next[v] = READING_NONE;
        }
    }
    g->changed = true;
    return n;
}

static uint32_t next_reading(struct growth *g, uint32_t n, uint32_t value) {
    struct readings *r = g->r;
    if (r->at[n].next[value] == READING_NONE) {
        uint32_t to = reading_of(g, r->source->ops->next(r->source, r->at[n].point, value));
        r->at[n].next[value] = to;
    }
    return r->at[n].next[value];
}

/* A transition ends in a leaf, in all states of `set`. */
static void note_leaf(struct growth *g, uint32_t n, const uint64_t *set) {
    struct readings *r = g->r;
    const struct point_view *at = &r->at[n].at;
    if (r->source->units[g->unit].kind != UNIT_TRANSITION) return;
    if (at->kind == LEAF_UNKNOWN) value_pairs_add_all(&r->pairs);
    if (at->kind != LEAF_ENABLED) return;
    uint32_t stored[at->store_count + 1], count = 0;
    for (uint32_t i = 0; i < at->store_count; i++) {
        const struct slot_range *range = &r->slots.of[at->stores[i].variable];
        assert(range->count == 0 || at->stores[i].value < range->count);
        if (range->count) stored[count++] = range->first + (uint32_t)at->stores[i].value;
    }
    value_pairs_add_store(&r->pairs, stored, count, set);
}

/* `set` after variable x, of which it has value v, has been read; false: there is no such state. */
static bool set_after(const struct readings *r, const uint64_t *set, uint32_t x, uint32_t v, uint64_t *after) {
    const struct slot_range *range = &r->slots.of[x];
    if (range->count == 0) {
        memcpy(after, set, r->slots.words * sizeof *after);
        return true;
    }
    assert(v < range->count);
    if (!slot_in(set, range->first + v)) return false;
    const uint64_t *with = value_pairs_row(&r->pairs, range->first + v);
    for (uint32_t w = 0; w < r->slots.words; w++) after[w] = set[w] & with[w];
    return true;
}

/* Goes all ways through a tree, from reading n on. What may stand together with everything on the way is in `set`. */
static void grow_tree(struct growth *g, uint32_t n, const uint64_t *set) {
    struct readings *r = g->r;
    if (r->at[n].at.kind != POINT_READ) {
        note_leaf(g, n, set);
        return;
    }
    uint64_t after[r->slots.words];
    for (uint32_t v = 0; v < r->at[n].values && !g->over; v++)
        if (set_after(r, set, r->at[n].at.variable, v, after)) grow_tree(g, next_reading(g, n, v), after);
}

/* Merged points: each hands its hull on. */
static void grow_merged(struct growth *g) {
    struct readings *r = g->r;
    uint64_t after[r->slots.words];
    for (bool again = true; again && !g->over;) {
        again = false;
        for (uint32_t i = 0; i < g->made && !g->over; i++) {
            uint32_t n = g->mine[i];
            if (r->at[n].at.kind != POINT_READ) continue;
            for (uint32_t v = 0; v < r->at[n].values && !g->over; v++) {
                if (!set_after(r, r->at[n].hull, r->at[n].at.variable, v, after)) continue;
                if (!slots_meet(&r->slots, after, after)) continue;
                uint32_t to = next_reading(g, n, v);
                uint64_t *hull = r->at[to].hull;
                for (uint32_t w = 0; w < r->slots.words; w++) again |= (after[w] & ~hull[w]) != 0, hull[w] |= after[w];
            }
        }
    }
    for (uint32_t i = 0; i < g->made && !g->over; i++) note_leaf(g, g->mine[i], r->at[g->mine[i]].hull);
}

static void start(struct growth *g, bool merged) {
    struct readings *r = g->r;
    g->merged = merged;
    g->most = merged ? r->budget.merged : r->budget.tree;
    g->made = 0;
    g->over = false;
    r->merged[g->unit] = merged;
    if (merged) {
        g->known = memory_get(sizeof *g->known);
        table_init(g->known, 64);
    }
    r->root[g->unit] = reading_of(g, r->source->ops->begin(r->source, g->unit, merged));
}

static void grow(struct growth *g) {
    struct readings *r = g->r;
    if (!g->merged) {
        grow_tree(g, r->root[g->unit], r->pairs.possible);
        if (g->over) start(g, true);
    }
    if (g->merged && r->at[r->root[g->unit]].hull) {
        memcpy(r->at[r->root[g->unit]].hull, r->pairs.possible, r->slots.words * sizeof(uint64_t));
        grow_merged(g);
    }
    if (g->over) {
        MAKE_ROOM(r->at, r->count, r->room);
        r->at[r->count] = (struct reading){
            .at = {.kind = LEAF_UNKNOWN, .text = "it can be in too many situations"},
        };
        r->root[g->unit] = r->count++;
        g->made = 0, g->over = false, g->changed = true;
        note_leaf(g, r->root[g->unit], r->pairs.possible);
    }
}

void readings_init(struct readings *r, struct source *source, struct readings_budget budget) {
    *r = (struct readings){.source = source, .budget = budget};
    slots_init(&r->slots, source);
    value_pairs_init(&r->pairs, &r->slots);
    value_pairs_add_state(&r->pairs, source, source->initial);
    r->root = memory_get_zeroed((source->unit_count + 1) * sizeof *r->root);
    r->merged = memory_get_zeroed((source->unit_count + 1) * sizeof *r->merged);
    struct growth *g = memory_get_zeroed((source->unit_count + 1) * sizeof *g);
    for (uint32_t u = 0; u < source->unit_count; u++) {
        g[u] = (struct growth){.r = r, .unit = u};
        start(&g[u], false);
    }
    for (bool again = true; again; r->rounds++) {
        again = false;
        for (uint32_t u = 0; u < source->unit_count; u++) {
            r->pairs.grown = g[u].changed = false;
            grow(&g[u]);
            again |= r->pairs.grown || g[u].changed;
        }
    }
    for (uint32_t u = 0; u < source->unit_count; u++) {
        free(g[u].mine);
        if (g[u].known) table_fini(g[u].known);
        free(g[u].known);
    }
    free(g);
}

void readings_fini(struct readings *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        free(r->at[i].next);
        free(r->at[i].hull);
    }
    free(r->at);
    free(r->root);
    free(r->merged);
    value_pairs_fini(&r->pairs);
    slots_fini(&r->slots);
}
