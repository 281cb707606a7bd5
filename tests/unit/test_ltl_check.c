/* Random formulas and small graphs: every algorithm must give the verdict of a naive check (naive_ltl.h), and show an
 * execution that violates the formula by its definition (tree_holds of words.h). */
#include "unit.h"

#include "naive_ltl.h"
#include "check/ltl_check.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

struct sample {
    struct graph g;
    struct tree *tree;
    char text[1000];
    bool violated;
};

static void sample_graph(struct sample *s, uint32_t states, uint32_t transitions, uint32_t percent, int propositions) {
    graph_init(&s->g, states, transitions, 1 + random_below(3));
    for (uint32_t i = 0; i < states; i++) {
        s->g.values[i] = random_below(1u << propositions);
        for (uint32_t t = 0; t < transitions; t++)
            if (random_chance(percent)) *graph_next(&s->g, i, t) = random_below(states);
    }
    s->g.ts.reduction.forward = random_chance(50);
}

static struct tree *random_tree(int propositions, int most) {
    for (;;) {
        struct tree *t = tree_random(1 + (int)random_below(7), propositions, random_chance(40));
        int temporal = naive_temporal(t);
        if (temporal > 0 && temporal <= most) return t;
        tree_free(t);
    }
}

static void sample_fini(struct sample *s) {
    tree_free(s->tree);
    graph_fini(&s->g);
}

/* ---- One check ---- */

/* The execution of an answer as a word, of which the formula must be false; longer ones are left to others. */
static void check_word(const struct sample *s, const struct answer *a, const struct ltl_question *q) {
    struct word w = {.back = -1};
    const struct trace *t = &a->trace;
    assert_true(t->count > 0);
    if (t->count > LONGEST_WORD || strstr(a->message, "whatever")) return;
    for (uint64_t i = 0; i < t->count; i++) w.at[w.length++] = s->g.values[graph_decode(&s->g, trace_state(t, i))];
    if (t->cycle != TRACE_NONE) w.back = (int)t->cycle;
    if (!q->fair && tree_holds(s->tree, &w)) fail_msg("%s holds in its counterexample", s->text);
    if (t->cycle == TRACE_NONE) {
        uint32_t to[256], labels[256];
        assert_int_equal(graph_successors(&s->g, graph_decode(&s->g, trace_state(t, t->count - 1)), to, labels), 0);
    }
}

static void expect_verdict(struct sample *s, const struct ltl_question *q, const struct means *means, bool states) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(&s->g);
    bool sensitive = false;
    if (!ltl_check(&a, &s->g.ts, w, q, &plenty, means, NULL, &why)) {
        sensitive = q->algorithm == LTL_ONE_PASS && strstr(why.text, "testing automaton") != NULL;
        if (!sensitive) fail_msg("%s: %s", s->text, why.text);
    } else if (means && means->store.kind != STORE_EXACT && !s->violated) {
        assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
    } else {
        enum verdict wanted = s->violated ? VERDICT_VIOLATED : VERDICT_HOLDS;
        if (a.verdict != wanted)
            fail_msg("%s, algorithm %d (%s): verdict %d, expected %d: %s", s->text, (int)q->algorithm, a.ltl.algorithm,
                     (int)a.verdict, (int)wanted, a.message);
        if (s->violated) {
            assert_int_equal(a.property, PROP_LTL);
            if (states) check_word(s, &a, q);
        }
    }
    answer_fini(&a);
    problem_fini(&why);
    free(w);
}

static void expect(struct sample *s, const struct ltl_question *q, const struct means *means) {
    expect_verdict(s, q, means, true);
}

/* The whole product, by several numbers of threads: the verdict, the same product and the same execution each time. */
static struct answer expect_whole(struct sample *s, enum ltl_algorithm algorithm, const struct fair *fair,
                                  bool states) {
    static const unsigned threads[] = {1, 2, 3, 8};
    struct ltl_question q = {.formula = s->text, .algorithm = algorithm, .fair = fair};
    struct answer first = {0};
    for (size_t i = 0; i < COUNT(threads); i++) {
        struct means means = {.threads = threads[i]};
        struct answer a;
        struct problem why = {0};
        struct ts_worker *w = graph_worker(&s->g);
        expect_verdict(s, &q, &means, states);
        if (!ltl_check(&a, &s->g.ts, w, &q, &plenty, &means, NULL, &why)) fail_msg("%s: %s", s->text, why.text);
        assert_int_equal(a.threads, threads[i]);
        if (i == 0) {
            first = a;
        } else {
            assert_true(a.states == first.states && a.edges == first.edges && a.depth == first.depth);
            assert_true(a.ltl.twice == first.ltl.twice && a.trace.count == first.trace.count);
            assert_true(a.trace.cycle == first.trace.cycle && a.trace.closing == first.trace.closing);
            assert_memory_equal(a.trace.states, first.trace.states, a.trace.count * a.trace.words * sizeof(word));
            answer_fini(&a);
        }
        free(w);
    }
    return first;
}

