/* What is known of the relations among each other and of operators, on random LTSs: inclusions, divergence, congruence,
 * order. COMPARE_ROUNDS=... in the environment tries so many times as many. */
#include "unit.h"

#include "compare/compare.h"
#include "tiny.h"

static uint32_t rounds(uint32_t n) {
    const char *times = getenv("COMPARE_ROUNDS");
    return ROUNDS(n) * (times ? (uint32_t)strtoul(times, NULL, 0) : 1);
}

static bool related(const struct tiny *x, const struct tiny *y, enum lts_relation r, bool preorder) {
    struct lts a, b;
    struct comparison c;
    struct problem why = {0};
    struct comparison_question q = {.relation = r, .preorder = preorder};
    tiny_lts(x, &a);
    tiny_lts(y, &b);
    if (!lts_compare(&a, &b, &q, &c, &why)) {
        tiny_print("x", x);
        tiny_print("y", y);
        fail_msg("%s: %s", relation_name(r), why.text);
    }
    bool holds = c.holds;
    comparison_fini(&c);
    lts_fini(&a);
    lts_fini(&b);
    return holds;
}

static void make_pair(struct tiny *x, struct tiny *y) {
    int states = 1 + (int)random_below(4), labels = 2 + (int)random_below(3);
    *x = tiny_random(states, labels, 1 + random_below((uint32_t)(3 * states)), 20 + random_below(40));
    *y = tiny_mutant(x);
    if (states <= 3 && random_chance(30)) {
        struct tiny t = *x;
        tiny_losing(&t, x, y);
    } else if (random_chance(20)) *y = tiny_random(states, labels, 1 + random_below((uint32_t)(3 * states)), 30);
    if (random_chance(50)) {
        struct tiny swap = *x;
        *x = *y;
        *y = swap;
    }
}

static void broken(const char *law, enum lts_relation r, const struct tiny *x, const struct tiny *y) {
    tiny_print("x", x);
    tiny_print("y", y);
    fail_msg("%s: %s", relation_name(r), law);
}

/* ---- Inclusions ---- */

static const enum lts_relation includes[][2] = {
    {RELATION_STRONG, RELATION_BRANCHING_DIV},
    {RELATION_BRANCHING_DIV, RELATION_BRANCHING},
    {RELATION_BRANCHING, RELATION_WEAK},
    {RELATION_WEAK, RELATION_TREE_FAILURES},
    {RELATION_TREE_FAILURES, RELATION_FAIR_TESTING},
    {RELATION_FAIR_TESTING, RELATION_TRACE},
    {RELATION_BRANCHING_DIV, RELATION_CFFD},
    {RELATION_CFFD, RELATION_STABLE_FAILURES},
    {RELATION_CFFD, RELATION_TRACE},
    {RELATION_CFFD, RELATION_FAILURES_DIVERGENCES},
};

static void test_inclusions(void **state) {
    uint32_t n = rounds(4000), both[COUNT(includes)] = {0}, neither[COUNT(includes)] = {0},
             weaker[COUNT(includes)] = {0};
    (void)state;
    random_start(11), tiny_seed(11);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        bool holds[RELATIONS];
        make_pair(&x, &y);
        for (int r = 0; r < RELATIONS; r++) holds[r] = related(&x, &y, (enum lts_relation)r, false);
        for (size_t k = 0; k < COUNT(includes); k++) {
            bool strong = holds[includes[k][0]], weak = holds[includes[k][1]];
            if (strong && !weak) broken(relation_name(includes[k][1]), includes[k][0], &x, &y);
            both[k] += strong && weak;
            neither[k] += !strong && !weak;
            weaker[k] += !strong && weak;
        }
    }
    for (size_t k = 0; k < COUNT(includes); k++) {
        print_message("%s implies %s: both %u, the latter alone %u, neither %u\n", relation_name(includes[k][0]),
                      relation_name(includes[k][1]), both[k], weaker[k], neither[k]);
        assert_true(both[k] > n / 20 && neither[k] > n / 20 && weaker[k] > n / 1000);
    }
}

/* The same for the preorders that have one. */
static void test_preorder_inclusions(void **state) {
    static const enum lts_relation rows[][2] = {
        {RELATION_TREE_FAILURES, RELATION_FAIR_TESTING},
        {RELATION_FAIR_TESTING, RELATION_TRACE},
        {RELATION_CFFD, RELATION_STABLE_FAILURES},
        {RELATION_CFFD, RELATION_TRACE},
        {RELATION_CFFD, RELATION_FAILURES_DIVERGENCES},
        {RELATION_STRONG, RELATION_WEAK},
        {RELATION_WEAK, RELATION_TRACE},
    };
    uint32_t n = rounds(2500), both[COUNT(rows)] = {0}, neither[COUNT(rows)] = {0}, one_way = 0;
    (void)state;
    random_start(12), tiny_seed(12);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y);
        for (size_t k = 0; k < COUNT(rows); k++) {
            bool strong = related(&x, &y, rows[k][0], true), weak = related(&x, &y, rows[k][1], true);
            if (strong && !weak) broken("preorder inclusion", rows[k][0], &x, &y);
            both[k] += strong && weak;
            neither[k] += !strong && !weak;
            bool back = related(&y, &x, rows[k][0], true);
            bool equivalent =
                rows[k][0] != RELATION_STRONG && rows[k][0] != RELATION_WEAK && related(&x, &y, rows[k][0], false);
            if (rows[k][0] != RELATION_STRONG && rows[k][0] != RELATION_WEAK && equivalent != (strong && back))
                broken("equivalence is the preorder both ways", rows[k][0], &x, &y);
            one_way += strong != back;
        }
    }
    for (size_t k = 0; k < COUNT(rows); k++) assert_true(both[k] > n / 20 && neither[k] > n / 20);
    assert_true(one_way > n / 2);
}

