/* Stubborn sets with formulas. Small concurrent systems (toys.h) and networks, random formulas: the verdict must be
 * that of a naive check of the full graph (naive_ltl.h), for every algorithm, order and store, and never more states
 * may be looked at than without stubborn sets. So many rounds are enough: if one of the needs that guided.h names is
 * ignored, two or three of these tests fail. */
#include "unit.h"

#include "base/memory.h"
#include "naive_actions.h"
#include "model/network/network_ts.h"
#include "nets.h"
#include "check/ltl_check.h"
#include "toys.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

static const struct toy_chance small = {3, 3, 2, 8, 3, 40, random_below}, loose = {3, 4, 0, 9, 3, 48, random_below};

/* Temporal operators; X now and then. */
static struct tree *random_tree(int propositions, int most) {
    for (;;) {
        struct tree *t = tree_random(1 + (int)random_below(6), propositions, random_chance(10));
        int temporal = naive_temporal(t);
        if (temporal > 0 && temporal <= most) return t;
        tree_free(t);
    }
}

/* Formulas of which most are insensitive even if they are about actions: G(p -> F q), F p, G F p, !p W q, ... */
static struct tree *tree_of_a_pattern(uint32_t propositions) {
    struct tree *p = tree_proposition((int)random_below(propositions));
    struct tree *q = tree_proposition((int)random_below(propositions));
    switch (random_below(7)) {
    case 0: return tree_new('G', tree_new('>', p, tree_new('F', q, NULL)), NULL);
    case 1: return tree_new('|', tree_new('F', p, NULL), tree_new('F', q, NULL));
    case 2: return tree_new('>', tree_new('G', tree_new('F', p, NULL), NULL), tree_new('F', q, NULL));
    case 3: return tree_new('W', tree_new('!', p, NULL), q);
    case 4: return tree_new('|', tree_new('G', tree_new('!', p, NULL), NULL), tree_new('F', q, NULL));
    case 5: return tree_new('G', tree_new('F', tree_new('|', tree_new('!', p, NULL), q), NULL), NULL);
    default: return tree_new('U', tree_new('!', p, NULL), q);
    }
}

/* ---- Verdicts ---- */

/* What is checked, and what comes of it. */
struct sample {
    struct ts *ts;
    struct ts_worker *w;
    char text[1000];
    bool violated;
    uint64_t checks, refused, larger, smaller; /* counts; the last two: of states */
};

static bool is_refused(const struct ltl_question *q, const char *text) {
    return strstr(text, "and --stubborn changes that") ||
           (q->algorithm == LTL_ONE_PASS && strstr(text, "one-pass needs a testing automaton"));
}

static void expect(struct sample *s, struct ltl_question q, const struct means *means) {
    struct answer a, full;
    struct problem why = {0};
    q.formula = s->text;
    q.stubborn = true;
    s->checks++;
    if (!ltl_check(&a, s->ts, s->w, &q, &plenty, means, NULL, &why)) {
        if (!is_refused(&q, why.text)) fail_msg("%s: %s", s->text, why.text);
        s->refused++;
        answer_fini(&a);
        problem_fini(&why);
        return;
    }
    bool exact = !means || means->store.kind == STORE_EXACT;
    enum verdict wanted = s->violated ? VERDICT_VIOLATED : exact ? VERDICT_HOLDS : VERDICT_INCONCLUSIVE;
    if (a.verdict != wanted)
        fail_msg("%s, algorithm %d (%s): verdict %d, expected %d: %s", s->text, (int)q.algorithm, a.ltl.algorithm,
                 (int)a.verdict, (int)wanted, a.message);
    q.stubborn = false;
    if (s->violated && random_chance(80)) {
        answer_fini(&a);
        return;
    }
    bool asked = ltl_check(&full, s->ts, s->w, &q, &plenty, means, NULL, &why);
    assert_true(asked || q.algorithm == LTL_ONE_PASS);
    if (asked) assert_int_equal(full.verdict, wanted);
    bool comparable = q.algorithm != LTL_LEVELS; /* which skips idle positions with stubborn sets only */
    bool same =
        asked && comparable && a.ltl.testing == full.ltl.testing && strcmp(a.ltl.algorithm, full.ltl.algorithm) == 0;
    if (!s->violated && same) {
        s->larger += a.states > full.states;
        s->smaller += a.states < full.states;
    }
    answer_fini(&a);
    answer_fini(&full);
    problem_fini(&why);
}

static void expect_all(struct sample *s) {
    static const enum store_kind kinds[] = {STORE_HASH_COMPACT, STORE_BITSTATE};
    struct means means = {.store = {.kind = kinds[random_below(2)], .bitstate_bytes = 1 << 16}};
    struct means threads = {.threads = 1 + random_below(3)};
    for (int k = LTL_DEFAULT; k <= LTL_LEVELS; k++) {
        struct ltl_question q = {.algorithm = (enum ltl_algorithm)k,
                                 .favour = (enum favour)random_below(3),
                                 .depth_first = random_chance(50)};
        if (k == LTL_LEVELS && random_chance(70)) continue; /* threads take a while to begin */
        expect(s, q, k == LTL_LEVELS ? &threads : random_chance(10) ? &means : NULL);
    }
}

