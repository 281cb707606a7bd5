/* mCRL2's binary format: data as text, streams of several versions, what is kept of a file that is written again, and
 * damage. */
#include <fcntl.h>
#include <unistd.h>

#include "unit.h"

#include "lts/lts_file.h"
#include "lts/mcrl2/mcrl2_print.h"

/* ---- Terms from text ----
 *
 *     |> (1, [])     an application: what is applied, and the operands
 *     true  7        a symbol of a constructor or mapping; a machine number
 *     ?x             a variable of sort S
 *     \Lambda x b    a binder of one variable x, and its body
 */

static uint32_t raw(struct aterms *t, const char *name, uint32_t arity, const uint32_t *argument) {
    return aterms_add(t, aterms_symbol(t, name, strlen(name), arity), argument);
}

static uint32_t of_two(struct aterms *t, const char *name, uint32_t a, uint32_t b) {
    return raw(t, name, 2, (const uint32_t[]){a, b});
}

static uint32_t sort(struct aterms *t, const char *name) {
    return raw(t, "SortId", 1, (const uint32_t[]){raw(t, name, 0, NULL)});
}

static uint32_t named(struct aterms *t, const char *kind, const char *name) {
    return of_two(t, kind, raw(t, name, 0, NULL), sort(t, "S"));
}

static uint32_t list(struct aterms *t, uint32_t element) {
    return of_two(t, "<list_constructor>", element, raw(t, "<empty_list>", 0, NULL));
}

static uint32_t read_expression(struct aterms *t, const char **at);

static void word(const char **at, char *name) {
    size_t n = strcspn(*at += strspn(*at, " "), " (),");
    memcpy(name, *at, n);
    name[n] = 0;
    *at += n + strspn(*at + n, " ");
}

static uint32_t read_binder(struct aterms *t, const char *kind, const char **at) {
    char name[40];
    word(at, name);
    uint32_t variable = named(t, "DataVarId", name), body = read_expression(t, at);
    return raw(t, "Binder", 3, (const uint32_t[]){raw(t, kind, 0, NULL), list(t, variable), body});
}

static uint32_t read_expression(struct aterms *t, const char **at) {
    char name[60];
    uint32_t part[9] = {0}, count = 0;
    word(at, name);
    if (*name == '\\') return read_binder(t, name + 1, at);
    if (*name >= '0' && *name <= '9') return aterms_add_number(t, strtoull(name, NULL, 10));
    part[count++] = *name == '?' ? named(t, "DataVarId", name + 1) : named(t, "OpIdNoIndex", name);
    if (**at != '(') return part[0];
    for (; **at == '(' || **at == ','; part[count++] = read_expression(t, at)) ++*at;
    assert_true(**at == ')');
    ++*at;
    *at += strspn(*at, " ");
    return raw(t, "DataAppl", count, part);
}

static uint32_t untimed(struct aterms *t) {
    return of_two(t, "DataVarId", raw(t, "@undefined_real", 0, NULL), sort(t, "Real"));
}

static uint32_t action(struct aterms *t, const char *name, const char *operand) {
    uint32_t id = of_two(t, "ActId", raw(t, name, 0, NULL), raw(t, "<empty_list>", 0, NULL));
    return of_two(t, "Action", id, operand ? list(t, read_expression(t, &operand)) : raw(t, "<empty_list>", 0, NULL));
}

