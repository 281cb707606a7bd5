/* Formulas: what the library makes of them is held against a plain evaluation on words, for all words up to a
 * length. */
#include "unit.h"

#include "omega/ltl/ltl.h"
#include "omega/ltl/ltl_simplify.h"
#include "omega/intersection.h"
#include "omega/stutter.h"
#include "base/problem.h"
#include "words.h"

/* A random formula, also as the library reads it. */
struct sample {
    struct tree *tree;
    char text[1000];
    struct ltl ltl;
    uint32_t formula;
    int propositions;
};

static void sample_init(struct sample *s, int operators, int propositions, bool next) {
    struct problem why = {0};
    s->tree = tree_random(operators, propositions, next);
    s->propositions = propositions;
    tree_print(s->tree, s->text, sizeof s->text);
    ltl_init(&s->ltl);
    for (int i = 0; i < propositions; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        ltl_proposition(&s->ltl, name);
    }
    if (!ltl_parse(&s->ltl, s->text, &s->formula, &why)) fail_msg("%s", why.text);
}

static void sample_fini(struct sample *s) {
    tree_free(s->tree);
    ltl_fini(&s->ltl);
}

static struct sample random_sample(bool next) {
    struct sample s;
    int propositions = 1 + (int)random_below(3);
    sample_init(&s, 1 + (int)random_below(9), propositions, next);
    return s;
}

static const int longest[] = {0, 5, 3, 2};

/* ---- Reading and printing ---- */

static void test_precedence(void **state) {
    static const char *const same[][2] = {
        {"a U b U c", "a U (b U c)"},
        {"a & b | c & d", "(a & b) | (c & d)"},
        {"a | b -> c <-> d", "(a | b) -> (c <-> d)"},
        {"a -> b -> c", "a -> (b -> c)"},
        {"!a U b", "(!a) U b"},
        {"G a U F b", "(G a) U (F b)"},
        {"a U b & c", "(a U b) & c"},
        {"a & b U c", "a & (b U c)"},
        {"GF a", "G (F a)"},
        {"XXa", "\"XXa\""},
        {"FGX a", "F G X a"},
        {"[]<>a && []<>b", "(G F a) & (G F b)"},
        {"a xor b | c", "a xor (b | c)"},
        {"a ^ b -> c", "(a xor b) -> c"},
        {"a.1.b", "\"a.1.b\""},
        {"\"a[1]\" V b", "\"a[1]\" R b"},
        {"not a or b and c", "(!a) | (b & c)"},
        {"1 U 0", "true U false"},
        {"a => b <=> c", "a -> (b <-> c)"},
        {"[]p0 /\\ <>p1 \\/ ~p0", "((G p0) & (F p1)) | (!p0)"},
        {"Fa", "\"Fa\""},
        {"Until", "\"Until\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(same); i++) {
        struct ltl l;
        struct problem why = {0};
        uint32_t f = 0, g = 0;
        ltl_init(&l);
        if (!ltl_parse(&l, same[i][0], &f, &why) || !ltl_parse(&l, same[i][1], &g, &why)) fail_msg("%s", why.text);
        if (f != g) fail_msg("'%s' is not read as '%s'", same[i][0], same[i][1]);
        ltl_fini(&l);
    }
}

static void test_mistakes(void **state) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "column 1: expected a proposition"},
        {"a &", "column 4: expected a proposition"},
        {"a b", "column 3: expected an operator"},
        {"(a", "column 3: expected ')'"},
        {"a)", "column 2: expected an operator"},
        {"U a", "column 1: expected a proposition"},
        {"a U", "found the end"},
        {"\"a", "a quote at its end"},
        {"a # b", "found '#'"},
        {"G", "column 2: expected a proposition"},
        {"\"\" & a", "a name in quotes"},
        {"2a", "found '2'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct ltl l;
        struct problem why = {0};
        uint32_t f;
        ltl_init(&l);
        assert_false(ltl_parse(&l, wrong[i].text, &f, &why));
        if (!strstr(why.text, wrong[i].message)) fail_msg("'%s' gives: %s", wrong[i].text, why.text);
        assert_int_equal(why.status, EXIT_BAD_INPUT);
        problem_fini(&why);
        ltl_fini(&l);
    }
}

