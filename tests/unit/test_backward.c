/* Backward questions against naive fixpoints on explicit graphs. */
#include "unit.h"

#include "graph.h"
#include "graph/backward/backward.h"

/* ---- The naive answer ---- */

/* marked[s] for all states that are reachable; iterates until nothing changes. */
static void naive_fixpoint(const struct graph *g, const struct fixpoint *f, const uint32_t *order, uint32_t n,
                           bool *marked) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t s = order[i], to[256], labels[256], edges = graph_successors(g, s, to, labels), hits = 0;
            if (marked[s]) continue;
            for (uint32_t e = 0; e < edges; e++) hits += marked[to[e]];
            bool now = (g->classes[s] & f->target) || (edges == 0 && f->terminal_is_target) ||
                       (edges > 0 && (f->kind == BACKWARD_SOME ? hits > 0 : hits == edges));
            changed |= marked[s] = now;
        }
    }
}

/* Linear time, for large graphs: along reversed edges, with counts of unmarked successors. */
static void fast_fixpoint(const struct graph *g, const struct fixpoint *f, const uint32_t *order, uint32_t n,
                          bool *marked) {
    uint32_t *queue = malloc(g->count * sizeof *queue), *left = calloc(g->count, sizeof *left), queued = 0;
    uint32_t *head = malloc(g->count * sizeof *head),
             *chain = malloc((size_t)g->count * g->ts.transitions * sizeof *chain);
    uint32_t *from = malloc((size_t)g->count * g->ts.transitions * sizeof *from), edge_count = 0;
    memset(head, 0xff, g->count * sizeof *head);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = order[i], to[256], labels[256], edges = graph_successors(g, s, to, labels);
        left[s] = f->kind == BACKWARD_SOME ? 1 : edges;
        for (uint32_t e = 0; e < edges; e++) {
            from[edge_count] = s;
            chain[edge_count] = head[to[e]];
            head[to[e]] = edge_count++;
        }
        if ((g->classes[s] & f->target) || (edges == 0 && f->terminal_is_target)) {
            marked[s] = true;
            queue[queued++] = s;
        }
    }
    for (uint32_t i = 0; i < queued; i++)
        for (uint32_t e = head[queue[i]]; e != UINT32_MAX; e = chain[e]) {
            if (marked[from[e]] || --left[from[e]] > 0) continue;
            marked[from[e]] = true;
            queue[queued++] = from[e];
        }
    free(queue);
    free(left);
    free(head);
    free(chain);
    free(from);
}

/* ---- Comparing ---- */

/* memory: bytes beyond what is resident that the search may use; 0: plenty. Returns how many states stay unmarked. */
static uint64_t compare(struct graph *g, struct fixpoint f, bool large, uint64_t memory) {
    uint32_t *order = malloc(g->count * sizeof *order), *level = malloc(g->count * sizeof *level);
    bool *marked = calloc(g->count, sizeof *marked);
    struct ts_worker *w = graph_worker(g);
    struct space s;
    struct stop stop;
    static uint64_t calls;
    g->threads = graph_threads(calls++);
    g->keep_edges = !g->keep_edges; /* now from memory, now by expanding again */
    graph_space(&s, g, w, 0);
    uint32_t n = graph_explore(g, order, level);
    assert_int_equal(s.states, n);
    (large ? fast_fixpoint : naive_fixpoint)(g, &f, order, n, marked);
    if (memory) s.limits.max_memory = memory_resident() + memory;
    f.phase = "test";
    g->expanded = 0;
    assert_true(fixpoint_run(&f, &s, &stop));
    assert_int_equal(stop.kind, STOP_DONE);
    if (g->keep_edges && !memory) assert_int_equal(g->expanded, 0);
    uint64_t unmarked = 0, first = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t slot = graph_slot(&s, order[i]);
        if (f.unmarked) assert_int_equal(bitmap_has(&f.marked, slot), marked[order[i]]);
        assert_int_equal(fixpoint_unmarked(&f, slot), !marked[order[i]]);
        if (marked[order[i]]) continue;
        if (!unmarked++) first = i;
    }
    assert_int_equal(f.unmarked, unmarked);
    if (unmarked) assert_int_equal(f.first_unmarked, first);
    if (unmarked) assert_int_equal(bitmap_count(&f.marked), n - unmarked);
    fixpoint_fini(&f);
    space_fini(&s);
    free(w);
    free(order);
    free(level);
    free(marked);
    return unmarked;
}

