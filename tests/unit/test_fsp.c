/* The FSP front end by examples: expressions, messages, limits, parameters, formulas, imports. tests/fsp has the models
 * that LTSA was asked about; test_fsp_tables.c reads those. */
#include "unit.h"

#include <unistd.h>

#include "base/text.h"
#include "fsp/fsp.h"
#include "fsp/parser.h"

/* ---- Expressions: C itself says what they are ---- */

#ifdef __clang__
#pragma clang diagnostic ignored "-Wlogical-op-parentheses"
#pragma clang diagnostic ignored "-Wbitwise-op-parentheses"
#pragma clang diagnostic ignored "-Wtautological-compare"
#pragma clang diagnostic ignored "-Wshift-op-parentheses"
#pragma clang diagnostic ignored "-Wlogical-not-parentheses"
#pragma clang diagnostic ignored "-Wconstant-logical-operand"
#pragma clang diagnostic ignored "-Wparentheses"
#else
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#endif

#define SAME(expression)                                                                                               \
    { #expression, expression }

static const struct {
    const char *text;
    int value;
} expressions[] = {
    SAME(7),           SAME(010 + 1),        SAME(0x1f),          SAME(1 + 2 * 3),
    SAME((1 + 2) * 3), SAME(10 - 3 - 2),     SAME(100 / 10 / 5),  SAME(-7 / 2),
    SAME(-7 % 3),      SAME(7 % -3),         SAME(7 / 2 * 2),     SAME(2 - -3),
    SAME(!5),          SAME(!0 + 1),         SAME(!!7),           SAME(1 < 2 == 1),
    SAME(3 > 2 > 1),   SAME(1 == 1 != 0),    SAME(5 & 3 | 8 ^ 1), SAME(5 & 3 == 3),
    SAME(1 | 2 && 0),  SAME(0 && 1 || 1),    SAME(1 || 0 && 0),   SAME(1 << 3 + 1),
    SAME(1 << 3 >> 1), SAME(1 + 1 << 2 < 9), SAME(6 ^ 3 & 1),     SAME(4 <= 4),
    SAME(4 >= 5),      SAME(-(3) + +4),      SAME(-2 - -2 * -3),  SAME(1 + (2 < 3) * 10 % 4),
    SAME(10 % 4 * 3),
};

static void values_are_those_of_c(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(expressions); i++) {
        struct problem why = {0};
        struct lts l;
        char *text = text_format("P = (x[%s]->P).", expressions[i].text);
        char *label = text_format("x.%d", expressions[i].value);
        struct fsp_file *f = fsp_read_text("e.fsp", text, NULL, 0, NULL, &why);
        assert_non_null(f);
        assert_true(fsp_primitive(f, "P", &l, &why));
        if (strcmp(l.labels.text[1], label) != 0) fail_msg("%s is %s", expressions[i].text, l.labels.text[1]);
        lts_fini(&l);
        fsp_free(f);
        free(text);
        free(label);
    }
}

/* ---- Messages ---- */

static char *message_of(const char *text, const char *process, const struct fsp_limits *limits) {
    struct problem why = {0};
    struct fsp_system s;
    struct fsp_file *f = fsp_read_text("m.fsp", text, NULL, 0, limits, &why);
    if (f && fsp_target(f, process, &s, &why)) {
        fsp_system_fini(&s);
        why.text = strdup("fine");
    }
    fsp_free(f);
    return why.text;
}

static void expect_message(const char *text, const char *process, const struct fsp_limits *limits, const char *part) {
    char *message = message_of(text, process, limits);
    if (!strstr(message, part)) fail_msg("%.100s\n  says: %s\n  not: %s", text, message, part);
    free(message);
}

