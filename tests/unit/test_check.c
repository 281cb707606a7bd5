/* The whole check on random graphs: verdict, property and counterexample against naive answers. */
#include "unit.h"

#include "graph.h"
#include "check/check.h"

struct naive {
    bool deep;              /* --order dfs */
    enum property property; /* the first violated, in the order of the checks; PROP_NONE: none */
    uint32_t distance;      /* safety, deadlock, may, must, termination: of the nearest state that shows it */
    bool *marked;           /* may, must, termination: states from which all is well */
    bool stuck;             /* may, must: shown by a terminal state, on the fly */
};

/* The least set with the targets in it and all states some or all of whose successors are in it. */
static void mark(const struct graph *g, bool some, uint32_t target, bool terminal, bool *marked) {
    memset(marked, 0, g->count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < g->count; s++) {
            uint32_t to[256], labels[256], n = graph_successors(g, s, to, labels), hits = 0;
            for (uint32_t e = 0; e < n; e++) hits += marked[to[e]];
            if (marked[s] ||
                !((g->classes[s] & target) || (n == 0 && terminal) || (n && (some ? hits > 0 : hits == n))))
                continue;
            changed = marked[s] = true;
        }
    }
}

static bool some_unmarked(struct naive *n, const uint32_t *order, const uint32_t *level, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!n->marked[order[i]]) {
            n->distance = level[order[i]];
            return true;
        }
    return false;
}

/* An edge of `infinitely` on a cycle without the others. */
static bool repeats(const struct graph *g, const struct questions *q, const uint32_t *order, uint32_t count) {
    bool *reach = malloc(g->count);
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        uint32_t s = order[i], head = g->next[s * g->ts.transitions + q->infinitely];
        if (head == NO_STATE) continue;
        memset(reach, 0, g->count);
        reach[head] = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t v = 0; v < g->count; v++)
                for (uint32_t t = 0; reach[v] && t < g->ts.transitions; t++) {
                    uint32_t to = g->next[v * g->ts.transitions + t];
                    if (to != NO_STATE && !q->finitely[t] && !reach[to]) changed = reach[to] = true;
                }
        }
        found = reach[s];
    }
    free(reach);
    return found;
}

/* What is wrong with a terminal state, if anything; the first of these. */
static enum property wrong_end(const struct graph *g, const struct questions *q, uint32_t s) {
    if ((q->checks & PROP_DEADLOCK) && g->illegal[s]) return PROP_DEADLOCK;
    if ((q->checks & PROP_MAY) && q->terminal_not_may && !(g->classes[s] & TS_MAY)) return PROP_MAY;
    if ((q->checks & PROP_MUST) && q->terminal_not_must && !(g->classes[s] & TS_MUST)) return PROP_MUST;
    return PROP_NONE;
}

static struct naive naive_check(const struct graph *g, const struct questions *q) {
    struct naive n = {.deep = q->order == ORDER_DFS, .marked = calloc(g->count, 1)};
    uint32_t *order = malloc(g->count * sizeof *order), *level = malloc(g->count * sizeof *level);
    uint32_t count = graph_explore(g, order, level), nearest_bad = NO_STATE, nearest_end = NO_STATE;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t to[256], labels[256], edges = graph_successors(g, order[i], to, labels);
        if (g->classes[order[i]] & TS_BAD) nearest_bad = i;
        if (!edges && wrong_end(g, q, order[i])) nearest_end = i;
    }
    if (!(q->checks & PROP_SAFETY)) nearest_bad = NO_STATE;
    /* A bad state is seen when it is found, a wrong end when it is expanded. */
    uint32_t parent = 0; /* in the order: where the bad state is found */
    for (; nearest_bad != NO_STATE && nearest_bad > 0; parent++) {
        uint32_t to[256], labels[256], edges = graph_successors(g, order[parent], to, labels), e = 0;
        while (e < edges && to[e] != order[nearest_bad]) e++;
        if (e < edges) break;
    }
    if (nearest_bad != NO_STATE && (nearest_end == NO_STATE || nearest_bad == 0 || parent < nearest_end)) {
        n.property = PROP_SAFETY;
        n.distance = level[order[nearest_bad]];
    } else if (nearest_end != NO_STATE) {
        n.property = wrong_end(g, q, order[nearest_end]);
        n.distance = level[order[nearest_end]];
        n.stuck = n.property != PROP_DEADLOCK;
        if (n.property == PROP_MAY) mark(g, true, TS_MAY, false, n.marked);
        if (n.property == PROP_MUST) mark(g, false, TS_MUST, false, n.marked);
    }
    if (!n.property && (q->checks & PROP_MAY)) {
        mark(g, true, TS_MAY, !q->terminal_not_may, n.marked);
        if (some_unmarked(&n, order, level, count)) n.property = PROP_MAY;
    }
    if (!n.property && (q->checks & PROP_MUST)) {
        mark(g, false, TS_MUST, !q->terminal_not_must, n.marked);
        if (some_unmarked(&n, order, level, count)) n.property = PROP_MUST;
    }
    if (!n.property && (q->checks & PROP_INFINITE) && repeats(g, q, order, count)) n.property = PROP_INFINITE;
    if (!n.property && (q->checks & PROP_TERMINATION)) {
        mark(g, true, 0, true, n.marked);
        if (some_unmarked(&n, order, level, count)) n.property = PROP_TERMINATION;
    }
    free(order);
    free(level);
    return n;
}

