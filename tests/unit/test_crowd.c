#include "search/crowd.h"

#include <unistd.h>

#include "base/clock.h"
#include "unit.h"

/* Sleeps for at least so many seconds in all, as a thread that waits would. */
static void nap_for(struct crowd *c, double seconds) {
    unsigned times = 1u << 30; /* it has waited for long */
    for (double end = clock_seconds() + seconds; clock_seconds() < end;) crowd_rest(c, &times);
}

/* Who waits for a short while only does not sleep. */
static void short_waits(void **unused) {
    struct crowd c = {0};
    (void)unused;
    crowd_begin(&c);
    for (int i = 0; i < 10000; i++) {
        unsigned times = 0;
        crowd_rest(&c, &times);
    }
    assert_int_equal(c.asleep, 0);
    assert_false(crowd_is_dense(&c));
    assert_false(crowd_lasts(&c));
}

static void long_waits(void **unused) {
    struct crowd c = {0};
    (void)unused;
    crowd_begin(&c);
    nap_for(&c, 0.05);
    assert_in_range(c.asleep, 25000, 10000000);
    assert_true(crowd_is_dense(&c));
    double begin = clock_seconds();
    assert_true(crowd_is_dense(&c)); /* until one is alone */
    while (crowd_lasts(&c)) usleep(1000);
    assert_true(clock_seconds() - begin >= 0.09);
    assert_false(crowd_is_dense(&c)); /* all is forgotten */
}

/* Not more of the time than pays. */
static void some_waits(void **unused) {
    struct crowd c = {0};
    (void)unused;
    crowd_begin(&c);
    c.since -= 10;
    nap_for(&c, 0.05);
    assert_false(crowd_is_dense(&c));
    assert_true(clock_seconds() - c.since < 5); /* judged, and begun anew */
    assert_int_equal(c.asleep, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_waits),
        cmocka_unit_test(long_waits),
        cmocka_unit_test(some_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
