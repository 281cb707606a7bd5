/* What a store that is not exact has cost, as it is told to people. */
#include "unit.h"

#include "store/omissions.h"

static void told(enum store_kind kind, double omitted, double coverage, const char *wanted) {
    char *text = losses_told(kind, omitted, coverage);
    if (!strstr(text, wanted)) fail_msg("'%s' lacks '%s'", text, wanted);
    free(text);
}

/* A number of states, for people. */
static void numbers(void **unused) {
    static const struct {
        double omitted;
        const char *wanted;
    } rows[] = {
        {0, "exactly: fewer than 0.01 states are expected to have been left out (coverage about 100 %)"},
        {2.03e-06, ": fewer than 0.01 states are"},
        {0.034, ": about 0.034 states are"},
        {1.01, ": about 1 state is expected to have been left out, and so is what is reachable only through it ("},
        {3.44, ": about 3.4 states are"},
        {99.4, ": about 99 states are"},
        {99.6, ": about 100 states are"},
        {999, ": about 1 000 states are"},
        {26834, ": about 27 000 states are expected to have been left out, and so is what is reachable only through"},
        {1.48e6, ": about 1 500 000 states are"},
        {1e300, ": about 1 000 000 000 000 000 states are"},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) told(STORE_BITSTATE, rows[i].omitted, 0.99999, rows[i].wanted);
}

/* A bound where much is missing; never all where something is. */
static void shares(void **unused) {
    static const struct {
        double coverage;
        const char *wanted;
    } rows[] = {
        {0.00000001, "(coverage at most about 0.01 %)"},
        {0.340779, "(coverage at most about 34 %)"},
        {0.9876, "(coverage at most about 99 %)"},
        {0.99, "(coverage about 99.0 %)"},
        {0.99123, "(coverage about 99.12 %)"},
        {0.99997, "(coverage about 99.9970 %)"},
        {0.99999995, "(coverage about 99.9999950 %)"},
        {1 - 1e-12, "(coverage above 99.999999 %)"},
        {1, "(coverage above 99.999999 %)"},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) told(STORE_BITSTATE, 50, rows[i].coverage, rows[i].wanted);
}

static void advice(void **unused) {
    (void)unused;
    told(STORE_BITSTATE, 1e6, 0.89, "; the table is too full: give it more memory (--max-memory)");
    told(STORE_EXACT, 1e6, 0.89, "not kept exactly when the memory was full: about");
    told(STORE_EXACT, 1e6, 0.89, "(--max-memory)");
    told(STORE_HASH_COMPACT, 1e6, 0.89, "; the hashes are too short: give more --hash-bits");
    told(STORE_HASH_COMPACT, 1e6, 0.91, "91 %)");
    char *text = losses_told(STORE_HASH_COMPACT, 1e6, 0.91);
    assert_null(strchr(text, ';'));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(shares), cmocka_unit_test(advice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
