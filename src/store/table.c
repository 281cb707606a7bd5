#include "store/table.h"

#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif
#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    WIDE = 8,          /* slots in a wide line */
    NARROW = 16,       /* slots in a narrow line */
    DISTANCE_BITS = 6, /* of a narrow slot */
    MAX_DISTANCE = (1 << DISTANCE_BITS) - 1,
    TAIL = 64,         /* lines after the last home; more than MAX_DISTANCE */
    FIRST_HOMES = 512, /* lines */
    SMALL_HOMES = 1 << 19,
    AHEAD = 24, /* how many states ahead of the one at hand a line is fetched */
};

#define INLINE static inline __attribute__((always_inline))

INLINE word *wide_line(const struct table *t, uint64_t line) {
    return (word *)(void *)t->lines_region.base + line * WIDE;
}
INLINE uint32_t *narrow_line(const struct table *t, uint64_t line) {
    return (uint32_t *)(void *)t->lines_region.base + line * NARROW;
}
INLINE word *rests_of(const struct table *t) { return (word *)(void *)t->rests.base; }

/* Whether the other words of the state are those at the slot. */
INLINE bool same_rest(const struct table *t, uint32_t words, uint64_t slot, const word *state) {
    const word *rest = rests_of(t) + slot * (words - 1);
    for (uint32_t i = 1; i < words; i++)
        if (rest[i - 1] != state[i]) return false;
    return true;
}

/* ---- Images ----
 *
 * One word: the `bits` bits of the state are scattered by a bijection on numbers of that many bits; the image is the
 * result as a fraction, that is, at the high end of a word, and 1 at the low end, so that it is not 0.
 * More words: a bijection on words. Only the first word counts; the others are stored as they are. */

#define MULTIPLIER_1 UINT64_C(0x9fb21c651e98df25)
#define MULTIPLIER_2 UINT64_C(0xc2b2ae3d27d4eb4f)

/* Even, so that the mark bit of the first word survives and the sum is not 0. */
INLINE uint64_t hash_rest(const word *state, uint32_t words) {
    return XXH3_64bits(state + 1, (words - 1) * sizeof(word)) & ~UINT64_C(1);
}

INLINE uint64_t image_of(const struct table *t, uint32_t words, const word *state) {
    uint64_t x;
    if (words > 1) {
        x = state[0] ^ hash_rest(state, words);
        x ^= x >> 32;
        x *= MULTIPLIER_1;
        x ^= x >> 29;
        return x * MULTIPLIER_2;
    }
    unsigned unused = 64 - t->bits, half = (t->bits + 1) / 2;
    x = state[0] >> 1;
    x ^= x >> half;
    x = (x * MULTIPLIER_1) << unused >> unused;
    x ^= x >> half;
    return (x * MULTIPLIER_2) << unused | 1;
}

/* The inverse of an odd number modulo 2^64, by Newton's iteration. */
static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 5; i++) x *= 2 - odd * x;
    return x;
}

/* state[1], ... must be there already. */
static void state_of(const struct table *t, uint64_t image, word *state) {
    if (t->words > 1) {
        uint64_t x = image * inverse(MULTIPLIER_2);
        x ^= x >> 29 ^ x >> 58;
        x *= inverse(MULTIPLIER_1);
        state[0] = (x ^ x >> 32) ^ hash_rest(state, t->words);
        return;
    }
    unsigned unused = 64 - t->bits, half = (t->bits + 1) / 2;
    uint64_t x = (image >> unused) * inverse(MULTIPLIER_2) << unused >> unused;
    x ^= x >> half;
    x = (x * inverse(MULTIPLIER_1)) << unused >> unused;
    x ^= x >> half;
    state[0] = x << 1 | 1;
}

/* ---- Homes ----
 *
 * The product of image (a fraction) and number of lines: its whole part is the home line, its fraction tells apart the
 * images that share the line. Two of them differ by at least homes * 2^(64-bits), so the fraction's highest
 * bits - floor(log2(homes)) bits are enough: the remainder. */

struct place {
    uint64_t line, fraction;
};

INLINE struct place place_of(const struct table *t, uint32_t words, uint64_t image) {
    if (words == 1) image &= ~UINT64_C(1);
    unsigned __int128 product = (unsigned __int128)image * t->homes;
    return (struct place){(uint64_t)(product >> 64), (uint64_t)product};
}

