/* Which answer a reduction justifies: THEORY's table, row by row. */
#include "unit.h"

#include "prop/property.h"

enum { NO, YES, EITHER };

static const struct {
    unsigned checked;
    int stubborn, symmetry, terminating, symmetric_progress;
    bool holds; /* "nothing was found" means that it holds */
    const char *because;
} rows[] = {
    /* Without reductions everything is what it seems. */
    {PROP_SAFETY | PROP_DEADLOCK | PROP_MODEL_ERROR | PROP_MAY | PROP_MUST | PROP_INFINITE, NO, NO, EITHER, EITHER,
     true, NULL},
    /* Stubborn sets always preserve deadlocks. */
    {0, YES, EITHER, EITHER, EITHER, true, NULL},
    {PROP_DEADLOCK, YES, EITHER, EITHER, EITHER, true, NULL},
    /* They preserve these if the model is always may-terminating. */
    {PROP_SAFETY, YES, EITHER, NO, EITHER, false, "may-terminating"},
    {PROP_SAFETY, YES, EITHER, YES, EITHER, true, NULL},
    {PROP_SAFETY | PROP_DEADLOCK, YES, EITHER, NO, EITHER, false, "may-terminating"},
    {PROP_SAFETY | PROP_DEADLOCK, YES, EITHER, YES, EITHER, true, NULL},
    {PROP_MODEL_ERROR, YES, EITHER, NO, EITHER, false, "no model error was found"},
    {PROP_MODEL_ERROR, YES, EITHER, YES, EITHER, true, NULL},
    {PROP_MODEL_ERROR | PROP_DEADLOCK, YES, EITHER, NO, EITHER, false, "may-terminating"},
    {PROP_MODEL_ERROR, NO, EITHER, EITHER, EITHER, true, NULL},
    {PROP_MAY, YES, NO, NO, EITHER, false, "may-terminating"},
    {PROP_MAY, YES, NO, YES, EITHER, true, NULL},
    {PROP_INFINITE, YES, NO, NO, EITHER, false, "may-terminating"},
    {PROP_INFINITE, YES, NO, YES, EITHER, true, NULL},
    /* They do not preserve must progress. */
    {PROP_MUST, YES, NO, YES, EITHER, false, "must progress without --stubborn"},
    {PROP_MUST, YES, NO, NO, EITHER, false, "must progress"},
    {PROP_MUST | PROP_SAFETY | PROP_MAY, YES, NO, YES, EITHER, false, "must progress"},
    /* Symmetry preserves what answers the same on symmetric states; progress must be declared to. */
    {PROP_SAFETY | PROP_DEADLOCK, NO, YES, EITHER, EITHER, true, NULL},
    {PROP_MAY, NO, YES, EITHER, NO, false, ".progress_is_symmetric"},
    {PROP_MAY, NO, YES, EITHER, YES, true, NULL},
    {PROP_MUST, NO, YES, EITHER, NO, false, ".progress_is_symmetric"},
    {PROP_MUST, NO, YES, EITHER, YES, true, NULL},
    {PROP_TERMINATION, NO, YES, EITHER, EITHER, true, NULL},
    {PROP_INFINITE, NO, YES, EITHER, EITHER, false, "one transition"},
    {PROP_PROGRESS, YES, NO, EITHER, EITHER, false, "without --stubborn"},
    {PROP_PROGRESS, NO, NO, EITHER, EITHER, true, NULL},
    /* Home states: the reduced space says so if it always may terminate; but a model that does not is no violation. */
    {PROP_HOME, YES, NO, NO, EITHER, false, "home states without --stubborn"},
    {PROP_HOME, YES, NO, YES, EITHER, true, NULL},
    {PROP_HOME, NO, YES, EITHER, NO, false, "home states without --symmetry"},
    {PROP_HOME, NO, YES, EITHER, YES, true, NULL},
    {PROP_LTL, YES, EITHER, EITHER, EITHER, false, "without --stubborn"},
    {PROP_LTL, NO, YES, EITHER, EITHER, false, "without --symmetry"},
    {PROP_LTL, NO, NO, EITHER, EITHER, true, NULL},
    {PROP_CTL, YES, EITHER, EITHER, EITHER, false, "without --stubborn"},
    {PROP_CTL, NO, YES, EITHER, EITHER, false, "without --symmetry"},
    {PROP_CTL, NO, NO, EITHER, EITHER, true, NULL},
    {PROP_AUTOMATON, YES, EITHER, EITHER, EITHER, false, "without --stubborn"},
    {PROP_AUTOMATON, NO, YES, EITHER, EITHER, false, "without --symmetry"},
    {PROP_AUTOMATON, NO, NO, EITHER, EITHER, true, NULL},
    /* Both together. */
    {PROP_MAY, YES, YES, YES, NO, false, ".progress_is_symmetric"},
    {PROP_MAY, YES, YES, YES, YES, true, NULL},
    {PROP_MAY, YES, YES, NO, YES, false, "may-terminating"},
    {PROP_MUST, YES, YES, YES, YES, false, "must progress"},
    {PROP_SAFETY, YES, YES, YES, NO, true, NULL},
};

