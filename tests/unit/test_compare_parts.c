/* What comparisons are made of: sets, formulas, tests and their confirmation; special states, limits. */
#include "unit.h"

#include "base/clock.h"
#include "base/memory.h"
#include "minimize/trace_sets.h"
#include "compare/compare.h"
#include "compare/confirm.h"
#include "lts/lts_components.h"
#include "compare/test.h"
#include "naive_formula.h"

/* "(0, a, 1) (1, tau, 0)", with as many states as are named. */
static struct lts lts_of(const char *edges) {
    struct lts_builder b;
    struct lts l;
    lts_build(&b);
    b.states = 1;
    while ((edges = strchr(edges, '('))) {
        unsigned from, to;
        char label[20];
        assert_int_equal(sscanf(edges, "(%u, %19[^,], %u)", &from, label, &to), 3);
        lts_build_edge(&b, from, names_add(&b.labels, label), to);
        edges++;
    }
    lts_build_finish(&b, &l);
    return l;
}

static struct comparison compare(const struct lts *x, const struct lts *y, enum lts_relation r, bool preorder) {
    struct comparison c;
    struct problem why = {0};
    struct comparison_question q = {.relation = r, .preorder = preorder};
    assert_true(lts_compare(x, y, &q, &c, &why));
    return c;
}

/* ---- Special states ---- */

static void test_end_and_error(void **state) {
    struct lts stop = lts_of("(0, a, 1)"), end = lts_of("(0, a, 1)"), error = lts_of("(0, a, 1)");
    (void)state;
    end.end = 1;
    error.error = 1;
    struct comparison c = compare(&end, &stop, RELATION_TRACE, false);
    assert_false(c.holds);
    assert_int_equal(c.trace.length, 2);
    assert_string_equal(c.labels.text[c.trace.label[1]], "END");
    comparison_fini(&c);
    for (int r = 0; r < RELATIONS; r++) {
        c = compare(&end, &error, (enum lts_relation)r, false);
        assert_false(c.holds);
        comparison_fini(&c);
        c = compare(&error, &error, (enum lts_relation)r, false);
        assert_true(c.holds);
        comparison_fini(&c);
    }
    lts_fini(&stop);
    lts_fini(&end);
    lts_fini(&error);
}

/* A label that is called END is not the mark. */
static void test_label_called_end(void **state) {
    struct lts x = lts_of("(0, END, 1) (1, END, 1)"), y = lts_of("(0, END, 1)");
    (void)state;
    y.end = 1;
    struct comparison c = compare(&x, &y, RELATION_TRACE, false);
    assert_false(c.holds);
    comparison_fini(&c);
    lts_fini(&x);
    lts_fini(&y);
}

/* ---- Limits ---- */

/* (a|b)* a (a|b)^n, which takes 2^n sets to determinise, and the same with its last label changed. */
static struct lts exponential(uint32_t n, uint32_t last_state) {
    struct lts_builder b;
    struct lts l;
    lts_build(&b);
    uint32_t label[] = {names_add(&b.labels, "a"), names_add(&b.labels, "b")}, c = names_add(&b.labels, "c");
    for (int i = 0; i < 2; i++) {
        lts_build_edge(&b, 0, label[i], 0);
        for (uint32_t s = 1; s <= n; s++) lts_build_edge(&b, s, label[i], s + 1);
    }
    lts_build_edge(&b, 0, label[0], 1);
    lts_build_edge(&b, n + 1, c, last_state);
    lts_build_finish(&b, &l);
    return l;
}

