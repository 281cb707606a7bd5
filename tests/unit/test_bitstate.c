/* Supertrace: what it takes for known, against an exact set, and its estimate of that, against the truth. */
#include "unit.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>

#include "base/memory.h"
#include "store/bitstate.h"

static uint64_t hash_of(uint64_t set, uint64_t id) { return bitstate_hash((word[]){id << 1 | 1, set}, 2); }

/* ---- One set ---- */

struct count {
    uint64_t different; /* states */
    uint64_t news;      /* that were called new */
    double estimate;    /* of those that were not */
};

/* Adds states of random numbers below `range`; seen[id] is the exact set. A state that is there must not be new. */
static struct count fill(struct bitstate *b, uint64_t set, uint32_t range, uint64_t adds) {
    struct count c = {0};
    bool *seen = memory_get_zeroed(range);
    for (uint64_t i = 0; i < adds; i++) {
        uint32_t id = random_below(range);
        uint64_t hash = hash_of(set, id);
        bool had = bitstate_has(b, hash), fresh = bitstate_add(b, hash);
        if (had == fresh || (seen[id] && fresh)) fail_msg("state %u: there %d, new %d", id, had, fresh);
        c.different += !seen[id];
        c.news += fresh;
        seen[id] = true;
    }
    free(seen);
    c.estimate = bitstate_omitted(b);
    assert_int_equal(b->states, c.news);
    assert_float_equal(bitstate_coverage(b), (double)c.news / ((double)c.news + c.estimate), 1e-12);
    return c;
}

/* Thousands of random sets for every number of bits a state and several fills: the estimates add up to the truth within
 * a few percent, or within what chance allows where few are omitted. */
static void estimate_is_the_truth(void **unused) {
    static const double bits_per_state[] = {2, 4, 8, 16, 48};
    (void)unused;
    random_start(1);
    for (unsigned k = 1; k <= BITSTATE_MAX_HASHES; k++)
        for (size_t f = 0; f < COUNT(bits_per_state); f++) {
            double truth = 0, estimate = 0;
            for (uint64_t set = 0; set < (FEWER ? 20 : 100); set++) {
                struct bitstate b;
                uint32_t lines = 3 + random_below(60);
                uint32_t range = (uint32_t)(lines * 512 / bits_per_state[f]);
                assert_true(bitstate_init(&b, lines * 64 + random_below(64), k));
                assert_int_equal(b.lines, lines);
                struct count c = fill(&b, set + 1000 * k, range, range + random_below(3 * range));
                truth += (double)(c.different - c.news);
                estimate += c.estimate;
                bitstate_fini(&b);
            }
            double allowed = 0.03 * truth + 5 * sqrt(truth + 1);
            if (fabs(truth - estimate) > allowed)
                fail_msg("%u bits, %g bits a state: %g were omitted, estimate %g", k, bits_per_state[f], truth,
                         estimate);
        }
}

/* One big set: the estimate of a single run. */
static void estimate_of_one_set(void **unused) {
    (void)unused;
    for (unsigned k = 1; k <= 4; k++) {
        struct bitstate b;
        uint64_t states = FEWER ? 200000 : 1000000;
        assert_true(bitstate_init(&b, states, k));
        uint64_t news = 0;
        for (uint64_t id = 0; id < states; id++) news += bitstate_add(&b, hash_of(7, id));
        double truth = (double)(states - news);
        assert_true(truth > 1000);
        assert_true(fabs(bitstate_omitted(&b) - truth) < 0.02 * truth + 5 * sqrt(truth));
        bitstate_fini(&b);
    }
}

/* What the header says that one line costs: about 1 + 3/r + 1/r^2 times. */
static void price_of_lines(void **unused) {
    struct bitstate b;
    uint64_t lines = 20000, states = 8 * lines, omitted = 0, tries = FEWER ? 300000 : 3000000;
    (void)unused;
    assert_true(bitstate_init(&b, lines * 64, 3));
    for (uint64_t id = 0; id < states; id++) bitstate_add(&b, hash_of(8, id));
    for (uint64_t id = 0; id < tries; id++) omitted += bitstate_has(&b, hash_of(9, id));
    double all_over = pow(1 - exp(-3 * 8 / 512.0), 3), ratio = (double)omitted / (double)tries / all_over;
    assert_true(fabs(ratio - (1 + 3 / 8.0 + 1 / 64.0)) < (FEWER ? 0.6 : 0.2));
    bitstate_fini(&b);
}