static void test_deep_nesting_is_refused(void **state) {
    enum { DEPTH = 100000 };
    struct ltl l;
    struct problem why = {0};
    uint32_t f;
    char *text = malloc(DEPTH + 2);
    (void)state;
    memset(text, '(', DEPTH);
    strcpy(text + DEPTH, "a");
    ltl_init(&l);
    assert_false(ltl_parse(&l, text, &f, &why));
    problem_fini(&why);
    memset(text, '!', DEPTH);
    assert_false(ltl_parse(&l, text, &f, &why));
    problem_fini(&why);
    ltl_fini(&l);
    free(text);
}

/* What is printed is read as the same formula. */
static void test_round_trip(void **state) {
    (void)state;
    random_start(1);
    for (int i = 0; i < ROUNDS(3000); i++) {
        struct sample s = random_sample(true);
        struct problem why = {0};
        uint32_t again;
        char *text = ltl_text(&s.ltl, s.formula);
        if (!ltl_parse(&s.ltl, text, &again, &why)) fail_msg("%s", why.text);
        if (again != s.formula) fail_msg("%s is printed as %s", s.text, text);
        free(text);
        sample_fini(&s);
    }
}

/* ---- Simplification ---- */

/* Held against the tree: the simplified formula is printed, and turned into a tree again by a tiny reader. */
struct compare {
    const struct sample *s;
    const struct tree *other;
    const struct ba *ba;
    const struct ta *ta;
    bool negated;
    uint32_t true_count, false_count;
    struct word wrong;
};

static struct tree *tree_of(const struct ltl *l, uint32_t f) {
    static const char ops[] = "01p!XFG&|>=^UWRM";
    struct ltl_node n = l->node[f];
    struct tree *t = calloc(1, sizeof *t);
    t->op = ops[n.op];
    if (n.op == LTL_PROPOSITION) t->p = (int)n.left;
    else if (ltl_is_unary(n.op) || ltl_is_binary(n.op)) t->left = tree_of(l, n.left);
    if (ltl_is_binary(n.op)) t->right = tree_of(l, n.right);
    return t;
}

static bool trees_agree(const struct word *w, void *context) {
    struct compare *c = context;
    if (w->back < 0) return true;
    bool holds = tree_holds(c->s->tree, w);
    if (holds) c->true_count++;
    else c->false_count++;
    c->wrong = *w;
    return holds != (tree_holds(c->other, w) == c->negated);
}

static void test_parsing_keeps_the_meaning(void **state) {
    (void)state;
    random_start(2);
    for (int i = 0; i < ROUNDS(1000); i++) {
        struct sample s = random_sample(true);
        struct tree *other = tree_of(&s.ltl, s.formula);
        struct compare c = {.s = &s, .other = other};
        if (!words_all(s.propositions, longest[s.propositions], trees_agree, &c)) {
            word_print(&c.wrong);
            fail_msg("%s is not read right", s.text);
        }
        tree_free(other);
        sample_fini(&s);
    }
}

static void test_simplifying_keeps_the_meaning(void **state) {
    uint32_t true_count = 0, false_count = 0, shorter = 0;
    (void)state;
    random_start(3);
    for (int i = 0; i < ROUNDS(6000); i++) {
        struct sample s = random_sample(i % 2);
        struct ltl_rewriter r;
        ltl_rewriter_init(&r, &s.ltl);
        for (int negated = 0; negated < 2; negated++) {
            uint32_t normal = ltl_normal(&r, s.formula, negated), simple = ltl_simplify(&r, normal);
            struct tree *other = tree_of(&s.ltl, simple);
            struct compare c = {.s = &s, .other = other, .negated = negated};
            shorter += simple != normal;
            if (!words_all(s.propositions, longest[s.propositions], trees_agree, &c)) {
                word_print(&c.wrong);
                fail_msg("%s%s is simplified to %s", negated ? "the negation of " : "", s.text,
                         ltl_text(&s.ltl, simple));
            }
            true_count += c.true_count;
            false_count += c.false_count;
            tree_free(other);
        }
        ltl_rewriter_fini(&r);
        sample_fini(&s);
    }
    assert_true(true_count > 10000 && false_count > 10000 && shorter > 1000);
}

