#include "store/table.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    TAIL = 4096,         /* slots after the last home */
    FIRST_HOMES = 4096,
    AHEAD = 24,          /* how many states ahead of the one at hand a slot is fetched */
};

/* Growth: the table may fill to 9/10, and then grows by 1/8 (by 1 while it is small). */
static uint64_t limit_for(uint64_t homes) { return homes / 10 * 9; }

/* ---- The bijection ---- */

#define MULTIPLIER_1 UINT64_C(0x9fb21c651e98df25)
#define MULTIPLIER_2 UINT64_C(0xc2b2ae3d27d4eb4f)

INLINE uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= MULTIPLIER_1;
    x ^= x >> 29;
    return x * MULTIPLIER_2;
}

/* The inverse of an odd number modulo 2^64, by Newton's iteration. */
static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 5; i++) x *= 2 - odd * x;
    return x;
}

static uint64_t unmix(uint64_t x) {
    x *= inverse(MULTIPLIER_2);
    x ^= x >> 29 ^ x >> 58;
    x *= inverse(MULTIPLIER_1);
    return x ^ x >> 32;
}

/* Even, so that the mark bit of the first word survives and the sum is not 0. */
INLINE uint64_t hash_rest(const word *state, uint32_t words) {
    return words == 1 ? 0 : XXH3_64bits(state + 1, (words - 1) * sizeof(word)) & ~UINT64_C(1);
}

INLINE uint64_t first_word(const word *state, uint32_t words) { return mix(state[0] ^ hash_rest(state, words)); }

/* ---- Slots ---- */

INLINE word *slots_of(const struct table *t) { return (word *)(void *)t->region.base; }

INLINE uint64_t home(uint64_t first, uint64_t homes) {
    return (uint64_t)(((unsigned __int128)first * homes) >> 64);
}

/* The slot where the state is (true) or belongs (false). */
INLINE bool locate(const struct table *t, uint32_t words, uint64_t first, const word *state, uint64_t *slot) {
    const word *base = slots_of(t), *p = base + home(first, t->homes) * words;
    /* Empty is 0: smaller than every state, so it is looked for apart. */
    while (*p < first && *p != 0) p += words;
    if (words > 1)
        while (*p == first && memcmp(p + 1, state + 1, (words - 1) * sizeof(word)) != 0) p += words;
    *slot = (uint64_t)(p - base) / words;
    return *p == first;
}

/* Puts a state at its place, moving what follows up to the next empty slot. False: no slot is left at the end. */
INLINE bool put(struct table *t, uint32_t words, uint64_t first, const word *state, uint64_t slot) {
    word *p = slots_of(t) + slot * words, *last = slots_of(t) + (t->slots - 1) * words, *e = p;
    while (*e != 0) e += words;
    if (e >= last) return false; /* the last slot stays empty: it ends every search */
    memmove(p + words, p, (size_t)((char *)e - (char *)p));
    p[0] = first;
    for (uint32_t i = 1; i < words; i++) p[i] = state[i];
    t->count++;
    return true;
}

/* ---- Growing ---- */

static bool set_size(struct table *t, uint64_t homes) {
    uint64_t slots = homes + TAIL, bytes = slots * t->words * sizeof(word);
    if (bytes > t->max_bytes || !region_grow(&t->region, bytes)) return false;
    t->homes = homes;
    t->slots = slots;
    t->limit = limit_for(homes);
    return true;
}

/* First pass: all states, still in order, to the far end. Returns where the first of them is. */
INLINE uint64_t move_to_end(struct table *t, uint32_t words, uint64_t old_slots) {
    word *base = slots_of(t);
    uint64_t to = t->slots;
    for (uint64_t from = old_slots; from-- > 0;)
        if (base[from * words] != 0) memmove(base + --to * words, base + from * words, words * sizeof(word));
    return to;
}

/* Second pass: each to its home or to the next free slot; what is between becomes empty. The states that are still to be
 * placed need as many slots as are left, so that no state is overwritten before it was moved. */
INLINE void spread_out(struct table *t, uint32_t words, uint64_t from) {
    word *base = slots_of(t);
    uint64_t next = 0;
    for (; from < t->slots; from++) {
        uint64_t at = home(base[from * words], t->homes);
        if (at < next) at = next;
        if (at > from) at = from;
        for (uint64_t gap = next; gap < at; gap++) base[gap * words] = 0;
        memmove(base + at * words, base + from * words, words * sizeof(word));
        next = at + 1;
    }
    for (; next < t->slots; next++) base[next * words] = 0;
}

