/* Random networks and testers: every search must find what a naive check by the definitions (naive_tester.h) finds, kind by
 * kind; with stubborn sets too. Then testers that are not well-formed, and testers in HOA. */
#include "unit.h"

#include "base/memory.h"
#include "naive_tester.h"
#include "net/network_ts.h"
#include "nets.h"
#include "search/tester_check.h"
#include "search/tester_hoa.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};
static const unsigned kinds[] = {TESTER_REJECT, TESTER_DEADLOCK, TESTER_LIVELOCK, TESTER_INFINITE};
static const char *const errors[] = {"illegal trace", "illegal stable failure", "illegal divergence",
                                     "illegal infinite trace"};

struct sample {
    struct network n;
    struct lts system;
    struct tester tester;
    uint8_t all[NAIVE_TESTER]; /* kinds of its states */
    unsigned illegal;
};

/* ---- Samples ---- */

/* Tau leads upward only, and not from deadlock monitors. */
static void random_tester(struct sample *s) {
    struct lts_builder b;
    struct lts l;
    uint32_t states = 1 + random_below(NAIVE_TESTER - 1), label[4], labels = 1 + random_below(4);
    uint8_t given[NAIVE_TESTER] = {0};
    char *names[NAIVE_TESTER] = {0};
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) {
        uint32_t k = random_below(s->n.labels.count + 1);
        label[i] = names_add(&b.labels, k == 0 || k == s->n.labels.count ? "foreign" : s->n.labels.text[k]);
    }
    for (uint32_t q = 0; q < states; q++)
        for (int k = 0; k < 4; k++)
            if (random_chance(25)) given[q] |= (uint8_t)(1u << k);
    for (uint32_t q = 0; q < states; q++)
        for (uint32_t i = random_below(2 * labels + 2); i > 0; i--) {
            bool tau = random_chance(15) && q + 1 < states && !(given[q] & TESTER_DEADLOCK);
            uint32_t to = tau ? q + 1 + random_below(states - q - 1) : random_below(states);
            lts_build_edge(&b, q, tau ? (uint32_t)LTS_TAU : label[random_below(labels)], to);
        }
    b.states = states;
    lts_build_finish(&b, &l);
    tester_init(&s->tester, "T", &l, given, names);
    memcpy(s->all, s->tester.kinds, s->tester.lts.states);
}

/* False: too large for the naive check. */
static bool sample_init(struct sample *s, uint64_t seed, uint32_t low) {
    struct nets_chance chance = {.components = 3, .states = 4, .labels = 4, .special = 10, .tau = 25, .hidden = 30, .low = low};
    struct problem why = {0};
    *s = (struct sample){0};
    random_start(seed);
    nets_random(&s->n, &chance, random_below);
    if (!network_compose(&s->n, true, NAIVE_SYSTEM, &s->system, &why)) {
        problem_fini(&why);
        network_fini(&s->n);
        return false;
    }
    random_tester(s);
    if (!tester_well_formed(&s->tester, "here", &why)) fail_msg("%s", why.text);
    s->illegal = naive_illegal(&s->system, &s->tester);
    return true;
}

static void sample_fini(struct sample *s) {
    network_fini(&s->n);
    lts_fini(&s->system);
    tester_fini(&s->tester);
}

static struct ts *sample_open(const struct sample *s) {
    struct network copy;
    struct problem why = {0};
    nets_copy(&copy, &s->n);
    struct ts *ts = network_open(&copy, "network", (struct reduction){.forward = random_chance(50)}, &why);
    if (!ts) fail_msg("%s", why.text);
    return ts;
}

/* ---- One check ---- */

static bool expected_error(unsigned wanted, const char *error) {
    for (size_t k = 0; k < COUNT(kinds); k++)
        if ((wanted & kinds[k]) && strcmp(errors[k], error) == 0) return true;
    return false;
}

