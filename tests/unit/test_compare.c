/* Relations of traces, failures and tests against their definitions, on random small LTSs; every witness too. */
#include "compared.h"

/* ---- Linear-time relations ---- */

typedef bool naive(const struct tiny *x, const struct tiny *y, uint32_t *depth);

static const struct row {
    enum lts_relation relation;
    naive *below;
} linear[] = {
    {RELATION_TRACE, tiny_traces},
    {RELATION_STRONG_TRACE, tiny_strong_traces},
    {RELATION_STRONG_FAILURES, tiny_strong_failures},
    {RELATION_ORDINARY_FAILURES, tiny_ordinary_failures},
    {RELATION_STABLE_FAILURES, tiny_stable_failures},
    {RELATION_CSP_STABLE_FAILURES, tiny_csp_stable_failures},
    {RELATION_CFFD, tiny_cffd},
    {RELATION_NDFD, tiny_ndfd},
    {RELATION_FAILURES_DIVERGENCES, tiny_failures_divergences},
    {RELATION_TREE_FAILURES, tiny_tree_failures},
};

/* The witness is a behaviour of its side and not of the other. Failures: by asking whether an LTS that has nothing but
 * this failure is below each of the two would be circular; so it is looked up state by state. */
static bool has_failure(const struct tiny *t, const struct comparison *c) {
    states set = after_word(t, &c->trace);
    for (int s = 0; s < t->count; s++) {
        bool can = !(set >> s & 1) || t->to[s][0];
        for (uint32_t i = 0; i < c->refused.length; i++) can |= t->to[s][c->refused.label[i]] != 0;
        if (!can) return true;
    }
    return false;
}

static bool has_tree_failure(const struct tiny *t, const struct comparison *c) {
    states set = after_word(t, &c->trace);
    for (int s = 0; s < t->count; s++) {
        bool can = !(set >> s & 1);
        for (uint32_t i = 0; i < c->word_count; i++) {
            states there = tiny_close(t, 1u << s);
            for (uint32_t k = 0; k < c->words[i].length; k++) there = tiny_after(t, there, (int)c->words[i].label[k]);
            can |= there != 0;
        }
        if (!can) return true;
    }
    return false;
}

/* A path of as many tau edges as there are states goes round. */
static bool has_divergence(const struct tiny *t, const struct comparison *c) {
    states set = after_word(t, &c->trace);
    for (int i = 0; i <= t->count; i++) {
        states next = 0;
        for (int s = 0; s < t->count; s++)
            if (set >> s & 1) next |= t->to[s][0];
        set = next;
    }
    return set != 0;
}

/* In failures-divergences, a divergence of a prefix counts as everything. */
static bool has_chaos(const struct tiny *t, const struct comparison *c) {
    struct comparison prefix = *c;
    for (prefix.trace.length = 0; prefix.trace.length <= c->trace.length; prefix.trace.length++)
        if (has_divergence(t, &prefix)) return true;
    return false;
}

/* Each label of it, by itself, is a word that the state cannot do. */
static bool has_ordinary_failure(const struct tiny *t, const struct comparison *c) {
    struct comparison words = *c;
    struct word word[TINY_LABELS];
    for (uint32_t i = 0; i < c->refused.length; i++) word[i] = (struct word){&c->refused.label[i], 1};
    words.words = word;
    words.word_count = c->refused.length;
    return has_tree_failure(t, &words);
}

static bool shows_weakly(const struct tiny *t, const struct comparison *c, enum lts_relation r) {
    if (r == RELATION_FAILURES_DIVERGENCES && has_chaos(t, c)) return true;
    switch (c->witness) {
    case WITNESS_TRACE: return after_word(t, &c->trace) != 0;
    case WITNESS_FAILURE:
        if (r == RELATION_ORDINARY_FAILURES) return has_ordinary_failure(t, c);
        return has_failure(t, c) || (r == RELATION_NDFD && has_divergence(t, c));
    case WITNESS_DIVERGENCE: return has_divergence(t, c);
    case WITNESS_TREE_FAILURE: return has_tree_failure(t, c);
    default: return false;
    }
}

