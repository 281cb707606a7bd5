/* engine.h: the code that a model is compiled with. It follows the model's text, so that the compiler sees the model's
 * functions, the constants of its state and this code as one and inlines the one into the other. See plugin.h for the
 * contract. */
#ifndef ONAGER_ENGINE_H
#define ONAGER_ENGINE_H

enum { onager_words = (sizeof(struct onager_bits) + ONAGER_MARK_BITS + 63) / 64 };

/* ---- One state
 * ---------------------------------------------------------------------------------------------------- */

/* Pieces in which states are copied, compared and checked: always the same ones, so that none of this must wait for
 * what was just stored in other pieces. */
#ifdef __AVX2__
typedef uint64_t onager_piece __attribute__((vector_size(32), may_alias));
typedef long long onager_plain_piece __attribute__((vector_size(32)));
#else
typedef uint64_t onager_piece __attribute__((may_alias));
typedef long long onager_plain_piece;
#endif
enum { onager_pieces = sizeof(state) / sizeof(onager_piece) };

/* Of the ways to test a vector, gcc can evaluate this one while compiling. */
ONAGER_INLINE bool onager_is_0(onager_plain_piece x) {
#ifdef __AVX2__
    typedef char bytes __attribute__((vector_size(32)));
    return __builtin_ia32_pmovmskb256((bytes)x == (bytes){0}) == -1;
#else
    return x == 0;
#endif
}

ONAGER_INLINE void onager_copy(state *to, const state *from) {
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_pieces; i++) ((onager_piece *)to)[i] = ((const onager_piece *)from)[i];
}

/* Where there are instructions that gather and scatter bits, and no signs to extend, the struct is packed a word at a
 * time, whatever members are in it: members and packed variables stand in the same order. */
#if defined __BMI2__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ONAGER_BY_WORDS (!onager_any_signed)

enum { onager_native_words = (sizeof(struct onager_members) + 7) / 8 };

typedef uint64_t onager_word __attribute__((may_alias));

/* What each word contributes, noted once, when the plug-in is loaded. */
static struct onager_part onager_parts[onager_native_words];
/* The same for checking ranges. What is behind the last member may be anything. */
static struct { onager_piece mask[onager_pieces], gap[onager_pieces]; } onager_ranges;

__attribute__((constructor)) static void onager_prepare(void) {
    memset(onager_ranges.mask, 0xff, sizeof onager_ranges.mask);
    for (size_t i = 0; i < onager_native_words; i++) {
        onager_parts[i] = onager_part_of(i);
        ((onager_word *)onager_ranges.mask)[i] = onager_parts[i].mask;
        ((onager_word *)onager_ranges.gap)[i] = onager_parts[i].gap;
    }
}

/* In a short state, loops over words are unrolled, and all this is constant. */
ONAGER_INLINE struct onager_part onager_part(size_t i) {
    return onager_native_words <= 8 ? onager_part_of(i) : onager_parts[i];
}

ONAGER_INLINE void onager_pack_by_words(const state *s, uint64_t *words) {
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_native_words; i++) {
        const struct onager_part part = onager_part(i);
        uint64_t packed = __builtin_ia32_pext_di(((const onager_word *)s)[i], part.mask);
        words[onager_words > 1 ? part.at / 64 : 0] |= packed << part.at % 64;
        if (onager_words > 1) words[part.at / 64 + 1] |= packed >> 1 >> (63 - part.at % 64);
    }
}

/* Not 0: a value may be out of range. */
ONAGER_INLINE onager_piece onager_outside(const state *s) {
    onager_piece bad = {0};
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_pieces; i++) {
        onager_piece x = ((const onager_piece *)s)[i], mask = onager_ranges.mask[i];
        if (onager_any_gap) bad |= (x | ((x & mask) + onager_ranges.gap[i])) & ~mask;
        else bad |= x & ~mask;
    }
    return bad;
}

