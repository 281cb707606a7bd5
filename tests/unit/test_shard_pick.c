/* Picking the images of a shard, against looking at each. */
#include "store/shard_pick.h"

#include "unit.h"

enum { MOST = 300 };

static void test_pick(void **state) {
    (void)state;
    random_start(1);
    for (uint32_t i = 0; i < ROUNDS(20000); i++) {
        const struct store s = {.shard_bits = random_below(6)};
        uint64_t images[MOST], picked[MOST + PICK_MORE];
        uint32_t places[MOST + PICK_MORE], end = random_below(MOST + 1), begin = random_below(end + 1), expected = 0;
        unsigned shard = random_below(store_shards(&s));
        for (uint32_t k = 0; k < MOST; k++) images[k] = random_word();
        uint32_t n = pick(&s, shard, images, begin, end, picked, places);
        for (uint32_t k = begin; k < end; k++) {
            if (s.shard_bits && images[k] >> (64 - s.shard_bits) != shard) continue;
            assert_true(expected < n && places[expected] == k && picked[expected] == images[k] << s.shard_bits);
            expected++;
        }
        assert_int_equal(n, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pick)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