INLINE uint32_t narrow_entry(const struct table *t, struct place p, unsigned distance) {
    uint64_t remainder = p.fraction >> (64 - t->bits + t->home_bits);
    return (uint32_t)(remainder << DISTANCE_BITS) + distance + 1;
}

/* The only image with this remainder in this home: with N = home * 2^bits + remainder * 2^home_bits, it is N / homes
 * rounded up. 2^bits = quotient * homes + remainder makes it a division of 64-bit numbers. */
INLINE uint64_t narrow_image(const struct table *t, uint64_t line, uint32_t entry) {
    uint64_t home = line - ((entry & MAX_DISTANCE) - 1), remainder = entry >> DISTANCE_BITS;
    uint64_t rest = home * t->remainder + (remainder << t->home_bits);
    uint64_t number = home * t->quotient + (rest + t->homes - 1) / t->homes;
    return number << (64 - t->bits) | 1;
}

/* Whether narrow slots would do for this many homes. */
static bool narrow_enough(const struct table *t, unsigned home_bits) {
    return t->words == 1 && t->bits + DISTANCE_BITS <= 32 + home_bits && t->bits >= home_bits && t->bits <= 62 &&
           home_bits < 31;
}

/* ---- States on their way to new lines: `words` words each, the first of them an image ---- */

struct pending {
    word *states;
    uint32_t count, room;
};

INLINE void pending_add(struct pending *p, uint32_t words, word image, const word *rest) {
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->states = memory_resize(p->states, (size_t)p->room * words * sizeof(word));
    }
    word *state = p->states + (size_t)p->count++ * words;
    state[0] = image;
    for (uint32_t i = 1; i < words; i++) state[i] = rest[i - 1];
}

INLINE void pending_remove(struct pending *p, uint32_t words, uint32_t i) {
    const word *last = p->states + (size_t)--p->count * words;
    for (uint32_t k = 0; k < words; k++) p->states[(size_t)i * words + k] = last[k];
}

/* Empties a line of the old table, which is at the same place. Returns how many images it had. */
INLINE unsigned take_line(const struct table *t, const struct table *old, bool narrow, uint64_t line, word *images) {
    unsigned count = 0;
    if (narrow) {
        const uint32_t *l = narrow_line(t, line);
        for (; count < NARROW && l[count]; count++) images[count] = narrow_image(old, line, l[count]);
    } else {
        const word *l = wide_line(t, line);
        for (; count < WIDE && l[count]; count++) images[count] = l[count];
    }
    memset(wide_line(t, line), 0, 64);
    return count;
}

/* ---- The hot loops, for each kind of machine ---- */

struct table_code {
    uint32_t (*insert)(struct table *t, const word *states, uint32_t n, uint32_t *fresh, uint32_t *fresh_count);
    void (*find)(struct table *t, const word *states, uint32_t n, uint64_t *slots);
    bool (*spread)(struct table *t, const struct table *old, struct pending *p);
};

static bool grow(struct table *t);

#define TARGET
#define NAME(x) x##_plain
#define MATCH8(l, v) match8_plain(l, v)
#define MATCH16(l, v) match16_plain(l, v)
INLINE unsigned match8_plain(const word *line, word v) {
    unsigned hits = 0;
    for (unsigned i = 0; i < WIDE; i++) hits |= (unsigned)(line[i] == v) << i;
    return hits;
}
INLINE unsigned match16_plain(const uint32_t *line, uint32_t v) {
    unsigned hits = 0;
    for (unsigned i = 0; i < NARROW; i++) hits |= (unsigned)(line[i] == v) << i;
    return hits;
}
#include "store/table_code.h"

#if defined __x86_64__
#define TARGET __attribute__((target("avx2,bmi,bmi2")))
#define NAME(x) x##_avx2
#define MATCH8(l, v) match8_avx2(l, v)
#define MATCH16(l, v) match16_avx2(l, v)
INLINE TARGET unsigned match8_avx2(const word *line, word v) {
    const __m256i *l = (const __m256i *)(const void *)line;
    __m256i wanted = _mm256_set1_epi64x((long long)v);
    __m256d low = _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_load_si256(l), wanted));
    __m256d high = _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_load_si256(l + 1), wanted));
    return (unsigned)(_mm256_movemask_pd(low) | _mm256_movemask_pd(high) << 4);
}
INLINE TARGET unsigned match16_avx2(const uint32_t *line, uint32_t v) {
    const __m256i *l = (const __m256i *)(const void *)line;
    __m256i wanted = _mm256_set1_epi32((int)v);
    __m256 low = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_load_si256(l), wanted));
    __m256 high = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_load_si256(l + 1), wanted));
    return (unsigned)(_mm256_movemask_ps(low) | _mm256_movemask_ps(high) << 8);
}
#include "store/table_code.h"
#endif