ONAGER_INLINE void onager_unpack_by_words(state *s, const uint64_t *words) {
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_native_words; i++) {
        const struct onager_part part = onager_part(i);
        uint64_t at = part.at, packed = words[onager_words > 1 ? at / 64 : 0] >> at % 64;
        if (onager_words > 1 && at / 64 + 1 < onager_words) packed |= words[at / 64 + 1] << 1 << (63 - at % 64);
        ((onager_word *)s)[i] = __builtin_ia32_pdep_di(packed, part.mask);
    }
}
#else
#define ONAGER_BY_WORDS 0
ONAGER_INLINE void onager_pack_by_words(const state *s, uint64_t *words) { onager_pack_fields(s, words); }
ONAGER_INLINE onager_piece onager_outside(const state *s) { return (void)s, (onager_piece){0}; }
#define onager_unpack_by_words onager_unpack_fields
#endif

/* Packs a state. Returns 0 if all values are in range; else, find out with onager_pack_members. */
ONAGER_INLINE onager_piece onager_pack_state(const state *s, uint64_t *words) {
    uint64_t packed[onager_words + 1] = {1};
    onager_piece bad = {0};
    if (ONAGER_BY_WORDS) {
        onager_pack_by_words(s, packed);
        bad = onager_outside(s);
    } else {
        bad |= onager_pack_fields(s, packed);
    }
    memcpy(words, packed, onager_words * sizeof *words);
    return bad;
}

/* Member by member: what is between the members has no say. A model that assigns whole structs may leave anything
 * there. False: a value is out of range. */
__attribute__((noinline)) static bool onager_pack_members(const state *s, uint64_t *words) {
    uint64_t packed[onager_words + 1] = {1};
    uint64_t bad = onager_pack_fields(s, packed);
    memcpy(words, packed, onager_words * sizeof *words);
    return bad == 0;
}

/* s must be all 0. */
ONAGER_INLINE void onager_unpack_state(state *s, const uint64_t *words) {
    (ONAGER_BY_WORDS ? onager_unpack_by_words : onager_unpack_fields)(s, words);
}

static bool onager_pack(const state *s, uint64_t *words) {
    return onager_is_0((onager_plain_piece)onager_pack_state(s, words)) || onager_pack_members(s, words);
}

static void onager_unpack(state *s, const uint64_t *words) {
    memset(s, 0, sizeof *s);
    onager_unpack_state(s, words);
}

static const char *onager_raised(void) {
    const char *message = onager_raised_message;
    onager_raised_message = NULL;
    return message;
}

static uint32_t onager_obligations(const state *s, uint32_t t, uint32_t *list, uint32_t max, uint32_t *bad) {
    stubborn set = {ONAGER_NOTHING, list + 1, list + max, UINT32_MAX};
    onager_model.obligations(s, t, &set);
    list[0] = set.first;
    if (set.first == ONAGER_NOTHING) set.list = list;
    *bad = set.bad;
    return set.first == ONAGER_ALL ? UINT32_MAX : (uint32_t)(set.list - list);
}

/* ---- Successors of one state ----
 *
 * They are made in two steps: first all are fired, each in a struct of its own, then all are packed. A struct that is
 * packed right after a few bytes of it were stored would keep the processor waiting for these bytes. */

/* Room for the successors of one state, and two more; it is the first part of the scratch memory. */
#define ONAGER_SUCCESSOR_BYTES (((size_t)onager_model.transitions + 2) * sizeof(state))

/* Whether a member differs. */
__attribute__((cold, noinline, unused)) static bool onager_changed(const state *s, const state *from) {
    uint64_t a[onager_words], b[onager_words];
    return !onager_pack_members(s, a) || !onager_pack_members(from, b) || memcmp(a, b, sizeof a) != 0;
}

/* A state as something that only assignments to its members can change. When it is looked at as such before and after
 * `fire`, the compiler sees that most ways to `false` assign nothing, and compares nothing there. */
union onager_look {
    state members;
    onager_plain_piece pieces[onager_pieces];
};

/* Fires t in `s`, which is a copy of `from`. Returns 1 if s is a successor now; 0 if t is disabled and s is still a
 * copy; -1 on a fault. Whether the model has raised an error must be looked at when all transitions are done. */
ONAGER_INLINE int onager_try(struct onager_batch *batch, state *s, const state *from, uint32_t t) {
    batch->transition = t;
#ifdef ONAGER_CHECKED
    const union onager_look *look = (const union onager_look *)s;
    onager_plain_piece before[onager_pieces], differ = {0};
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_pieces; i++) before[i] = look->pieces[i];
    if (onager_model.fire(s, t)) return 1;
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_pieces; i++) differ |= before[i] ^ look->pieces[i];
    if (__builtin_expect(onager_is_0(differ), 1) || !onager_changed(s, from)) return 0;
    batch->fault = ONAGER_FALSE_CHANGED;
    return -1;