/* As mCRL2 prints them. */
static void data_as_text(void **unused) {
    static const struct {
        const char *term, *text;
    } rows[] = {
        {"true", "true"},
        {"@c0", "0"},
        {"@c1", "1"},
        {"@cNat(@cDub(false, @cDub(true, @c1)))", "6"},
        {"@cInt(@c0)", "0"},
        {"@cNeg(@cDub(true, @c1))", "-3"},
        {"@cReal(@cNeg(@c1), @cDub(false, @c1))", "-1 / 2"},
        {"@cReal(@cInt(@cNat(@cDub(false, @c1))), @c1)", "2"},
        {"@most_significant_digitNat(0)", "0"},
        {"@cInt(Pos2Nat(@most_significant_digit(18446744073709551615)))", "18446744073709551615"},
        {"@concat_digit(@most_significant_digit(1), 0)", "18446744073709551616"},
        {"@concat_digit(@concat_digit(@most_significant_digit(5), 7), 1000)",
         "1701411834604692317446000245674807919592"},
        {"@cReal(@cInt(@most_significant_digitNat(3)), @most_significant_digit(1))", "3"},
        {"[]", "[]"},
        {"|>(true, |>(false, []))", "[true, false]"},
        {"<|(<|([], a), b)", "[a, b]"},
        {"|>(a, ?x)", "a |> x"},
        {"|>(&&(a, b), |>(=>(a, b), []))", "[(a && b), (a => b)]"},
        {"|>(&&(a, b), [])", "[a && b]"},
        {"{}", "{}"},
        {"@set(@false_, @fset_cons(a, @fset_cons(b, {})))", "{a, b}"},
        {"@set(@true_, @fset_cons(a, {}))", "!{a}"},
        {"@setfset(@fset_insert(a, {}))", "{a}"},
        {"@bagfbag(@fbag_cons(a, @c1, @fbag_cinsert(b, @cNat(@c1), {:})))", "{a: 1, b: 1}"},
        {"@bag(@zero_, {:})", "{:}"},
        {"@set(\\Lambda x <(?x, 3), {})", "{ x: S | x < 3 }"},
        {"\\SetComp x <(?x, 3)", "{ x: S | x < 3 }"},
        {"\\Forall x \\Exists y ==(?x, ?y)", "forall x: S. exists y: S. x == y"},
        {"\\Lambda x ?x(a)", "lambda x: S. x(a)"},
        {"pair(a, pair(b, c))", "pair(a, pair(b, c))"},
        {"@func_update(@func_update_stable(f, a, b), b, c)", "f[a -> b][b -> c]"},
        {"@func_update(\\Lambda x a, a, b)", "(lambda x: S. a)[a -> b]"},
        {"+(*(a, b), c)", "a * b + c"},
        {"*(+(a, b), c)", "(a + b) * c"},
        {"-(a, -(b, c))", "a - (b - c)"},
        {"-(-(a, b), c)", "a - b - c"},
        {"-(+(a, b))", "-(a + b)"},
        {"!(&&(a, b))", "!(a && b)"},
        {"=>(=>(a, b), c)", "(a => b) => c"},
        {"=>(a, =>(b, c))", "a => b => c"},
        {"if(a, b, c)", "if(a, b, c)"},
        {"#(?l)", "#l"},
        {".(?l, 2)", "l . 2"},
        {"++(?l, ++(?m, ?n))", "l ++ (m ++ n)"},
        {"@monus(a, b)", "@monus(a, b)"},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct aterms t;
        const char *wrong;
        aterms_init(&t);
        uint32_t one = list(&t, action(&t, "act", rows[i].term));
        char *text = mcrl2_multi_action(&t, one, untimed(&t), &wrong), wanted[200];
        snprintf(wanted, sizeof wanted, "act(%s)", rows[i].text);
        assert_non_null(text);
        assert_string_equal(text, wanted);
        free(text);
        aterms_fini(&t);
    }
}

static void multi_actions(void **unused) {
    struct aterms t;
    const char *wrong, *half = "@cReal(@c1, @cDub(false, @c1))";
    (void)unused;
    aterms_init(&t);
    uint32_t none = raw(&t, "<empty_list>", 0, NULL), all = none;
    const char *const parts[][2] = {{"b", "2"}, {"ab", NULL}, {"b", "1"}, {"a", "true"}};
    for (size_t i = 0; i < COUNT(parts); i++)
        all = of_two(&t, "<list_constructor>", action(&t, parts[i][0], parts[i][1]), all);
    char *text = mcrl2_multi_action(&t, all, untimed(&t), &wrong);
    assert_string_equal(text, "a(true)|ab|b(1)|b(2)");
    free(text);
    assert_string_equal(text = mcrl2_multi_action(&t, none, untimed(&t), &wrong), "tau");
    free(text);
    uint32_t time = read_expression(&t, &half);
    assert_string_equal(text = mcrl2_multi_action(&t, none, time, &wrong), "tau @ (1 / 2)");
    free(text);
    assert_null(mcrl2_multi_action(&t, list(&t, none), untimed(&t), &wrong));
    assert_string_equal(wrong, "is no list of actions");
    aterms_fini(&t);
}

/* Terms share parts: one of a hundred may stand for a text of 2^100 characters, or be nested without end. */
static void too_much(void **unused) {
    struct aterms t;
    const char *wrong, *leaf = "a";
    (void)unused;
    aterms_init(&t);
    uint32_t wide = read_expression(&t, &leaf), deep = wide;
    for (int i = 0; i < 100; i++) wide = of_two(&t, "f", wide, wide);
    for (int i = 0; i < 1000000; i++) deep = raw(&t, "g", 1, &deep);
    const uint32_t terms[] = {wide, deep};
    for (size_t i = 0; i < COUNT(terms); i++) {
        uint32_t id = of_two(&t, "ActId", raw(&t, "act", 0, NULL), raw(&t, "<empty_list>", 0, NULL));
        assert_null(
            mcrl2_multi_action(&t, list(&t, of_two(&t, "Action", id, list(&t, terms[i]))), untimed(&t), &wrong));
        assert_string_equal(wrong, i == 0 ? "is longer than 65536 characters" : "is nested too deeply");
    }
    aterms_fini(&t);
}