static void gaps(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int k = 0; k < 16; k++) {
            struct reduction r = {.stubborn = k & 1, .symmetry = k & 2};
            bool terminating = k & 4, symmetric = k & 8;
            if ((rows[i].stubborn != EITHER && rows[i].stubborn != r.stubborn) ||
                (rows[i].symmetry != EITHER && rows[i].symmetry != r.symmetry) ||
                (rows[i].terminating != EITHER && rows[i].terminating != terminating) ||
                (rows[i].symmetric_progress != EITHER && rows[i].symmetric_progress != symmetric))
                continue;
            const char *gap = property_gap(rows[i].checked, &r, terminating, symmetric ? ~0u : 0);
            print_message("row %zu: %s\n", i, gap ? gap : "holds");
            assert_int_equal(gap == NULL, rows[i].holds);
            if (rows[i].because) assert_non_null(strstr(gap, rows[i].because));
        }
}

static void termination_is_needed(void **unused) {
    static const unsigned all = PROP_SAFETY | PROP_DEADLOCK | PROP_MODEL_ERROR | PROP_MAY | PROP_MUST | PROP_INFINITE;
    struct reduction none = {0}, stubborn = {.stubborn = true}, symmetry = {.symmetry = true};
    (void)unused;
    assert_false(property_needs_termination(all, &none));
    assert_false(property_needs_termination(all, &symmetry));
    assert_true(property_needs_termination(all, &stubborn));
    assert_true(property_needs_termination(PROP_SAFETY, &stubborn));
    assert_true(property_needs_termination(PROP_MAY, &stubborn));
    assert_true(property_needs_termination(PROP_MUST, &stubborn));
    assert_true(property_needs_termination(PROP_INFINITE, &stubborn));
    assert_false(property_needs_termination(PROP_HOME, &stubborn));
    assert_true(property_wants_termination(PROP_HOME, &stubborn));
    assert_int_equal(property_unsaid(PROP_HOME | PROP_MODEL_ERROR, &stubborn), PROP_MODEL_ERROR);
    assert_false(property_needs_termination(PROP_DEADLOCK, &stubborn));
    assert_false(property_needs_termination(0, &stubborn));
}

/* What was found is a violation, but for progress errors that the symmetry map may have made. */
static void doubts(void **unused) {
    struct reduction none = {0}, stubborn = {.stubborn = true}, symmetry = {.symmetry = true},
                     both = {.stubborn = true, .symmetry = true};
    (void)unused;
    for (unsigned p = 1; p < 1u << PROP_COUNT; p *= 2)
        for (int i = 0; i < 2; i++) {
            unsigned symmetric = i ? ~0u : 0;
            bool doubtful = (p == PROP_MAY || p == PROP_MUST || p == PROP_PROGRESS || p == PROP_HOME) && !symmetric;
            assert_null(property_doubt((enum property)p, &none, symmetric));
            assert_null(property_doubt((enum property)p, &stubborn, symmetric));
            assert_int_equal(property_doubt((enum property)p, &symmetry, symmetric) != NULL, doubtful);
            assert_int_equal(property_doubt((enum property)p, &both, symmetric) != NULL, doubtful);
        }
}

static void names(void **unused) {
    static const struct {
        enum property p;
        const char *name;
    } known[] = {{PROP_SAFETY, "safety"},    {PROP_DEADLOCK, "deadlock"},       {PROP_MODEL_ERROR, "model_error"},
                 {PROP_MAY, "may_progress"}, {PROP_MUST, "must_progress"},      {PROP_INFINITE, "infinite_occurrence"},
                 {PROP_CTL, "ctl"},          {PROP_TERMINATION, "termination"}, {PROP_PROGRESS, "progress"},
                 {PROP_LTL, "ltl"},          {PROP_AUTOMATON, "automaton"},     {PROP_TESTER, "tester"},
                 {PROP_HOME, "home"}};
    (void)unused;
    assert_int_equal(COUNT(known), PROP_COUNT);
    for (size_t i = 0; i < COUNT(known); i++) {
        assert_string_equal(property_name(known[i].p), known[i].name);
        assert_true(strlen(property_headline(known[i].p)) > 5);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(property_headline(known[i].p), property_headline(known[k].p));
    }
}

/* Rules that know what is bad preserve it by themselves. */
static void rules_that_know(void **unused) {
    (void)unused;
    struct reduction r = {.stubborn = true, .preserve = PRESERVE_SAFETY};
    assert_false(property_needs_termination(PROP_SAFETY | PROP_DEADLOCK, &r));
    assert_null(property_gap(PROP_SAFETY | PROP_DEADLOCK, &r, false, false));
    assert_true(property_needs_termination(PROP_SAFETY | PROP_MAY, &r));
    assert_non_null(property_gap(PROP_SAFETY | PROP_MAY, &r, false, false));
}

/* Sets that preserve must progress or tests of progress do so without termination; what else they preserve stays. */
static void progress_is_kept(void **unused) {
    (void)unused;
    struct reduction r = {.stubborn = true, .progress = true};
    assert_false(property_needs_termination(PROP_MUST | PROP_PROGRESS | PROP_DEADLOCK, &r));
    assert_null(property_gap(PROP_MUST | PROP_PROGRESS | PROP_DEADLOCK, &r, false, false));
    assert_true(property_needs_termination(PROP_MUST | PROP_MAY, &r));
    assert_non_null(property_gap(PROP_MUST | PROP_SAFETY, &r, false, false));
    assert_non_null(property_gap(PROP_LTL, &r, true, true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps),   cmocka_unit_test(rules_that_know), cmocka_unit_test(termination_is_needed),
        cmocka_unit_test(doubts), cmocka_unit_test(names),           cmocka_unit_test(progress_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
