/* What the paper (FAIR) says about its figures, of systems that were rebuilt from what the text says about them. */
#include "unit.h"

#include "base/memory.h"
#include "compare/compare.h"
#include "nets.h"
#include "model/network/network_ts.h"
#include "check/lts/build_lts.h"

static struct build_report report; /* of the last LTS that was made */

/* All methods but where one is named. */
static struct reduction reduction(enum preserve preserve, enum reduce_method method) {
    return (struct reduction){.stubborn = true, .forward = true, .method = method, .preserve = preserve};
}

static struct lts lts_of(const struct network *n, struct reduction r) {
    struct problem why = {0};
    struct network copy;
    struct limits limits = {.max_memory = UINT64_C(1) << 30};
    struct lts l;
    nets_copy(&copy, n);
    struct ts *ts = network_open(&copy, "figure", r, &why);
    assert_non_null(ts);
    struct ts_worker *w = ts->ops->worker_new(ts);
    assert_true(build_lts(ts, w, &limits, NULL, NULL, &l, &report, &why));
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    return l;
}

static bool related(const struct lts *a, const struct lts *b, enum lts_relation relation) {
    struct comparison_question q = {.relation = relation};
    struct comparison c;
    struct problem why = {0};
    assert_true(lts_compare(a, b, &q, &c, &why));
    bool holds = c.holds;
    comparison_fini(&c);
    return holds;
}

static bool full_and_reduced(const struct network *n, struct reduction r, enum lts_relation relation) {
    struct lts full = lts_of(n, (struct reduction){0}), reduced = lts_of(n, r);
    bool holds = related(&full, &reduced, relation);
    lts_fini(&full);
    lts_fini(&reduced);
    return holds;
}

/* The names of what expand fires in the initial state, in alphabetical order, joined. */
static const char *fired(const struct network *n, struct reduction r) {
    static char text[256];
    struct problem why = {0};
    struct network copy;
    struct ts_batch batch;
    struct ts_fault fault;
    char names[8][32];
    nets_copy(&copy, n);
    struct ts *ts = network_open(&copy, "figure", r, &why);
    struct ts_worker *w = ts->ops->worker_new(ts);
    word start[4];
    assert_true(ts->ops->initial(w, start, &fault));
    ts_batch_init(&batch, ts, 1);
    batch.sources = start;
    batch.count = 1;
    ts->ops->expand(w, &batch);
    for (uint32_t k = 0; k < batch.ends[0]; k++) ts->ops->transition_name(w, batch.labels[k], names[k], 32);
    qsort(names, batch.ends[0], sizeof names[0], (int (*)(const void *, const void *))strcmp);
    text[0] = 0;
    for (uint32_t k = 0; k < batch.ends[0]; k++) strcat(strcat(text, k ? " " : ""), names[k]);
    ts_batch_fini(&batch);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    return text;
}

static uint64_t deadlocks(const struct lts *l) {
    uint64_t dead = 0;
    for (uint32_t s = 0; s < l->states; s++) dead += lts_deadlocks(l, s);
    return dead;
}

/* ---- Figure 7 ---- */

static void add_figure_7(struct network *n) {
    nets_add(n, "L1", "0 v 1, 0 tau 2");
    nets_add(n, "L2", "0 u 1, 0 tau 2, 2 v 3, 3 b 4");
    nets_add(n, "L3", "0 a 1, 1 u 2, 2 a 3");
}

static void finish_figure_7(struct network *n) {
    nets_finish(n);
    nets_hide(n, "u v", SIGHT_HIDDEN);
}

/* Traces are lost without V, and kept with it; deadlocks are kept in any case. */
static void test_figure_7(void **state) {
    (void)state;
    struct network n = {0};
    add_figure_7(&n);
    finish_figure_7(&n);
    struct lts full = lts_of(&n, (struct reduction){0});
    for (int m = METHOD_ESC; m <= METHOD_DELETION; m++) {
        struct lts basic = lts_of(&n, reduction(PRESERVE_DEADLOCKS, (enum reduce_method)m));
        struct lts seeing = lts_of(&n, reduction(PRESERVE_TRACES, (enum reduce_method)m));
        assert_false(related(&full, &basic, RELATION_TRACE));
        assert_int_equal(deadlocks(&full), deadlocks(&basic));
        assert_true(related(&full, &seeing, RELATION_TRACE));
        assert_true(related(&full, &seeing, RELATION_FAIR_TESTING));
        assert_true(basic.states < seeing.states && seeing.states < full.states);
        assert_string_equal(fired(&n, reduction(PRESERVE_DEADLOCKS, (enum reduce_method)m)), "a");
        assert_string_equal(fired(&n, reduction(PRESERVE_TRACES, (enum reduce_method)m)), "a tau"); /* of L2 */
        lts_fini(&basic);
        lts_fini(&seeing);
    }
    lts_fini(&full);
    network_fini(&n);
}

