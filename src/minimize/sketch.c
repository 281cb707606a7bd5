#include "minimize/sketch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/bisimulation.h"
#include "minimize/division.h"

enum { MOST_ROUNDS = 24 };

/* All numbers are in the first word; the second one has one in sixteen, so that it tells large sets apart. */
struct bits {
    uint64_t all, few;
};

struct sketch {
    const struct lts *l;
    uint64_t *value;     /* of a state */
    struct bits *by_tau; /* of a state: what it gets to by tau* */
    struct bits *later;  /* of a state: what it gets to by tau* label tau* */
    uint8_t *turn;       /* of a label, twice: by how many places it rotates */
    uint64_t salt;
    uint64_t *seen; /* bits, by hashes of values */
    unsigned seen_bits;
};

static uint64_t rotate(uint64_t x, unsigned places) { return x << (places & 63) | x >> (-places & 63); }

static void unite(struct bits *x, const struct bits *y) {
    x->all |= y->all;
    x->few |= y->few;
}

static struct bits bits_of(const struct sketch *k, uint64_t value) {
    uint64_t h = (value ^ k->salt) * UINT64_C(0x9e3779b97f4a7c15);
    return (struct bits){UINT64_C(1) << (h >> 58), (h >> 54 & 15) ? 0 : UINT64_C(1) << (h >> 48 & 63)};
}

static void find_by_tau(struct sketch *k) {
    const struct lts *l = k->l;
    for (uint32_t s = 0; s < l->states; s++) {
        struct bits own = bits_of(k, k->value[s]);
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label == LTS_TAU; e++) {
            assert(e->target < s);
            unite(&own, &k->by_tau[e->target]);
        }
        k->by_tau[s] = own;
    }
}

static void find_later(struct sketch *k) {
    const struct lts *l = k->l;
    for (uint32_t s = 0; s < l->states; s++) {
        struct bits own = {0, 0};
        const struct lts_edge *e = lts_begin(l, s), *end = lts_end(l, s);
        for (; e < end && e->label == LTS_TAU; e++) unite(&own, &k->later[e->target]);
        for (; e < end; e++) {
            const struct bits *there = &k->by_tau[e->target];
            const uint8_t *turn = &k->turn[2 * e->label];
            unite(&own, &(struct bits){rotate(there->all, turn[0]), rotate(there->few, turn[1])});
        }
        k->later[s] = own;
    }
}

static uint64_t next_value(const struct sketch *k, uint32_t s) {
    const struct bits *x = &k->by_tau[s], *y = &k->later[s];
    uint64_t h = division_mix(k->value[s] ^ k->salt);
    h = division_mix(h + x->all) ^ x->few;
    h = division_mix(h + y->all) ^ y->few;
    return division_mix(h);
}

static void begin_round(struct sketch *k, unsigned round) {
    k->salt = division_mix(round + 1);
    for (uint32_t i = 0; i < 2 * k->l->labels.count; i++)
        k->turn[i] = (uint8_t)(division_mix(k->salt + i + UINT64_C(1)) >> 58);
    memset(k->seen, 0, (UINT64_C(1) << k->seen_bits) / 8);
}

/* New values for all; how many there are, about. */
static double make_round(struct sketch *k, unsigned round) {
    begin_round(k, round);
    find_by_tau(k);
    find_later(k);
    for (uint32_t s = 0; s < k->l->states; s++) {
        uint64_t place = (k->value[s] = next_value(k, s)) >> (64 - k->seen_bits);
        k->seen[place / 64] |= UINT64_C(1) << place % 64;
    }
    double all = (double)(UINT64_C(1) << k->seen_bits), taken = 0;
    for (uint64_t i = 0; i < (UINT64_C(1) << k->seen_bits) / 64; i++) taken += __builtin_popcountll(k->seen[i]);
    return -all * log1p(-taken / all);
}

static void sketch_init(struct sketch *k, const struct lts *l) {
    uint8_t *kind = memory_get(l->states);
    *k = (struct sketch){.l = l, .seen_bits = 12};
    while (k->seen_bits < 36 && (UINT64_C(1) << k->seen_bits) < 8 * (uint64_t)l->states) k->seen_bits++;
    k->value = memory_get_large(l->states * sizeof *k->value);
    k->by_tau = memory_get_large(l->states * sizeof *k->by_tau);
    k->later = memory_get_large(l->states * sizeof *k->later);
    k->turn = memory_get(2 * (size_t)l->labels.count);
    k->seen = memory_get_large((UINT64_C(1) << k->seen_bits) / 8);
    lts_kinds(l, kind);
    for (uint32_t s = 0; s < l->states; s++) k->value[s] = kind[s];
    free(kind);
}

static void sketch_fini(struct sketch *k) {
    free(k->value);
    free(k->by_tau);
    free(k->later);
    free(k->turn);
    free(k->seen);
}

/* Numbers the values in the order of the first states that have them. */
static uint32_t *number_values(const struct sketch *k, uint32_t *parts) {
    enum { AHEAD = 16 };
    uint32_t n = k->l->states, *part = memory_get_large(n * sizeof *part);
    uint64_t mask = 1023;
    while (mask < 2 * (uint64_t)n) mask = 2 * mask + 1;
    uint32_t *table = memory_get_large_zeroed((mask + 1) * sizeof *table); /* a state + 1 */
    *parts = 0;
    for (uint32_t s = 0; s < n; s++) {
        if (s + AHEAD < n) __builtin_prefetch(&table[k->value[s + AHEAD] & mask], 1);
        uint64_t at = k->value[s] & mask;
        while (table[at] && k->value[table[at] - 1] != k->value[s]) at = (at + 1) & mask;
        if (!table[at]) table[at] = s + 1;
        part[s] = table[at] == s + 1 ? (*parts)++ : part[table[at] - 1];
    }
    free(table);
    return part;
}

uint32_t *sketch_weakly(const struct lts *l, struct effort *effort, uint32_t *parts) {
    enum { LEAST_GAIN = 64 }; /* a round must give one part more for so many */
    struct sketch k;
    sketch_init(&k, l);
    double before = 0;
    for (unsigned round = 0; round < MOST_ROUNDS && !effort_look(effort); round++) {
        double now = make_round(&k, round);
        if (round > 1 && now < before + before / LEAST_GAIN) break;
        before = now;
    }
    uint32_t *part = number_values(&k, parts);
    sketch_fini(&k);
    return part;
}
