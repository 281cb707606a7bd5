/* Bisimilarities and simulations against their definitions, on random small LTSs; every formula too. Initial
 * stability; known examples and names of all relations. */
#include "compared.h"

#include "base/text.h"

/* ---- Bisimulations ---- */

/* The states of which a formula is true, from what hml.h says. */
static states true_of(const struct tiny *t, const struct formula *f, uint32_t node) {
    const struct formula_node *n = &f->node[node];
    states all = (1u << t->count) - 1, result = 0;
    if (n->kind == IS_TRUE) return all;
    states right = true_of(t, f, n->right),
           left = n->kind == IS_AND || n->kind == IS_UNTIL ? true_of(t, f, n->left) : 0;
    if (n->kind == IS_NOT) return all & ~right;
    if (n->kind == IS_AND) return left & right;
    for (int s = 0; s < t->count; s++) {
        bool is = false;
        states here = 1u << s, way = here & left;
        if (n->kind == IS_STEP) is = t->to[s][n->label] & right;
        if (n->kind == IS_WEAK_STEP) is = (n->label ? tiny_after(t, here, (int)n->label) : tiny_close(t, here)) & right;
        if (n->kind == IS_UNTIL) {
            for (int i = 0; i < t->count; i++)
                for (int r = 0; r < t->count; r++)
                    if (way >> r & 1) way |= t->to[r][0] & left;
            for (int r = 0; r < t->count; r++) is |= (way >> r & 1) && (t->to[r][n->label] & right);
            is |= n->label == LTS_TAU && (right & here);
        }
        if (n->kind == IS_LOOP) {
            way = here & right; /* where it can be after so many steps */
            for (int i = 0; i <= t->count; i++) {
                states next = 0;
                for (int r = 0; r < t->count; r++)
                    if (way >> r & 1) next |= t->to[r][0] & right;
                way = next;
            }
            is = way;
        }
        if (is) result |= here;
    }
    return result;
}

static void check_formula(const struct tiny *x, const struct tiny *y, const struct comparison *c, enum lts_relation r) {
    if (c->witness != WITNESS_FORMULA) disagree(x, y, r, "no formula");
    for (int side = 0; side < 2; side++) {
        bool holds = true_of(side ? y : x, &c->formula, c->formula.root) & 1;
        if (holds != (side == c->side)) disagree(x, y, r, "the formula does not tell them apart");
    }
}

/* Each relation has its own kinds of formulas; others might tell apart what is related. */
static const struct kinds {
    enum lts_relation relation;
    uint32_t steps; /* the kinds of steps, a bit for each */
    bool not ;
} kinds[] = {
    {RELATION_STRONG, 1u << IS_STEP, true},
    {RELATION_BRANCHING, 1u << IS_UNTIL, true},
    {RELATION_BRANCHING_DIV, 1u << IS_UNTIL | 1u << IS_LOOP, true},
    {RELATION_WEAK, 1u << IS_WEAK_STEP, true},
    {RELATION_WEAK_DIV, 1u << IS_WEAK_STEP | 1u << IS_LOOP, true},
    {RELATION_COUPLED_SIMULATION, 1u << IS_WEAK_STEP, true},
    {RELATION_READY_SIMULATION, 1u << IS_STEP, true},
    {RELATION_SIMULATION, 1u << IS_STEP, false},
    {RELATION_WEAK_SIMULATION, 1u << IS_WEAK_STEP, false},
    {RELATION_TAUSTAR, 1u << IS_STEP | 1u << IS_WEAK_STEP, true},
};

static bool is_simple(const struct formula *f, uint32_t node) {
    const struct formula_node *n = &f->node[node];
    return n->kind == IS_STEP && n->right == FORMULA_TRUE;
}

/* Where a kind of step may be used in one way only. */
static bool well_used(const struct formula *f, const struct formula_node *n, enum lts_relation r) {
    const struct formula_node *right = &f->node[n->right];
    if (r == RELATION_READY_SIMULATION && n->kind == IS_NOT) return is_simple(f, n->right);
    if (r == RELATION_TAUSTAR && n->kind == IS_WEAK_STEP) return n->label == LTS_TAU && right->kind == IS_STEP;
    if (r == RELATION_TAUSTAR && n->kind == IS_STEP) return n->label != LTS_TAU;
    if (r == RELATION_WEAK_DIV && n->kind == IS_LOOP) return right->kind == IS_WEAK_STEP && right->label == LTS_TAU;
    return true;
}

