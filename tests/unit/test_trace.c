/* Executions: shortest ones, continued ones, replayed ones. */
#include "unit.h"

#include <signal.h>

#include "graph.h"
#include "graph/way.h"
#include "ts/trace.h"
#include "explore/typical_execution.h"
#include "ts/unreduced.h"

static uint32_t state_of(const struct graph *g, const struct trace *t, uint64_t i) {
    return graph_decode(g, trace_state(t, i));
}

/* Where t leads from s, with the symmetry map if there is one. */
static uint32_t after(struct graph *g, uint32_t s, uint32_t t) {
    uint32_t to = *graph_next(g, s, t);
    return to != NO_STATE && g->ts.reduction.symmetry ? g->image[to] : to;
}

static void shape(struct graph *g, uint64_t i) {
    random_start(i);
    graph_init(g, 1 + random_below(i % 8 ? 40 : 2000), 1 + random_below(4), i % 3 ? 1 : 2);
    graph_randomise(g, 40 + random_below(60), random_chance(60) ? 1 + random_below(5) : 0, i);
    if (i % 16 == 0) /* deep */
        for (uint32_t s = 0; s < g->count; s++)
            for (uint32_t t = 0; t < g->ts.transitions; t++)
                *graph_next(g, s, t) = t ? s / (1 + random_below(3)) : (s + 1 + random_below(2)) % g->count;
    g->ts.reduction.forward = random_chance(50);
    g->threads = graph_threads(i);
    if (i % 16 && random_chance(25)) {
        g->ts.reduction.symmetry = true;
        for (uint32_t s = 0; s < g->count; s++) g->image[s] = s / 3 * 3;
    }
}

/* A shortest execution to every state (of large graphs: to some), each of its states the first that leads to the
 * next. */
static void shortest(void **unused) {
    uint32_t deepest = 0;
    (void)unused;
    for (uint64_t i = 0; i < 250; i++) {
        struct graph g;
        struct space s;
        shape(&g, i);
        struct ts_worker *w = graph_worker(&g);
        uint32_t *order = malloc(g.count * sizeof *order), *level = malloc(g.count * sizeof *level);
        uint32_t *first = malloc(g.count * sizeof *first); /* the first state that leads to it */
        graph_space(&s, &g, w, 0);
        uint32_t n = graph_explore(&g, order, level);
        memset(first, 0xff, g.count * sizeof *first);
        for (uint32_t k = n; k-- > 0;) {
            uint32_t to[256], labels[256], edges = graph_successors(&g, order[k], to, labels);
            for (uint32_t e = 0; e < edges; e++)
                if (level[to[e]] > level[order[k]]) first[to[e]] = order[k];
        }
        for (uint32_t k = 0; k < n; k += 1 + random_below(1 + n / 30)) {
            struct trace t;
            struct stop stop = {.kind = STOP_DONE};
            struct problem why = {0};
            trace_init(&t, g.ts.words);
            assert_true(trace_to(&t, &s, k, &stop));
            assert_int_equal(t.count, level[order[k]] + 1);
            assert_int_equal(state_of(&g, &t, t.count - 1), order[k]);
            assert_int_equal(state_of(&g, &t, 0), order[0]);
            assert_int_equal(t.transitions[0], TS_NONE);
            for (uint64_t step = 1; step < t.count; step++) {
                uint32_t from = state_of(&g, &t, step - 1), to = state_of(&g, &t, step);
                assert_int_equal(after(&g, from, t.transitions[step]), to);
                assert_int_equal(first[to], from);
            }
            assert_true(trace_replay(&t, &g.ts, w, &why));
            for (uint64_t step = 1; step < t.count; step++) {
                uint32_t direct = *graph_next(&g, state_of(&g, &t, step - 1), t.transitions[step]);
                assert_int_equal(t.mapped[step], direct != state_of(&g, &t, step));
            }
            if (t.count > deepest) deepest = (uint32_t)t.count;
            trace_fini(&t);
        }
        space_fini(&s);
        free(w);
        free(order);
        free(level);
        free(first);
        graph_fini(&g);
    }
    assert_true(deepest > 100);
}

