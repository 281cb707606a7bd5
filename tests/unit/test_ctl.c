/* Computation tree logic: random formulas on random graphs, against the definition; what is shown; texts that are
 * none. */
#include "unit.h"

#include "check/check.h"
#include "graph.h"
#include "naive_ctl.h"
#include "omega/ctl/ctl.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};
static const char *const propositions[] = {"p0", "p1"};

static uint32_t below(uint32_t n) { return (uint32_t)(random_word() % n); }

static void ask(struct answer *a, struct ts *ts, const char *formula, struct questions q) {
    struct problem why = {0};
    struct means means = {.threads = 1 + below(3)};
    struct ts_worker *w = ts->ops->worker_new(ts);
    q.checks |= PROP_CTL;
    q.what[PROPERTY_CTL] = formula;
    if (!questions_options(&q, ts, w, &why)) fail_msg("%s: %s", formula, why.text);
    check_run(a, ts, w, &q, &plenty, &means, NULL);
    questions_fini(&q);
    ts->ops->worker_free(w);
}

static void random_graph(struct graph *g, uint64_t seed) {
    random_start(seed);
    graph_init(g, 1 + below(seed % 10 ? 12 : 200), 1 + below(4), seed % 5 ? 1 : 3);
    graph_randomise(g, 30 + below(70), below(2) ? 3 : 0, seed);
    g->ts.propositions = 2;
    g->ts.proposition_names = propositions;
    uint32_t often = 1 + below(8);
    for (uint32_t s = 0; s < g->count; s++) g->values[s] = (below(often) == 0) | (below(often) != 0) << 1;
}

/* The execution goes from state to state, and round if it goes round. Returns its last state. */
static uint32_t follow(struct graph *g, const struct trace *t) {
    uint32_t at = 0;
    for (uint64_t i = 0; i < t->count; i++) {
        uint32_t s = graph_decode(g, trace_state(t, i));
        assert_int_equal(s, i ? *graph_next(g, at, t->transitions[i]) : 0);
        at = s;
    }
    if (t->cycle != TRACE_NONE)
        assert_int_equal(*graph_next(g, at, t->closing), graph_decode(g, trace_state(t, t->cycle)));
    return at;
}

static void formulas(void **unused) {
    uint32_t verdicts[2] = {0}, shown = 0, cycles = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(6000); i++) {
        struct graph g;
        struct answer a;
        char text[2000];
        bool holds[256];
        random_graph(&g, i);
        struct naive_system s = {g.count, g.ts.transitions, g.next, g.values, 2, below};
        naive_ctl(&s, 1 + below(4), text, sizeof text, holds);
        ask(&a, &g.ts, text, (struct questions){.order = below(4) ? ORDER_BFS : ORDER_DFS});
        if (a.verdict != (holds[0] ? VERDICT_HOLDS : VERDICT_VIOLATED)) fail_msg("%s: %s", text, a.message);
        if (!holds[0]) follow(&g, &a.trace);
        verdicts[!holds[0]]++;
        shown += a.trace.count > 1;
        cycles += a.trace.count > 0 && a.trace.cycle != TRACE_NONE;
        answer_fini(&a);
        graph_fini(&g);
    }
    print_message("%u hold, %u do not; %u executions, %u with cycles\n", verdicts[0], verdicts[1], shown, cycles);
    assert_true(verdicts[0] > OFTEN(1000) && verdicts[1] > OFTEN(1000) && shown > OFTEN(300) && cycles > OFTEN(100));
}

/* What is shown shows it. */
static void executions(void **unused) {
    uint32_t seen[4] = {0}, order[256], level[256];
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(2000); i++) {
        static const char *const texts[] = {"AG p0", "AF p0", "!E(p1 U p0)", "AG(p0 -> AX p1)"};
        struct graph g;
        struct answer a;
        random_graph(&g, 100000 + i);
        uint32_t which = below(4), nearest = UINT32_MAX, count = graph_explore(&g, order, level);
        ask(&a, &g.ts, texts[which], (struct questions){0});
        for (uint32_t k = count; k-- > 0;)
            if (!(g.values[order[k]] & 1)) nearest = level[order[k]];
        if (which == 0) assert_int_equal(a.verdict == VERDICT_VIOLATED, nearest != UINT32_MAX);
        if (a.verdict == VERDICT_VIOLATED) {
            const struct trace *t = &a.trace;
            uint32_t last = follow(&g, t), to[16], labels[16];
            seen[which]++;
            if (which == 0) assert_true(!(g.values[last] & 1) && t->count == nearest + 1);
            if (which == 1) {
                for (uint64_t k = 0; k < t->count; k++) assert_false(g.values[graph_decode(&g, trace_state(t, k))] & 1);
                assert_true(t->cycle != TRACE_NONE || graph_successors(&g, last, to, labels) == 0);
            }
            if (which == 2) {
                assert_true(g.values[last] & 1);
                for (uint64_t k = 0; k + 1 < t->count; k++)
                    assert_int_equal(g.values[graph_decode(&g, trace_state(t, k))] & 3, 2);
            }
            if (which == 3) {
                bool ends = graph_successors(&g, last, to, labels) == 0;
                assert_false(g.values[last] & 2);
                uint64_t before = t->count > 1 ? t->count - 2 : 0;
                assert_true(ends || (g.values[graph_decode(&g, trace_state(t, before))] & 1));
            }
        }
        answer_fini(&a);
        graph_fini(&g);
    }
    for (int k = 0; k < 4; k++) assert_true(seen[k] > OFTEN(50));
}

static void texts(void **unused) {
    static const char *const wrong[] = {"",       "AG",        "AG p &", "(p",       "p)",   "E p",   "E(p)",
                                        "E(p U)", "E[p U q)",  "p q",    "A(p R q)", "-> p", "p -> ", "\"p",
                                        "EU p",   "AG(p -> )", "!",      "p <- > q", "1p$"};
    static const char *const right[] = {"p",
                                        "AG(asks.0 -> EF served.0)",
                                        "E[p U q]",
                                        "A(p U E(q U r))",
                                        "\"a b\" & !c",
                                        "AG EF AX EG p",
                                        "(((p)))",
                                        "true & !false",
                                        "AGp",
                                        "p => q <=> r",
                                        "EX EX EX p || q && r"};
    (void)unused;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct problem why = {0};
        struct ctl f;
        if (ctl_parse(&f, wrong[i], &why)) fail_msg("%s", wrong[i]);
        assert_non_null(why.text);
        ctl_fini(&f);
        problem_fini(&why);
    }
    for (size_t i = 0; i < COUNT(right); i++) {
        struct problem why = {0};
        struct ctl f;
        if (!ctl_parse(&f, right[i], &why)) fail_msg("%s: %s", right[i], why.text);
        ctl_fini(&f);
    }
    for (int kind = 0; kind < 3; kind++) { /* too deep, or too long, is no crash */
        struct problem why = {0};
        struct ctl f;
        char *deep = malloc(200001);
        for (int i = 0; i < 200000; i++) deep[i] = kind == 0 ? '!' : kind == 1 ? '(' : "p->"[i % 3];
        deep[200000] = 0;
        assert_false(ctl_parse(&f, deep, &why));
        ctl_fini(&f);
        problem_fini(&why);
        free(deep);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas), cmocka_unit_test(executions),
                                       cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
