/* HOA files: what is written is read as the same; what others write is read right; what is wrong is said where. */
#include "unit.h"

#include "omega/hoa/hoa.h"
#include "words.h"

enum { BUCHI_KINDS = ACCEPT_INFINITE | ACCEPT_FINITE | ACCEPT_DEADLOCK, ALL_KINDS = BUCHI_KINDS | ACCEPT_LIVELOCK };

/* What a writer writes. */
struct written {
    char *text;
    size_t size;
    FILE *out;
};

static void open_written(struct written *w) {
    *w = (struct written){0};
    w->out = open_memstream(&w->text, &w->size);
}

static void parse_written(struct written *w, struct hoa *h) {
    struct problem why = {0};
    fclose(w->out);
    if (!hoa_parse(w->text, w->size, "written", h, &why)) fail_msg("%s\n%s", why.text, w->text);
}

struct pair {
    const struct ba *ba;
    const struct sba *sba;
    const struct ba *other;
    const struct ta *ta, *other_ta;
    uint32_t yes, no;
};

static bool agree(const struct word *w, void *context) {
    struct pair *p = context;
    bool a = p->ba ? word_in_ba(w, p->ba) : p->sba ? word_in_sba(w, p->sba) : word_in_ta(w, p->ta);
    bool b = p->other ? word_in_ba(w, p->other) : word_in_ta(w, p->other_ta);
    if (a) p->yes++;
    else p->no++;
    return a == b;
}

static void test_round_trip_of_ba(void **state) {
    struct pair p = {0};
    (void)state;
    random_start(1);
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct written w;
        struct ba a;
        struct hoa h;
        int n = (int)random_below(3);
        bool by_state = random_chance(40);
        random_ba(&a, 1 + (int)random_below(5), n, by_state ? 1 : random_below(4), by_state,
                  random_chance(50) ? BUCHI_KINDS : ACCEPT_INFINITE);
        open_written(&w);
        hoa_write_ba(&a, "with \"quotes\" and \\", random_chance(50), w.out);
        parse_written(&w, &h);
        assert_false(h.testing);
        assert_string_equal(h.name, "with \"quotes\" and \\");
        assert_int_equal(h.ba.states, a.states);
        assert_int_equal(h.ba.edges, a.edges);
        assert_int_equal(h.ba.sets, a.sets);
        if (by_state) assert_true(h.ba.by_state);
        for (uint32_t s = 0; s < a.states; s++) assert_int_equal(h.ba.accept[s], a.accept[s]);
        p.ba = &a;
        p.other = &h.ba;
        if (!words_all(n, n < 2 ? 4 : 3, agree, &p)) fail_msg("%s", w.text);
        ba_fini(&a);
        hoa_fini(&h);
        free(w.text);
    }
    assert_true(p.yes > OFTEN(15000) && p.no > OFTEN(15000));
}

static void test_round_trip_of_sba(void **state) {
    struct pair p = {0};
    (void)state;
    random_start(2);
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct written w;
        struct sba a;
        struct hoa h;
        int n = 1 + (int)random_below(2);
        random_sba(&a, 1 + (int)random_below(5), n, random_chance(50) ? BUCHI_KINDS : ACCEPT_INFINITE);
        open_written(&w);
        hoa_write_sba(&a, NULL, false, w.out);
        parse_written(&w, &h);
        assert_null(h.name);
        p.sba = &a;
        p.other = &h.ba;
        if (!words_all(n, n < 2 ? 4 : 3, agree, &p)) fail_msg("%s", w.text);
        sba_fini(&a);
        hoa_fini(&h);
        free(w.text);
    }
    assert_true(p.yes > OFTEN(15000) && p.no > OFTEN(15000));
}