/* Bits of one state are spread over its line, and states over all lines. */
static void everything_is_used(void **unused) {
    (void)unused;
    for (unsigned k = 1; k <= BITSTATE_MAX_HASHES; k++) {
        struct bitstate b;
        assert_true(bitstate_init(&b, 5 * 64 + 63, k));
        assert_int_equal(b.lines, 5);
        for (uint64_t id = 0; id < 60000; id++) bitstate_add(&b, hash_of(3, id));
        for (size_t i = 0; i < 5 * 64; i++) assert_int_equal((uint8_t)b.region.base[i], 0xff);
        assert_false(bitstate_add(&b, hash_of(4, 1)));
        bitstate_fini(&b);
    }
    struct bitstate b;
    assert_true(bitstate_init(&b, 0, 0));
    assert_int_equal(b.lines, 1);
    assert_int_equal(b.hashes, BITSTATE_HASHES);
    assert_true(bitstate_coverage(&b) == 1);
    assert_true(bitstate_add(&b, 0));
    assert_false(bitstate_add(&b, 0));
    assert_true(bitstate_add(&b, UINT64_MAX));
    bitstate_fini(&b);
    assert_false(bitstate_init(&b, UINT64_C(1) << 60, 3));
}

/* ---- Several threads ---- */

enum { THREADS = 4, STATES = 200000 };

struct adder {
    struct bitstate *b;
    uint32_t first, step;
    uint8_t *news; /* by state: it was new */
};

/* Every state once, each thread in an order of its own. */
static void *add_all(void *context) {
    struct adder *a = context;
    struct bitstate_tally tally = {0};
    for (uint32_t i = 0, id = a->first; i < STATES; i++, id = (id + a->step) % STATES)
        a->news[id] = bitstate_add_shared(a->b, &tally, hash_of(5, id));
    bitstate_report(a->b, &tally);
    return NULL;
}

static void shared_by_threads(void **unused) {
    struct bitstate b;
    struct adder adders[THREADS];
    pthread_t threads[THREADS];
    uint64_t news = 0, omitted = 0;
    (void)unused;
    assert_true(bitstate_init(&b, STATES, 3));
    for (uint32_t i = 0; i < THREADS; i++) {
        /* Two pairs of threads; those of a pair add the same states at about the same time. */
        adders[i] = (struct adder){&b, i / 2 * 1000, i / 2 ? 7 : 9, memory_get_zeroed(STATES)};
        assert_int_equal(pthread_create(&threads[i], NULL, add_all, &adders[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (uint32_t id = 0; id < STATES; id++) {
        uint32_t times = 0;
        for (uint32_t i = 0; i < THREADS; i++) times += adders[i].news[id];
        omitted += times == 0;
        news += times;
        assert_true(bitstate_has(&b, hash_of(5, id)));
    }
    assert_int_equal(b.states, news);
    assert_in_range(news, STATES - omitted, STATES - omitted + STATES / 4); /* few, unless threads run in step */
    assert_true(omitted > 1000);
    assert_true(fabs(bitstate_omitted(&b) - (double)omitted) < 0.05 * (double)omitted + 5 * sqrt((double)omitted));
    for (uint32_t i = 0; i < THREADS; i++) free(adders[i].news);
    bitstate_fini(&b);
}

/* ---- Two threads that always work on the same line ---- */

enum { STEPS = 30000, AT_ONCE = 4 };

struct neighbour {
    struct bitstate *b;
    uint64_t salt;
    uint32_t *at, *other; /* how far this thread and the other one are */
};

static uint64_t in_line(uint64_t line, uint64_t salt) { return line << 48 | hash_of(salt, line) >> 16; }

static void *add_neighbours(void *context) {
    struct neighbour *n = context;
    struct bitstate_tally tally = {0};
    for (uint32_t line = 0; line < STEPS; line++) {
        __atomic_store_n(n->at, line, __ATOMIC_RELEASE);
        for (int turn = 0; __atomic_load_n(n->other, __ATOMIC_ACQUIRE) < line; turn++)
            if (turn > 1000) sched_yield();
        for (uint64_t i = 0; i < AT_ONCE; i++) bitstate_add_shared(n->b, &tally, in_line(line, n->salt + i));
    }
    __atomic_store_n(n->at, STEPS, __ATOMIC_RELEASE);
    return NULL;
}

/* No bit gets lost when two threads set bits of one word at the same time. */
static void no_bit_is_lost(void **unused) {
    struct bitstate b;
    uint32_t at[2] = {0};
    pthread_t thread;
    (void)unused;
    assert_true(bitstate_init(&b, 65536 * 64, 8));
    struct neighbour one = {&b, 100, &at[0], &at[1]}, two = {&b, 200, &at[1], &at[0]};
    assert_int_equal(pthread_create(&thread, NULL, add_neighbours, &one), 0);
    add_neighbours(&two);
    pthread_join(thread, NULL);
    for (uint64_t line = 0; line < STEPS; line++)
        for (uint64_t i = 0; i < AT_ONCE; i++) {
            assert_true(bitstate_has(&b, in_line(line, 100 + i)));
            assert_true(bitstate_has(&b, in_line(line, 200 + i)));
        }
    bitstate_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimate_is_the_truth), cmocka_unit_test(estimate_of_one_set),
        cmocka_unit_test(price_of_lines),        cmocka_unit_test(everything_is_used),
        cmocka_unit_test(shared_by_threads),     cmocka_unit_test(no_bit_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