static void show_tau(struct word *w) {
    for (uint32_t i = 0; i < w->length; i++)
        if (w->label[i] == LTS_TAU) w->label[i] = TINY_LABELS - 1;
}

static bool shows(const struct tiny *t, const struct comparison *c, enum lts_relation r) {
    if (relation_row(r)->tau != TAU_IS_A_LABEL) return shows_weakly(t, c, r);
    struct tiny shown = tiny_with_visible_tau(t);
    struct comparison witness = *c;
    show_tau(&witness.trace);
    show_tau(&witness.refused);
    return shows_weakly(&shown, &witness, r);
}

static void check_linear(const struct tiny *x, const struct tiny *y, const struct row *row, uint32_t *yes,
                         uint32_t *no) {
    uint32_t depth[2] = {UINT32_MAX, UINT32_MAX};
    bool below = row->below(x, y, &depth[0]), above = row->below(y, x, &depth[1]);
    struct comparison c = compare(x, y, row->relation, true);
    if (c.holds != below) disagree(x, y, row->relation, below ? "x is below y" : "x is not below y");
    if (!below && (c.trace.length != depth[0] || c.side != 0)) disagree(x, y, row->relation, "not a shortest trace");
    if (!below && (!shows(x, &c, row->relation) || shows(y, &c, row->relation)))
        disagree(x, y, row->relation, "the witness shows nothing");
    comparison_fini(&c);
    c = compare(x, y, row->relation, false);
    if (c.holds != (below && above)) disagree(x, y, row->relation, "equivalence");
    if (!c.holds) {
        if (c.trace.length != (depth[0] < depth[1] ? depth[0] : depth[1]) || c.trace.length != depth[c.side])
            disagree(x, y, row->relation, "not a shortest trace of both");
        if (!shows(c.side ? y : x, &c, row->relation) || shows(c.side ? x : y, &c, row->relation))
            disagree(x, y, row->relation, "the witness shows nothing");
    }
    ++*(c.holds ? yes : no);
    comparison_fini(&c);
}

static void test_linear(void **state) {
    uint32_t n = rounds(25000);
    (void)state;
    random_start(1), tiny_seed(1);
    uint32_t yes[COUNT(linear)] = {0}, no[COUNT(linear)] = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y, 5);
        for (size_t r = 0; r < COUNT(linear); r++) check_linear(&x, &y, &linear[r], &yes[r], &no[r]);
    }
    for (size_t r = 0; r < COUNT(linear); r++) {
        print_message("%s: %u equivalent, %u not\n", relation_name(linear[r].relation), yes[r], no[r]);
        assert_true(yes[r] > n / 10 && no[r] > n / 10);
    }
}

/* ---- Fair testing ---- */

/* The test as the naive runner wants it: `success` is not a label but a set of states. */
static struct tiny tester_of(const struct comparison *c, states *success) {
    struct lts_builder b;
    struct lts plain;
    lts_build(&b);
    *success = 0;
    assert_int_equal(c->test.initial, 0);
    for (uint32_t s = 0; s < c->test.states; s++)
        for (const struct lts_edge *e = lts_begin(&c->test, s); e < lts_end(&c->test, s); e++)
            if (e->label == c->success) *success |= 1u << s;
            else lts_build_edge(&b, s, e->label, e->target);
    b.states = c->test.states;
    for (uint32_t i = 1; i < c->success; i++) names_add(&b.labels, c->test.labels.text[i]);
    lts_build_finish(&b, &plain);
    struct tiny t = tiny_from_lts(&plain);
    lts_fini(&plain);
    return t;
}