static void check_kinds(const struct tiny *x, const struct tiny *y, const struct formula *f, enum lts_relation r) {
    const struct kinds *row = kinds;
    while (row->relation != r) row++;
    for (uint32_t i = 0; i < f->count; i++) {
        const struct formula_node *n = &f->node[i];
        bool plain = n->kind == IS_TRUE || n->kind == IS_AND;
        if (n->kind == IS_NOT ? !row->not : !plain && !(row->steps >> n->kind & 1)) disagree(x, y, r, "a wrong kind");
        if (!well_used(f, n, r)) disagree(x, y, r, "a wrong use of a kind");
    }
}

typedef bool naive_relation(const struct tiny *x, const struct tiny *y);

/* `decide` is about the preorder, if there is one. */
static void check_relation(enum lts_relation r, bool preorder, naive_relation *decide, int most, uint32_t n) {
    uint32_t yes = 0, no = 0;
    enum lts_relation meant = preorder ? relation_row(r)->preorder : r;
    bool simulation = relation_row(meant)->family == FAMILY_SIMULATION;
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y, most);
        if (relation_row(r)->tau == TAU_MAY_LOOP && x.count + y.count > 8) continue;
        bool holds = decide(&x, &y) && (preorder || !simulation || decide(&y, &x));
        struct comparison c = compare(&x, &y, r, preorder);
        if (c.holds != holds) disagree(&x, &y, r, holds ? "related" : "not related");
        if (!c.holds) check_formula(&x, &y, &c, r);
        if (!c.holds) check_kinds(&x, &y, &c.formula, meant);
        if (!c.holds) check_lone(&x, &y, &c, r, preorder);
        ++*(c.holds ? &yes : &no);
        comparison_fini(&c);
    }
    print_message("%s%s: %u yes, %u no\n", relation_name(r), preorder ? " (preorder)" : "", yes, no);
    assert_true(yes > n / 10 && no > n / 10);
}

/* CADP's safety is by tau* a. */
static bool weakly_simulated(const struct tiny *x, const struct tiny *y) {
    bool holds = tiny_weakly_simulated(x, y);
    if (holds != tiny_safe(x, y)) disagree(x, y, RELATION_WEAK_SIMULATION, "safety is something else");
    return holds;
}

static void test_bisimulations(void **state) {
    (void)state;
    random_start(4), tiny_seed(4);
    check_relation(RELATION_STRONG, false, tiny_strong, 5, rounds(5000));
    check_relation(RELATION_WEAK, false, tiny_weak, 5, rounds(5000));
    check_relation(RELATION_BRANCHING, false, tiny_branching, 5, rounds(5000));
    check_relation(RELATION_TAUSTAR, false, tiny_taustar, 5, rounds(5000));
    check_relation(RELATION_BRANCHING_DIV, false, tiny_branching_div, 3, rounds(3000));
    check_relation(RELATION_WEAK_DIV, false, tiny_weak_div, 3, rounds(3000));
}

static void test_simulations(void **state) {
    static const struct {
        enum lts_relation relation;
        bool preorder;
        naive_relation *decide;
    } rows[] = {
        {RELATION_STRONG, true, tiny_simulated},
        {RELATION_WEAK, true, weakly_simulated},
        {RELATION_TAUSTAR, true, weakly_simulated},
        {RELATION_SIMULATION, false, tiny_simulated},
        {RELATION_SIMULATION, true, tiny_simulated},
        {RELATION_READY_SIMULATION, false, tiny_ready_simulated},
        {RELATION_READY_SIMULATION, true, tiny_ready_simulated},
        {RELATION_WEAK_SIMULATION, false, weakly_simulated},
        {RELATION_WEAK_SIMULATION, true, weakly_simulated},
        {RELATION_COUPLED_SIMULATION, false, tiny_coupled_simulated},
        {RELATION_COUPLED_SIMULATION, true, tiny_coupled_simulated},
    };
    (void)state;
    random_start(6), tiny_seed(6);
    for (size_t i = 0; i < COUNT(rows); i++)
        check_relation(rows[i].relation, rows[i].preorder, rows[i].decide, 5, rounds(3000));
}

/* ---- Initial stability ---- */

static void test_stability(void **state) {
    uint32_t n = rounds(3000), differ[2] = {0}, same = 0;
    (void)state;
    random_start(7), tiny_seed(7);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y, 3);
        enum lts_relation r = (enum lts_relation)random_below(RELATIONS);
        bool preorder = relation_row(r)->preorder != RELATIONS && random_chance(50);
        bool stable_x = !x.to[0][0], stable_y = !y.to[0][0],
             fits = preorder ? stable_x || !stable_y : stable_x == stable_y;
        struct comparison plain = compare(&x, &y, r, preorder), c = compare_stably(&x, &y, r, preorder);
        if (c.holds != (plain.holds && fits)) disagree(&x, &y, r, "with initial stability");
        if (!fits && (c.witness != WITNESS_STABILITY || c.side != (stable_x ? 1 : 0)))
            disagree(&x, &y, r, "a wrong witness of stability");
        differ[plain.holds] += !fits;
        same += c.holds;
        comparison_fini(&plain);
        comparison_fini(&c);
    }
    assert_true(differ[0] > n / 20 && differ[1] > n / 50 && same > n / 20);
}

