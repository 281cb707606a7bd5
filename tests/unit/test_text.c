/* Strings made and understood. */
#include "unit.h"

#include <limits.h>

#include "base/problem.h"
#include "base/text.h"

static void numbers(void **unused) {
    static const struct {
        const char *text;
        int64_t min, max;
        bool good;
        int64_t value;
    } rows[] = {
        {"0", 0, 10, true, 0},
        {"7", 0, 10, true, 7},
        {"10", 0, 10, true, 10},
        {"11", 0, 10, false, 0},
        {"-1", 0, 10, false, 0},
        {"-1", -1, 10, true, -1},
        {"+3", 0, 10, true, 3},
        {"0x10", 0, 100, true, 16},
        {"-0x10", -100, 100, true, -16},
        {"010", 0, 100, true, 10},
        {"10x", 0, 100, false, 0},
        {"0x", 0, 100, false, 0},
        {"", 0, 10, false, 0},
        {" 1", 0, 10, false, 0},
        {"1 ", 0, 10, false, 0},
        {"1x", 0, 10, false, 0},
        {"x", 0, 10, false, 0},
        {"1.5", 0, 10, false, 0},
        {"1e3", 0, 10000, false, 0},
        {"-", -10, 10, false, 0},
        {"9223372036854775807", INT64_MIN, INT64_MAX, true, INT64_MAX},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, true, INT64_MIN},
        {"9223372036854775808", INT64_MIN, INT64_MAX, false, 0},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, false, 0},
        {"99999999999999999999999", INT64_MIN, INT64_MAX, false, 0},
        {"2147483648", INT_MIN, INT_MAX, false, 0},
        {"2147483647", INT_MIN, INT_MAX, true, INT_MAX},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t value = 77;
        print_message("text_to_int(\"%s\")\n", rows[i].text);
        assert_int_equal(text_to_int(rows[i].text, rows[i].min, rows[i].max, &value), rows[i].good);
        assert_true(value == (rows[i].good ? rows[i].value : 77));
    }
}

static void sizes(void **unused) {
    static const struct {
        const char *text;
        bool good;
        uint64_t bytes;
    } rows[] = {
        {"0", true, 0},
        {"1000", true, 1000},
        {"64K", true, 65536},
        {"64k", true, 65536},
        {"64KB", true, 65536},
        {"64KiB", true, 65536},
        {"500M", true, UINT64_C(500) << 20},
        {"2G", true, UINT64_C(2) << 30},
        {"2g", true, UINT64_C(2) << 30},
        {"1.5T", true, UINT64_C(3) << 39},
        {".5K", true, 512},
        {"0.5G", true, UINT64_C(1) << 29},
        {"8388607T", true, UINT64_C(8388607) << 40},
        {"8388608T", false, 0}, /* 2^63 */
        {"1e30", false, 0},
        {"", false, 0},
        {"K", false, 0},
        {".", false, 0},
        {"-1", false, 0},
        {"-1G", false, 0},
        {"+1G", false, 0},
        {" 1G", false, 0},
        {"1G ", false, 0},
        {"1X", false, 0},
        {"1GG", false, 0},
        {"1GiBs", false, 0},
        {"1iB", false, 0},
        {"inf", false, 0},
        {"nan", false, 0},
        {"many", false, 0},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t bytes = 77;
        print_message("text_to_size(\"%s\")\n", rows[i].text);
        assert_int_equal(text_to_size(rows[i].text, &bytes), rows[i].good);
        assert_true(bytes == (rows[i].good ? rows[i].bytes : 77));
    }
}

static void times(void **unused) {
    static const struct {
        const char *text;
        double seconds; /* negative: not a time */
    } rows[] = {
        {"10", 10},      {"10s", 10},    {"500ms", 0.5}, {"5m", 300},  {"5min", 300}, {"2h", 7200}, {"1d", 86400},
        {"0.25s", 0.25}, {"1.5h", 5400}, {"0", 0},       {"", -1},     {"s", -1},     {"-5s", -1},  {"5 s", -1},
        {"5x", -1},      {"5ss", -1},    {"5M", -1},     {"soon", -1}, {"inf", -1},   {"nan", -1},  {" 5", -1},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double seconds = 77;
        print_message("text_to_seconds(\"%s\")\n", rows[i].text);
        assert_int_equal(text_to_seconds(rows[i].text, &seconds), rows[i].seconds >= 0);
        assert_true(seconds == (rows[i].seconds >= 0 ? rows[i].seconds : 77));
    }
}

static void identifiers(void **unused) {
    static const char *const good[] = {"a", "_", "n2", "Abc_9", "__x"}, *const bad[] = {"",   "2n", "a-b", "a b",
                                                                                        "a=", "ä",  " a"};
    (void)unused;
    for (size_t i = 0; i < COUNT(good); i++) assert_true(text_is_identifier(good[i]));
    for (size_t i = 0; i < COUNT(bad); i++) assert_false(text_is_identifier(bad[i]));
}

