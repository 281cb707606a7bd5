/* Breadth-first construction in batches against one state at a time. */
#include "unit.h"

#include "base/clock.h"
#include "graph.h"
#include "search/bfs.h"

/* What a search of one state at a time finds: states are counted when they are found, edges when they are taken. */
struct naive {
    enum stop_kind kind;
    uint32_t state; /* where it ended */
    uint64_t states, edges, terminals, depth;
};

static struct naive naive_search(const struct graph *g, const struct bfs_goals *goals) {
    struct naive n = {.kind = STOP_DONE, .states = 1};
    uint32_t *order = malloc(g->count * sizeof *order), *level = malloc(g->count * sizeof *level);
    memset(level, 0xff, g->count * sizeof *level);
    order[0] = 0;
    level[0] = 0;
    if (g->classes[0] & goals->classes) n.kind = STOP_BAD_STATE;
    for (uint32_t i = 0; i < n.states && n.kind == STOP_DONE; i++) {
        uint32_t s = order[i], to[256], labels[256], edges = graph_successors(g, s, to, labels);
        if (s == g->fault_state) {
            n.kind = STOP_FAULT;
            n.state = s;
            break;
        }
        if (!edges) {
            n.terminals++;
            if (goals->any_terminal || (goals->check_deadlock && g->illegal[s])) {
                n.kind = STOP_DEADLOCK;
                n.state = s;
            }
        }
        for (uint32_t e = 0; e < edges && n.kind == STOP_DONE; e++) {
            n.edges++;
            if (level[to[e]] != NO_STATE) continue;
            level[to[e]] = level[s] + 1;
            order[n.states++] = to[e];
            if (to[e] == g->fault_class_state && goals->classes) n.kind = STOP_FAULT;
            else if (g->classes[to[e]] & goals->classes) n.kind = STOP_BAD_STATE;
            n.state = to[e];
        }
    }
    for (uint32_t s = 0; s < g->count; s++)
        if (level[s] != NO_STATE && level[s] > n.depth) n.depth = level[s];
    free(order);
    free(level);
    return n;
}

static void compare(struct graph *g, const struct bfs_goals *goals) {
    struct naive expected = naive_search(g, goals);
    struct ts_worker *w = graph_worker(g);
    struct limits limits = {.max_memory = UINT64_C(1) << 33};
    struct problem why = {0};
    struct space s;
    struct stop stop;
    word start[16];
    assert_true(space_init(&s, &g->ts, w, &limits, NULL, &why));
    graph_encode(g, 0, start);
    bfs_run(&s, start, goals, &stop);
    assert_int_equal(stop.kind, expected.kind);
    assert_int_equal(s.states, expected.states);
    assert_int_equal(s.edges, expected.edges);
    assert_int_equal(s.terminals, expected.terminals);
    if (stop.kind != STOP_DONE) assert_int_equal(graph_number(&s, stop.state), expected.state);
    if (stop.kind == STOP_FAULT) assert_int_equal(stop.fault.kind, TS_RAISED);
    if (stop.kind == STOP_DONE) {
        uint32_t *order = malloc(g->count * sizeof *order), *level = malloc(g->count * sizeof *level);
        assert_int_equal(graph_explore(g, order, level), s.states);
        assert_int_equal(space_depth(&s), expected.depth);
        for (uint64_t i = 0, l = 0; i < s.states; i++) {
            assert_int_equal(graph_number(&s, i), order[i]);
            if (level[order[i]] > l) l++;
            assert_int_equal(level[order[i]], l);
            if (i == 0 || level[order[i]] > level[order[i - 1]]) assert_int_equal(s.levels.at[l], i);
        }
        free(order);
        free(level);
    }
    space_fini(&s);
    problem_fini(&why);
    free(w);
}

/* Shapes: few or many states, transitions and words; shallow or deep. */
static void shape(struct graph *g, uint64_t i) {
    static const uint32_t sizes[] = {1, 2, 5, 30, 127, 128, 129, 300, 1000, 3000};
    random_start(i);
    uint32_t count = sizes[i % COUNT(sizes)], transitions = 1 + random_below(6), words = i % 3 ? 1 : 3;
    graph_init(g, count, transitions, words);
    graph_randomise(g, 30 + random_below(60), i % 2 ? 0 : 1 + random_below(20), i);
    g->ts.reduction.forward = random_chance(50);
}

