/* What stubborn sets promise to preserve, held against its definition on thousands of small systems: deadlocks with the
 * traces that lead to them, must progress, and tests of progress by actions. Networks have rules that are derived from
 * their components; small concurrent systems (toys.h) stand for models with written rules. */
#include "unit.h"

#include "base/memory.h"
#include "model/network/network_ts.h"
#include "nets.h"
#include "picture.h"
#include "reduce/guided_ts.h"
#include "check/check.h"
#include "toys.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};
static struct picture full, reduced;

/* What came up. */
struct counts {
    uint32_t systems, smaller, dead, traces; /* traces: reduced, with a deadlock and something visible */
    uint32_t verdicts[2];
};

static struct nets_chance some_chance(bool special) {
    return (struct nets_chance){.components = 4,
                                .states = 4,
                                .labels = 2 + random_below(6),
                                .special = special ? 20 : 0,
                                .tau = random_below(40),
                                .hidden = random_below(100),
                                .deterministic = random_chance(50)};
}

static bool *copy_flags(const bool *flags, uint32_t count) {
    return flags ? memcpy(memory_get(count), flags, count) : NULL;
}

static struct ts *open_network(const struct network *n, struct reduction reduction) {
    struct problem why = {0};
    struct network copy;
    nets_copy(&copy, n);
    copy.progress = memory_get((n->progress_count + 1) * sizeof *copy.progress);
    for (; copy.progress_count < n->progress_count; copy.progress_count++) {
        const struct network_progress *p = &n->progress[copy.progress_count];
        copy.progress[copy.progress_count] = (struct network_progress){
            memory_copy_string(p->name), copy_flags(p->when, n->labels.count), copy_flags(p->then, n->labels.count)};
    }
    struct ts *ts = network_open(&copy, "test", reduction, &why);
    assert_non_null(ts);
    return ts;
}

/* ---- Deadlocks and the traces that lead to them ---- */

static bool has_visible_edge(const struct picture *p, const struct ts *ts) {
    for (uint32_t e = 0; e < p->edges; e++)
        if (p->edge[e].action && !(ts->action_hidden && ts->action_hidden[p->edge[e].action])) return true;
    return false;
}

/* Both pictures are there. */
static void expect_same_ends(struct ts *ts, struct counts *c, const struct network *n) {
    enum picture_ends ends = picture_compare_ends(&full, &reduced, ts);
    bool dead = false;
    if (ends == ENDS_DIFFERENT && n) nets_print(n);
    assert_int_not_equal(ends, ENDS_DIFFERENT);
    for (uint32_t s = 0; s < full.states; s++) dead |= full.terminal[s];
    c->systems += ends == ENDS_SAME;
    c->smaller += reduced.states < full.states;
    c->dead += dead;
    c->traces += dead && reduced.states < full.states && has_visible_edge(&reduced, ts);
}

static void test_ends_of_networks(void **state) {
    struct counts c = {0};
    (void)state;
    random_start(1);
    for (int i = 0; i < ROUNDS(4000); i++) {
        struct network n;
        struct nets_chance chance = some_chance(random_chance(30));
        chance.components = 3 + random_below(4);
        chance.labels = 4 + random_below(12);
        chance.acyclic = 70;
        chance.states = 5;
        chance.hidden = 30 + random_below(50);
        struct reduction r = {.stubborn = true,
                              .forward = random_chance(50),
                              .method = (enum reduce_method)random_below(3),
                              .preserve = PRESERVE_DEADLOCK_TRACES};
        nets_random(&n, &chance, random_below);
        struct ts *ts = open_network(&n, r);
        struct ts_worker *w = ts->ops->worker_new(ts);
        if (ts->words == 1 && picture_take(&full, ts, w, false) && picture_take(&reduced, ts, w, true))
            expect_same_ends(ts, &c, &n);
        ts->ops->worker_free(w);
        ts->ops->close(ts);
        network_fini(&n);
    }
    print_message("networks: %u; reduced %u, with deadlocks %u, both and something seen %u\n", c.systems, c.smaller,
                  c.dead, c.traces);
    assert_true(c.systems > (uint32_t)OFTEN(2500) && c.traces > (uint32_t)OFTEN(300));
}

