/* engine.h: the code that a model is compiled with. It follows the model's text, so that the compiler sees the model's
 * functions, the constants of its state and this code as one and inlines the one into the other. See plugin.h for the
 * contract. */
#ifndef ONAGER_ENGINE_H
#define ONAGER_ENGINE_H

enum { onager_words = (sizeof(struct onager_bits) + ONAGER_MARK_BITS + 63) / 64 };

/* ---- One state
 * ---------------------------------------------------------------------------------------------------- */

/* Where there are instructions that gather and scatter bits, and no signs to extend, the struct is packed a word at a
 * time, whatever members are in it: members and packed variables stand in the same order. What a word contributes is
 * noted once, when the plug-in is loaded. */
#if defined __BMI2__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ONAGER_BY_WORDS (!onager_any_signed)
#else
#define ONAGER_BY_WORDS 0
#endif

enum { onager_native_words = (sizeof(struct onager_members) + 7) / 8 };

static struct onager_part {
    uint64_t mask; /* the bits of this word of the struct that are packed */
    uint64_t gap;  /* added to a value that is out of range, it carries out of the value's bits */
    uint64_t at;   /* where the packed bits go, the mark included */
} onager_parts[onager_native_words];

typedef uint64_t onager_word __attribute__((may_alias));

__attribute__((constructor)) static void onager_prepare(void) {
    for (size_t k = 0; k < sizeof onager_fields / sizeof onager_fields[0]; k++) {
        const struct onager_field *f = &onager_fields[k];
        unsigned bits = (unsigned)ONAGER_BITS(f->width);
        uint64_t gap = ONAGER_HAS_GAP(f->width) ? onager_low(bits) - ONAGER_UPTO_MAX(f->width) : 0;
        for (uint32_t i = 0; i < f->length; i++) {
            size_t byte = f->native_offset + (size_t)i * f->size;
            struct onager_part *part = &onager_parts[byte / 8];
            if (!part->mask) part->at = ONAGER_MARK_BITS + f->bit_offset + (uint64_t)i * bits;
            part->mask |= onager_low(bits) << 8 * (byte % 8);
            part->gap |= gap << 8 * (byte % 8);
        }
    }
}

#ifdef __BMI2__
ONAGER_INLINE uint64_t onager_pack_by_words(const state *s, uint64_t *words) {
    uint64_t bad = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_native_words; i++) {
        uint64_t x = ((const onager_word *)s)[i], mask = onager_parts[i].mask, at = onager_parts[i].at;
        uint64_t packed = __builtin_ia32_pext_di(x, mask);
        words[onager_words > 1 ? at / 64 : 0] |= packed << at % 64;
        if (onager_words > 1) words[at / 64 + 1] |= packed >> 1 >> (63 - at % 64);
        bad |= x & ~mask;
        if (onager_any_gap) bad |= ((x & mask) + onager_parts[i].gap) & ~mask;
    }
    return bad;
}

ONAGER_INLINE void onager_unpack_by_words(state *s, const uint64_t *words) {
#pragma GCC unroll 8
    for (size_t i = 0; i < onager_native_words; i++) {
        uint64_t at = onager_parts[i].at, packed = words[onager_words > 1 ? at / 64 : 0] >> at % 64;
        if (onager_words > 1 && at / 64 + 1 < onager_words) packed |= words[at / 64 + 1] << 1 << (63 - at % 64);
        ((onager_word *)s)[i] = __builtin_ia32_pdep_di(packed, onager_parts[i].mask);
    }
}
#else
#define onager_pack_by_words onager_pack_fields
#define onager_unpack_by_words onager_unpack_fields
#endif

/* Member by member: what is between the members has no say. A model that assigns whole structs may leave anything
 * there. */
__attribute__((noinline)) static bool onager_pack_members(const state *s, uint64_t *words) {
    uint64_t packed[onager_words + 1] = {1};
    uint64_t bad = onager_pack_fields(s, packed);
    memcpy(words, packed, onager_words * sizeof *words);
    return bad == 0;
}

/* False: a value is out of range. */
ONAGER_INLINE bool onager_pack_state(const state *s, uint64_t *words) {
    uint64_t packed[onager_words + 1] = {1};
    uint64_t bad = (ONAGER_BY_WORDS ? onager_pack_by_words : onager_pack_fields)(s, packed);
    memcpy(words, packed, onager_words * sizeof *words);
    return __builtin_expect(bad == 0, 1) || (ONAGER_BY_WORDS && onager_pack_members(s, words));
}

/* s must be all 0. */
ONAGER_INLINE void onager_unpack_state(state *s, const uint64_t *words) {
    (ONAGER_BY_WORDS ? onager_unpack_by_words : onager_unpack_fields)(s, words);
}

static bool onager_pack(const state *s, uint64_t *words) { return onager_pack_state(s, words); }
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
    stubborn set = {list, list + max, false, UINT32_MAX};
    onager_model.obligations(s, t, &set);
    *bad = set.bad;
    return set.all ? UINT32_MAX : (uint32_t)(set.list - list);
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

