/* Published ways of losing executions, as small models: ways of reducing that look right, and are not. Each of them is
 * carried out here and must go wrong, so that the model is a trap; and our way must get it right.
 *
 *     1. A set for each state of the product, where a set will do if it has no visible transition and none of its
 *     successors
 *        is on the stack of the depth-first search (S. F. Siegel, What's wrong with on-the-fly partial order
 *        reduction, CAV 2019).
 *     2. Weak stubborn sets, where one member must stay enabled and not all (T. Neele, A. Valmari, T. A. C. Willemse,
 *     The
 *        inconsistent labelling problem of stutter-preserving partial-order reduction, FoSSaCS 2020).
 *     3. Sets without any condition against ignoring visible transitions for ever, or against forgetting that
 *        nothing visible may happen for ever. */
#include "unit.h"

#include "omega/ltl/ltl.h"
#include "base/memory.h"
#include "naive_ltl.h"
#include "reduce/audit.h"
#include "reduce/closure.h"
#include "check/ltl_check.h"
#include "toys.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

static enum verdict verdict_of(struct graph *g, const char *formula, enum ltl_algorithm algorithm, bool depth_first) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    struct ltl_question q = {.formula = formula, .algorithm = algorithm, .stubborn = true, .depth_first = depth_first};
    if (!ltl_check(&a, &g->ts, w, &q, &plenty, NULL, NULL, &why)) fail_msg("%s: %s", formula, why.text);
    enum verdict v = a.verdict;
    answer_fini(&a);
    free(w);
    return v;
}

static void expect_everywhere(struct graph *g, const char *formula, enum verdict wanted) {
    for (int k = LTL_DEFAULT; k <= LTL_LEVELS; k++)
        for (int deep = 0; deep < 2; deep++)
            assert_int_equal(verdict_of(g, formula, (enum ltl_algorithm)k, deep), wanted);
}

/* ---- 1: the stack of the product ---- */

/* Which sets will do. */
enum wrong_way {
    IN_STACK,    /* invisible, and no successor on the stack */
    IGNORING,    /* invisible: no condition on cycles */
    ALL_VISIBLE, /* all visible transitions; nothing about invisible ones */
};

struct wrong {
    struct graph *g;
    struct ts_worker *w;
    const struct ba *ba;
    enum wrong_way way;
    uint32_t nodes; /* (state + 1) * automaton's states; */
    bool *edge;     /* [from * nodes + to] */
    bool *met, *on_stack;
};

static uint32_t node_of(const struct wrong *x, uint32_t s, uint32_t q) { return s * x->ba->states + q; }

/* Calls for each way in which the automaton goes on from q to state s of the graph. */
static bool on_stack(const struct wrong *x, uint32_t s, uint32_t q) {
    for (const struct ba_edge *e = ba_begin(x->ba, q); e < ba_end(x->ba, q); e++)
        if (cube_has(e->label, x->g->values[s]) && x->on_stack[node_of(x, s, e->target)]) return true;
    return false;
}

static bool is_visible(const struct graph *g, uint32_t t) { return g->changes[t] || g->changes[g->ts.transitions + t]; }

static void close_set(struct wrong *x, uint32_t s, bool *set) {
    word packed;
    uint32_t list[64], stack[64];
    struct ts_fault fault;
    graph_encode(x->g, s, &packed);
    assert_true(closure_add(&x->g->ts, x->w, &packed, set, list, stack, &fault));
}

static bool will_do(struct wrong *x, uint32_t s, uint32_t q, const bool *set) {
    for (uint32_t t = 0; t < x->g->ts.transitions; t++) {
        uint32_t to = *graph_next(x->g, s, t);
        if (!set[t] || to == NO_STATE) continue;
        if (is_visible(x->g, t) || (x->way == IN_STACK && on_stack(x, to, q))) return false;
    }
    return true;
}

