/* Do two automata accept the same? Whatever is answered is held against all words up to a length, and some longer ones,
 * which words.c reads by the definitions. */
#include "unit.h"

#include "omega/complement.h"
#include "omega/convert.h"
#include "omega/difference.h"
#include "omega/ltl/ltl.h"
#include "omega/intersection.h"
#include "omega/simplify.h"
#include "words.h"

static const int longest[] = {0, 6, 3, 2};

struct either {
    const struct ba *ba;
    const struct ta *ta;
    const struct tree *tree;
};

static bool accepts(const struct either *x, const struct word *w) {
    return x->ba ? word_in_ba(w, x->ba) : x->ta ? word_in_ta(w, x->ta) : tree_holds(x->tree, w);
}

struct opposed {
    struct either a, b;
    bool opposite; /* one of them, and only one, accepts; else: both or none */
    bool finite;
    struct word wrong;
};

static bool agree(const struct word *w, void *context) {
    struct opposed *o = context;
    o->wrong = *w;
    return (w->back < 0 && !o->finite) || (accepts(&o->a, w) != accepts(&o->b, w)) == o->opposite;
}

/* Of all words. */
static bool all_agree(struct opposed *o, int propositions) {
    bool fine = words_all(propositions, longest[propositions], agree, o);
    for (int i = 0; i < 40 && fine; i++) {
        struct word w = word_random(propositions, 9, i % 4 == 0);
        fine = agree(&w, o);
    }
    return fine;
}

static void check_all(struct opposed o, int propositions, const char *what) {
    if (all_agree(&o, propositions)) return;
    word_print(&o.wrong);
    fail_msg("%s", what);
}

/* ---- Complements ---- */

static void check_complement(const struct ba *a) {
    struct ba other;
    if (!ba_complement(a, &other)) {
        assert_false(ba_deterministic(a) && a->initials <= 1);
        return;
    }
    check_all((struct opposed){{.ba = a}, {.ba = &other}, true, false, {{0}, 0, 0}}, (int)a->propositions.count,
              "the complement of a Büchi automaton");
    ba_fini(&other);
}

/* Random ones are seldom deterministic; with one edge of each state for each valuation, all are. */
static void deterministic_ba(struct ba *out, int states, int propositions) {
    struct ba_builder b;
    ba_build(&b, NULL);
    for (int p = 0; p < propositions; p++) names_add(&b.propositions, p ? "p1" : "p0");
    b.by_state = true;
    for (int s = 0; s < states; s++) ba_build_state(&b, random_chance(40) ? ACCEPT_INFINITE : 0);
    ba_build_initial(&b, 0);
    for (int s = 0; s < states; s++)
        for (uint64_t v = 0; v < 1u << propositions; v++)
            if (random_chance(80))
                ba_build_edge(&b, (uint32_t)s, cube_of(v, (uint32_t)propositions), 0, random_below((uint32_t)states));
    ba_build_finish(&b, out);
}

static void deterministic_ta(struct ta *out, int states, int propositions) {
    struct ta_builder b;
    ta_build(&b, NULL);
    for (int p = 0; p < propositions; p++) names_add(&b.propositions, p ? "p1" : "p0");
    for (int s = 0; s < states; s++) ta_build_state(&b, 0, random_below(16) & (random_chance(70) ? 13 : 15));
    for (uint64_t v = 0; v < 1u << propositions; v++)
        if (random_chance(80)) ta_build_initial(&b, random_below((uint32_t)states), v);
    for (int s = 0; s < states; s++)
        for (uint64_t v = 1; v < 1u << propositions; v++)
            if (random_chance(80)) ta_build_edge(&b, (uint32_t)s, v, random_below((uint32_t)states));
    ta_build_finish(&b, out);
}