/* Depth-first, any of what is decided on the fly may be found, if it is there: then the answer tells which. */
static struct naive naive_check_deep(const struct graph *g, const struct questions *q, enum property found) {
    struct questions only = *q;
    static const enum property on_the_fly[] = {PROP_SAFETY, PROP_DEADLOCK, PROP_MAY, PROP_MUST, PROP_TERMINATION};
    struct naive n = {0};
    for (size_t i = 0; i < COUNT(on_the_fly); i++) {
        only.checks = q->checks & on_the_fly[i];
        struct naive one = naive_check(g, &only);
        bool later = (one.property == PROP_MAY || one.property == PROP_MUST) && !one.stuck;
        if (one.property && !later && (one.property == found || !n.property)) {
            free(n.marked);
            n = one;
        } else {
            free(one.marked);
        }
    }
    only.checks = q->checks & (PROP_MAY | PROP_MUST | PROP_INFINITE);
    if (!n.property) n = naive_check(g, &only);
    return n;
}

/* ---- The counterexample ---- */

static uint32_t state_of(const struct graph *g, const struct trace *t, uint64_t i) {
    return graph_decode(g, trace_state(t, i));
}

/* What can be reached from s, s included; returns how many. */
static uint32_t reach_from(const struct graph *g, uint32_t s, bool *reach) {
    uint32_t count = 1;
    memset(reach, 0, g->count);
    reach[s] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < g->count; v++) {
            uint32_t to[256], labels[256], n = reach[v] ? graph_successors(g, v, to, labels) : 0;
            for (uint32_t e = 0; e < n; e++)
                if (!reach[to[e]]) count++, changed = reach[to[e]] = true;
        }
    }
    return count;
}

/* The execution ends in a bottom component: whatever can be reached from there leads back. It does not idle in it. */
static void check_bottom(const struct graph *g, const struct trace *t) {
    bool *there = malloc(g->count), *back = malloc(g->count);
    uint32_t last = state_of(g, t, t->count - 1), count = reach_from(g, last, there);
    for (uint32_t s = 0; s < g->count; s++)
        if (there[s]) assert_true(reach_from(g, s, back) == count && back[last]);
    if (count > 1) assert_true(t->cycle < t->count - 1);
    free(there);
    free(back);
}