static const struct {
    const char *text, *message;
} wrong[] = {
    {"", "this file defines no process"},
    {"P = (a->P)", "m.fsp:1:11: expected '.' at the end of a process"},
    {"P = (a->P).\n\n  Q = (b-P).",
     "m.fsp:3:9: expected '->' after an action, found '-'\n      Q = (b-P).\n            ^"},
    {"P = (a->).", "1:9: expected a process: '(', 'if' or a process's name, found ')'"},
    {"P = (->P).", "1:6: expected an action label, found '->'"},
    {"P = (a.1->P).", "1:8: expected an action label (an index is written in brackets: [1]), found '1'"},
    {"P = (a[->P).", "expected an expression, found '->'"},
    {"P = (a[1->P).", "expected ']' after an index"},
    {"P = (a->P) + a.", "expected a set of labels: '{' or a set's name, found 'a'"},
    {"P = (a->P)/{a}.", "expected '/' between the new label and the old one, found '}'"},
    {"P = (a->P)/a.", "expected '{' before a list of relabellings"},
    {"p = (a->P).", "1:1: expected a definition: "},
    {"||S = P || Q.", "a composition is written in parentheses"},
    {"||S = (P.", "expected ')' or '||' after a process of a composition"},
    {"||S = a:b:P.", "1:9: expected the name of a process or '(', found 'b'"},
    {"||S = forall P.", "expected '[' after forall, found 'P'"},
    {"const n = 1", "the name of a constant, which begins with an upper-case letter, found 'n'"},
    {"const N", "expected '=' after the name of a constant, found the end of the file"},
    {"range R = 1", "expected '..' between the bounds of a range"},
    {"P(n=1) = STOP.", "the name of a parameter"},
    {"P(N) = STOP.", "and a default value after the name of a parameter"},
    {"progress p = {a}", "the name of a progress property"},
    {"fluent F = {a}", "expected '<' before the actions that make a fluent true"},
    {"assert A = []", "expected a formula, found the end of the file"},
    {"P = STOP. /* open", "1:11: this comment has no end"},
    {"import P = \"x", "this text has no end"},
    {"P = (a->P). $", "1:13: '$' has no meaning in FSP"},
    {"P = (a->P). \001", "1:13: byte 0x01 is not FSP"},
    {"const N = 09 P = STOP.", "'09' is not a number (a leading 0 makes it octal)"},
    {"const N = 99999999999 P = STOP.", "is too large"},
    {"const N = 12a P = STOP.", "'12a' is not a number"},
    {"const N = 1/0 P = STOP.", "1:12: division by zero"},
    {"const N = (1<<40) P = STOP.", "shifted by 0 to 31 places, not by 40"},
    {"const N = M const M = N P = STOP.", "is defined by itself"},
    {"set A = {B} set B = {A} P = (A->P).", "is defined by itself"},
    {"const N = 1 set N = {a} P = STOP.", "1:17: N is defined already, in line 1"},
    {"P = STOP. ||P = P.", "P is defined already"},
    {"progress A = {a} progress A = {b} P = STOP.", "A is defined already"},
    {"fluent A = <a,b> assert A = b P = STOP.", "A is defined already"},
    {"P = (a->Q), Q = (b->P), Q = (c->P).", "1:25: Q is defined already in P"},
    {"P = P[1], P[1] = (a->P), P[i:0..2] = (b->P).", "P.1 is defined already in P"},
    {"P = (a[i:0..1]->P[j]), P[i:0..1] = STOP.", "there is no variable, parameter or constant j here"},
    {"P = (when ('a) b->P).", "this is the label a, where a number is needed"},
    {"set S = {a} P = (x[S+1]->P).", "S is a set; an expression needs a single value"},
    {"P = (X->P).", "there is no set X"},
    {"set S = {a,b} P = (x[@(S,2)]->P).", "the set has 2 elements, numbered from 0; there is no element 2"},
    {"P = (x['{a,b}]->P).", "one label is needed here; these are 2"},
    {"P = (a[1..0]->P).", "the range 1..0 is empty"},
    {"P = (a['x..2]->P).", "a bound of a range is a number, not the label x"},
    {"P = X;P.", "there is no process X"},
    {"P = (a->END). Q = P;Q2. Q2 = Q[1];END.", "before ';' there must be a process that is defined at the top"},
    {"P = P;END.", "P would contain itself"},
    {"P = (a->Q;END). Q = P;END.", "P would contain itself"},
    {"||S = (S||P). P = STOP.", "deep"},
    {"||S = (PHILL). PHIL = STOP.", "there is no process PHILL; did you mean PHIL?"},
    {"||S = if 0 then P. P = STOP.", "S has no component"},
    {"property P = (a->b->P)\\{b}.", "the property P is not deterministic"},
    {"import P = \"there/is/no.aut\"", "P cannot be imported: cannot read there/is/no.aut"},
    {"P = (\"~a\"->P).", "must not begin with '~'"},
    {"P = (a.\"\"->P).", "a label must not be empty"},
};