static struct fixpoint question(uint64_t i) {
    return (struct fixpoint){
        .kind = i % 2 ? BACKWARD_SOME : BACKWARD_ALL,
        .target = i / 2 % 3 == 0   ? 0
                  : i / 2 % 3 == 1 ? TS_MAY
                                   : TS_MUST,
        .terminal_is_target = i / 6 % 2 == 0,
    };
}

static void classes(struct graph *g, uint32_t one_in) {
    for (uint32_t s = 0; s < g->count; s++)
        g->classes[s] = (uint8_t)((random_below(one_in) == 0 ? TS_MAY : 0) | (random_below(one_in) == 0 ? TS_MUST : 0));
}

/* ---- The tests ---- */

static void small_graphs(void **unused) {
    uint32_t none = 0, some = 0, all = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(4000); i++) {
        struct graph g;
        random_start(i);
        uint32_t count = 1 + random_below(i % 10 ? 12 : 200);
        graph_init(&g, count, 1 + random_below(4), i % 4 ? 1 : 2);
        graph_randomise(&g, 20 + random_below(80), random_chance(50) ? 2 : 0, i);
        classes(&g, 1 + random_below(2 * count));
        g.ts.reduction.forward = random_chance(50);
        uint64_t unmarked = compare(&g, question(i), false, 0);
        assert_int_equal(compare(&g, question(i), false, 0), unmarked);
        if (unmarked == 0) all++;
        else if (unmarked < count / 2) some++;
        else none++;
        graph_fini(&g);
    }
    assert_true(none > ROUNDS(50) && some > ROUNDS(50) && all > ROUNDS(50));
}

static void large_graphs(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(60); i++) {
        struct graph g;
        random_start(i);
        graph_init(&g, 5000 + random_below(20000), 2 + random_below(2), i % 4 ? 1 : 3);
        graph_randomise(&g, 55 + random_below(45), i % 3 ? 0 : 40, i);
        if (i % 3 == 0) /* otherwise little is reachable */
            for (uint32_t s = 0; s + 1 < g.count; s++)
                if (random_chance(95) || *graph_next(&g, s, 1) == NO_STATE) *graph_next(&g, s, 0) = s + 1;
        classes(&g, i % 5 ? g.count / 3 : 3);
        compare(&g, question(i), true, 0);
        graph_fini(&g);
    }
}

/* A tree, so that the order of finding is known, where every node but the root also leads to the node that was found
 * just before it, and inner nodes do nothing else that helps: marks travel against the order of sweeps, one node a
 * sweep. Only the reversed edges in memory make this quick. */
static void bad_order(struct graph *g, uint32_t count) {
    graph_init(g, count, 3, 1);
    for (uint32_t s = 0; s < count; s++) {
        /* Transition 2 comes first in the order of expansion. */
        if (2 * s + 1 < count) *graph_next(g, s, 2) = 2 * s + 1;
        if (2 * s + 2 < count) *graph_next(g, s, 1) = 2 * s + 2;
        if (s > 0) *graph_next(g, s, 0) = s - 1;
    }
}

static void marks_against_the_order(void **unused) {
    struct graph g;
    (void)unused;
    bad_order(&g, 60000);
    g.classes[0] = TS_MAY;
    assert_int_equal(compare(&g, (struct fixpoint){.kind = BACKWARD_SOME, .target = TS_MAY}, true, 0), 0);
    /* At most: two sweeps, three walks that store the edges of what is left, and a last sweep. */
    assert_true(g.expanded < 7 * UINT64_C(60000));
    /* All successors: a leaf follows the node before it, an inner node its children too. */
    compare(&g, (struct fixpoint){.kind = BACKWARD_ALL, .target = TS_MAY}, true, 0);
    g.classes[30001] = TS_MAY;
    compare(&g, (struct fixpoint){.kind = BACKWARD_ALL, .target = TS_MAY}, true, 0);
    graph_fini(&g);
}

