/* Random networks and testers: every search must find what a naive check by the definitions (naive_tester.h) finds,
 * kind by kind; with stubborn sets too. Then testers that are not well-formed, and testers in HOA. */
#include "unit.h"

#include <signal.h>

#include "base/memory.h"
#include "naive_tester.h"
#include "model/network/network_ts.h"
#include "nets.h"
#include "check/tester_check.h"
#include "watch/tester_hoa.h"
#include "check/tester_execution.h"

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
    struct nets_chance chance = {
        .components = 3, .states = 4, .labels = 4, .special = 10, .tau = 25, .hidden = 30, .low = low};
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

static uint32_t hurried; /* opinions that were given up */

/* Who is interrupted may give up, or come to the opinion that he would have had; never to another one. */
static void expect_same_in_a_hurry(struct trace *t, struct ts *ts, struct ts_worker *w, const struct tester *tester) {
    static const volatile sig_atomic_t interrupted = 1;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        enum tester_kind kind = (enum tester_kind)kinds[i];
        struct problem why[2] = {0};
        enum belief calm = tester_trace_believe(t, ts, w, tester, kind, NULL, &why[0]);
        enum belief now = tester_trace_believe(t, ts, w, tester, kind, &interrupted, &why[1]);
        assert_int_not_equal(calm, BELIEF_GIVEN_UP);
        assert_true(now == calm || now == BELIEF_GIVEN_UP);
        hurried += now == BELIEF_GIVEN_UP;
        problem_fini(&why[0]);
        problem_fini(&why[1]);
    }
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
        fail_msg("sample %llu, kinds %x, %s%s: verdict %d, expected %d (illegal: %x): %s", (unsigned long long)seed,
                 mask, a.tester.algorithm, q.stubborn ? ", stubborn" : "", (int)a.verdict, (int)verdict, wanted,
                 a.message ? a.message : "");
    }
    if (wanted) {
        assert_true(a.property == PROP_TESTER && a.trace.count > 0 && a.trace.notes->beside_count == a.trace.count);
        expect_same_in_a_hurry(&a.trace, ts, w, &s->tester);
    }
    uint64_t states = a.states;
    answer_fini(&a);
    ts->ops->worker_free(w);
    return states;
}

static struct tester_question random_question(void) {
    return (struct tester_question){.algorithm = (enum ltl_algorithm)random_below(LTL_LEVELS + 1),
                                    .favour = (enum favour)random_below(3),
                                    .depth_first = random_chance(50)};
}

/* For stores that are not exact. */
static struct tester_question random_on_the_fly(void) {
    struct tester_question q = random_question();
    if (q.algorithm == LTL_LEVELS) q.algorithm = LTL_DEFAULT;
    return q;
}

enum { ALL_KINDS = TESTER_REJECT | TESTER_DEADLOCK | TESTER_LIVELOCK | TESTER_INFINITE };

/* ---- Tests ---- */

static void each_kind_is_found(void **unused) {
    uint32_t found[COUNT(kinds)] = {0}, none[COUNT(kinds)] = {0};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(1500); i++) {
        struct sample s;
        if (!sample_init(&s, i, 10)) continue;
        struct ts *ts = sample_open(&s);
        for (size_t k = 0; k < COUNT(kinds); k++) {
            expect(&s, ts, random_question(), kinds[k], NULL, i);
            found[k] += (s.illegal & kinds[k]) != 0;
            none[k] += (tester_kinds(&s.tester) & kinds[k]) && !(s.illegal & kinds[k]);
        }
        for (int algorithm = LTL_DEFAULT; algorithm <= LTL_LEVELS; algorithm++) {
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
        if (found[k] < ROUNDS(1500) / 20 || none[k] < ROUNDS(1500) / 20)
            fail_msg("%u %u of kind %zu", found[k], none[k], k);
    assert_true(hurried > ROUNDS(1500));
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
            expect(&s, ts, random_on_the_fly(), ALL_KINDS, &means, i);
            expect(&s, ts, random_on_the_fly(), kinds[random_below(COUNT(kinds))], &means, i);
        }
        ts->ops->close(ts);
        sample_fini(&s);
    }
}