#else
    (void)from;
    return onager_model.fire(s, t);
#endif
}

/* The model has raised an error while transitions of `from` were fired or asked for their obligations. By which? */
__attribute__((cold, noinline)) static void onager_blame(struct onager_batch *batch, const state *from) {
    onager_raised();
    batch->fault = ONAGER_RAISED;
    batch->function = ONAGER_IN_FIRE;
    for (uint32_t t = 0; t < onager_model.transitions; t++) {
        state s;
        memcpy(&s, from, sizeof s);
        batch->transition = t;
        onager_model.fire(&s, t);
        if (onager_raised_message) return;
    }
    batch->function = ONAGER_IN_OBLIGATIONS;
    for (uint32_t t = 0; onager_model.obligations && t < onager_model.transitions; t++) {
        stubborn set = {ONAGER_NOTHING, NULL, NULL, UINT32_MAX};
        batch->transition = t;
        onager_model.obligations(from, t, &set);
        if (onager_raised_message) return;
    }
}

/* A value of some successor may be out of range. Is one? Then batch->transition is how it came about. */
__attribute__((cold, noinline)) static bool onager_recheck(struct onager_batch *batch, const state *s,
                                                           const uint32_t *labels, uint32_t count, uint64_t *out) {
    for (uint32_t i = 0; i < count; i++, out += onager_words) {
        batch->transition = labels[i];
        if (!onager_pack_members(&s[i], out)) {
            batch->fault = ONAGER_OUT_OF_RANGE;
            return false;
        }
    }
    return true;
}

/* Packs the successors s[0], ..., s[count-1], which were fired by labels[0], .... False: see batch->fault. */
ONAGER_INLINE bool onager_pack_successors(struct onager_batch *batch, state *s, const uint32_t *labels, uint32_t count,
                                          uint64_t *out) {
    onager_piece bad = {0};
    for (uint32_t i = 0; i < count; i++) {
#ifdef ONAGER_SYMMETRY
        batch->transition = labels[i];
        batch->function = ONAGER_IN_SYMMETRY;
        onager_model.symmetry(&s[i]);
        if (__builtin_expect(onager_raised_message != NULL, 0)) {
            batch->fault = ONAGER_RAISED;
            return false;
        }
#endif
        bad |= onager_pack_state(&s[i], out + (size_t)i * onager_words);
    }
#ifdef ONAGER_CHECKED
    if (__builtin_expect(!onager_is_0((onager_plain_piece)bad), 0)) return onager_recheck(batch, s, labels, count, out);
#else
    (void)bad, (void)labels, (void)batch;
#endif
    return true;
}

__attribute__((cold, noinline)) static uint32_t onager_stop(struct onager_batch *batch, uint32_t done) {
    batch->message = onager_raised();
    return done;
}

#ifdef ONAGER_STUBBORN
#include <onager/esc.h>
#endif

/* Whether successors are made by difference: see below. */
#if defined ONAGER_STUBBORN || defined ONAGER_SYMMETRY || defined ONAGER_UNIFORM
#define ONAGER_BY_DIFFERENCE 0
#else
#define ONAGER_BY_DIFFERENCE                                                                                           \
    (onager_model.transitions <= 64 && onager_elements <= 64 && onager_model.transitions * onager_elements <= 2048)
#endif

/* For all transitions in the order of firing. The loop is unrolled by the pragma that stands before it. */
#ifdef ONAGER_FORWARD
#define ONAGER_EACH(t) for (uint32_t t = 0; t < onager_model.transitions; t++)
#else
#define ONAGER_EACH(t) for (uint32_t t = onager_model.transitions; t-- > 0;)
#endif

#ifndef ONAGER_STUBBORN
static size_t onager_scratch_bytes(void) { return ONAGER_SUCCESSOR_BYTES; }