static void test_limits(void **state) {
    struct lts x = exponential(40, 0), y = exponential(40, 41);
    static const enum lts_relation hard[] = {RELATION_TRACE,         RELATION_STABLE_FAILURES,
                                             RELATION_CFFD,          RELATION_FAILURES_DIVERGENCES,
                                             RELATION_TREE_FAILURES, RELATION_FAIR_TESTING};
    volatile sig_atomic_t stop = 1;
    (void)state;
    for (size_t i = 0; i < COUNT(hard); i++)
        for (int interrupt = 0; interrupt < 2; interrupt++) {
            struct comparison c;
            struct problem why = {0};
            struct comparison_question q = {.relation = hard[i]};
            struct effort effort = {.interrupted = interrupt ? &stop : NULL};
            if (!interrupt) effort.most = memory_resident() + (1 << 20);
            q.effort = &effort;
            if (lts_compare(&x, &y, &q, &c, &why)) {
                assert_false(c.holds); /* it may be easy to see that they differ; never that they do not */
                comparison_fini(&c);
                continue;
            }
            assert_int_equal(why.status, EXIT_INCONCLUSIVE);
            assert_non_null(strstr(why.text, interrupt ? "interrupted" : "--max-memory"));
            problem_fini(&why);
        }
    lts_fini(&x);
    lts_fini(&y);
}

/* Whatever the limit, what is decided is decided right. */
static void test_every_limit(void **state) {
    struct lts x = exponential(6, 0), y = exponential(6, 7);
    uint32_t decided = 0, refused = 0;
    (void)state;
    for (int r = 0; r < RELATIONS; r++) {
        struct comparison whole = compare(&x, &y, (enum lts_relation)r, false);
        for (uint64_t most = 1; most < 1 << 18; most += 1 + most / 8) {
            struct comparison c;
            struct problem why = {0};
            struct effort effort = {.most = memory_resident() + most};
            struct comparison_question q = {.relation = (enum lts_relation)r, .effort = &effort};
            if (lts_compare(&x, &y, &q, &c, &why)) {
                assert_int_equal(c.holds, whole.holds);
                comparison_fini(&c);
                decided++;
            } else {
                assert_int_equal(why.status, EXIT_INCONCLUSIVE);
                problem_fini(&why);
                refused++;
            }
        }
        comparison_fini(&whole);
    }
    assert_true(decided > 20 && refused > 20);
    lts_fini(&x);
    lts_fini(&y);
}

/* No time, no memory, or nobody who waits: no answer, whatever the relation. */
static void test_no_effort(void **state) {
    struct lts x = exponential(6, 0), y = exponential(6, 7);
    volatile sig_atomic_t interrupted = 1;
    const struct effort none[] = {{.deadline = 1e-9}, {.most = 1}, {.interrupted = &interrupted}};
    const char *const texts[] = {"--time", "--max-memory", "interrupted"};
    (void)state;
    for (int r = 0; r < RELATIONS; r++)
        for (size_t i = 0; i < COUNT(none); i++) {
            struct comparison c;
            struct problem why = {0};
            struct comparison_question q = {.relation = (enum lts_relation)r, .effort = &none[i]};
            assert_false(lts_compare(&x, &y, &q, &c, &why));
            assert_int_equal(why.status, EXIT_INCONCLUSIVE);
            assert_non_null(strstr(why.text, texts[i]));
            problem_fini(&why);
        }
    lts_fini(&x);
    lts_fini(&y);
}

/* A little time: if there is an answer, it is right. */
static void test_any_time(void **state) {
    struct lts x = exponential(9, 0), y = exponential(9, 9);
    (void)state;
    for (int r = 0; r < RELATIONS; r++) {
        struct comparison whole = compare(&x, &y, (enum lts_relation)r, false);
        for (double seconds = 1e-5; seconds < 0.1; seconds *= 2) {
            struct comparison c;
            struct problem why = {0};
            struct effort effort = {.deadline = clock_seconds() + seconds};
            struct comparison_question q = {.relation = (enum lts_relation)r, .effort = &effort};
            if (lts_compare(&x, &y, &q, &c, &why)) {
                assert_int_equal(c.holds, whole.holds);
                comparison_fini(&c);
            } else {
                assert_int_equal(why.status, EXIT_INCONCLUSIVE);
                problem_fini(&why);
            }
        }
        comparison_fini(&whole);
    }
    lts_fini(&x);
    lts_fini(&y);
}