/* Levels: the same product, and the same error, whatever the number of threads; C models' way of naming actions too. */
static void threads_find_the_same(void **unused) {
    static const unsigned threads[] = {1, 2, 3, 8};
    uint32_t illegal = 0, legal = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(200); i++) {
        struct sample s;
        struct answer first = {0};
        if (!sample_init(&s, 300000 + i, 0)) continue;
        struct ts *ts = sample_open(&s);
        unsigned mask = random_chance(50) ? (unsigned)ALL_KINDS : kinds[random_below(COUNT(kinds))];
        struct tester_question q = {.algorithm = LTL_LEVELS, .stubborn = random_chance(50), .tester = &s.tester};
        s.illegal &mask ? illegal++ : legal++;
        for (size_t k = 0; k < COUNT(threads); k++) {
            struct means means = {.threads = threads[k]};
            struct problem why = {0};
            struct answer a;
            expect(&s, ts, q, mask, &means, i);
            struct ts_worker *w = ts->ops->worker_new(ts);
            if (!tester_check(&a, ts, w, &q, &plenty, &means, NULL, &why)) fail_msg("%s", why.text);
            assert_int_equal(a.threads, threads[k]);
            if (k == 0) {
                first = a;
            } else {
                assert_true(a.states == first.states && a.edges == first.edges && a.depth == first.depth);
                assert_true(a.tester.twice == first.tester.twice && a.trace.count == first.trace.count);
                assert_ptr_equal(a.tester.error, first.tester.error);
                answer_fini(&a);
            }
            ts->ops->worker_free(w);
        }
        answer_fini(&first);
        ts->ops->close(ts);
        sample_fini(&s);
    }
    assert_true(illegal > OFTEN(24) && legal > OFTEN(24));
}

/* A tester with one kind only has no other errors that could be found instead. */
static void stubborn_sets_find_some(void **unused) {
    uint64_t full = 0, reduced = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(2500); i++) {
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
    if (reduced * 100 > full * 85)
        fail_msg("%llu of %llu states", (unsigned long long)reduced, (unsigned long long)full);
}

/* Larger networks: what the full product has tells what the reduced one must have. */
static void stubborn_sets_in_larger_networks(void **unused) {
    uint64_t full = 0, reduced = 0;
    uint32_t illegal = 0, legal = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(600); i++) {
        struct nets_chance chance = {.components = 5, .states = 4, .labels = 7, .special = 5, .tau = 20, .hidden = 40};
        struct sample s = {0};
        random_start(400000 + i);
        nets_random(&s.n, &chance, random_below);
        random_tester(&s);
        struct ts *ts = sample_open(&s);
        struct ts_worker *w = ts->ops->worker_new(ts);
        for (int round = 0; round < 5; round++) {
            unsigned mask = round < 4 ? kinds[round] : (unsigned)ALL_KINDS;
            struct tester_question q = random_question();
            struct problem why = {0};
            struct answer a;
            for (uint32_t k = 0; k < s.tester.lts.states; k++) s.tester.kinds[k] = (uint8_t)(s.all[k] & mask);
            q.tester = &s.tester;
            if (!tester_check(&a, ts, w, &q, &plenty, NULL, NULL, &why)) fail_msg("%s", why.text);
            s.illegal = a.verdict == VERDICT_VIOLATED ? mask : 0;
            uint64_t states = a.states;
            answer_fini(&a);
            q = random_question();
            q.stubborn = true;
            uint64_t fewer = expect(&s, ts, q, mask, NULL, i);
            if (s.illegal) illegal++;
            else legal++, full += states, reduced += fewer;
        }
        ts->ops->worker_free(w);
        ts->ops->close(ts);
        network_fini(&s.n);
        tester_fini(&s.tester);
    }
    assert_true(illegal > ROUNDS(600) / 4 && legal > ROUNDS(600) / 4);
    if (reduced * 100 > full * 70)
        fail_msg("%llu of %llu states", (unsigned long long)reduced, (unsigned long long)full);
}

/* ---- As C models are: rules are not local, and transitions tell whether they can be seen ---- */

static bool seen[1024];

static int told(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    (void)w;
    (void)fault;
    return seen[t];
}

/* All that the tester sees, and some more. */
static void tell(const struct sample *s, struct ts *ts, struct ts_ops *ops) {
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct ts_fault fault;
    word state[64];
    assert_true(ts->transitions <= COUNT(seen) && ts->words <= COUNT(state));
    assert_true(ts->ops->initial(w, state, &fault));
    for (uint32_t t = 0; t < ts->transitions; t++) {
        uint32_t a = ts->ops->action(w, state, t, &fault);
        bool hidden = a == 0 || (ts->action_hidden && ts->action_hidden[a]);
        seen[t] =
            random_chance(10) || (!hidden && names_find(&s->tester.lts.labels, ts->action_names[a]) != NAMES_NONE);
    }
    ts->ops->worker_free(w);
    *ops = *ts->ops;
    ops->observable = told;
    ts->ops = ops;
    ts->fixed_actions = false;
    ts->observable_known = true;
    ts->features &= ~(unsigned)TS_CHOICE_OF_RULES;
}