/* Both ways to build it give the same, but where one state is an error by itself, which is noticed at different
 * times. */
static void expect_levels(struct sample *s, bool states, bool graph) {
    struct answer levels = expect_whole(s, LTL_LEVELS, NULL, states);
    if (graph) {
        struct answer other = expect_whole(s, LTL_GRAPH, NULL, states);
        bool prefix = other.message && strstr(other.message, "whatever");
        if (!prefix && !levels.ltl.testing) {
            assert_int_equal(levels.trace.count, other.trace.count);
            assert_int_equal(levels.trace.cycle, other.trace.cycle);
            if (levels.states != other.states || levels.edges != other.edges || levels.depth != other.depth)
                fail_msg("%s: %d states, %d edges, depth %d by levels; %d, %d, %d by the graph", s->text,
                         (int)levels.states, (int)levels.edges, (int)levels.depth, (int)other.states, (int)other.edges,
                         (int)other.depth);
        }
        answer_fini(&other);
    }
    answer_fini(&levels);
}

/* ---- Tests ---- */

static void test_algorithms(void **state) {
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(900); i++) {
        struct sample s;
        random_start((uint64_t)i);
        int propositions = 1 + (int)random_below(3);
        sample_graph(&s, 1 + random_below(6), 1 + random_below(3), 55, propositions);
        s.tree = random_tree(propositions, 5);
        tree_print(s.tree, s.text, sizeof s.text);
        s.violated = naive_violated(&s.g, s.tree);
        counts[s.violated]++;
        for (int k = LTL_DEFAULT; k <= LTL_GRAPH; k++) {
            struct ltl_question q = {.formula = s.text,
                                     .algorithm = (enum ltl_algorithm)k,
                                     .favour = (enum favour)random_below(3),
                                     .depth_first = random_chance(50)};
            expect(&s, &q, NULL);
        }
        if (i % 10 == 0) expect_levels(&s, true, true);
        sample_fini(&s);
    }
    assert_true(counts[0] > OFTEN(100) && counts[1] > OFTEN(100));
}

/* What is not exact is never "holds"; with so few states nothing is lost. */
static void test_stores(void **state) {
    static const enum store_kind kinds[] = {STORE_HASH_COMPACT, STORE_BITSTATE};
    (void)state;
    for (int i = 0; i < ROUNDS(200); i++) {
        struct sample s;
        random_start(70000 + (uint64_t)i);
        sample_graph(&s, 1 + random_below(6), 1 + random_below(3), 55, 2);
        s.tree = random_tree(2, 4);
        tree_print(s.tree, s.text, sizeof s.text);
        s.violated = naive_violated(&s.g, s.tree);
        struct means means = {.store = {.kind = kinds[i % 2], .bitstate_bytes = 1 << 16}};
        for (int k = LTL_DEFAULT; k <= LTL_ONE_PASS; k++)
            expect(&s, &(struct ltl_question){.formula = s.text, .algorithm = (enum ltl_algorithm)k}, &means);
        sample_fini(&s);
    }
}

/* The graph with what occurred last in its states: propositions 3 and 4, 5 and 6 tell whether set 0, 1 is enabled, and
 * has just occurred. */
static void remember(struct graph *to, const struct graph *g, const struct fair *f) {
    uint32_t transitions = g->ts.transitions, kinds = transitions + 1;
    graph_init(to, g->count * kinds, transitions, 1);
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t last = 0; last < kinds; last++) { /* 0: nothing */
            uint64_t values = g->values[s];
            for (uint32_t t = 0; t < transitions; t++) {
                uint32_t next = g->next[s * transitions + t];
                if (next == NO_STATE) continue;
                *graph_next(to, s * kinds + last, t) = next * kinds + t + 1;
                for (uint32_t k = 0; k < f->count; k++)
                    if (f->sets[k].has[t]) values |= UINT64_C(1) << (3 + 2 * k);
            }
            for (uint32_t k = 0; k < f->count; k++)
                if (last > 0 && f->sets[k].has[last - 1]) values |= UINT64_C(1) << (4 + 2 * k);
            to->values[s * kinds + last] = values;
        }
}