static void counts(void **unused) {
    static const struct {
        double n;
        const char *count, *bytes;
    } rows[] = {
        {0, "0", "0 B"},
        {7, "7", "7 B"},
        {999, "999", "999 B"},
        {1000, "1.00 k", "1000 B"},
        {1023, "1.02 k", "1023 B"},
        {1024, "1.02 k", "1.00 KiB"},
        {1536, "1.54 k", "1.50 KiB"},
        {99949, "99.9 k", "97.6 KiB"},
        {999499, "999 k", "976 KiB"},
        {999999, "1.00 M", "977 KiB"},
        {12345678, "12.3 M", "11.8 MiB"},
        {1048575, "1.05 M", "1.00 MiB"},
        {5e9, "5.00 G", "4.66 GiB"},
        {3e12, "3.00 T", "2.73 TiB"},
        {1.8446744073709552e19, "18446744 T", "16777216 TiB"},
    };
    char buffer[16];
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(text_count(rows[i].n, buffer), rows[i].count);
        assert_string_equal(text_bytes(rows[i].n, buffer), rows[i].bytes);
    }
}

static void nearest(void **unused) {
    static const char *const words[] = {"stubborn", "symmetry", "scan", "max-states", "max-memory", "time", "json"};
    static const struct {
        const char *typo, *meant;
    } rows[] = {
        {"stuborn", "stubborn"},
        {"stubbron", "stubborn"},
        {"simmetry", "symmetry"},
        {"symetry", "symmetry"},
        {"sym", "symmetry"},
        {"max-state", "max-states"},
        {"maxstates", "max-states"},
        {"max-mem", "max-memory"},
        {"tim", "time"},
        {"times", "time"},
        {"jsno", "json"},
        {"xyzzy", NULL},
        {"completely-else", NULL},
        {"scan", "scan"},
        {"sacn", "scan"},
        {"sxyz", NULL},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *found = text_nearest(rows[i].typo, words, COUNT(words));
        print_message("%s -> %s\n", rows[i].typo, found ? found : "(none)");
        if (rows[i].meant) assert_non_null(found);
        if (rows[i].meant) assert_string_equal(found, rows[i].meant);
        else assert_null(found);
    }
    assert_null(text_nearest("anything", words, 0));
    /* Words that have nothing in common are not near, however short they are. */
    assert_null(text_nearest("x", (const char *const[]){"n"}, 1));
    assert_string_equal(text_nearest("nn", (const char *const[]){"k", "n"}, 2), "n");
    assert_string_equal(text_nearest("N", (const char *const[]){"k", "nodes", "Nodes"}, 3), "Nodes");
    /* A word longer than what distances are computed for is no word that anybody meant, and must not hurt. */
    char longer[201];
    memset(longer, 'x', 200);
    longer[200] = 0;
    const char *const one[] = {longer};
    assert_null(text_nearest("xx-yy-zz", one, 1));
    assert_null(text_nearest(longer, words, COUNT(words)));
}

static void formats(void **unused) {
    (void)unused;
    char *text = text_format("%s-%d", "abc", 12);
    assert_string_equal(text, "abc-12");
    free(text);
    text = text_format("%5000d", 1);
    assert_int_equal(strlen(text), 5000);
    free(text);
    text = text_format("%s", "");
    assert_string_equal(text, "");
    free(text);
}

static void problems(void **unused) {
    struct problem why = {0};
    (void)unused;
    assert_false(problem_set(&why, EXIT_BAD_INPUT, "first %d", 1));
    assert_false(problem_set(&why, EXIT_INTERNAL, "second %d", 2));
    assert_string_equal(why.text, "first 1");
    assert_int_equal(why.status, EXIT_BAD_INPUT);
    problem_fini(&why);
    assert_int_equal(why.status, EXIT_HOLDS);
    assert_null(why.text);
}

/* What is shown to people can be shown. */
static void printable(void **unused) {
    static const char *const rows[][2] = {
        {"plain", "plain"},
        {"two\nlines\tof it", "two\nlines\tof it"},
        {"\033[1mloud\a\177", "?[1mloud??"},
        {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xff\xc3+\xe2\x82", "??+??"},
        {"\xc0\x80 \xe0\x80\x80 \xed\xa0\x80 \xf4\x90\x80\x80", "?? ??? ??? ????"},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text = text_format("%s", rows[i][0]);
        struct problem why = {0};
        text_make_printable(text);
        assert_string_equal(text, rows[i][1]);
        problem_set(&why, EXIT_BAD_INPUT, "%s", rows[i][0]);
        assert_string_equal(why.text, rows[i][1]);
        problem_fini(&why);
        free(text);
    }
}

static void endings(void **unused) {
    (void)unused;
    assert_true(text_ends_with("a.aut", ".aut") && text_ends_with("x", "") && text_ends_with("", ""));
    assert_false(text_ends_with("a.aut", ".fsp") || text_ends_with("aut", ".aut") || text_ends_with("", "x"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),     cmocka_unit_test(sizes),    cmocka_unit_test(times),
        cmocka_unit_test(identifiers), cmocka_unit_test(counts),   cmocka_unit_test(nearest),
        cmocka_unit_test(formats),     cmocka_unit_test(problems), cmocka_unit_test(printable),
        cmocka_unit_test(endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