/* A trace, or a word, that is as long as the LTS is confirmed in a moment. */
static void test_long_witness(void **state) {
    enum { LENGTH = 200000 };
    struct lts chain[2];
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        struct lts_builder b;
        lts_build(&b);
        uint32_t a = names_add(&b.labels, "a");
        for (uint32_t s = 0; s < LENGTH + k; s++) lts_build_edge(&b, s, a, s + 1);
        lts_build_finish(&b, &chain[k]);
    }
    const enum lts_relation tried[] = {RELATION_TRACE, RELATION_FAILURES_DIVERGENCES, RELATION_TREE_FAILURES,
                                       RELATION_FAIR_TESTING};
    for (size_t i = 0; i < COUNT(tried); i++) {
        struct comparison c = compare(&chain[0], &chain[1], tried[i], false);
        assert_false(c.holds);
        assert_true(c.trace.length >= LENGTH || (c.words && c.words[0].length >= LENGTH) || c.test.states > LENGTH);
        comparison_fini(&c);
    }
    lts_fini(&chain[0]);
    lts_fini(&chain[1]);
}

/* ---- Sets ---- */

static void test_sets(void **state) {
    struct lts l = lts_of("(0, tau, 1) (1, tau, 2) (1, a, 3) (2, b, 0) (0, a, 2) (3, c, 3)"), none = lts_of("");
    struct joint given, j;
    struct effort effort = {0};
    struct after a;
    (void)state;
    joint_init(&given, &l, &none, NULL);
    joint_reduce(&j, &given, RELATION_BRANCHING, NULL);
    after_init(&a, &j, &effort);
    uint32_t start = after_start(&a, j.root[0]);
    assert_int_equal(after_count(&a, start), 3);
    for (uint32_t s = 0; s < j.lts.states; s++)
        for (const struct lts_edge *e = lts_begin(&j.lts, s); e < lts_end(&j.lts, s); e++)
            if (e->label == LTS_TAU) assert_true(e->target < s);
    after_expand(&a, start);
    assert_int_equal(after_step_count(&a, start), 2); /* a, b */
    uint32_t by_a = after_by(&a, start, names_find(&j.lts.labels, "a"));
    uint32_t by_b = after_by(&a, start, names_find(&j.lts.labels, "b"));
    assert_int_equal(after_by(&a, start, names_find(&j.lts.labels, "c")), AFTER_EMPTY);
    assert_int_equal(by_b, start);
    assert_int_equal(after_count(&a, by_a), 2);
    assert_true(after_meet(&a, by_a, start) && !after_subset(&a, by_a, start) && after_subset(&a, AFTER_EMPTY, by_a));
    assert_true(after_has(&a, start, j.root[0]) && !after_has(&a, by_a, j.root[0]));
    after_expand(&a, AFTER_EMPTY);
    assert_int_equal(after_step_count(&a, AFTER_EMPTY), 0);
    after_fini(&a);
    assert_int_equal(effort.bytes, 0);
    joint_fini(&j);
    joint_fini(&given);
    lts_fini(&l);
    lts_fini(&none);
}

static void test_tau_cycles(void **state) {
    struct lts l =
        lts_of("(0, tau, 1) (1, tau, 2) (2, tau, 1) (3, tau, 3) (4, tau, 3) (4, a, 4) (5, a, 0) (5, tau, 0)");
    static const bool expected[] = {false, true, true, true, false, false};
    bool *cyclic = tau_cycles(&l);
    uint32_t *order = tau_order(&l);
    (void)state;
    assert_memory_equal(cyclic, expected, sizeof expected);
    assert_true(order[0] > order[1] && order[4] > order[3] && order[5] > order[0]);
    free(cyclic);
    free(order);
    lts_fini(&l);
}

/* ---- Formulas ---- */

static enum outcome tells_apart(const struct formula *f, const struct lts *l, uint32_t yes, uint32_t no) {
    uint64_t work = 0;
    return formula_tells_apart(f, l, yes, no, UINT64_MAX, &work);
}

static void expect_formula(const struct formula *f, const struct lts *l, const char *text, const char *where) {
    char *written = formula_text(f, &l->labels);
    bool *holds = formula_holds(f, l);
    assert_string_equal(written, text);
    for (uint32_t s = 0; s < l->states; s++)
        if (holds[s] != (where[s] == 'y')) fail_msg("%s in state %u", text, s);
    for (uint32_t s = 0; s < l->states; s++)
        for (uint32_t t = 0; t < l->states; t++)
            assert_int_equal(tells_apart(f, l, s, t), holds[s] && !holds[t] ? OUTCOME_FOUND : OUTCOME_NONE);
    free(written);
    free(holds);
}