static void test_round_trip_of_ta(void **state) {
    struct pair p = {0};
    (void)state;
    random_start(3);
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct written w;
        struct ta a;
        struct hoa h;
        int n = 1 + (int)random_below(2);
        random_ta(&a, 1 + (int)random_below(5), n, ALL_KINDS);
        open_written(&w);
        hoa_write_ta(&a, NULL, w.out);
        parse_written(&w, &h);
        assert_true(h.testing);
        assert_int_equal(h.ta.states, a.states);
        assert_int_equal(h.ta.edges, a.edges);
        assert_int_equal(h.ta.initials, a.initials);
        for (uint32_t s = 0; s < a.states; s++) assert_int_equal(h.ta.accept[s], a.accept[s]);
        p.ta = &a;
        p.other_ta = &h.ta;
        if (!words_all(n, n < 2 ? 4 : 3, agree, &p)) fail_msg("%s", w.text);
        ta_fini(&a);
        hoa_fini(&h);
        free(w.text);
    }
    assert_true(p.yes > OFTEN(15000) && p.no > OFTEN(15000));
}

/* ---- Files of others ---- */

static bool parse(const char *text, struct hoa *h, struct problem *why) {
    return hoa_parse(text, strlen(text), "file.hoa", h, why);
}

/* Each file, a property that is written as a formula over p0 (bit 0) and p1, and the words that decide. */
static struct tree *leaf(int p) {
    struct tree *t = calloc(1, sizeof *t);
    t->op = 'p';
    t->p = p;
    return t;
}

static struct tree *node(char op, struct tree *left, struct tree *right) {
    struct tree *t = calloc(1, sizeof *t);
    t->op = op;
    t->left = left;
    t->right = right;
    return t;
}

struct holds {
    const struct tree *tree;
    const struct ba *ba;
};

static bool same_as_tree(const struct word *w, void *context) {
    struct holds *x = context;
    return w->back < 0 || word_in_ba(w, x->ba) == tree_holds(x->tree, w);
}

static void check_file(const char *text, struct tree *tree) {
    struct problem why = {0};
    struct hoa h;
    if (!parse(text, &h, &why)) fail_msg("%s", why.text);
    struct holds x = {tree, &h.ba};
    if (!words_all(2, 4, same_as_tree, &x)) fail_msg("%s", text);
    tree_free(tree);
    hoa_fini(&h);
}

static void test_transition_based_and_generalized(void **state) {
    (void)state;
    check_file("HOA: v1\nname: \"GFa & GFb\"\nStates: 1\nStart: 0\nacc-name: generalized-Buchi 2\n"
               "Acceptance: 2 (Inf(0) & Inf(1))\nAP: 2 \"a\" \"b\"\nproperties: trans-acc\n--BODY--\nState: 0\n"
               "[!0&!1] 0\n[0&!1] 0 {0}\n[!0&1] 0 {1}\n[0&1] 0 {0 1}\n--END--\n",
               node('&', node('G', node('F', leaf(0), NULL), NULL), node('G', node('F', leaf(1), NULL), NULL)));
    check_file("HOA: v1 Start: 0 Acceptance: 2 Inf(0)|Inf(1) AP: 2 \"a\" \"b\" --BODY-- State: 0 "
               "[!0&!1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0&1] 0 {0 1} --END--",
               node('|', node('G', node('F', leaf(0), NULL), NULL), node('G', node('F', leaf(1), NULL), NULL)));
}

/* State v is where one is after reading valuation v. */
static void test_several_sets_of_states(void **state) {
    (void)state;
    check_file("HOA: v1\nStates: 4\nStart: 0\nAcceptance: 2 Inf(0) & Inf(1)\nAP: 2 \"a\" \"b\"\n--BODY--\n"
               "State: 0\n0 1 2 3\nState: 1 {0}\n0 1 2 3\nState: 2 {1}\n0 1 2 3\nState: 3 {0 1}\n0 1 2 3\n--END--\n",
               node('&', node('G', node('F', leaf(0), NULL), NULL), node('G', node('F', leaf(1), NULL), NULL)));
    check_file("HOA: v1\nStates: 2\nStart: 0\nAcceptance: 2 Inf(0) & Inf(1)\nAP: 2 \"a\" \"b\"\n--BODY--\n"
               "State: 0\n[!0] 0 {1}\n[0] 1 {1}\nState: 1 {0}\n[!0] 0\n[0] 1\n--END--\n",
               node('&', node('G', node('F', leaf(0), NULL), NULL),
                    node('G', node('F', node('!', leaf(0), NULL), NULL), NULL)));
}