static void check_trace(struct graph *g, const struct answer *a, const struct naive *n, const struct questions *q) {
    const struct trace *t = &a->trace;
    bool deep = n->deep && ((a->property & (PROP_SAFETY | PROP_DEADLOCK | PROP_TERMINATION)) || n->stuck);
    assert_true(t->count > 0);
    if (n->deep) assert_int_equal(deep, a->note != NULL);
    else assert_null(a->note);
    assert_int_equal(state_of(g, t, 0), 0);
    for (uint64_t i = 1; i < t->count; i++)
        assert_int_equal(*graph_next(g, state_of(g, t, i - 1), t->transitions[i]), state_of(g, t, i));
    uint32_t last = state_of(g, t, t->count - 1), to[256], labels[256];
    if (t->cycle != TRACE_NONE) assert_int_equal(*graph_next(g, last, t->closing), state_of(g, t, t->cycle));
    switch (a->property) {
    case PROP_SAFETY:
        assert_true(g->classes[last] & TS_BAD);
        if (!deep) assert_int_equal(t->count, n->distance + 1);
        assert_true(t->cycle == TRACE_NONE && t->no_return == TRACE_NONE);
        break;
    case PROP_DEADLOCK:
        assert_true(g->illegal[last] && graph_successors(g, last, to, labels) == 0);
        if (!deep) assert_int_equal(t->count, n->distance + 1);
        assert_true(t->cycle == TRACE_NONE && t->no_return == TRACE_NONE);
        break;
    case PROP_MAY:
    case PROP_MUST:
    case PROP_TERMINATION:
        /* A shortest way to a state without hope, then on among such states to a cycle. */
        if (!deep && n->stuck) assert_int_equal(t->count, n->distance + 1); /* or a shortest way to the end */
        else if (!deep) assert_int_equal(t->no_return, n->distance);
        if (n->stuck) assert_true(t->cycle == TRACE_NONE);
        for (uint64_t i = 0; i < t->count; i++)
            if (i < t->no_return) assert_true(a->property == PROP_MUST || n->marked[state_of(g, t, i)]);
            else assert_false(n->marked[state_of(g, t, i)]);
        if (t->cycle == TRACE_NONE) assert_int_equal(graph_successors(g, last, to, labels), 0);
        else assert_true(t->cycle >= t->no_return);
        if (a->property != PROP_MUST) check_bottom(g, t);
        break;
    case PROP_INFINITE:
        assert_true(t->cycle != TRACE_NONE);
        bool there = t->closing == q->infinitely;
        assert_false(q->finitely[t->closing]);
        for (uint64_t i = t->cycle + 1; i < t->count; i++) {
            there |= t->transitions[i] == q->infinitely;
            assert_false(q->finitely[t->transitions[i]]);
        }
        assert_true(there);
        break;
    default: fail();
    }
}

/* ---- The tests ---- */

/* From every reachable state a terminal one can be reached. */
static bool always_ends(const struct graph *g) {
    const struct questions q = {.checks = PROP_TERMINATION};
    struct naive n = naive_check(g, &q);
    free(n.marked);
    return n.property == PROP_NONE;
}

