/* Packing against a naive packer that goes bit by bit, compiled both for machines with pext and pdep and for others. */
#include "unit.h"

#include <onager.h>

#include "pack_ways.h"

enum { MOST_WORDS = 80, MOST_BYTES = 600 };

/* ---- The naive packer ---- */

static unsigned bits_of(int64_t width) {
    if (width < 0) return (unsigned)-width;
    if (width < ONAGER_UPTO_BASE) return (unsigned)width;
    unsigned bits = 1;
    while ((uint64_t)(width - ONAGER_UPTO_BASE) >> bits) bits++;
    return bits;
}

/* The smallest C type with a bit to spare. */
static unsigned size_of(int64_t width) {
    unsigned bits = bits_of(width);
    return bits < 8 ? 1 : bits < 16 ? 2 : bits < 32 ? 4 : 8;
}

/* Element i as a number: sign-extended if the width is signed. */
static int64_t element(const unsigned char *from, unsigned size, int64_t width, size_t i) {
    uint64_t v = 0;
    for (unsigned k = 0; k < size; k++) v |= (uint64_t)from[i * size + k] << (8 * k);
    if (width < 0 && size < 8 && (v >> (8 * size - 1) & 1)) v |= ~UINT64_C(0) << (8 * size);
    return (int64_t)v;
}

static void set_element(unsigned char *to, unsigned size, size_t i, int64_t value) {
    for (unsigned k = 0; k < size; k++) to[i * size + k] = (unsigned char)((uint64_t)value >> (8 * k));
}

static bool fits(int64_t value, int64_t width) {
    unsigned bits = bits_of(width);
    if (bits == 64) return true;
    if (width < 0) return value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1);
    if (width >= ONAGER_UPTO_BASE) return (uint64_t)value <= (uint64_t)(width - ONAGER_UPTO_BASE);
    return (uint64_t)value >> bits == 0;
}

/* Packs; true if all elements fit. */
static bool naive_pack(uint64_t *words, size_t offset, const unsigned char *from, unsigned size, int64_t width,
                       size_t length) {
    unsigned bits = bits_of(width);
    bool good = true;
    for (size_t i = 0; i < length; i++) {
        int64_t v = element(from, size, width, i);
        good &= fits(v, width);
        for (unsigned b = 0; b < bits; b++) {
            size_t at = 1 + offset + i * bits + b;
            if ((uint64_t)v >> b & 1) words[at / 64] |= UINT64_C(1) << (at % 64);
        }
    }
    return good;
}

/* ---- Comparing ---- */

static int64_t value_in_range(int64_t width) {
    unsigned bits = bits_of(width);
    uint64_t v = random_word();
    int64_t low = width < 0 ? (int64_t)(~UINT64_C(0) << (bits - 1)) : 0;
    int64_t high = width >= ONAGER_UPTO_BASE ? width - ONAGER_UPTO_BASE
                   : width < 0               ? (int64_t) ~(uint64_t)low
                                             : (int64_t)(bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1);
    switch (random_below(6)) {
    case 0: return low;
    case 1: return high;
    case 2: return 0;
    case 3: return width < 0 ? -1 : high;
    default: break;
    }
    if (bits == 64) return (int64_t)v;
    return (int64_t)((uint64_t)low + v % ((uint64_t)high - (uint64_t)low + 1));
}

/* Something near the borders of the range, or anything that the type can hold. */
static int64_t value_nearby(int64_t width) {
    unsigned bits = bits_of(width);
    int64_t high = width >= ONAGER_UPTO_BASE ? width - ONAGER_UPTO_BASE
                                             : (int64_t)(UINT64_C(1) << (bits - (width < 0 ? 1 : 0)) % 64);
    switch (random_below(5)) {
    case 0: return high + 1;
    case 1: return high;
    case 2: return -1;
    case 3: return -high - 1;
    default: return (int64_t)random_word();
    }
}

/* Packs `from` both ways and unpacks it again. It stands `native` bytes after the beginning of a state that ends
 * with it, so that a sanitizer sees what is read beyond. */
