/* Shortened executions against a naive shortest path through the same states. */
#include "unit.h"

#include "graph.h"
#include "graph/shorten.h"

/* A random walk of up to `steps` steps from state 0. */
static void walk(struct trace *t, struct graph *g, uint32_t steps) {
    uint32_t at = 0, to[256], labels[256];
    word state[16];
    graph_encode(g, 0, state);
    trace_add(t, TS_NONE, state);
    for (uint32_t i = 0, n; i < steps && (n = graph_successors(g, at, to, labels)) > 0; i++) {
        uint32_t k = random_below(n);
        at = to[k];
        graph_encode(g, at, state);
        trace_add(t, labels[k], state);
    }
}

/* The length of a shortest way from 0 to `goal` through the states that are marked: Bellman and Ford's way. */
static uint32_t naive_length(struct graph *g, const bool *allowed, uint32_t goal) {
    uint32_t *distance = malloc(g->count * sizeof *distance), to[256], labels[256];
    memset(distance, 0xff, g->count * sizeof *distance);
    distance[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < g->count; s++) {
            if (distance[s] == NO_STATE) continue;
            uint32_t n = graph_successors(g, s, to, labels);
            for (uint32_t e = 0; e < n; e++)
                if (allowed[to[e]] && distance[to[e]] > distance[s] + 1)
                    distance[to[e]] = distance[s] + 1, changed = true;
        }
    }
    uint32_t result = distance[goal];
    free(distance);
    return result;
}

static void try_graph(uint64_t seed, uint32_t words) {
    struct graph g;
    struct trace t;
    struct problem why = {0};
    graph_init(&g, 2 + (uint32_t)(seed * 7 % 300), 1 + (uint32_t)(seed % 4), words);
    graph_randomise(&g, 90, seed % 3 ? 5 : 0, seed);
    struct ts_worker *w = graph_worker(&g);
    bool *allowed = calloc(g.count, sizeof *allowed);
    trace_init(&t, words);
    walk(&t, &g, random_below(1000));
    for (uint64_t i = 0; i < t.count; i++) allowed[graph_decode(&g, trace_state(&t, i))] = true;
    uint32_t goal = graph_decode(&g, trace_state(&t, t.count - 1));
    trace_shorten(&t, &g.ts, w, NULL);
    assert_int_equal(t.count, naive_length(&g, allowed, goal) + 1);
    assert_int_equal(graph_decode(&g, trace_state(&t, t.count - 1)), goal);
    assert_true(trace_replay(&t, &g.ts, w, &why));
    trace_fini(&t);
    free(allowed);
    free(w);
    graph_fini(&g);
}

static void shortest_among_its_states(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 300; seed++) try_graph(seed, seed % 5 ? 1 : 3);
}

/* Where model code fails, the trace's own step stays: 0 -> 1 -> 2 -> 1 -> 3, and 1 cannot be expanded. */
static void failing_states_keep_their_step(void **unused) {
    static const uint32_t way[] = {0, 1, 2, 1, 3};
    struct graph g;
    struct trace t;
    (void)unused;
    graph_init(&g, 4, 2, 1);
    *graph_next(&g, 0, 0) = 1;
    *graph_next(&g, 1, 0) = 2;
    *graph_next(&g, 1, 1) = 3;
    *graph_next(&g, 2, 0) = 1;
    g.fault_state = 1;
    struct ts_worker *w = graph_worker(&g);
    trace_init(&t, 1);
    for (uint32_t i = 0; i < COUNT(way); i++) {
        word state;
        graph_encode(&g, way[i], &state);
        trace_add(&t, i ? i == 4 : TS_NONE, &state);
    }
    trace_shorten(&t, &g.ts, w, NULL);
    assert_int_equal(t.count, 3);
    assert_int_equal(graph_decode(&g, trace_state(&t, 1)), 1);
    assert_int_equal(graph_decode(&g, trace_state(&t, 2)), 3);
    assert_int_equal(t.transitions[2], 1);
    trace_fini(&t);
    free(w);
    graph_fini(&g);
}

/* 0 -> 1 -> 2 -> ... could be shorter, but somebody is in a hurry. */
static void interrupted_traces_stay(void **unused) {
    enum { LONG = 1000 };
    static volatile sig_atomic_t interrupted;
    struct graph g;
    struct trace t;
    (void)unused;
    graph_init(&g, LONG, 2, 1);
    for (uint32_t i = 0; i < LONG; i++) {
        *graph_next(&g, i, 0) = (i + 1) % LONG;
        *graph_next(&g, i, 1) = (i + 2) % LONG;
    }
    struct ts_worker *w = graph_worker(&g);
    trace_init(&t, 1);
    for (uint32_t i = 0; i < LONG; i++) {
        word state;
        graph_encode(&g, i, &state);
        trace_add(&t, i ? 0 : TS_NONE, &state);
    }
    for (interrupted = 1; interrupted >= 0; interrupted = (sig_atomic_t)(interrupted - 1)) {
        struct problem why = {0};
        trace_shorten(&t, &g.ts, w, &interrupted);
        assert_int_equal(t.count, interrupted ? LONG : LONG / 2 + 1);
        assert_int_equal(graph_decode(&g, trace_state(&t, t.count - 1)), LONG - 1);
        assert_true(trace_replay(&t, &g.ts, w, &why));
    }
    trace_fini(&t);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_among_its_states),
        cmocka_unit_test(failing_states_keep_their_step),
        cmocka_unit_test(interrupted_traces_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