static void choose(struct wrong *x, uint32_t s, uint32_t q, bool *set) {
    uint32_t n = x->g->ts.transitions, to[64], labels[64], count = graph_successors(x->g, s, to, labels);
    if (x->way == ALL_VISIBLE) {
        bool any = false;
        for (uint32_t t = 0; t < n; t++) set[t] = is_visible(x->g, t);
        close_set(x, s, set);
        for (uint32_t e = 0; e < count; e++) any |= set[labels[e]];
        if (any) return;
    }
    for (uint32_t e = 0; e < count; e++) {
        memset(set, 0, n);
        set[labels[e]] = true;
        close_set(x, s, set);
        if (will_do(x, s, q, set)) return;
    }
    memset(set, 1, n);
}

static void visit(struct wrong *x, uint32_t s, uint32_t q) {
    uint32_t from = node_of(x, s, q), to[64], labels[64], count = graph_successors(x->g, s, to, labels);
    bool set[64];
    x->met[from] = x->on_stack[from] = true;
    choose(x, s, q, set);
    if (count == 0) to[0] = s; /* what has ended stays as it is */
    for (uint32_t i = 0; i < (count ? count : 1); i++) {
        if (count && !set[labels[i]]) continue;
        for (const struct ba_edge *e = ba_begin(x->ba, q); e < ba_end(x->ba, q); e++) {
            uint32_t next = node_of(x, to[i], e->target);
            if (!cube_has(e->label, x->g->values[to[i]])) continue;
            x->edge[from * x->nodes + next] = true;
            if (!x->met[next]) visit(x, to[i], e->target);
        }
    }
    x->on_stack[from] = false;
}

/* Is there a cycle through an accepting node? All that was met can be reached. */
static bool accepts(struct wrong *x) {
    uint32_t n = x->nodes;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; x->edge[a * n + k] && b < n; b++) x->edge[a * n + b] |= x->edge[k * n + b];
    for (uint32_t a = 0; a < n; a++)
        if (x->edge[a * n + a] && (x->ba->accept[a % x->ba->states] & ACCEPT_INFINITE)) return true;
    return false;
}

static bool wrong_search(struct graph *g, const struct ba *ba, enum wrong_way way) {
    struct wrong x = {.g = g, .w = graph_worker(g), .ba = ba, .way = way, .nodes = g->count * ba->states};
    x.edge = memory_get_zeroed((size_t)x.nodes * x.nodes + 1);
    x.met = memory_get_zeroed(x.nodes + 1);
    x.on_stack = memory_get_zeroed(x.nodes + 1);
    for (uint32_t i = 0; i < ba->initials; i++)
        for (const struct ba_edge *e = ba_begin(ba, ba->initial[i]); e < ba_end(ba, ba->initial[i]); e++)
            if (cube_has(e->label, g->values[0]) && !x.met[node_of(&x, 0, e->target)]) visit(&x, 0, e->target);
    bool found = accepts(&x);
    free(x.edge);
    free(x.met);
    free(x.on_stack);
    free(x.w);
    return found;
}

static bool wrong_violated(struct graph *g, const char *formula, enum wrong_way way) {
    struct ltl l;
    struct ba ba;
    struct problem why = {0};
    uint32_t f;
    ltl_init(&l);
    names_add(&l.propositions, "p0");
    names_add(&l.propositions, "p1");
    assert_true(ltl_parse(&l, formula, &f, &why) && ltl_to_ba(&l, f, true, &ba, &why));
    bool violated = wrong_search(g, &ba, way);
    ba_fini(&ba);
    ltl_fini(&l);
    return violated;
}