static void test_formulas(void **state) {
    /* 0 has a; 1 can come to it by tau; 2 too, but past 3, which has b; 4 loops past 5, which has b */
    struct lts l = lts_of("(0, a, 6) (1, tau, 0) (2, tau, 3) (3, tau, 0) (3, b, 6) (4, tau, 5) (5, tau, 4) (5, b, 6)");
    uint32_t a = names_find(&l.labels, "a"), b = names_find(&l.labels, "b");
    struct formula f;
    (void)state;
    formula_init(&f);
    uint32_t can_a = formula_step(&f, a, FORMULA_TRUE), no_b = formula_not(&f, formula_step(&f, b, FORMULA_TRUE));
    f.root = can_a;
    expect_formula(&f, &l, "<a>true", "ynnnnnn");
    f.root = no_b;
    expect_formula(&f, &l, "not <b>true", "yyynyny");
    f.root = formula_not(&f, no_b);
    expect_formula(&f, &l, "<b>true", "nnnynyn");
    f.root = formula_weak_step(&f, a, FORMULA_TRUE);
    expect_formula(&f, &l, "<<a>>true", "yyyynnn");
    f.root = formula_weak_step(&f, LTS_TAU, can_a);
    expect_formula(&f, &l, "<<>><a>true", "yyyynnn");
    f.root = formula_until(&f, no_b, a, FORMULA_TRUE);
    expect_formula(&f, &l, "not <b>true {a}true", "yynnnnn");
    f.root = formula_until(&f, FORMULA_TRUE, LTS_TAU, can_a);
    expect_formula(&f, &l, "{tau}<a>true", "yyyynnn");
    f.root = formula_until(&f, FORMULA_TRUE, b, FORMULA_TRUE);
    expect_formula(&f, &l, "{b}true", "nnyyyyn");
    f.root = formula_loop(&f, FORMULA_TRUE);
    expect_formula(&f, &l, "loops true", "nnnnyyn");
    f.root = formula_loop(&f, no_b);
    expect_formula(&f, &l, "loops not <b>true", "nnnnnnn");
    f.root = formula_step(&f, LTS_TAU, formula_and(&f, can_a, no_b));
    expect_formula(&f, &l, "<tau>(<a>true and not <b>true)", "nynynnn");
    assert_int_equal(formula_and(&f, can_a, FORMULA_TRUE), can_a);
    assert_int_equal(formula_and(&f, can_a, no_b), formula_and(&f, no_b, can_a));
    formula_fini(&f);
    lts_fini(&l);
}

/* A formula that would be very long without names for its parts. */
static void test_shared_parts(void **state) {
    struct lts l = lts_of("(0, a, 0) (0, b, 0)");
    uint32_t a = names_find(&l.labels, "a"), b = names_find(&l.labels, "b");
    struct formula f;
    (void)state;
    formula_init(&f);
    for (int i = 0; i < 40; i++) f.root = formula_and(&f, formula_step(&f, a, f.root), formula_step(&f, b, f.root));
    char *text = formula_text(&f, &l.labels);
    assert_non_null(strstr(text, " where X"));
    assert_true(strlen(text) < 2000);
    bool *holds = formula_holds(&f, &l);
    assert_true(holds[0]);
    free(holds);
    free(text);
    formula_fini(&f);
    lts_fini(&l);
}

static void test_trimming(void **state) {
    struct lts l = lts_of("(0, a, 2) (0, b, 2) (0, c, 2) (1, a, 2) (1, c, 2)");
    uint32_t a = names_find(&l.labels, "a"), b = names_find(&l.labels, "b"), c = names_find(&l.labels, "c");
    struct formula f;
    (void)state;
    formula_init(&f);
    f.root = formula_and(&f, formula_step(&f, a, FORMULA_TRUE), formula_step(&f, b, FORMULA_TRUE));
    f.root = formula_and(&f, formula_step(&f, c, FORMULA_TRUE), f.root);
    assert_int_equal(tells_apart(&f, &l, 0, 1), OUTCOME_FOUND);
    assert_int_equal(tells_apart(&f, &l, 1, 0), OUTCOME_NONE);
    uint64_t work = 0;
    formula_trim(&f, &l, 0, 1, UINT64_MAX, &work);
    char *text = formula_text(&f, &l.labels);
    assert_string_equal(text, "<b>true");
    free(text);
    formula_fini(&f);
    lts_fini(&l);
}