/* ---- Going on ---- */

struct allowed {
    struct space *s;
    bool *slots;
};

static bool is_allowed(const void *context, const word *state) {
    const struct allowed *a = context;
    uint64_t slot;
    space_find(a->s, state, 1, &slot);
    return slot != STORE_NONE && a->slots[slot];
}

/* From the last state by the lowest-numbered transition to an allowed state, until one comes again. */
static void walking_on(void **unused) {
    uint32_t cycles = 0, ends = 0;
    (void)unused;
    for (uint64_t i = 0; i < 400; i++) {
        struct graph g;
        struct space s;
        struct trace t;
        struct stop stop = {.kind = STOP_DONE};
        struct problem why = {0};
        shape(&g, i);
        struct ts_worker *w = graph_worker(&g);
        graph_space(&s, &g, w, 0);
        bool *allowed = calloc(store_slots(&s.store), 1);
        for (uint64_t slot = 0; slot < store_slots(&s.store); slot++) allowed[slot] = random_chance(85);
        uint64_t target = random_word() % s.states;
        trace_init(&t, g.ts.words);
        assert_true(trace_to(&t, &s, target, &stop));
        uint64_t from = t.count - 1;
        assert_true(
            trace_walk_on(&t, &s, &(struct node_set){is_allowed, &(struct allowed){&s, allowed}}, false, &stop));
        /* The same again, naively. */
        bool *seen = calloc(g.count, 1);
        uint32_t at = state_of(&g, &t, from), k = 0;
        uint64_t step = from;
        for (;;) {
            seen[at] = true;
            assert_true(step < t.count);
            assert_int_equal(state_of(&g, &t, step), at);
            for (k = 0; k < g.ts.transitions; k++)
                if (after(&g, at, k) != NO_STATE && allowed[graph_slot(&s, after(&g, at, k))]) break;
            if (k == g.ts.transitions) break;
            at = after(&g, at, k);
            if (seen[at]) break;
            step++;
            assert_true(step < t.count);
            assert_int_equal(t.transitions[step], k);
        }
        assert_int_equal(step + 1, t.count);
        if (k == g.ts.transitions) {
            assert_true(t.cycle == TRACE_NONE);
            ends++;
        } else {
            assert_in_range(t.cycle, from, t.count - 1);
            assert_int_equal(state_of(&g, &t, t.cycle), at);
            assert_int_equal(t.closing, k);
            cycles++;
        }
        assert_true(trace_replay(&t, &g.ts, w, &why));
        trace_fini(&t);
        space_fini(&s);
        free(allowed);
        free(seen);
        free(w);
        graph_fini(&g);
    }
    assert_true(cycles > 50 && ends > 50);
}