static void report(const char *what, const struct sample *s, const int *counts) {
    print_message("%s: %d hold, %d do not; %d checks, %d refused; smaller %d times\n", what, counts[0], counts[1],
                  (int)s->checks, (int)s->refused, (int)s->smaller);
    assert_int_equal(s->larger, 0);
}

static void test_states(void **state) {
    struct sample s = {0};
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(1000); i++) {
        struct graph g;
        random_start((uint64_t)i);
        toy_random(&g, i % 2 ? &small : &loose);
        struct tree *t = random_chance(50) ? random_tree(1 + (int)random_below(3), 3) : tree_of_a_pattern(2);
        tree_print(t, s.text, sizeof s.text);
        s.ts = &g.ts;
        s.w = graph_worker(&g);
        s.violated = naive_violated(&g, t);
        counts[s.violated]++;
        expect_all(&s);
        free(s.w);
        tree_free(t);
        graph_fini(&g);
    }
    report("states", &s, counts);
    assert_true(counts[0] > OFTEN(80) && counts[1] > OFTEN(200) && s.smaller > (uint64_t)OFTEN(80));
    assert_true(s.refused < s.checks / 10);
}

/* ---- Propositions about actions: see naive_actions.h ---- */

/* A formula about fluents only, or about actions, too. */
static struct tree *tree_about_actions(void) {
    bool fluents = random_chance(50);
    struct tree *t = random_tree(fluents ? 2 : 4, 2);
    for (struct tree *stack[64] = {t}, **top = stack + 1; top > stack;) {
        struct tree *u = *--top;
        if (u->op == 'p' && fluents) u->p += 2;
        if (u->left) *top++ = u->left;
        if (u->right) *top++ = u->right;
    }
    return t;
}

static bool expect_actions(struct sample *s, struct meaning *m, int *counts) {
    struct tree *t = random_chance(50) ? tree_about_actions() : tree_of_a_pattern(4);
    tree_print(t, s->text, sizeof s->text);
    bool fine = naive_actions_violated(s->ts, s->w, m, t, &s->violated);
    tree_free(t);
    if (!fine) return false;
    counts[s->violated]++;
    expect_all(s);
    return true;
}

static void test_actions(void **state) {
    static const char *const names[][4] = {{"tau", "a", "b", "c"}, {"tau", "a", "unused", "c"}, {"tau", "d", "b", "d"}};
    struct sample s = {0};
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(600); i++) {
        struct graph g;
        struct meaning m;
        uint32_t actions[16];
        struct toy_chance chance = i % 2 ? small : loose;
        random_start(200000 + (uint64_t)i);
        chance.propositions = 0;
        chance.states = 24;
        toy_random(&g, &chance);
        meaning_set(&m, random_chance(50), random_chance(50));
        for (uint32_t t = 0; t < g.ts.transitions; t++) actions[t] = random_chance(50) ? 0 : 1 + random_below(3);
        g.actions = actions;
        g.ts.propositions = 0;
        g.ts.actions = 4;
        g.ts.action_names = names[random_chance(60) ? 0 : random_below(3)];
        g.ts.whole_counts = true;
        g.ts.fluents = m.fluents;
        g.ts.fluent_count = 4;
        s.ts = &g.ts;
        s.w = graph_worker(&g);
        expect_actions(&s, &m, counts);
        free(s.w);
        graph_fini(&g);
    }
    report("actions", &s, counts);
    assert_true(counts[0] > OFTEN(40) && counts[1] > OFTEN(120) && s.smaller > (uint64_t)OFTEN(40));
    assert_true(s.refused < s.checks * 7 / 10);
}

static void test_networks(void **state) {
    struct nets_chance chance = {
        .components = 4, .states = 3, .labels = 9, .special = 15, .tau = 35, .hidden = 20, .deterministic = false};
    struct sample s = {0};
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(600); i++) {
        struct network n;
        struct meaning m;
        struct problem why = {0};
        random_start(300000 + (uint64_t)i);
        nets_random(&n, &chance, random_below);
        s.ts = network_open(&n, "test", (struct reduction){.forward = random_chance(50)}, &why);
        assert_non_null(s.ts);
        meaning_set(&m, random_chance(50), random_chance(50));
        s.ts->fluents = m.fluents;
        s.ts->fluent_count = 4;
        s.w = s.ts->ops->worker_new(s.ts);
        for (int tries = 0; tries < 2; tries++) expect_actions(&s, &m, counts);
        s.ts->ops->worker_free(s.w);
        s.ts->ops->close(s.ts);
    }
    report("networks", &s, counts);
    assert_true(counts[0] > OFTEN(80) && counts[1] > OFTEN(240) && s.smaller > (uint64_t)OFTEN(40));
}

/* ---- Small cases ---- */

static struct answer answer_of(struct graph *g, const struct ltl_question *q, struct problem *why, bool *asked) {
    struct answer a;
    struct ts_worker *w = graph_worker(g);
    *asked = ltl_check(&a, &g->ts, w, q, &plenty, NULL, NULL, why);
    free(w);
    return a;
}

