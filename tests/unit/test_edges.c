/* Edges that are kept: what is noted during a search, and settled after it, against the graph itself.
 *
 * The source is included, not linked, so that few keys are enough for several rounds. */
#include "unit.h"

#include <signal.h>

#include <math.h>

#include "graph.h"
#include "explore/bfs.h"
#include "explore/dfs.h"

#define MOST_KEYS UINT64_C(5000)
#include "graph/edges.c" // NOLINT: see above

/* ---- The naive answer: the numbers of the successors of every state, by decoding the trail ---- */

static uint64_t compare(struct graph *g, struct space *s) {
    uint64_t *number = malloc(g->count * sizeof *number), edges = 0;
    const struct edges *e = &s->edge_list;
    for (uint64_t i = 0; i < s->states; i++) number[graph_number(s, i)] = i;
    assert_int_equal(e->states, s->states);
    assert_int_equal(e->count, s->edges);
    for (uint64_t i = 0; i < s->states; i++) {
        uint32_t to[256], labels[256], n = graph_successors(g, graph_number(s, i), to, labels);
        if (i % 64 == 0) assert_int_equal(EDGES_STARTS(e)[i / 64], edges);
        assert_int_equal(EDGES_COUNTS(e)[i], n);
        for (uint32_t k = 0; k < n; k++) assert_int_equal(EDGES_TARGETS(e)[edges++], number[to[k]]);
    }
    assert_int_equal(edges, s->edges);
    free(number);
    return edges;
}

static void deep_space(struct space *s, struct graph *g, struct ts_worker *w) {
    struct problem why = {0};
    struct limits limits = {.max_memory = UINT64_C(1) << 33};
    struct dfs_goals goals = {.termination = false};
    struct dfs_end end;
    struct stop stop;
    word start[16];
    assert_true(space_init(s, &g->ts, w, &limits, NULL, &why));
    s->edges_kept = true;
    graph_encode(g, 0, start);
    dfs_run(s, start, &goals, &end, &stop);
    assert_int_equal(stop.kind, STOP_DONE);
    dfs_end_fini(&end);
    problem_fini(&why);
}

/* Where a search was saved. */
struct place {
    uint64_t expanded, level_end;
    size_t levels;
};

static void note_place(void *context, struct space *s, uint64_t expanded, uint64_t level_end,
                       const struct bitmap *marked) {
    (void)marked;
    *(struct place *)context = (struct place){expanded, level_end, s->levels.count};
}

/* What is on the trail, as if it had been read from a file. */
static void copy_space(struct space *s, struct graph *g, struct space *from, const struct place *place) {
    uint32_t fresh, fresh_count;
    word state[16];
    for (uint64_t i = 0; i < from->states; i++) {
        graph_encode(g, graph_number(from, i), state);
        assert_int_equal(space_insert(s, state, 1, &fresh, &fresh_count), 1);
        space_add(s, state);
    }
    for (size_t i = 0; i < place->levels; i++) numbers_add(&s->levels, from->levels.at[i]);
    s->states = from->states;
    s->edges = from->edges;
    s->terminals = from->terminals;
}

/* Edges are wanted only when a search goes on that had come to a limit. */
static void resumed_space(struct space *s, struct graph *g, struct ts_worker *w) {
    struct problem why = {0};
    struct limits limits = {.max_memory = UINT64_C(1) << 33};
    struct means means = {.threads = g->threads};
    struct bfs_goals goals = {0};
    struct place place = {0};
    struct space before;
    struct stop stop;
    word start[16];
    assert_true(space_init(s, &g->ts, w, &limits, &means, &why));
    limits.max_states = 1 + random_below(g->count);
    assert_true(space_init(&before, &g->ts, w, &limits, &means, &why));
    before.saver = (struct saver){.save = note_place, .context = &place, .next = INFINITY};
    graph_encode(g, 0, start);
    bfs_run(&before, start, &goals, &stop);
    if (stop.kind == STOP_DONE) place = (struct place){before.states, before.states, before.levels.count};
    else assert_int_equal(stop.kind, STOP_LIMIT);
    copy_space(s, g, &before, &place);
    space_fini(&before);
    s->edges_kept = true;
    if (g->layout_from) s->layout_from = g->layout_from;
    bfs_resume(s, place.expanded, place.level_end, &goals, &stop);
    assert_int_equal(stop.kind, STOP_DONE);
    problem_fini(&why);
}

enum way { BREADTH, DEPTH, RESUMED };

static uint32_t collapsed; /* spaces whose keys changed on the way */