/* Fires t in **s, which becomes the next copy of `from` if it is enabled. False: see batch->fault. */
ONAGER_INLINE bool onager_fire_one(struct onager_batch *batch, const state *from, state **s, uint32_t **label,
                                   uint32_t t) {
    int fired = onager_try(batch, *s, from, t);
    if (fired > 0) {
        *(*label)++ = t;
        onager_copy(++*s + 1, from); /* one ahead, so that what is read was not just stored */
    }
    return fired >= 0;
}

/* Fires all transitions. Returns how many successors there are, or -1. */
ONAGER_INLINE int64_t onager_fire_set(struct onager_batch *batch, const state *from, state *s, uint32_t *label) {
    state *first = s;
    onager_copy(s, from);
    onager_copy(s + 1, from);
    if (ONAGER_BY_DIFFERENCE) { /* we are here only because something is wrong */
#pragma GCC unroll 1
        ONAGER_EACH(t)
        if (!onager_fire_one(batch, from, &s, &label, t)) return -1;
    } else {
        /* Unrolled, so that the model's arithmetic on t folds and every transition has branches of its own. */
#pragma GCC unroll 32
        ONAGER_EACH(t)
        if (!onager_fire_one(batch, from, &s, &label, t)) return -1;
    }
    return s - first;
}
#endif

/* Of many transitions few are enabled, as a rule. Then most of the time would go into looking, after each of the
 * others, whether it has left the copy alone. It is enough to look once, in the end, at the last copy, and to fire what
 * is enabled again, from clean copies: if all successors come out the same, no transition that was disabled has had a
 * say. If not, or if the model has raised an error, all is done again with a look after each. */
#if defined ONAGER_CHECKED && !defined ONAGER_STUBBORN
enum { onager_many = 128 };
#define ONAGER_LOOK_LATE (onager_model.transitions >= onager_many)

__attribute__((unused)) static bool onager_same(const state *a, const state *b) {
    onager_plain_piece differ = {0};
    for (size_t i = 0; i < onager_pieces; i++)
        differ |= (onager_plain_piece)(((const onager_piece *)a)[i] ^ ((const onager_piece *)b)[i]);
    return onager_is_0(differ);
}

ONAGER_INLINE int64_t onager_fire_late(struct onager_batch *batch, const state *from, state *s, uint32_t *label) {
    state *first = s;
    onager_copy(s, from);
    onager_copy(s + 1, from);
#pragma GCC unroll 32
    ONAGER_EACH(t) {
        batch->transition = t;
        if (!onager_model.fire(s, t)) continue;
        *label++ = t;
        onager_copy(++s + 1, from);
    }
    return s - first;
}

__attribute__((noinline, unused)) static bool onager_all_alone(struct onager_batch *batch, const state *from,
                                                               const state *successors, const uint32_t *labels,
                                                               int64_t count) {
    if (onager_raised_message || !onager_same(&successors[count], from)) return false;
    for (int64_t i = 0; i < count; i++) {
        state again;
        onager_copy(&again, from);
        batch->transition = labels[i];
        if (!onager_model.fire(&again, labels[i]) || !onager_same(&again, &successors[i])) return false;
    }
    return true;
}

ONAGER_INLINE int64_t onager_fire_all(struct onager_batch *batch, const state *from, state *s, uint32_t *labels) {
    if (ONAGER_LOOK_LATE) {
        int64_t count = onager_fire_late(batch, from, s, labels);
        if (__builtin_expect(onager_all_alone(batch, from, s, labels, count), 1)) return count;
        onager_raised();
    }
    return onager_fire_set(batch, from, s, labels);
}
#else
#define onager_fire_all onager_fire_set
#endif

/* The successors of a source, from index `end` on. Returns how many there are; -1: see batch->fault. */
ONAGER_INLINE int64_t onager_expand_one(struct onager_batch *batch, const state *from, uint32_t end) {
    state *successors = batch->scratch;
    int64_t count = onager_fire_all(batch, from, successors, batch->labels + end);
    if (__builtin_expect(onager_raised_message != NULL, 0)) {
        onager_blame(batch, from);
        return -1;
    }
    if (count < 0 || !onager_pack_successors(batch, successors, batch->labels + end, (uint32_t)count,
                                             batch->successors + (size_t)end * onager_words))
        return -1;
    return count;
}

