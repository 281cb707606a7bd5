/* Regions that grow in place, vectors, and what the machine says about itself. */
#include "unit.h"

#include "base/memory.h"

enum { HUGE = 2 << 20 };

static bool all(const char *p, size_t n, char value) {
    return n == 0 || (p[0] == value && memcmp(p, p + 1, n - 1) == 0);
}

/* What is grown is zero, what was there stays, and nothing moves. */
static void growth(void **unused) {
    static const size_t sizes[] = {0,       1,        100,  4096,     65535,        65536,    65537,
                                   1 << 20, HUGE - 1, HUGE, HUGE + 1, 3 * HUGE + 5, 20 * HUGE};
    struct region r;
    (void)unused;
    assert_true(region_init(&r, 20 * HUGE));
    assert_int_equal((uintptr_t)r.base % HUGE, 0);
    char *base = r.base;
    for (size_t i = 1; i < COUNT(sizes); i++) {
        assert_true(region_grow(&r, sizes[i]));
        assert_ptr_equal(r.base, base);
        assert_int_equal(r.size, sizes[i]);
        assert_true(all(base + sizes[i - 1], sizes[i] - sizes[i - 1], 0));
        memset(base + sizes[i - 1], (int)i, sizes[i] - sizes[i - 1]);
        for (size_t k = 1; k <= i; k++) assert_true(all(base + sizes[k - 1], sizes[k] - sizes[k - 1], (char)k));
    }
    assert_true(region_grow(&r, 5)); /* growing to less changes nothing */
    assert_int_equal(r.size, 20 * HUGE);
    assert_false(region_grow(&r, r.reserved + 1));
    assert_int_equal(r.size, 20 * HUGE);
    region_fini(&r);
    assert_null(r.base);
    region_fini(&r);
}

static void shrinking(void **unused) {
    static const size_t sizes[] = {10 * HUGE, 5 * HUGE + 77, HUGE, 4097, 3, 0};
    struct region r;
    (void)unused;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t full = 10 * HUGE + 1234;
        assert_true(region_init(&r, 16 * HUGE));
        assert_true(region_grow(&r, full));
        memset(r.base, 0x77, full);
        region_shrink(&r, sizes[i]);
        assert_int_equal(r.size, sizes[i]);
        assert_true(all(r.base, sizes[i], 0x77));
        assert_true(region_grow(&r, full));
        assert_true(all(r.base + sizes[i], full - sizes[i], 0));
        region_fini(&r);
    }
}

/* What the process has in use already counts. */
static void limits(void **unused) {
    struct region r = {0};
    struct budget b;
    (void)unused;
    uint64_t used = memory_resident();
    assert_true(memory_fits(HUGE, used + 4 * HUGE));
    assert_false(memory_fits(8 * HUGE, used + 4 * HUGE));
    assert_false(memory_fits(0, 1));
    assert_true(region_init_within(&r, used + 4 * HUGE));
    assert_true(region_grow(&r, HUGE));
    assert_false(region_grow(&r, 8 * HUGE));
    assert_int_equal(r.size, HUGE);
    region_fini(&r);
    assert_true(region_get_within(&r, 2 * HUGE, used + 4 * HUGE));
    assert_int_equal(r.size, 2 * HUGE);
    region_fini(&r);
    assert_false(region_get_within(&r, 8 * HUGE, used + 4 * HUGE));
    region_fini(&r);
    budget_init(&b, 100 * HUGE);
    assert_true(region_init(&r, 100 * HUGE));
    b.most = used + 4 * HUGE;
    assert_false(region_grow_within(&r, 8 * HUGE, &b));
    assert_int_equal(b.left, 100 * HUGE);
    assert_true(region_grow_within(&r, HUGE, &b));
    region_fini(&r);
}

/* Regions that share a budget get no more than it has, each byte once; what is refused costs nothing. */
static void budgets(void **unused) {
    struct region r[3];
    struct budget b;
    (void)unused;
    random_start(1);
    budget_init(&b, 10 * HUGE);
    assert_int_equal(b.total, 10 * HUGE);
    for (size_t i = 0; i < COUNT(r); i++) assert_true(region_init(&r[i], 6 * HUGE));
    uint32_t refused = 0;
    for (int round = 0; round < 300; round++) {
        struct region *one = &r[random_below(COUNT(r))];
        size_t before = one->size, size = before + random_below(HUGE / 4), left = b.left;
        bool room = size - before <= left && size <= one->reserved;
        assert_int_equal(region_grow_within(one, size, &b), room);
        assert_int_equal(one->size, room ? size : before);
        assert_int_equal(b.left, room ? left - (size - before) : left);
        assert_int_equal(r[0].size + r[1].size + r[2].size + b.left, b.total);
        refused += !room;
    }
    assert_in_range(refused, 20, 280);
    uint64_t left = b.left;
    assert_true(region_grow_within(&r[0], r[0].size / 2, &b)); /* to less: nothing changes */
    assert_int_equal(b.left, left);
    for (size_t i = 0; i < COUNT(r); i++) region_fini(&r[i]);
    /* Beyond the reservation: the budget is given back. */
    budget_init(&b, 100 * HUGE);
    assert_true(region_init(&r[0], HUGE));
    assert_false(region_grow_within(&r[0], 50 * HUGE, &b));
    assert_int_equal(b.left, 100 * HUGE);
    assert_true(region_grow_within(&r[0], HUGE, &b));
    assert_int_equal(b.left, 99 * HUGE);
    region_fini(&r[0]);
}

static void refusals(void **unused) {
    struct region r;
    (void)unused;
    assert_false(region_init(&r, (size_t)1 << 60));
    assert_null(r.base);
}

static void vectors(void **unused) {
    struct numbers v = {0};
    (void)unused;
    for (uint64_t i = 0; i < 10000; i++) numbers_add(&v, i * i);
    assert_int_equal(v.count, 10000);
    for (uint64_t i = 0; i < 10000; i++) assert_int_equal(v.at[i], i * i);
    numbers_fini(&v);
    assert_int_equal(v.count, 0);
    assert_null(v.at);
}

static void figures(void **unused) {
    (void)unused;
    size_t n = 64 << 20;
    uint64_t before = memory_resident();
    assert_in_range(before, 1 << 17, UINT64_C(1) << 36);
    char *p = memory_get(n);
    memset(p, 1, n);
    assert_true(p[random_below((uint32_t)n)] == 1);
    assert_true(memory_resident() >= before + n / 10 * 9);
    assert_true(memory_peak() >= n);
    assert_in_range(memory_available(), 1 << 20, UINT64_C(1) << 50);
    free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth),  cmocka_unit_test(shrinking), cmocka_unit_test(refusals), cmocka_unit_test(vectors),
        cmocka_unit_test(figures), cmocka_unit_test(budgets),   cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
