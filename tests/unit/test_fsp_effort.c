/* Reading processes ends soon when it must: there is a look at limits for every few things that are done. */
#include "unit.h"

#include <signal.h>

#include "fsp/fsp.h"

struct large {
    const char *text, *process;
    uint64_t work; /* at least so many things are done */
    bool tester;   /* the process is one */
};

static const struct large files[] = {
    /* Evaluated: a thousand times a hundred local processes. */
    {"P = (a -> P), Q[i:0..99][j:0..99][k:0..9] = (b[i][j][k] -> P).", "P", 100000, false},
    /* Composed, and minimised: 5^6 states with six moves each. */
    {"P = P[0], P[i:0..4] = (a[i] -> P[(i + 1) % 5]).\nminimal ||B = (forall[i:0..5] p[i]:P).\n||S = (B || P).", "S",
     15625, false},
    /* Composed for a relabelling that makes two labels one. */
    {"P = P[0], P[i:0..4] = (a[i] -> P[(i + 1) % 5]).\n||B = (forall[i:0..5] p[i]:P).\n"
     "||S = B/{x/{p[0].a[0], p[1].a[0]}}.",
     "S", 25, false},
    /* Made deterministic: 2^12 sets. */
    {"deterministic Q = Q[0], Q[i:0..12] = (when (i == 0) a -> Q[0] | when (i == 0) b -> Q[0] | when (i == 0) a -> Q[1]"
     " | when (i > 0 && i < 12) a -> Q[i + 1] | when (i > 0 && i < 12) b -> Q[i + 1]).\n||S = (Q).",
     "S", 4096, false},
    /* A tester with ten thousand states. */
    {"T = T[0][0], T[i:0..99][j:0..99] = (a -> T[(i + 1) % 100][(j + (i == 0)) % 100]).\ntester T reject {T[99][99]}",
     "T", 10000, true},
};

static bool make(const struct large *l, struct effort *e, struct problem *why) {
    struct fsp_limits limits = fsp_limits_default;
    struct fsp_system s;
    limits.effort = e;
    struct fsp_file *f = fsp_read_text("large.fsp", l->text, NULL, 0, &limits, why);
    struct tester t;
    bool good = f && (l->tester ? fsp_tester(f, l->process, NULL, &t, why) : fsp_target(f, l->process, &s, why));
    if (good && l->tester) tester_fini(&t);
    else if (good) fsp_system_fini(&s);
    fsp_free(f);
    return good;
}

/* It looks often enough: at least once for every few things that are done. */
static void looks(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(files); i++) {
        struct effort e = {0};
        struct problem why = {0};
        if (!make(&files[i], &e, &why)) fail_msg("%s", why.text);
        if (e.asked < files[i].work / 4) fail_msg("file %zu: %u looks", i, e.asked);
    }
}

static void ends(void **unused) {
    static volatile sig_atomic_t interrupted = 1;
    (void)unused;
    for (size_t i = 0; i < COUNT(files); i++)
        for (int late = 0; late < 2; late++) {
            struct effort e = {.seconds = 2};
            struct problem why = {0};
            if (late) e.deadline = 1e-9;
            else e.interrupted = &interrupted;
            if (files[i].work < 64) continue; /* it may be done before it looks */
            assert_false(make(&files[i], &e, &why));
            assert_int_equal(why.status, EXIT_INCONCLUSIVE);
            const char *says = late ? "reading large.fsp was not completed within 2 s\nGive it more with --time"
                                    : "interrupted: reading large.fsp was not completed";
            assert_string_equal(why.text, says);
            assert_true(e.asked <= 64 * 4);
            problem_fini(&why);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(looks), cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
