#include "base/bitmap.h"

bool bitmap_init(struct bitmap *b, uint64_t size) {
    *b = (struct bitmap){.size = size};
    size_t bytes = (size / 512 + 1) * 64;
    if (region_init(&b->bits, bytes) && region_grow(&b->bits, bytes)) return true;
    bitmap_fini(b);
    return false;
}

void bitmap_fini(struct bitmap *b) {
    region_fini(&b->bits);
    region_fini(&b->ranks);
}

bool bitmap_count_ranks(struct bitmap *b) {
    uint64_t blocks = b->size / 512 + 1, total = 0;
    if (!b->ranks.base && !region_init(&b->ranks, blocks * 8)) return false;
    if (!region_grow(&b->ranks, blocks * 8)) return false;
    const uint64_t *word = (const uint64_t *)(const void *)b->bits.base;
    uint64_t *rank = (uint64_t *)(void *)b->ranks.base;
    for (uint64_t i = 0; i < blocks; i++) {
        rank[i] = total;
        for (int j = 0; j < 8; j++) total += (uint64_t)__builtin_popcountll(*word++);
    }
    return true;
}

uint64_t bitmap_count(const struct bitmap *b) {
    const uint64_t *word = (const uint64_t *)(const void *)b->bits.base;
    uint64_t total = 0;
    for (uint64_t i = 0; i < (b->size / 512 + 1) * 8; i++) total += (uint64_t)__builtin_popcountll(word[i]);
    return total;
}
