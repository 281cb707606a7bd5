/* Terminal components, tests of progress and censuses, against reachability in a matrix. */
#include "unit.h"

#include "graph.h"
#include "check/check.h"
#include "graph/bottom.h"

enum { ACTIONS = 6, STATES = 24 };

static const char *const action_names[ACTIONS] = {"tau", "a", "b", "c", "d", "e"};

static uint32_t action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    (void)w;
    (void)s;
    (void)fault;
    return t % ACTIONS;
}

/* What the states can do for ever, by definition. */
struct naive {
    uint32_t n; /* reachable states, in breadth-first order */
    uint32_t order[STATES], level[STATES];
    bool reach[STATES][STATES];
    bool terminal[STATES];
    bool again[STATES][ACTIONS]; /* of terminal states: what occurs in their components */
};

static void think(struct naive *v, struct graph *g) {
    uint32_t to[256], labels[256];
    *v = (struct naive){0};
    v->n = graph_explore(g, v->order, v->level);
    for (uint32_t s = 0; s < g->count; s++) {
        v->reach[s][s] = true;
        for (uint32_t e = graph_successors(g, s, to, labels); e-- > 0;) v->reach[s][to[e]] = true;
    }
    for (uint32_t k = 0; k < g->count; k++)
        for (uint32_t s = 0; s < g->count; s++)
            for (uint32_t u = 0; v->reach[s][k] && u < g->count; u++) v->reach[s][u] |= v->reach[k][u];
    for (uint32_t s = 0; s < g->count; s++) {
        v->terminal[s] = true;
        for (uint32_t u = 0; u < g->count; u++) {
            if (!v->reach[s][u]) continue;
            v->terminal[s] &= v->reach[u][s];
            for (uint32_t e = graph_successors(g, u, to, labels); e-- > 0;) v->again[s][labels[e] % ACTIONS] = true;
        }
    }
}

static bool one_of(const bool *occurs, const bool *set) {
    for (int a = 0; a < ACTIONS; a++)
        if (occurs[a] && set[a]) return true;
    return false;
}

/* The place in breadth-first order of the first state from which the test has failed, or UINT64_MAX. */
static uint64_t first_failure(const struct naive *v, const struct ts_progress *test) {
    for (uint32_t i = 0; i < v->n; i++) {
        uint32_t s = v->order[i];
        if (v->terminal[s] && !one_of(v->again[s], test->then) && (!test->when || one_of(v->again[s], test->when)))
            return i;
    }
    return TERMINAL_NONE;
}

struct setting {
    struct graph g;
    struct naive v;
    bool when[ACTIONS], then[ACTIONS];
    struct ts_progress test;
};

static void make(struct setting *x, uint64_t i) {
    graph_init(&x->g, STATES, 7, 1);
    graph_randomise(&x->g, 8 + (uint32_t)(i % 20), i % 3 ? 5 : 0, i);
    x->g.threads = graph_threads(i);
    x->g.keep_edges = i % 2;
    static struct ts_ops ops;
    ops = *x->g.ts.ops;
    ops.action = action;
    x->g.ts.ops = &ops;
    x->g.ts.actions = ACTIONS;
    x->g.ts.action_names = action_names;
    for (int a = 0; a < ACTIONS; a++) {
        x->when[a] = random_chance(40);
        x->then[a] = random_chance(30);
    }
    x->test = (struct ts_progress){"P", random_chance(50) ? x->when : NULL, x->then};
    think(&x->v, &x->g);
}

static void components_and_tests(void **unused) {
    uint32_t failed = 0, passed = 0, dead = 0, rare = 0, common = 0;
    (void)unused;
    random_start(1);
    for (uint64_t i = 0; i < ROUNDS(4000); i++) {
        struct setting x;
        struct terminal_sets t;
        struct space s;
        struct stop stop = {0};
        const struct terminal_set *set;
        make(&x, i);
        struct ts_worker *w = graph_worker(&x.g);
        graph_space(&s, &x.g, w, 0);
        assert_true(terminal_run(&t, &s, &stop));
        uint64_t found = terminal_failure(&t, &x.g.ts, &x.test, &set), right = first_failure(&x.v, &x.test);
        assert_int_equal(found, right);
        found == TERMINAL_NONE ? passed++ : failed++;
        dead += found != TERMINAL_NONE && !set;
        for (uint32_t a = 1; a < ACTIONS; a++) {
            bool lacks = false;
            for (uint32_t k = 0; k < x.v.n; k++) lacks |= x.v.terminal[x.v.order[k]] && !x.v.again[x.v.order[k]][a];
            assert_int_equal(terminal_lacks(&t, a), lacks);
            lacks ? rare++ : common++;
        }
        terminal_fini(&t);
        space_fini(&s);
        free(w);
        graph_fini(&x.g);
    }
    const uint32_t often = OFTEN(100);
    assert_true(failed > often && passed > often && dead > often && rare > often && common > often);
}