/* A node of those that there are. */
static uint32_t random_node(struct formula *f, uint32_t labels) {
    uint32_t some[6], count = 2 + random_below(5), label = random_below(labels);
    for (uint32_t i = 0; i < count; i++) some[i] = random_below(f->count);
    switch (random_below(6)) {
    case 0: return formula_not(f, some[0]);
    case 1: return formula_step(f, label, some[0]);
    case 2: return formula_weak_step(f, label, some[0]);
    case 3: return formula_until(f, some[0], label, some[1]);
    case 4: return formula_loop(f, some[0]);
    default: return formula_and_all(f, some, count);
    }
}

static uint32_t conjunctions(const struct formula *f) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->count; i++) count += f->node[i].kind == IS_AND;
    return count;
}

/* Formulas at random: what tells two states apart still does, with less, and nothing can be left out any more. */
static void test_trimming_random_formulas(void **state) {
    struct lts l = lts_of("(0, a, 1) (0, tau, 2) (1, tau, 1) (1, b, 3) (2, a, 4) (2, tau, 5) (3, b, 0) (4, tau, 5) "
                          "(5, a, 5) (5, tau, 4) (5, b, 2)");
    uint32_t trimmed = 0, shorter = 0;
    (void)state;
    random_start(17);
    for (uint32_t round = 0; round < ROUNDS(4000); round++) {
        struct formula f;
        formula_init(&f);
        for (int i = 0; i < 24; i++) f.root = random_node(&f, l.labels.count);
        uint32_t yes = random_below(6), no = random_below(6), before = conjunctions(&f);
        uint64_t work = 0, most = random_chance(20) ? random_below(2000) : UINT64_MAX;
        if (tells_apart(&f, &l, yes, no) == OUTCOME_FOUND) {
            formula_trim(&f, &l, yes, no, most, &work);
            bool *holds = formula_holds(&f, &l);
            assert_true(holds[yes] && !holds[no] && conjunctions(&f) <= before);
            free(holds);
            trimmed++;
            shorter += conjunctions(&f) < before;
            before = conjunctions(&f);
            formula_trim(&f, &l, yes, no, UINT64_MAX, &work);
            assert_true(conjunctions(&f) == before || most != UINT64_MAX);
        }
        formula_fini(&f);
    }
    assert_true(trimmed >= OFTEN(250) && shorter >= OFTEN(240));
    lts_fini(&l);
}

/* One of many conjuncts is needed: it is found with little work. */
static void test_trimming_many(void **state) {
    enum { MANY = 3000 };
    struct lts l = lts_of("(0, a, 2) (0, b, 3) (1, a, 2) (2, a, 2) (3, c, 3)");
    uint32_t a = names_find(&l.labels, "a"), b = names_find(&l.labels, "b"), *part = memory_get(MANY * sizeof *part);
    struct formula f;
    uint64_t work = 0;
    (void)state;
    formula_init(&f);
    for (uint32_t i = 0, last = FORMULA_TRUE; i < MANY; i++)
        part[i] = i == MANY / 3 ? formula_step(&f, b, FORMULA_TRUE) : (last = formula_step(&f, a, last));
    f.root = formula_and_all(&f, part, MANY);
    formula_trim(&f, &l, 0, 1, UINT64_MAX, &work);
    char *text = formula_text(&f, &l.labels);
    assert_string_equal(text, "<b>true");
    assert_true(work < 100 * MANY);
    free(text);
    free(part);
    formula_fini(&f);
    lts_fini(&l);
}

/* ---- Confirming ---- */

