#include "store/shard.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

enum {
    DISTANCE_BITS = 4,
    MAX_DISTANCE = (1 << DISTANCE_BITS) - 2, /* in lines */
    TAIL = MAX_DISTANCE + 1,                 /* lines after the last home */
    MAX_RUN = 1000,                          /* full lines to pass in search of an empty slot */
    AHEAD = 24,                              /* how many images ahead of the one at hand a line is fetched */
};

#define MOST_HOMES ((UINT64_C(1) << 31) - 1)

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t *line_at(const struct shard *s, uint64_t line) {
    return (uint32_t *)(void *)(s->memory.base + line * 64);
}

/* ---- Lines of each format: `per_line` is a constant where it matters ---- */

INLINE uint64_t entry_at(const uint32_t *line, unsigned per_line, unsigned slot) {
    switch (per_line) {
    case 16: return line[slot];
    case 12: return line[slot] | (uint64_t)((const uint8_t *)(line + 12))[slot] << 32;
    case 10: return line[slot] | (uint64_t)((const uint16_t *)(const void *)(line + 10))[slot] << 32;
    default: return line[slot] | (uint64_t)line[8 + slot] << 32;
    }
}

INLINE void put_entry(uint32_t *line, unsigned per_line, unsigned slot, uint64_t entry) {
    assert(per_line == 8 || entry >> (per_line == 16 ? 32 : per_line == 12 ? 40 : 48) == 0);
    assert((entry & (MAX_DISTANCE + 1)) != 0); /* or the slot would be taken for an empty one */
    line[slot] = (uint32_t)entry;
    switch (per_line) {
    case 16: break;
    case 12: ((uint8_t *)(line + 12))[slot] = (uint8_t)(entry >> 32); break;
    case 10: ((uint16_t *)(void *)(line + 10))[slot] = (uint16_t)(entry >> 32); break;
    default: line[8 + slot] = (uint32_t)(entry >> 32); break;
    }
}

static unsigned slots_for(unsigned entry_bits) {
    return entry_bits <= 32 ? 16 : entry_bits <= 40 ? 12 : entry_bits <= 48 ? 10 : 8;
}

/* ---- Homes ----
 *
 * Two images with the same home have fractions that differ by at least homes * 2^(64-bits), so the fraction's highest
 * bits - floor(log2(homes)) bits are enough: the remainder. */

struct place {
    uint64_t line, entry;
};

INLINE struct place place_of(const struct shard *s, uint64_t image) {
    unsigned __int128 product = (unsigned __int128)image * s->homes;
    uint64_t remainder = (uint64_t)product >> 1 >> (63 - s->remainder_bits);
    return (struct place){(uint64_t)(product >> 64), remainder << DISTANCE_BITS | 1};
}

/* The only image with this remainder in this home: with N = home * 2^bits + remainder * 2^(bits - remainder_bits), it
 * is N / homes, rounded up. 2^bits = quotient * homes + rest makes it a division of 64-bit numbers; the reciprocal
 * turns that into a product that is at most one too small. */
INLINE uint64_t image_at(const struct shard *s, uint64_t line, uint64_t entry) {
    uint64_t home = line - ((entry & (MAX_DISTANCE + 1)) - 1), remainder = entry >> DISTANCE_BITS;
    uint64_t n = home * s->rest + (remainder << (s->bits - s->remainder_bits)) + s->homes - 1;
    uint64_t q = (uint64_t)(((unsigned __int128)n * s->reciprocal) >> 64);
    if (n - q * s->homes >= s->homes) q++;
    return (home * s->quotient + q) << (64 - s->bits);
}

/* ---- Growing: what the hot loop needs ---- */

/* Images on their way to new lines. */
struct pending {
    uint64_t *images;
    uint32_t count, room;
};

struct moving {
    struct pending waiting; /* until the lines that they go to have been emptied */
    struct pending strays;  /* all lines near their homes were full */
};

static void pending_add(struct pending *p, uint64_t image) {
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->images = memory_resize(p->images, p->room * sizeof *p->images);
    }
    p->images[p->count++] = image;
}

/* How many slots of each new line are taken, of the lines that new images still go to. Looking at the line itself would
 * mean to wait for what was just stored there. */
struct filling {
    uint64_t lowest; /* line that was filled so far */
    uint8_t taken[256];
};