static void refused(struct graph *g, struct ltl_question q, const char *part) {
    struct problem why = {0};
    bool asked;
    q.stubborn = true;
    struct answer a = answer_of(g, &q, &why, &asked);
    assert_false(asked);
    if (!strstr(why.text, part)) fail_msg("'%s' is not in: %s", part, why.text);
    answer_fini(&a);
    problem_fini(&why);
}

static void test_refusals(void **state) {
    static const char *const names[] = {"tau", "a", "b"};
    struct graph g;
    uint32_t actions[] = {1, 2};
    struct fair fair = {.choice = true};
    (void)state;
    graph_init(&g, 2, 2, 1);
    *graph_next(&g, 0, 0) = 1;
    refused(&g, (struct ltl_question){.formula = "G p0"}, "--stubborn needs obligations");
    graph_derive_obligations(&g, true);
    refused(&g, (struct ltl_question){.formula = "X p0"}, "how often a state is repeated");
    refused(&g, (struct ltl_question){.formula = "G p0", .fair = &fair}, "fairness depends on all enabled transitions");
    g.ts.reduction.symmetry = true;
    refused(&g, (struct ltl_question){.formula = "G p0"}, "symmetry");
    g.ts.reduction.symmetry = false;
    g.ts.propositions = 0;
    g.ts.actions = 3;
    g.ts.action_names = names;
    g.ts.whole_counts = true;
    g.actions = actions;
    refused(&g, (struct ltl_question){.formula = "a U b"}, "between those that it names");
    graph_fini(&g);
}

/* Two processes with a step each; the second changes p0, though it is said not to. */
static void test_false_changes(void **state) {
    (void)state;
    for (int k = LTL_DEFAULT; k <= LTL_LEVELS; k++) {
        struct graph g;
        struct problem why = {0};
        bool asked;
        graph_init(&g, 4, 2, 1);
        for (uint32_t s = 0; s < 4; s++)
            for (uint32_t t = 0; t < 2; t++)
                if (!(s >> t & 1)) *graph_next(&g, s, t) = s | 1u << t;
        g.values[2] = g.values[3] = 1;
        graph_derive_obligations(&g, true);
        *graph_changes(&g, 0, 0) = true;
        struct ltl_question q = {.formula = "F p0", .algorithm = (enum ltl_algorithm)k, .stubborn = true};
        struct answer a = answer_of(&g, &q, &why, &asked);
        assert_true(asked);
        assert_int_equal(a.verdict, VERDICT_ERROR);
        assert_non_null(strstr(a.message, "CHANGES in transition 1 (go 1)"));
        assert_non_null(strstr(a.message, "never changes p0"));
        assert_int_equal(a.trace.count, 1);
        answer_fini(&a);
        *graph_changes(&g, 0, 1) = true;
        a = answer_of(&g, &q, &why, &asked);
        assert_true(asked && a.verdict == VERDICT_HOLDS && !a.note);
        answer_fini(&a);
        g.ts.changes_known = NULL;
        a = answer_of(&g, &q, &why, &asked);
        assert_true(asked && a.verdict == VERDICT_HOLDS);
        assert_non_null(strstr(a.note, "CHANGES"));
        answer_fini(&a);
        graph_fini(&g);
    }
}

/* n processes that make `steps` steps each, one after the other; p0: process 0 has made its last step. Only that
 * matters, so nearly all of (steps + 1)^n states are left out. */
static void test_large_reduction(void **state) {
    enum { N = 4, STEPS = 5, SIDE = STEPS + 1 };
    struct graph g;
    struct problem why = {0};
    uint32_t count = 1, power[N];
    uint64_t states[2];
    (void)state;
    for (int k = 0; k < N; k++, count *= SIDE) power[k] = count;
    graph_init(&g, count, N, 1);
    for (uint32_t s = 0; s < count; s++) {
        for (int k = 0; k < N; k++)
            if (s / power[k] % SIDE < STEPS) *graph_next(&g, s, (uint32_t)k) = s + power[k];
        g.values[s] = s % SIDE == STEPS;
    }
    graph_obliges(&g, 0, 0); /* they have nothing to do with each other: no obligations */
    *graph_changes(&g, 0, 0) = true;
    for (int k = LTL_DEFAULT; k <= LTL_LEVELS; k++) {
        for (int stubborn = 0; stubborn < 2; stubborn++) {
            struct ltl_question q = {.formula = "F p0", .algorithm = (enum ltl_algorithm)k, .stubborn = stubborn};
            bool asked;
            struct answer a = answer_of(&g, &q, &why, &asked);
            assert_true(asked && a.verdict == VERDICT_HOLDS);
            states[stubborn] = a.states;
            answer_fini(&a);
        }
        assert_true(states[0] > 1000 && states[1] < 10 * N * STEPS);
    }
    graph_fini(&g);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),   cmocka_unit_test(test_actions),       cmocka_unit_test(test_networks),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_false_changes), cmocka_unit_test(test_large_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