static void compare(const struct pack_way *way, int layout, size_t offset, size_t native, const unsigned char *from,
                    unsigned size, int64_t width, size_t length) {
    uint64_t expected[MOST_WORDS] = {1}, packed[MOST_WORDS] = {1};
    unsigned char back[MOST_BYTES], *state = malloc(native + length * size + 1 - (native + length * size > 0));
    bool good = naive_pack(expected, offset, from, size, width, length);
    for (size_t i = 0; i < native; i++) state[i] = (unsigned char)random_word();
    memcpy(state + native, from, length * size);
    uint64_t bad = layout < 0 ? way->pack(packed, offset, state, native, size, width, length)
                              : way->pack_fixed((unsigned)layout, packed, state);
    free(state);
    assert_int_equal(bad == 0, good);
    assert_memory_equal(packed, expected, sizeof packed);
    if (!good) return;
    memset(back, 0xa5, sizeof back);
    /* Whatever stands before and after must not shine through. */
    size_t end = 1 + offset + length * bits_of(width);
    for (size_t w = 0; w < MOST_WORDS; w++) {
        uint64_t noise = random_word();
        for (unsigned b = 0; b < 64; b++)
            if (64 * w + b > offset && 64 * w + b < end) noise &= ~(UINT64_C(1) << b);
        packed[w] |= noise;
    }
    if (layout < 0) way->unpack(packed, offset, back, size, width, length);
    else way->unpack_fixed((unsigned)layout, packed, back);
    assert_memory_equal(back, from, length * size);
    for (size_t i = length * size; i < sizeof back; i++) assert_int_equal(back[i], 0xa5);
}

/* In range; then with one element that may be out of range. */
static void try_layout(const struct pack_way *way, int layout, size_t offset, size_t native, unsigned size,
                       int64_t width, size_t length) {
    unsigned char from[MOST_BYTES] = {0};
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < length; i++) set_element(from, size, i, round == 3 ? 0 : value_in_range(width));
        compare(way, layout, offset, native, from, size, width, length);
        if (!length) continue;
        for (int k = 0; k < 8; k++) {
            size_t i = random_below((uint32_t)length);
            int64_t keep = element(from, size, width, i);
            set_element(from, size, i, value_nearby(width));
            compare(way, layout, offset, native, from, size, width, length);
            set_element(from, size, i, keep);
        }
    }
}

static int64_t random_width(void) {
    switch (random_below(4)) {
    case 0: return 1 + random_below(64);
    case 1: return SIGNED(1 + (int64_t)random_below(64));
    case 2: return UPTO((int64_t)random_below(40));
    default: return UPTO((int64_t)(random_word() % (UINT64_C(1) << 31) >> random_below(31)));
    }
}

static void random_layouts(const struct pack_way *way) {
    random_start(1);
    for (int i = 0; i < 2500; i++) {
        int64_t width = random_width();
        try_layout(way, -1, random_below(200), random_below(20), size_of(width), width, random_below(70));
    }
}

/* Every width, at every distance from a word's border. */
static void all_widths(const struct pack_way *way) {
    random_start(2);
    for (int64_t bits = 1; bits <= 64; bits++)
        for (size_t offset = 0; offset < 64; offset += 1 + random_below(4)) {
            try_layout(way, -1, offset, offset % 9, size_of(bits), bits, 9);
            try_layout(way, -1, offset, offset % 9, size_of(SIGNED(bits)), SIGNED(bits), 9);
        }
}

/* Every value that an 8-bit member can have, for every width that it is used for. */
static void ranges_are_exact(const struct pack_way *way) {
    for (int64_t k = 1; k < 8 + 8 + 128; k++) {
        int64_t width = k < 8 ? k : k < 15 ? SIGNED(k - 7) : k < 16 ? 1 : UPTO(k - 16);
        for (unsigned length = 1; length <= 17; length += 8)
            for (unsigned at = 0; at < length; at += 3)
                for (int v = 0; v < 256; v++) {
                    unsigned char from[24];
                    uint64_t words[4] = {1};
                    memset(from, 0xff, 7);
                    memset(from + 7, 0, 17);
                    from[7 + at] = (unsigned char)v;
                    bool good = fits(element(from + 7, 1, width, at), width);
                    assert_int_equal(way->pack(words, 0, from, 7, 1, width, length) == 0, good);
                }
    }
}

static void fixed_layouts(const struct pack_way *way) {
    random_start(3);
    for (int i = 0; i < 200; i++) {
#define TRY(number, offset, native, size, width, length) try_layout(way, number, offset, native, size, width, length);
        PACK_FIXED(TRY)
    }
}