/* Implication, and the two classes, are what they say. */
struct claim {
    struct tree *f, *g;
};

static bool implication_holds(const struct word *w, void *context) {
    struct claim *c = context;
    return w->back < 0 || !tree_holds(c->f, w) || tree_holds(c->g, w);
}

static void check_implication(struct ltl_rewriter *r, uint32_t f, uint32_t g, int propositions, const char *what) {
    struct claim c = {tree_of(r->l, f), tree_of(r->l, g)};
    if (!words_all(propositions, longest[propositions], implication_holds, &c))
        fail_msg("%s: '%s' does not imply '%s'", what, ltl_text(r->l, f), ltl_text(r->l, g));
    tree_free(c.f);
    tree_free(c.g);
}

static void test_implication(void **state) {
    int implied = 0, eventual = 0, universal = 0;
    (void)state;
    random_start(4);
    for (int i = 0; i < ROUNDS(20000); i++) {
        struct sample s, t;
        struct ltl_rewriter r;
        int n = 1 + (int)random_below(2);
        sample_init(&s, (int)random_below(4), n, true);
        sample_init(&t, (int)random_below(4), n, true);
        ltl_rewriter_init(&r, &s.ltl);
        uint32_t f = ltl_normal(&r, s.formula, false), g = ltl_normal(&r, ltl_import(&s.ltl, &t.ltl, t.formula), false);
        if (f != g && ltl_implies(&r, f, g)) {
            implied++;
            check_implication(&r, f, g, n, "implication");
        }
        if (ltl_eventual(&r, f)) {
            eventual++;
            check_implication(&r, ltl_make(&s.ltl, LTL_FINALLY, f, 0), f, n, "eventual");
        }
        if (ltl_universal(&r, f)) {
            universal++;
            check_implication(&r, f, ltl_make(&s.ltl, LTL_GLOBALLY, f, 0), n, "universal");
        }
        ltl_rewriter_fini(&r);
        sample_fini(&s);
        sample_fini(&t);
    }
    assert_true(implied > ROUNDS(500) && eventual > ROUNDS(500) && universal > ROUNDS(500));
}

/* ---- Automata ---- */

static bool automaton_agrees(const struct word *w, void *context) {
    struct compare *c = context;
    if (w->back < 0) return true;
    bool holds = tree_holds(c->s->tree, w) != c->negated;
    if (holds) c->true_count++;
    else c->false_count++;
    c->wrong = *w;
    return word_in_ba(w, c->ba) == holds;
}

static void check_automaton(const struct sample *s, const struct ba *a, bool negated, uint32_t *yes, uint32_t *no) {
    struct compare c = {.s = s, .ba = a, .negated = negated};
    bool fine = words_all(s->propositions, longest[s->propositions], automaton_agrees, &c);
    for (int i = 0; i < 20 && fine; i++) {
        struct word w = word_random(s->propositions, 10, false);
        fine = automaton_agrees(&w, &c);
    }
    if (!fine) {
        word_print(&c.wrong);
        fail_msg("wrong automaton with %u states for%s %s", a->states, negated ? " the negation of" : "", s->text);
    }
    *yes += c.true_count;
    *no += c.false_count;
}