/* The answer of a whole check: errors are no states, all kinds of errors are found, and progress is judged. */
static void compare_census(struct setting *x, const struct answer *a) {
    const struct census *n = &a->census;
    uint64_t bad = 0, states = 0, bad_depth = UINT64_MAX, deadlock_depth = UINT64_MAX;
    for (uint32_t i = 0; i < x->v.n; i++) {
        uint32_t s = x->v.order[i], to[256], labels[256];
        bool is_bad = x->g.classes[s] & TS_BAD;
        is_bad ? bad++ : states++;
        if (is_bad && x->v.level[s] < bad_depth) bad_depth = x->v.level[s];
        if (!is_bad && x->g.illegal[s] && graph_successors(&x->g, s, to, labels) == 0 && x->v.level[s] < deadlock_depth)
            deadlock_depth = x->v.level[s];
    }
    assert_int_equal(a->states, states);
    if (bad_depth == UINT64_MAX && deadlock_depth == UINT64_MAX) {
        bool fails = first_failure(&x->v, &x->test) != TERMINAL_NONE;
        assert_int_equal(a->verdict, fails ? VERDICT_VIOLATED : VERDICT_HOLDS);
        if (fails) assert_int_equal(a->property, PROP_PROGRESS);
        assert_true(n->judged);
        assert_int_equal(n->failed_count, fails);
        return;
    }
    assert_true(n->whole);
    assert_int_equal(n->has_error, bad > 0);
    assert_int_equal(n->has_deadlock, deadlock_depth != UINT64_MAX);
    if (bad > 0) assert_int_equal(n->error.count - 1, bad_depth);
    if (n->has_deadlock) assert_int_equal(n->deadlock.count - 1, deadlock_depth);
    assert_int_equal(n->judged, bad == 0);
    if (n->judged) assert_int_equal(n->failed_count, first_failure(&x->v, &x->test) != TERMINAL_NONE);
}

static void censuses(void **unused) {
    uint32_t seen[PROP_PROGRESS + 1] = {0}, both = 0;
    (void)unused;
    random_start(2);
    for (uint64_t i = 0; i < ROUNDS(3000); i++) {
        struct setting x;
        struct answer a;
        make(&x, i);
        for (uint32_t s = 0; s < STATES; s++) {
            uint32_t to[256], labels[256];
            bool ends = graph_successors(&x.g, s, to, labels) == 0;
            if (ends && random_chance(20)) x.g.classes[s] |= TS_BAD; /* like ERROR, it has no successors */
            else x.g.illegal[s] = random_chance(30);
        }
        x.g.ts.features |= TS_CHECK_STATE | TS_CHECK_DEADLOCK;
        x.g.ts.progress = &x.test;
        x.g.ts.progress_count = 1;
        x.g.ts.whole_counts = true;
        struct questions q = {.checks = PROP_SAFETY | PROP_DEADLOCK | PROP_PROGRESS};
        struct limits limits = {.max_memory = UINT64_C(1) << 30};
        struct means means = {.threads = x.g.threads};
        struct ts_worker *w = graph_worker(&x.g);
        check_run(&a, &x.g.ts, w, &q, &limits, &means, NULL);
        compare_census(&x, &a);
        seen[a.property]++;
        both += a.census.has_error && a.census.has_deadlock;
        answer_fini(&a);
        free(w);
        graph_fini(&x.g);
    }
    const uint32_t often = OFTEN(20);
    assert_true(seen[PROP_NONE] > often && seen[PROP_SAFETY] > often && seen[PROP_DEADLOCK] > often &&
                seen[PROP_PROGRESS] > often);
    assert_true(both > OFTEN(10));
}

/* ---- So many states that all threads have some ---- */

enum { MANY = 6000, MOVES = 4, RARE = 100 };

static const struct graph *shared; /* what `rare_action` is about */

/* Some states do what hardly another one does: it must not get lost, whoever sees it. */
static uint32_t action_of(uint32_t s, uint32_t t) { return s % 50 == 7 ? MOVES + s % RARE : t; }

static uint32_t rare_action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    (void)w;
    (void)fault;
    return action_of(graph_decode(shared, s), t);
}

/* Blocks of states. Those of a closed block lead to others of it only. */
static void make_large(struct graph *g, uint64_t i) {
    uint32_t largest = i % 3 ? 1 + random_below(3000) : 20, density = random_chance(40) ? 100 : 30 + random_below(60);
    graph_init(g, 1500 + random_below(MANY - 1500), MOVES, 1);
    for (uint32_t begin = 0, end; begin < g->count; begin = end) {
        bool closed = begin > 0 && random_chance(60);
        end = begin + 1 + random_below(largest);
        if (end > g->count) end = g->count;
        for (uint32_t s = begin; s < end; s++)
            for (uint32_t t = 0; t < MOVES; t++)
                if (random_chance(s == 0 ? 100 : density))
                    *graph_next(g, s, t) = closed ? begin + random_below(end - begin) : random_below(g->count);
    }
    static struct ts_ops ops;
    ops = *g->ts.ops;
    ops.action = rare_action;
    g->ts.ops = &ops;
    g->ts.actions = MOVES + RARE;
    shared = g;
}