/* ---- Known examples ---- */

static bool related(const char *x, const char *y, enum lts_relation r, bool preorder) {
    struct tiny a = tiny_read(x), b = tiny_read(y);
    struct comparison c = compare(&a, &b, r, preorder);
    bool holds = c.holds;
    comparison_fini(&c);
    return holds;
}

static void test_known_examples(void **state) {
    static const struct {
        const char *x, *y, *related; /* by all of these relations, and by no others */
    } rows[] = {
        /* Divergence is seen by those alone that look for it, for stability, or for single steps. */
        {"0-tau->1 1-b->2", "0-tau->0 0-b->1",
         "branching weak coupled-simulation weak-simulation taustar trace ordinary-failures tree-failures "
         "fair-testing"},
        {"0-a->1 1-b->2 1-c->3", "0-a->1 0-a->2 1-b->3 2-c->4", "trace strong-trace"},
        /* tau.a + tau.b and a + b: taustar does not see what was lost on the way. */
        {"0-tau->1 1-a->2 0-tau->3 3-b->2", "0-a->1 0-b->1", "weak-simulation taustar trace"},
        /* a.(b + c) + a.b and a.(b + c): less than another branch can do is not seen by simulation. */
        {"0-a->1 1-b->2 1-c->3 0-a->4 4-b->5", "0-a->1 1-b->2 1-c->3", "simulation weak-simulation trace strong-trace"},
        /* a.(tau + b) and a.tau + a.b: both can lose b, but only the first can keep it and lose it later. */
        {"0-a->1 1-tau->2 1-b->3", "0-a->1 0-a->2 1-b->3 2-tau->4",
         "weak-simulation trace strong-trace ordinary-failures stable-failures csp-stable-failures cffd ndfd "
         "failures-divergences tree-failures fair-testing"},
        /* Early loss and late loss of a second a: FAIR, after Definition 2. */
        {"0-tau->1 1-a->2 0-tau->3 3-a->4 4-tau->5 4-a->6", "0-a->1 1-tau->2 1-a->3",
         "weak-simulation trace ordinary-failures stable-failures csp-stable-failures cffd ndfd failures-divergences "
         "fair-testing"},
        /* Nothing matters after divergence, in failures-divergences. In NDFD, failures do not. */
        {"0-tau->0 0-a->1", "0-tau->0 0-b->1", "failures-divergences"},
        {"0-tau->0", "0-tau->0 0-a->1 1-a->1", "failures-divergences"},
        {"0-tau->0 0-a->1 0-tau->1", "0-tau->0 0-a->1",
         "simulation weak-simulation taustar trace strong-trace ndfd failures-divergences"},
        /* Third tau law: branching sees it, weak does not. */
        {"0-a->1 1-b->2 1-tau->3", "0-a->1 1-b->2 1-tau->3 0-a->3",
         "weak weak-div coupled-simulation simulation weak-simulation trace strong-trace ordinary-failures "
         "stable-failures csp-stable-failures cffd ndfd failures-divergences tree-failures fair-testing"},
        /* FAIR, Figure 1: b may be refused for ever by the first only, once a is invisible. */
        {"0-tau->0 0-tau->1 1-tau->1 0-b->0", "0-tau->0 0-b->0",
         "simulation weak-simulation taustar trace strong-trace stable-failures csp-stable-failures cffd ndfd "
         "failures-divergences"},
        /* tau.a + tau.b + tau.c and tau.a + tau.(tau.b + tau.c): coupled simulation does not see that a choice may be
         * made in two steps. */
        {"0-tau->1 0-tau->2 0-tau->3 1-a->4 2-b->4 3-c->4", "0-tau->1 0-tau->5 5-tau->2 5-tau->3 1-a->4 2-b->4 3-c->4",
         "coupled-simulation weak-simulation taustar trace ordinary-failures stable-failures csp-stable-failures cffd "
         "ndfd failures-divergences tree-failures fair-testing"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int r = 0; r < RELATIONS; r++) {
            int place;
            bool holds = related(rows[i].x, rows[i].y, (enum lts_relation)r, false);
            if (holds == text_choice(relation_name((enum lts_relation)r), rows[i].related, &place)) continue;
            fail_msg("%s and %s: %s", rows[i].x, rows[i].y, relation_name((enum lts_relation)r));
        }
}

/* ---- Names ---- */

static void test_names(void **state) {
    static const char *const rows[][2] = {
        {"bisim", "strong"},
        {"dpbranching-bisim", "branching-div"},
        {"divbranching", "branching-div"},
        {"weak-bisim", "weak"},
        {"observational", "weak"},
        {"dpweak-bisim", "weak-div"},
        {"sim", "simulation"},
        {"ready-sim", "ready-simulation"},
        {"coupled-sim", "coupled-simulation"},
        {"safety", "weak-simulation"},
        {"weak-trace", "trace"},
        {"weaktrace", "trace"},
        {"traces", "trace"},
        {"tau-star", "taustar"},
        {"weak-failures", "csp-stable-failures"},
        {"branching-bisim", "branching"},
        {"failures-divergence", "failures-divergences"},
        {"impossible-futures", "tree-failures"},
    };
    enum lts_relation found;
    struct problem why = {0};
    int place;
    (void)state;
    for (int r = 0; r < RELATIONS; r++) {
        const struct relation_row *row = relation_row((enum lts_relation)r);
        assert_true(text_choice(row->name, RELATION_NAMES, &place) && place == r);
        assert_int_equal(relation_find(row->name), r);
        assert_true(row->adjective && row->aliases);
        assert_true(row->preorder == RELATIONS || relation_row(row->preorder)->preorder == row->preorder);
    }
    for (size_t i = 0; i < COUNT(rows); i++) assert_string_equal(relation_name(relation_find(rows[i][0])), rows[i][1]);
    assert_false(relation_parse("eq", "failures", RELATION_NAMES, &found, &why));
    assert_non_null(strstr(why.text, "--eq failures: which? strong-failures"));
    problem_fini(&why);
    assert_false(relation_parse("preorder", "simulatoin", "a b", &found, &why));
    assert_non_null(strstr(why.text, "did you mean simulation?\nThere are: a b"));
    problem_fini(&why);
}

static void test_preorders(void **state) {
    (void)state;
    const char *less = "0-a->1", *more = "0-a->1 0-b->1", *choice = "0-tau->1 1-a->2 0-tau->3 3-b->2";
    assert_true(related(less, more, RELATION_TRACE, true));
    assert_false(related(more, less, RELATION_TRACE, true));
    assert_true(related(less, more, RELATION_STRONG, true));
    assert_false(related(more, less, RELATION_STRONG, true));
    assert_false(related(choice, more, RELATION_STRONG, true));
    assert_true(related(choice, more, RELATION_WEAK, true));
    assert_true(related("0-a->1 0-a->2 1-b->3 2-c->3", "0-a->1 1-b->3 1-tau->2 2-c->3", RELATION_WEAK, true));
    assert_false(related("0-a->1 1-b->3 1-c->3", "0-a->1 0-a->2 1-b->3 2-c->3", RELATION_WEAK, true));
    assert_true(related(more, choice, RELATION_STABLE_FAILURES, true));
    assert_false(related(choice, more, RELATION_STABLE_FAILURES, true));
    assert_true(related(more, choice, RELATION_FAIR_TESTING, true));
    assert_false(related(choice, more, RELATION_FAIR_TESTING, true));
    assert_true(related(less, choice, RELATION_FAIR_TESTING, true));
    assert_false(related(less, more, RELATION_FAIR_TESTING, true));
}

static void test_no_preorder(void **state) {
    struct tiny t = tiny_read("0-a->1");
    struct lts l;
    struct comparison c;
    tiny_lts(&t, &l);
    (void)state;
    static const enum lts_relation none[] = {RELATION_BRANCHING, RELATION_BRANCHING_DIV, RELATION_WEAK_DIV};
    for (size_t i = 0; i < COUNT(none); i++) {
        struct problem why = {0};
        struct comparison_question q = {.relation = none[i], .preorder = true};
        assert_false(lts_compare(&l, &l, &q, &c, &why));
        assert_int_equal(why.status, EXIT_BAD_INPUT);
        assert_non_null(strstr(why.text, "no preorder"));
        problem_fini(&why);
    }
    lts_fini(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_examples), cmocka_unit_test(test_names),         cmocka_unit_test(test_preorders),
        cmocka_unit_test(test_no_preorder),    cmocka_unit_test(test_bisimulations), cmocka_unit_test(test_simulations),
        cmocka_unit_test(test_stability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