/* Returns how many targets were not known at first. */
static uint64_t settle(struct graph *g, enum way way) {
    struct ts_worker *w = graph_worker(g);
    struct space s;
    struct stop stop;
    g->keep_edges = true;
    if (way == DEPTH) deep_space(&s, g, w);
    else if (way == RESUMED) resumed_space(&s, g, w);
    else graph_space(&s, g, w, 0);
    assert_true(s.edges_kept);
    uint64_t unknown = s.edge_list.unknown;
    collapsed += s.store.collapse != NULL;
    for (int i = 0; i < 2; i++) { /* the second time there is nothing to do */
        assert_int_equal(edges_settle(&s, &stop), EDGES_SETTLED);
        compare(g, &s);
    }
    assert_true(s.edges_kept);
    edges_drop(&s);
    assert_false(s.edges_kept);
    assert_int_equal(s.edge_list.states, 0);
    space_fini(&s);
    free(w);
    return unknown;
}

/* ---- The tests ---- */

static void random_graphs(void **unused) {
    static const uint32_t sizes[] = {1, 2, 63, 64, 65, 128, 500, 5000, 40000};
    uint64_t unknown = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(200); i++) {
        struct graph g;
        random_start(i);
        graph_init(&g, sizes[i % COUNT(sizes)], 1 + random_below(5), i % 4 ? 1 : 3);
        graph_randomise(&g, 50 + random_below(51), i % 3 ? 0 : 30, i);
        for (uint32_t s = 0; s + 1 < g.count; s++)
            if (random_chance(90)) *graph_next(&g, s, 0) = s + 1; /* so that much is reachable */
        g.threads = graph_threads(i);
        g.layout_from = 1 + random_below(g.count);
        unknown += settle(&g, (enum way)random_below(3));
        graph_fini(&g);
    }
    assert_true(unknown > OFTEN(1000) && (FEWER || collapsed > 5));
}

/* More states than the cache of recent successors has room for, all of them successors again and again. */
static void many_states(void **unused) {
    struct graph g;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(4); i++) {
        graph_init(&g, 300000, 4, 1);
        graph_randomise(&g, 95, 0, i);
        g.threads = i % 2 ? 3 : 1;
        assert_true(settle(&g, BREADTH) > 100000);
        graph_fini(&g);
    }
}

static void no_edges_at_all(void **unused) {
    struct graph g;
    (void)unused;
    graph_init(&g, 1, 1, 1);
    g.threads = 1;
    settle(&g, BREADTH);
    graph_fini(&g);
}

/* What does not fit is given up, while the search goes on or after it; the search itself is not affected. */
static void little_memory(void **unused) {
    struct graph g;
    struct space s;
    struct stop stop;
    (void)unused;
    graph_init(&g, 200000, 4, 1);
    graph_randomise(&g, 95, 0, 7);
    g.keep_edges = true;
    g.threads = 1;
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 2 * memory_resident() + (UINT64_C(4) << 20));
    assert_false(s.edges_kept);
    assert_int_equal(s.edge_list.count, 0);
    uint64_t states = s.states, edges = s.edges;
    space_fini(&s);
    graph_space(&s, &g, w, 0);
    assert_int_equal(s.states, states);
    assert_int_equal(s.edges, edges);
    assert_true(s.edges_kept);
    s.limits.max_memory = memory_resident();
    assert_int_equal(edges_settle(&s, &stop), EDGES_GIVEN_UP);
    assert_false(s.edges_kept);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

/* A state that was noted and is not in the store: never, but if so, it is seen. */
static void incomplete(void **unused) {
    struct graph g;
    struct space s;
    struct stop stop;
    (void)unused;
    graph_init(&g, 100, 2, 1);
    graph_randomise(&g, 90, 0, 3);
    g.keep_edges = true;
    g.threads = 1;
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    struct ts_batch batch = {.count = 1, .ends = (uint32_t[]){1}};
    uint64_t key = UINT64_C(1) << 30;
    s.edge_list.states--; /* instead of the successors of the last state */
    edges_note(&s, &batch, &key, NULL, 0, 0);
    assert_true(s.edges_kept);
    assert_int_equal(edges_settle(&s, &stop), EDGES_GIVEN_UP);
    assert_false(s.edges_kept);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

/* An interrupt ends it at the next look, and is told from a lack of memory. */
static void interrupted(void **unused) {
    static volatile sig_atomic_t now;
    (void)unused;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct graph g;
        struct space s;
        struct stop stop;
        graph_init(&g, 5000, 3, 1);
        graph_randomise(&g, 90, 0, 3);
        g.keep_edges = true;
        g.threads = threads;
        struct ts_worker *w = graph_worker(&g);
        graph_space(&s, &g, w, 0);
        assert_true(s.edge_list.unknown > 0);
        s.limits.interrupted = &now;
        now = 1;
        assert_int_equal(edges_settle(&s, &stop), EDGES_STOPPED);
        now = 0;
        assert_int_equal(stop.kind, STOP_LIMIT);
        assert_string_equal(stop.reason, "interrupted");
        assert_false(s.edges_kept);
        space_fini(&s);
        free(w);
        graph_fini(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs), cmocka_unit_test(many_states), cmocka_unit_test(no_edges_at_all),
        cmocka_unit_test(little_memory), cmocka_unit_test(incomplete),  cmocka_unit_test(interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
