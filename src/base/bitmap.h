/* bitmap.h: a set of small numbers, one bit each, that can also number its members.
 *
 * rank(i), the number of members below i, is answered from a count kept for every 512 bits (one cache line of the
 * map). bitmap_count_ranks must be called after the last change and before the first rank.
 */
#ifndef BASE_BITMAP_H
#define BASE_BITMAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct bitmap {
    struct region bits;
    struct region ranks; /* one uint64_t for each 512 bits; empty until counted */
    uint64_t size;       /* numbers are below this */
};

bool bitmap_init(struct bitmap *b, uint64_t size); /* all clear; false: no memory */
void bitmap_fini(struct bitmap *b);
bool bitmap_count_ranks(struct bitmap *b); /* false: no memory */
uint64_t bitmap_count(const struct bitmap *b);

static inline bool bitmap_has(const struct bitmap *b, uint64_t i) {
    return __atomic_load_n((const uint64_t *)(const void *)b->bits.base + i / 64, __ATOMIC_RELAXED) >> (i % 64) & 1;
}
static inline void bitmap_add(struct bitmap *b, uint64_t i) {
    assert(i < b->size);
    ((uint64_t *)(void *)b->bits.base)[i / 64] |= UINT64_C(1) << (i % 64);
}
/* The same, while other threads add and ask. */
static inline void bitmap_add_shared(struct bitmap *b, uint64_t i) {
    assert(i < b->size);
    __atomic_fetch_or((uint64_t *)(void *)b->bits.base + i / 64, UINT64_C(1) << (i % 64), __ATOMIC_RELAXED);
}
static inline void bitmap_remove(struct bitmap *b, uint64_t i) {
    ((uint64_t *)(void *)b->bits.base)[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
static inline void bitmap_prefetch(const struct bitmap *b, uint64_t i) {
    __builtin_prefetch(b->bits.base + i / 64 * 8);
}

static inline uint64_t bitmap_rank(const struct bitmap *b, uint64_t i) {
    const uint64_t *word = (const uint64_t *)(const void *)b->bits.base + i / 512 * 8;
    uint64_t rank = ((const uint64_t *)(const void *)b->ranks.base)[i / 512];
    for (uint64_t left = i % 512; left > 0; word++) {
        uint64_t take = left < 64 ? left : 64;
        rank += (uint64_t)__builtin_popcountll(take < 64 ? *word & ((UINT64_C(1) << take) - 1) : *word);
        left -= take;
    }
    return rank;
}

#endif
