/* Sets of guided.h, one by one: do they contain what they must, and are they stubborn (audit.h)? */
#include "unit.h"

#include "base/memory.h"
#include "model/network/network_ts.h"
#include "nets.h"
#include "reduce/audit.h"
#include "reduce/guided.h"
#include "toys.h"

static const struct toy_chance small = {3, 3, 2, 8, 3, 40, random_below};

/* ---- Sets ---- */

/* What a set must be, whatever it is for. */
static void expect_set(struct audit *audit, const struct guided *g, const struct graph *x, const word *s,
                       const struct guided_watch *watch, const bool *visible, const bool *enabled) {
    uint32_t n = x->ts.transitions;
    bool set[256], cut = false, all_seen = true, one_seen = false, invisible = false, any_invisible = false,
                   one = false, any = watch->moves;
    struct audit_finding finding;
    for (uint32_t t = 0; t < n; t++) {
        bool allowed = !visible[t] || !watch->allows || watch->allows[t], can = enabled[t] && allowed;
        set[t] = guided_has(g, t);
        if (visible[t] && allowed) all_seen &= set[t];
        one_seen |= visible[t] && set[t] && enabled[t];
        any_invisible |= enabled[t] && !visible[t];
        invisible |= enabled[t] && !visible[t] && set[t];
        any |= can;
        one |= can && set[t];
        if (watch->needs & GUIDED_VISIBLE) assert_true(!visible[t] || set[t]);
    }
    one |= watch->moves && guided_has_watcher(g);
    assert_true(!one_seen || (all_seen && guided_has_watcher(g)));
    assert_true(!guided_has_watcher(g) || all_seen);
    if (watch->needs & GUIDED_VISIBLE) assert_true(guided_has_watcher(g));
    if (watch->needs & GUIDED_INVISIBLE) assert_int_equal(invisible, any_invisible);
    if (watch->needs & GUIDED_ENABLED) assert_int_equal(one, any);
    if (!audit_set(audit, s, set, false, &finding, &cut)) fail_msg("%s", audit_text(finding.fault));
    assert_false(cut);
}

static void test_sets(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(3000); i++) {
        struct graph g;
        bool visible[32], allows[32], enabled[32];
        uint32_t labels[32], to[32];
        struct ts_fault fault;
        random_start(500000 + (uint64_t)i);
        toy_random(&g, &small);
        for (uint32_t t = 0; t < g.ts.transitions; t++) visible[t] = random_chance(40);
        struct ts_worker *w = graph_worker(&g);
        struct guided *guided = guided_new(&g.ts, visible);
        struct audit *audit = audit_new(&g.ts, w, 4000);
        if (i % 50 == 0) guided->now = guided->turn = UINT32_MAX - 5;
        for (uint32_t s = 0; s < g.count; s++) {
            word packed;
            graph_encode(&g, s, &packed);
            uint32_t count = graph_successors(&g, s, to, labels);
            memset(enabled, 0, sizeof enabled);
            for (uint32_t e = 0; e < count; e++) enabled[labels[e]] = true;
            for (uint32_t t = 0; t < g.ts.transitions; t++) allows[t] = random_chance(60);
            struct guided_watch watch = {
                .needs = random_below(8), .moves = random_chance(30), .allows = random_chance(50) ? allows : NULL};
            assert_true(guided_choose(guided, w, &packed, labels, count, &watch, &fault));
            expect_set(audit, guided, &g, &packed, &watch, visible, enabled);
        }
        audit_free(audit);
        guided_free(guided);
        free(w);
        graph_fini(&g);
    }
}

/* ---- Testers ----
 *
 * A network and a tester that takes part in some actions and forbids some of these, as one graph: what is chosen of the
 * network must be a stubborn set there. */

enum { TESTER_STATES = 3, MOST_PAIRS = 150, MOST_ACTIONS = 16 };

struct tested {
    struct ts *ts;
    struct ts_worker *w;
    struct ts_batch batch;
    uint32_t action[256]; /* by transition */
    bool visible[256];
    uint32_t tester[TESTER_STATES][MOST_ACTIONS]; /* where it goes, or NO_STATE */
    word state[MOST_PAIRS];
    uint32_t at[MOST_PAIRS], count; /* of the tester; pairs */
};

static uint32_t pair_of(struct tested *x, word state, uint32_t at) {
    uint32_t i = 0;
    while (i < x->count && (x->state[i] != state || x->at[i] != at)) i++;
    if (i < MOST_PAIRS && i == x->count) {
        x->state[i] = state;
        x->at[x->count++] = at;
    }
    return i;
}