static void walking_into_a_fault(void **unused) {
    struct graph g;
    struct space s;
    struct trace t;
    struct stop stop = {.kind = STOP_DONE};
    (void)unused;
    graph_init(&g, 10, 1, 1);
    for (uint32_t i = 0; i < 10; i++) *graph_next(&g, i, 0) = (i + 1) % 10;
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    trace_init(&t, 1);
    assert_true(trace_to(&t, &s, 3, &stop));
    g.fault_state = 5;
    assert_false(trace_walk_on(&t, &s, NULL, false, &stop));
    assert_int_equal(stop.kind, STOP_FAULT);
    assert_int_equal(stop.fault.kind, TS_RAISED);
    trace_fini(&t);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

/* An interrupt ends a long way on within some thousands of steps. */
static void walking_on_interrupted(void **unused) {
    enum { LONG = 20000 };
    static volatile sig_atomic_t interrupted;
    struct graph g;
    struct space s;
    struct trace t;
    struct stop stop = {.kind = STOP_DONE};
    (void)unused;
    graph_init(&g, LONG, 1, 1);
    for (uint32_t i = 0; i < LONG; i++) *graph_next(&g, i, 0) = (i + 1) % LONG;
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    trace_init(&t, 1);
    assert_true(trace_to(&t, &s, 3, &stop));
    s.limits.interrupted = &interrupted;
    interrupted = 1;
    assert_false(trace_walk_on(&t, &s, NULL, false, &stop));
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "interrupted");
    assert_true(t.count < LONG / 2);
    trace_fini(&t);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

/* ---- Replay must notice every mistake ---- */

static void ring(struct graph *g, struct trace *t) {
    word state[1];
    graph_init(g, 6, 2, 1);
    for (uint32_t i = 0; i < 6; i++) *graph_next(g, i, 0) = (i + 1) % 6;
    *graph_next(g, 5, 1) = 3;
    trace_init(t, 1);
    for (uint32_t i = 0; i < 6; i++) {
        graph_encode(g, i, state);
        trace_add(t, i ? 0 : TS_NONE, state);
    }
    t->cycle = 3;
    t->closing = 1;
}

static bool replays(struct graph *g, struct trace *t) {
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    bool good = trace_replay(t, &g->ts, w, &why);
    if (!good) {
        assert_int_equal(why.status, EXIT_INTERNAL);
        print_message("%s\n", why.text);
        assert_non_null(strstr(why.text, "replay: "));
    }
    problem_fini(&why);
    free(w);
    return good;
}

static void wrong_replays(void **unused) {
    struct graph g;
    struct trace t;
    word state[1];
    (void)unused;
    ring(&g, &t);
    assert_true(replays(&g, &t));

    t.closing = 0; /* leads to 0, not to 3 */
    assert_false(replays(&g, &t));
    t.closing = 1;
    t.cycle = 2;
    assert_false(replays(&g, &t));
    t.cycle = 3;
    t.transitions[2] = 1; /* not enabled */
    assert_false(replays(&g, &t));
    t.transitions[2] = 0;
    graph_encode(&g, 4, state); /* another state */
    memcpy(t.states + 3, state, sizeof state);
    assert_false(replays(&g, &t));
    graph_encode(&g, 3, state);
    memcpy(t.states + 3, state, sizeof state);
    assert_true(replays(&g, &t));
    graph_encode(&g, 1, state); /* not the initial state */
    memcpy(t.states, state, sizeof state);
    assert_false(replays(&g, &t));
    graph_encode(&g, 0, state);
    memcpy(t.states, state, sizeof state);
    g.fault_state = 2;
    assert_false(replays(&g, &t));
    g.fault_state = NO_STATE;

    /* With symmetry, the map may come between, and only then. */
    for (uint32_t i = 0; i < 6; i++) g.image[i] = i == 3 ? 2 : i;
    *graph_next(&g, 1, 0) = 3;
    assert_false(replays(&g, &t));
    g.ts.reduction.symmetry = true;
    *graph_next(&g, 2, 0) = 4;
    memmove(t.states + 3, t.states + 4, 2 * sizeof(word));
    t.count = 5;
    t.cycle = 2;
    assert_true(replays(&g, &t));
    assert_true(t.mapped[2] && !t.mapped[1] && !t.mapped[3]);
    assert_true(t.closing_mapped);
    trace_fini(&t);
    graph_fini(&g);
}

static void empty_trace(void **unused) {
    struct graph g;
    struct trace t;
    (void)unused;
    graph_init(&g, 1, 1, 1);
    trace_init(&t, 1);
    assert_true(replays(&g, &t));
    trace_fini(&t);
    graph_fini(&g);
}

/* ---- The typical execution: always the lowest-numbered ---- */

static void typical(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 300; i++) {
        struct graph g;
        struct trace t;
        struct ts_fault fault = {.kind = TS_FINE};
        random_start(i);
        graph_init(&g, 1 + random_below(200), 1 + random_below(4), i % 2 ? 1 : 3);
        graph_randomise(&g, 50 + random_below(50), 0, i);
        struct ts_worker *w = graph_worker(&g);
        trace_init(&t, g.ts.words);
        if (i % 10 == 0) g.fault_state = random_below(g.count);
        assert_int_equal(typical_run(&t, &g.ts, w, NULL, &fault), TYPICAL_WHOLE);
        uint32_t *place = malloc(g.count * sizeof *place), at = 0, label = TS_NONE, k = 0;
        memset(place, 0xff, g.count * sizeof *place);
        for (uint64_t step = 0;; step++) {
            if (place[at] != NO_STATE) {
                assert_int_equal(t.count, step);
                assert_int_equal(t.cycle, place[at]);
                assert_int_equal(t.closing, label);
                break;
            }
            place[at] = (uint32_t)step;
            assert_true(step < t.count);
            assert_int_equal(state_of(&g, &t, step), at);
            assert_int_equal(t.transitions[step], label);
            for (k = 0; k < g.ts.transitions && *graph_next(&g, at, k) == NO_STATE;) k++;
            if (at == g.fault_state || k == g.ts.transitions) {
                assert_int_equal(t.count, step + 1);
                assert_true(t.cycle == TRACE_NONE);
                assert_int_equal(fault.kind, at == g.fault_state ? TS_RAISED : TS_FINE);
                break;
            }
            label = k;
            at = *graph_next(&g, at, k);
        }
        free(place);
        trace_fini(&t);
        free(w);
        graph_fini(&g);
    }
}