/* The chain of leaves, all of it, must be marked one after the other; nothing else leads there. */
static void long_chain(void **unused) {
    struct graph g;
    uint32_t count = 40001;
    (void)unused;
    /* A star, found in the order 1, 2, 3, ... by a chain of hubs would be another order: use a path of finders. */
    graph_init(&g, count, 2, 1);
    for (uint32_t s = 0; s + 2 < count; s += 2) {
        *graph_next(&g, s, 1) = s + 2;             /* hubs: even */
        *graph_next(&g, s, 0) = s + 1;             /* each has a leaf: odd */
        *graph_next(&g, s + 1, 0) = s ? s - 1 : s; /* which leads to the leaf before it, the first to its hub */
    }
    /* ALL: a hub needs its leaf and all later hubs; the last hub is terminal. */
    g.classes[0] = TS_MUST;
    assert_int_equal(
        compare(&g, (struct fixpoint){.kind = BACKWARD_ALL, .target = TS_MUST, .terminal_is_target = true}, true, 0),
        0);
    assert_true(g.expanded < 7 * (uint64_t)count);
    g.classes[0] = 0;
    assert_true(compare(&g, (struct fixpoint){.kind = BACKWARD_ALL, .target = TS_MUST, .terminal_is_target = true},
                        true, 0) > 0);
    graph_fini(&g);
}

/* Too little memory for the graph of what is left: sweep after sweep, the same answer. */
static void little_memory(void **unused) {
    struct graph g;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(4); i++) {
        graph_init(&g, 400000, 2, 1);
        graph_randomise(&g, 70, 0, i);
        random_start(i);
        classes(&g, 100000);
        g.keep_edges = i % 2;
        compare(&g, question(i), true, SANITIZED ? UINT64_C(1) << 30 : UINT64_C(6) << 20);
        graph_fini(&g);
    }
}

/* Every edge several times, and loops. */
static void parallel_edges(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(300); i++) {
        struct graph g;
        random_start(i);
        graph_init(&g, 500, 6, 1);
        for (uint32_t s = 0; s < g.count; s++)
            for (uint32_t t = 0; t < 6; t++) {
                uint32_t how = random_below(10);
                if (how < 3) *graph_next(&g, s, t) = s;
                else if (how < 6) *graph_next(&g, s, t) = t ? *graph_next(&g, s, t - 1) : NO_STATE;
                else if (how < 9) *graph_next(&g, s, t) = random_below(g.count);
            }
        classes(&g, 100);
        compare(&g, question(i), i % 2 == 0, 0);
        graph_fini(&g);
    }
}

static void symmetric_graphs(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(300); i++) {
        struct graph g;
        random_start(i);
        graph_init(&g, 300, 3, 1);
        graph_randomise(&g, 60, 0, i);
        for (uint32_t s = 0; s < g.count; s++) g.image[s] = s / 4 * 4;
        g.ts.reduction.symmetry = true;
        classes(&g, 50);
        compare(&g, question(i), false, 0);
        graph_fini(&g);
    }
}

/* Failing model code, limits and an interrupt end it with the reason. */
static volatile sig_atomic_t interrupted;

static void give_up(struct graph *g, struct ts_worker *w) {
    struct space s;
    struct stop stop;
    graph_space(&s, g, w, 0);
    struct fixpoint f = {.kind = BACKWARD_SOME, .target = TS_MAY, .phase = "test"};
    g->fault_class_state = 777;
    assert_false(fixpoint_run(&f, &s, &stop));
    assert_int_equal(stop.kind, STOP_FAULT);
    assert_int_equal(graph_number(&s, stop.state), 777);
    fixpoint_fini(&f);
    g->fault_class_state = NO_STATE;
    if (!g->keep_edges) {
        g->fault_state = 778;
        assert_false(fixpoint_run(&f, &s, &stop));
        assert_int_equal(stop.kind, STOP_FAULT);
        assert_int_equal(graph_number(&s, stop.state), 778);
        fixpoint_fini(&f);
        g->fault_state = NO_STATE;
    }
    interrupted = 1;
    s.limits.interrupted = &interrupted;
    assert_false(fixpoint_run(&f, &s, &stop));
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "interrupted");
    fixpoint_fini(&f);
    interrupted = 0;
    assert_true(fixpoint_run(&f, &s, &stop));
    assert_int_equal(f.unmarked, s.states);
    assert_int_equal(f.first_unmarked, 0);
    fixpoint_fini(&f);
    space_fini(&s);
}

static void given_up(void **unused) {
    struct graph g;
    (void)unused;
    bad_order(&g, 20000);
    g.threads = 3;
    struct ts_worker *w = graph_worker(&g);
    for (int kept = 0; kept < 2; kept++) {
        g.keep_edges = kept;
        give_up(&g, w);
    }
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),     cmocka_unit_test(large_graphs),  cmocka_unit_test(marks_against_the_order),
        cmocka_unit_test(long_chain),       cmocka_unit_test(little_memory), cmocka_unit_test(parallel_edges),
        cmocka_unit_test(symmetric_graphs), cmocka_unit_test(given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
