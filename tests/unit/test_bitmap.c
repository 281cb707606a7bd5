/* Bitmaps against an array of truth values. */
#include "unit.h"

#include "base/bitmap.h"

/* Everything that can be asked, against `in`. */
static void compare(struct bitmap *b, const bool *in, uint64_t size) {
    uint64_t rank = 0;
    assert_true(bitmap_count_ranks(b));
    for (uint64_t i = 0; i < size; i++) {
        assert_int_equal(bitmap_has(b, i), in[i]);
        assert_int_equal(bitmap_rank(b, i), rank);
        rank += in[i];
    }
    assert_int_equal(bitmap_count(b), rank);
}

static void against_array(uint64_t size, uint32_t percent) {
    struct bitmap b;
    bool *in = calloc(size + 1, sizeof *in);
    assert_true(bitmap_init(&b, size));
    assert_int_equal(b.size, size);
    compare(&b, in, size);
    for (uint64_t i = 0; i < size; i++)
        if (random_chance(percent)) {
            bitmap_add(&b, i);
            in[i] = true;
        }
    compare(&b, in, size);
    for (uint64_t i = 0; i < size; i++)
        if (random_chance(30)) {
            bitmap_remove(&b, i);
            in[i] = false;
        } else if (random_chance(10)) {
            bitmap_add(&b, i);
            in[i] = true;
        }
    compare(&b, in, size);
    bitmap_fini(&b);
    free(in);
}

static void borders(void **unused) {
    static const uint64_t sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 511, 512, 513, 575, 576, 1023, 1024, 1025};
    (void)unused;
    random_start(1);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (uint32_t percent = 0; percent <= 100; percent += 25) against_array(sizes[i], percent);
}

static void large(void **unused) {
    (void)unused;
    random_start(2);
    against_array(1000003, 3);
    against_array(1 << 20, 97);
}

static void rank_of_all(void **unused) {
    struct bitmap b;
    uint64_t size = 4096;
    (void)unused;
    assert_true(bitmap_init(&b, size));
    for (uint64_t i = 0; i < size; i++) bitmap_add(&b, i);
    assert_true(bitmap_count_ranks(&b));
    for (uint64_t i = 0; i <= size; i++) assert_int_equal(bitmap_rank(&b, i), i); /* the size itself: all members */
    bitmap_fini(&b);
}

/* No more than the machine has: refused, not fatal. */
static void too_large(void **unused) {
    struct bitmap b;
    (void)unused;
    assert_false(bitmap_init(&b, UINT64_C(1) << 60));
    bitmap_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders),
        cmocka_unit_test(large),
        cmocka_unit_test(rank_of_all),
        cmocka_unit_test(too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