/* ---- Successors by difference ----
 *
 * Most transitions change a few variables, and which ones these are is known to a compiler that sees the code of the
 * transition, whose number is a constant. Then a successor is the source with a few bits flipped: nothing is copied,
 * and nothing is packed. For that, the state before and the state after are compared, variable by variable; what
 * certainly stays as it was costs nothing, because both come from the same words, which are in registers. Where much
 * may differ, as in an array whose index is not known, the successor is packed as a whole. */

enum { onager_few = 8 }; /* variables that may differ */
enum { onager_all_words = sizeof(state) / 8 };

typedef uint64_t onager_any_word __attribute__((may_alias));

ONAGER_INLINE void onager_set_words(state *s, const uint64_t *words) {
#pragma GCC unroll 64
    for (size_t i = 0; i < onager_all_words; i++) ((onager_any_word *)s)[i] = words[i];
}

/* Fires t in the state whose struct consists of `words`. Returns whether it is enabled; then `out` is the successor.
 * *odd is not 0 if something may be wrong. The compiler computes differences for each way through `fire` by itself if
 * they come before the question whether it has returned true. */
ONAGER_INLINE bool onager_flip(struct onager_batch *batch, const uint64_t *words, const uint64_t *source, uint32_t t,
                               uint64_t *out, uint64_t *odd) {
    state before, after;
    onager_set_words(&before, words);
    onager_set_words(&after, words);
    batch->transition = t;
    bool fired = onager_model.fire(&after, t);
    if (onager_known_fields(&after, &before) + onager_few >= onager_elements) {
        uint64_t flips[onager_words + 1] = {0}, bad = onager_differ_fields(&after, &before, flips), any = bad;
        for (size_t i = 0; i < onager_words; i++) any |= flips[i];
        *odd |= fired ? bad : any;
        for (size_t i = 0; fired && i < onager_words; i++) out[i] = source[i] ^ flips[i];
    } else if (fired) {
        *odd |= !onager_is_0((onager_plain_piece)onager_pack_state(&after, out));
    } else {
        onager_plain_piece differ = {0};
#pragma GCC unroll 8
        for (size_t i = 0; i < onager_pieces; i++)
            differ |= (onager_plain_piece)(((const onager_piece *)&before)[i] ^ ((const onager_piece *)&after)[i]);
        *odd |= !onager_is_0(differ);
    }
    return fired;
}

/* The same as onager_expand_one; but -1 means that it should try. */
ONAGER_INLINE int64_t onager_flip_all(struct onager_batch *batch, const state *from, const uint64_t *source,
                                      uint32_t end) {
    uint64_t *out = batch->successors + (size_t)end * onager_words, odd = 0, words[onager_all_words];
    uint32_t *label = batch->labels + end;
#pragma GCC unroll 64
    for (size_t i = 0; i < onager_all_words; i++) words[i] = ((const onager_any_word *)from)[i];
#pragma GCC unroll 64
    ONAGER_EACH(t) {
        if (!onager_flip(batch, words, source, t, out, &odd)) continue;
        *label++ = t;
        out += onager_words;
    }
#ifndef ONAGER_CHECKED
    odd = 0;
#endif
    return __builtin_expect(odd || onager_raised_message, 0) ? -1 : label - (batch->labels + end);
}

/* Something may be wrong. What it is comes out as it would without differences. The source is unpacked again: if it
 * were handed over, the compiler would have to fear that it changes. */
__attribute__((cold, noinline)) static int64_t onager_expand_odd(struct onager_batch *batch, uint32_t end) {
    state from;
    onager_raised();
    onager_unpack(&from, batch->sources + (size_t)batch->source * onager_words);
    return onager_expand_one(batch, &from, end);
}

/* ---- Many states
 * -------------------------------------------------------------------------------------------------- */

__attribute__((flatten)) static uint32_t onager_expand(struct onager_batch *batch) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint64_t *source = batch->sources + (size_t)i * onager_words;
        int64_t count;
        state from;
        memset(&from, 0, sizeof from);
        batch->source = i;
        batch->function = ONAGER_IN_FIRE;
        onager_unpack_state(&from, source);
        if (ONAGER_BY_DIFFERENCE) {
            count = onager_flip_all(batch, &from, source, end);
            if (__builtin_expect(count < 0, 0)) count = onager_expand_odd(batch, end);
        } else {
            count = onager_expand_one(batch, &from, end);
        }
        if (count < 0) return onager_stop(batch, i);
        batch->ends[i] = end += (uint32_t)count;
    }
    return batch->count;
}

