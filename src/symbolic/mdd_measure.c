#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/natural.h"
#include "algo/table.h"
#include "symbolic/mdd.h"

/* Nodes that were visited, with a number of `limbs` limbs each. */
struct visited {
    struct mdd_pool *m;
    struct table table;
    mdd *node;
    uint64_t *value;
    uint32_t count, room, limbs;
};

static bool same(const void *things, const void *wanted, uint32_t number) {
    return ((const mdd *)things)[number] == *(const mdd *)wanted;
}

static uint32_t hash_number(mdd n) { return (uint32_t)((n * UINT64_C(0x9e3779b97f4a7c15)) >> 32); }
static uint32_t hash_of(const void *things, uint32_t number) { return hash_number(((const mdd *)things)[number]); }

static void add(struct visited *x, mdd a, const uint64_t *value) {
    uint32_t *cell = table_find(&x->table, hash_number(a), same, x->node, &a);
    if (x->count == x->room) {
        x->room = 2 * x->room + 64;
        x->node = memory_resize(x->node, x->room * sizeof *x->node);
        x->value = memory_resize(x->value, (size_t)x->room * (x->limbs + 1) * sizeof *x->value);
    }
    x->node[x->count] = a;
    memcpy(x->value + (size_t)x->count * x->limbs, value, x->limbs * sizeof *value);
    x->count++;
    table_put(&x->table, cell, hash_of, x->node);
}

/* sum += the vectors of a. */
static void count(struct visited *x, mdd a, uint64_t *sum) {
    uint64_t here[x->limbs];
    if (a == MDD_EMPTY) return;
    memset(here, 0, sizeof here);
    uint32_t *cell = a == MDD_TRUE ? NULL : table_find(&x->table, hash_number(a), same, x->node, &a);
    if (!cell) here[0] = 1;
    else if (*cell) memcpy(here, x->value + (size_t)(*cell - 1) * x->limbs, sizeof here);
    else {
        for (uint32_t v = 0; v < x->m->size[mdd_level(x->m, a)]; v++) count(x, mdd_child(x->m, a, v), here);
        add(x, a, here);
    }
    natural_add(sum, here, x->limbs);
}

static void visited_init(struct visited *x, struct mdd_pool *m, uint32_t limbs) {
    *x = (struct visited){.m = m, .limbs = limbs};
    table_init(&x->table, 1024);
}

static void visited_fini(struct visited *x) {
    table_fini(&x->table);
    free(x->node);
    free(x->value);
}

void mdd_count(struct mdd_pool *m, mdd a, uint64_t *number, uint32_t limbs) {
    struct visited x;
    visited_init(&x, m, limbs);
    memset(number, 0, limbs * sizeof *number);
    count(&x, a, number);
    visited_fini(&x);
}

uint32_t mdd_limbs(const struct mdd_pool *m) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < m->levels; k++) bits += 32 - (uint32_t)__builtin_clz(m->size[k] | 1);
    return (bits + 32) / 64 + 1;
}

uint64_t mdd_nodes(struct mdd_pool *m, mdd a) {
    struct visited x;
    uint64_t ignored = 0;
    visited_init(&x, m, 0); /* only which they are */
    struct pending {
        mdd *at;
        uint32_t count, room;
    } todo = {0};
    if (a >= MDD_FIRST) {
        add(&x, a, &ignored);
        MAKE_ROOM(todo.at, todo.count, todo.room);
        todo.at[todo.count++] = a;
    }
    while (todo.count > 0) {
        mdd n = todo.at[--todo.count];
        for (uint32_t v = 0; v < m->size[mdd_level(m, n)]; v++) {
            mdd c = mdd_child(m, n, v);
            if (c < MDD_FIRST || *table_find(&x.table, hash_number(c), same, x.node, &c)) continue;
            add(&x, c, &ignored);
            MAKE_ROOM(todo.at, todo.count, todo.room);
            todo.at[todo.count++] = c;
        }
    }
    uint64_t nodes = x.count;
    free(todo.at);
    visited_fini(&x);
    return nodes;
}
