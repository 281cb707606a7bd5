/* Infinite occurrence, with kept edges and without, by several numbers of threads: the same answer and the same
 * execution. Whether it is the right answer is tested in test_check.c. */
#include "unit.h"

#include "graph.h"
#include "check/check.h"

/* So little memory that no edges are kept: these may take what is left of half of it, and the program takes more. */
static struct limits tight(void) {
    uint64_t resident = memory_resident(), room = resident / 2, least = UINT64_C(2) << 20;
    return (struct limits){.max_memory = resident + (room > least ? room : least)};
}

static void ask(struct answer *a, struct graph *g, const struct questions *q, struct limits limits, unsigned threads) {
    struct ts_worker *w = graph_worker(g);
    struct means means = {.threads = threads};
    g->expanded = 0;
    check_run(a, &g->ts, w, q, &limits, &means, NULL);
    free(w);
}

static void same(const struct answer *a, const struct answer *b) {
    const struct trace *t = &a->trace, *u = &b->trace;
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->property, b->property);
    if (a->message || b->message) assert_string_equal(a->message, b->message);
    assert_true(a->states == b->states && a->edges == b->edges && a->depth == b->depth);
    assert_true(t->count == u->count && t->cycle == u->cycle && t->closing == u->closing);
    if (t->count == 0) return;
    assert_memory_equal(t->states, u->states, t->count * t->words * sizeof(word));
    assert_memory_equal(t->transitions, u->transitions, t->count * sizeof *t->transitions);
}

/* Returns whether there is such an execution. */
static bool compare(struct graph *g, const struct questions *q) {
    const struct limits plenty = {.max_memory = UINT64_C(1) << 33};
    static const unsigned threads[] = {1, 2, 3};
    struct answer expanding;
    ask(&expanding, g, q, tight(), 1);
    assert_true(expanding.verdict == VERDICT_HOLDS || expanding.verdict == VERDICT_VIOLATED);
    uint64_t most = g->expanded, least = UINT64_MAX;
    for (size_t i = 0; i < COUNT(threads); i++) {
        struct answer a;
        ask(&a, g, q, plenty, threads[i]);
        if (i == 0) least = g->expanded;
        same(&a, &expanding);
        answer_fini(&a);
    }
    bool found = expanding.verdict == VERDICT_VIOLATED;
    if (q->order == ORDER_BFS && !found) assert_true(least <= most); /* with kept edges, once or twice */
    answer_fini(&expanding);
    return found;
}

static void compare_random(uint32_t most_states, uint64_t rounds, uint64_t often) {
    uint64_t found[2] = {0};
    for (uint64_t i = 0; i < rounds; i++) {
        struct graph g;
        bool finitely[8] = {0};
        random_start(i);
        graph_init(&g, 1 + random_below(i % 5 ? most_states / 10 + 1 : most_states), 2 + random_below(5),
                   i % 3 ? 1 : 2);
        graph_randomise(&g, 10 + random_below(70), random_chance(50) ? 1 + random_below(20) : 0, i);
        bool upward = random_chance(30); /* most edges, so that there are few cycles */
        for (uint32_t s = 0; s + 1 < g.count; s++) {
            for (uint32_t t = 0; upward && t < g.ts.transitions; t++)
                if (*graph_next(&g, s, t) <= s && random_below(g.count) > 2) *graph_next(&g, s, t) = NO_STATE;
            if (random_chance(95)) *graph_next(&g, s, 0) = s + 1; /* so that much is reachable */
        }
        struct questions q = {.order = random_chance(80) ? ORDER_BFS : ORDER_DFS,
                              .checks = PROP_INFINITE,
                              .infinitely = random_below(g.ts.transitions),
                              .finitely = finitely};
        bool some = random_chance(70);
        for (uint32_t t = 0; t < g.ts.transitions; t++) finitely[t] = some && t != q.infinitely && random_chance(60);
        found[compare(&g, &q)]++;
        graph_fini(&g);
    }
    assert_true(found[0] > often && found[1] > often);
}

static void small_graphs(void **unused) {
    (void)unused;
    compare_random(200, ROUNDS(600), OFTEN(100));
}

/* Enough states for every thread to have some. */
static void large_graphs(void **unused) {
    (void)unused;
    compare_random(30000, ROUNDS(25), SANITIZED ? 0 : 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(large_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