/* Our search, of an automaton that is given. */
static bool our_search(struct graph *g, const struct ba *ba, const struct ta *ta, void (*search)(struct emptiness *),
                       bool stubborn) {
    struct product p;
    struct space s;
    struct problem why = {0};
    struct means means = {.threads = 1};
    struct ts_worker *w = graph_worker(g);
    bool unknown;
    assert_true(product_init(&p, &g->ts, ba, ta, &why));
    if (stubborn) assert_true(product_guide(&p, w, &unknown, &why) && !unknown);
    struct ts_worker *worker = product_worker(&p, w);
    assert_true(space_init(&s, &p.ts, worker, &plenty, &means, &why));
    struct emptiness x = {.p = &p, .s = &s, .early = true};
    search(&x);
    assert_int_equal(x.stop.kind, STOP_DONE);
    bool found = x.found.kind != FOUND_NOTHING;
    found_fini(&x.found);
    space_fini(&s);
    p.ts.ops->worker_free(worker);
    product_fini(&p);
    free(w);
    return found;
}

/* Of so many random models, the wrong way gets some wrong; ours none of these. */
static void expect_trap(enum wrong_way way, uint64_t seed, int rounds, int least) {
    struct toy_chance chance = {3, 3, 1, 9, 2, 36, random_below};
    int wrong = 0;
    for (int i = 0; i < rounds; i++) {
        struct graph g;
        char text[1000];
        random_start(seed + (uint64_t)i);
        toy_random(&g, &chance);
        struct tree *t;
        do t = tree_random(2 + (int)random_below(4), 2, false);
        while (naive_temporal(t) > 3 && (tree_free(t), true));
        tree_print(t, text, sizeof text);
        bool violated = naive_violated(&g, t);
        if (wrong_violated(&g, text, way) != violated) {
            wrong++;
            expect_everywhere(&g, text, violated ? VERDICT_VIOLATED : VERDICT_HOLDS);
        }
        tree_free(t);
        graph_fini(&g);
    }
    print_message("wrong way %d: %d of %d are wrong\n", (int)way, wrong, rounds);
    assert_true(wrong >= least);
}

/* p0 holds n times, and then never again: what one cannot tell n of. But one part of the automaton accepts odd n, and
 * the other one even n, and each comes back to a state of its cycle where p0 must go on. */
static void count_to_odd_and_even(struct ba *a) {
    enum { START, ODD, NEXT, FIRST, EVEN, AFTER, DONE, STATES };
    static const uint32_t while_p0[][2] = {{START, ODD},  {ODD, NEXT},   {NEXT, ODD},  {START, FIRST},
                                           {FIRST, EVEN}, {EVEN, AFTER}, {AFTER, EVEN}};
    static const uint32_t without[][2] = {{ODD, DONE}, {EVEN, DONE}, {DONE, DONE}};
    struct ba_builder b;
    ba_build(&b, NULL);
    names_add(&b.propositions, "p0");
    b.sets = 1;
    b.by_state = true;
    for (uint32_t q = 0; q < STATES; q++) ba_build_state(&b, q == DONE ? ACCEPT_INFINITE : 0);
    ba_build_initial(&b, START);
    for (size_t i = 0; i < COUNT(while_p0); i++)
        ba_build_edge(&b, while_p0[i][0], (struct cube){1, 1}, 0, while_p0[i][1]);
    for (size_t i = 0; i < COUNT(without); i++) ba_build_edge(&b, without[i][0], (struct cube){1, 0}, 0, without[i][1]);
    ba_build_finish(&b, a);
}

/* One process goes around for ever, the other one ends p0. */
static void test_stack_of_product(void **state) {
    struct graph g;
    struct ba ba;
    (void)state;
    graph_init(&g, 2, 2, 1);
    *graph_next(&g, 0, 0) = 0;
    *graph_next(&g, 1, 0) = 1;
    *graph_next(&g, 0, 1) = 1;
    g.values[0] = 1;
    graph_derive_obligations(&g, true);
    graph_derive_changes(&g, 1);
    count_to_odd_and_even(&ba);
    assert_false(wrong_search(&g, &ba, IN_STACK)); /* wrong: it is a trap */
    assert_true(our_search(&g, &ba, NULL, emptiness_tarjan, false));
    assert_true(our_search(&g, &ba, NULL, emptiness_tarjan, true));
    assert_true(our_search(&g, &ba, NULL, emptiness_nested, true));
    ba_fini(&ba);
    graph_fini(&g);
}

