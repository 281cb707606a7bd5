/* Strong components by slot, with and without kept edges, against naive reachability, and against another linear
 * algorithm on large graphs. */
#include "unit.h"

#include "graph.h"
#include "graph/components.h"

/* One step: u is reached from s by an edge that counts. */
static uint32_t counted(const struct graph *g, uint32_t s, const bool *excluded, uint32_t *to) {
    uint32_t all[256], labels[256], edges = graph_successors(g, s, all, labels), n = 0;
    for (uint32_t e = 0; e < edges; e++)
        if (!excluded || !excluded[labels[e]]) to[n++] = all[e];
    return n;
}

/* The reachable part of the graph, explored. */
struct explored {
    struct ts_worker *w;
    struct space s;
    struct scc c;
    uint32_t *order, *level, n;
};

static void explore(struct explored *x, struct graph *g, const bool *excluded) {
    struct stop stop;
    *x = (struct explored){.w = graph_worker(g), .c = {.excluded = excluded, .phase = "test"}};
    x->order = malloc(g->count * sizeof *x->order);
    x->level = malloc(g->count * sizeof *x->level);
    g->keep_edges = random_chance(50);
    g->threads = graph_threads(random_below(8));
    graph_space(&x->s, g, x->w, 0);
    x->n = graph_explore(g, x->order, x->level);
    assert_true(scc_run(&x->c, &x->s, &stop));
    assert_int_equal(stop.kind, STOP_DONE);
    assert_int_equal(x->c.strong.of.base != NULL, g->keep_edges && !excluded);
}

static void explored_fini(struct explored *x) {
    scc_fini(&x->c);
    space_fini(&x->s);
    free(x->w);
    free(x->order);
    free(x->level);
}

static uint64_t component(struct explored *x, uint32_t s) { return scc_of(&x->c, graph_slot(&x->s, s)); }

/* ---- Small graphs: all pairs ---- */

/* Whether components can be left, by all edges. */
static void compare_leavable(struct explored *x, const bool *reach, uint32_t n) {
    struct bitmap leavable;
    struct stop stop = {.kind = STOP_DONE};
    assert_true(bitmap_init(&leavable, x->n + 1));
    assert_true(scc_find_leavable(&x->c, &x->s, &leavable, &stop));
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t s = x->order[i];
        bool can_leave = false;
        for (uint32_t u = 0; u < n; u++) can_leave |= reach[s * n + u] && !reach[u * n + s];
        assert_int_equal(bitmap_has(&leavable, component(x, s)), can_leave);
    }
    bitmap_fini(&leavable);
}

static uint32_t compare_small(struct graph *g, const bool *excluded) {
    uint32_t n = g->count, components = 0;
    bool *reach = calloc((size_t)n * n, 1);
    for (uint32_t s = 0; s < n; s++) {
        uint32_t to[256], edges = counted(g, s, excluded, to);
        reach[s * n + s] = true;
        for (uint32_t e = 0; e < edges; e++) reach[s * n + to[e]] = true;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t s = 0; s < n; s++)
            for (uint32_t u = 0; reach[s * n + k] && u < n; u++) reach[s * n + u] |= reach[k * n + u];
    struct explored x;
    explore(&x, g, excluded);
    for (uint32_t i = 0; i < x.n; i++) {
        uint64_t number = component(&x, x.order[i]);
        assert_in_range(number, 1, x.n);
        bool first = true;
        for (uint32_t k = 0; k < i; k++) first &= component(&x, x.order[k]) != number;
        components += first;
        for (uint32_t k = 0; k < x.n; k++) {
            uint32_t s = x.order[i], u = x.order[k];
            assert_int_equal(number == component(&x, u), reach[s * n + u] && reach[u * n + s]);
        }
    }
    if (!excluded) compare_leavable(&x, reach, n);
    free(reach);
    explored_fini(&x);
    return components;
}

static void small_graphs(void **unused) {
    uint32_t many = 0, few = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(3000); i++) {
        struct graph g;
        bool excluded[8];
        random_start(i);
        graph_init(&g, 1 + random_below(i % 20 ? 15 : 60), 1 + random_below(5), i % 3 ? 1 : 2);
        graph_randomise(&g, 20 + random_below(70), random_chance(50) ? 3 : 0, i);
        for (uint32_t t = 0; t < 8; t++) excluded[t] = random_chance(30);
        uint32_t components = compare_small(&g, i % 2 ? excluded : NULL);
        if (components > 3) many++;
        else few++;
        graph_fini(&g);
    }
    assert_true(many > OFTEN(300) && few > OFTEN(300));
}

/* ---- Large graphs: forward and backward search from one state after the other (Kosaraju) ---- */