static struct tree *infinitely_often(struct tree *t) { return tree_new('G', tree_new('F', t, NULL), NULL); }

/* "If each set is treated fairly, then ..." */
static struct tree *if_fair(const struct fair *f, struct tree *t) {
    for (uint32_t k = 0; k < f->count; k++) {
        struct tree *enabled = tree_proposition(3 + 2 * (int)k), *occurs = tree_proposition(4 + 2 * (int)k);
        struct tree *fair = f->sets[k].strong ? tree_new('>', infinitely_often(enabled), infinitely_often(occurs))
                                              : infinitely_often(tree_new('|', tree_new('!', enabled, NULL), occurs));
        t = tree_new('>', fair, t);
    }
    return t;
}

static void random_fairness(struct fair *f, struct graph *g) {
    struct ts_worker *w = graph_worker(g);
    struct problem why = {0};
    *f = (struct fair){0};
    uint32_t sets = 1 + random_below(2);
    for (uint32_t k = 0; k < sets; k++) {
        char text[64] = "";
        for (uint32_t t = 0; t < g->ts.transitions; t++)
            if (random_chance(50) || (!*text && t + 1 == g->ts.transitions))
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", *text ? "+" : "", t);
        bool strong = sets == 1 && random_chance(70); /* two strong ones would be too much for the naive check */
        assert_true(fair_add(f, &g->ts, w, text, strong, &why));
    }
    free(w);
}

/* Fairness matters for formulas like these: F p, G F p, p -> F q, p U q. */
static struct tree *progress_tree(void) {
    struct tree *p = tree_proposition((int)random_below(2)), *q = tree_proposition((int)random_below(2));
    struct tree *later = tree_new('F', q, NULL);
    switch (random_below(4)) {
    case 0: return tree_new('&', tree_new('|', p, tree_copy(p)), later);
    case 1: return tree_new('|', tree_new('G', later, NULL), p);
    case 2: return tree_new('>', p, later);
    default: return tree_new('U', p, later);
    }
}

static void test_fairness(void **state) {
    int counts[2] = {0, 0}, changed = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(800); i++) {
        struct sample s;
        struct graph memory;
        struct fair fair;
        random_start(40000 + (uint64_t)i);
        sample_graph(&s, 3, 3, 70, 2);
        s.tree = random_chance(30) ? random_tree(2, 2) : progress_tree();
        tree_print(s.tree, s.text, sizeof s.text);
        random_fairness(&fair, &s.g);
        remember(&memory, &s.g, &fair);
        struct tree *premise = if_fair(&fair, tree_copy(s.tree));
        s.violated = naive_violated(&memory, premise);
        counts[s.violated]++;
        changed += s.violated != naive_violated(&s.g, s.tree);
        expect(&s, &(struct ltl_question){.formula = s.text, .fair = &fair}, NULL);
        if (i % 4 == 0) {
            struct answer whole = expect_whole(&s, LTL_LEVELS, &fair, true);
            answer_fini(&whole);
        }
        tree_free(premise);
        fair_fini(&fair);
        graph_fini(&memory);
        sample_fini(&s);
    }
    print_message("%d hold, %d do not, fairness matters for %d\n", counts[0], counts[1], changed);
    assert_true(counts[0] > OFTEN(20) && counts[1] > OFTEN(20) && changed > OFTEN(5));
}

/* ---- Propositions about actions ----
 *
 * p0 and p1 are actions, p2 is a fluent from p0 to p1; p1 may be an action that the graph has not. */

enum { NOTHING, FIRST, SECOND, OTHER, LASTS };

static bool lacks_second(const struct graph *g) {
    for (uint32_t t = 0; t < g->ts.transitions; t++)
        if (g->actions[t] == SECOND) return false;
    return true;
}

static uint32_t memory_of(uint32_t s, uint32_t last, uint32_t fluent) {
    if (last == FIRST) fluent = 1;
    if (last == SECOND) fluent = 0;
    return (s * LASTS + last) * 2 + fluent;
}

/* The same with propositions of states: what was last, and the fluent. There are two more transitions: the free action,
 * and the end, where nothing was last. */
