#include "front/lookup.h"

#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

#include "base/memory.h"

enum {
    SHARED_BITS = 6,     /* at most, of a table that several transitions share */
    OWN_BITS = 12,       /* at most, of a table of one */
    MOST_BYTES = 196608, /* of all tables: they compete with the rest of the work for a cache */
    LEARN_FROM = 32,     /* states, before there are tables */
    MOST_REGROUPED = 64, /* times */
};

/* ---- Looking up ---- */

#if defined __x86_64__
bool lookup_is_fast(void) {
    /* Two processors have the instruction, and take hundreds of cycles for it. */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2");
}

__attribute__((target("avx2,bmi,bmi2"))) void lookup_run(const struct lookup *l, const word *sources, uint32_t count,
                                                         uint32_t *next, word *successors, uint64_t room,
                                                         uint32_t *ends, uint32_t *end) {
    const struct lookup_group *groups = l->groups, *last = groups + l->group_count;
    const uint64_t needed = l->transitions + LOOKUP_WIDTH;
    uint32_t i = *next, done = *end;
    for (; i < count && done + needed <= room; i++) {
        word source = sources[i], *out = successors + done;
        __m256i sources4 = _mm256_set1_epi64x((long long)source);
        unsigned odd = 0;
        for (const struct lookup_group *g = groups; g < last; g++) {
            uint64_t entry = _pext_u64(source, g->mask);
            unsigned enabled = g->counts[entry];
            if (g->wide) {
                __m256i flips = _mm256_load_si256((const __m256i *)(const void *)(g->flips + LOOKUP_WIDTH * entry));
                _mm256_storeu_si256((__m256i *)(void *)out, _mm256_xor_si256(flips, sources4));
            } else {
                *out = source ^ g->flips[entry];
            }
            odd |= enabled;
            out += enabled % LOOKUP_UNKNOWN;
        }
        if (__builtin_expect(odd & LOOKUP_UNKNOWN, 0)) break;
        ends[i] = done = (uint32_t)(out - successors);
    }
    *next = i;
    *end = done;
}
#else
bool lookup_is_fast(void) { return false; }

void lookup_run(const struct lookup *l, const word *sources, uint32_t count, uint32_t *next, word *successors,
                uint64_t room, uint32_t *ends, uint32_t *end) {
    (void)l, (void)sources, (void)count, (void)next, (void)successors, (void)room, (void)ends, (void)end;
}
#endif

/* ---- Grouping ---- */

/* The k-th transition in the order of firing. */
static uint32_t in_order(const struct lookup *l, uint32_t k) { return l->forward ? k : l->transitions - 1 - k; }

static unsigned bits_of(word mask) { return (unsigned)__builtin_popcountll(mask); }

static size_t entries(const struct lookup_group *g) { return (size_t)1 << bits_of(g->mask); }

static size_t flips_of(const struct lookup_group *g) { return entries(g) * (g->wide ? LOOKUP_WIDTH : 1); }

/* Flips in whole lines, so that vectors of them are aligned. */
static size_t flip_bytes(const struct lookup_group *g) { return (flips_of(g) * sizeof(uint64_t) + 63) / 64 * 64; }

static void give_up(struct lookup *l) {
    free(l->memory);
    free(l->groups);
    l->memory = l->groups = NULL;
    l->group_count = 0;
    l->phase = LOOKUP_GIVEN_UP;
}

/* New tables, all of whose entries are unknown. */
static void regroup(struct lookup *l) {
    size_t bytes = 0;
    bool fits = l->regrouped++ < MOST_REGROUPED;
    free(l->memory);
    l->memory = NULL;
    l->group_count = 0;
    for (uint32_t k = 0; k < l->transitions; k++) {
        word uses = l->uses[in_order(l, k)];
        struct lookup_group *g = l->group_count ? &l->groups[l->group_count - 1] : NULL;
        fits = fits && bits_of(uses) <= OWN_BITS;
        if (g && g->count < LOOKUP_WIDTH && bits_of(g->mask | uses) <= SHARED_BITS) {
            g->mask |= uses;
            g->count++;
            g->wide = true;
        } else {
            l->groups[l->group_count++] = (struct lookup_group){.mask = uses, .first = k, .count = 1};
        }
    }
    for (uint32_t i = 0; fits && i < l->group_count; i++) {
        bytes += flip_bytes(&l->groups[i]) + entries(&l->groups[i]);
        fits = bytes <= MOST_BYTES;
    }
    if (!fits) {
        give_up(l);
        return;
    }
    l->memory = memory_get_lines(bytes);
    char *at = l->memory;
    for (uint32_t i = 0; i < l->group_count; at += flip_bytes(&l->groups[i++]))
        l->groups[i].flips = (uint64_t *)(void *)at;
    for (uint32_t i = 0; i < l->group_count; at += entries(&l->groups[i++])) {
        l->groups[i].counts = (uint8_t *)at;
        memset(at, LOOKUP_UNKNOWN, entries(&l->groups[i]));
    }
}

