/* Can a formula tell how many idle positions there are? The decision of the automata against all short words: words
 * that differ in idle positions only are in the same class, and a formula that is insensitive is true of all or of
 * none. */
#include "unit.h"

#include "omega/ltl/ltl.h"
#include "omega/stutter.h"
#include "words.h"

enum { PROPOSITIONS = 2, LENGTH = 4, LETTERS = 20, MOST_WORDS = 2000 };

/* The letters that are left when idle ones are left out; and whether it is idle for ever afterwards. */
struct form {
    uint64_t at[LETTERS];
    int length;
};

struct corpus {
    uint64_t momentary;
    struct word words[MOST_WORDS];
    struct form forms[MOST_WORDS];
    int class_of[MOST_WORDS]; /* the first word with the same form */
    int count;
};

static struct form form_of(const struct word *w, uint64_t momentary) {
    struct form f = {.length = 1};
    uint64_t last = f.at[0] = w->at[0];
    for (int i = 1, k = 0; i < 400 && f.length < LETTERS; i++) {
        k = k + 1 < w->length ? k + 1 : w->back;
        uint64_t letter = w->at[k];
        if (letter != (last & ~momentary)) f.at[f.length++] = letter;
        last = letter;
    }
    return f;
}

static bool add_word(const struct word *w, void *context) {
    struct corpus *c = context;
    if (w->back < 0) return true;
    struct form f = form_of(w, c->momentary);
    int i = 0;
    assert_true(c->count < MOST_WORDS);
    while (i < c->count && (c->forms[i].length != f.length || memcmp(c->forms[i].at, f.at, sizeof f.at) != 0)) i++;
    c->words[c->count] = *w;
    c->forms[c->count] = f;
    c->class_of[c->count] = i;
    c->count++;
    return true;
}

/* Is there a class where it is true of some words and false of others? */
static bool differs(const struct corpus *c, const struct tree *t) {
    static bool holds[MOST_WORDS];
    for (int i = 0; i < c->count; i++) {
        holds[i] = tree_holds(t, &c->words[i]);
        if (holds[i] != holds[c->class_of[i]]) return true;
    }
    return false;
}

/* The automaton of the negation, alone, must lead to the same answer; or be too large for that. */
static bool agrees(const struct ltl *l, uint32_t f, uint64_t momentary, bool insensitive) {
    struct ba a;
    struct problem why = {0};
    bool alone;
    assert_true(ltl_to_ba(l, f, true, &a, &why));
    bool decided = stutter_idle_insensitive(&a, momentary, &alone, &why);
    if (decided) assert_int_equal(alone, insensitive);
    ba_fini(&a);
    problem_fini(&why);
    return decided;
}

static void test_formulas(void **state) {
    int decided = 0;
    int counts[2] = {0, 0}, shown = 0;
    (void)state;
    for (uint64_t momentary = 0; momentary < 4; momentary++) {
        static struct corpus c;
        c = (struct corpus){.momentary = momentary};
        words_all(PROPOSITIONS, LENGTH, add_word, &c);
        assert_int_equal(c.count, 4 + 2 * 16 + 3 * 64 + 4 * 256);
        for (int i = 0; i < ROUNDS(400); i++) {
            struct ltl l;
            struct problem why = {0};
            char text[1000];
            uint32_t f;
            bool insensitive;
            random_start(1000 * momentary + (uint64_t)i);
            struct tree *t = tree_random((int)random_below(5), PROPOSITIONS, random_chance(30));
            tree_print(t, text, sizeof text);
            ltl_init(&l);
            names_add(&l.propositions, "p0");
            names_add(&l.propositions, "p1");
            assert_true(ltl_parse(&l, text, &f, &why));
            assert_true(ltl_idle_insensitive(&l, f, momentary, NULL, NULL, &insensitive, &why));
            bool found = differs(&c, t);
            if (insensitive && found) fail_msg("%s can tell idle positions (%d)", text, (int)momentary);
            counts[insensitive]++;
            decided += agrees(&l, f, momentary, insensitive);
            shown += found;
            tree_free(t);
            ltl_fini(&l);
        }
    }
    print_message("%d insensitive; %d sensitive, shown by short words for %d; decided by one automaton: %d\n",
                  counts[1], counts[0], shown, decided);
    assert_true(decided > ROUNDS(1200));
    assert_true(counts[0] > ROUNDS(200) && counts[1] > ROUNDS(400) && shown >= counts[0] * 95 / 100);
}

static void expect(const char *text, uint64_t momentary, bool wanted) {
    struct ltl l;
    struct problem why = {0};
    uint32_t f;
    bool insensitive;
    ltl_init(&l);
    names_add(&l.propositions, "p0");
    names_add(&l.propositions, "p1");
    assert_true(ltl_parse(&l, text, &f, &why));
    assert_true(ltl_idle_insensitive(&l, f, momentary, NULL, NULL, &insensitive, &why));
    if (insensitive != wanted) fail_msg("%s: %d, expected %d", text, insensitive, wanted);
    ltl_fini(&l);
}

static void test_known(void **state) {
    (void)state;
    expect("G(p0 -> F p1)", 3, true);
    expect("G F p0 -> G F p1", 3, true);
    expect("!p1 W p0", 3, true);
    expect("p0", 3, true); /* nothing comes before position 0 */
    expect("p0 U p1", 3, false);
    expect("p0 U p1", 0, true);
    expect("p0 U p1", 2, true); /* p0 is a fluent */
    expect("G p0", 1, false);
    expect("G p0", 2, true);
    expect("F(p0 & p1)", 1, true);
    expect("X p0", 1, false);
    expect("X true", 1, true);
    expect("G(p0 -> X(!p0 W p1))", 3, true); /* after p0, not again before p1: X skips p0 itself */
    expect("G(p0 -> X(!p0 W p1))", 0, false);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas), cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