static void test_state_labels(void **state) {
    (void)state;
    /* The label of a state is what it reads. FG p0 */
    check_file("HOA: v1\nStates: 2\nStart: 0\nStart: 1\nAcceptance: 1 Inf(0)\nAP: 2 \"a\" \"b\"\n--BODY--\n"
               "State: [t] 0 \"some name\"\n0 1\nState: [0] 1 {0}\n1\n--END--\n",
               node('F', node('G', leaf(0), NULL), NULL));
}

static void test_implicit_labels(void **state) {
    (void)state;
    /* p0 U p1: valuations in the order !0!1, 0!1, !01, 01 */
    check_file("HOA: v1\nStates: 3\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n--BODY--\n"
               "State: 0\n2 0 1 1\nState: 1 {0}\n1 1 1 1\nState: 2\n2 2 2 2\n--END--\n",
               node('U', leaf(0), leaf(1)));
}

static void test_aliases_and_comments(void **state) {
    (void)state;
    check_file("HOA: v1 /* a /* nested */ comment */ AP: 2 \"a\" \"b\" Alias: @a 0 Alias: @ab @a & !(!1 | f)\n"
               "Alias: @no !@ab & t Start: 0 tool: \"x\" \"1\" properties: a b c Acceptance: 0 t\n"
               "--BODY-- State: 0 [!@no] 0 --END--",
               node('G', node('&', leaf(0), leaf(1)), NULL));
}

static void test_complemented_set(void **state) {
    (void)state;
    check_file("HOA: v1 AP: 2 \"a\" \"b\" Start: 0 Acceptance: 1 Inf(!0) --BODY-- State: 0 [0] 0 [!0] 0 {0} --END--",
               node('G', node('F', leaf(0), NULL), NULL));
    check_file("HOA: v1 AP: 2 \"a\" \"b\" Start: 0 Acceptance: 0 f --BODY-- State: 0 [t] 0 --END--",
               node('&', leaf(0), node('!', leaf(0), NULL)));
}

/* Finite and deadlock acceptance in an automaton with labels on states count after the label was read. */
static void test_other_kinds_with_state_labels(void **state) {
    struct problem why = {0};
    struct hoa h;
    struct word in = {.at = {1, 0}, .length = 2, .back = -1}, out = {.at = {1}, .length = 1, .back = -1};
    struct word always = {.at = {0}, .length = 1, .back = 0};
    (void)state;
    assert_true(parse("HOA: v1 AP: 1 \"p\" Start: 0 Start: 2 Acceptance: 3 Inf(2) Deadlock-Acceptance: 0\n"
                      "Finite-Acceptance: 1 --BODY-- State: [0] 0 1 State: [!0] 1 {0} State: [!0] 2 {1} --END--",
                      &h, &why));
    assert_true(word_in_ba(&in, &h.ba));
    assert_false(word_in_ba(&out, &h.ba));
    assert_true(word_in_ba(&always, &h.ba));
    always.at[0] = 1;
    assert_false(word_in_ba(&always, &h.ba));
    hoa_fini(&h);
}

static void test_testing_automaton(void **state) {
    struct problem why = {0};
    struct hoa h;
    struct word w = {.at = {0, 3, 2, 2}, .length = 4, .back = 3};
    (void)state;
    if (!parse("HOA: v1 AP: 2 \"p\" \"q\" Testing: v1 Start-Value: 0 Acceptance: 2 Inf(0) Livelock-Acceptance: 1\n"
               "--BODY-- State: 0 [0|1] 1 State: 1 [0&!1] 2 State: 2 {1} --END--",
               &h, &why))
        fail_msg("%s", why.text);
    assert_true(h.testing);
    assert_int_equal(h.ta.edges, 4);
    assert_true(word_in_ta(&w, &h.ta));
    w.at[0] = 1;
    assert_false(word_in_ta(&w, &h.ta));
    hoa_fini(&h);
}

