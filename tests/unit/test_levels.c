/* Products with many states, built by several threads (LTL_LEVELS): whether there is a cycle is known by how the graph
 * is made, and everything must be the same for all numbers of threads. Small products are in test_ltl_check.c,
 * test_guided.c, test_automaton_check.c and test_tester.c. */
#include "unit.h"

#include <signal.h>

#include "graph.h"
#include "check/ltl_check.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};
static const unsigned threads[] = {1, 2, 3, 8};

/* Infinitely often p0: the same question by a Büchi automaton of the program's own, and by a given testing automaton,
 * which accepts the livelocks where p0 does not hold. */
static const char testing[] =
    "HOA: v1\nStates: 2\nAP: 1 \"p0\"\nTesting: v1\nStart-Value: 0\nStart-Value: 1 0\nAcceptance: 2 f\n"
    "Deadlock-Acceptance: 0\nLivelock-Acceptance: 1\n--BODY--\nState: 0 {0 1}\n[0] 1\nState: 1\n[0] 0\n--END--\n";

/* All edges lead forward by at most `reach`, around a ring. In the first `reach` states p0 holds, so no cycle can go
 * without it, unless one edge leads back from state `from` to state `to`. */
static void ring(struct graph *g, uint32_t count, uint32_t reach, uint32_t from, uint32_t to) {
    graph_init(g, count, 4, 1 + random_below(2));
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t t = 0; t < 3; t++)
            if (t == 0 || random_chance(70))
                *graph_next(g, s, t) = (s + 1 + (t == 0 ? 0 : random_below(reach - 1))) % count;
        g->values[s] = s < reach;
    }
    if (from != NO_STATE) *graph_next(g, from, 3) = to;
}

static void same(const struct answer *a, const struct answer *b) {
    assert_int_equal(a->verdict, b->verdict);
    assert_true(a->states == b->states && a->edges == b->edges && a->depth == b->depth);
    assert_int_equal(a->ltl.twice, b->ltl.twice);
    assert_true(a->trace.count == b->trace.count && a->trace.cycle == b->trace.cycle);
    assert_memory_equal(a->trace.states, b->trace.states, a->trace.count * a->trace.words * sizeof(word));
}

/* The cycle that is shown must do without p0. */
static void check_cycle(const struct graph *g, const struct trace *t) {
    assert_true(t->cycle < t->count);
    for (uint64_t i = t->cycle; i < t->count; i++) assert_int_equal(g->values[graph_decode(g, trace_state(t, i))], 0);
}

static void expect(struct graph *g, struct ltl_question q, enum verdict wanted) {
    struct answer first = {0};
    q.algorithm = LTL_LEVELS;
    for (size_t i = 0; i < COUNT(threads); i++) {
        struct means means = {.threads = threads[i]};
        struct answer a;
        struct problem why = {0};
        struct ts_worker *w = graph_worker(g);
        if (!ltl_check(&a, &g->ts, w, &q, &plenty, &means, NULL, &why)) fail_msg("%s", why.text);
        if (a.verdict != wanted) fail_msg("verdict %d, expected %d: %s", (int)a.verdict, (int)wanted, a.message);
        assert_int_equal(a.threads, threads[i]);
        assert_string_equal(a.ltl.algorithm, "levels");
        if (wanted == VERDICT_VIOLATED) check_cycle(g, &a.trace);
        if (i > 0) {
            same(&a, &first);
            answer_fini(&a);
        } else {
            first = a;
        }
        free(w);
    }
    answer_fini(&first);
}

static void expect_both(struct graph *g, enum verdict wanted) {
    struct hoa h;
    struct problem why = {0};
    if (!hoa_parse(testing, strlen(testing), "test", &h, &why)) fail_msg("%s", why.text);
    assert_true(h.testing);
    expect(g, (struct ltl_question){.formula = "G F p0"}, wanted);
    expect(g, (struct ltl_question){.given = &h, .name = "given.hoa"}, wanted);
    hoa_fini(&h);
}

