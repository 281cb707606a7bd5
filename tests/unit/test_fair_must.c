/* Must progress of fair executions: random small graphs and random fairness. A naive check tries all sets of states
 * that could be visited infinitely often. And must_progress and may_progress as propositions of formulas. */
#include "unit.h"

#include "base/memory.h"
#include "graph.h"
#include "check/check.h"
#include "check/ltl_check.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

/* ---- The naive answer ---- */

static bool in_set(unsigned set, uint32_t s) { return set >> s & 1; }

/* The states of `set` that can be reached from s inside it; s itself only if there is a way back. */
static unsigned reached_inside(struct graph *g, unsigned set, uint32_t s) {
    unsigned met = 0, last = ~0u;
    for (uint32_t t = 0; t < g->ts.transitions; t++) {
        uint32_t to = *graph_next(g, s, t);
        if (to != NO_STATE && in_set(set, to)) met |= 1u << to;
    }
    while (met != last) {
        last = met;
        for (uint32_t k = 0; k < g->count; k++)
            for (uint32_t t = 0; t < g->ts.transitions && in_set(met, k); t++) {
                uint32_t to = *graph_next(g, k, t);
                if (to != NO_STATE && in_set(set, to)) met |= 1u << to;
            }
    }
    return met;
}

/* Can all of them, and no others, be visited infinitely often? */
static bool is_strong(struct graph *g, unsigned set) {
    for (uint32_t s = 0; s < g->count; s++)
        if (in_set(set, s) && reached_inside(g, set, s) != set) return false;
    return set != 0;
}

static bool is_closed(struct graph *g, unsigned set) {
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t t = 0; t < g->ts.transitions && in_set(set, s); t++) {
            uint32_t to = *graph_next(g, s, t);
            if (to != NO_STATE && !in_set(set, to)) return false;
        }
    return true;
}

/* If all edges inside are taken again and again. */
static bool is_fair(struct graph *g, unsigned set, const struct fair *f) {
    for (uint32_t k = 0; k < f->count; k++) {
        bool occurs = false, always = true, ever = false;
        for (uint32_t s = 0; s < g->count; s++) {
            bool enabled = false;
            if (!in_set(set, s)) continue;
            for (uint32_t t = 0; t < g->ts.transitions; t++) {
                uint32_t to = *graph_next(g, s, t);
                if (to == NO_STATE || !f->sets[k].has[t]) continue;
                enabled = true;
                occurs |= in_set(set, to);
            }
            always &= enabled;
            ever |= enabled;
        }
        if (!occurs && (f->sets[k].strong ? ever : always)) return false;
    }
    return true;
}

static bool is_end(struct graph *g, uint32_t s) {
    for (uint32_t t = 0; t < g->ts.transitions; t++)
        if (*graph_next(g, s, t) != NO_STATE) return false;
    return true;
}

static bool naive_violated(struct graph *g, const struct fair *f, bool terminal_not_must) {
    unsigned reachable = 1 | reached_inside(g, ~0u, 0), without = 0;
    for (uint32_t s = 0; s < g->count; s++) {
        if (!in_set(reachable, s) || (g->classes[s] & TS_MUST)) continue;
        if (terminal_not_must && is_end(g, s)) return true;
        without |= 1u << s;
    }
    for (unsigned set = without; set; set = (set - 1) & without)
        if (is_strong(g, set) && is_fair(g, set, f) && (!f->choice || is_closed(g, set))) return true;
    return false;
}

/* ---- Samples ---- */

static void sample_graph(struct graph *g) {
    graph_init(g, 1 + random_below(8), 1 + random_below(4), 1 + random_below(2));
    uint32_t percent = 30 + random_below(50), progress = 10 + random_below(60);
    for (uint32_t s = 0; s < g->count; s++) {
        g->values[s] = random_below(4);
        g->classes[s] = (uint8_t)((random_chance(progress) ? TS_MUST : 0) | (random_chance(30) ? TS_MAY : 0));
        for (uint32_t t = 0; t < g->ts.transitions; t++)
            if (random_chance(percent)) *graph_next(g, s, t) = random_below(g->count);
    }
    g->ts.features = TS_MUST_PROGRESS | TS_MAY_PROGRESS;
    g->ts.reduction.forward = random_chance(50);
}

static void sample_fairness(struct fair *f, struct graph *g) {
    *f = (struct fair){.choice = random_chance(15)};
    for (uint32_t k = random_below(6); k > 0; k--) {
        f->sets = memory_resize(f->sets, (f->count + 1) * sizeof *f->sets);
        struct fair_set *set = &f->sets[f->count++];
        *set =
            (struct fair_set){memory_copy_string("set"), memory_get_zeroed(g->ts.transitions + 1), random_chance(50)};
        for (uint32_t t = 0; t < g->ts.transitions; t++) set->has[t] = random_chance(35);
    }
}

