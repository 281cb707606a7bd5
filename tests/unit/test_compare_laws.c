/* What is known of the relations among each other and of operators, on random LTSs: inclusions, divergence, congruence,
 * order. COMPARE_ROUNDS=... in the environment tries so many times as many. */
#include "unit.h"

#include "compare/compare.h"
#include "tiny.h"

static uint32_t rounds(uint32_t n) {
    const char *times = getenv("COMPARE_ROUNDS");
    return ROUNDS(n) * (times ? (uint32_t)strtoul(times, NULL, 0) : 1);
}

static bool related_also(const struct tiny *x, const struct tiny *y, enum lts_relation r, bool preorder,
                         bool stability) {
    struct lts a, b;
    struct comparison c;
    struct problem why = {0};
    struct comparison_question q = {.relation = r, .preorder = preorder, .stability = stability, .no_witness = true};
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

static bool related(const struct tiny *x, const struct tiny *y, enum lts_relation r, bool preorder) {
    return related_also(x, y, r, preorder, false);
}

/* Strong is a preorder, too, but by another name: simulation. */
static bool has_preorder(enum lts_relation r) { return relation_row(r)->preorder == r; }

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

/* Those of the picture in doc/COMPARE.md: none follows from others. */
static const enum lts_relation includes[][2] = {
    {RELATION_STRONG, RELATION_BRANCHING_DIV},
    {RELATION_STRONG, RELATION_READY_SIMULATION},
    {RELATION_BRANCHING_DIV, RELATION_BRANCHING},
    {RELATION_BRANCHING_DIV, RELATION_WEAK_DIV},
    {RELATION_BRANCHING, RELATION_WEAK},
    {RELATION_BRANCHING, RELATION_TAUSTAR},
    {RELATION_WEAK_DIV, RELATION_WEAK},
    {RELATION_WEAK_DIV, RELATION_CFFD},
    {RELATION_WEAK, RELATION_COUPLED_SIMULATION},
    {RELATION_COUPLED_SIMULATION, RELATION_TREE_FAILURES},
    {RELATION_COUPLED_SIMULATION, RELATION_WEAK_SIMULATION},
    {RELATION_TAUSTAR, RELATION_WEAK_SIMULATION},
    {RELATION_READY_SIMULATION, RELATION_SIMULATION},
    {RELATION_READY_SIMULATION, RELATION_STRONG_FAILURES},
    {RELATION_SIMULATION, RELATION_STRONG_TRACE},
    {RELATION_SIMULATION, RELATION_WEAK_SIMULATION},
    {RELATION_STRONG_FAILURES, RELATION_STRONG_TRACE},
    {RELATION_STRONG_FAILURES, RELATION_CFFD},
    {RELATION_STRONG_TRACE, RELATION_TRACE},
    {RELATION_WEAK_SIMULATION, RELATION_TRACE},
    {RELATION_TREE_FAILURES, RELATION_FAIR_TESTING},
    {RELATION_FAIR_TESTING, RELATION_ORDINARY_FAILURES},
    {RELATION_ORDINARY_FAILURES, RELATION_TRACE},
    {RELATION_CFFD, RELATION_NDFD},
    {RELATION_CFFD, RELATION_CSP_STABLE_FAILURES},
    {RELATION_NDFD, RELATION_FAILURES_DIVERGENCES},
    {RELATION_NDFD, RELATION_TRACE},
    {RELATION_CSP_STABLE_FAILURES, RELATION_STABLE_FAILURES},
    {RELATION_CSP_STABLE_FAILURES, RELATION_TRACE},
};

/* implies[i][j]: by those, but for number `without`. */
static void close_inclusions(size_t without, bool implies[RELATIONS][RELATIONS]) {
    memset(implies, 0, RELATIONS * sizeof *implies);
    for (int i = 0; i < RELATIONS; i++) implies[i][i] = true;
    for (int round = 0; round < RELATIONS; round++)
        for (size_t k = 0; k < COUNT(includes); k++)
            for (int i = 0; i < RELATIONS; i++)
                if (k != without) implies[i][includes[k][1]] |= implies[i][includes[k][0]];
}

struct verdicts {
    bool holds[2][RELATIONS]; /* equivalences, preorders: of those that are preorders by their own name */
};

static struct verdicts verdicts_of(const struct tiny *x, const struct tiny *y) {
    struct verdicts v = {0};
    for (int r = 0; r < RELATIONS; r++) {
        v.holds[0][r] = related(x, y, (enum lts_relation)r, false);
        if (has_preorder((enum lts_relation)r)) v.holds[1][r] = related(x, y, (enum lts_relation)r, true);
    }
    return v;
}

/* Adds to `apart` what holds without the other. What is implied is never so. */
static void look_at_pair(const struct tiny *x, const struct tiny *y, uint32_t apart[2][RELATIONS][RELATIONS]) {
    bool implies[RELATIONS][RELATIONS];
    struct verdicts v = verdicts_of(x, y);
    close_inclusions(COUNT(includes), implies);
    for (int preorder = 0; preorder < 2; preorder++)
        for (int i = 0; i < RELATIONS; i++)
            for (int j = 0; j < RELATIONS; j++) {
                if (!v.holds[preorder][i] || v.holds[preorder][j]) continue;
                if (preorder && !has_preorder((enum lts_relation)j)) continue;
                if (implies[i][j]) broken(relation_name((enum lts_relation)j), (enum lts_relation)i, x, y);
                apart[preorder][i][j]++;
            }
}

static void test_inclusions(void **state) {
    uint32_t n = rounds(1500), apart[2][RELATIONS][RELATIONS] = {{{0}}}, usual = 0;
    (void)state;
    random_start(11), tiny_seed(11);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y);
        look_at_pair(&x, &y, apart);
    }
    for (int i = 0; i < RELATIONS; i++)
        for (int j = 0; j < RELATIONS; j++) usual += apart[0][i][j] > n / 20;
    assert_true(usual > 150); /* random pairs tell most relations apart */
}