/* ---- Streams ---- */

struct bytes {
    char at[4000];
    size_t size;
};

static void put(void *to, const char *bytes, size_t size) {
    struct bytes *b = to;
    assert_true(b->size + size <= sizeof b->at);
    memcpy(b->at + b->size, bytes, size);
    b->size += size;
}

/* Three states and edges: put(true) twice, of which the second one is timed, and tau. */
static void make_stream(struct bytes *b, unsigned version, bool probabilistic, const char *mark) {
    struct aterms t;
    struct aterm_writer w = {.put = put, .to = b};
    aterms_init(&t);
    uint32_t none = raw(&t, "<empty_list>", 0, NULL), no_time = untimed(&t), head = raw(&t, mark, 0, NULL);
    const char *half = "@cReal(@c1, @cDub(false, @c1))";
    uint32_t act = list(&t, action(&t, "put", "true")), time = read_expression(&t, &half);
    uint32_t labels[] = {of_two(&t, "TimedMultAct", act, no_time), of_two(&t, "TimedMultAct", act, time),
                         of_two(&t, "TimedMultAct", none, no_time)};
    uint32_t transition = raw(&t, "transition", 0, NULL), initial = raw(&t, "initial_state", 0, NULL);
    uint32_t one = named(&t, "OpIdNoIndex", "@c1"), alias = of_two(&t, "SortRef", sort(&t, "A"), sort(&t, "Bool"));
    uint32_t declared = list(&t, of_two(&t, "ActId", raw(&t, "put", 0, NULL), none));
    b->size = 0;
    aterm_write_begin(&w, version, &t);
    aterm_write_term(&w, head);
    for (int i = 0; i < MCRL2_PARTS; i++) {
        aterm_write_number(&w, i == MCRL2_ALIASES);
        if (i == MCRL2_ALIASES) aterm_write_term(&w, alias);
    }
    aterm_write_term(&w, none);
    aterm_write_term(&w, declared);
    for (unsigned i = 0; i < COUNT(labels); i++) {
        aterm_write_term(&w, transition);
        aterm_write_number(&w, i);
        aterm_write_term(&w, labels[i]);
        aterm_write_number(&w, (i + 1) % 3);
        aterm_write_term(&w, none); /* the label of a state */
    }
    aterm_write_term(&w, initial);
    aterm_write_number(&w, probabilistic ? 2 : 1);
    if (version < 0x8307) aterm_write_term(&w, one);
    aterm_write_number(&w, 1);
    aterm_write_end(&w);
    aterms_fini(&t);
}

static bool parse(const struct bytes *b, size_t size, struct mcrl2_kept *kept, struct lts *l, struct problem *why) {
    struct lts_file_options o = {.kind = FILE_MCRL2, .kept = kept};
    *why = (struct problem){0};
    return lts_file_parse(b->at, size, "x.lts", &o, l, why);
}

static void versions(void **unused) {
    (void)unused;
    for (unsigned version = MCRL2_OLDEST - 1; version <= MCRL2_NEWEST + 1; version++) {
        struct bytes b;
        struct problem why;
        struct lts l;
        make_stream(&b, version, false, "labelled_transition_system");
        bool good = parse(&b, b.size, NULL, &l, &why);
        assert_int_equal(good, version >= MCRL2_OLDEST && version <= MCRL2_NEWEST);
        if (good) {
            assert_int_equal(l.states, 3);
            assert_int_equal(l.edges, 3);
            assert_int_equal(l.initial, 1);
            assert_string_equal(l.labels.text[lts_begin(&l, 0)->label], "put(true)");
            assert_string_equal(l.labels.text[lts_begin(&l, 1)->label], "put(true) @ (1 / 2)");
            assert_int_equal(lts_begin(&l, 2)->label, LTS_TAU);
            lts_fini(&l);
        } else assert_non_null(strstr(why.text, "ltsconvert x.lts FILE.aut"));
        problem_fini(&why);
    }
}