static void test_cycles(void **state) {
    (void)state;
    for (uint64_t i = 0; i < ROUNDS(20); i++) {
        struct graph g;
        random_start(i);
        uint32_t count = 2000 + random_below(8000), reach = count / (5 + random_below(20));
        uint32_t to = reach + random_below(count - reach), from = to + random_below(count - to);
        bool back = i % 2;
        ring(&g, count, reach, back ? from : NO_STATE, to);
        expect_both(&g, back ? VERDICT_VIOLATED : VERDICT_HOLDS);
        graph_fini(&g);
    }
}

/* The component is too large to be shown as a whole. */
static void test_large_component(void **state) {
    enum { COUNT_OF_STATES = 90000, REACH = 5000 };
    struct graph g;
    (void)state;
    random_start(7);
    ring(&g, COUNT_OF_STATES, REACH, COUNT_OF_STATES - 2, REACH + 3);
    expect_both(&g, VERDICT_VIOLATED);
    graph_fini(&g);
}

/* ---- Limits ---- */

static void expect_limit(struct graph *g, const struct limits *limits, const char *part) {
    for (size_t i = 0; i < COUNT(threads); i++) {
        struct means means = {.threads = threads[i]};
        struct ltl_question q = {.formula = "G F p0", .algorithm = LTL_LEVELS};
        struct answer a;
        struct problem why = {0};
        struct ts_worker *w = graph_worker(g);
        if (!ltl_check(&a, &g->ts, w, &q, limits, &means, NULL, &why)) fail_msg("%s", why.text);
        assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
        if (!strstr(a.message, part)) fail_msg("'%s' is not in: %s", part, a.message);
        answer_fini(&a);
        free(w);
    }
}

static void test_limits(void **state) {
    static volatile sig_atomic_t interrupted = 1;
    struct graph g;
    struct limits few = plenty, little = plenty, none = plenty, late = plenty;
    (void)state;
    random_start(11);
    ring(&g, 20000, 1000, NO_STATE, 0);
    few.max_states = 5000;
    expect_limit(&g, &few, "--max-states");
    little.max_memory = 1 << 20;
    expect_limit(&g, &little, "memory");
    none.interrupted = &interrupted;
    expect_limit(&g, &none, "interrupted");
    late.deadline = 1e-9;
    expect_limit(&g, &late, "--time");
    graph_fini(&g);
}

/* A store that may take one state for another. */
static void test_stores(void **state) {
    static const struct store_options stores[] = {
        {.kind = STORE_HASH_COMPACT}, {.kind = STORE_BITSTATE}, {.overflow = true}};
    struct graph g;
    (void)state;
    random_start(13);
    ring(&g, 100, 10, NO_STATE, 0);
    struct ts_worker *w = graph_worker(&g);
    for (size_t i = 0; i < COUNT(stores); i++) {
        struct means means = {.threads = 2, .store = stores[i]};
        struct ltl_question q = {.formula = "G F p0", .algorithm = LTL_LEVELS};
        struct answer a;
        struct problem why = {0};
        assert_false(ltl_check(&a, &g.ts, w, &q, &plenty, &means, NULL, &why));
        assert_non_null(strstr(why.text, "needs an exact store of whole states"));
        answer_fini(&a);
        problem_fini(&why);
    }
    free(w);
    graph_fini(&g);
}

/* The first error by one state ends the search: the same one, at the same place. */
static void test_faults(void **state) {
    struct graph g;
    struct ts_worker *w;
    (void)state;
    random_start(17);
    ring(&g, 20000, 2000, NO_STATE, 0);
    g.fault_state = 15000;
    g.fault_kind = TS_RAISED;
    w = graph_worker(&g);
    uint64_t states = 0, edges = 0, length = 0;
    for (size_t i = 0; i < COUNT(threads); i++) {
        struct means means = {.threads = threads[i]};
        struct ltl_question q = {.formula = "G F p0", .algorithm = LTL_LEVELS};
        struct answer a;
        struct problem why = {0};
        assert_true(ltl_check(&a, &g.ts, w, &q, &plenty, &means, NULL, &why));
        assert_int_equal(a.verdict, VERDICT_VIOLATED);
        assert_int_equal(a.property, PROP_MODEL_ERROR);
        if (i == 0) states = a.states, edges = a.edges, length = a.trace.count;
        assert_true(a.states == states && a.edges == edges && a.trace.count == length && length > 1);
        answer_fini(&a);
    }
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles), cmocka_unit_test(test_large_component), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_stores), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