static void test_translation(void **state) {
    uint32_t yes = 0, no = 0;
    (void)state;
    random_start(5);
    for (int i = 0; i < ROUNDS(3000); i++) {
        struct sample s = random_sample(i % 2);
        struct problem why = {0};
        struct ba a;
        for (int negated = 0; negated < 2; negated++) {
            if (!ltl_to_ba(&s.ltl, s.formula, negated, &a, &why)) fail_msg("%s: %s", s.text, why.text);
            check_automaton(&s, &a, negated, &yes, &no);
            ba_fini(&a);
        }
        sample_fini(&s);
    }
    assert_true(yes > 10000 && no > 10000);
}

/* ---- Stuttering ---- */

/* Do words that are equal up to stuttering agree, as far as we look? */
static bool sees_stuttering(const struct sample *s) {
    for (int i = 0; i < 800; i++) {
        struct word w = word_random(s->propositions, 6, false), other = word_stuttered(&w);
        if (tree_holds(s->tree, &w) != tree_holds(s->tree, &other)) return true;
    }
    return false;
}

static void test_stutter_insensitivity(void **state) {
    uint32_t insensitive = 0, sensitive = 0, missed = 0;
    (void)state;
    random_start(6);
    for (int i = 0; i < ROUNDS(2500); i++) {
        struct sample s;
        struct problem why = {0};
        bool answer;
        sample_init(&s, 1 + (int)random_below(7), 1 + (int)random_below(2), i % 10);
        if (!ltl_stutter_insensitive(&s.ltl, s.formula, NULL, NULL, &answer, &why)) fail_msg("%s", why.text);
        bool sees = sees_stuttering(&s);
        if (answer) insensitive++;
        else sensitive++;
        if (answer && sees) fail_msg("'%s' sees stuttering, but is said not to", s.text);
        missed += !answer && !sees;
        sample_fini(&s);
    }
    if (insensitive < OFTEN(300) || sensitive < OFTEN(300) || missed > ROUNDS(10))
        fail_msg("%u insensitive, %u sensitive, of which %u without a short word", insensitive, sensitive, missed);
}