static void other_contents(void **unused) {
    static const struct {
        bool probabilistic;
        const char *mark, *why;
    } rows[] = {{true, "labelled_transition_system", "probabilities"}, {false, "lps", "there is no LTS in it"}};
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bytes b;
        struct problem why;
        struct lts l;
        make_stream(&b, MCRL2_NEWEST, rows[i].probabilistic, rows[i].mark);
        assert_false(parse(&b, b.size, NULL, &l, &why));
        assert_non_null(strstr(why.text, rows[i].why));
        problem_fini(&why);
    }
}

/* Cut anywhere, it is refused, and so is what is longer than the padding at its end. */
static void cut(void **unused) {
    struct bytes b;
    struct problem why;
    struct lts l;
    (void)unused;
    make_stream(&b, MCRL2_NEWEST, false, "labelled_transition_system");
    for (size_t size = 0; size < b.size; size++) {
        assert_false(parse(&b, size, NULL, &l, &why));
        assert_int_equal(why.status, EXIT_BAD_INPUT);
        problem_fini(&why);
    }
    memset(b.at + b.size, 0, 9);
    static const size_t more[] = {0, 7, 9};
    for (size_t i = 0; i < COUNT(more); i++) {
        bool good = parse(&b, b.size + more[i], NULL, &l, &why);
        assert_int_equal(good, more[i] < 9);
        if (good) lts_fini(&l);
        problem_fini(&why);
    }
}

/* Any bits changed: an LTS or a message. */
static void damaged(void **unused) {
    struct bytes b, changed;
    uint32_t good = 0, refused = 0;
    (void)unused;
    random_start(1);
    make_stream(&b, MCRL2_NEWEST, false, "labelled_transition_system");
    for (int i = 0; i < ROUNDS(20000); i++) {
        struct problem why;
        struct lts l;
        changed = b;
        for (uint32_t n = 1 + random_below(3); n > 0; n--)
            changed.at[random_below((uint32_t)b.size)] ^= (char)(1 << random_below(8));
        if (parse(&changed, b.size, NULL, &l, &why)) {
            assert_true(l.initial < l.states);
            lts_fini(&l);
            good++;
        } else {
            assert_int_equal(why.status, EXIT_BAD_INPUT);
            assert_int_equal(strncmp(why.text, "x.lts", 5), 0);
            refused++;
        }
        problem_fini(&why);
    }
    assert_true(good > 10 && refused > 100);
}

/* ---- Written again ---- */

static bool has_term(const struct aterms *t, const char *name, uint32_t arity) {
    for (size_t i = 0; i < t->count; i++)
        if (aterm_is(t, (uint32_t)i, name, arity)) return true;
    return false;
}

/* What a label was made of, and the data specification, are there again; what has got another name is not. */
static void kept(void **unused) {
    static char path[] = "/tmp/onager-test-mcrl2-XXXXXX.lts";
    struct mcrl2_kept first = {0}, second = {0};
    struct problem why;
    struct lts l, again;
    struct bytes b;
    (void)unused;
    make_stream(&b, MCRL2_NEWEST, false, "labelled_transition_system");
    assert_true(parse(&b, b.size, &first, &l, &why));
    assert_true(first.there);
    close(mkstemps(path, 4));
    assert_true(lts_file_write(&l, path, &(struct lts_file_options){.kept = &first}, &why));
    assert_true(lts_file_read(path, &(struct lts_file_options){.kept = &second}, &again, &why));
    assert_int_equal(second.part[MCRL2_ALIASES].count, 1);
    assert_true(has_term(&second.terms, "OpIdNoIndex", 2) && has_term(&second.terms, "SortRef", 2));
    assert_int_equal(names_find(&second.text, "put(true)") == NAMES_NONE, false);
    assert_int_equal(again.initial, l.initial);
    lts_fini(&again);
    mcrl2_kept_fini(&second);
    assert_true(lts_file_write(&l, path, NULL, &why));
    assert_true(lts_file_read(path, &(struct lts_file_options){.kept = &second}, &again, &why));
    assert_false(has_term(&second.terms, "OpIdNoIndex", 2));
    assert_int_equal(names_find(&second.text, "put(true)") == NAMES_NONE, false);
    unlink(path);
    lts_fini(&again);
    mcrl2_kept_fini(&second);
    mcrl2_kept_fini(&first);
    lts_fini(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(data_as_text),   cmocka_unit_test(multi_actions),
                                       cmocka_unit_test(too_much),       cmocka_unit_test(versions),
                                       cmocka_unit_test(other_contents), cmocka_unit_test(cut),
                                       cmocka_unit_test(damaged),        cmocka_unit_test(kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
