#include "store/shard_pick.h"

#if defined __x86_64__
#include <immintrin.h>
#endif

static uint32_t pick_one_by_one(unsigned shard_bits, unsigned shard, const uint64_t *images, uint32_t begin,
                                uint32_t end, uint64_t *picked, uint32_t *places) {
    const struct store store = {.shard_bits = shard_bits}; /* a copy stays in registers */
    uint32_t n = 0;
    for (uint32_t at = begin; at < end; at++) {
        picked[n] = store_in_shard(&store, images[at]);
        places[n] = at;
        n += store_shard(&store, images[at]) == shard;
    }
    return n;
}

#if defined __x86_64__
/* For each set of the four elements of a vector: how to move its members to the front. */
static const uint32_t move_words[16][8] = {
#define PAIR(k) 2 * (k), 2 * (k) + 1
#define ROW(a, b, c, d)                                                                                                \
    { PAIR(a), PAIR(b), PAIR(c), PAIR(d) }
    ROW(0, 0, 0, 0), ROW(0, 0, 0, 0), ROW(1, 0, 0, 0), ROW(0, 1, 0, 0), ROW(2, 0, 0, 0), ROW(0, 2, 0, 0),
    ROW(1, 2, 0, 0), ROW(0, 1, 2, 0), ROW(3, 0, 0, 0), ROW(0, 3, 0, 0), ROW(1, 3, 0, 0), ROW(0, 1, 3, 0),
    ROW(2, 3, 0, 0), ROW(0, 2, 3, 0), ROW(1, 2, 3, 0), ROW(0, 1, 2, 3),
#undef ROW
#undef PAIR
};

/* The same for the indices of these elements. */
static const uint32_t members[16][4] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};

/* Four at a time, and no branch that depends on them. */
__attribute__((target("avx2,popcnt"))) static uint32_t pick_by_vectors(unsigned shard_bits, unsigned shard,
                                                                       const uint64_t *images, uint32_t begin,
                                                                       uint32_t end, uint64_t *picked,
                                                                       uint32_t *places) {
    const __m256i wanted = _mm256_set1_epi64x(shard);
    const __m128i left = _mm_cvtsi32_si128((int)shard_bits), right = _mm_cvtsi32_si128(64 - (int)shard_bits);
    uint32_t n = 0, at = begin;
    for (; at + 4 <= end; at += 4) {
        __m256i four = _mm256_loadu_si256((const __m256i *)(const void *)(images + at));
        __m256i own = _mm256_cmpeq_epi64(_mm256_srl_epi64(four, right), wanted); /* all are, if there is one shard */
        unsigned set = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(own));
        __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)move_words[set]);
        __m256i front = _mm256_permutevar8x32_epi32(_mm256_sll_epi64(four, left), order);
        _mm256_storeu_si256((__m256i *)(void *)(picked + n), front);
        __m128i numbers = _mm_loadu_si128((const __m128i *)(const void *)members[set]);
        _mm_storeu_si128((__m128i *)(void *)(places + n), _mm_add_epi32(numbers, _mm_set1_epi32((int)at)));
        n += (uint32_t)__builtin_popcount(set);
    }
    return n + pick_one_by_one(shard_bits, shard, images, at, end, picked + n, places + n);
}
#endif

uint32_t pick(const struct store *s, unsigned shard, const uint64_t *images, uint32_t begin, uint32_t end,
              uint64_t *picked, uint32_t *places) {
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return pick_by_vectors(s->shard_bits, shard, images, begin, end, picked, places);
#endif
    return pick_one_by_one(s->shard_bits, shard, images, begin, end, picked, places);
}