/* What is seen of a transition may depend on p0; what changes p0 is then observable, too. */
static void test_ends_of_models(void **state) {
    static const char *const names[] = {"tau", "a", "b", "c", "d"};
    struct counts c = {0};
    (void)state;
    for (int i = 0; i < ROUNDS(4000); i++) {
        struct graph g;
        struct toy_chance chance = {3 + random_below(2), 3, 2, 9, 1, 90, random_below};
        struct problem why = {0};
        uint32_t actions[16];
        bool observable[16];
        random_start(100000 + (uint64_t)i);
        toy_random(&g, &chance);
        g.shades = random_chance(40) ? 2 : 0;
        for (uint32_t t = 0; t < g.ts.transitions; t++) {
            actions[t] = random_chance(60) ? 0 : 1 + random_below(2);
            observable[t] = actions[t] || (g.shades && *graph_changes(&g, 0, t)) || random_chance(5);
        }
        g.actions = actions;
        g.observable = observable;
        g.ts.observable_known = random_chance(90);
        g.ts.actions = 5;
        g.ts.action_names = names;
        struct ts *ts = guided_ts_open(&g.ts, GUIDED_TS_ACTIONS, &why);
        assert_non_null(ts);
        struct ts_worker *w = ts->ops->worker_new(ts);
        if (picture_take(&full, ts, w, false) && picture_take(&reduced, ts, w, true)) expect_same_ends(ts, &c, NULL);
        ts->ops->worker_free(w);
        ts->ops->close(ts);
    }
    print_message("models: %u; reduced %u, with deadlocks %u, both and something seen %u\n", c.systems, c.smaller,
                  c.dead, c.traces);
    assert_true(c.systems > (uint32_t)OFTEN(3000) && c.traces > (uint32_t)OFTEN(300));
}

/* ---- Must progress ---- */

/* A cycle without must progress; or a terminal state that is none. */
static bool avoids_progress(const struct graph *g, bool terminal_not_must) {
    uint32_t *order = memory_get(g->count * sizeof *order), *level = memory_get(g->count * sizeof *level);
    uint32_t left = graph_explore(g, order, level), to[16], labels[16];
    bool *open = memory_get_zeroed(g->count), stuck = false, changed = true;
    for (uint32_t i = 0; i < left; i++) {
        open[order[i]] = !(g->classes[order[i]] & TS_MUST);
        stuck |= open[order[i]] && terminal_not_must && graph_successors(g, order[i], to, labels) == 0;
    }
    while (changed) { /* what leads to no open state is on no such cycle */
        changed = false;
        for (uint32_t i = 0; i < left; i++) {
            bool on = false;
            uint32_t n = open[order[i]] ? graph_successors(g, order[i], to, labels) : 0;
            for (uint32_t k = 0; k < n; k++) on |= open[to[k]];
            if (!open[order[i]] || on) continue;
            open[order[i]] = false;
            changed = true;
        }
    }
    for (uint32_t i = 0; i < left; i++) stuck |= open[order[i]];
    free(order);
    free(level);
    free(open);
    return stuck;
}

static void make_must(struct graph *g) {
    for (uint32_t s = 0; s < g->count; s++) g->classes[s] = g->values[s] & 1 ? TS_MUST : 0;
    g->ts.features = (g->ts.features & TS_OBLIGATIONS) | TS_MUST_PROGRESS;
    g->ts.propositions = 0; /* so what is known of p0 is known of must_progress */
}

static void expect_must(struct graph *g, struct counts *c) {
    struct problem why = {0};
    struct answer a;
    struct questions q = {.checks = PROP_MUST,
                          .terminal_not_must = random_chance(30),
                          .order = random_chance(50) ? ORDER_BFS : ORDER_DFS};
    struct means means = {.threads = 1 + (random_chance(10) ? 1 : 0)};
    uint32_t order[128], level[128];
    assert_in_range(g->count, 1, 128);
    uint32_t states = graph_explore(g, order, level);
    bool violated = avoids_progress(g, q.terminal_not_must);
    struct ts *ts = guided_ts_open(&g->ts, GUIDED_TS_MUST, &why);
    assert_non_null(ts);
    struct ts_worker *w = ts->ops->worker_new(ts);
    check_run(&a, ts, w, &q, &plenty, &means, NULL);
    if (a.verdict != (violated ? VERDICT_VIOLATED : VERDICT_HOLDS))
        fail_msg("verdict %d, expected %s: %s", (int)a.verdict, violated ? "violated" : "holds", a.message);
    c->systems++;
    c->verdicts[violated]++;
    c->smaller += !violated && a.states < states;
    answer_fini(&a);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
}