static void compare_large(struct graph *g, const bool *excluded) {
    struct explored x;
    explore(&x, g, excluded);
    uint32_t n = g->count, *stack = malloc(n * sizeof *stack), *next = calloc(n, sizeof *next), depth, left = 0;
    uint32_t *finished = malloc(n * sizeof *finished), *head = malloc(n * sizeof *head), edges = 0;
    uint32_t *chain = malloc((size_t)n * g->ts.transitions * sizeof *chain);
    uint32_t *from = malloc((size_t)n * g->ts.transitions * sizeof *from), *number = calloc(n, sizeof *number),
             numbers = 0;
    bool *met = calloc(n, sizeof *met);
    memset(head, 0xff, n * sizeof *head);
    for (uint32_t i = 0; i < x.n; i++) {
        uint32_t to[256], k = counted(g, x.order[i], excluded, to);
        for (uint32_t e = 0; e < k; e++) {
            from[edges] = x.order[i];
            chain[edges] = head[to[e]];
            head[to[e]] = edges++;
        }
    }
    for (uint32_t i = 0; i < x.n; i++) {
        if (met[x.order[i]]) continue;
        met[stack[0] = x.order[i]] = true;
        for (depth = 1; depth > 0;) {
            uint32_t s = stack[depth - 1], to[256], k = counted(g, s, excluded, to);
            if (next[s] == k) finished[left++] = s, depth--;
            else if (!met[to[next[s]]]) met[to[next[s]]] = true, stack[depth++] = to[next[s]++];
            else next[s]++;
        }
    }
    while (left-- > 0) {
        if (number[finished[left]]) continue;
        number[stack[0] = finished[left]] = ++numbers;
        for (depth = 1; depth > 0;) {
            uint32_t s = stack[--depth];
            for (uint32_t e = head[s]; e != UINT32_MAX; e = chain[e])
                if (!number[from[e]]) number[stack[depth++] = from[e]] = numbers;
        }
    }
    /* The same partition: numbers correspond one to one. */
    uint64_t *theirs = calloc(numbers + 1, sizeof *theirs);
    uint32_t *ours = calloc(x.n + 1, sizeof *ours);
    for (uint32_t i = 0; i < x.n; i++) {
        uint32_t mine = number[x.order[i]];
        uint64_t its = component(&x, x.order[i]);
        assert_in_range(its, 1, x.n);
        if (!theirs[mine]) theirs[mine] = its;
        if (!ours[its]) ours[its] = mine;
        assert_int_equal(theirs[mine], its);
        assert_int_equal(ours[its], mine);
    }
    void *all[] = {stack, next, finished, head, chain, from, number, met, theirs, ours};
    for (size_t i = 0; i < COUNT(all); i++) free(all[i]);
    explored_fini(&x);
}

static void large_graphs(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 40; i++) {
        struct graph g;
        bool excluded[4];
        random_start(i);
        graph_init(&g, 3000 + random_below(20000), 3, i % 3 ? 1 : 3);
        graph_randomise(&g, 40 + random_below(30), i % 2 ? 0 : 30, i);
        for (uint32_t s = 0; s + 1 < g.count && i % 2 == 0; s++) *graph_next(&g, s, 0) = s + 1;
        for (uint32_t t = 0; t < 4; t++) excluded[t] = t == i % 4;
        compare_large(&g, i % 3 ? excluded : NULL);
        graph_fini(&g);
    }
}

/* Deep: one path through all states, closed to a cycle or not. */
static void long_paths(void **unused) {
    struct graph g;
    uint32_t count = 200000;
    (void)unused;
    graph_init(&g, count, 2, 1);
    for (uint32_t s = 0; s + 1 < count; s++) *graph_next(&g, s, 0) = s + 1;
    compare_large(&g, NULL);
    *graph_next(&g, count - 1, 1) = 0;
    compare_large(&g, NULL);
    compare_large(&g, (const bool[]){false, true});
    graph_fini(&g);
}

static volatile sig_atomic_t interrupted;

static void given_up(void **unused) {
    struct graph g;
    struct space s;
    struct stop stop;
    (void)unused;
    graph_init(&g, 5000, 1, 1);
    for (uint32_t i = 0; i + 1 < g.count; i++) *graph_next(&g, i, 0) = i + 1;
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    struct scc c = {.phase = "test"};
    interrupted = 1;
    s.limits.interrupted = &interrupted;
    assert_false(scc_run(&c, &s, &stop));
    assert_int_equal(stop.kind, STOP_LIMIT);
    scc_fini(&c);
    interrupted = 0;
    g.fault_state = 4000;
    assert_false(scc_run(&c, &s, &stop));
    assert_int_equal(stop.kind, STOP_FAULT);
    assert_int_equal(stop.fault.kind, TS_RAISED);
    assert_int_equal(graph_number(&s, stop.state), 4000);
    scc_fini(&c);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(large_graphs),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