static void models_that_tell_what_is_seen(void **unused) {
    uint64_t full = 0, reduced = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(800); i++) {
        struct sample s;
        struct ts_ops ops;
        if (!sample_init(&s, 200000 + i, 0)) continue;
        struct ts *ts = sample_open(&s);
        tell(&s, ts, &ops);
        for (int round = 0; round < 5; round++) {
            struct tester_question q = random_question();
            unsigned mask = round < 4 ? kinds[round] : (unsigned)ALL_KINDS;
            q.stubborn = true;
            uint64_t states = expect(&s, ts, q, mask, NULL, i);
            q.stubborn = false;
            uint64_t whole = expect(&s, ts, q, mask, NULL, i);
            if (s.illegal & mask) continue;
            full += whole;
            reduced += states;
        }
        ts->observable_known = false; /* then all may be seen, and all states are there */
        struct tester_question q = {.stubborn = true, .algorithm = LTL_ONE_PASS}, plain = {.algorithm = LTL_ONE_PASS};
        uint64_t states = expect(&s, ts, q, ALL_KINDS, NULL, i);
        if (!(s.illegal & ALL_KINDS)) assert_int_equal(states, expect(&s, ts, plain, ALL_KINDS, NULL, i));
        ts->ops->close(ts);
        sample_fini(&s);
    }
    if (reduced * 100 > full * 95)
        fail_msg("%llu of %llu states", (unsigned long long)reduced, (unsigned long long)full);
}

/* ---- Rules for testers ---- */

/* Edges are "0 a 1, 1 tau 2"; the kinds are those of states 0, 1, 2, .... */
static void expect_rule(const char *edges, const uint8_t *given, const char *wanted) {
    struct network n = {0};
    struct tester t;
    struct problem why = {0};
    char *names[8] = {"A", "B", "C", "D"};
    nets_add(&n, "T", edges);
    nets_finish(&n);
    struct lts l;
    lts_copy(&l, &n.component[0].lts);
    tester_init(&t, "T", &l, given, names);
    bool good = tester_well_formed(&t, "FILE", &why);
    assert_int_equal(good, wanted == NULL);
    if (wanted && !strstr(why.text, wanted)) fail_msg("%s", why.text);
    problem_fini(&why);
    tester_fini(&t);
    network_fini(&n);
}

static void rules(void **unused) {
    const uint8_t none[8] = {0}, first[8] = {TESTER_DEADLOCK}, second[8] = {0, TESTER_DEADLOCK};
    (void)unused;
    expect_rule("0 a 1, 1 tau 2, 2 tau 3, 3 a 0", none, NULL);
    expect_rule("0 a 1, 1 tau 2, 2 tau 1", none, "FILE: the tester T can do tau for ever");
    expect_rule("0 tau 0", none, "from its state A on");
    expect_rule("0 a 1, 0 tau 1, 1 tau 2, 1 tau 3, 3 b 0, 3 tau 3", none, "from its state D on");
    expect_rule("0 a 1, 1 tau 2", first, NULL);
    expect_rule("0 a 1, 1 tau 2", second, "the state B of the tester T is a deadlock monitor, and has a tau (to C)");
    expect_rule("0 a 1, 2 tau 2", none, NULL); /* which is never reached */
}

/* ---- HOA ---- */

static void write_hoa(const struct tester *t, FILE *out) {
    fprintf(out, "HOA: v1\nTester: v1\nStates: %u\nStart: 0\nAP: %u", t->lts.states, t->lts.labels.count);
    for (uint32_t l = 0; l < t->lts.labels.count; l++) fprintf(out, " \"%s\"", t->lts.labels.text[l]);
    fprintf(out,
            "\nAcceptance: 4 Inf(0)\nFinite-Acceptance: 1\nDeadlock-Acceptance: 2\nLivelock-Acceptance: 3\n--BODY--\n");
    for (uint32_t s = 0; s < t->lts.states; s++) {
        fprintf(out, "State: %u {", s);
        for (int k = 0; k < 4; k++)
            if (t->kinds[s] >> k & 1) fprintf(out, " %d", k);
        fprintf(out, " }\n");
        for (const struct lts_edge *e = lts_begin(&t->lts, s); e < lts_end(&t->lts, s); e++)
            fprintf(out, "[%u] %u\n", e->label, e->target);
    }
    fprintf(out, "--END--\n");
}

static void hoa_is_the_same_tester(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(300); i++) {
        struct sample s;
        struct tester read;
        struct problem why = {0};
        char *text;
        size_t size;
        if (!sample_init(&s, 300000 + i, 0)) continue;
        FILE *out = open_memstream(&text, &size);
        write_hoa(&s.tester, out);
        fclose(out);
        if (!tester_hoa_parse(text, size, "text", &read, &why)) fail_msg("%s\n%s", why.text, text);
        assert_int_equal(read.lts.states, s.tester.lts.states);
        assert_int_equal(naive_illegal(&s.system, &read), s.illegal);
        assert_memory_equal(read.kinds, s.tester.kinds, read.lts.states);
        assert_int_equal(read.lts.edges, s.tester.lts.edges);
        tester_fini(&read);
        free(text);
        sample_fini(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_found),
        cmocka_unit_test(stores_find_the_same),
        cmocka_unit_test(threads_find_the_same),
        cmocka_unit_test(stubborn_sets_find_some),
        cmocka_unit_test(stubborn_sets_in_larger_networks),
        cmocka_unit_test(models_that_tell_what_is_seen),
        cmocka_unit_test(rules),
        cmocka_unit_test(hoa_is_the_same_tester),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