INLINE bool fill(const struct shard *s, unsigned per_line, struct filling *f, struct place p) {
    while (f->lowest > p.line) f->taken[--f->lowest % 256] = 0;
    for (unsigned distance = 0; distance <= MAX_DISTANCE; distance++) {
        uint64_t line = p.line + distance;
        unsigned taken = f->taken[line % 256];
        if (taken == per_line) continue;
        assert(line < s->lines && line - f->lowest < 256); /* counts of lines that are still filled are not reused */
        put_entry(line_at(s, line), per_line, taken, p.entry + distance);
        f->taken[line % 256] = (uint8_t)(taken + 1);
        return true;
    }
    return false;
}

/* ---- Making room where all lines that an image may be in are full ----
 *
 * There is an empty slot further on, and an image near it may be able to move there: then its own slot is empty. A
 * chain of such moves brings the empty slot near. Few images need it, but the first that does comes long before the
 * shard is as full as it may be. */

/* A slot, and what it holds or should. */
struct spot {
    uint32_t *line;
    unsigned index;
    uint64_t entry;
};

struct hole {
    uint64_t line;
    unsigned slot;
};

/* Moves the hole until it is in a line for images of this home. Each time as far as can be, which is never worse than
 * a shorter way. False: it does not get there, and nothing was moved. */
static bool bring_near(const struct shard *s, uint64_t home, struct hole *hole) {
    if (hole->line <= home + MAX_DISTANCE) return true;
    for (uint64_t line = hole->line - MAX_DISTANCE; line < hole->line; line++)
        for (unsigned slot = 0; slot < s->per_line; slot++) {
            uint64_t entry = entry_at(line_at(s, line), s->per_line, slot), way = hole->line - line;
            if ((entry & (MAX_DISTANCE + 1)) - 1 + way > MAX_DISTANCE) continue;
            struct hole next = {line, slot};
            if (!bring_near(s, home, &next)) return false;
            put_entry(line_at(s, hole->line), s->per_line, hole->slot, entry + way);
            *hole = next;
            return true;
        }
    return false;
}

/* A slot for an image that is not there; its line is NULL if there is none. */
static struct spot make_room(const struct shard *s, struct place p) {
    struct hole hole = {p.line, 0};
    while (hole.line < s->lines && line_at(s, hole.line)[s->per_line - 1]) hole.line++;
    if (hole.line == s->lines || hole.line > p.line + MAX_RUN) return (struct spot){0};
    while (line_at(s, hole.line)[hole.slot]) hole.slot++;
    assert(hole.slot < s->per_line); /* slots fill from the left, and its last one is empty */
    if (!bring_near(s, p.line, &hole)) return (struct spot){0};
    return (struct spot){line_at(s, hole.line), hole.slot, p.entry + (hole.line - p.line)};
}

/* ---- The hot loops, for each kind of machine ---- */

struct shard_code {
    bool (*insert)(struct shard *s, const uint64_t *images, uint32_t n, uint32_t *fresh, uint32_t *fresh_count,
                   uint32_t *next);
    uint64_t (*find)(const struct shard *s, uint64_t image);
    void (*find_all)(const struct shard *s, uint32_t n, uint64_t *slots);
    void (*spread)(const struct shard *s, const struct shard *old, struct moving *m);
};

#define TARGET
#define NAME(x) x##_plain
INLINE unsigned match_plain(const uint32_t *line, uint32_t v) {
    unsigned hits = 0;
    for (unsigned i = 0; i < 16; i++) hits |= (unsigned)(line[i] == v) << i;
    return hits;
}
#include "store/shard_code.h"

#if defined __x86_64__
#define TARGET __attribute__((target("avx2,bmi,bmi2")))
#define NAME(x) x##_avx2
INLINE TARGET unsigned match_avx2(const uint32_t *line, uint32_t v) {
    const __m256i *l = (const __m256i *)(const void *)line;
    __m256i wanted = _mm256_set1_epi32((int)v);
    __m256 low = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_load_si256(l), wanted));
    __m256 high = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_load_si256(l + 1), wanted));
    return (unsigned)(_mm256_movemask_ps(low) | _mm256_movemask_ps(high) << 8);
}
#include "store/shard_code.h"
#endif

/* The fastest that this machine can run. */
static const struct shard_code *best_code(void) {
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return &code_avx2;
#endif
    return &code_plain;
}

/* ---- Growing ---- */

/* The numbers that follow from the number of homes. The fuller a shard may become, the longer are searches in it: 3/4
 * is fast; 13/16, or 27/32 where entries are long, saves memory. */