static uint32_t onager_classify(struct onager_batch *batch) {
    const struct onager_model *m = &onager_model;
    for (uint32_t i = 0; i < batch->count; i++) {
        state s;
        uint8_t class = 0;
        memset(&s, 0, sizeof s);
        batch->source = i;
        onager_unpack_state(&s, batch->sources + (size_t)i * onager_words);
        if (m->check_state && (batch->wanted & ONAGER_BAD_STATE) && m->check_state(&s)) class |= ONAGER_BAD_STATE;
        if (m->may_progress && (batch->wanted & ONAGER_MAY) && m->may_progress(&s)) class |= ONAGER_MAY;
        if (m->must_progress && (batch->wanted & ONAGER_MUST) && m->must_progress(&s)) class |= ONAGER_MUST;
        if (__builtin_expect(onager_raised_message != NULL, 0)) {
            batch->fault = ONAGER_RAISED;
            return onager_stop(batch, i);
        }
        batch->classes[i] = class;
    }
    return batch->count;
}

static uint32_t onager_valuate(struct onager_batch *batch) {
    for (uint32_t k = 0; k < batch->count; k++) {
        state s;
        uint64_t valuation = 0;
        memset(&s, 0, sizeof s);
        batch->source = k;
        onager_unpack_state(&s, batch->sources + (size_t)k * onager_words);
        for (uint32_t i = 0; i < batch->ask_count; i++)
            valuation |= (uint64_t)batch->ask[i].holds(&s, batch->ask[i].i) << i;
        if (__builtin_expect(onager_raised_message != NULL, 0)) {
            batch->fault = ONAGER_RAISED;
            return onager_stop(batch, k);
        }
        batch->valuations[k] = valuation;
    }
    return batch->count;
}

extern const struct onager_proposition __start_onager_propositions[] __attribute__((weak, visibility("hidden")));
extern const struct onager_proposition __stop_onager_propositions[] __attribute__((weak, visibility("hidden")));
extern const struct onager_changes __start_onager_changes[] __attribute__((weak, visibility("hidden")));
extern const struct onager_changes __stop_onager_changes[] __attribute__((weak, visibility("hidden")));
extern const struct onager_param __start_onager_params[] __attribute__((weak, visibility("hidden")));
extern const struct onager_param __stop_onager_params[] __attribute__((weak, visibility("hidden")));
extern const struct onager_enum __start_onager_enums[] __attribute__((weak, visibility("hidden")));
extern const struct onager_enum __stop_onager_enums[] __attribute__((weak, visibility("hidden")));
extern const char __start_onager_raises[] __attribute__((weak, visibility("hidden")));
extern const char __stop_onager_raises[] __attribute__((weak, visibility("hidden")));

extern const struct onager_plugin onager_plugin;
__attribute__((visibility("default"))) const struct onager_plugin onager_plugin = {
    .abi = ONAGER_ABI,
    .native_size = sizeof(state),
    .bits = sizeof(struct onager_bits),
    .words = onager_words,
    .field_count = sizeof onager_fields / sizeof onager_fields[0],
    .fields = onager_fields,
    .params = __start_onager_params,
    .params_end = __stop_onager_params,
    .enums = __start_onager_enums,
    .enums_end = __stop_onager_enums,
    .propositions = __start_onager_propositions,
    .propositions_end = __stop_onager_propositions,
    .changes = __start_onager_changes,
    .changes_end = __stop_onager_changes,
    .raises = __start_onager_raises,
    .raises_end = __stop_onager_raises,
    .model = &onager_model,
    .pack = onager_pack,
    .unpack = onager_unpack,
    .raised = onager_raised,
    .obligations = onager_obligations,
    .scratch_bytes = onager_scratch_bytes,
#ifdef ONAGER_STUBBORN
    .stubborn_set = onager_stubborn_set,
#endif
    .expand = onager_expand,
    .classify = onager_classify,
    .valuate = onager_valuate,
};

#endif