/* ---- Refusals and mistakes ---- */

#define START "HOA: v1\nAP: 1 \"p\"\nStart: 0\n"
#define BUCHI START "Acceptance: 1 Inf(0)\n--BODY--\n"
#define TESTING "HOA: v1\nAP: 1 \"p\"\nTesting: v1\n"

static void test_mistakes(void **state) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "file.hoa:1:1: expected 'HOA: v1', but the file ends"},
        {"--ABORT--", "file.hoa:1:1: expected 'HOA: v1', found --ABORT--"},
        {"HOA: v1 --ABORT--", "1:9: expected a header item or --BODY--, found --ABORT--"},
        {"HOA: v2", "file.hoa:1:6: only version v1"},
        {START "Acceptance: 1 Fin(0)\n--BODY--\n--END--", "file.hoa:4:15: Fin (as in co-"},
        {START "acc-name: Rabin 1\nAcceptance: 2 Fin(0) & Inf(1)\n--BODY--\n--END--", "5:15: Fin"},
        {START "--BODY--\n--END--", "has no Acceptance:"},
        {START "Acceptance: 1 Inf(1)\n--BODY--\n--END--", "4:19: the acceptance set 1 is too large"},
        {START "Acceptance: 1 Inf(0)\nSpecial: 3\n--BODY--\n--END--", "5:1: the header item Special: is not supported"},
        {"HOA: v1\nAP: 1 \"p\"\nStart: 0&1\nAcceptance: 1 Inf(0)\n--BODY--\n--END--", "3:9: a conjunction of initial"},
        {BUCHI "State: 0 [t] 0&0\n--END--", "universal branching"},
        {BUCHI "State: 0 [1] 0\n--END--", "6:11: there is no proposition 1: AP: names 1"},
        {BUCHI "State: 0 [@x] 0\n--END--", "there is no alias @x"},
        {BUCHI "State: 0 [0 0\n--END--", "6:13: expected ']'"},
        {BUCHI "State: 0 0\n--END--", "has 1 edge without labels; with 1 proposition there must be 2^1"},
        {BUCHI "State: 0 [t] 0 0\n--END--", "some edges of state 0 have labels"},
        {BUCHI "State: 0\nState: 0\n--END--", "state 0 is defined twice"},
        {BUCHI "State: [0] 0 [t] 0\n--END--", "both state 0 and its edge have a label"},
        {BUCHI "State: 0 {1}\n--END--", "the acceptance set 1 is too large"},
        {BUCHI "State: 0\n", "but the file ends"},
        {BUCHI "--ABORT--", "--ABORT--"},
        {BUCHI "State: 0\n--END--\n" BUCHI, "only one automaton"},
        {BUCHI "/* State: 0\n--END--\n", "6:1: this comment has no end"},
        {"HOA: v1\nAP: 2 \"p\"\n", "AP: promises 2 propositions, but only 1 name follows"},
        {"HOA: v1\nAP: 2 \"p\" \"p\"\n", "two propositions are called"},
        {"HOA: v1\nAP: 65\n", "too large"},
        {"HOA: v1\nAP: 1 \"p", "2:7: this string has no end"},
        {"HOA: v1\nAlias: @a 0\nAP: 1 \"p\"", "AP: must come before"},
        {"HOA: v1\nStates: 1\nAP: 0\nStart: 1\nAcceptance: 0 t --BODY-- --END--", "there is no state 1"},
        {"HOA: v1 $", "1:9: '$' does not belong here"},
        {START "Acceptance: 2 Inf(0)\nLivelock-Acceptance: 1\n--BODY--\n--END--", "is for testing automata"},
        {START "Acceptance: 1 Inf(0)\nFinite-Acceptance: 0\n--BODY--\n--END--", "has two meanings"},
        {START "Acceptance: 2 Inf(0)\nFinite-Acceptance: 1\nDeadlock-Acceptance: 1\n--BODY--\n--END--", "two meanings"},
        {START "Acceptance: 2 Inf(0)\nFinite-Acceptance: 1\n--BODY--\nState: 0 [t] 0 {1}\n--END--", "are for states"},
        {START "Acceptance: 1 Inf(0)\nFinite-Acceptance: 1\n--BODY--\n--END--", "there are only 1"},
        {START "Acceptance: 2 Inf(0)\nFinite-Acceptance: 1\n--BODY--\nState: [0] 0 1\nState: 1\n--END--", "no label"},
        {TESTING "Acceptance: 1 Inf(0) Start-Value: 0\n--BODY--\nState: 0\n[!0] 0\n--END--",
         "file.hoa:7:1: this label is satisfied when no proposition changes"},
        {TESTING "Acceptance: 1 Inf(0) Start: 0\n--BODY--\nState: 0\n[0] 0\n--END--", "has no Start-Value:"},
        {TESTING "Acceptance: 2 Inf(0)&Inf(1) Start-Value: 0\n--BODY--\n--END--", "one acceptance set"},
        {TESTING "Acceptance: 1 Inf(0) Start-Value: 0\n--BODY--\nState: 0\n[0] 0 {0}\n--END--", "edges do not"},
        {TESTING "Acceptance: 1 Inf(0) Start-Value: 0\n--BODY--\nState: [0] 0\n--END--", "are on edges"},
        {START "Start-Value: 0\nAcceptance: 1 Inf(0)\n--BODY--\n--END--", "is for testing automata"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct hoa h;
        struct problem why = {0};
        if (parse(wrong[i].text, &h, &why)) fail_msg("no mistake is found in:\n%s", wrong[i].text);
        if (!strstr(why.text, wrong[i].message))
            fail_msg("in\n%s\nthis is found: %s\ninstead of: %s", wrong[i].text, why.text, wrong[i].message);
        assert_int_equal(why.status, EXIT_BAD_INPUT);
        problem_fini(&why);
    }
}