/* What is shown must be what the naive check looks for. */
static void check_execution(struct graph *g, const struct fair *f, const struct answer *a, bool terminal_not_must) {
    const struct trace *t = &a->trace;
    unsigned set = 0;
    assert_int_equal(a->property, PROP_MUST);
    assert_true(t->count > 0 && t->no_return < t->count);
    for (uint64_t i = t->no_return; i < t->count; i++)
        assert_false(g->classes[graph_decode(g, trace_state(t, i))] & TS_MUST);
    if (t->no_return > 0) assert_true(g->classes[graph_decode(g, trace_state(t, t->no_return - 1))] & TS_MUST);
    if (t->cycle == TRACE_NONE) {
        assert_true(terminal_not_must && is_end(g, graph_decode(g, trace_state(t, t->count - 1))));
        return;
    }
    assert_true(t->cycle >= t->no_return);
    for (uint64_t i = t->cycle; i < t->count; i++) set |= 1u << graph_decode(g, trace_state(t, i));
    for (uint32_t k = 0; k < f->count; k++) { /* its own edges, which may be fewer than those inside the set */
        bool occurs = f->sets[k].has[t->closing];
        for (uint64_t i = t->cycle + 1; i < t->count; i++) occurs |= f->sets[k].has[t->transitions[i]];
        struct fair_set alone = f->sets[k];
        struct graph none = *g;
        none.next = memory_get(g->count * g->ts.transitions * sizeof *none.next);
        for (uint32_t e = 0; e < g->count * g->ts.transitions; e++) /* what leads to another place occurs never */
            none.next[e] = g->next[e] == NO_STATE ? NO_STATE : 31;
        assert_true(occurs || is_fair(&none, set, &(struct fair){.sets = &alone, .count = 1}));
        free(none.next);
    }
}

static enum verdict ask(struct graph *g, const struct fair *f, bool terminal_not_must, unsigned threads,
                        enum order order) {
    struct ts_worker *w = graph_worker(g);
    struct questions q = {.checks = PROP_MUST, .fair = f, .terminal_not_must = terminal_not_must, .order = order};
    struct means means = {.threads = threads};
    struct answer a;
    check_run(&a, &g->ts, w, &q, &plenty, &means, NULL);
    if (a.verdict == VERDICT_VIOLATED && f) check_execution(g, f, &a, terminal_not_must);
    if (a.verdict > VERDICT_INCONCLUSIVE) print_message("%s\n", a.message);
    enum verdict v = a.verdict;
    answer_fini(&a);
    free(w);
    return v;
}

static void test_random(void **state) {
    int counts[2] = {0, 0}, matters = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(3000); i++) {
        struct graph g;
        struct fair fair;
        random_start((uint64_t)i);
        sample_graph(&g);
        sample_fairness(&fair, &g);
        bool terminal_not_must = random_chance(30), violated = naive_violated(&g, &fair, terminal_not_must);
        enum order order = random_chance(30) ? ORDER_DFS : ORDER_BFS;
        assert_int_equal(ask(&g, &fair, terminal_not_must, graph_threads((uint64_t)i), order),
                         violated ? VERDICT_VIOLATED : VERDICT_HOLDS);
        counts[violated]++;
        matters += !violated && naive_violated(&g, &(struct fair){.count = 0}, terminal_not_must);
        fair_fini(&fair);
        graph_fini(&g);
    }
    print_message("%d hold, %d do not, fairness matters for %d\n", counts[0], counts[1], matters);
    assert_true(counts[0] > ROUNDS(500) && counts[1] > ROUNDS(500) && matters > ROUNDS(150));
}

/* Being fair to nothing is no assumption: the same as must progress of all executions, which is another algorithm. */
static void test_unfair(void **state) {
    const struct fair nothing = {.count = 0};
    (void)state;
    for (int i = 0; i < ROUNDS(1500); i++) {
        struct graph g;
        random_start(10000 + (uint64_t)i);
        sample_graph(&g);
        bool terminal_not_must = random_chance(50);
        assert_int_equal(ask(&g, &nothing, terminal_not_must, 1, ORDER_BFS),
                         ask(&g, NULL, terminal_not_must, graph_threads((uint64_t)i), ORDER_BFS));
        graph_fini(&g);
    }
}

/* ---- Formulas ---- */