static void remember_actions(struct graph *to, const struct graph *g, bool initially) {
    uint32_t n = g->ts.transitions;
    bool free = lacks_second(g);
    graph_init(to, g->count * LASTS * 2 + 1, n + 2, 1);
    for (uint32_t id = 0; id + 1 < to->count; id++) {
        uint32_t s = id / 2 / LASTS, last = id / 2 % LASTS, fluent = id % 2;
        bool any = false, first = s == 0 && last == NOTHING && fluent == initially; /* state 0 is a copy of it */
        for (uint32_t copy = first ? 0 : 1; copy < 2; copy++) {
            uint32_t at = copy ? id + 1 : 0;
            for (uint32_t t = 0; t < n; t++) {
                uint32_t next = g->next[s * n + t];
                if (next == NO_STATE) continue;
                any = true;
                *graph_next(to, at, t) = 1 + memory_of(next, g->actions[t], fluent);
            }
            if (free) *graph_next(to, at, n) = 1 + memory_of(s, SECOND, fluent);
            if (!any && !free) *graph_next(to, at, n + 1) = 1 + memory_of(s, NOTHING, fluent);
            to->values[at] = (last == FIRST) | (uint64_t)(last == SECOND) << 1 | (uint64_t)fluent << 2;
        }
    }
}

static void test_actions(void **state) {
    static const char *const names[] = {"tau", "p0", "p1", "other"}, *const fewer[] = {"tau", "p0", "unused", "other"};
    static const char *const begins[] = {"p0", NULL}, *const ends[] = {"p1", NULL};
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(600); i++) {
        struct sample s;
        struct graph memory;
        uint32_t actions[3];
        random_start(80000 + (uint64_t)i);
        sample_graph(&s, 1 + random_below(3), 1 + random_below(3), 60, 1);
        for (int t = 0; t < 3; t++) actions[t] = random_chance(20) ? OTHER : FIRST + random_below(2);
        struct ts_fluent fluent = {"p2", begins, ends, random_chance(50)};
        s.g.actions = actions;
        s.g.ts.propositions = 0;
        s.g.ts.actions = LASTS;
        s.g.ts.action_names = lacks_second(&s.g) ? fewer : names;
        s.g.ts.whole_counts = true;
        s.g.ts.fluents = &fluent;
        s.g.ts.fluent_count = 1;
        s.tree = random_tree(3, 3);
        tree_print(s.tree, s.text, sizeof s.text);
        /* All propositions must be named, or an action might not be free. */
        snprintf(s.text + strlen(s.text), sizeof s.text - strlen(s.text), " & (p0|p1|p2|!p0)");
        remember_actions(&memory, &s.g, fluent.initially);
        struct tree *later = tree_new('X', tree_copy(s.tree), NULL);
        s.violated = naive_violated(&memory, later);
        counts[s.violated]++;
        for (int k = LTL_DEFAULT; k <= LTL_LEVELS; k++)
            expect_verdict(&s, &(struct ltl_question){.formula = s.text, .algorithm = (enum ltl_algorithm)k}, NULL,
                           false);
        if (random_chance(10)) expect_levels(&s, false, false);
        tree_free(later);
        graph_fini(&memory);
        sample_fini(&s);
    }
    assert_true(counts[0] > OFTEN(30) && counts[1] > OFTEN(30));
}

/* ---- Small cases ---- */

static enum verdict verdict_of(struct graph *g, const struct ltl_question *q) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    if (!ltl_check(&a, &g->ts, w, q, &plenty, NULL, NULL, &why)) fail_msg("%s", why.text);
    enum verdict v = a.verdict;
    answer_fini(&a);
    free(w);
    return v;
}

/* A livelock between two states that both wait when the search for livelocks meets the first of them. */
static void test_waiting_livelock(void **state) {
    struct graph g;
    (void)state;
    graph_init(&g, 3, 2, 1);
    *graph_next(&g, 0, 0) = 1;
    *graph_next(&g, 0, 1) = 2;
    *graph_next(&g, 1, 0) = 2;
    *graph_next(&g, 2, 1) = 1;
    g.values[0] = 1;
    for (int deep = 0; deep < 2; deep++) {
        struct ltl_question q = {.formula = "G F p0", .algorithm = LTL_ONE_PASS, .depth_first = deep};
        assert_int_equal(verdict_of(&g, &q), VERDICT_VIOLATED);
    }
    graph_fini(&g);
}

/* 0 and 1 are a cycle; from 1 there is a way by 2, where t2 leads out to 3. Being fair to t2 alone, one may stay away
 * from
 * 2; being fair to t1 too, one may not. */