static void check_random_graphs(enum order order) {
    uint32_t found[PROP_TERMINATION + 1] = {0}, stuck = 0, uncovered = 0;
    for (uint64_t i = 0; i < ROUNDS(8000); i++) {
        struct graph g;
        struct answer a;
        random_start(i);
        graph_init(&g, 1 + random_below(i % 10 ? 12 : 150), 1 + random_below(4), i % 5 ? 1 : 3);
        graph_randomise(&g, 30 + random_below(70), random_chance(50) ? 3 : 0, i);
        uint32_t rare = 1 + random_below(4 * g.count), often = 1 + random_below(8);
        bool finitely[8] = {0};
        for (uint32_t s = 0; s < g.count; s++) {
            g.classes[s] = (uint8_t)((random_below(rare) == 0 ? TS_BAD : 0) | (random_below(often) == 0 ? TS_MAY : 0) |
                                     (random_below(often) == 0 ? TS_MUST : 0));
            g.illegal[s] = random_chance(30);
        }
        g.ts.reduction.forward = random_chance(50);
        struct questions q = {
            .order = order,
            .checks = random_below(128),
            .terminal_not_may = random_chance(30),
            .terminal_not_must = random_chance(30),
            .infinitely = random_below(g.ts.transitions),
            .finitely = finitely,
        };
        /* Sets of all transitions are stubborn, too. */
        g.ts.reduction.stubborn = random_chance(30);
        for (uint32_t t = 0; t < g.ts.transitions; t++) finitely[t] = t != q.infinitely && random_chance(40);
        struct ts_worker *w = graph_worker(&g);
        struct limits limits = {.max_memory = UINT64_C(1) << 33};
        check_run(&a, &g.ts, w, &q, &limits, NULL, NULL);
        if (property_needs_termination(q.checks, &g.ts.reduction)) q.checks |= PROP_TERMINATION;
        struct naive n = order == ORDER_DFS ? naive_check_deep(&g, &q, a.property) : naive_check(&g, &q);
        bool ends = always_ends(&g), errors = q.checks & PROP_MODEL_ERROR && (ends || !g.ts.reduction.stubborn);
        /* Nothing found says nothing then. */
        bool open = g.ts.reduction.stubborn && (q.checks & PROP_MUST || (q.checks == PROP_MODEL_ERROR && !ends));
        if (a.verdict == VERDICT_HOLDS) {
            assert_int_equal(a.checked & PROP_MODEL_ERROR, errors ? PROP_MODEL_ERROR : 0);
            assert_int_equal(a.unchecked, q.checks & ~a.checked);
            uncovered += a.unchecked == PROP_MODEL_ERROR;
        }
        assert_int_equal(a.property, n.property);
        assert_int_equal(a.verdict, n.property ? VERDICT_VIOLATED : open ? VERDICT_INCONCLUSIVE : VERDICT_HOLDS);
        assert_int_equal(a.message != NULL, n.property != PROP_NONE || open);
        if (n.property) check_trace(&g, &a, &n, &q);
        else assert_int_equal(a.trace.count, 0);
        assert_int_equal(a.search.order, order);
        found[n.property]++;
        stuck += n.stuck;
        free(n.marked);
        answer_fini(&a);
        free(w);
        graph_fini(&g);
    }
    assert_true(stuck > OFTEN(100) && uncovered > OFTEN(3));
    for (unsigned p = 1; p <= PROP_TERMINATION; p *= 2)
        if (p != PROP_MODEL_ERROR) assert_true(found[p] > OFTEN(100));
    assert_true(found[PROP_NONE] > OFTEN(500));
}

static void random_graphs(void **unused) {
    (void)unused;
    check_random_graphs(ORDER_BFS);
}

static void random_graphs_deep(void **unused) {
    (void)unused;
    check_random_graphs(ORDER_DFS);
}

/* ---- Failing model code ---- */

static void path(struct graph *g, uint32_t count) {
    graph_init(g, count, 1, 1);
    for (uint32_t s = 0; s + 1 < count; s++) *graph_next(g, s, 0) = s + 1;
}

static void run_in(enum order order, struct graph *g, struct answer *a, unsigned checks, struct limits limits) {
    static const bool none[8];
    struct ts_worker *w = graph_worker(g);
    struct questions q = {.order = order, .checks = checks, .finitely = none};
    if (!limits.max_memory) limits.max_memory = UINT64_C(1) << 33;
    check_run(a, &g->ts, w, &q, &limits, NULL, NULL);
    free(w);
}

static void run(struct graph *g, struct answer *a, unsigned checks, struct limits limits) {
    run_in(ORDER_BFS, g, a, checks, limits);
}

/* An error that the model raises is a violation with the execution that leads to it; everything else is an error. */
static void faults(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    path(&g, 10);
    g.fault_state = 6;
    g.fault_kind = TS_RAISED;
    run(&g, &a, PROP_SAFETY, (struct limits){0});
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.property, PROP_MODEL_ERROR);
    assert_string_equal(a.message, "Model error: the graph says so (fire in transition 0 (go 0))");
    assert_int_equal(a.trace.count, 7);
    answer_fini(&a);
    for (enum ts_fault_kind kind = TS_OUT_OF_RANGE; kind <= TS_ENDLESS; kind++) {
        g.fault_kind = kind;
        run(&g, &a, PROP_SAFETY, (struct limits){0});
        assert_int_equal(a.verdict, VERDICT_ERROR);
        assert_int_equal(a.property, PROP_NONE);
        assert_string_equal(a.message, "graph.c: fire in transition 0 (go 0): the graph says so");
        assert_int_equal(a.trace.count, 7);
        assert_int_equal(state_of(&g, &a.trace, 6), 6);
        answer_fini(&a);
    }
    graph_fini(&g);
}

/* Depth-first: what fails during the search is shown with the execution on its stack; what fails later, with a shortest
 * one. */
