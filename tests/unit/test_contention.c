/* Together or alone: on machines that are made up, with their own clock, what is done is nearly what the better way
 * would do. */
#include "base/contention.h"

#include "unit.h"

struct machine {
    double rates[2]; /* work in a second, by way */
    double asleep;   /* of the time, by threads together */
    double noise;    /* rates are up to so much higher or lower, from step to step */
};

static double wobble(double noise) { return 1 + noise * ((double)random_below(2001) / 1000 - 1); }

/* Goes on for so many seconds, in steps of a third of a millisecond. Returns what was done in a second. */
static double run(struct crowd *c, const struct machine *m, double *now, uint64_t *work, double seconds) {
    uint64_t before = *work;
    double begin = *now;
    while (*now < begin + seconds) {
        bool alone = crowd_wants_one(c, *work, *now);
        double step = 0.0003;
        *now += step;
        *work += (uint64_t)(m->rates[alone] * step * wobble(m->noise));
        if (!alone && m->asleep > 0) crowd_note_sleep(c, m->asleep * step);
    }
    return (double)(*work - before) / (*now - begin);
}

/* Who sleeps little is never alone, whatever would be better. */
static void idle_machine(void **unused) {
    struct crowd c = {0};
    struct machine m = {.rates = {1e6, 9e6}, .asleep = 0.1};
    double now = 1;
    uint64_t work = 0;
    (void)unused;
    assert_true(run(&c, &m, &now, &work, 5) < 1.001e6);
}

/* Whichever is better: at most a tenth of it is lost, from the first seconds on. */
static void busy_machine(void **unused) {
    double worst = 1;
    (void)unused;
    random_start(1);
    for (int i = 0; i < ROUNDS(400); i++) {
        struct crowd c = {0};
        struct machine m = {.rates = {1e6 * (1 + random_below(40)), 1e6 * (1 + random_below(40))}, .asleep = 0.6};
        double now = 1, best = m.rates[0] > m.rates[1] ? m.rates[0] : m.rates[1];
        uint64_t work = 0;
        m.noise = random_below(2) ? 0.9 : 0;
        run(&c, &m, &now, &work, 0.2);
        double share = run(&c, &m, &now, &work, 3) / best;
        if (share < worst) worst = share;
    }
    assert_true(worst > 0.9);
}

/* What others do changes: that is noticed, at the latest when patience ends. */
static void changes(void **unused) {
    (void)unused;
    for (int first = 0; first < 2; first++) {
        struct crowd c = {0};
        struct machine m = {.asleep = 0.5};
        double now = 1;
        uint64_t work = 0;
        m.rates[first] = 3e6;
        m.rates[!first] = 1e6;
        assert_true(run(&c, &m, &now, &work, 10) > 0.9 * 3e6);
        m.rates[first] = 1e6;
        m.rates[!first] = 3e6;
        run(&c, &m, &now, &work, 14);
        assert_true(run(&c, &m, &now, &work, 10) > 0.9 * 3e6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_machine),
        cmocka_unit_test(busy_machine),
        cmocka_unit_test(changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