static void draw_tester(struct tested *x) {
    struct ts_fault fault;
    bool takes_part[MOST_ACTIONS];
    for (uint32_t a = 0; a < MOST_ACTIONS; a++) takes_part[a] = a > 0 && random_chance(40);
    for (uint32_t q = 0; q < TESTER_STATES; q++)
        for (uint32_t a = 0; a < MOST_ACTIONS; a++)
            x->tester[q][a] = random_chance(60) ? random_below(TESTER_STATES) : NO_STATE;
    for (uint32_t t = 0; t < x->ts->transitions; t++) {
        x->action[t] = x->ts->ops->action(x->w, x->state, t, &fault);
        x->visible[t] = takes_part[x->action[t]];
    }
}

/* The transitions that the network enables in pair i, and where they lead to together with the tester. */
static uint32_t moves_of(struct tested *x, uint32_t i, uint32_t *to) {
    x->batch.sources = &x->state[i];
    x->batch.count = 1;
    assert_int_equal(x->ts->ops->expand(x->w, &x->batch), 1);
    for (uint32_t e = 0; e < x->batch.ends[0]; e++) {
        uint32_t t = x->batch.labels[e], at = x->visible[t] ? x->tester[x->at[i]][x->action[t]] : x->at[i];
        to[e] = at == NO_STATE ? NO_STATE : pair_of(x, x->batch.successors[e], at);
    }
    return x->batch.ends[0];
}

/* False: too large. */
static bool make_tested_graph(struct tested *x, struct graph *g) {
    uint32_t to[256];
    for (uint32_t i = 0; i < x->count && x->count < MOST_PAIRS; i++) moves_of(x, i, to);
    if (x->count == MOST_PAIRS) return false;
    graph_init(g, x->count, x->ts->transitions, 1);
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t count = moves_of(x, i, to);
        for (uint32_t e = 0; e < count; e++) *graph_next(g, i, x->batch.labels[e]) = to[e];
    }
    return true;
}

static void expect_tested_sets(struct tested *x, struct graph *g) {
    struct ts_worker *gw = graph_worker(g);
    struct audit *audit = audit_new(&g->ts, gw, 4000);
    struct guided *guided = guided_new(x->ts, x->visible);
    struct ts_fault fault;
    bool allows[256], enabled[256];
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t to[256], count = moves_of(x, i, to);
        word packed;
        memset(enabled, 0, sizeof enabled);
        for (uint32_t e = 0; e < count; e++) enabled[x->batch.labels[e]] = true;
        for (uint32_t t = 0; t < x->ts->transitions; t++)
            allows[t] = x->visible[t] && x->tester[x->at[i]][x->action[t]] != NO_STATE;
        struct guided_watch watch = {.needs = random_below(8), .allows = allows};
        assert_true(guided_choose(guided, x->w, &x->state[i], x->batch.labels, count, &watch, &fault));
        graph_encode(g, i, &packed);
        expect_set(audit, guided, g, &packed, &watch, x->visible, enabled);
    }
    audit_free(audit);
    guided_free(guided);
    free(gw);
}

static void test_testers(void **state) {
    struct nets_chance chance = {.components = 3, .states = 3, .labels = 8, .special = 15, .tau = 20};
    int done = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(4000); i++) {
        static struct tested x;
        struct network n;
        struct graph g;
        struct problem why = {0};
        struct ts_fault fault;
        random_start(600000 + (uint64_t)i);
        nets_random(&n, &chance, random_below);
        x = (struct tested){.ts = network_open(&n, "test", (struct reduction){.forward = i % 2}, &why)};
        assert_non_null(x.ts);
        assert_true(x.ts->actions <= MOST_ACTIONS && x.ts->transitions < 256);
        x.w = x.ts->ops->worker_new(x.ts);
        ts_batch_init(&x.batch, x.ts, 1);
        assert_true(x.ts->ops->initial(x.w, x.state, &fault));
        x.count = 1;
        draw_tester(&x);
        if (make_tested_graph(&x, &g)) {
            expect_tested_sets(&x, &g);
            graph_fini(&g);
            done++;
        }
        ts_batch_fini(&x.batch);
        x.ts->ops->worker_free(x.w);
        x.ts->ops->close(x.ts);
    }
    assert_true(done > ROUNDS(2500));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets), cmocka_unit_test(test_testers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
