/* Concrete executions on graphs that have a symmetry by construction: m copies of a random graph, whose transitions
 * turn by some copies; the map turns back to copy 0. Whatever is found is looked up in the graph itself. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "reduce/likeness.h"
#include "check/concretize.h"

/* State (b, j) is b * m + j. */
static void copies(struct graph *g, uint32_t base, uint32_t m, uint32_t transitions) {
    graph_init(g, base * m, transitions, 1);
    g->ts.reduction.symmetry = true;
    for (uint32_t b = 0; b < base; b++)
        for (uint32_t t = 0; t < transitions; t++) {
            if (random_below(100) >= 70) continue;
            uint32_t to = random_below(base), turn = random_below(m);
            for (uint32_t j = 0; j < m; j++) *graph_next(g, b * m + j, t) = to * m + (j + turn) % m;
        }
    for (uint32_t s = 0; s < g->count; s++) g->image[s] = s - s % m;
}

static void add(struct trace *t, const struct graph *g, uint32_t transition, uint32_t s) {
    word state[1];
    graph_encode(g, s, state);
    trace_add(t, transition, state);
}

/* A random execution of representatives, to a cycle if it gets that far. */
static void walk(struct trace *t, struct graph *g) {
    uint32_t *at = calloc(g->count, sizeof *at), s = g->image[0];
    trace_init(t, 1);
    add(t, g, TS_NONE, s);
    for (uint32_t i = 1;; i++) {
        uint32_t to[16], labels[16], n = 0;
        at[s] = i;
        for (uint32_t u = 0; u < g->ts.transitions; u++)
            if (*graph_next(g, s, u) != NO_STATE) to[n] = g->image[*graph_next(g, s, u)], labels[n++] = u;
        if (n == 0) break;
        uint32_t k = random_below(n);
        s = to[k];
        if (at[s]) {
            t->cycle = at[s] - 1;
            t->closing = labels[k];
            break;
        }
        add(t, g, labels[k], s);
    }
    free(at);
}

static uint32_t state_at(const struct graph *g, const struct trace *t, uint64_t i) {
    return graph_decode(g, trace_state(t, i));
}

static void is_concrete(struct graph *g, const struct trace *t, const struct trace *reduced) {
    assert_int_equal(state_at(g, t, 0), 0);
    assert_true(t->count >= reduced->count);
    uint64_t length = reduced->cycle == TRACE_NONE ? 1 : reduced->count - reduced->cycle;
    for (uint64_t i = 1; i < t->count; i++) {
        uint64_t like = i < reduced->count ? i : reduced->cycle + (i - reduced->cycle) % length;
        assert_int_equal(*graph_next(g, state_at(g, t, i - 1), t->transitions[i]), state_at(g, t, i));
        assert_int_equal(g->image[state_at(g, t, i)], state_at(g, reduced, like));
    }
    assert_int_equal(t->cycle == TRACE_NONE, reduced->cycle == TRACE_NONE);
    if (t->cycle == TRACE_NONE) return;
    assert_true(t->cycle >= reduced->cycle && (t->count - t->cycle) % length == 0);
    assert_int_equal(*graph_next(g, state_at(g, t, t->count - 1), t->closing), state_at(g, t, t->cycle));
}

static void right_maps(void **unused) {
    uint32_t longer = 0;
    (void)unused;
    for (uint64_t i = 0; i < 3000; i++) {
        random_start(i);
        struct graph g;
        struct trace reduced, real;
        struct concrete_gap gap;
        copies(&g, 1 + random_below(12), 1 + random_below(5), 1 + random_below(4));
        struct ts_worker *w = graph_worker(&g);
        walk(&reduced, &g);
        trace_init(&real, 1);
        assert_int_equal(concrete_trace(&real, &reduced, &g.ts, w, 100000, &gap), CONCRETE_FOUND);
        is_concrete(&g, &real, &reduced);
        longer += real.count > reduced.count;
        for (uint32_t s = 0; s < g.count; s++) {
            word a[1], b[1];
            graph_encode(&g, s, a);
            graph_encode(&g, g.image[s], b);
            assert_int_equal(likeness(&g.ts, w, a, b, UINT32_MAX), ALIKE);
        }
        trace_fini(&reduced);
        trace_fini(&real);
        free(w);
        graph_fini(&g);
    }
    assert_true(longer > 300);
}

/* An edge is taken away from some copies of states, but not from the first: then there may be no such execution. Is
 * there one with these representatives? */