static void test_must(void **state) {
    struct counts c = {0};
    (void)state;
    for (int i = 0; i < ROUNDS(8000); i++) {
        struct graph g;
        struct toy_chance chance = {2 + random_below(3), 3, 2, 9, 1, 90, random_below};
        random_start(200000 + (uint64_t)i);
        toy_random(&g, &chance);
        make_must(&g);
        expect_must(&g, &c);
    }
    print_message("must progress: %u hold, of which %u reduced; %u do not\n", c.verdicts[0], c.smaller, c.verdicts[1]);
    assert_true(c.verdicts[1] > (uint32_t)OFTEN(2000) && c.smaller > (uint32_t)OFTEN(300));
}

/* ---- Tests of progress ---- */

/* Two or three of them, about a label or two. */
static void add_tests(struct network *n) {
    n->progress_count = 1 + random_below(2);
    n->progress = memory_get_zeroed(n->progress_count * sizeof *n->progress);
    for (uint32_t i = 0; i < n->progress_count; i++) {
        struct network_progress *p = &n->progress[i];
        *p = (struct network_progress){memory_copy_string("P"), NULL, memory_get_zeroed(n->labels.count)};
        if (n->labels.count > 1) p->then[1 + random_below(n->labels.count - 1)] = true;
        if (n->labels.count < 2 || random_chance(50)) continue;
        p->when = memory_get_zeroed(n->labels.count);
        p->when[1 + random_below(n->labels.count - 1)] = true;
    }
}

static void expect_progress(struct network *n, struct counts *c) {
    struct reduction r = {.stubborn = true,
                          .progress = true,
                          .forward = random_chance(50),
                          .method = (enum reduce_method)random_below(3),
                          .preserve = random_chance(30) ? PRESERVE_DEADLOCKS : PRESERVE_SAFETY};
    struct ts *ts = open_network(n, r);
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct questions q = {.checks = PROP_PROGRESS, .order = random_chance(70) ? ORDER_BFS : ORDER_DFS};
    struct answer a;
    bool fails = false;
    assert_true(ts->reduction.progress);
    if (ts->words == 1 && picture_take(&full, ts, w, false) && picture_take(&reduced, ts, w, true)) {
        for (uint32_t i = 0; i < ts->progress_count; i++) {
            bool here = picture_fails(&full, &ts->progress[i]);
            if (here != picture_fails(&reduced, &ts->progress[i])) nets_print(n);
            assert_int_equal(here, picture_fails(&reduced, &ts->progress[i]));
            fails |= here;
        }
        check_run(&a, ts, w, &q, &plenty, &(struct means){.threads = 1}, NULL);
        assert_int_equal(a.verdict, fails ? VERDICT_VIOLATED : VERDICT_HOLDS);
        answer_fini(&a);
        c->systems++;
        c->verdicts[fails]++;
        c->smaller += reduced.states < full.states;
        c->traces += reduced.states < full.states && !fails;
    }
    ts->ops->worker_free(w);
    ts->ops->close(ts);
}

static void test_progress(void **state) {
    struct counts c = {0};
    (void)state;
    random_start(3);
    for (int i = 0; i < ROUNDS(4000); i++) {
        struct network n;
        struct nets_chance chance = some_chance(random_chance(10));
        chance.labels = 3 + random_below(6);
        chance.components = 3 + random_below(3);
        nets_random(&n, &chance, random_below);
        add_tests(&n);
        expect_progress(&n, &c);
        network_fini(&n);
    }
    print_message("tests of progress: %u hold, of which %u reduced; %u do not; reduced in all %u\n", c.verdicts[0],
                  c.traces, c.verdicts[1], c.smaller);
    assert_true(c.verdicts[0] > (uint32_t)OFTEN(300) && c.traces > (uint32_t)OFTEN(50));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends_of_networks), cmocka_unit_test(test_ends_of_models),
                                       cmocka_unit_test(test_must), cmocka_unit_test(test_progress)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