static void test_complements(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(1500); i++) {
        struct ba a;
        struct ta t, other;
        random_start((uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        deterministic_ba(&a, 1 + (int)random_below(5), propositions);
        check_complement(&a);
        ba_fini(&a);
        random_ba(&a, 1 + (int)random_below(3), propositions, 1, true, ACCEPT_INFINITE);
        check_complement(&a);
        ba_fini(&a);
        deterministic_ta(&t, 1 + (int)random_below(5), propositions);
        assert_true(ta_complement(&t, &other));
        check_all((struct opposed){{.ta = &t}, {.ta = &other}, true, true, {{0}, 0, 0}}, propositions,
                  "the complement of a testing automaton");
        ta_fini(&t);
        ta_fini(&other);
    }
}

/* Without finite acceptance, the same. */
static void test_no_finite_acceptance(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(1500); i++) {
        struct ta t, other;
        struct problem why = {0};
        random_start(10000 + (uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        random_ta(&t, 1 + (int)random_below(5), propositions, 15);
        assert_true(ta_remove_finite(&t, &other, &why));
        assert_false(accept_kinds(other.accept, other.states) & ACCEPT_FINITE);
        check_all((struct opposed){{.ta = &t}, {.ta = &other}, false, true, {{0}, 0, 0}}, propositions,
                  "a testing automaton without finite acceptance");
        ta_fini(&other);
        assert_true(ta_unfold(&t, &other, &why));
        check_all((struct opposed){{.ta = &t}, {.ta = &other}, false, true, {{0}, 0, 0}}, propositions,
                  "a testing automaton with valuations of states");
        ta_fini(&t);
        ta_fini(&other);
    }
}

/* ---- Comparing ---- */

static int counts[3]; /* the same, different by an infinite word, by a finite one */

/* A question, and its answer held against words. */
static void check_answer(const struct language *a, const struct language *b, struct opposed o, int propositions) {
    struct sequence w = {0};
    struct problem why = {0};
    bool first;
    switch (language_difference(a, b, o.finite, &w, &first, &why)) {
    case OUTCOME_NONE:
        check_all(o, propositions, "they are said to accept the same");
        counts[0]++;
        break;
    case OUTCOME_FOUND: {
        struct word word = {.length = (int)w.count, .back = w.cycle == w.count ? -1 : (int)w.cycle};
        assert_true(w.count > 0 && w.cycle <= w.count);
        if (w.count > LONGEST_WORD) break;
        memcpy(word.at, w.at, w.count * sizeof *w.at);
        bool by_a = accepts(&o.a, &word), by_b = accepts(&o.b, &word);
        if (by_a != first || by_b == first) {
            word_print(&word);
            fail_msg("accepted by the first: %d, by the second: %d; said to be by the first: %d", by_a, by_b, first);
        }
        counts[word.back < 0 ? 2 : 1]++;
        break;
    }
    default: fail_msg("given up: %s", why.text);
    }
    sequence_fini(&w);
}

static void counts_begin(void) { memset(counts, 0, sizeof counts); }

static void counts_end(void) {
    print_message("%d the same, %d differ by an infinite word, %d by a finite one\n", counts[0], counts[1], counts[2]);
    for (int i = 0; i < 3; i++) assert_true(counts[i] > OFTEN(40));
}

/* Büchi automata: random ones, and the same in another form, with an edge or an acceptance changed now and then. */
static void test_buchi(void **state) {
    (void)state;
    counts_begin();
    for (int i = 0; i < ROUNDS(3000); i++) {
        struct ba a, b, x, y;
        random_start(20000 + (uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        random_ba(&a, 1 + (int)random_below(4), propositions, 1, true,
                  ACCEPT_INFINITE | ACCEPT_DEADLOCK | ACCEPT_FINITE);
        if (random_chance(50)) ba_simplify_by_state(&a, &b);
        else random_ba(&b, 1 + (int)random_below(3), propositions, 1, true, ACCEPT_INFINITE | ACCEPT_DEADLOCK);
        if (b.states > 0 && random_chance(30)) {
            struct ba_builder other;
            ba_build(&other, &b.propositions);
            other.by_state = true;
            for (uint32_t s = 0; s < b.states; s++) ba_build_state(&other, b.accept[s] ^ (random_chance(20) ? 4 : 0));
            for (uint32_t k = 0; k < b.initials; k++) ba_build_initial(&other, b.initial[k]);
            for (uint32_t s = 0; s < b.states; s++)
                for (const struct ba_edge *e = ba_begin(&b, s); e < ba_end(&b, s); e++)
                    if (random_chance(95)) ba_build_edge(&other, s, e->label, 0, e->target);
            ba_fini(&b);
            ba_build_finish(&other, &b);
        }
        ba_remove_finite(&a, &x);
        ba_remove_finite(&b, &y);
        check_answer(&(struct language){&x, NULL}, &(struct language){&y, NULL},
                     (struct opposed){{.ba = &a}, {.ba = &b}, false, true, {{0}, 0, 0}}, propositions);
        ba_fini(&a);
        ba_fini(&b);
        ba_fini(&x);
        ba_fini(&y);
    }
    counts_end();
}

static void make_language(const struct ta *t, struct ba *out) {
    struct problem why = {0};
    struct ba any;
    assert_true(ba_from_ta(t, &any, &why));
    ba_remove_finite(&any, out);
    ba_fini(&any);
}

/* Testing automata, with and without complements. */
static void test_testing(void **state) {
    (void)state;
    counts_begin();
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct ta a, b, not_a;
        struct ba x, y, not_x;
        random_start(30000 + (uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        bool deterministic = random_chance(50);
        if (deterministic) deterministic_ta(&a, 1 + (int)random_below(4), propositions);
        else random_ta(&a, 1 + (int)random_below(3), propositions, 15);
        ta_copy(&b, &a);
        for (uint32_t s = 0; s < b.states; s++)
            if (random_chance(15)) b.accept[s] ^= (uint8_t)(1u << random_below(4));
        make_language(&a, &x);
        make_language(&b, &y);
        bool has = ta_complement(&a, &not_a);
        assert_true(has || !deterministic);
        if (has) make_language(&not_a, &not_x);
        check_answer(&(struct language){&x, has ? &not_x : NULL}, &(struct language){&y, NULL},
                     (struct opposed){{.ta = &a}, {.ta = &b}, false, true, {{0}, 0, 0}}, propositions);
        if (has) ta_fini(&not_a), ba_fini(&not_x);
        ta_fini(&a);
        ta_fini(&b);
        ba_fini(&x);
        ba_fini(&y);
    }
    counts_end();
}

/* A formula against a formula, or against a testing automaton that is about more propositions than it. */
static void formula_language(const char *text, struct ltl *l, struct ba *a, struct ba *complement) {
    struct problem why = {0};
    uint32_t formula;
    ltl_init(l);
    assert_true(ltl_parse(l, text, &formula, &why) && ltl_to_ba(l, formula, false, a, &why) &&
                ltl_to_ba(l, formula, true, complement, &why));
}

static void test_formulas(void **state) {
    int same = 0, different = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct ltl l[2];
        struct ba a[2], complement[2], x[4];
        struct tree *tree[2];
        struct names both;
        char text[1000];
        random_start(40000 + (uint64_t)i);
        for (int k = 0; k < 2; k++) {
            tree[k] = tree_random(1 + (int)random_below(4), 2, random_chance(30));
            tree_print(tree[k], text, sizeof text);
            formula_language(text, &l[k], &a[k], &complement[k]);
        }
        names_init(&both);
        names_add(&both, "p0");
        names_add(&both, "p1");
        for (int k = 0; k < 2; k++) {
            ba_read_as(&a[k], &both, &x[k]);
            ba_read_as(&complement[k], &both, &x[2 + k]);
        }
        counts_begin();
        check_answer(&(struct language){&x[0], &x[2]}, &(struct language){&x[1], &x[3]},
                     (struct opposed){{.tree = tree[0]}, {.tree = tree[1]}, false, false, {{0}, 0, 0}}, 2);
        same += counts[0];
        different += counts[1];
        for (int k = 0; k < 2; k++) {
            ltl_fini(&l[k]);
            ba_fini(&a[k]);
            ba_fini(&complement[k]);
            tree_free(tree[k]);
        }
        for (int k = 0; k < 4; k++) ba_fini(&x[k]);
        names_fini(&both);
    }
    print_message("%d the same, %d not\n", same, different);
    assert_true(same > OFTEN(40) && different > OFTEN(1000));
}

/* ---- Sequences ---- */

static bool ends_with_two(const void *context, const struct sequence *s) {
    (void)context;
    return s->count >= 2 && (s->at[s->count - 1] & 1) && (s->at[s->count - 2] & 2);
}

static void test_shortening(void **state) {
    struct sequence s = {0};
    struct names names;
    char *text = NULL;
    size_t size = 0;
    (void)state;
    names_init(&names);
    names_add(&names, "p");
    names_add(&names, "q");
    for (uint64_t i = 0; i < 6; i++) sequence_add(&s, 3);
    s.cycle = 4;
    sequence_shorten(&s, 2, ends_with_two, NULL);
    assert_int_equal(s.count, 2);
    FILE *out = open_memstream(&text, &size);
    sequence_write(&s, &names, out);
    fclose(out);
    assert_true(s.cycle < s.count && strstr(text, "for ever") && strstr(text, "{q}") && strstr(text, "{p}"));
    free(text);
    sequence_fini(&s);
    names_fini(&names);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complements), cmocka_unit_test(test_no_finite_acceptance),
        cmocka_unit_test(test_buchi),       cmocka_unit_test(test_testing),
        cmocka_unit_test(test_formulas),    cmocka_unit_test(test_shortening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