static bool exists(struct graph *g, const struct trace *reduced) {
    bool *here = calloc(g->count, 1), *next = calloc(g->count, 1), any = true;
    here[0] = true;
    for (uint64_t i = 1; i < reduced->count && any; i++) {
        memset(next, 0, g->count);
        any = false;
        for (uint32_t s = 0; s < g->count; s++)
            for (uint32_t t = 0; here[s] && t < g->ts.transitions; t++) {
                uint32_t to = *graph_next(g, s, t);
                if (to == NO_STATE || g->image[to] != state_at(g, reduced, i)) continue;
                next[to] = any = true;
            }
        memcpy(here, next, g->count);
    }
    free(here);
    free(next);
    return any;
}

static void wrong_maps(void **unused) {
    uint32_t none = 0, missed = 0;
    (void)unused;
    for (uint64_t k = 1; k < 3000; k++) {
        struct graph g;
        struct trace reduced, real;
        struct concrete_gap gap;
        random_start(k);
        uint32_t m = 2 + random_below(3), base = 2 + random_below(8);
        copies(&g, base, m, 1 + random_below(3));
        struct ts_worker *w = graph_worker(&g);
        for (uint32_t b = 0, t = random_below(g.ts.transitions); b < base; b++)
            for (uint32_t j = 1; j < m && random_below(2); j++) *graph_next(&g, b * m + j, t) = NO_STATE;
        walk(&reduced, &g);
        reduced.cycle = TRACE_NONE;
        trace_init(&real, 1);
        enum concrete found = concrete_trace(&real, &reduced, &g.ts, w, 100000, &gap);
        bool there = exists(&g, &reduced);
        if (found == CONCRETE_FOUND) is_concrete(&g, &real, &reduced);
        else assert_int_equal(found, CONCRETE_NO_STEP);
        if (!there) assert_int_equal(found, CONCRETE_NO_STEP);
        none += !there;
        missed += there && found != CONCRETE_FOUND; /* the map is wrong all the same */
        trace_fini(&reduced);
        trace_fini(&real);
        free(w);
        graph_fini(&g);
    }
    print_message("%u without an execution, %u where another choice would have led on\n", none, missed);
    assert_true(none > 100);
}

/* A bound on the states of a cycle that needs many rounds. */
static void long_cycles(void **unused) {
    struct graph g;
    struct trace reduced, real;
    struct concrete_gap gap;
    (void)unused;
    graph_init(&g, 1000, 1, 1);
    g.ts.reduction.symmetry = true;
    for (uint32_t s = 0; s < 1000; s++) *graph_next(&g, s, 0) = (s + 1) % 1000, g.image[s] = 0;
    struct ts_worker *w = graph_worker(&g);
    walk(&reduced, &g);
    assert_int_equal(reduced.count, 1);
    trace_init(&real, 1);
    assert_int_equal(concrete_trace(&real, &reduced, &g.ts, w, 999, &gap), CONCRETE_OPEN);
    assert_true(real.count == 1 && real.cycle == TRACE_NONE);
    trace_fini(&real);
    trace_init(&real, 1);
    assert_int_equal(concrete_trace(&real, &reduced, &g.ts, w, 1000, &gap), CONCRETE_FOUND);
    assert_true(real.count == 1000 && real.cycle == 0);
    trace_fini(&real);
    trace_fini(&reduced);
    free(w);
    graph_fini(&g);
}

/* No address space for the cycle: that is not the same as a cycle that is too long. */
static void no_memory(void **state) {
    struct graph g;
    struct trace reduced, real;
    struct concrete_gap gap;
    (void)state;
    copies(&g, 1, 4, 1);
    for (uint32_t j = 0; j < 4; j++) *graph_next(&g, j, 0) = (j + 1) % 4;
    struct ts_worker *w = graph_worker(&g);
    walk(&reduced, &g);
    trace_init(&real, 1);
    assert_int_equal(concrete_trace(&real, &reduced, &g.ts, w, 1000, &gap), CONCRETE_FOUND);
    trace_fini(&real);
    trace_init(&real, 1);
    assert_int_equal(concrete_trace(&real, &reduced, &g.ts, w, UINT64_C(1) << 50, &gap), CONCRETE_NO_MEMORY);
    trace_fini(&real);
    trace_fini(&reduced);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_maps),
        cmocka_unit_test(wrong_maps),
        cmocka_unit_test(long_cycles),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