/* The test is failed by the side that it is for and passed by the other. */
static void check_test(const struct tiny *x, const struct tiny *y, const struct comparison *c) {
    states success;
    const struct tiny *fails = c->side ? y : x, *passes = c->side ? x : y;
    assert_int_equal(c->witness, WITNESS_TEST);
    assert_string_equal(c->test.labels.text[c->success], "success");
    if (c->test.states > TINY_STATES) return; /* rare; the library has confirmed it */
    struct tiny tester = tester_of(c, &success);
    if (!tiny_fails_test(fails, &tester, success) || tiny_fails_test(passes, &tester, success)) {
        tiny_print("test", &tester);
        disagree(x, y, RELATION_FAIR_TESTING, "the test does not tell them apart");
    }
}

static void test_fair(void **state) {
    uint32_t n = rounds(15000), yes = 0, no = 0, unknown = 0, beyond_trace = 0, beyond_tree = 0;
    (void)state;
    random_start(2), tiny_seed(2);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        uint32_t depth[2] = {UINT32_MAX, UINT32_MAX};
        bool known[2];
        make_pair(&x, &y, 4);
        bool below = tiny_fair_testing(&x, &y, &depth[0], &known[0]);
        bool above = tiny_fair_testing(&y, &x, &depth[1], &known[1]);
        struct comparison c = compare(&x, &y, RELATION_FAIR_TESTING, true);
        if (known[0] && c.holds != below) disagree(&x, &y, RELATION_FAIR_TESTING, below ? "is below" : "is not below");
        if (!c.holds) check_test(&x, &y, &c);
        if (!c.holds && known[0] && c.trace.length != depth[0]) disagree(&x, &y, RELATION_FAIR_TESTING, "not shortest");
        beyond_trace += !c.holds && c.trace_side < 0;
        comparison_fini(&c);
        c = compare(&x, &y, RELATION_FAIR_TESTING, false);
        if (known[0] && known[1] && c.holds != (below && above)) disagree(&x, &y, RELATION_FAIR_TESTING, "equivalence");
        if (!c.holds) check_test(&x, &y, &c);
        if (!c.holds && c.trace_side < 0) check_lone(&x, &y, &c, RELATION_FAIR_TESTING, false);
        unknown += !known[0] || !known[1];
        beyond_tree += c.holds && !(tiny_tree_failures(&x, &y, &depth[0]) && tiny_tree_failures(&y, &x, &depth[1]));
        ++*(c.holds ? &yes : &no);
        comparison_fini(&c);
    }
    print_message(
        "fair testing: %u equivalent (%u not by tree failures), %u not (%u by more than a trace), %u too large\n", yes,
        beyond_tree, no, beyond_trace, unknown);
    assert_true(yes > n / 10 && beyond_tree > n / 100 && no > n / 10 && beyond_trace > n / 20 && unknown < n / 20);
}

static struct dfa random_dfa(int labels) {
    struct dfa k = {.count = 2 + (int)random_below(3)};
    for (int q = 0; q < k.count; q++)
        for (int a = 1; a < labels; a++) k.next[q][a] = (uint8_t)random_below((uint32_t)k.count);
    k.accepting = 2 + 4 * random_below(4);
    return k;
}

/* What is below passes every test that the other passes, and is refuted by no K, whatever they are; and most of what is
 * not below is refuted by one of a few hundred. */
static void test_fair_by_chance(void **state) {
    uint32_t n = rounds(3000), refuted = 0, failed = 0, not_below = 0;
    (void)state;
    random_start(3), tiny_seed(3);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        bool by_words = false, by_tester = false;
        make_pair(&x, &y, 4);
        struct comparison c = compare(&x, &y, RELATION_FAIR_TESTING, true);
        for (int k = 0; k < 150; k++) {
            struct dfa dfa = random_dfa(x.labels);
            by_words |= tiny_fair_refuted(&x, &y, &dfa);
            int size = 1 + (int)random_below(4);
            struct tiny tester = tiny_random(size, x.labels, random_below(10), 10);
            states success = random_below(1u << size);
            by_tester |= tiny_fails_test(&x, &tester, success) && !tiny_fails_test(&y, &tester, success);
        }
        if (c.holds && by_words) disagree(&x, &y, RELATION_FAIR_TESTING, "refuted by a set of words");
        if (c.holds && by_tester) disagree(&x, &y, RELATION_FAIR_TESTING, "told apart by a tester");
        not_below += !c.holds && c.trace_side < 0;
        refuted += !c.holds && c.trace_side < 0 && by_words;
        failed += !c.holds && c.trace_side < 0 && by_tester;
        comparison_fini(&c);
    }
    print_message("of %u not below, though their traces are: %u refuted by words, %u by a tester\n", not_below, refuted,
                  failed);
    assert_true(not_below > n / 20 && refuted > not_below / 2 && failed > not_below / 3);
}