static enum verdict verdict_of(struct graph *g, const char *formula, const struct fair *f) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    struct ltl_question q = {.formula = formula, .fair = f};
    bool asked = ltl_check(&a, &g->ts, w, &q, &plenty, NULL, NULL, &why);
    if (!asked) print_message("%s: %s\n", formula, why.text);
    enum verdict v = asked ? a.verdict : VERDICT_ERROR;
    answer_fini(&a);
    problem_fini(&why);
    free(w);
    return v;
}

/* p2 and p3 are declared and hold in the same states. */
static void test_formulas(void **state) {
    static const char *const pairs[][2] = {
        {"GF must_progress", "GF p2"},
        {"F(may_progress & p1)", "F(p3 & p1)"},
        {"G(p1 -> F(must_progress | p0))", "G(p1 -> F(p2 | p0))"},
        {"G(may_progress & !p0 -> F(p1 & must_progress))", "G(p3 & !p0 -> F(p1 & p2))"},
    };
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(800); i++) {
        struct graph g;
        struct fair fair;
        random_start(20000 + (uint64_t)i);
        sample_graph(&g);
        sample_fairness(&fair, &g);
        for (uint32_t s = 0; s < g.count; s++)
            g.values[s] |= (g.classes[s] & TS_MUST ? 4u : 0) | (g.classes[s] & TS_MAY ? 8u : 0);
        const struct fair *f = random_chance(50) ? &fair : NULL;
        size_t k = random_below(COUNT(pairs));
        enum verdict v = verdict_of(&g, pairs[k][1], f);
        assert_int_equal(verdict_of(&g, pairs[k][0], f), v);
        assert_true(v == VERDICT_HOLDS || v == VERDICT_VIOLATED);
        counts[v == VERDICT_VIOLATED]++;
        if (f) /* the last state is repeated */
            assert_int_equal(verdict_of(&g, "GF must_progress", f), ask(&g, f, true, 1, ORDER_BFS));
        fair_fini(&fair);
        graph_fini(&g);
    }
    assert_true(counts[0] > ROUNDS(100) && counts[1] > ROUNDS(100));
}

/* A proposition that the model calls so wins in formulas, and does not matter for must progress. */
static void test_same_name(void **state) {
    static const char *const names[] = {"must_progress", "p1"};
    const struct fair nothing = {.count = 0};
    struct graph g;
    (void)state;
    graph_init(&g, 1, 1, 1);
    *graph_next(&g, 0, 0) = 0;
    g.ts.features = TS_MUST_PROGRESS;
    g.ts.propositions = 2;
    g.ts.proposition_names = names;
    g.values[0] = 1;
    assert_int_equal(verdict_of(&g, "GF must_progress", NULL), VERDICT_HOLDS);
    assert_int_equal(ask(&g, &nothing, false, 1, ORDER_BFS), VERDICT_VIOLATED);
    g.values[0] = 0;
    g.classes[0] = TS_MUST;
    assert_int_equal(verdict_of(&g, "GF must_progress", NULL), VERDICT_VIOLATED);
    assert_int_equal(ask(&g, &nothing, false, 1, ORDER_BFS), VERDICT_HOLDS);
    assert_int_equal(verdict_of(&g, "GF may_progress", NULL), VERDICT_ERROR);
    g.ts.propositions = 0;
    assert_int_equal(verdict_of(&g, "GF must_progress", NULL), VERDICT_HOLDS);
    assert_int_equal(verdict_of(&g, "GF p1", NULL), VERDICT_ERROR);
    graph_fini(&g);
}

/* Model code fails where must progress is asked for. */
static void test_fault(void **state) {
    const struct fair nothing = {.count = 0};
    struct graph g;
    struct questions q = {.checks = PROP_MUST, .fair = &nothing};
    struct answer a;
    (void)state;
    graph_init(&g, 3, 1, 1);
    for (uint32_t s = 0; s < 3; s++) *graph_next(&g, s, 0) = (s + 1) % 3;
    g.ts.features = TS_MUST_PROGRESS;
    g.fault_class_state = 2;
    g.fault_kind = TS_RAISED;
    struct ts_worker *w = graph_worker(&g);
    check_run(&a, &g.ts, w, &q, &plenty, NULL, NULL);
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.property, PROP_MODEL_ERROR);
    assert_int_equal(a.trace.count, 2);
    answer_fini(&a);
    struct limits few = {.max_memory = UINT64_C(1) << 32, .max_states = 1};
    g.fault_class_state = UINT32_MAX;
    check_run(&a, &g.ts, w, &q, &few, NULL, NULL);
    assert_true(a.verdict == VERDICT_INCONCLUSIVE || a.verdict == VERDICT_VIOLATED);
    answer_fini(&a);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_unfair), cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_same_name), cmocka_unit_test(test_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