static void test_fair_part_of_component(void **state) {
    struct graph g;
    struct fair fair = {0};
    struct problem why = {0};
    (void)state;
    graph_init(&g, 4, 3, 1);
    *graph_next(&g, 0, 0) = 1;
    *graph_next(&g, 1, 0) = 0;
    *graph_next(&g, 2, 0) = 0;
    *graph_next(&g, 1, 1) = 2;
    *graph_next(&g, 2, 2) = 3;
    g.values[3] = 1;
    struct ts_worker *w = graph_worker(&g);
    struct ltl_question q = {.formula = "F p0", .fair = &fair};
    assert_true(fair_add(&fair, &g.ts, w, "go 2", true, &why));
    assert_int_equal(verdict_of(&g, &q), VERDICT_VIOLATED);
    assert_true(fair_add(&fair, &g.ts, w, "1", true, &why));
    assert_int_equal(verdict_of(&g, &q), VERDICT_HOLDS);
    fair_fini(&fair);
    assert_true(fair_add(&fair, &g.ts, w, "all", false, &why)); /* t1 and t2 are not enabled all the time */
    assert_int_equal(verdict_of(&g, &q), VERDICT_VIOLATED);
    fair_fini(&fair);
    assert_true(fair_add(&fair, &g.ts, w, "go*", false, &why)); /* one set: something always occurs */
    assert_int_equal(fair.count, 1);
    assert_int_equal(verdict_of(&g, &q), VERDICT_VIOLATED);
    fair_fini(&fair);
    assert_false(fair_add(&fair, &g.ts, w, "nowhere", false, &why));
    assert_non_null(strstr(why.text, "'nowhere'"));
    fair_fini(&fair);
    problem_fini(&why);
    free(w);
    graph_fini(&g);
}

/* ---- What is refused ---- */

static void refused(struct graph *g, const struct ltl_question *q, const char *part) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    assert_false(ltl_check(&a, &g->ts, w, q, &plenty, NULL, NULL, &why));
    if (!strstr(why.text, part)) fail_msg("'%s' is not in: %s", part, why.text);
    answer_fini(&a);
    problem_fini(&why);
    free(w);
}

static void test_refusals(void **state) {
    struct graph g;
    struct fair fair = {.choice = true};
    (void)state;
    graph_init(&g, 2, 1, 1);
    refused(&g, &(struct ltl_question){.formula = "G (p0"}, "column");
    refused(&g, &(struct ltl_question){.formula = "G pp0"}, "did you mean 'p0'");
    refused(&g, &(struct ltl_question){.formula = "X p0", .algorithm = LTL_ONE_PASS}, "testing automaton");
    refused(&g, &(struct ltl_question){.formula = "p0", .algorithm = LTL_NESTED, .fair = &fair}, "fairness");
    refused(&g, &(struct ltl_question){.formula = "p0", .algorithm = LTL_GRAPH, .fair = &fair}, "fairness");
    g.ts.reduction.stubborn = true;
    refused(&g, &(struct ltl_question){.formula = "G p0"}, "opened with stubborn sets");
    g.ts.reduction = (struct reduction){.symmetry = true};
    refused(&g, &(struct ltl_question){.formula = "G p0"}, "symmetr");
    graph_fini(&g);
}

/* A limit gives no verdict, and model code that fails is blamed. */
static void test_limits_and_faults(void **state) {
    struct graph g;
    struct answer a;
    struct problem why = {0};
    (void)state;
    graph_init(&g, 2000, 2, 2);
    for (uint32_t i = 0; i < 2000; i++) *graph_next(&g, i, 0) = (i + 1) % 2000;
    struct ts_worker *w = graph_worker(&g);
    for (int k = LTL_DEFAULT; k <= LTL_GRAPH; k++) {
        struct ltl_question q = {.formula = "G !p0", .algorithm = (enum ltl_algorithm)k};
        struct limits few = plenty;
        few.max_states = 500;
        assert_true(ltl_check(&a, &g.ts, w, &q, &few, NULL, NULL, &why));
        assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
        answer_fini(&a);
        g.fault_state = 700;
        assert_true(ltl_check(&a, &g.ts, w, &q, &plenty, NULL, NULL, &why));
        assert_int_equal(a.verdict, VERDICT_VIOLATED);
        assert_int_equal(a.property, PROP_MODEL_ERROR);
        assert_int_equal(a.trace.count, 701);
        answer_fini(&a);
        g.fault_state = NO_STATE;
        assert_true(ltl_check(&a, &g.ts, w, &q, &plenty, NULL, NULL, &why));
        assert_int_equal(a.verdict, VERDICT_HOLDS);
        answer_fini(&a);
    }
    free(w);
    graph_fini(&g);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithms),       cmocka_unit_test(test_stores),
        cmocka_unit_test(test_fairness),         cmocka_unit_test(test_actions),
        cmocka_unit_test(test_waiting_livelock), cmocka_unit_test(test_fair_part_of_component),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_limits_and_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