static void messages(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) expect_message(wrong[i].text, NULL, NULL, wrong[i].message);
    expect_message("P = STOP.", "Q", NULL, "m.fsp: there is no process Q; there are P");
    expect_message("POLICE = STOP.", "POLICY", NULL, "there is no process POLICY; did you mean POLICE?");
}

/* ---- Limits ---- */

static char *repeat(const char *begin, const char *what, size_t times, const char *end) {
    size_t length = strlen(what);
    char *text = malloc(strlen(begin) + times * length + strlen(end) + 1), *to = stpcpy(text, begin);
    for (size_t i = 0; i < times; i++) to = stpcpy(to, what);
    strcpy(to, end);
    return text;
}

static void expect_repeated(const char *begin, const char *what, size_t times, const char *end, const char *message) {
    char *text = repeat(begin, what, times, end);
    expect_message(text, NULL, NULL, message);
    free(text);
}

static void nothing_is_too_deep(void **state) {
    (void)state;
    expect_repeated("P = ", "(a->", 100000, "", "nested more than");
    expect_repeated("P = ", "if 1 then ", 100000, "", "nested more than");
    expect_repeated("const N = ", "(", 100000, "", "nested more than");
    expect_repeated("const N = ", "-", 100000, "1", "nested more than");
    expect_repeated("const N = 1", "+1", 100000, " P = STOP.", "operators within each other");
    expect_repeated("const N = 1", "+1", 400, " P = STOP.", "fine");
    expect_repeated("set S = ", "{", 100000, "a}", "nested more than");
    expect_repeated("assert A = ", "!", 100000, "a", "nested more than");
    expect_repeated("assert A = a", "->a", 100000, "", "nested more than");
    expect_repeated("assert A = a", " && a", 100000, "", "operators within each other");
    expect_repeated("||S = ", "(", 100000, "", "nested more than");
    expect_repeated("||S = P/", "{forall[i:1..2]", 100000, "", "nested more than");
    expect_repeated("P = (a", ".a", 100000, "->P).", "more than 100 parts");
    expect_repeated("P = (a", "->a", 20000, "->P).", "fine");
    expect_repeated("P = (a->P", "|a->P", 20000, ").", "fine");
    expect_repeated("E = (a->END). P = ", "E;", 20000, "END.", "fine");
    expect_message("const N = 1 ||C(N=2) = C(N+1).", NULL, NULL, "deep");
}

static void nothing_is_too_large(void **state) {
    const struct fsp_limits small = {.process_states = 100,
                                     .composed_states = 100,
                                     .edges = 1000,
                                     .labels = 100,
                                     .components = 10,
                                     .steps = 100000,
                                     .memory = 1 << 20};
    (void)state;
    expect_message("P = P[0], P[i:0..98][j:0..1] = STOP.", NULL, &small, "P has more than 100 states");
    expect_message("P = (a[0..9]->b[0..9]->c->P).", NULL, &small, "P has more than 100 states");
    expect_message("P = (a[0..100]->P).", NULL, &small, "the range 0..100 has more than 100 values");
    expect_message("P = (a[0..9][0..10]->P).", NULL, &small, "there are more than 100 labels");
    expect_message("P = STOP+{a[0..9][0..10]}.", NULL, &small, "more than 100 labels");
    expect_message("P = STOP+{a[0..60],b[0..60]}.", NULL, &small, "this set has more than 100 labels");
    expect_message("P = (a[0..10]->P)/{{x[0..99]}/a}.", NULL, &small, "P has more than 1000 edges");
    expect_message("P = (a[0..10]->P). ||S = {x[0..99]}::P.", NULL, &small, "P gets more than 1000 edges");
    expect_message("P = STOP. ||S = [0..10]:P.", NULL, &small, "there are more than 10 components");
    expect_message("P = (a->b->c->P). ||Q = ([0..5]:P)>>{a}. ||S = x:Q.", "S", &small,
                   "Q must be composed before it can be used, but: the composition has more than 100 states");
    expect_message("P = (a->b->c->P). ||Q = ([0..5]:P). ||S = Q/{x/[0].a,x/[1].a}.", "S", &small,
                   "so that it must be composed, but: the composition has more than 100 states");
    expect_message("||C(N=30) = if (N>0) then (C(N-1) || C(N-1)).", NULL, &small, "this takes too long to work out");
    expect_message(
        "set A = {aaaaaaaaaa} set B = {A.A.A.A.A.A.A.A} set C = {B.B.B.B.B.B.B.B} set D = {C.C.C.C} P = (D->P).", NULL,
        &small, "longer than 2000 characters");
    expect_message("progress G[i:0..20] = {a} P = STOP.", NULL, &small, "there are more than 10 progress properties");
}