/* Each relation that is not implied is told apart from the other by one of these, as an equivalence and as a preorder,
 * with x below y or y below x. */
static const char *const differ[][2] = {
    {"0-tau->0", ""},
    {"0-tau->0 0-tau->1 0-a->0", "0-tau->0 0-a->0"},
    {"0-tau->1", ""},
    {"0-tau->0", "0-tau->0 0-tau->1 1-tau->0 1-a->1"},
    {"0-tau->1 0-a->0 0-a->1 0-a->2 2-a->1", "0-tau->1 0-tau->2 0-a->0 0-a->1"},
    {"0-b->0 0-b->1 1-a->3 1-b->1 2-tau->1 2-a->1 3-b->0", "0-b->0 0-b->1 1-tau->1 1-a->3 2-tau->1 2-a->1 3-b->0"},
    {"0-a->0 0-a->1", "0-a->0"},
    {"0-a->0 0-a->1 1-tau->0 1-tau->2 1-a->2", "0-a->0 0-a->1 1-tau->0 1-tau->2"},
    {"0-tau->0 0-a->0", "0-tau->0"},
    {"0-tau->2 0-a->0 0-a->1 2-a->3", "0-a->0 0-a->1 2-a->3"},
    {"0-tau->0 0-b->0 0-b->2 1-tau->2 1-a->0 2-tau->1 2-tau->2 2-tau->3 3-a->0 3-a->3 3-b->0 3-b->2",
     "0-tau->0 0-b->0 0-b->2 1-tau->2 1-a->0 2-tau->1 2-tau->2 2-tau->3 3-a->0 3-a->3 3-b->0"},
    {"0-tau->0 0-tau->1", "0-tau->0 0-tau->1 0-tau->2 2-tau->2"},
    {"0-tau->0 0-tau->1 0-a->0 1-tau->1", "0-tau->0 0-a->0 1-tau->1"},
    {"0-tau->0 0-a->2 1-tau->0 1-tau->2 1-tau->4 1-b->2 2-a->0 2-b->1 3-tau->3 3-a->5 4-tau->5 4-b->5 5-a->3 5-b->4",
     "0-tau->0 0-tau->3 0-a->2 1-tau->0 1-tau->2 1-tau->4 1-b->2 2-a->0 2-b->1 3-tau->3 3-a->5 4-tau->5 4-b->5 5-a->3 "
     "5-b->4"},
    {"0-tau->1 0-tau->2 0-a->1 1-tau->1 1-b->0 2-tau->3 3-b->2", "0-tau->1 0-a->1 1-tau->1 1-b->0 2-tau->3 3-b->2"},
    {"0-tau->2 0-a->1 2-tau->0 2-tau->1 2-b->2", "0-tau->2 0-a->1 2-tau->1 2-b->0 2-b->2"},
    {"0-tau->0 0-b->0 0-b->2 1-a->0 1-a->1 1-b->0 2-a->0 2-a->2",
     "0-tau->0 0-b->0 0-b->1 0-b->2 1-a->0 1-a->1 1-b->0 2-tau->2 2-a->0 2-a->2"},
    /* Invisible steps without end, with a way out or without: ready simulation sees it one way only. */
    {"0-a->1 0-a->3 1-tau->1 1-tau->2 2-tau->2 2-b->2 3-tau->3", "0-a->1 1-tau->1 1-tau->2 2-tau->2 2-b->2"},
};