static void test_ignoring(void **state) {
    (void)state;
    expect_trap(IGNORING, 1100000, ROUNDS(1500), 3);
}

static void test_divergence(void **state) {
    (void)state;
    expect_trap(ALL_VISIBLE, 1200000, ROUNDS(1500), 3);
}

/* ---- 2: weak sets ----
 *
 * t and k are invisible and exclude each other; k is possible at any time, and t at the beginning and after both of a1
 * and a2, but not between them. {t, k} is a weak stubborn set of state 0, for k stays enabled; t a1 a2 leads where a1
 * a2 t does. But p0 holds between a1 and a2 only if t comes later. After t, r can occur, and makes p1 true. */

enum { T, K, A1, A2, R };

static void weak_model(struct graph *g) {
    static const uint32_t edges[][3] = {{0, A1, 1}, {1, A2, 2}, {2, T, 3},  {0, T, 4}, {4, A1, 5}, {5, A2, 3},
                                        {0, K, 6},  {6, A1, 7}, {7, A2, 8}, {1, K, 7}, {2, K, 8},  {3, R, 9}};
    graph_init(g, 10, 5, 1);
    for (size_t i = 0; i < COUNT(edges); i++) *graph_next(g, edges[i][0], edges[i][1]) = edges[i][2];
    g->values[1] = g->values[7] = 1;
    g->values[9] = 2;
    graph_derive_obligations(g, false);
    graph_derive_changes(g, 2);
}

/* Accepts if nothing ever happens, or if p0 holds and ceases, and then p1 holds. */
static void watch_both(struct ta *a) {
    struct ta_builder b;
    ta_build(&b, NULL);
    names_add(&b.propositions, "p0");
    names_add(&b.propositions, "p1");
    for (uint32_t q = 0; q < 4; q++) ta_build_state(&b, 0, q == 0 ? ACCEPT_LIVELOCK : q == 3 ? ACCEPT_FINITE : 0);
    ta_build_initial(&b, 0, 0);
    ta_build_edge(&b, 0, 1, 1);
    ta_build_edge(&b, 1, 1, 2);
    ta_build_edge(&b, 2, 2, 3);
    ta_build_finish(&b, a);
}

static void test_weak_sets(void **state) {
    struct ta ta;
    struct graph g;
    struct audit_finding finding;
    bool cut = false;
    word start;
    (void)state;
    weak_model(&g);
    assert_false(g.changes[T] || g.changes[K] || g.changes[5 + T] || g.changes[5 + K]);
    watch_both(&ta);
    assert_true(our_search(&g, NULL, &ta, emptiness_one_pass, false));
    assert_true(our_search(&g, NULL, &ta, emptiness_one_pass, true));
    struct ts_worker *w = graph_worker(&g);
    struct audit *audit = audit_new(&g.ts, w, 1000);
    graph_encode(&g, 0, &start);
    assert_true(audit_obligations(audit, &start, &finding, &cut));
    /* The weak rules. */
    bool *row = graph_obliges(&g, 0, T);
    assert_true(row[A1] && row[K]);
    row[A1] = row[A2] = row[R] = false;
    row = graph_obliges(&g, 0, K);
    row[A1] = row[A2] = row[R] = false;
    assert_true(row[T]);
    assert_false(our_search(&g, NULL, &ta, emptiness_one_pass, true)); /* wrong: it is a trap */
    assert_false(audit_obligations(audit, &start, &finding, &cut));
    assert_int_equal(finding.fault, AUDIT_D2);
    audit_free(audit);
    free(w);
    ta_fini(&ta);
    graph_fini(&g);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_of_product),
        cmocka_unit_test(test_ignoring),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_weak_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