/* ---- Parameters, names, warnings ---- */

static void overrides(void **state) {
    static const char text[] =
        "const N = 2 const M = N+1 const Size = 1 P(K=1) = (a[N][M][K]->P). ||S(K=5) = P(K). ||T = P.";
    const struct ts_parameter both[] = {{"N", 7, false, false}, {"K", 9, false, false}};
    const struct ts_parameter unknown[] = {{"Siez", 1, false, false}};
    struct problem why = {0};
    struct fsp_system s;
    struct fsp_file *f = fsp_read_text("o.fsp", text, both, 2, NULL, &why);
    (void)state;
    assert_true(fsp_target(f, "S", &s, &why));
    assert_string_equal(s.network.labels.text[1], "a.7.8.9");
    assert_string_equal(s.network.component[0].name, "P(9)");
    fsp_system_fini(&s);
    assert_false(fsp_target(f, "T", &s, &why)); /* T has no parameter K */
    assert_string_equal(why.text, "o.fsp: there is no constant K, and T has no parameter K");
    problem_fini(&why);
    fsp_free(f);
    f = fsp_read_text("o.fsp", text, unknown, 1, NULL, &why);
    assert_false(fsp_target(f, "S", &s, &why));
    assert_non_null(strstr(why.text, "; did you mean Size?"));
    problem_fini(&why);
    fsp_free(f);
}

static void names_of_processes(void **state) {
    static const char text[] = "P = STOP. property Q = (a->Q).\n||S = P. import X = \"x.aut\" ||A = Q.";
    struct problem why = {0};
    struct fsp_system s;
    struct fsp_file *f = fsp_read_text("n.fsp", text, NULL, 0, NULL, &why);
    (void)state;
    assert_int_equal(fsp_process_count(f), 5);
    assert_string_equal(fsp_process(f, 0).name, "S");
    assert_string_equal(fsp_process(f, 1).name, "A");
    assert_string_equal(fsp_process(f, 3).name, "Q");
    assert_true(fsp_process(f, 0).composite && fsp_process(f, 3).property && fsp_process(f, 4).imported);
    assert_int_equal(fsp_process(f, 0).line, 2);
    assert_true(fsp_target(f, NULL, &s, &why));
    assert_string_equal(s.network.process, "A");
    assert_int_equal(s.network.count, 1);
    fsp_system_fini(&s);
    fsp_free(f);
}

static void warnings(void **state) {
    struct problem why = {0};
    struct fsp_system s;
    struct fsp_file *f = fsp_read_text("w.fsp", "P = (a->Q[1] | b->Q[1] |\n c->P[2]).", NULL, 0, NULL, &why);
    (void)state;
    assert_true(fsp_target(f, NULL, &s, &why));
    assert_int_equal(s.warning_count, 3);
    assert_string_equal(s.warnings[0], "w.fsp:1:9: Q[1] is not defined in P, so it is ERROR");
    assert_string_equal(s.warnings[2], "w.fsp:2:5: P[2] is not defined in P, so it is ERROR");
    assert_int_equal(s.network.component[0].lts.states, 2);
    fsp_system_fini(&s);
    fsp_free(f);
    /* With a byte-order mark and other line ends; Q is a process, but not a local one. */
    f = fsp_read_text("w.fsp", "\xef\xbb\xbfP = (a->Q).\r\nQ = (b->Q).", NULL, 0, NULL, &why);
    assert_true(fsp_target(f, "P", &s, &why));
    assert_string_equal(s.warnings[0], "w.fsp:1:9: Q is not defined in P, so it is ERROR; other processes can be used "
                                       "before ';' and in composites only");
    fsp_system_fini(&s);
    fsp_free(f);
}