/* Damaged files are read or refused, without harm (with sanitizers, more is seen). */
static void test_damaged_files(void **state) {
    uint32_t read = 0, refused = 0;
    (void)state;
    random_start(4);
    for (int i = 0; i < ROUNDS(6000); i++) {
        struct written w;
        struct ba a;
        struct ta t;
        struct hoa h;
        struct problem why = {0};
        open_written(&w);
        if (i % 2) {
            random_ba(&a, 3, 2, 2, false, BUCHI_KINDS);
            hoa_write_ba(&a, NULL, false, w.out);
            ba_fini(&a);
        } else {
            random_ta(&t, 3, 2, ALL_KINDS);
            hoa_write_ta(&t, NULL, w.out);
            ta_fini(&t);
        }
        fclose(w.out);
        for (uint32_t k = 1 + random_below(3); k > 0; k--) {
            static const char letters[] = "0123()[]{}&|!@:tf \n\"-/*";
            w.text[random_below((uint32_t)w.size)] = letters[random_below(sizeof letters - 1)];
        }
        if (random_chance(20)) w.size = random_below((uint32_t)w.size);
        if (hoa_parse(w.text, w.size, "damaged", &h, &why)) {
            read++;
            hoa_fini(&h);
        } else {
            refused++;
            assert_non_null(strstr(why.text, "damaged:"));
            problem_fini(&why);
        }
        free(w.text);
    }
    assert_true(read > ROUNDS(300) && refused > ROUNDS(300));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip_of_ba),       cmocka_unit_test(test_round_trip_of_sba),
        cmocka_unit_test(test_round_trip_of_ta),       cmocka_unit_test(test_transition_based_and_generalized),
        cmocka_unit_test(test_several_sets_of_states), cmocka_unit_test(test_state_labels),
        cmocka_unit_test(test_implicit_labels),        cmocka_unit_test(test_aliases_and_comments),
        cmocka_unit_test(test_complemented_set),       cmocka_unit_test(test_other_kinds_with_state_labels),
        cmocka_unit_test(test_testing_automaton),      cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_damaged_files),
    };
    words_random = random_below;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