static bool grow(struct table *t) {
    uint64_t old_slots = t->slots, homes = t->homes;
    uint64_t wanted = homes < (UINT64_C(1) << 20) ? 2 * homes : homes + homes / 8;
    if (!set_size(t, wanted) && !set_size(t, homes + homes / 64)) return false;
    if (t->words == 1) spread_out(t, 1, move_to_end(t, 1, old_slots));
    else spread_out(t, t->words, move_to_end(t, t->words, old_slots));
    return true;
}

/* ---- Batches ---- */

static void need_hashes(struct table *t, uint32_t n) {
    if (n + AHEAD <= t->hash_room) return;
    t->hash_room = 2 * n + AHEAD;
    t->hashes = memory_resize(t->hashes, t->hash_room * sizeof *t->hashes);
}

INLINE void fetch(const struct table *t, uint32_t words, uint64_t first) {
    const char *p = (const char *)(slots_of(t) + home(first, t->homes) * words);
    __builtin_prefetch(p);
    __builtin_prefetch(p + 64);
}

/* Hashes all, and fetches the slots of the first few. */
INLINE void begin(struct table *t, uint32_t words, const word *states, uint32_t n) {
    need_hashes(t, n);
    for (uint32_t i = 0; i < n; i++) t->hashes[i] = first_word(states + (size_t)i * words, words);
    for (uint32_t i = n; i < n + AHEAD; i++) t->hashes[i] = n ? t->hashes[n - 1] : 1;
    for (uint32_t i = 0; i < AHEAD; i++) fetch(t, words, t->hashes[i]);
}

INLINE uint32_t insert(struct table *t, uint32_t words, const word *states, uint32_t n, uint32_t *fresh,
                       uint32_t *fresh_count) {
    uint32_t found = 0;
    begin(t, words, states, n);
    for (uint32_t i = 0; i < n; i++) {
        const word *state = states + (size_t)i * words;
        uint64_t first = t->hashes[i], slot;
        fetch(t, words, t->hashes[i + AHEAD]);
        if (locate(t, words, first, state, &slot)) continue;
        while (__builtin_expect(t->count >= t->limit, 0) || !put(t, words, first, state, slot)) {
            if (!grow(t)) return *fresh_count = found, i;
            locate(t, words, first, state, &slot);
        }
        fresh[found++] = i;
    }
    *fresh_count = found;
    return n;
}

INLINE void find(struct table *t, uint32_t words, const word *states, uint32_t n, uint64_t *slots) {
    begin(t, words, states, n);
    for (uint32_t i = 0; i < n; i++) {
        fetch(t, words, t->hashes[i + AHEAD]);
        if (!locate(t, words, t->hashes[i], states + (size_t)i * words, &slots[i])) slots[i] = TABLE_NONE;
    }
}

/* One body, compiled for the common lengths and for any. */
uint32_t table_insert(struct table *t, const word *states, uint32_t n, uint32_t *fresh, uint32_t *fresh_count) {
    switch (t->words) {
    case 1: return insert(t, 1, states, n, fresh, fresh_count);
    case 2: return insert(t, 2, states, n, fresh, fresh_count);
    case 3: return insert(t, 3, states, n, fresh, fresh_count);
    default: return insert(t, t->words, states, n, fresh, fresh_count);
    }
}

void table_find(struct table *t, const word *states, uint32_t n, uint64_t *slots) {
    switch (t->words) {
    case 1: find(t, 1, states, n, slots); break;
    case 2: find(t, 2, states, n, slots); break;
    case 3: find(t, 3, states, n, slots); break;
    default: find(t, t->words, states, n, slots);
    }
}

bool table_state(const struct table *t, uint64_t slot, word *state) {
    const word *p = slots_of(t) + slot * t->words;
    if (*p == 0) return false;
    for (uint32_t i = 1; i < t->words; i++) state[i] = p[i];
    state[0] = unmix(p[0]) ^ hash_rest(state, t->words);
    return true;
}

uint64_t table_bytes(const struct table *t) { return t->slots * t->words * sizeof(word); }

bool table_init(struct table *t, uint32_t words, uint64_t max_bytes) {
    *t = (struct table){.words = words, .max_bytes = max_bytes};
    uint64_t least = (FIRST_HOMES + TAIL) * (uint64_t)words * sizeof(word);
    if (max_bytes < least) t->max_bytes = max_bytes = least;
    return region_init(&t->region, max_bytes) && set_size(t, FIRST_HOMES);
}

void table_fini(struct table *t) {
    region_fini(&t->region);
    free(t->hashes);
    *t = (struct table){0};
}
