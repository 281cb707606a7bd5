/* Graphs of obligations of random networks: sets and closures by their definition, conditions by what they say, D1
 * and D2 of closures by brute force; and FAIR Figure 13. */
#include "unit.h"

#include "base/memory.h"
#include "nets.h"
#include "model/network/network_ts.h"
#include "reduce/audit.h"
#include "reduce/obligation_graph.h"

enum { MOST_UNITS = 64, WALK = 6 };

/* A network, opened in full and reduced, and a state that a random walk leads to. */
struct case_ {
    struct ts *full, *reduced;
    struct ts_worker *w, *wf;
    word state[8];
};

static struct ts *open_network(const struct network *n, struct reduction r) {
    struct problem why = {0};
    struct network copy;
    nets_copy(&copy, n);
    struct ts *ts = network_open(&copy, "test", r, &why);
    assert_non_null(ts);
    return ts;
}

static void case_init(struct case_ *c, const struct network *n, struct reduction r) {
    struct ts_fault fault;
    c->full = open_network(n, (struct reduction){0});
    c->reduced = open_network(n, r);
    c->wf = c->full->ops->worker_new(c->full);
    c->w = c->reduced->ops->worker_new(c->reduced);
    assert_true(c->full->words <= 8);
    assert_true(c->full->ops->initial(c->wf, c->state, &fault));
    for (uint32_t k = random_below(WALK); k > 0 && c->full->transitions > 0; k--) {
        word next[8];
        if (c->full->ops->fire(c->wf, c->state, random_below(c->full->transitions), next, &fault) == 1)
            memcpy(c->state, next, c->full->words * sizeof(word));
    }
}

static void case_fini(struct case_ *c) {
    c->full->ops->worker_free(c->wf);
    c->reduced->ops->worker_free(c->w);
    c->full->ops->close(c->full);
    c->reduced->ops->close(c->reduced);
}

static bool has_edge(const struct obligation_graph *g, uint32_t u, uint32_t v, unsigned *conditions) {
    for (uint32_t e = 0; e < g->vertex[u].count; e++)
        if (g->vertex[u].to[e].to == v) return *conditions = g->vertex[u].to[e].conditions, true;
    return false;
}

/* What the units of a set reach, the slow way. */
static void naive_closure(const struct obligation_graph *g, bool *set) {
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t u = 0; u < g->count; u++)
            for (uint32_t e = 0; set[u] && e < g->vertex[u].count; e++) {
                grows |= !set[g->vertex[u].to[e].to];
                set[g->vertex[u].to[e].to] = true;
            }
    }
}

static void check_conditions(const struct obligation_graph *g, const struct case_ *c) {
    enum preserve p = c->reduced->reduction.preserve;
    for (uint32_t u = 0; u < g->count; u++)
        for (uint32_t v = 0; v < g->count; v++) {
            const struct ts_unit *a = &g->vertex[u].unit, *b = &g->vertex[v].unit;
            unsigned by = 0;
            bool edge = has_edge(g, u, v, &by);
            if (u == v) assert_false(edge);
            if (u == v) continue;
            if (edge) assert_true(by != 0);
            if (!a->enabled) assert_true((by & ~(unsigned)TS_BY_D1) == 0);
            bool asks = a->enabled && a->visible && b->visible;
            if (p < PRESERVE_DEADLOCK_TRACES) assert_false(by & (TS_BY_V | TS_BY_C2));
            if (asks && (p == PRESERVE_TRACES || p == PRESERVE_FAIR_TESTING)) assert_true(by & TS_BY_V);
            if (p == PRESERVE_TREE_FAILURES && a->enabled && a->visible && (b->visible || b->enabled))
                assert_true(by & TS_BY_C2);
            if ((by & (TS_BY_V | TS_BY_C2))) assert_true(a->enabled && a->visible);
        }
}

/* Closed sets satisfy D1 and D2. */
static void check_closure(const struct obligation_graph *g, struct case_ *c, const bool *closed) {
    struct audit *audit = audit_new(c->full, c->wf, 4000);
    struct audit_finding finding;
    bool *set = memory_get_zeroed(c->full->transitions + 1u), cut = false;
    for (uint32_t u = 0; u < g->count; u++)
        for (uint32_t k = 0; closed[u] && k < g->vertex[u].unit.transitions; k++)
            set[g->vertex[u].unit.transition + k] = true;
    assert_true(audit_set(audit, c->state, set, false, &finding, &cut));
    free(set);
    audit_free(audit);
}

static void check_way(const struct obligation_graph *g, uint32_t *ways) {
    unsigned by;
    if (g->way_count == 0) return;
    ++*ways;
    assert_true(g->vertex[g->way[0]].unit.starts);
    assert_true(g->vertex[g->way[g->way_count - 1]].member);
    for (uint32_t k = 0; k + 1 < g->way_count; k++) {
        assert_false(g->vertex[g->way[k]].member);
        assert_true(has_edge(g, g->way[k], g->way[k + 1], &by));
    }
}

