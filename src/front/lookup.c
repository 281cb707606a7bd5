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
    MOST_AWAKE = 64,     /* groups, of which sets can be made */
    SOURCES_AT_ONCE = 128,
};

/* ---- Looking up ---- */

#if defined __x86_64__
bool lookup_is_fast(void) {
    /* Two processors have the instruction, and take hundreds of cycles for it. */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2");
}

#define TARGET __attribute__((target("avx2,bmi,bmi2")))

/* Writes what the group flips, and some more; says how many successors that are. */
static inline TARGET unsigned put(const struct lookup_group *g, __m256i sources, word source, word *out) {
    uint64_t entry = _pext_u64(source, g->mask);
    __m256i flips = _mm256_loadu_si256((const __m256i *)(const void *)(g->flips + (entry << g->shift)));
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_xor_si256(flips, sources));
    return g->counts[entry];
}

/* All successors, without origins. */
static TARGET void run_all(const struct lookup *l, struct ts_batch *batch, uint64_t room, struct lookup_progress *at) {
    const struct lookup_group *groups = l->groups, *last = groups + l->group_count;
    const uint64_t needed = l->transitions + LOOKUP_WIDTH;
    const __m256i plain = _mm256_set1_epi64x((1LL << TS_ORIGIN_SHIFT) - 1);
    uint32_t i = at->next, done = at->end;
    for (; i < batch->count && done + needed <= room; i++) {
        word source = batch->sources[i], *out = batch->successors + done;
        __m256i sources4 = _mm256_set1_epi64x((long long)source);
        unsigned odd = 0;
        for (const struct lookup_group *g = groups; g < last; g++) {
            unsigned enabled = put(g, sources4, source, out);
            odd |= enabled;
            out += enabled % LOOKUP_UNKNOWN;
        }
        if (__builtin_expect(odd & LOOKUP_UNKNOWN, 0)) break;
        batch->ends[i] = done = (uint32_t)(out - batch->successors);
    }
    if (l->facts)
        for (uint32_t k = at->end; k < done; k += LOOKUP_WIDTH) {
            __m256i *four = (__m256i *)(void *)(batch->successors + k);
            _mm256_storeu_si256(four, _mm256_and_si256(_mm256_loadu_si256(four), plain));
        }
    at->next = i;
    at->end = done;
}

/* Successors by groups that are awake, with origins; the others are only counted. */
static TARGET void run_awake(const struct lookup *l, struct ts_batch *batch, uint64_t room, uint32_t most,
                             const uint64_t *awake, struct lookup_progress *at) {
    const struct lookup_group *groups = l->groups;
    const uint64_t needed = l->transitions + LOOKUP_WIDTH;
    const uint32_t group_count = l->group_count;
    const uint64_t all = ~UINT64_C(0) >> (64 - group_count);
    uint32_t i = at->next, done = at->end, total = at->total;
    for (; i < most && done + needed <= room; i++) {
        word source = batch->sources[i], *out = batch->successors + done;
        __m256i sources4 = _mm256_set1_epi64x((long long)source);
        unsigned odd = 0, edges = 0;
        for (uint32_t g = 0; g < group_count; g++) {
            unsigned enabled = groups[g].counts[_pext_u64(source, groups[g].mask)];
            odd |= enabled;
            edges += enabled;
        }
        if (__builtin_expect(odd & LOOKUP_UNKNOWN, 0)) break;
        for (uint64_t left = *awake++ & all; left; left &= left - 1)
            out += put(&groups[__builtin_ctzll(left)], sources4, source, out);
        batch->ends[i] = done = (uint32_t)(out - batch->successors);
        batch->totals[i] = total += edges;
    }
    *at = (struct lookup_progress){i, done, total};
}

void lookup_run(struct lookup *l, struct ts_batch *batch, struct lookup_progress *at) {
    uint64_t awake[SOURCES_AT_ONCE], room = (uint64_t)batch->capacity * l->transitions;
    if (!batch->origins) {
        run_all(l, batch, room, at);
        return;
    }
    if (l->sleeps) sleep_learn(&l->sleep, l->facts, l->transitions, l->group_of);
    for (uint32_t begin = at->next, n; begin < batch->count && begin == at->next; begin += n) {
        n = batch->count - begin < SOURCES_AT_ONCE ? batch->count - begin : SOURCES_AT_ONCE;
        if (l->sleeps) sleep_awake(&l->sleep, batch->origins + begin, n, awake);
        else memset(awake, -1, n * sizeof *awake);
        run_awake(l, batch, room, begin + n, awake, at);
    }
}
#else
bool lookup_is_fast(void) { return false; }

void lookup_run(struct lookup *l, struct ts_batch *batch, struct lookup_progress *at) {
    (void)l, (void)batch, (void)at;
}
#endif

/* ---- Grouping ---- */

/* The k-th transition in the order of firing. */
static uint32_t in_order(const struct lookup *l, uint32_t k) { return l->forward ? k : l->transitions - 1 - k; }

static unsigned bits_of(word mask) { return (unsigned)__builtin_popcountll(mask); }

static size_t entries(const struct lookup_group *g) { return (size_t)1 << bits_of(g->mask); }

static size_t flips_of(const struct lookup_group *g) { return entries(g) << g->shift; }

/* Flips in whole lines, so that vectors of them are aligned. */
static size_t flip_bytes(const struct lookup_group *g) { return (flips_of(g) * sizeof(uint64_t) + 63) / 64 * 64; }

static void give_up(struct lookup *l) {
    free(l->memory);
    free(l->groups);
    l->memory = NULL;
    l->groups = NULL;
    l->group_count = 0;
    l->phase = LOOKUP_GIVEN_UP;
}

/* New tables, all of whose entries are unknown. At their end is room for a vector: of a narrow table, more is read than
 * one flip. */
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
            g->shift = LOOKUP_WIDTH_BITS;
        } else {
            l->groups[l->group_count++] = (struct lookup_group){.mask = uses, .first = k, .count = 1};
        }
        l->group_of[in_order(l, k)] = (uint8_t)(l->group_count - 1);
    }
    l->sleeps = l->facts && l->group_count <= MOST_AWAKE;
    l->sleep.version = 0;
    for (uint32_t i = 0; fits && i < l->group_count; i++) {
        bytes += flip_bytes(&l->groups[i]) + entries(&l->groups[i]);
        fits = bytes <= MOST_BYTES;
    }
    if (!fits) {
        give_up(l);
        return;
    }
    l->memory = memory_get_lines(bytes + LOOKUP_WIDTH * sizeof(uint64_t));
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
    uint64_t entry = entry_of(x->source, g->mask), *flips = g->flips + (entry << g->shift);
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
        word flip = enabled ? x->source ^ successor : 0;
        if (l->facts) sleep_note(l->facts, t, uses, flip);
        if (enabled) flips[count++] = flip | (l->facts ? (word)(t + 1) << TS_ORIGIN_SHIFT : 0);
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

void lookup_init(struct lookup *l, uint32_t transitions, bool forward, lookup_ask *ask, void *context,
                 struct sleep_facts *facts) {
    *l = (struct lookup){
        .transitions = transitions,
        .forward = forward,
        .ask = ask,
        .context = context,
        .facts = facts,
        .group_of = memory_get(transitions),
        .uses = memory_get_zeroed(transitions * sizeof(word)),
        .groups = memory_get(transitions * sizeof(struct lookup_group)),
    };
}

void lookup_fini(struct lookup *l) {
    free(l->memory);
    free(l->groups);
    free(l->uses);
    free(l->group_of);
}