/* Nodes of the game must be removed again and again here, which is rare. */
static void test_fair_rounds(void **state) {
    static const struct {
        const char *x, *y;
        bool below;
    } rows[] = {
        {"0-a->1 0-a->3 1-a->1 2-b->3 3-tau->3 3-b->0 3-b->2",
         "0-a->1 0-a->3 1-a->1 2-b->3 3-tau->3 3-b->0 3-b->2 3-b->3", true},
        {"0-tau->0 0-a->2 0-b->0 0-b->1 2-a->3 3-b->0 3-b->3",
         "0-tau->0 0-tau->2 0-a->2 0-b->0 0-b->1 2-a->3 3-tau->3 3-b->0 3-b->3", true},
        {"0-a->2 0-a->3 1-a->0 1-a->3 2-tau->3 2-a->1 2-b->4 3-b->1",
         "0-a->2 0-a->3 1-a->0 1-a->3 2-tau->3 2-a->1 2-a->3 2-b->4 3-b->1", true},
        {"0-a->2 0-a->3 0-b->1 1-tau->1 1-a->2 2-a->0 2-a->1 3-a->3 3-a->4 4-tau->3 4-b->3",
         "0-a->2 0-a->3 0-b->1 1-tau->1 1-tau->2 2-a->0 2-a->1 3-a->3 3-a->4 4-tau->3 4-b->3", true},
        {"0-a->1 0-a->3 1-b->2 2-b->4 2-b->5 4-b->2 5-tau->0",
         "0-a->1 0-a->3 1-b->2 2-tau->1 2-b->4 2-b->5 4-b->2 5-tau->0", true},
        {"0-a->2 1-b->3 2-b->3 3-a->4 4-a->0 4-b->0",
         "0-tau->2 0-a->0 0-b->4 1-tau->4 1-a->2 1-a->3 2-a->1 2-a->3 4-a->0 4-a->2", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tiny x = tiny_read(rows[i].x), y = tiny_read(rows[i].y);
        uint32_t depth;
        bool known, below = tiny_fair_testing(&x, &y, &depth, &known);
        assert_true(!known || below == rows[i].below);
        struct comparison c = compare(&x, &y, RELATION_FAIR_TESTING, true);
        if (c.holds != rows[i].below) disagree(&x, &y, RELATION_FAIR_TESTING, "of the table");
        comparison_fini(&c);
    }
}

/* Larger ones, too large to be tried out; a test that does not tell them apart would be an internal error. */
static void test_fair_larger(void **state) {
    uint32_t n = rounds(60000), yes = 0;
    (void)state;
    random_start(5), tiny_seed(5);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y, 8);
        struct comparison c = compare(&x, &y, RELATION_FAIR_TESTING, true);
        for (int k = 0; k < 3 && c.holds; k++) {
            struct dfa dfa = random_dfa(x.labels);
            if (tiny_fair_refuted(&x, &y, &dfa)) disagree(&x, &y, RELATION_FAIR_TESTING, "refuted by a set of words");
        }
        yes += c.holds;
        comparison_fini(&c);
    }
    assert_true(yes > n / 10 && yes < n - n / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),      cmocka_unit_test(test_fair),        cmocka_unit_test(test_fair_by_chance),
        cmocka_unit_test(test_fair_rounds), cmocka_unit_test(test_fair_larger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