/* ---- Divergence ---- */

/* A tau loop everywhere is seen by those relations alone that look for divergence or stability. */
static void test_tau_loops(void **state) {
    uint32_t n = rounds(1500), seen = 0;
    (void)state;
    random_start(13), tiny_seed(13);
    for (uint32_t i = 0; i < n; i++) {
        int states = 1 + (int)random_below(5);
        struct tiny x = tiny_random(states, 3, random_below((uint32_t)(3 * states)), 30);
        struct tiny y = tiny_with_tau_loop(&x);
        static const enum lts_relation blind[] = {RELATION_FAIR_TESTING, RELATION_TREE_FAILURES, RELATION_TRACE,
                                                  RELATION_WEAK, RELATION_BRANCHING};
        for (size_t k = 0; k < COUNT(blind); k++)
            if (!related(&x, &y, blind[k], false)) broken("a tau loop is seen", blind[k], &x, &y);
        seen += !related(&x, &y, RELATION_CFFD, false) && !related(&x, &y, RELATION_STABLE_FAILURES, false);
    }
    assert_true(seen > n / 2);
}

/* ---- Congruence ---- */

/* The same context around both: in parallel with something, labels hidden, labels renamed, a prefix. */
static void put_in_context(struct tiny *x, struct tiny *y, uint32_t kind) {
    uint32_t labels = random_below(1u << TINY_LABELS) & ~1u;
    if (kind == 0) {
        struct tiny z = tiny_random(2, x->labels, 1 + random_below(6), 25);
        *x = tiny_parallel(x, &z, labels);
        *y = tiny_parallel(y, &z, labels);
    } else if (kind == 1) {
        *x = tiny_hide(x, labels);
        *y = tiny_hide(y, labels);
    } else if (kind == 2) {
        int to[TINY_LABELS] = {0};
        for (int a = 1; a < x->labels; a++) to[a] = 1 + (int)random_below((uint32_t)x->labels - 1);
        *x = tiny_rename(x, to);
        *y = tiny_rename(y, to);
    } else {
        int label = (int)random_below((uint32_t)x->labels);
        *x = tiny_prefix(x, label);
        *y = tiny_prefix(y, label);
    }
}

static bool has_preorder(enum lts_relation r) { return r != RELATION_BRANCHING && r != RELATION_BRANCHING_DIV; }

/* Inclusion of tree failures is not kept by contexts, though equality is: a.tau has (empty, {aa}) and a.(tau + a) has
 * not, while every tree failure of tau is one of tau + a. */
static bool keeps(enum lts_relation r, bool preorder) {
    return !preorder || (has_preorder(r) && r != RELATION_TREE_FAILURES);
}

static void test_congruence(void **state) {
    uint32_t n = rounds(2500), tried[RELATIONS][2] = {{0}};
    (void)state;
    random_start(14), tiny_seed(14);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y);
        if (memcmp(&x, &y, sizeof x) == 0) continue;
        for (int r = 0; r < RELATIONS; r++)
            for (int preorder = 0; preorder < 2; preorder++) {
                enum lts_relation relation = (enum lts_relation)r;
                if (!keeps(relation, preorder) || !related(&x, &y, relation, preorder)) continue;
                struct tiny in_x = x, in_y = y;
                for (uint32_t k = 1 + random_below(2); k > 0; k--)
                    if (in_x.count <= 7 && in_y.count <= 7) put_in_context(&in_x, &in_y, random_below(4));
                tried[r][preorder]++;
                if (related(&in_x, &in_y, relation, preorder)) continue;
                tiny_print("x", &x);
                tiny_print("y", &y);
                broken("no congruence", relation, &in_x, &in_y);
            }
    }
    for (int r = 0; r < RELATIONS; r++) {
        print_message("%s: %u and %u contexts\n", relation_name((enum lts_relation)r), tried[r][0], tried[r][1]);
        assert_true(tried[r][0] > n / 20 && (!keeps((enum lts_relation)r, true) || tried[r][1] > n / 20));
    }
}

/* ---- Order ---- */

static void test_transitivity(void **state) {
    uint32_t n = rounds(1500), tried = 0;
    (void)state;
    random_start(15), tiny_seed(15);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y, z;
        make_pair(&x, &y);
        z = tiny_mutant(&y);
        for (int r = 0; r < RELATIONS; r++) {
            enum lts_relation relation = (enum lts_relation)r;
            bool preorder = has_preorder(relation);
            if (!related(&x, &x, relation, preorder)) broken("not reflexive", relation, &x, &x);
            if (!related(&x, &y, relation, preorder) || !related(&y, &z, relation, preorder)) continue;
            tried++;
            if (related(&x, &z, relation, preorder)) continue;
            tiny_print("between", &y);
            broken("not transitive", relation, &x, &z);
        }
    }
    assert_true(tried > n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inclusions), cmocka_unit_test(test_preorder_inclusions), cmocka_unit_test(test_tau_loops),
        cmocka_unit_test(test_congruence), cmocka_unit_test(test_transitivity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