static void names_of_components(void **state) {
    static const char text[] =
        "P(N=1) = (a->P). ||Q = (x:P(2) || P)\\{a}. ||S = (y:Q || {u,v}::P || {u,v,w}::z:P(3)/{b/a}).";
    static const char *const names[] = {"y:x:P(2)", "y:P(1)", "{u,v}::P(1)", "{u,...,w}::z:P(3)"};
    struct problem why = {0};
    struct fsp_system s;
    struct fsp_file *f = fsp_read_text("c.fsp", text, NULL, 0, NULL, &why);
    (void)state;
    assert_true(fsp_target(f, "S", &s, &why));
    assert_int_equal(s.network.count, 4);
    for (uint32_t i = 0; i < 4; i++) assert_string_equal(s.network.component[i].name, names[i]);
    /* a is hidden in Q, but x.a is not: hiding looks at whole parts of labels from the left. */
    assert_true(names_find(&s.network.labels, "y.x.a") != NAMES_NONE);
    assert_true(names_find(&s.network.labels, "y.a") == NAMES_NONE);
    assert_true(names_find(&s.network.labels, "w.z.a") != NAMES_NONE);
    uint32_t inner = 0;
    for (uint32_t a = 1; a < s.network.labels.count; a++) inner += s.network.sight[a] == SIGHT_INNER;
    assert_int_equal(inner, 1);
    fsp_system_fini(&s);
    fsp_free(f);
}

/* ---- What is written before a process ---- */

static const struct {
    const char *text;
    uint32_t states; /* ERROR and END included */
    uint64_t edges;
    bool end, error;
} qualified[] = {
    {"property P = (a->P | b->ERROR).", 2, 2, false, true},
    {"property P = (a->b->END).", 4, 6, false, true},
    {"property P = ERROR.", 2, 1, false, true},
    {"deterministic P = ERROR.", 2, 1, false, true},
    {"deterministic P = (a->b->P | a->ERROR).", 2, 1, false, true},      /* after a, it may be in ERROR */
    {"deterministic P = (a->END | a->b->END).", 3, 2, true, false},      /* after a, it may have to go on */
    {"deterministic P = (a->END | a->h->END)\\{h}.", 2, 1, true, false}, /* it can do nothing but end */
    {"deterministic P = (a->P | b->Q), Q = (a->P | b->Q).", 1, 2, false, false},
    {"minimal P = (a->h->b->P | c->P)\\{h}.", 2, 3, false, false},
    {"minimal P = (a->h->END | a->h->STOP)\\{h}.", 4, 3, true, false}, /* END is related to no other state */
    {"minimal P = (a->h->P | b->ERROR)\\{h}.", 2, 2, false, true},
    {"minimal deterministic P = (h->a->P | h->b->P)\\{h}.", 1, 2, false, false},
};

static void qualifiers(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(qualified); i++) {
        struct problem why = {0};
        struct lts l;
        struct fsp_file *f = fsp_read_text("q.fsp", qualified[i].text, NULL, 0, NULL, &why);
        if (!f || !fsp_primitive(f, "P", &l, &why)) fail_msg("%s", why.text);
        if (l.states != qualified[i].states || l.edges != qualified[i].edges)
            fail_msg("%s has %u states, %u edges", qualified[i].text, l.states, (unsigned)l.edges);
        assert_int_equal(l.end != LTS_NONE, qualified[i].end);
        assert_int_equal(l.error != LTS_NONE, qualified[i].error);
        lts_fini(&l);
        fsp_free(f);
    }
}

/* ---- Formulas: kept as they were meant ---- */

static char *show(const struct formula *f) {
    static const char *const signs[] = {
        [FORMULA_NOT] = "!",          [FORMULA_NEXT] = "X",        [FORMULA_ALWAYS] = "[]",
        [FORMULA_EVENTUALLY] = "<>",  [FORMULA_UNTIL] = "U",       [FORMULA_WEAK_UNTIL] = "W",
        [FORMULA_AND] = "&&",         [FORMULA_OR] = "||",         [FORMULA_IMPLIES] = "->",
        [FORMULA_EQUIVALENT] = "<->", [FORMULA_FORALL] = "forall", [FORMULA_EXISTS] = "exists"};
    switch (f->kind) {
    case FORMULA_TRUE: return strdup("True");
    case FORMULA_FALSE: return strdup("False");
    case FORMULA_RIGID: return strdup("rigid");
    case FORMULA_ACTIONS: return strdup(f->actions->steps->name ? f->actions->steps->name : "{}");
    case FORMULA_REFERENCE: return text_format("%s%s%s", f->name, f->subscripts ? "[]" : "", f->arguments ? "()" : "");
    default: break;
    }
    char *left = show(f->left), *right = f->right ? show(f->right) : NULL;
    char *text =
        right ? text_format("(%s %s %s)", left, signs[f->kind], right) : text_format("%s %s", signs[f->kind], left);
    free(left);
    free(right);
    return text;
}

