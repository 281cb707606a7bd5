/* pack.h: between an array of native integers and a run of bits in a vector of 64-bit words.
 *
 * A packed state is a vector of words. Bit 0 of word 0 is the mark: always 1, so that no packed state begins with a
 * zero word. The variables follow it without gaps, in the order of their declaration, across word boundaries.
 *
 *     word 0                                                word 1
 *     | 1 | x: 3 bits | A[0] | A[1] | ... | A[k] low part   | A[k] high part | ...
 *
 * All arguments but the pointers are constants after inlining, so that what remains is a few loads, pext or pdep
 * instructions (or shifts and masks on a machine without them) and shifts.
 */
#ifndef ONAGER_PACK_H
#define ONAGER_PACK_H

#include <stdint.h>
#include <string.h>

#define ONAGER_INLINE static inline __attribute__((always_inline, unused))
#define ONAGER_MARK_BITS 1

/* The low `bits` bits set. */
ONAGER_INLINE uint64_t onager_low(unsigned bits) { return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1; }

/* `bits` bits set in each lane of `lane` bits. */
ONAGER_INLINE uint64_t onager_lanes(unsigned lane, unsigned bits) {
    uint64_t mask = onager_low(bits);
    for (unsigned l = lane; l < 64; l *= 2) mask |= mask << l;
    return mask;
}

/* Gather the low `bits` bits of every lane of x at the low end. */
ONAGER_INLINE uint64_t onager_gather(uint64_t x, unsigned lane, unsigned bits) {
#ifdef __BMI2__
    return __builtin_ia32_pext_di(x, onager_lanes(lane, bits));
#else
    x &= onager_lanes(lane, bits);
    for (; lane < 64; lane *= 2, bits *= 2) {
        uint64_t even = onager_lanes(2 * lane, bits);
        x = (x & even) | ((x >> (lane - bits)) & (even << bits));
    }
    return x;
#endif
}

/* The inverse: spread the low end of x over the lanes. */
ONAGER_INLINE uint64_t onager_spread(uint64_t x, unsigned lane, unsigned bits) {
#ifdef __BMI2__
    return __builtin_ia32_pdep_di(x, onager_lanes(lane, bits));
#else
    unsigned steps = 0;
    for (unsigned l = lane; l < 64; l *= 2) steps++;
    while (steps-- > 0) {
        unsigned l = lane << steps, b = bits << steps;
        uint64_t even = onager_lanes(2 * l, b);
        x = (x & even) | ((x & (even << b)) << (l - b));
    }
    return x;
#endif
}

ONAGER_INLINE void onager_put_bits(uint64_t *words, size_t at, uint64_t value, unsigned bits) {
    size_t word = at / 64;
    unsigned shift = at % 64;
    words[word] |= value << shift;
    if (shift + bits > 64) words[word + 1] |= value >> (64 - shift);
}

ONAGER_INLINE uint64_t onager_get_bits(const uint64_t *words, size_t at, unsigned bits) {
    size_t word = at / 64;
    unsigned shift = at % 64;
    uint64_t value = words[word] >> shift;
    if (shift + bits > 64) value |= words[word + 1] << (64 - shift);
    return value & onager_low(bits);
}

/* The `bytes` bytes at p as one number. If there are enough bytes `before` p, they are loaded too and shifted out: one
 * load instead of several. */
ONAGER_INLINE uint64_t onager_load(const char *p, size_t before, unsigned bytes) {
    uint64_t x = 0;
    if (bytes < 8 && before + bytes >= 8) {
        memcpy(&x, p + bytes - 8, 8);
        return x >> (64 - 8 * bytes);
    }
    memcpy(&x, p, bytes);
    return x;
}

/* Pack up to 64/lane elements that stand at p. Returns bits that are set where an element is out of its range. */
ONAGER_INLINE uint64_t onager_pack_lanes(uint64_t *words, size_t at, const char *p, size_t before, unsigned size,
                                         int64_t width, unsigned count) {
    unsigned lane = 8 * size, bits = (unsigned)ONAGER_BITS(width);
    uint64_t x = onager_load(p, before, count * size), mask = onager_lanes(lane, bits);
    onager_put_bits(words, at, onager_gather(x, lane, bits), count * bits);
    if (bits == 64) return 0;
    if (ONAGER_IS_SIGNED(width)) {
        /* Adding 2^(bits-1) in every lane moves the range to 0..2^bits-1. A lane has a bit more than the value, so
         * that the sum is kept within the lane by treating its top bit apart. */
        uint64_t half = onager_lanes(lane, 1) << (bits - 1), top = onager_lanes(lane, 1) << (lane - 1);
        x = ((x & ~top) + half) ^ (x & top);
        return x & ~mask & onager_low(count * lane);
    }
    uint64_t bad = x & ~mask;
    if (ONAGER_IS_UPTO(width) && ONAGER_UPTO_MAX(width) != onager_low(bits)) {
        /* x + (2^bits-1 - max) must not carry out of the `bits` low bits of its lane. */
        uint64_t gap = onager_lanes(lane, 1) * (onager_low(bits) - ONAGER_UPTO_MAX(width));
        bad |= ((x & mask) + gap) & ~mask;
    }
    return bad;
}