/* ---- Figure 12: tree failures are lost with V, and kept with C2 ---- */

static void test_figure_12(void **state) {
    (void)state;
    struct network n = {0};
    nets_add(&n, "L1", "0 a 1, 1 u 2, 2 a 3");
    nets_add(&n, "L2", "0 u 1, 0 tau 2");
    nets_finish(&n);
    nets_hide(&n, "u", SIGHT_HIDDEN);
    for (int m = METHOD_ESC; m <= METHOD_DELETION; m++) {
        struct reduction with_v = reduction(PRESERVE_FAIR_TESTING, (enum reduce_method)m);
        struct reduction with_c2 = reduction(PRESERVE_TREE_FAILURES, (enum reduce_method)m);
        assert_string_equal(fired(&n, with_v), "a");
        assert_string_equal(fired(&n, with_c2), "a tau");
        assert_true(full_and_reduced(&n, with_v, RELATION_FAIR_TESTING));
        assert_false(full_and_reduced(&n, with_v, RELATION_TREE_FAILURES));
        assert_true(full_and_reduced(&n, with_c2, RELATION_TREE_FAILURES));
    }
    network_fini(&n);
}

/* ---- Figure 14: the order of the components decides ---- */

static void test_figure_14(void **state) {
    (void)state;
    struct network alone = {0}, last = {0}, first = {0};
    add_figure_7(&alone);
    finish_figure_7(&alone);
    add_figure_7(&last);
    nets_add(&last, "L4", "0 tau 0");
    finish_figure_7(&last);
    nets_add(&first, "L4", "0 tau 0");
    add_figure_7(&first);
    finish_figure_7(&first);

    /* Deadlocks: with the loop first, nothing else is looked at; with the loop last, all that was before. */
    struct reduction basic = reduction(PRESERVE_DEADLOCKS, METHOD_ESC);
    struct lts of_alone = lts_of(&alone, basic), of_last = lts_of(&last, basic), of_first = lts_of(&first, basic);
    assert_int_equal(of_first.states, 1);
    assert_int_equal(of_first.edges, 1);
    assert_int_equal(of_last.states, of_alone.states);
    assert_int_equal(of_last.edges, of_alone.edges + deadlocks(&of_alone));
    assert_int_equal(deadlocks(&of_last), 0);
    assert_int_equal(deadlocks(&of_first), 0);
    lts_fini(&of_alone);
    lts_fini(&of_last);
    lts_fini(&of_first);

    /* The same with V, which is what the figure shows: the traces to deadlocks are those of the full system. */
    struct reduction to_ends = reduction(PRESERVE_DEADLOCK_TRACES, METHOD_ESC);
    of_first = lts_of(&first, to_ends);
    of_last = lts_of(&last, to_ends);
    of_alone = lts_of(&alone, to_ends);
    assert_int_equal(of_first.states, 1);
    assert_int_equal(of_first.edges, 1);
    assert_int_equal(of_last.states, of_alone.states);
    assert_int_equal(of_last.edges, of_alone.edges + deadlocks(&of_alone));
    assert_true(deadlocks(&of_alone) > 0);
    lts_fini(&of_alone);
    lts_fini(&of_last);
    lts_fini(&of_first);

    /* Section 9: from the visible actions on, the loop is not looked at, wherever it is. */
    struct reduction seeing = reduction(PRESERVE_FAIR_TESTING, METHOD_ESC);
    of_alone = lts_of(&alone, seeing);
    of_last = lts_of(&last, seeing);
    assert_true(report.progressing);
    of_first = lts_of(&first, seeing);
    assert_true(report.progressing);
    assert_true(related(&of_alone, &of_last, RELATION_STRONG));
    assert_true(related(&of_alone, &of_first, RELATION_STRONG));
    assert_int_equal(of_first.states, of_alone.states);
    assert_true(full_and_reduced(&first, seeing, RELATION_FAIR_TESTING));
    lts_fini(&of_alone);
    lts_fini(&of_last);
    lts_fini(&of_first);
    network_fini(&alone);
    network_fini(&last);
    network_fini(&first);
}

/* ---- Figure 15: the cycle proviso builds everything, SV does not ---- */