/* With only the kinds of `mask`. Returns how many states were found. */
static uint64_t expect(struct sample *s, struct ts *ts, struct tester_question q, unsigned mask,
                       const struct means *means, uint64_t seed) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = ts->ops->worker_new(ts);
    unsigned wanted = s->illegal & mask;
    bool inexact = means && means->store.kind != STORE_EXACT;
    enum verdict verdict = wanted ? VERDICT_VIOLATED : inexact ? VERDICT_INCONCLUSIVE : VERDICT_HOLDS;
    for (uint32_t i = 0; i < s->tester.lts.states; i++) s->tester.kinds[i] = (uint8_t)(s->all[i] & mask);
    q.tester = &s->tester;
    if (!tester_check(&a, ts, w, &q, &plenty, means, NULL, &why)) fail_msg("%s", why.text);
    if (a.verdict != verdict || (wanted && !expected_error(wanted, a.tester.error))) {
        nets_print(&s->n);
        fail_msg("sample %llu, kinds %x, %s%s: verdict %d, expected %d (illegal: %x): %s", (unsigned long long)seed, mask,
                 a.tester.algorithm, q.stubborn ? ", stubborn" : "", (int)a.verdict, (int)verdict, wanted,
                 a.message ? a.message : "");
    }
    if (wanted) assert_true(a.property == PROP_TESTER && a.trace.count > 0 && a.trace.notes->beside_count == a.trace.count);
    uint64_t states = a.states;
    answer_fini(&a);
    ts->ops->worker_free(w);
    return states;
}

static struct tester_question random_question(void) {
    return (struct tester_question){.algorithm = (enum ltl_algorithm)random_below(LTL_ONE_PASS + 1),
                                    .favour = (enum favour)random_below(3),
                                    .depth_first = random_chance(50)};
}

enum { ALL_KINDS = TESTER_REJECT | TESTER_DEADLOCK | TESTER_LIVELOCK | TESTER_INFINITE };

/* ---- Tests ---- */

static void each_kind_is_found(void **unused) {
    uint32_t found[COUNT(kinds)] = {0}, none[COUNT(kinds)] = {0};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(3000); i++) {
        struct sample s;
        if (!sample_init(&s, i, 10)) continue;
        struct ts *ts = sample_open(&s);
        for (size_t k = 0; k < COUNT(kinds); k++) {
            expect(&s, ts, random_question(), kinds[k], NULL, i);
            found[k] += (s.illegal & kinds[k]) != 0;
            none[k] += (tester_kinds(&s.tester) & kinds[k]) && !(s.illegal & kinds[k]);
        }
        for (int algorithm = LTL_DEFAULT; algorithm <= LTL_ONE_PASS; algorithm++) {
            struct tester_question q = random_question();
            q.algorithm = (enum ltl_algorithm)algorithm;
            expect(&s, ts, q, ALL_KINDS, NULL, i);
            expect(&s, ts, q, TESTER_INFINITE, NULL, i);
            expect(&s, ts, q, random_below(16), NULL, i);
        }
        ts->ops->close(ts);
        sample_fini(&s);
    }
    for (size_t k = 0; k < COUNT(kinds); k++)
        if (found[k] < ROUNDS(3000) / 20 || none[k] < ROUNDS(3000) / 20) fail_msg("%u %u of kind %zu", found[k], none[k], k);
}

static void stores_find_the_same(void **unused) {
    static const enum store_kind stores[] = {STORE_HASH_COMPACT, STORE_BITSTATE};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(150); i++) {
        struct sample s;
        if (!sample_init(&s, 50000 + i, 0)) continue;
        struct ts *ts = sample_open(&s);
        for (size_t k = 0; k < COUNT(stores); k++) {
            struct means means = {.store = {.kind = stores[k], .bitstate_bytes = 1 << 16}};
            expect(&s, ts, random_question(), ALL_KINDS, &means, i);
            expect(&s, ts, random_question(), kinds[random_below(COUNT(kinds))], &means, i);
        }
        ts->ops->close(ts);
        sample_fini(&s);
    }
}

/* A tester with one kind only has no other errors that could be found instead. */
static void stubborn_sets_find_some(void **unused) {
    uint64_t full = 0, reduced = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(4000); i++) {
        struct sample s;
        if (!sample_init(&s, 100000 + i, 0)) continue;
        struct ts *ts = sample_open(&s);
        for (int round = 0; round < 6; round++) {
            struct tester_question q = random_question();
            unsigned mask = round < 4 ? kinds[round] : round == 4 ? (unsigned)ALL_KINDS : random_below(16);
            q.stubborn = true;
            uint64_t states = expect(&s, ts, q, mask, NULL, i);
            if (s.illegal & mask) continue;
            q.stubborn = false;
            full += expect(&s, ts, q, mask, NULL, i);
            reduced += states;
        }
        ts->ops->close(ts);
        sample_fini(&s);
    }
    if (reduced * 100 > full * 85) fail_msg("%llu of %llu states", (unsigned long long)reduced, (unsigned long long)full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_found),
        cmocka_unit_test(stores_find_the_same),
        cmocka_unit_test(stubborn_sets_find_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