static void test_differences(void **state) {
    bool implies[RELATIONS][RELATIONS];
    uint32_t apart[2][RELATIONS][RELATIONS] = {{{0}}};
    (void)state;
    for (size_t i = 0; i < COUNT(differ); i++) {
        struct tiny x = tiny_read(differ[i][0]), y = tiny_read(differ[i][1]);
        look_at_pair(&x, &y, apart);
        look_at_pair(&y, &x, apart);
    }
    close_inclusions(COUNT(includes), implies);
    for (int preorder = 0; preorder < 2; preorder++)
        for (int i = 0; i < RELATIONS; i++)
            for (int j = 0; j < RELATIONS; j++) {
                if (implies[i][j] || apart[preorder][i][j]) continue;
                if (preorder && (!has_preorder((enum lts_relation)i) || !has_preorder((enum lts_relation)j))) continue;
                fail_msg("%s%s: it does not imply %s, but nothing shows that", relation_name((enum lts_relation)i),
                         preorder ? " (preorder)" : "", relation_name((enum lts_relation)j));
            }
}

/* The picture has no arrow that others imply. */
static void test_picture(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(includes); k++) {
        bool implies[RELATIONS][RELATIONS];
        close_inclusions(k, implies);
        assert_false(implies[includes[k][0]][includes[k][1]]);
    }
}

/* Equivalence is the preorder both ways. */
static void test_both_ways(void **state) {
    uint32_t n = rounds(800), one_way = 0;
    (void)state;
    random_start(12), tiny_seed(12);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y);
        for (int r = 0; r < RELATIONS; r++) {
            enum lts_relation relation = (enum lts_relation)r;
            if (!has_preorder(relation)) continue;
            bool below = related(&x, &y, relation, true), above = related(&y, &x, relation, true);
            if (related(&x, &y, relation, false) != (below && above)) broken("not both ways", relation, &x, &y);
            one_way += below != above;
        }
    }
    assert_true(one_way > n);
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
        for (int r = 0; r < RELATIONS; r++)
            if (relation_row((enum lts_relation)r)->tau == TAU_VANISHES &&
                !related(&x, &y, (enum lts_relation)r, false))
                broken("a tau loop is seen", (enum lts_relation)r, &x, &y);
        seen += !related(&x, &y, RELATION_CFFD, false) && !related(&x, &y, RELATION_STABLE_FAILURES, false);
    }
    assert_true(seen > n / 2);
}