enum { ROUND = 5 };

/* Depth-first: u, if that does not close a cycle; else v, if that does not; else both. */
static uint32_t proviso(bool seen[ROUND][ROUND], bool open[ROUND][ROUND], uint32_t i, uint32_t j) {
    uint32_t count = 1, u = (i + 1) % ROUND, v = (j + 1) % ROUND;
    if (seen[i][j]) return 0;
    seen[i][j] = open[i][j] = true;
    bool take_u = !open[u][j], take_v = !take_u && !open[i][v];
    if (take_u || !take_v) count += proviso(seen, open, u, j);
    if (!take_u) count += proviso(seen, open, i, v);
    open[i][j] = false;
    return count;
}

static void test_figure_15(void **state) {
    (void)state;
    bool seen[ROUND][ROUND] = {0}, open[ROUND][ROUND] = {0};
    struct network n = {0};
    nets_add(&n, "L1", "0 u 1, 1 u 2, 2 u 3, 3 u 4, 4 u 0");
    nets_add(&n, "L2", "0 v 1, 1 v 2, 2 v 3, 3 v 4, 4 v 0");
    nets_finish(&n);
    struct lts full = lts_of(&n, (struct reduction){0});
    assert_int_equal(full.states, ROUND * ROUND);
    assert_int_equal(proviso(seen, open, 0, 0), ROUND * ROUND);
    lts_fini(&full);
    nets_hide(&n, "u", SIGHT_HIDDEN);
    for (int m = METHOD_ESC; m <= METHOD_DELETION; m++) {
        struct lts reduced = lts_of(&n, reduction(PRESERVE_FAIR_TESTING, (enum reduce_method)m));
        assert_int_equal(reduced.states, ROUND);
        assert_true(report.progressing);
        lts_fini(&reduced);
    }
    nets_hide(&n, "v", SIGHT_HIDDEN); /* nothing is seen: one state is enough */
    struct lts reduced = lts_of(&n, reduction(PRESERVE_FAIR_TESTING, METHOD_ESC));
    assert_int_equal(reduced.states, 1);
    lts_fini(&reduced);
    network_fini(&n);
}

/* ---- Figure 16: an unproductive component, which SV repairs ---- */

/* There are two actions, u and w, by which L2 could leave its cycle; of one, our rules would see that b needs it, and
 * that it is disabled for ever. */
static void test_figure_16(void **state) {
    (void)state;
    struct network n = {0};
    nets_add(&n, "L1", "0 a 1, 1 a 2");
    nets_add(&n, "L2", "0 u 1, 1 tau 2, 2 tau 3, 3 tau 1, 3 u 4, 2 w 4, 4 b 5");
    nets_add(&n, "L3", "0 u 1, 0 w 1");
    nets_finish(&n);
    nets_hide(&n, "u w", SIGHT_HIDDEN);
    struct reduction esc = reduction(PRESERVE_FAIR_TESTING, METHOD_ESC);
    struct lts full = lts_of(&n, (struct reduction){0}), reduced = lts_of(&n, esc);
    assert_false(report.progressing);
    assert_int_equal(report.expansions, 1); /* before the first a; beyond it, the round is frozen */
    assert_true(related(&full, &reduced, RELATION_FAIR_TESTING));
    assert_int_equal(full.states, 12);
    assert_int_equal(reduced.states, 6); /* no copies of the component after each a */
    lts_fini(&reduced);
    for (int m = METHOD_CHEAPEST; m <= METHOD_DELETION; m++)
        assert_true(
            full_and_reduced(&n, reduction(PRESERVE_FAIR_TESTING, (enum reduce_method)m), RELATION_FAIR_TESTING));
    lts_fini(&full);
    network_fini(&n);
}

/* Section 9: an invisible loop beside a visible one is left out. */
static void test_loops(void **state) {
    (void)state;
    struct network n = {0};
    nets_add(&n, "L1", "0 tau 0");
    nets_add(&n, "L2", "0 a 0");
    nets_finish(&n);
    struct lts reduced = lts_of(&n, reduction(PRESERVE_FAIR_TESTING, METHOD_ESC));
    assert_int_equal(reduced.states, 1);
    assert_int_equal(reduced.edges, 1);
    assert_true(report.progressing);
    lts_fini(&reduced);
    network_fini(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figure_7),  cmocka_unit_test(test_figure_12),
                                       cmocka_unit_test(test_figure_14), cmocka_unit_test(test_figure_15),
                                       cmocka_unit_test(test_figure_16), cmocka_unit_test(test_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