/* ---- Learning ---- */

/* The bits where those of the mask are set, moved together: what pext does. */
static uint64_t entry_of(word source, word mask) {
    uint64_t entry = 0;
    for (unsigned at = 0; mask; mask &= mask - 1, at++) entry |= (source >> __builtin_ctzll(mask) & 1) << at;
    return entry;
}

/* What is known of a source by other means. */
struct expansion {
    word source;
    const word *successors;
    const uint32_t *labels;
    uint32_t count;
};

/* Asks about t. True: the answer is known, and is the same. */
static bool agree(struct lookup *l, const struct expansion *x, uint32_t t, word *successor, word *uses, bool *enabled) {
    uint32_t i = 0;
    int fired = l->ask(l->context, x->source, t, successor, uses);
    *enabled = fired == 1;
    while (i < x->count && x->labels[i] != t) i++;
    if (fired < 0 || *enabled != (i < x->count)) return false;
    return !*enabled || *successor == x->successors[i];
}

/* Fills in the entry of the source. False: the tables must be given up. *more: a transition uses other bits than were
 * known to matter. */
static bool fill(struct lookup *l, struct lookup_group *g, const struct expansion *x, bool *more) {
    uint64_t entry = entry_of(x->source, g->mask), *flips = g->flips + entry * (g->wide ? LOOKUP_WIDTH : 1);
    uint8_t count = 0;
    bool whole = true;
    if (g->counts[entry] != LOOKUP_UNKNOWN) return true;
    for (uint32_t k = 0; k < g->count; k++) {
        uint32_t t = in_order(l, g->first + k);
        word successor, uses;
        bool enabled;
        if (!agree(l, x, t, &successor, &uses, &enabled)) return false;
        l->uses[t] |= uses;
        whole = whole && (uses & ~g->mask) == 0;
        if (enabled) flips[count++] = x->source ^ successor;
    }
    if (whole) g->counts[entry] = count;
    else *more = true;
    return true;
}

void lookup_learn(struct lookup *l, word source, const word *successors, const uint32_t *labels, uint32_t count) {
    const struct expansion x = {source, successors, labels, count};
    bool good = true, more = false;
    if (l->phase == LOOKUP_GIVEN_UP) return;
    if (l->phase == LOOKUP_WORKS) {
        for (uint32_t i = 0; good && i < l->group_count; i++) good = fill(l, &l->groups[i], &x, &more);
    } else {
        for (uint32_t t = 0; good && t < l->transitions; t++) {
            word successor, uses;
            bool enabled;
            good = agree(l, &x, t, &successor, &uses, &enabled);
            if (good) l->uses[t] |= uses;
        }
        more = ++l->learnt == LEARN_FROM;
    }
    if (good && more) {
        l->phase = LOOKUP_WORKS;
        regroup(l);
    }
    if (!good) give_up(l);
}

/* ---- All of it ---- */

void lookup_init(struct lookup *l, uint32_t transitions, bool forward, lookup_ask *ask, void *context) {
    *l = (struct lookup){
        .transitions = transitions,
        .forward = forward,
        .ask = ask,
        .context = context,
        .uses = memory_get_zeroed(transitions * sizeof(word)),
        .groups = memory_get(transitions * sizeof(struct lookup_group)),
    };
}

void lookup_fini(struct lookup *l) {
    free(l->memory);
    free(l->groups);
    free(l->uses);
}