static const struct table_code *best_code(void) {
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return &code_avx2;
#endif
    return &code_plain;
}

/* ---- Growing ---- */

static uint64_t bytes_for(const struct table *t, uint64_t lines) { return lines * 64 * t->words; }

/* The numbers that follow from the number of lines and their format. A table may fill to three quarters. */
static void set_numbers(struct table *t, uint64_t homes, bool narrow) {
    t->homes = homes;
    t->lines = homes + TAIL;
    t->narrow = narrow;
    t->per_line = narrow ? NARROW : WIDE;
    t->slots = t->lines * t->per_line;
    t->limit = homes * t->per_line / 4 * 3;
    t->home_bits = 63 - (unsigned)__builtin_clzll(homes);
    if (narrow) {
        t->quotient = (UINT64_C(1) << t->bits) / homes;
        t->remainder = (UINT64_C(1) << t->bits) % homes;
    }
}

static bool get_memory(struct table *t, uint64_t homes) {
    uint64_t lines = homes + TAIL;
    return bytes_for(t, lines) <= t->max_bytes && region_grow(&t->lines_region, lines * 64) &&
           (t->words == 1 || region_grow(&t->rests, lines * 64 * (t->words - 1)));
}

/* Wide lines become narrow ones if that is possible: the homes stay, each with twice the room. Else there will be
 * more. */
static bool grow(struct table *t) {
    struct table old = *t;
    struct pending p = {0};
    uint64_t homes = t->homes, step = homes < SMALL_HOMES ? homes : homes / 2;
    if (!t->narrow && narrow_enough(t, t->home_bits)) {
        set_numbers(t, homes, true);
    } else {
        while (step > 0 && !get_memory(t, homes + step)) step = step > homes / 32 ? step / 2 : 0;
        if (step == 0) return false;
        set_numbers(t, homes + step, t->narrow);
    }
    bool good = t->code->spread(t, &old, &p);
    free(p.states);
    return good;
}

/* ---- The interface ---- */

static void need_keys(struct table *t, uint32_t n) {
    if (n + AHEAD <= t->key_room) return;
    t->key_room = 2 * n + AHEAD;
    t->keys = memory_resize(t->keys, t->key_room * sizeof *t->keys);
}

uint32_t table_insert(struct table *t, const word *states, uint32_t n, uint32_t *fresh, uint32_t *fresh_count) {
    need_keys(t, n);
    return t->code->insert(t, states, n, fresh, fresh_count);
}

void table_find(struct table *t, const word *states, uint32_t n, uint64_t *slots) {
    need_keys(t, n);
    t->code->find(t, states, n, slots);
}

bool table_state(const struct table *t, uint64_t slot, word *state) {
    uint64_t image;
    if (t->narrow) {
        uint32_t entry = narrow_line(t, 0)[slot];
        image = entry ? narrow_image(t, slot / NARROW, entry) : 0;
    } else {
        image = wide_line(t, 0)[slot];
    }
    if (image == 0) return false;
    for (uint32_t i = 1; i < t->words; i++) state[i] = rests_of(t)[slot * (t->words - 1) + i - 1];
    state_of(t, image, state);
    return true;
}

uint64_t table_bytes(const struct table *t) { return bytes_for(t, t->lines); }

bool table_init(struct table *t, uint32_t bits, uint64_t max_bytes) {
    *t = (struct table){.bits = bits ? bits : 1, .words = (bits + 1 + 63) / 64, .code = best_code()};
    uint64_t least = bytes_for(t, FIRST_HOMES + TAIL);
    t->max_bytes = max_bytes < least ? least : max_bytes;
    if (!region_init(&t->lines_region, t->max_bytes / t->words + 4096) ||
        (t->words > 1 && !region_init(&t->rests, t->max_bytes + 4096)) || !get_memory(t, FIRST_HOMES))
        return false;
    set_numbers(t, FIRST_HOMES, false);
    return true;
}

void table_fini(struct table *t) {
    region_fini(&t->lines_region);
    region_fini(&t->rests);
    free(t->keys);
    *t = (struct table){0};
}
