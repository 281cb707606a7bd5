/* The sieve against a set of all that was met: what it leaves out was met before, and what is left is mapped right. */
#include "store/sieve.h"

#include <stdlib.h>

#include "unit.h"

enum { MOST = 200, BATCHES = 40, DIFFERENT = 300 };

static const uint32_t key_bits[] = {1, 2, 7, 17, 30, 45, 47, 48, 49, 50, 63, 64};
enum { SIZES = sizeof key_bits / sizeof *key_bits };

static uint64_t below_bits(uint64_t x, uint32_t bits) { return bits < 64 ? x & ((UINT64_C(1) << bits) - 1) : x; }

/* Keys that share their places with others, and much of the rest: products of the sieve's factor, divided by it. */
static uint64_t neighbour(uint32_t bits) {
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t inverse = factor,
             product = (uint64_t)random_below(3) << 47 | random_below(3) << 15 | random_below(1 << 15);
    for (int i = 0; i < 6; i++) inverse *= 2 - factor * inverse;
    return (product >> (64 - bits) << (64 - bits)) * inverse >> (64 - bits);
}

/* Some keys, many of them alike: zero, all ones, the first bits, the last bits, or any. */
static uint64_t some_key(uint32_t bits) {
    if (random_below(4) == 0) return neighbour(bits);
    uint64_t x = random_below(DIFFERENT) * (random_below(2) ? UINT64_C(1) : UINT64_C(1) << (bits > 9 ? bits - 9 : 0));
    return below_bits(random_below(8) ? x : random_below(4) ? random_word() : random_below(2) ? 0 : UINT64_MAX, bits);
}

static bool is_among(const uint64_t *all, uint32_t n, uint64_t x) {
    while (n > 0 && all[n - 1] != x) n--;
    return n > 0;
}

static uint64_t run_once(uint32_t bits, bool as_states) {
    const struct store store = {.key_bits = bits};
    uint64_t *met = malloc(MOST * BATCHES * sizeof *met), batch[MOST], given[MOST], images[MOST], left_out = 0;
    uint32_t indices[MOST], count = 0;
    struct sieve v;
    sieve_init(&v, &store);
    for (uint32_t b = 0; b < BATCHES; b++) {
        uint32_t n = random_below(MOST + 1), next = 0;
        for (uint32_t i = 0; i < n; i++) {
            batch[i] = some_key(bits);
            given[i] = as_states ? batch[i] << 1 | 1 : batch[i];
        }
        uint32_t left = sieve_run(&v, as_states ? given : NULL, as_states ? NULL : given, n, images, indices);
        for (uint32_t i = 0; i < n; i++) {
            if (next < left && indices[next] == i) {
                assert_true(images[next] == store_image(store_mixer(&store), batch[i]));
                next++;
            } else {
                assert_true(is_among(met, count, batch[i]));
                left_out++;
            }
            met[count++] = batch[i];
        }
        assert_int_equal(next, left);
    }
    sieve_fini(&v);
    free(met);
    return left_out;
}

static void test_sieve(void **state) {
    (void)state;
    random_start(1);
    for (uint32_t i = 0; i < ROUNDS(600); i++) {
        uint32_t bits = key_bits[i % SIZES];
        bool as_states = bits < 64 && random_below(2);
        assert_true(run_once(bits, as_states) > MOST); /* it is of use */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sieve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
