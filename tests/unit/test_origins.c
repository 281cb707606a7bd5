/* A queue of origins, against an array of all of them. */
#include "explore/origins.h"

#include <string.h>

#include "ts/ts.h"
#include "unit.h"

enum { MOST = 400000, AT_ONCE = 30000, MOST_SOURCES = 5000 };

static void test_queue(void **state) {
    (void)state;
    static uint8_t all[MOST + AT_ONCE], out[MOST_SOURCES + TS_MOST_SIBLINGS];
    random_start(1);
    for (uint32_t round = 0; round < ROUNDS(40); round++) {
        struct origins o;
        uint32_t first = round % 2 ? random_below(1000) : 0, end = first, at = 0;
        uint32_t taken_each = 1 + random_below(MOST_SOURCES), added_each = 1 + random_below(AT_ONCE);
        memset(all, 0, first);
        origins_init(&o, first, 1 << 30);
        while (at < end || end < MOST) {
            uint32_t some = random_below(added_each) + 1;
            for (uint32_t i = 0; end < MOST && i < some; i++, end++)
                all[end] = (uint8_t)(random_below(127) | (random_chance(60) && i + 1 < some ? TS_ORIGIN_MORE : 0));
            if (end == MOST) all[end - 1] &= TS_ORIGIN_MORE - 1;
            origins_add(&o, all + o.end, (uint32_t)(end - o.end));
            uint32_t n = 1 + random_below(taken_each);
            if (n > end - at) n = end - at;
            if (n == 0) continue;
            origins_take(&o, at, n, out);
            uint32_t more = 0;
            while (more < TS_MOST_SIBLINGS && (all[at + n + more - 1] & TS_ORIGIN_MORE)) more++;
            assert_memory_equal(out, all + at, n + more - 1);
            assert_int_equal(out[n + more - 1] % TS_ORIGIN_MORE, all[at + n + more - 1] % TS_ORIGIN_MORE);
            assert_int_equal(out[n + more - 1] & TS_ORIGIN_MORE, 0);
            at += n;
        }
        assert_true(o.begin == MOST && o.end == MOST);
        origins_fini(&o);
    }
}

/* Where there is no room, what was known is forgotten, and no more than that. */
static void test_forgetting(void **state) {
    (void)state;
    static uint8_t some[100000], out[1000 + TS_MOST_SIBLINGS];
    struct origins o;
    memset(some, 0, sizeof some);
    origins_init(&o, 0, 1 << 17);
    origins_add(&o, some, 100000); /* nothing is known */
    assert_true(o.begin == 100000 && o.end == 100000 && o.room == 1 << 16);
    memset(some, 5, sizeof some);
    origins_add(&o, some, 100000);
    assert_true(o.begin == 100000 && o.end == 200000 && o.room == 1 << 17);
    origins_take(&o, 99500, 1000, out);
    assert_true(out[499] == 0 && out[500] == 5 && out[999] == 5);
    origins_add(&o, some, 100000); /* too many */
    assert_true(o.begin == 300000 && o.end == 300000 && o.room == 1 << 17);
    origins_take(&o, 100500, 1000, out);
    assert_true(out[0] == 0 && out[999] == 0);
    origins_add(&o, some, 10);
    origins_take(&o, 299990, 20, out);
    assert_true(out[9] == 0 && out[10] == 5 && out[19] == 5);
    origins_fini(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queue), cmocka_unit_test(test_forgetting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
