#include "store/bitstate.h"

#define XXH_INLINE_ALL
#include <assert.h>
#include <xxhash.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    LINE_WORDS = BITSTATE_LINE_BITS / 64,
    POSITION_BITS = 9, /* 2^9 bits in a line */
    POSITIONS = 64 / POSITION_BITS,
    TALLY = 64, /* states that a thread adds before it reports them */
};

uint64_t bitstate_hash(const word *state, uint32_t words) { return XXH3_64bits(state, words * sizeof(word)); }

bool bitstate_init(struct bitstate *b, uint64_t bytes, unsigned hashes) {
    if (hashes == 0) hashes = BITSTATE_HASHES;
    if (hashes > BITSTATE_MAX_HASHES) hashes = BITSTATE_MAX_HASHES;
    *b = (struct bitstate){.lines = bytes < 64 ? 1 : bytes / 64, .hashes = hashes};
    if (!region_init(&b->region, b->lines * 64)) return false;
    if (!region_grow(&b->region, b->lines * 64)) return region_fini(&b->region), false;
    for (unsigned s = 0; s <= BITSTATE_LINE_BITS; s++) {
        b->chance[s] = 1;
        for (unsigned i = 0; i < hashes; i++) b->chance[s] *= (double)s / BITSTATE_LINE_BITS;
    }
    pthread_mutex_init(&b->lock, NULL);
    return true;
}

void bitstate_fini(struct bitstate *b) {
    if (b->region.base) pthread_mutex_destroy(&b->lock);
    region_fini(&b->region);
}

/* ---- Lines and bits ---- */

INLINE uint64_t *line_of(const struct bitstate *b, uint64_t hash) {
    uint64_t line = (uint64_t)((unsigned __int128)hash * b->lines >> 64);
    return (uint64_t *)(void *)b->region.base + line * LINE_WORDS;
}

/* Independent of the high bits, which have chosen the line. */
INLINE uint64_t mix(uint64_t hash) {
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9fb21c651e98df25);
    hash ^= hash >> 29;
    hash *= UINT64_C(0xc2b2ae3d27d4eb4f);
    return hash ^ hash >> 32;
}

/* Which bit the i-th is. The mixed hash has enough for 7; the eighth are the low bits of the hash itself. */
INLINE unsigned position(uint64_t hash, uint64_t mixed, unsigned i) {
    uint64_t bits = i < POSITIONS ? mixed >> i * POSITION_BITS : hash;
    return (unsigned)bits & (BITSTATE_LINE_BITS - 1);
}

/* Read word by word, since other threads may be setting bits. */
INLINE uint64_t read_word(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

#define COUNT_BITS(line)                                                                                               \
    unsigned count = 0;                                                                                                \
    for (int i = 0; i < LINE_WORDS; i++) count += (unsigned)__builtin_popcountll(read_word((line) + i));               \
    return count
static unsigned count_plain(const uint64_t *line) { COUNT_BITS(line); }
#if defined __x86_64__
__attribute__((target("popcnt"))) static unsigned count_popcnt(const uint64_t *line) { COUNT_BITS(line); }
static unsigned count_bits(const uint64_t *line) {
    return __builtin_cpu_supports("popcnt") ? count_popcnt(line) : count_plain(line);
}
#else
static unsigned count_bits(const uint64_t *line) { return count_plain(line); }
#endif

void bitstate_prefetch(const struct bitstate *b, uint64_t hash) { __builtin_prefetch(line_of(b, hash), 1); }

bool bitstate_has(const struct bitstate *b, uint64_t hash) {
    const uint64_t *line = line_of(b, hash);
    uint64_t mixed = mix(hash);
    for (unsigned i = 0; i < b->hashes; i++) {
        unsigned p = position(hash, mixed, i);
        if (!(read_word(&line[p / 64]) >> p % 64 & 1)) return false;
    }
    return true;
}

/* ---- Adding ---- */

/* Sets the bits of a state. Returns how many of them were not set. */
INLINE unsigned set_bits(const struct bitstate *b, uint64_t *line, uint64_t hash, bool shared) {
    uint64_t mixed = mix(hash);
    unsigned fresh = 0;
    for (unsigned i = 0; i < b->hashes; i++) {
        unsigned p = position(hash, mixed, i);
        uint64_t *word = &line[p / 64], bit = UINT64_C(1) << p % 64;
        if (read_word(word) & bit) continue;
        if (!shared) *word |= bit, fresh++;
        else if (!(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit)) fresh++;
    }
    return fresh;
}

/* `states` new states came while the mean chance was about what it is now; then the chances changed. */
static void account(struct bitstate *b, uint32_t states, double chances) {
    double mean = b->chances / (double)b->lines;
    if (mean > 0 && mean < 1) b->omitted += states * mean / (1 - mean);
    b->chances += chances;
    b->states += states;
}

/* How the chance of a line has changed when `fresh` more bits were set. */
INLINE double change(const struct bitstate *b, const uint64_t *line, unsigned fresh) {
    unsigned now = count_bits(line);
    assert(now >= fresh && now <= BITSTATE_LINE_BITS); /* other threads set bits, too; nobody clears one */
    return b->chance[now] - b->chance[now > fresh ? now - fresh : 0];
}

bool bitstate_add(struct bitstate *b, uint64_t hash) {
    uint64_t *line = line_of(b, hash);
    unsigned fresh = set_bits(b, line, hash, false);
    if (fresh == 0) return false;
    account(b, 1, change(b, line, fresh));
    return true;
}

bool bitstate_add_shared(struct bitstate *b, struct bitstate_tally *tally, uint64_t hash) {
    uint64_t *line = line_of(b, hash);
    unsigned fresh = set_bits(b, line, hash, true);
    if (fresh == 0) return false;
    tally->chances += change(b, line, fresh);
    if (++tally->states == TALLY) bitstate_report(b, tally);
    return true;
}

void bitstate_report(struct bitstate *b, struct bitstate_tally *tally) {
    pthread_mutex_lock(&b->lock);
    account(b, tally->states, tally->chances);
    pthread_mutex_unlock(&b->lock);
    *tally = (struct bitstate_tally){0};
}

double bitstate_omitted(const struct bitstate *b) { return b->omitted; }

double bitstate_coverage(const struct bitstate *b) {
    return b->states ? (double)b->states / ((double)b->states + b->omitted) : 1;
}