/* ---- Congruence ---- */

enum context { IN_PARALLEL, HIDDEN, RENAMED, AFTER_A_STEP, IN_A_CHOICE, CONTEXTS };

/* The same around both. */
static void put_in_context(struct tiny *x, struct tiny *y, enum context kind) {
    uint32_t labels = random_below(1u << TINY_LABELS) & ~1u;
    int to[TINY_LABELS] = {0}, label = (int)random_below((uint32_t)x->labels);
    struct tiny z = tiny_random(2, x->labels, 1 + random_below(6), 25);
    for (int a = 1; a < x->labels; a++) to[a] = 1 + (int)random_below((uint32_t)x->labels - 1);
    for (int side = 0; side < 2; side++) {
        struct tiny *t = side ? y : x;
        switch (kind) {
        case IN_PARALLEL: *t = tiny_parallel(t, &z, labels); break;
        case HIDDEN: *t = tiny_hide(t, labels); break;
        case RENAMED: *t = tiny_rename(t, to); break;
        case AFTER_A_STEP: *t = tiny_prefix(t, label); break;
        case IN_A_CHOICE: *t = tiny_choice(t, &z); break;
        case CONTEXTS: break;
        }
    }
}

/* Contexts that do not keep a relation, besides choice; with an example (parallel with z, or with labels a hidden, or
 * after the step a). */
static const struct {
    enum lts_relation relation;
    bool preorder;
    enum context context;
    const char *x, *y;
} loses[] = {
    {RELATION_TAUSTAR, false, IN_PARALLEL, "0-tau->1 0-tau->2 1-a->3 2-b->3", "0-a->1 0-b->1"},
    {RELATION_ORDINARY_FAILURES, false, HIDDEN, "0-a->0 0-a->1 1-a->1 0-b->0", "0-a->0 0-a->1 1-a->0 0-b->0"},
    {RELATION_ORDINARY_FAILURES, true, HIDDEN, "0-a->0 0-a->1 1-a->1 0-b->0", "0-a->0 0-a->1 1-a->0 0-b->0"},
    {RELATION_TREE_FAILURES, true, AFTER_A_STEP, "0-tau->1", "0-tau->1 0-b->1"},
    {RELATION_COUPLED_SIMULATION, true, AFTER_A_STEP, "", "0-tau->1 0-b->1"},
};

static void test_no_congruence(void **state) {
    struct tiny z = tiny_read("0-c->1");
    (void)state;
    for (size_t i = 0; i < COUNT(loses); i++) {
        struct tiny x = tiny_read(loses[i].x), y = tiny_read(loses[i].y);
        assert_true(related(&x, &y, loses[i].relation, loses[i].preorder));
        for (int side = 0; side < 2; side++) {
            struct tiny *t = side ? &y : &x;
            if (loses[i].context == IN_PARALLEL) *t = tiny_parallel(t, &z, 0);
            if (loses[i].context == HIDDEN) *t = tiny_hide(t, 1u << 1);
            if (loses[i].context == AFTER_A_STEP) *t = tiny_prefix(t, 1);
        }
        assert_false(related(&x, &y, loses[i].relation, loses[i].preorder));
    }
}

/* Choice keeps these; with initial stability, also those that follow; no others. The preorder of coupled simulation it
 * does not keep in any case. */
static const enum lts_relation chosen[] = {RELATION_STRONG,          RELATION_READY_SIMULATION, RELATION_SIMULATION,
                                           RELATION_WEAK_SIMULATION, RELATION_TAUSTAR,          RELATION_TRACE,
                                           RELATION_STRONG_TRACE,    RELATION_STRONG_FAILURES};
