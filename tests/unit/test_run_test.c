/* Random tests, with tau edges and choices, run with random LTSs: the verdict must be that of the definition
 * (tiny_fails_test), and the way that is shown must be one. */
#include "unit.h"

#include "compare/confirm.h"
#include "compare/run_test.h"
#include "tiny.h"

/* The labels of the set `known`, success where `success` says; what is not known does not occur in the test. */
static void make_test(const struct tiny *t, uint32_t known, states success, struct lts *out) {
    static const char *const names[TINY_LABELS] = {"tau", "a", "b", "c", "d"};
    struct lts_builder b;
    uint32_t label[TINY_LABELS] = {0};
    lts_build(&b);
    uint32_t mark = names_add(&b.labels, "success"); /* not the last one */
    for (int a = 1; a < t->labels; a++)
        if (known >> a & 1) label[a] = names_add(&b.labels, names[a]);
    b.states = (uint32_t)t->count;
    for (int s = 0; s < t->count; s++) {
        for (int a = 0; a < t->labels; a++)
            for (int to = 0; to < t->count; to++)
                if ((a == 0 || (known >> a & 1)) && (t->to[s][a] >> to & 1))
                    lts_build_edge(&b, (uint32_t)s, label[a], (uint32_t)to);
        if (success >> s & 1) lts_build_edge(&b, (uint32_t)s, mark, random_below((uint32_t)t->count));
    }
    lts_build_finish(&b, out);
}

/* The pair cannot come to success: a run that begins there fails at once. */
static void expect_hopeless(const struct lts *l, const struct lts *test, const struct test_run *run) {
    struct lts rest = *test;
    struct test_run again;
    rest.initial = run->with;
    assert_int_equal(run_test_fails(l, run->state, &rest, "success", NULL, &again), OUTCOME_FOUND);
    assert_int_equal(again.trace.length, 0);
    assert_true(again.state == run->state && again.with == run->with);
    free(again.trace.label);
}

static void random_tests(void **unused) {
    uint32_t fail = 0, pass = 0;
    (void)unused;
    random_start(5);
    tiny_seed(random_word());
    for (uint32_t i = 0; i < ROUNDS(20000); i++) {
        int labels = 2 + (int)random_below(4);
        uint32_t known = random_word() & (random_chance(70) ? 0xff : 0x1b), hidden = ~known & ((1u << labels) - 2);
        struct tiny x = tiny_random(1 + (int)random_below(6), labels, 1 + random_below(14), random_below(50));
        struct tiny t = tiny_random(1 + (int)random_below(6), labels, 1 + random_below(14), random_below(40));
        states success = (states)(random_word() | random_word()) & ((1u << t.count) - 1);
        struct tiny seen = tiny_hide(&x, hidden); /* what the test does not know is like tau */
        struct tiny able = t;
        struct lts l, test;
        struct test_run run;
        for (int s = 0; s < t.count; s++)
            for (int a = 1; a < labels; a++)
                if (hidden >> a & 1) able.to[s][a] = 0;
        tiny_lts(&x, &l);
        make_test(&t, known, success, &test);
        bool expected = tiny_fails_test(&seen, &able, success);
        enum outcome outcome = run_test_fails(&l, l.initial, &test, "success", NULL, &run);
        if (outcome != (expected ? OUTCOME_FOUND : OUTCOME_NONE)) {
            tiny_print("lts", &x);
            tiny_print("test", &able);
            fail_msg("round %u: success in %x, known %x, expected %d", i, success, known, expected);
        }
        if (expected) assert_true(confirm_trace(&l, l.initial, &run.trace)), expect_hopeless(&l, &test, &run);
        expected ? fail++ : pass++;
        free(run.trace.label);
        lts_fini(&l);
        lts_fini(&test);
    }
    assert_true(fail > OFTEN(2000) && pass > OFTEN(2000));
}

/* No verdict when the effort is over. */
static void giving_up(void **unused) {
    struct tiny x = tiny_read("0-a->1 1-b->0"), t = tiny_read("0-a->1 1-b->0");
    struct effort effort = {.most = 1};
    struct lts l, test;
    struct test_run run;
    (void)unused;
    tiny_lts(&x, &l);
    make_test(&t, 0xff, 1, &test);
    assert_int_equal(run_test_fails(&l, 0, &test, "success", &effort, &run), OUTCOME_GIVEN_UP);
    assert_null(run.trace.label);
    lts_fini(&l);
    lts_fini(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tests),
        cmocka_unit_test(giving_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