static void test_confirming(void **state) {
    struct lts l = lts_of("(0, a, 1) (1, tau, 2) (1, b, 3) (2, c, 0) (3, tau, 3)");
    uint32_t a = names_find(&l.labels, "a"), b = names_find(&l.labels, "b"), c = names_find(&l.labels, "c");
    struct word none = {0}, w_a = {&a, 1}, w_b = {&b, 1}, w_c = {&c, 1}, w_ab = {(uint32_t[]){a, b}, 2};
    (void)state;
    assert_true(confirm_trace(&l, 0, &w_ab) && !confirm_trace(&l, 0, &w_b) && confirm_trace(&l, 1, &w_b));
    assert_true(confirm_failure(&l, 0, &w_a, &w_b) && !confirm_failure(&l, 0, &w_a, &w_c));
    assert_true(confirm_failure(&l, 0, &none, &w_b) && !confirm_failure(&l, 0, &w_ab, &none));
    assert_true(confirm_divergence(&l, 0, &w_ab) && !confirm_divergence(&l, 0, &w_a));
    assert_true(!confirm_divergence_of_prefix(&l, 0, &w_a) &&
                confirm_divergence_of_prefix(&l, 0, &(struct word){(uint32_t[]){a, b, c}, 3}));
    assert_true(confirm_tree_failure(&l, 0, &w_a, (struct word[]){w_b, {(uint32_t[]){c, c}, 2}}, 2));
    assert_false(confirm_tree_failure(&l, 0, &w_a, (struct word[]){w_b, {(uint32_t[]){c, a}, 2}}, 2) &&
                 !confirm_tree_failure(&l, 0, &w_ab, &w_b, 1));
    assert_false(confirm_tree_failure(&l, 0, &w_c, &w_b, 1)); /* no state is there after the trace */
    lts_fini(&l);
}

static void test_tests(void **state) {
    struct lts l = lts_of("(0, a, 1) (0, a, 2) (1, b, 0) (2, c, 0)"), m = lts_of("(0, a, 1) (1, b, 0) (1, c, 0)");
    struct lts ask_b = lts_of("(0, success, 0) (0, a, 1) (1, b, 2) (2, success, 2) (3, c, 3)"), file;
    struct word *words, trace = {(uint32_t[]){names_find(&ask_b.labels, "a")}, 1};
    uint32_t success = names_find(&ask_b.labels, "success"), count;
    bool complete;
    (void)state;
    assert_true(confirm_fails_test(&l, 0, &ask_b, "success"));
    assert_false(confirm_fails_test(&m, 0, &ask_b, "success"));
    words = test_words(&ask_b, success, &trace, 3, &count, &complete);
    assert_true(count == 1 && complete && words[0].length == 1 && words[0].label[0] == names_find(&ask_b.labels, "b"));
    free(words[0].label);
    free(words);
    test_for_file(&ask_b, &file);
    assert_int_equal(file.states, ask_b.states + 1);
    assert_int_equal(file.first[file.states] - file.first[file.states - 1], 4); /* success, a, b, c */
    assert_true(confirm_fails_test(&l, 0, &file, "success") && !confirm_fails_test(&m, 0, &file, "success"));
    lts_fini(&l);
    lts_fini(&m);
    lts_fini(&ask_b);
    lts_fini(&file);
}

/* A label that is called success is not the success of the test. */
static void test_label_called_success(void **state) {
    struct lts x = lts_of("(0, success, 1) (0, success, 0)"), y = lts_of("(0, success, 0)");
    (void)state;
    struct comparison c = compare(&x, &y, RELATION_FAIR_TESTING, false);
    assert_false(c.holds);
    assert_string_equal(c.test.labels.text[c.success], "success'");
    comparison_fini(&c);
    lts_fini(&x);
    lts_fini(&y);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_end_and_error),
        cmocka_unit_test(test_label_called_end),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_every_limit),
        cmocka_unit_test(test_no_effort),
        cmocka_unit_test(test_any_time),
        cmocka_unit_test(test_long_witness),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_tau_cycles),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_shared_parts),
        cmocka_unit_test(test_trimming),
        cmocka_unit_test(test_trimming_random_formulas),
        cmocka_unit_test(test_trimming_many),
        cmocka_unit_test(test_confirming),
        cmocka_unit_test(test_tests),
        cmocka_unit_test(test_label_called_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