/* Pack `length` elements of `size` bytes, which stand `native_offset` bytes after the beginning of the state, into the
 * bits that start at `offset` (not counting the mark). */
ONAGER_INLINE uint64_t onager_pack_run(uint64_t *words, size_t offset, const void *state, size_t native_offset,
                                       unsigned size, int64_t width, size_t length) {
    unsigned bits = (unsigned)ONAGER_BITS(width), per = 8 / size;
    size_t at = offset + ONAGER_MARK_BITS, whole = length / per;
    const char *p = (const char *)state + native_offset;
    uint64_t bad = 0;
#pragma GCC unroll 16
    for (size_t i = 0; i < whole; i++, at += bits * per, p += 8)
        bad |= onager_pack_lanes(words, at, p, 0, size, width, per);
    if (length % per)
        bad |= onager_pack_lanes(words, at, p, native_offset + 8 * whole, size, width, (unsigned)(length % per));
    return bad;
}

ONAGER_INLINE void onager_unpack_lanes(const uint64_t *words, size_t at, char *p, unsigned size, int64_t width,
                                       unsigned count) {
    unsigned lane = 8 * size, bits = (unsigned)ONAGER_BITS(width);
    uint64_t x = onager_spread(onager_get_bits(words, at, count * bits), lane, bits);
    if (ONAGER_IS_SIGNED(width) && bits < 64) {
        /* Where the sign bit is set, set all bits above it in the lane: sign * (2^lane - 2^bits). */
        uint64_t sign = (x >> (bits - 1)) & onager_lanes(lane, 1);
        x |= sign * (onager_low(lane) & ~onager_low(bits));
    }
    memcpy(p, &x, count * size);
}

ONAGER_INLINE void onager_unpack_run(const uint64_t *words, size_t offset, void *to, unsigned size, int64_t width,
                                     size_t length) {
    unsigned bits = (unsigned)ONAGER_BITS(width), per = 8 / size;
    size_t at = offset + ONAGER_MARK_BITS, whole = length / per;
    char *p = to;
#pragma GCC unroll 16
    for (size_t i = 0; i < whole; i++, at += bits * per, p += 8) onager_unpack_lanes(words, at, p, size, width, per);
    if (length % per) onager_unpack_lanes(words, at, p, size, width, (unsigned)(length % per));
}

/* The bits in which x, whose bits start at `offset`, differs from what it was, into `words`. Not 0: it has changed, and
 * is out of range. */
ONAGER_INLINE uint64_t onager_differ(uint64_t *words, size_t offset, uint64_t x, uint64_t before, int64_t width) {
    size_t at = offset + ONAGER_MARK_BITS;
    unsigned bits = (unsigned)ONAGER_BITS(width);
    uint64_t differ = (x ^ before) & onager_low(bits);
    words[at / 64] ^= differ << at % 64;
    if (at % 64 + bits > 64) words[at / 64 + 1] ^= differ >> (64 - at % 64);
    if (bits == 64) return 0;
    uint64_t above_least = ONAGER_IS_SIGNED(width) ? x + (UINT64_C(1) << (bits - 1)) : x;
    uint64_t most = ONAGER_IS_UPTO(width) ? ONAGER_UPTO_MAX(width) : onager_low(bits);
    return (x != before) & (above_least > most);
}

/* What a word of the struct contributes to a packed state. */
struct onager_part {
    uint64_t mask; /* the bits of this word of the struct that are packed */
    uint64_t gap;  /* added to a value that is out of range, it carries out of the value's bits */
    size_t at;     /* where the packed bits go, the mark included */
};

/* Adds what a run of elements, as above, contributes by `word`. The runs are added in their order. */
ONAGER_INLINE void onager_add_part(struct onager_part *part, size_t word, size_t native_offset, unsigned size,
                                   int64_t width, size_t length) {
    size_t begin = 8 * word, past = native_offset + length * size;
    unsigned bits = (unsigned)ONAGER_BITS(width), from = native_offset > begin ? (unsigned)(native_offset - begin) : 0,
             to = past < begin       ? 0
                  : past < begin + 8 ? (unsigned)(past - begin)
                                     : 8;
    part->at += bits * (past < begin ? length : native_offset < begin ? (begin - native_offset) / size : 0);
    if (from >= to) return;
    uint64_t bytes = onager_low(8 * to) & ~onager_low(8 * from);
    part->mask |= onager_lanes(8 * size, bits) & bytes;
    if (ONAGER_HAS_GAP(width))
        part->gap |= onager_lanes(8 * size, 1) * (onager_low(bits) - ONAGER_UPTO_MAX(width)) & bytes;
}

#endif
