#include "model/c/tables.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

#include "base/memory.h"

enum {
    OWN_BITS = 12,       /* at most, of one transition */
    SHARED_BITS = 9,     /* at most, of a group of several */
    MOST_BYTES = 196608, /* of all tables: they compete with the rest of the work for a cache */
    LEARN_FROM = 32,     /* states, before there are tables */
    MOST_REGROUPED = 64, /* times */
    SOURCES_AT_ONCE = 128,
};

/* Bit 0 of a state is always set, and so it is free in what is flipped: there it says that a transition is enabled. */
#define MARK UINT64_C(1)

/* ---- Looking up ---- */

#if defined __x86_64__
bool lookup_is_fast(void) {
    /* Two processors have the instruction, and take hundreds of cycles for it. */
    return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

#define INLINE static inline __attribute__((always_inline, target("bmi,bmi2")))

/* How many transitions are enabled; LOOKUP_UNKNOWN or more: that is not known. */
INLINE unsigned count(const struct lookup_group *groups, uint32_t group_count, word source) {
    unsigned sum = 0, odd = 0;
    for (uint32_t g = 0; g < group_count; g++) {
        unsigned enabled = groups[g].counts[_pext_u64(source, groups[g].mask)];
        sum += enabled;
        odd |= enabled;
    }
    return odd & LOOKUP_UNKNOWN ? ~0u : sum;
}

/* Writes the successor; says how many that are. */
INLINE unsigned put(const struct lookup_move *m, word source, word keep, word *out) {
    uint64_t flip = m->flips[_pext_u64(source, m->mask)];
    *out = (source ^ MARK ^ flip) & keep;
    return flip & MARK;
}

/* All successors, without origins. */
__attribute__((target("bmi,bmi2"))) static void run_all(const struct lookup *l, struct ts_batch *batch, uint64_t room,
                                                        struct lookup_progress *at) {
    const struct lookup_move *moves = l->moves, *last = moves + l->transitions;
    const struct lookup_group *groups = l->groups;
    const uint32_t group_count = l->group_count;
    const word keep = l->origins ? ts_without_origin(~(word)0) : ~(word)0;
    uint32_t i = at->next, done = at->end;
    for (; i < batch->count && done + l->transitions < room; i++) {
        word source = batch->sources[i], *out = batch->successors + done;
        if (__builtin_expect(count(groups, group_count, source) == ~0u, 0)) break;
        for (const struct lookup_move *m = moves; m < last; m++) out += put(m, source, keep, out);
        batch->ends[i] = done = (uint32_t)(out - batch->successors);
    }
    at->next = i;
    at->end = done;
}

/* Successors by moves that are awake, with origins; the others are only counted. */
__attribute__((target("bmi,bmi2"))) static void run_awake(const struct lookup *l, struct ts_batch *batch, uint64_t room,
                                                          uint32_t most, const uint64_t *awake,
                                                          struct lookup_progress *at) {
    const struct lookup_move *moves = l->moves;
    const struct lookup_group *groups = l->groups;
    const uint32_t group_count = l->group_count;
    assert(l->transitions > 0 && l->transitions <= 64); /* a bit for each, as lookup_init wants it */
    const uint64_t all = ~UINT64_C(0) >> (64 - l->transitions);
    uint32_t i = at->next, done = at->end, total = at->total;
    for (; i < most && done + l->transitions < room; i++) {
        word source = batch->sources[i], *out = batch->successors + done;
        unsigned edges = count(groups, group_count, source);
        if (__builtin_expect(edges == ~0u, 0)) break;
        for (uint64_t left = *awake++ & all; left; left &= left - 1)
            out += put(&moves[__builtin_ctzll(left)], source, ~(word)0, out);
        batch->ends[i] = done = (uint32_t)(out - batch->successors);
        batch->totals[i] = total += edges;
    }
    *at = (struct lookup_progress){i, done, total};
}

void lookup_run(struct lookup *l, struct ts_batch *batch, struct lookup_progress *at) {
    uint64_t awake[SOURCES_AT_ONCE], room = (uint64_t)batch->capacity * l->transitions;
    if (l->phase != LOOKUP_WORKS) return;
    if (!batch->origins) {
        run_all(l, batch, room, at);
        return;
    }
    sleep_learn(&l->sleep, l->facts, l->forward);
    for (uint32_t begin = at->next, n; begin < batch->count && begin == at->next; begin += n) {
        n = batch->count - begin < SOURCES_AT_ONCE ? batch->count - begin : SOURCES_AT_ONCE;
        sleep_awake(&l->sleep, batch->origins + begin, n, awake);
        run_awake(l, batch, room, begin + n, awake, at);
    }
}
#else
bool lookup_is_fast(void) { return false; }

void lookup_run(struct lookup *l, struct ts_batch *batch, struct lookup_progress *at) {
    (void)l, (void)batch, (void)at;
}
#endif

/* ---- Tables ---- */

/* The k-th transition in the order of firing. */
static uint32_t in_order(const struct lookup *l, uint32_t k) { return l->forward ? k : l->transitions - 1 - k; }

static unsigned bits_of(word mask) { return (unsigned)__builtin_popcountll(mask); }

static size_t entries(word mask) { return (size_t)1 << bits_of(mask); }

/* Nothing may point to what is no more. */
static void drop_tables(struct lookup *l) {
    free(l->memory);
    l->memory = NULL;
    l->group_count = 0;
    for (uint32_t k = 0; k < l->transitions; k++) l->moves[k].flips = NULL;
    for (uint32_t g = 0; g < l->transitions; g++) l->groups[g].counts = NULL;
}

static void give_up(struct lookup *l, enum obstacle why) {
    drop_tables(l);
    l->obstacle = why;
    l->phase = LOOKUP_GIVEN_UP;
}

/* The group where the mask needs the fewest bits more; a new one, if there are too many. */
static uint32_t best_group(const struct lookup *l, word mask) {
    uint32_t best = l->group_count;
    unsigned least = UINT32_MAX;
    for (uint32_t g = 0; g < l->group_count; g++) {
        word old = l->groups[g].mask, both = old | mask;
        bool fits = both == old || both == mask || bits_of(both) <= SHARED_BITS;
        if (!fits || l->groups[g].size + 1 == LOOKUP_UNKNOWN || bits_of(both) - bits_of(old) >= least) continue;
        least = bits_of(both) - bits_of(old);
        best = g;
    }
    return best;
}

static void group(struct lookup *l) {
    l->group_count = 0;
    for (uint32_t k = 0; k < l->transitions; k++) {
        word mask = l->moves[k].mask;
        uint32_t g = best_group(l, mask);
        if (g == l->group_count) l->groups[l->group_count++] = (struct lookup_group){0};
        l->groups[g].mask |= mask;
        l->groups[g].size++;
        l->group_of[k] = g;
    }
}

/* New tables, nothing of which is known. */
static void regroup(struct lookup *l) {
    size_t bytes = 0;
    enum obstacle why = l->regrouped++ < MOST_REGROUPED ? OBSTACLE_NONE : OBSTACLE_RESTLESS;
    drop_tables(l);
    group(l);
    for (uint32_t k = 0; !why && k < l->transitions; k++) {
        if (bits_of(l->moves[k].mask) > OWN_BITS) why = OBSTACLE_MANY_BITS;
        else bytes += entries(l->moves[k].mask) * sizeof(uint64_t);
    }
    for (uint32_t g = 0; !why && g < l->group_count; g++) bytes += entries(l->groups[g].mask);
    if (!why && bytes > MOST_BYTES) why = OBSTACLE_MANY_BYTES;
    if (why) {
        give_up(l, why);
        return;
    }
    l->memory = memory_get_lines(bytes);
    char *at = l->memory;
    for (uint32_t k = 0; k < l->transitions; at += entries(l->moves[k++].mask) * sizeof(uint64_t))
        l->moves[k].flips = (uint64_t *)(void *)at;
    for (uint32_t g = 0; g < l->group_count; at += entries(l->groups[g++].mask)) {
        l->groups[g].counts = (uint8_t *)at;
        memset(at, LOOKUP_UNKNOWN, entries(l->groups[g].mask));
    }
    assert(at == (char *)l->memory + bytes);
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

/* Asks about the k-th transition: what it flips, and the mark, or 0. False: it is not known, or not the same. */
static bool ask(struct lookup *l, const struct expansion *x, uint32_t k, word *uses, word *flip) {
    uint32_t i = 0, t = in_order(l, k);
    word successor;
    int fired = l->ask(l->context, x->source, t, &successor, uses);
    while (i < x->count && x->labels[i] != t) i++;
    if (fired < 0 || (fired == 1) != (i < x->count)) return false;
    *flip = fired == 1 ? (x->source ^ successor) | MARK : 0;
    return fired == 0 || successor == x->successors[i];
}

/* Fills in what the source needs of the k-th transition. False: the tables must be given up. *more: it uses other bits
 * than were known to matter. */
static bool learn_move(struct lookup *l, const struct expansion *x, uint32_t k, bool *more) {
    struct lookup_move *m = &l->moves[k];
    word uses, flip;
    if (!ask(l, x, k, &uses, &flip)) return false;
    uses = facts_note(l->facts, in_order(l, k), uses, flip & ~MARK);
    if (uses & ~m->mask) {
        m->mask |= uses;
        *more = true;
    } else if (!*more) {
        if (flip && l->origins) flip |= (word)(k + 1) << TS_ORIGIN_SHIFT;
        m->flips[entry_of(x->source, m->mask)] = flip;
    }
    return true;
}

/* Fills in what the source needs. */
static bool learn(struct lookup *l, const struct expansion *x, bool *more) {
    for (uint32_t g = 0; g < l->group_count; g++) {
        uint8_t *enabled = &l->groups[g].counts[entry_of(x->source, l->groups[g].mask)], sum = 0;
        if (*enabled != LOOKUP_UNKNOWN) continue;
        for (uint32_t k = 0; k < l->transitions; k++) {
            if (l->group_of[k] != g) continue;
            if (!learn_move(l, x, k, more)) return false;
            if (!*more && l->moves[k].flips[entry_of(x->source, l->moves[k].mask)]) sum++;
        }
        if (!*more) *enabled = sum;
    }
    return true;
}

/* At first only what matters. */
static bool learn_masks(struct lookup *l, const struct expansion *x, bool *more) {
    for (uint32_t k = 0; k < l->transitions; k++) {
        word uses, flip;
        if (!ask(l, x, k, &uses, &flip)) return false;
        l->moves[k].mask |= facts_note(l->facts, in_order(l, k), uses, flip & ~MARK);
    }
    *more = ++l->learnt == LEARN_FROM;
    return true;
}

void lookup_learn(struct lookup *l, word source, const word *successors, const uint32_t *labels, uint32_t count) {
    const struct expansion x = {source, successors, labels, count};
    bool more = false;
    if (l->phase == LOOKUP_GIVEN_UP) return;
    bool good = l->phase == LOOKUP_WORKS ? learn(l, &x, &more) : learn_masks(l, &x, &more);
    if (!good) {
        give_up(l, OBSTACLE_DIFFERENT);
    } else if (more) {
        l->phase = LOOKUP_WORKS;
        regroup(l);
    }
}

/* ---- All of it ---- */

void lookup_init(struct lookup *l, struct facts_seen *facts, bool forward, bool origins, lookup_ask *ask,
                 void *context) {
    const uint32_t transitions = facts->transitions;
    assert(!origins || transitions <= SLEEP_TRANSITIONS);
    *l = (struct lookup){
        .transitions = transitions,
        .forward = forward,
        .ask = ask,
        .context = context,
        .moves = memory_get_zeroed(transitions * sizeof(struct lookup_move)),
        .groups = memory_get_zeroed(transitions * sizeof(struct lookup_group)),
        .group_of = memory_get(transitions * sizeof(uint32_t)),
        .facts = facts,
        .origins = origins,
    };
}

void lookup_fini(struct lookup *l) {
    free(l->memory);
    free(l->moves);
    free(l->groups);
    free(l->group_of);
}