/* The same as struct terminal_sets. */
struct answers {
    uint64_t count, dead;
    uint64_t first[MANY];
    bool occurs[MANY][MOVES + RARE];
};

/* By state: what can be reached, one bit each, and how much that is. */
static void close_under_edges(struct graph *g, uint64_t *reach, uint32_t words, uint32_t *size) {
    for (uint32_t s = 0; s < g->count; s++) reach[(size_t)s * words + s / 64] |= UINT64_C(1) << s % 64;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = g->count; s-- > 0;)
            for (uint32_t t = 0; t < MOVES; t++) {
                uint64_t *mine = reach + (size_t)s * words;
                if (*graph_next(g, s, t) == NO_STATE) continue;
                const uint64_t *its = reach + (size_t)*graph_next(g, s, t) * words;
                for (uint32_t k = 0; k < words; k++) changed |= its[k] & ~mine[k], mine[k] |= its[k];
            }
    }
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t k = 0; k < words; k++) size[s] += (uint32_t)__builtin_popcountll(reach[(size_t)s * words + k]);
}

/* A state is in a terminal component if all that it reaches reach as much as it does. */
static void think_large(struct answers *a, struct graph *g) {
    static uint32_t order[MANY], level[MANY], size[MANY], to[MOVES], labels[MOVES];
    uint32_t words = (g->count + 63) / 64, n = graph_explore(g, order, level);
    uint64_t *reach = calloc((size_t)g->count * words, sizeof *reach);
    bool *seen = calloc(g->count, sizeof *seen);
    assert_true(reach && seen);
    memset(size, 0, sizeof size);
    memset(a, 0, sizeof *a);
    a->dead = TERMINAL_NONE;
    close_under_edges(g, reach, words, size);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = order[i];
        bool terminal = true, some = graph_successors(g, s, to, labels) > 0;
        if (!some && a->dead == TERMINAL_NONE) a->dead = i;
        for (uint32_t u = 0; u < g->count; u++)
            if (reach[(size_t)s * words + u / 64] >> u % 64 & 1) terminal &= size[u] == size[s];
        if (!terminal || !some || seen[s]) continue;
        for (uint32_t u = 0; u < g->count; u++) {
            if (!(reach[(size_t)s * words + u / 64] >> u % 64 & 1)) continue;
            seen[u] = true;
            for (uint32_t e = graph_successors(g, u, to, labels); e-- > 0;)
                a->occurs[a->count][action_of(u, labels[e])] = true;
        }
        a->first[a->count++] = i;
    }
    free(reach);
    free(seen);
}

static void compare_large(struct graph *g, const struct answers *a, bool keep_edges, unsigned threads) {
    struct terminal_sets t;
    struct space s;
    struct stop stop = {0};
    struct ts_worker *w = graph_worker(g);
    g->keep_edges = keep_edges;
    g->threads = threads;
    graph_space(&s, g, w, 0);
    assert_true(terminal_run(&t, &s, &stop));
    assert_int_equal(t.count, a->count);
    assert_int_equal(t.dead, a->dead);
    for (uint64_t i = 0; i < t.count; i++) {
        const struct terminal_set *set = &t.at[i];
        assert_int_equal(set->first, a->first[i]);
        word first[16];
        graph_encode(g, graph_number(&s, set->first), first);
        for (uint64_t k = 0; k < t.count; k++)
            assert_int_equal(t.at[k].states.has(t.at[k].states.context, first), k == i);
        for (uint32_t k = 0; k < MOVES + RARE; k++)
            assert_int_equal(set->actions[k / 64] >> k % 64 & 1, a->occurs[i][k]);
    }
    terminal_fini(&t);
    space_fini(&s);
    free(w);
}

static void any_number_of_threads(void **unused) {
    static struct answers a;
    uint32_t rounds = FEWER ? 6 : 24, several = 0, alive = 0;
    (void)unused;
    random_start(3);
    for (uint32_t i = 0; i < rounds; i++) {
        struct graph g;
        make_large(&g, i);
        think_large(&a, &g);
        for (unsigned threads = 1; threads <= 3; threads++) {
            compare_large(&g, &a, true, threads);
            compare_large(&g, &a, false, threads);
        }
        several += a.count > 1;
        alive += a.dead == TERMINAL_NONE;
        graph_fini(&g);
    }
    assert_true(several > 0 && alive > 0 && alive < rounds);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(components_and_tests), cmocka_unit_test(censuses),
                                       cmocka_unit_test(any_number_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