static void set_numbers(struct shard *s, uint64_t homes) {
    unsigned home_bits = 63 - (unsigned)__builtin_clzll(homes);
    s->homes = homes;
    s->lines = homes + TAIL;
    s->remainder_bits = s->bits > home_bits ? s->bits - home_bits : 0;
    s->per_line = slots_for(s->remainder_bits + DISTANCE_BITS);
    s->limit = homes * s->per_line / 32 * (homes < s->dense_from ? 24 : s->per_line == 16 ? 26 : 27);
    assert(s->bits < 64 && s->remainder_bits + DISTANCE_BITS <= 64);
    assert(s->limit < homes * s->per_line); /* a search ends at an empty slot */
    s->quotient = (UINT64_C(1) << s->bits) / homes;
    s->rest = (UINT64_C(1) << s->bits) % homes;
    s->reciprocal = homes > 1 ? (uint64_t)(((unsigned __int128)1 << 64) / homes) : UINT64_MAX;
}

static bool get_memory(struct shard *s, uint64_t homes) {
    return homes <= MOST_HOMES && region_grow_within(&s->memory, (homes + TAIL) * 64, s->budget);
}

/* False: there is no room for one, which is lost. It takes images that are not spread evenly at all. */
static bool place_strays(const struct shard *s, const struct pending *strays) {
    bool good = true;
    for (uint32_t i = 0; i < strays->count; i++) {
        struct spot spot = make_room(s, place_of(s, strays->images[i]));
        if (spot.line) put_entry(spot.line, s->per_line, spot.index, spot.entry);
        else good = false;
    }
    return good;
}

/* Small ones are doubled, which costs little memory; large ones grow by a quarter. Or by what memory allows; the last
 * time to nearly full. */
static bool grow(struct shard *s) {
    struct shard old = *s;
    uint64_t step = s->homes / (s->homes < s->dense_from / 4 ? 1 : s->homes < s->dense_from ? 2 : 4);
    while (step > 0 && !get_memory(s, s->homes + step)) step = step > s->homes / 32 ? step / 2 : 0;
    if (step == 0) {
        uint64_t most = s->homes * s->per_line / 64 * 61;
        bool more = s->limit < most;
        s->limit = most;
        return more;
    }
    struct moving moving = {0};
    set_numbers(s, s->homes + step);
    s->code->spread(s, &old, &moving);
    s->lost = !place_strays(s, &moving.strays);
    free(moving.waiting.images);
    free(moving.strays.images);
    return !s->lost;
}

/* ---- The interface ---- */

bool shard_init(struct shard *s, unsigned bits, uint64_t first_lines, uint64_t dense_from, struct budget *budget) {
    *s = (struct shard){.bits = bits ? bits : 1, .dense_from = dense_from, .budget = budget, .code = best_code()};
    /* Address space is no more plentiful than that there is enough of it for hundreds of shards. */
    uint64_t most = (MOST_HOMES + TAIL) * 64;
    if (!region_init(&s->memory, budget->total < most ? budget->total : most)) return false;
    if (get_memory(s, first_lines)) return set_numbers(s, first_lines), true;
    shard_fini(s);
    return false;
}

void shard_fini(struct shard *s) { region_fini(&s->memory); }

uint32_t shard_insert(struct shard *s, const uint64_t *images, uint32_t n, uint32_t *fresh, uint32_t *fresh_count) {
    uint32_t next = 0;
    *fresh_count = 0;
    while (!s->lost && !s->code->insert(s, images, n, fresh, fresh_count, &next) && grow(s)) {}
    return next;
}

void shard_make_room(struct shard *s) {
    if (!shard_has_room(s, s->limit / 16)) grow(s);
}

uint64_t shard_find(const struct shard *s, uint64_t image) { return s->code->find(s, image); }

void shard_find_all(const struct shard *s, uint32_t n, uint64_t *slots) { s->code->find_all(s, n, slots); }

void shard_prefetch(const struct shard *s, uint64_t image) {
    __builtin_prefetch(line_at(s, (uint64_t)(((unsigned __int128)image * s->homes) >> 64)));
}

bool shard_image(const struct shard *s, uint64_t slot, uint64_t *image) {
    assert(slot < shard_slots(s));
    uint64_t line = slot / s->per_line;
    uint64_t entry = entry_at(line_at(s, line), s->per_line, (unsigned)(slot % s->per_line));
    if (entry == 0) return false;
    *image = image_at(s, line, entry);
    return true;
}