static void faults_deep(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    for (uint64_t i = 0; i < 200; i++) {
        random_start(i);
        graph_init(&g, 50, 3, 1);
        graph_randomise(&g, 80, 0, i);
        uint32_t order[50], level[50], count = graph_explore(&g, order, level), s = order[random_below(count)];
        g.fault_state = s;
        run_in(ORDER_DFS, &g, &a, PROP_SAFETY, (struct limits){0});
        assert_int_equal(a.property, PROP_MODEL_ERROR);
        assert_int_equal(state_of(&g, &a.trace, a.trace.count - 1), s);
        assert_non_null(a.note);
        answer_fini(&a);
        g.fault_state = NO_STATE;
        g.fault_class_state = s;
        run_in(ORDER_DFS, &g, &a, PROP_MAY, (struct limits){0});
        assert_int_equal(a.property, PROP_MODEL_ERROR);
        assert_int_equal(state_of(&g, &a.trace, a.trace.count - 1), s);
        assert_int_equal(a.trace.count, level[s] + 1);
        assert_null(a.note);
        answer_fini(&a);
        graph_fini(&g);
    }
}

static void limits(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    path(&g, 100000);
    run(&g, &a, PROP_SAFETY, (struct limits){.max_states = 500});
    assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(a.message, "--max-states"));
    assert_in_range(a.states, 500, 1000);
    assert_int_equal(a.trace.count, 0);
    answer_fini(&a);
    /* A violation before the limit is one. */
    g.classes[400] = TS_BAD;
    run(&g, &a, PROP_SAFETY, (struct limits){.max_states = 500});
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.trace.count, 401);
    answer_fini(&a);
    graph_fini(&g);
}

/* What was checked is listed; with stubborn sets, termination too. */
static void what_was_checked(void **unused) {
    struct graph g;
    struct answer a;
    (void)unused;
    path(&g, 3);
    run(&g, &a, PROP_SAFETY | PROP_MAY, (struct limits){0});
    assert_int_equal(a.checked, PROP_SAFETY | PROP_MAY);
    assert_int_equal(a.states, 3);
    assert_int_equal(a.edges, 2);
    assert_int_equal(a.terminals, 1);
    assert_int_equal(a.depth, 2);
    answer_fini(&a);
    g.ts.reduction.stubborn = true;
    run(&g, &a, PROP_SAFETY | PROP_MAY, (struct limits){0});
    assert_int_equal(a.checked, PROP_SAFETY | PROP_MAY | PROP_TERMINATION);
    assert_int_equal(a.verdict, VERDICT_HOLDS);
    answer_fini(&a);
    run(&g, &a, PROP_DEADLOCK, (struct limits){0});
    assert_int_equal(a.checked, PROP_DEADLOCK);
    answer_fini(&a);
    run(&g, &a, PROP_MUST, (struct limits){0});
    assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
    answer_fini(&a);
    graph_fini(&g);
}

/* Depth-first, termination is known when the search is over: nothing is expanded a second time. */
static void one_pass(void **unused) {
    static const bool none[8];
    struct graph g;
    struct answer a;
    struct limits plenty = {.max_memory = UINT64_C(1) << 33};
    (void)unused;
    path(&g, 1000);
    g.ts.reduction.stubborn = true;
    run_in(ORDER_DFS, &g, &a, PROP_SAFETY, plenty);
    assert_int_equal(a.verdict, VERDICT_HOLDS);
    assert_int_equal(a.checked, PROP_SAFETY | PROP_TERMINATION);
    assert_int_equal(a.depth, 999);
    assert_int_equal(g.expanded, 1000);
    answer_fini(&a);
    /* Without it, nothing is known. */
    struct ts_worker *w = graph_worker(&g);
    struct questions q = {.order = ORDER_DFS, .checks = PROP_SAFETY, .no_termination = true, .finitely = none};
    check_run(&a, &g.ts, w, &q, &plenty, NULL, NULL);
    assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
    answer_fini(&a);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs), cmocka_unit_test(random_graphs_deep),
        cmocka_unit_test(faults),        cmocka_unit_test(faults_deep),
        cmocka_unit_test(limits),        cmocka_unit_test(what_was_checked),
        cmocka_unit_test(one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
