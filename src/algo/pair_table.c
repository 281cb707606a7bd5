#include "algo/pair_table.h"

#include <assert.h>
#include <string.h>

struct key {
    uint32_t x, y;
};

/* The items, and how long one is. */
struct items {
    const char *at;
    size_t size;
};

static struct key key_of(const struct items *items, uint32_t i) {
    struct key k;
    memcpy(&k, items->at + i * items->size, sizeof k);
    return k;
}

static uint32_t hash(struct key k) {
    return (uint32_t)(((uint64_t)k.x << 32 | k.y) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool same(const void *items, const void *wanted, uint32_t i) {
    struct key known = key_of(items, i);
    const struct key *k = wanted;
    return known.x == k->x && known.y == k->y;
}

static uint32_t hash_of(const void *items, uint32_t i) { return hash(key_of(items, i)); }

void twins_init(struct twins *t, size_t size) {
    t->size = size;
    table_init(&t->table, 1024);
}

void twins_fini(struct twins *t) { table_fini(&t->table); }

uint32_t twins_find(const struct twins *t, const void *items, uint32_t x, uint32_t y) {
    struct items all = {items, t->size};
    struct key k = {x, y};
    return *table_find(&t->table, hash(k), same, &all, &k) - 1; /* 0 - 1 is TWINS_NONE */
}

void twins_add(struct twins *t, const void *items, uint32_t count) {
    struct items all = {items, t->size};
    struct key k = key_of(&all, count - 1);
    assert(count == t->table.count + 1);                  /* numbers here are places there */
    assert(twins_find(t, items, k.x, k.y) == TWINS_NONE); /* each pair once */
    table_put(&t->table, table_find(&t->table, hash(k), same, &all, &k), hash_of, &all);
}
