/* Models in ASSET's language: what is made of their text. */
#include "unit.h"

#include "base/text.h"
#include "model/asset/asset_text.h"

/* As the preprocessor leaves it. */
static char *preprocessed(const char *model) {
    return text_format(
        "class state_var;\nnamespace model { enum { onager_format = 1, onager_begins };\n# 1 \"m.asset\"\n%s\n"
        "# 1 \"onager\"\nenum { onager_ends }; }\nstate_var after = 1;\n",
        model);
}

static char *rewritten(const char *model, struct problem *why) {
    char *text = preprocessed(model), *result = asset_text_rewrite(text, why);
    free(text);
    return result;
}

/* What stands between the linemarkers, or what is wrong. */
static void expect(const char *model, const char *wanted) {
    struct problem why = {0};
    char *all = rewritten(model, &why), *begin = all ? strstr(all, "m.asset\"\n") + 9 : NULL;
    char *end = begin ? strstr(begin, "\n# 1 \"onager\"") : NULL;
    if (end) *end = 0;
    assert_string_equal(begin ? begin : why.text, wanted);
    free(all);
    problem_fini(&why);
}

#define W(name, bits, array) " = onager::width(\"" name "\", (" bits "), sizeof " name ", " array ")"

static void widths(void **state) {
    (void)state;
    expect("state_var x;", "state_var x, onager_1" W("x", "8", "false") ";");
    expect("state_var x = 3;", "state_var x , onager_1" W("x", " 3", "false") ";");
    expect("state_var x(3), y;", "state_var x, onager_1" W("x", "3", "false") ", y, onager_2" W("y", "8", "false") ";");
    expect("state_var C[n] = 2;", "state_var C[n] , onager_1" W("C", " 2", "true") ";");
    expect("state_var C[n](f(1, 2));", "state_var C[n], onager_1" W("C", "f(1, 2)", "true") ";");
    expect("static state_var a[2][n-1];", "static state_var a[2][n-1], onager_1" W("a", "8", "true") ";");
}

/* Ends of lines, comments and directives stay where they are. */
static void places(void **state) {
    (void)state;
    expect("state_var\n  x = 3, // of; x\n  y;",
           "state_var\n  x , onager_1" W("x", " 3", "false") ", // of; x\n  y, onager_2" W("y", "8", "false") ";");
    expect("state_var C[n]\n= 2 // two\n;",
           "state_var C[n]\n, onager_1 = onager::width(\"C\", ( 2 // two\n), sizeof C, true);");
    expect("state_var x,\n# 7 \"m.asset\"\ny;",
           "state_var x, onager_1" W("x", "8", "false") ",\n# 7 \"m.asset\"\ny, onager_2" W("y", "8", "false") ";");
}

/* What is no declaration of variables. */
static void others(void **state) {
    static const char *const texts[] = {
        "void f( state_var &x, state_var *y );",
        "std::vector<state_var> v;",
        "extern state_var x;",
        "// state_var x;",
        "/* state_var x; */",
        "const char *s = \"state_var x;\";",
        "auto r = R\"(state_var x;)\";",
        "#define X state_var x;\n",
        "typedef state_var type;",
        "state_var &r = x;",
        "unsigned y = 1'000; char c = '\"';",
        "state_var f();",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect(texts[i], texts[i]);
}

static void refused(void **state) {
    (void)state;
    expect("\nstate_var C[n] = {2, 3};",
           "m.asset:2: C: the width of all elements stands behind an equals sign, as in state_var C[n] = 2; a list in "
           "braces "
           "would be of single elements");
    expect("int a;\n#define chk_deadlok\n",
           "m.asset:2: there is no switch 'chk_deadlok' (did you mean 'chk_deadlock'?). There are chk_state, "
           "chk_deadlock, chk_may_progress and chk_must_progress");
    expect("#define chk_state\n", "#define chk_state\n");
}

static void braces(void **state) {
    static const struct {
        const char *text;
        int open;
    } cases[] = {{"f() { if (x) { } }", 0}, {"f() { {", 2}, {"}", -1}, {"// {\n\"{\" '{'", 0}, {"#define b {\n", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = preprocessed(cases[i].text);
        assert_int_equal(asset_text_braces(text), cases[i].open);
        free(text);
    }
}

static void whole(void **state) {
    char *text = asset_text_whole("a \"b\".asset", "\xef\xbb\xbf#include <map>\n#if 1\n#include <set>\n#endif\nint a;");
    (void)state;
    assert_non_null(strstr(text, "#line 1 \"a \\\"b\\\".asset\"\n#include <map>\n"));
    assert_non_null(strstr(text, "#if __has_include(<set>)\n#line 3 "));
    assert_non_null(strstr(text, "\n#line 1 \"a \\\"b\\\".asset\"\n#include <map>\n#if 1\n"));
    free(text);
}

static bool fits(const char *model, const char *name, struct problem *why) {
    const struct ts_parameter p = {.name = name, .value = 5};
    return asset_text_fits("m.asset", model, &p, 1, why);
}

static void parameters(void **state) {
    static const char model[] =
        "#ifdef size_par\nconst unsigned n = size_par;\n#elif defined(small)\n#endif\nint m = SIZE;";
    struct problem why = {0};
    const struct ts_parameter n = {.name = "n", .value = 5}, size = {.name = "size_par", .value = 5};
    (void)state;
    assert_true(fits(model, "size_par", &why));
    assert_true(fits(model, "small", &why));
    assert_true(fits(model, "SIZE", &why));
    assert_true(fits(model, "chk_state", &why));
    assert_false(fits(model, "size_pr", &why));
    assert_non_null(strstr(why.text, "did you mean 'size_par'?"));
    problem_fini(&why);
    why = (struct problem){0};
    assert_false(fits(model, "only_typical", &why));
    assert_non_null(strstr(why.text, "onager run"));
    problem_fini(&why);
    why = (struct problem){0};
    assert_false(fits("#include <onager.h>", "n", &why));
    problem_fini(&why);
    char *doubt = asset_text_doubt("m.asset", model, &n, 1);
    assert_non_null(strstr(doubt, "-p n replaces the word n by 5"));
    free(doubt);
    assert_null(asset_text_doubt("m.asset", model, &size, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths), cmocka_unit_test(places), cmocka_unit_test(others),     cmocka_unit_test(refused),
        cmocka_unit_test(braces), cmocka_unit_test(whole),  cmocka_unit_test(parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