static const struct {
    const char *text, *shown;
} formulas[] = {
    {"[]<>a", "[] <> a"},
    {"!a U b", "(! a U b)"},
    {"a U b U c", "(a U (b U c))"},
    {"a W b && c || d -> e", "((((a W b) && c) || d) -> e)"},
    {"a -> b -> c <-> d", "((a -> (b -> c)) <-> d)"},
    {"(a || b) && X X c", "((a || b) && X X c)"},
    {"[](c -> X b)", "[] (c -> X b)"},
    {"forall[i:0..1] [](F[i] -> G(i)) || False", "(forall [] (F[] -> G()) || False)"},
    {"exists[i:0..1][j:S] rigid(i<j)", "exists rigid"},
    {"{a,b} && True && \"in\"", "(({} && True) && in)"},
};

static void formulas_are_kept(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(formulas); i++) {
        /* What follows is a composite, not an operator. */
        char *text = text_format("assert A = %s\n||S(N=1) = P. P = STOP.", formulas[i].text);
        struct source source = {"f.fsp", text};
        struct problem why = {0};
        struct arena arena;
        struct definition *d;
        arena_init(&arena);
        if (!parse_file(&source, &arena, &d, &why)) fail_msg("%s", why.text);
        char *shown = show(d->formula);
        assert_string_equal(shown, formulas[i].shown);
        assert_string_equal(d->next->name, "S");
        free(shown);
        free(text);
        arena_fini(&arena);
    }
}

static void fluents_are_kept(void **state) {
    struct source source = {"f.fsp", "fluent F[i:0..1] = <{a,b}, c[i]> initially 1\nfluent G = <a,b>\nconst N = 1"};
    struct problem why = {0};
    struct arena arena;
    struct definition *d;
    (void)state;
    arena_init(&arena);
    assert_true(parse_file(&source, &arena, &d, &why));
    assert_int_equal(d->kind, DEFINITION_FLUENT);
    assert_string_equal(d->indices->variable, "i");
    assert_non_null(d->set->members->steps->set);
    assert_string_equal(d->second_set->members->steps->name, "c");
    assert_int_equal(d->value->number, 1);
    assert_null(d->next->value);
    assert_int_equal(d->next->next->kind, DEFINITION_CONSTANT);
    arena_fini(&arena);
}

/* ---- Imports ---- */

static void imports(void **state) {
    char folder[] = "/tmp/test_fsp_XXXXXX";
    struct problem why = {0};
    struct fsp_system s;
    struct lts l;
    (void)state;
    assert_non_null(mkdtemp(folder));
    char *aut = text_format("%s/part.aut", folder), *fsp = text_format("%s/all.fsp", folder);
    FILE *out = fopen(aut, "w");
    fputs("des (0, 3, 2)\n(0, \"PUT !1\", 1)\n(1, i, 0)\n(1, take, 1)\n", out);
    fclose(out);
    out = fopen(fsp, "w");
    fputs("import B = \"part.aut\" P = (put[1]->take->P).\n||S = (B/{put[1]/\"PUT !1\"} || P).", out);
    fclose(out);
    struct fsp_file *f = fsp_read(fsp, NULL, 0, &why);
    assert_non_null(f);
    assert_true(fsp_target(f, NULL, &s, &why));
    assert_int_equal(s.network.labels.count, 3);
    /* put[1]; then take or tau; after take only tau; after tau only take is expected, which is a deadlock. */
    assert_true(network_compose(&s.network, true, 100, &l, &why));
    assert_int_equal(l.states, 4);
    assert_int_equal(l.edges, 4);
    lts_fini(&l);
    fsp_system_fini(&s);
    fsp_free(f);
    unlink(aut);
    unlink(fsp);
    rmdir(folder);
    free(aut);
    free(fsp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_c),
        cmocka_unit_test(messages),
        cmocka_unit_test(nothing_is_too_deep),
        cmocka_unit_test(nothing_is_too_large),
        cmocka_unit_test(overrides),
        cmocka_unit_test(names_of_processes),
        cmocka_unit_test(warnings),
        cmocka_unit_test(names_of_components),
        cmocka_unit_test(formulas_are_kept),
        cmocka_unit_test(fluents_are_kept),
        cmocka_unit_test(qualifiers),
        cmocka_unit_test(imports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