/* Formulas with X that nevertheless cannot see stuttering, and some that can. */
static void test_known_answers(void **state) {
    static const struct {
        const char *text;
        bool insensitive;
    } known[] = {
        {"F(a & X(!a & X b))", false},
        {"F(a & X(!a & b))", true},
        {"F(a & X(a U (!a & b)))", true}, /* what may be waited for */
        {"G F (a & X !a)", true},
        {"X a", false},
        {"X F a", false},
        {"G X F a", true},
        {"X true", true},
        {"a & X(a | !a)", true},
        {"F(a & X !a)", true},
        {"(a & X a) | (a & X !a)", true},
        {"a U X b", false},
        {"G(a -> X b)", false},
        {"G(a -> F b)", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        struct ltl l;
        struct problem why = {0};
        uint32_t f;
        bool answer;
        ltl_init(&l);
        assert_true(ltl_parse(&l, known[i].text, &f, &why));
        assert_true(ltl_stutter_insensitive(&l, f, NULL, NULL, &answer, &why));
        if (answer != known[i].insensitive) fail_msg("'%s'", known[i].text);
        ltl_fini(&l);
    }
}

/* ---- Testing automata ---- */

static bool testing_agrees(const struct word *w, void *context) {
    struct compare *c = context;
    bool holds = tree_holds(c->s->tree, w) != c->negated;
    if (holds) c->true_count++;
    else c->false_count++;
    c->wrong = *w;
    return word_in_ta(w, c->ta) == holds;
}

static void test_testing_automata(void **state) {
    uint32_t yes = 0, no = 0;
    (void)state;
    random_start(7);
    for (int i = 0; i < ROUNDS(1500); i++) {
        struct sample s = random_sample(i % 3 == 0);
        struct problem why = {0};
        bool insensitive, negated = i % 2;
        struct ba a;
        struct ta t;
        if (!ltl_stutter_insensitive(&s.ltl, s.formula, NULL, NULL, &insensitive, &why)) fail_msg("%s", why.text);
        if (insensitive) {
            assert_true(ltl_to_ba(&s.ltl, s.formula, negated, &a, &why));
            assert_true(ltl_to_ta(&a, &t, &why));
            struct compare c = {.s = &s, .ta = &t, .negated = negated};
            if (!words_all(s.propositions, longest[s.propositions], testing_agrees, &c)) {
                word_print(&c.wrong);
                fail_msg("wrong testing automaton for%s %s", negated ? " the negation of" : "", s.text);
            }
            yes += c.true_count;
            no += c.false_count;
            ba_fini(&a);
            ta_fini(&t);
        }
        sample_fini(&s);
    }
    assert_true(yes > 10000 && no > 10000);
}

/* What a search asks for. */
static void test_violations(void **state) {
    struct problem why = {0};
    struct ltl_violations v;
    struct word starves = {.at = {1, 0}, .length = 2, .back = 1}, served = {.at = {1, 2}, .length = 2, .back = 1};
    (void)state;
    assert_true(ltl_violations("G(request -> F grant)", &v, &why));
    assert_string_equal(v.ltl.propositions.text[1], "grant");
    assert_true(v.stutter_insensitive && v.has_testing);
    assert_true(word_in_ba(&starves, &v.ba) && word_in_ta(&starves, &v.testing));
    assert_false(word_in_ba(&served, &v.ba) || word_in_ta(&served, &v.testing));
    starves.back = -1;
    assert_true(word_in_ta(&starves, &v.testing)); /* the last valuation comes for ever */
    ltl_violations_fini(&v);
    assert_true(ltl_violations("G(a -> X b)", &v, &why));
    assert_false(v.stutter_insensitive || v.has_testing);
    ltl_violations_fini(&v);
    assert_true(ltl_violations("p | !p", &v, &why));
    assert_int_equal(v.ba.states, 0);
    ltl_violations_fini(&v);
    assert_false(ltl_violations("G(a", &v, &why));
    assert_int_equal(why.status, EXIT_BAD_INPUT);
    problem_fini(&why);
}

/* ---- Too much ---- */

static void test_large_formulas_are_refused(void **state) {
    struct problem why = {0};
    struct ltl l;
    struct ba a;
    uint32_t f;
    char text[4000] = "";
    (void)state;
    /* 2^60 parts without <-> */
    for (int i = 0; i < 60; i++) sprintf(text + strlen(text), "(p%d <-> X (", i);
    strcat(text, "q");
    for (int i = 0; i < 60; i++) strcat(text, "))");
    ltl_init(&l);
    assert_true(ltl_parse(&l, text, &f, &why));
    assert_false(ltl_to_ba(&l, f, false, &a, &why));
    assert_non_null(strstr(why.text, "too large"));
    problem_fini(&why);
    /* more than 64 propositions */
    text[0] = 0;
    for (int i = 0; i < 70; i++) sprintf(text + strlen(text), "G F r%d & ", i);
    strcat(text, "q");
    assert_true(ltl_parse(&l, text, &f, &why));
    assert_false(ltl_to_ba(&l, f, false, &a, &why));
    assert_non_null(strstr(why.text, "propositions"));
    problem_fini(&why);
    ltl_fini(&l);
    /* an automaton with 2^40 states */
    text[0] = 0;
    for (int i = 0; i < 40; i++) sprintf(text + strlen(text), "F(s%d & X G t%d) & ", i, i / 2);
    strcat(text, "q");
    ltl_init(&l);
    assert_true(ltl_parse(&l, text, &f, &why));
    assert_false(ltl_to_ba(&l, f, false, &a, &why));
    problem_fini(&why);
    ltl_fini(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_deep_nesting_is_refused),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_parsing_keeps_the_meaning),
        cmocka_unit_test(test_simplifying_keeps_the_meaning),
        cmocka_unit_test(test_implication),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_stutter_insensitivity),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_testing_automata),
        cmocka_unit_test(test_violations),
        cmocka_unit_test(test_large_formulas_are_refused),
    };
    words_random = random_below;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
