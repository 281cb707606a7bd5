#include "algo/pair_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct key {
    uint32_t x, y;
};

static struct key key_of(const struct twins *t, const void *items, uint32_t i) {
    struct key k;
    memcpy(&k, (const char *)items + i * t->size, sizeof k);
    return k;
}

static void make_table(struct twins *t, uint32_t mask) {
    free(t->table);
    t->mask = mask;
    t->table = memory_get_zeroed((mask + UINT64_C(1)) * sizeof *t->table);
}

void twins_init(struct twins *t, size_t size) {
    *t = (struct twins){.size = size};
    make_table(t, 1023);
}

void twins_fini(struct twins *t) {
    free(t->table);
    *t = (struct twins){0};
}

/* Where the item is in the table, or would go. */
static uint32_t place_of(const struct twins *t, const void *items, struct key k) {
    uint64_t h = ((uint64_t)k.x << 32 | k.y) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t place = (uint32_t)(h >> 32) & t->mask;
    for (; t->table[place]; place = (place + 1) & t->mask) {
        struct key known = key_of(t, items, t->table[place] - 1);
        if (known.x == k.x && known.y == k.y) break;
    }
    return place;
}

uint32_t twins_find(const struct twins *t, const void *items, uint32_t x, uint32_t y) {
    return t->table[place_of(t, items, (struct key){x, y})] - 1; /* 0 - 1 is TWINS_NONE */
}

void twins_add(struct twins *t, const void *items, uint32_t count) {
    t->table[place_of(t, items, key_of(t, items, count - 1))] = count;
    if (count <= t->mask / 2) return;
    make_table(t, 2 * t->mask + 1);
    for (uint32_t i = 0; i < count; i++) t->table[place_of(t, items, key_of(t, items, i))] = i + 1;
}
