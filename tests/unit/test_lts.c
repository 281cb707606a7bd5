#include "unit.h"

#include "lts/lts.h"

static void test_edges_are_sorted_and_unique(void **state) {
    struct lts_builder b;
    struct lts l;
    (void)state;
    lts_build(&b);
    uint32_t a = names_add(&b.labels, "a");
    names_add(&b.labels, "unused");
    lts_build_edge(&b, 2, a, 0);
    lts_build_edge(&b, 0, a, 2);
    lts_build_edge(&b, 0, LTS_TAU, 3);
    lts_build_edge(&b, 0, a, 1);
    lts_build_edge(&b, 0, a, 2);
    b.end = 3;
    lts_build_finish(&b, &l);
    assert_int_equal(l.states, 4);
    assert_int_equal(l.edges, 4);
    assert_int_equal(lts_begin(&l, 0)[0].target, 3);
    assert_int_equal(lts_begin(&l, 0)[1].target, 1);
    assert_int_equal(lts_begin(&l, 0)[2].target, 2);
    assert_int_equal(lts_end(&l, 0) - lts_begin(&l, 0), 3);
    assert_true(lts_deadlocks(&l, 1));
    assert_false(lts_deadlocks(&l, 3));
    assert_int_equal(l.labels.count, 3);
    lts_fini(&l);
}

static void test_reachable_part(void **state) {
    struct lts_builder b;
    struct lts l, part;
    (void)state;
    lts_build(&b);
    uint32_t a = names_add(&b.labels, "a");
    b.initial = 3;
    b.error = 1;
    lts_build_edge(&b, 3, a, 1);
    lts_build_edge(&b, 0, a, 2);
    lts_build_finish(&b, &l);
    lts_reachable(&l, &part);
    assert_int_equal(part.states, 2);
    assert_int_equal(part.initial, 0);
    assert_int_equal(part.error, 1);
    assert_int_equal(part.edges, 1);
    lts_fini(&l);
    lts_fini(&part);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges_are_sorted_and_unique),
                                       cmocka_unit_test(test_reachable_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