/* Whether the two are the same, byte by byte. */
ONAGER_INLINE bool onager_same(const state *a, const state *b) {
#ifdef __AVX2__
    typedef long long four __attribute__((vector_size(32), aligned(8), may_alias));
    if (sizeof(state) % 32 == 0) {
        four differ = {0};
        for (size_t i = 0; i < sizeof(state) / 32; i++) differ |= ((const four *)a)[i] ^ ((const four *)b)[i];
        return __builtin_ia32_ptestz256(differ, differ);
    }
#endif
    return memcmp(a, b, sizeof *a) == 0;
}

/* Fires t in `s`, which is a copy of `from`. Returns 1 if s is a successor now; 0 if t is disabled and s is still a
 * copy; -1 on a fault. Whether the model has raised an error must be looked at when all transitions are done. */
ONAGER_INLINE int onager_try(struct onager_batch *batch, state *s, const state *from, uint32_t t) {
    batch->transition = t;
#ifdef ONAGER_STUBBORN
    batch->function = ONAGER_IN_FIRE;
#endif
    bool fired = onager_model.fire(s, t);
#ifdef ONAGER_CHECKED
    if (!fired && __builtin_expect(!onager_same(s, from), 0) && onager_changed(s, from)) {
        batch->fault = ONAGER_FALSE_CHANGED;
        return -1;
    }
#else
    (void)from;
#endif
    return fired;
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
        stubborn set = {NULL, NULL, false, UINT32_MAX};
        batch->transition = t;
        onager_model.obligations(from, t, &set);
        if (onager_raised_message) return;
    }
}

/* Packs the successors s[0], ..., s[count-1], which were fired by labels[0], .... False: see batch->fault. */
ONAGER_INLINE bool onager_pack_successors(struct onager_batch *batch, state *s, const uint32_t *labels, uint32_t count,
                                          uint64_t *out) {
    for (uint32_t i = 0; i < count; i++, out += onager_words) {
#ifdef ONAGER_SYMMETRY
        batch->transition = labels[i];
        batch->function = ONAGER_IN_SYMMETRY;
        onager_model.symmetry(&s[i]);
        if (__builtin_expect(onager_raised_message != NULL, 0)) {
            batch->fault = ONAGER_RAISED;
            return false;
        }
#endif
        bool fits = onager_pack_state(&s[i], out);
#ifdef ONAGER_CHECKED
        if (__builtin_expect(!fits, 0)) {
            batch->fault = ONAGER_OUT_OF_RANGE;
            batch->transition = labels[i];
            return false;
        }
#else
        (void)fits, (void)labels, (void)batch;
#endif
    }
    return true;
}

__attribute__((cold, noinline)) static uint32_t onager_stop(struct onager_batch *batch, uint32_t done) {
    batch->message = onager_raised();
    return done;
}

#ifdef ONAGER_STUBBORN
#include <onager/esc.h>
#endif

/* ---- Many states
 * -------------------------------------------------------------------------------------------------- */

#ifndef ONAGER_STUBBORN
static size_t onager_scratch_bytes(void) { return ONAGER_SUCCESSOR_BYTES; }

/* Fires all transitions. Returns how many successors there are, or -1. */
ONAGER_INLINE int64_t onager_fire_set(struct onager_batch *batch, const state *from, state *s, uint32_t *label) {
    state *first = s;
    memcpy(s, from, sizeof *s);
    memcpy(s + 1, from, sizeof *s); /* one ahead, so that what is read was not just stored */
    /* Unrolled, so that the model's arithmetic on t folds and every transition has branches of its own. */
#ifdef ONAGER_FORWARD
#pragma GCC unroll 32
    for (uint32_t t = 0; t < onager_model.transitions; t++) {
#else
#pragma GCC unroll 32
    for (uint32_t t = onager_model.transitions; t-- > 0;) {
#endif
        int fired = onager_try(batch, s, from, t);
        if (fired < 0) return -1;
        if (fired) {
            *label++ = t;
            memcpy(++s + 1, from, sizeof *s);
        }
    }
    return s - first;
}
#endif

__attribute__((flatten)) static uint32_t onager_expand(struct onager_batch *batch) {
    uint32_t end = 0;
    state *successors = batch->scratch;
    for (uint32_t i = 0; i < batch->count; i++) {
        state from;
        memset(&from, 0, sizeof from);
        batch->source = i;
        batch->function = ONAGER_IN_FIRE;
        onager_unpack_state(&from, batch->sources + (size_t)i * onager_words);
        int64_t count = onager_fire_set(batch, &from, successors, batch->labels + end);
        if (__builtin_expect(onager_raised_message != NULL, 0)) {
            onager_blame(batch, &from);
            return onager_stop(batch, i);
        }
        if (count < 0 || !onager_pack_successors(batch, successors, batch->labels + end, (uint32_t)count,
                                                 batch->successors + (size_t)end * onager_words))
            return onager_stop(batch, i);
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

extern const struct onager_param __start_onager_params[] __attribute__((weak, visibility("hidden")));
extern const struct onager_param __stop_onager_params[] __attribute__((weak, visibility("hidden")));
extern const struct onager_enum __start_onager_enums[] __attribute__((weak, visibility("hidden")));
extern const struct onager_enum __stop_onager_enums[] __attribute__((weak, visibility("hidden")));

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
};

#endif