/* ---- The full system behind a reduced one ---- */

static void full_system(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 100; i++) {
        struct graph g;
        struct ts_full full;
        struct ts_batch b;
        word source[4 * 2];
        shape(&g, i);
        g.ts.reduction.stubborn = true;
        struct ts_worker *w = graph_worker(&g);
        ts_full_init(&full, &g.ts);
        assert_false(full.ts.reduction.stubborn);
        assert_int_equal(full.ts.reduction.symmetry, g.ts.reduction.symmetry);
        struct ts_worker *fw = ts_full_worker(&full, w);
        ts_batch_init(&b, &full.ts, 4);
        b.sources = source;
        b.count = 4;
        uint32_t ids[4], edge = 0;
        for (uint32_t k = 0; k < 4; k++) graph_encode(&g, ids[k] = random_below(g.count), source + k * g.ts.words);
        assert_int_equal(full.ts.ops->expand(fw, &b), 4);
        for (uint32_t k = 0; k < 4; k++) {
            for (uint32_t t = 0; t < g.ts.transitions; t++) {
                if (after(&g, ids[k], t) == NO_STATE) continue;
                assert_int_equal(b.labels[edge], t);
                assert_int_equal(graph_decode(&g, b.successors + (size_t)edge * g.ts.words), after(&g, ids[k], t));
                edge++;
            }
            assert_int_equal(b.ends[k], edge);
        }
        b.wanted = TS_MAY | TS_MUST;
        g.classes[ids[2]] = TS_MUST | TS_BAD;
        assert_int_equal(full.ts.ops->classify(fw, &b), 4);
        assert_int_equal(b.classes[2], TS_MUST);
        g.fault_state = ids[1];
        uint32_t stopped = 0;
        while (ids[stopped] != ids[1]) stopped++;
        assert_int_equal(full.ts.ops->expand(fw, &b), stopped);
        assert_int_equal(b.fault.source, stopped);
        ts_batch_fini(&b);
        free(fw);
        free(w);
        graph_fini(&g);
    }
}

/* ---- Names of transitions ---- */

static void names(void **unused) {
    struct graph g;
    (void)unused;
    graph_init(&g, 1, 12, 1);
    struct ts_worker *w = graph_worker(&g);
    assert_int_equal(ts_find_transition(&g.ts, w, "0"), 0);
    assert_int_equal(ts_find_transition(&g.ts, w, "11"), 11);
    assert_int_equal(ts_find_transition(&g.ts, w, "12"), TS_NONE);
    assert_int_equal(ts_find_transition(&g.ts, w, "-1"), TS_NONE);
    assert_int_equal(ts_find_transition(&g.ts, w, "go 7"), 7);
    assert_int_equal(ts_find_transition(&g.ts, w, "go 12"), TS_NONE);
    assert_int_equal(ts_find_transition(&g.ts, w, ""), TS_NONE);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest),
        cmocka_unit_test(walking_on),
        cmocka_unit_test(walking_into_a_fault),
        cmocka_unit_test(walking_on_interrupted),
        cmocka_unit_test(wrong_replays),
        cmocka_unit_test(empty_trace),
        cmocka_unit_test(typical),
        cmocka_unit_test(full_system),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