static void gather_and_spread(const struct pack_way *way) {
    static const unsigned lanes[] = {8, 16, 32, 64};
    random_start(4);
    for (size_t l = 0; l < COUNT(lanes); l++)
        for (unsigned bits = 1; bits <= lanes[l]; bits++)
            for (int i = 0; i < 50; i++) {
                uint64_t x = 0, y = 0, gathered = 0, noise = random_word();
                for (unsigned lane = 0; lane < 64 / lanes[l]; lane++) {
                    uint64_t v = random_word() & (bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1);
                    x |= v << (lane * lanes[l]);
                    noise &= ~((bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1) << (lane * lanes[l]));
                    for (unsigned b = 0; b < bits; b++) gathered |= (v >> b & 1) << (lane * bits + b);
                }
                y = way->gather(x | noise, lanes[l], bits); /* other bits are ignored */
                assert_true(y == gathered);
                assert_true(way->spread(y, lanes[l], bits) == x);
            }
}

static void one_way(void (*test)(const struct pack_way *), struct pack_way way) {
    if (!way.there) {
        print_message("no %s here\n", way.name);
        skip();
    }
    test(&way);
}

#define BOTH_WAYS(test)                                                                                                \
    static void test##_portable(void **unused) { (void)unused, one_way(test, pack_way_portable()); }                   \
    static void test##_bmi2(void **unused) { (void)unused, one_way(test, pack_way_bmi2()); }
BOTH_WAYS(random_layouts)
BOTH_WAYS(all_widths)
BOTH_WAYS(ranges_are_exact)
BOTH_WAYS(fixed_layouts)
BOTH_WAYS(gather_and_spread)
#define TESTS(test) cmocka_unit_test(test##_portable), cmocka_unit_test(test##_bmi2)

/* The widths' macros against the naive reading of what they mean. */
static void widths(void **unused) {
    (void)unused;
    random_start(5);
    for (int64_t bits = 1; bits <= 64; bits++) {
        assert_int_equal(ONAGER_BITS(bits), bits);
        assert_int_equal(ONAGER_BITS(SIGNED(bits)), bits);
        assert_false(ONAGER_IS_UPTO(bits));
        assert_true(ONAGER_IS_SIGNED(SIGNED(bits)));
    }
    for (int64_t max = 0; max < 5000; max++) {
        assert_int_equal(ONAGER_BITS(UPTO(max)), bits_of(UPTO(max)));
        assert_int_equal(ONAGER_UPTO_MAX(UPTO(max)), max);
    }
    assert_int_equal(ONAGER_BITS(UPTO(0)), 1);
    assert_int_equal(ONAGER_BITS(UPTO(INT64_C(0x7fffffff))), 31);
    assert_int_equal(ONAGER_BITS(UPTO(INT64_C(0x80000000))), 32);
}

/* What each word of a struct contributes, against going through its elements. */
static void parts(void **unused) {
    enum { RUNS = 6, WORDS = 200 };
    (void)unused;
    random_start(6);
    for (int round = 0; round < 3000; round++) {
        struct onager_part found[WORDS], expected[WORDS] = {{0}};
        size_t byte = 0, at = 1;
        for (size_t w = 0; w < WORDS; w++) found[w] = (struct onager_part){.at = 1};
        for (int run = 0; run < RUNS; run++) {
            int64_t width = random_width(), max = width - ONAGER_UPTO_BASE;
            if (width < 0) width = -width;
            unsigned size = size_of(width), bits = bits_of(width), length = random_below(24);
            uint64_t low = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
            byte = (byte + size - 1) / size * size;
            for (size_t w = 0; w < WORDS; w++) onager_add_part(&found[w], w, byte, size, width, length);
            for (unsigned i = 0; i < length; i++, byte += size, at += bits) {
                struct onager_part *part = &expected[byte / 8];
                if (!part->mask) part->at = at;
                part->mask |= low << 8 * (byte % 8);
                if (width >= ONAGER_UPTO_BASE) part->gap |= (low - (uint64_t)max) << 8 * (byte % 8);
            }
        }
        for (size_t w = 0; w < WORDS; w++) {
            assert_true(found[w].mask == expected[w].mask);
            assert_true(found[w].gap == expected[w].gap);
            if (found[w].mask) assert_int_equal(found[w].at, expected[w].at);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths), cmocka_unit_test(parts), TESTS(gather_and_spread), TESTS(random_layouts),
        TESTS(all_widths),        TESTS(ranges_are_exact), TESTS(fixed_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