static void whole_spaces(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 600; i++) {
        struct graph g;
        shape(&g, i);
        compare(&g, &(struct bfs_goals){0});
        graph_fini(&g);
    }
}

/* Bad states, illegal ends and failing code, each of them here and there. */
static void findings(void **unused) {
    uint32_t kinds[STOP_LIMIT + 1] = {0};
    (void)unused;
    for (uint64_t i = 0; i < 6000; i++) {
        struct graph g;
        shape(&g, i);
        uint32_t rare = 1 + random_below(g.count);
        for (uint32_t s = 0; s < g.count; s++) {
            g.classes[s] = random_below(rare) == 0 ? TS_BAD : random_below(rare) == 0 ? TS_MAY : 0;
            g.illegal[s] = random_below(2) == 0;
        }
        struct bfs_goals goals = {
            .check_deadlock = random_chance(50),
            .any_terminal = random_chance(20),
            .classes = random_chance(60) ? TS_BAD : 0,
        };
        if (random_chance(40)) g.fault_state = random_below(g.count);
        if (random_chance(20)) g.fault_class_state = 1 + random_below(g.count);
        kinds[naive_search(&g, &goals).kind]++;
        compare(&g, &goals);
        graph_fini(&g);
    }
    for (int k = STOP_DONE; k < STOP_LIMIT; k++) assert_true(kinds[k] > 200);
}

/* ---- Limits ---- */

static volatile sig_atomic_t interrupted;

static void limited(struct graph *g, struct limits limits, struct space *s, struct stop *stop) {
    struct problem why = {0};
    word start[16];
    struct ts_worker *w = graph_worker(g);
    assert_true(space_init(s, &g->ts, w, &limits, NULL, &why));
    graph_encode(g, 0, start);
    bfs_run(s, start, &(struct bfs_goals){0}, stop);
    free(w);
}

/* A chain of states. */
static void chain(struct graph *g, uint32_t count) {
    graph_init(g, count, 1, 1);
    for (uint32_t s = 0; s + 1 < count; s++) *graph_next(g, s, 0) = s + 1;
}

static void limits(void **unused) {
    struct graph g;
    struct space s;
    struct stop stop;
    (void)unused;
    chain(&g, 200000);
    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .max_states = 1000}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "the limit on states (--max-states) was reached");
    assert_in_range(s.states, 1000, 1200);
    space_fini(&s);

    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .deadline = clock_seconds() - 1}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "the limit on time (--time) was reached");
    space_fini(&s);

    interrupted = 1;
    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .interrupted = &interrupted}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "interrupted");
    space_fini(&s);
    interrupted = 0;

    limited(&g, (struct limits){.max_memory = 1}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "the limit on memory (--max-memory) was reached");
    space_fini(&s);

    /* Exactly as many states as are allowed. */
    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .max_states = 200000}, &s, &stop);
    assert_int_equal(stop.kind, STOP_DONE);
    assert_int_equal(s.states, 200000);
    assert_int_equal(space_depth(&s), 199999);
    space_fini(&s);
    graph_fini(&g);
}

/* ---- Walks ---- */

static void walks(void **unused) {
    static const uint32_t most[] = {1, 2, 3, 7, 64, 5000};
    struct graph g;
    struct space s;
    (void)unused;
    chain(&g, 2000);
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    for (size_t k = 0; k < COUNT(most); k++) {
        struct walk walk;
        struct stop stop = {.kind = STOP_DONE};
        uint64_t next = 137;
        walk_init(&walk, &s, false, 137, most[k]);
        while (walk_next(&walk, &stop)) {
            assert_int_equal(walk.first, next);
            assert_in_range(walk.count, 1, most[k]);
            for (uint32_t i = 0; i < walk.count; i++) assert_int_equal(graph_decode(&g, walk.states + i), next++);
        }
        walk_fini(&walk);
        assert_int_equal(next, 2000);
        walk_init(&walk, &s, true, 0, most[k]);
        while (walk_next(&walk, &stop)) {
            assert_in_range(walk.count, 1, most[k]);
            for (uint32_t i = walk.count; i-- > 0;) assert_int_equal(graph_decode(&g, walk.states + i), --next);
            assert_int_equal(walk.first, next);
        }
        walk_fini(&walk);
        assert_int_equal(next, 0);
        assert_int_equal(stop.kind, STOP_DONE);
    }
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_spaces),
        cmocka_unit_test(findings),
        cmocka_unit_test(limits),
        cmocka_unit_test(walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