static void check_graph(struct case_ *c, bool errs, uint32_t *ways, uint32_t *sets) {
    struct obligation_graph g;
    struct ts_fault fault;
    bool closed[MOST_UNITS] = {false}, members[MOST_UNITS] = {false};
    uint32_t units = obligation_units(c->reduced), chosen[2] = {0};
    if (units == 0 || units > MOST_UNITS) return;
    for (uint32_t k = 0; k < 2; k++) closed[chosen[k] = random_below(units)] = true;
    assert_true(obligation_graph_init(&g, c->reduced, c->w, c->state, chosen, 2, true, &fault));
    assert_int_equal(g.count, units);
    for (uint32_t u = 0; u < units; u++) members[u] = g.vertex[u].member;
    naive_closure(&g, members);
    naive_closure(&g, closed);
    uint32_t enabled = 0, count = 0;
    for (uint32_t u = 0; u < units; u++) {
        assert_true(g.vertex[u].known);
        assert_true(members[u] == g.vertex[u].member); /* the set is closed */
        assert_true(closed[u] == g.vertex[u].closed);
        count += members[u];
        enabled += members[u] && g.vertex[u].unit.enabled;
    }
    assert_int_equal(count, g.members);
    assert_int_equal(enabled, g.enabled);
    check_conditions(&g, c);
    if (!errs) check_closure(&g, c, closed);
    if (!g.terminal) check_way(&g, ways);
    *sets += g.members > 0;
    obligation_graph_fini(&g);
}

static void test_random(void **state) {
    uint32_t ways = 0, sets = 0;
    (void)state;
    random_start(1);
    for (int i = 0; i < ROUNDS(20000); i++) {
        struct network n;
        struct case_ c;
        bool errs = random_chance(20);
        struct nets_chance chance = {.components = 4,
                                     .states = 4,
                                     .labels = 2 + random_below(6),
                                     .special = errs ? 25 : 0,
                                     .tau = random_below(40),
                                     .hidden = random_below(100),
                                     .deterministic = random_chance(50)};
        struct reduction r = {.stubborn = true,
                              .forward = random_chance(50),
                              .method = (enum reduce_method)random_below(3),
                              .preserve = (enum preserve)random_below(PRESERVE_TREE_FAILURES + 1)};
        nets_random(&n, &chance, random_below);
        case_init(&c, &n, r);
        check_graph(&c, errs, &ways, &sets);
        case_fini(&c);
        network_fini(&n);
    }
    assert_true(sets > (uint32_t)ROUNDS(7500));
    assert_true(ways > (uint32_t)ROUNDS(2000));
}

/* ---- FAIR Figure 13 ---- */

static uint32_t find(const struct obligation_graph *g, const char *name) {
    for (uint32_t u = 0; u < g->count; u++)
        if (strcmp(g->vertex[u].unit.name, name) == 0) return u;
    fail_msg("no unit %s", name);
    return 0;
}

static void assert_members(const struct network *n, enum preserve preserve, const char *names) {
    struct case_ c;
    struct obligation_graph g;
    struct ts_fault fault;
    char list[160] = " ", wanted[80];
    struct reduction r = {.stubborn = true, .method = METHOD_ESC, .preserve = preserve};
    c.full = open_network(n, (struct reduction){0});
    c.reduced = open_network(n, r);
    c.wf = c.full->ops->worker_new(c.full);
    c.w = c.reduced->ops->worker_new(c.reduced);
    assert_true(c.full->ops->initial(c.wf, c.state, &fault));
    assert_true(obligation_graph_init(&g, c.reduced, c.w, c.state, NULL, 0, true, &fault));
    snprintf(wanted, sizeof wanted, "%s ", names);
    for (uint32_t u = 0; u < g.count; u++) {
        snprintf(list, sizeof list, " %s ", g.vertex[u].unit.name);
        assert_true(g.vertex[u].member == (strstr(wanted, list) != NULL));
    }
    unsigned by = 0;
    bool dashed = has_edge(&g, find(&g, "a"), find(&g, "b"), &by);
    assert_true(dashed == (preserve >= PRESERVE_TRACES)); /* the only dashed edge */
    if (dashed) assert_int_equal(by, TS_BY_V);
    assert_true(has_edge(&g, find(&g, "b"), find(&g, "tau(L2)"), &by) && by == TS_BY_D1);
    assert_true(has_edge(&g, find(&g, "u"), find(&g, "a"), &by) && by == TS_BY_D1);
    assert_true(has_edge(&g, find(&g, "tau(L1)"), find(&g, "v"), &by) && by == (TS_BY_D1 | TS_BY_D2));
    assert_true(has_edge(&g, find(&g, "tau(L2)"), find(&g, "u"), &by) && by == (TS_BY_D1 | TS_BY_D2));
    obligation_graph_fini(&g);
    case_fini(&c);
}

static void test_figure_13(void **state) {
    struct network n = {0};
    (void)state;
    nets_add(&n, "L1", "0 v 1, 0 tau 1");
    nets_add(&n, "L2", "0 u 1, 0 tau 2, 2 v 3, 3 b 1");
    nets_add(&n, "L3", "0 a 1, 1 u 2, 2 a 3");
    nets_finish(&n);
    nets_hide(&n, "u v", SIGHT_HIDDEN);
    assert_members(&n, PRESERVE_DEADLOCKS, " a");
    assert_members(&n, PRESERVE_TRACES, " a b u tau(L2)");
    network_fini(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_figure_13)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