static const enum lts_relation chosen_with_stability[] = {RELATION_ORDINARY_FAILURES,
                                                          RELATION_STABLE_FAILURES,
                                                          RELATION_CSP_STABLE_FAILURES,
                                                          RELATION_CFFD,
                                                          RELATION_NDFD,
                                                          RELATION_FAILURES_DIVERGENCES,
                                                          RELATION_TREE_FAILURES,
                                                          RELATION_FAIR_TESTING,
                                                          RELATION_COUPLED_SIMULATION};

static bool is_among(enum lts_relation r, const enum lts_relation *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == r) return true;
    return false;
}

static bool keeps(enum lts_relation r, bool preorder, bool stability, enum context kind) {
    for (size_t i = 0; i < COUNT(loses); i++)
        if (loses[i].relation == r && loses[i].preorder == preorder && loses[i].context == kind) return false;
    if (r == RELATION_COUPLED_SIMULATION && preorder && kind == IN_A_CHOICE) return false;
    return kind != IN_A_CHOICE || is_among(r, chosen, COUNT(chosen)) ||
           (stability && is_among(r, chosen_with_stability, COUNT(chosen_with_stability)));
}

struct kept {
    uint32_t tried, lost; /* how often */
};

static void try_context(const struct tiny *x, const struct tiny *y, enum lts_relation r, bool preorder, bool stability,
                        enum context kind, struct kept *kept) {
    struct tiny in_x = *x, in_y = *y;
    if (!related_also(x, y, r, preorder, stability)) return;
    put_in_context(&in_x, &in_y, kind);
    kept->tried++;
    if (related(&in_x, &in_y, r, preorder)) return;
    kept->lost++;
    if (!keeps(r, preorder, stability, kind)) return;
    tiny_print("x", x);
    tiny_print("y", y);
    broken("no congruence", r, &in_x, &in_y);
}

static void test_congruence(void **state) {
    static struct kept kept[RELATIONS][2][2][CONTEXTS];
    uint32_t n = rounds(4000);
    (void)state;
    random_start(14), tiny_seed(14);
    memset(kept, 0, sizeof kept);
    for (uint32_t i = 0; i < n; i++) {
        struct tiny x, y;
        make_pair(&x, &y);
        if (memcmp(&x, &y, sizeof x) == 0 || x.count > 7 || y.count > 7) continue;
        enum context kind = (enum context)random_below(CONTEXTS);
        for (int r = 0; r < RELATIONS; r++)
            for (int preorder = 0; preorder <= has_preorder((enum lts_relation)r); preorder++)
                for (int stability = 0; stability <= (kind == IN_A_CHOICE); stability++)
                    try_context(&x, &y, (enum lts_relation)r, preorder, stability, kind,
                                &kept[r][preorder][stability][kind]);
    }
    for (int r = 0; r < RELATIONS; r++)
        for (int preorder = 0; preorder <= has_preorder((enum lts_relation)r); preorder++)
            for (int kind = 0; kind < CONTEXTS; kind++) assert_true(kept[r][preorder][0][kind].tried > n / 50);
    /* Choice does not keep the others, and that is seen often. */
    for (int r = 0; r < RELATIONS; r++)
        for (int stability = 0; stability < 2; stability++) {
            const struct kept *k = &kept[r][0][stability][IN_A_CHOICE];
            assert_true(keeps((enum lts_relation)r, false, stability, IN_A_CHOICE) || k->lost > 0 || k->tried < 400);
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
            bool preorder = has_preorder(relation) && random_chance(80);
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
        cmocka_unit_test(test_inclusions),    cmocka_unit_test(test_differences),  cmocka_unit_test(test_picture),
        cmocka_unit_test(test_both_ways),     cmocka_unit_test(test_tau_loops),    cmocka_unit_test(test_congruence),
        cmocka_unit_test(test_no_congruence), cmocka_unit_test(test_transitivity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
