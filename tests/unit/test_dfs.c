/* Depth-first construction and its check of termination, against a recursive search and reachability by repeated
 * passes; and the way back from its order to levels. */
#include "unit.h"

#include "base/clock.h"
#include "graph.h"
#include "graph/way.h"
#include "explore/dfs.h"
#include "graph/relevel.h"

/* ---- The naive search ---- */

struct naive {
    const struct graph *g;
    const struct dfs_goals *goals;
    bool *ends;  /* a terminal state can be reached */
    bool *reach; /* [s * count + t]: t can be reached from s; only for small graphs */
    bool *known;
    uint32_t *order; /* of entering */
    uint32_t *path, depth;
    enum stop_kind kind;
    uint64_t states, edges, terminals, deepest;
};

static bool naive_end(struct naive *n, enum stop_kind kind) {
    n->kind = kind;
    return false;
}

/* No state before s on the path can be reached from s: then all that s reaches is on no other way. */
static bool is_root(const struct naive *n) {
    uint32_t s = n->path[n->depth - 1];
    for (uint32_t i = 0; i + 1 < n->depth; i++)
        if (n->reach[(size_t)s * n->g->count + n->path[i]]) return false;
    return true;
}

static bool naive_enter(struct naive *n, uint32_t s) {
    uint32_t to[256], labels[256], edges = graph_successors(n->g, s, to, labels);
    n->known[s] = true;
    n->order[n->states++] = s;
    n->path[n->depth++] = s;
    if (n->depth - 1 > n->deepest) n->deepest = n->depth - 1;
    if (n->goals->common.classes && s == n->g->fault_class_state) return naive_end(n, STOP_FAULT);
    if (n->g->classes[s] & n->goals->common.classes) return naive_end(n, STOP_BAD_STATE);
    if (s == n->g->fault_state) return naive_end(n, STOP_FAULT);
    n->edges += edges;
    n->terminals += edges == 0;
    if (edges == 0 && (n->goals->common.any_terminal || (n->goals->common.check_deadlock && n->g->illegal[s])))
        return naive_end(n, STOP_DEADLOCK);
    if (edges == 0 && n->goals->common.at_ends && s == n->g->fault_class_state) return naive_end(n, STOP_FAULT);
    if (edges == 0 && n->goals->common.at_ends & ~(uint32_t)n->g->classes[s]) return naive_end(n, STOP_STUCK);
    for (uint32_t e = 0; e < edges; e++)
        if (!n->known[to[e]] && !naive_enter(n, to[e])) return false;
    if (n->goals->termination && !n->ends[s] && is_root(n)) return naive_end(n, STOP_TRAP);
    n->depth--;
    return true;
}

/* Repeats until nothing changes. */
static void find_reach(struct naive *n) {
    uint32_t count = n->g->count, to[256], labels[256];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < count; s++) {
            uint32_t edges = graph_successors(n->g, s, to, labels);
            bool ends = n->ends[s] || edges == 0;
            for (uint32_t e = 0; e < edges; e++) {
                ends |= n->ends[to[e]];
                for (uint32_t t = 0; t < count; t++) {
                    if (n->reach[(size_t)s * count + t] || (t != to[e] && !n->reach[(size_t)to[e] * count + t]))
                        continue;
                    changed = n->reach[(size_t)s * count + t] = true;
                }
            }
            if (ends != n->ends[s]) changed = n->ends[s] = true;
        }
    }
}

static void naive_init(struct naive *n, const struct graph *g, const struct dfs_goals *goals) {
    uint32_t count = g->count;
    *n = (struct naive){.g = g, .goals = goals, .kind = STOP_DONE};
    n->ends = calloc(count, 1);
    n->known = calloc(count, 1);
    n->order = calloc(count, sizeof *n->order);
    n->path = calloc(count, sizeof *n->path);
    n->reach = calloc(count, goals->termination ? count : 1);
    if (goals->termination) find_reach(n);
    naive_enter(n, 0);
}

static void naive_fini(struct naive *n) {
    free(n->ends);
    free(n->known);
    free(n->order);
    free(n->path);
    free(n->reach);
}

/* ---- Comparing ---- */

static void search(struct graph *g, const struct dfs_goals *goals, struct limits limits, struct space *s,
                   struct dfs_end *end, struct stop *stop, struct ts_worker *w) {
    struct problem why = {0};
    word start[16];
    if (!limits.max_memory) limits.max_memory = UINT64_C(1) << 33;
    assert_true(space_init(s, &g->ts, w, &limits, NULL, &why));
    s->edges_kept = g->keep_edges;
    graph_encode(g, 0, start);
    dfs_run(s, start, goals, end, stop);
    problem_fini(&why);
}

/* It begins in state 0, every step is one of the graph, and its states are those of the naive path. */
static void compare_way(struct graph *g, const struct trace *t, const struct naive *n) {
    assert_int_equal(t->count, n->depth);
    for (uint64_t i = 0; i < t->count; i++) {
        assert_int_equal(graph_decode(g, trace_state(t, i)), n->path[i]);
        if (i) assert_int_equal(*graph_next(g, n->path[i - 1], t->transitions[i]), n->path[i]);
    }
    assert_int_equal(t->transitions[0], TS_NONE);
    assert_true(t->cycle == TRACE_NONE && t->no_return == TRACE_NONE);
}

/* The trap is what the root reaches. What is said to may terminate does; of what is not said, nothing is known. */
static void compare_trap(struct graph *g, const struct dfs_end *end, const struct naive *n) {
    uint32_t root = n->path[n->depth - 1];
    word state[16];
    uint64_t size = 0;
    for (uint32_t t = 0; t < g->count; t++) {
        bool inside = t == root || n->reach[(size_t)root * g->count + t];
        size += inside;
        graph_encode(g, t, state);
        assert_int_equal(dfs_in_trap(end, state), inside);
    }
    assert_int_equal(end->trap.count - end->trap_begin, size);
    assert_true(end->may_end < n->depth);
    for (uint64_t i = 0; i < end->may_end; i++) assert_true(n->ends[n->path[i]]);
}

static enum stop_kind compare(struct graph *g, const struct dfs_goals *goals) {
    struct naive n;
    struct space s;
    struct stop stop;
    struct dfs_end end;
    struct ts_worker *w = graph_worker(g);
    naive_init(&n, g, goals);
    search(g, goals, (struct limits){0}, &s, &end, &stop, w);
    assert_int_equal(stop.kind, n.kind);
    assert_int_equal(s.states, n.states);
    assert_int_equal(s.edges, n.edges);
    assert_int_equal(s.terminals, n.terminals);
    assert_int_equal(s.trail.count, n.states);
    assert_int_equal(space_depth(&s), n.deepest);
    for (uint32_t i = 0; i < n.states; i++) assert_int_equal(graph_number(&s, i), n.order[i]);
    if (stop.kind == STOP_DONE) assert_int_equal(end.way.count, 0);
    else compare_way(g, &end.way, &n);
    if (stop.kind != STOP_DONE && stop.kind != STOP_TRAP)
        assert_int_equal(graph_number(&s, stop.state), n.path[n.depth - 1]);
    if (stop.kind == STOP_FAULT) assert_int_equal(stop.fault.kind, TS_RAISED);
    if (stop.kind == STOP_TRAP) compare_trap(g, &end, &n);
    dfs_end_fini(&end);
    space_fini(&s);
    naive_fini(&n);
    free(w);
    return stop.kind;
}

/* ---- Random graphs ---- */

static void shape(struct graph *g, uint64_t i, const uint32_t *sizes, size_t count) {
    random_start(i);
    uint32_t transitions = 1 + random_below(6), words = i % 3 ? 1 : 3;
    graph_init(g, sizes[i % count], transitions, words);
    graph_randomise(g, 30 + random_below(60), i % 2 ? 0 : 1 + random_below(20), i);
    g->ts.reduction.forward = random_chance(50);
}

static void whole_spaces(void **unused) {
    static const uint32_t sizes[] = {1, 2, 5, 30, 127, 300, 1000, 3000};
    (void)unused;
    for (uint64_t i = 0; i < 400; i++) {
        struct graph g;
        shape(&g, i, sizes, COUNT(sizes));
        assert_int_equal(compare(&g, &(struct dfs_goals){.termination = false}), STOP_DONE);
        graph_fini(&g);
    }
}

static void termination(void **unused) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 30, 60};
    uint32_t kinds[STOP_TRAP + 1] = {0};
    (void)unused;
    for (uint64_t i = 0; i < 8000 / (FEWER ? 10 : 1); i++) {
        struct graph g;
        shape(&g, i, sizes, COUNT(sizes));
        kinds[compare(&g, &(struct dfs_goals){.termination = true})]++;
        graph_fini(&g);
    }
    assert_true(kinds[STOP_TRAP] > 100 && kinds[STOP_DONE] > 100);
}

/* A cycle through state 0, from where one more edge leads to the only end. */
static void cycle_with_end(struct graph *g, uint64_t seed) {
    uint32_t ids[60];
    random_start(seed);
    uint32_t length = 1 + random_below(COUNT(ids) - 2);
    graph_init(g, COUNT(ids), 2, 1);
    for (uint32_t i = 0; i < COUNT(ids); i++) ids[i] = i;
    for (uint32_t i = 1; i < COUNT(ids); i++) {
        uint32_t other = 1 + random_below(COUNT(ids) - 1), id = ids[i];
        ids[i] = ids[other];
        ids[other] = id;
    }
    uint32_t first = random_below(2);
    *graph_next(g, 0, first) = ids[1];
    *graph_next(g, 0, 1 - first) = ids[length + 1];
    for (uint32_t i = 1; i <= length; i++) *graph_next(g, ids[i], 0) = i < length ? ids[i + 1] : 0;
}

/* What an inexact store leaves out may hide that termination is lost, but never makes it look so. */
static void inexact(void **unused) {
    static const uint32_t sizes[] = {3, 5, 8, 12, 30, 60};
    uint32_t traps = 0, left_out = 0;
    (void)unused;
    for (uint64_t i = 0; i < 1600 / (FEWER ? 2 : 1); i++) {
        struct graph g;
        struct naive n;
        struct space s;
        struct stop stop;
        struct dfs_end end;
        struct problem why = {0};
        struct dfs_goals goals = {.termination = true};
        struct limits limits = {.max_memory = UINT64_C(1) << 33};
        struct means means = {.threads = 1, .store = {.kind = STORE_BITSTATE, .hashes = 1, .bitstate_bytes = 64}};
        word start[16];
        if (i % 2) shape(&g, i, sizes, COUNT(sizes));
        else cycle_with_end(&g, i);
        struct ts_worker *w = graph_worker(&g);
        naive_init(&n, &g, &goals);
        assert_true(space_init(&s, &g.ts, w, &limits, &means, &why));
        graph_encode(&g, 0, start);
        dfs_run(&s, start, &goals, &end, &stop);
        left_out += s.states < n.states;
        if (stop.kind == STOP_TRAP) {
            traps++;
            struct trace *t = &end.way;
            struct node_set trap = {dfs_in_trap, &end};
            assert_false(n.ends[graph_decode(&g, trace_state(t, t->count - 1))]);
            assert_true(trace_walk_on(t, &s, &trap, false, &stop));
            assert_true(t->cycle < t->count);
            for (uint64_t k = t->cycle; k < t->count; k++) assert_true(dfs_in_trap(&end, trace_state(t, k)));
        }
        dfs_end_fini(&end);
        space_fini(&s);
        naive_fini(&n);
        free(w);
        graph_fini(&g);
    }
    assert_true(traps > 100 && left_out > 100);
}

/* Bad states, illegal ends and failing code, each of them here and there. */
static void findings(void **unused) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 12, 20, 40};
    uint32_t kinds[STOP_TRAP + 1] = {0};
    (void)unused;
    for (uint64_t i = 0; i < 6000 / (FEWER ? 10 : 1); i++) {
        struct graph g;
        shape(&g, i, sizes, COUNT(sizes));
        uint32_t rare = 1 + random_below(4 * g.count);
        for (uint32_t s = 0; s < g.count; s++) {
            g.classes[s] = random_below(rare) == 0 ? TS_BAD : random_below(rare) == 0 ? TS_MAY : 0;
            g.illegal[s] = random_below(4) == 0;
        }
        struct dfs_goals goals = {
            .common = {.check_deadlock = random_chance(50),
                       .any_terminal = random_chance(10),
                       .classes = random_chance(60) ? TS_BAD : 0,
                       .at_ends = random_chance(30)  ? TS_MAY
                                  : random_chance(5) ? TS_MAY | TS_MUST
                                                     : 0},
            .termination = random_chance(60),
        };
        if (random_chance(40)) g.fault_state = random_below(2 * g.count);
        if (random_chance(20)) g.fault_class_state = random_below(2 * g.count);
        kinds[compare(&g, &goals)]++;
        graph_fini(&g);
    }
    for (int k = STOP_DONE; k <= STOP_TRAP; k++)
        if (k != STOP_LIMIT) assert_true(kinds[k] > 20);
}

/* ---- Particular graphs ---- */

/* Edges as pairs of states, each of a state's edges by another transition; they are taken in the order of the list. */
static void draw(struct graph *g, uint32_t count, const uint32_t (*edges)[2], size_t edge_count) {
    graph_init(g, count, 4, 1);
    g->ts.reduction.forward = true;
    for (size_t i = 0; i < edge_count; i++) {
        uint32_t t = 0;
        while (*graph_next(g, edges[i][0], t) != NO_STATE) t++;
        *graph_next(g, edges[i][0], t) = edges[i][1];
    }
}

/* The length of the way to the trap, or 0: there is none. */
static uint64_t trap_of(struct graph *g, uint64_t *may_end) {
    const struct dfs_goals goals = {.termination = true};
    struct space s;
    struct stop stop;
    struct dfs_end end;
    struct ts_worker *w = graph_worker(g);
    search(g, &goals, (struct limits){0}, &s, &end, &stop, w);
    uint64_t count = end.way.count;
    assert_int_equal(stop.kind, count ? STOP_TRAP : STOP_DONE);
    if (may_end) *may_end = end.may_end;
    dfs_end_fini(&end);
    space_fini(&s);
    free(w);
    return count;
}

#define DRAWN(count, ...)                                                                                              \
    do {                                                                                                               \
        static const uint32_t edges[][2] = {__VA_ARGS__};                                                              \
        draw(&g, count, edges, COUNT(edges));                                                                          \
        compare(&g, &(struct dfs_goals){.termination = true});                                                         \
        trap = trap_of(&g, &may_end);                                                                                  \
        graph_fini(&g);                                                                                                \
    } while (0)

static void drawn(void **unused) {
    struct graph g;
    uint64_t trap, may_end;
    (void)unused;
    /* One terminal state, and nothing else. */
    graph_init(&g, 1, 1, 1);
    assert_int_equal(trap_of(&g, NULL), 0);
    graph_fini(&g);
    /* A loop. */
    DRAWN(1, {0, 0});
    assert_int_equal(trap, 1);
    /* Loops everywhere, but with a way out, which is taken last. */
    DRAWN(3, {0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 2});
    assert_int_equal(trap, 0);
    /* A cycle without an exit below a path with one. */
    DRAWN(5, {0, 1}, {1, 2}, {1, 4}, {2, 3}, {3, 2});
    assert_int_equal(trap, 3);
    assert_int_equal(may_end, 0); /* because the exit was not looked at yet */
    /* The exit first. */
    DRAWN(5, {0, 1}, {1, 4}, {1, 2}, {2, 3}, {3, 2});
    assert_int_equal(trap, 3);
    assert_int_equal(may_end, 2);
    /* Nested components: the inner cycle is left through the outer one, whose exit is at its beginning. */
    DRAWN(6, {0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 1}, {1, 5});
    assert_int_equal(trap, 0);
    /* The same, but the way back ends in a loop. */
    DRAWN(6, {0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 4}, {1, 5});
    assert_int_equal(trap, 5);
    /* The exit is found by the second branch, after the first one came back to a state on the path. */
    DRAWN(5, {0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4});
    assert_int_equal(trap, 0);
    /* Into a complete component that may terminate, by an edge to its middle. */
    DRAWN(6, {0, 1}, {1, 2}, {2, 1}, {2, 3}, {0, 4}, {4, 5}, {5, 4}, {5, 2});
    assert_int_equal(trap, 0);
    /* The last state of the component to be left is the one with the exit. */
    DRAWN(5, {0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 0}, {1, 4});
    assert_int_equal(trap, 0);
    /* The initial state is in the component that cannot be left. */
    DRAWN(4, {0, 1}, {1, 2}, {2, 3}, {3, 1}, {2, 0});
    assert_int_equal(trap, 1);
    assert_int_equal(may_end, 0);
    /* A known successor that is still pending elsewhere. */
    DRAWN(5, {0, 1}, {0, 2}, {1, 2}, {2, 3}, {2, 1}, {3, 1}, {0, 4});
    assert_int_equal(trap, 2);
}

/* A long path down, at its end a cycle, and an exit near its beginning. */
static void deep(void **unused) {
    struct graph g;
    uint32_t length = FEWER ? 20000 : 400000;
    uint64_t may_end;
    (void)unused;
    graph_init(&g, length + 1, 2, 1);
    g.ts.reduction.forward = true;
    for (uint32_t s = 0; s + 1 < length; s++) *graph_next(&g, s, 0) = s + 1;
    *graph_next(&g, length - 1, 0) = length - 5;
    *graph_next(&g, 7, 1) = length;
    assert_int_equal(trap_of(&g, &may_end), length - 4);
    assert_int_equal(may_end, 0);
    *graph_next(&g, length - 1, 1) = length; /* a way out */
    assert_int_equal(trap_of(&g, NULL), 0);
    *graph_next(&g, length - 1, 0) = 0; /* one large component */
    assert_int_equal(trap_of(&g, NULL), 0);
    *graph_next(&g, length - 1, 1) = NO_STATE;
    *graph_next(&g, 7, 1) = NO_STATE;
    assert_int_equal(trap_of(&g, NULL), 1);
    graph_fini(&g);
}

/* ---- Limits ---- */

static volatile sig_atomic_t interrupted;

static void limited(struct graph *g, struct limits limits, bool termination, const char *reason, uint64_t least,
                    uint64_t most) {
    const struct dfs_goals goals = {.termination = termination};
    struct space s;
    struct stop stop;
    struct dfs_end end;
    struct ts_worker *w = graph_worker(g);
    search(g, &goals, limits, &s, &end, &stop, w);
    assert_int_equal(stop.kind, reason ? STOP_LIMIT : STOP_DONE);
    if (reason) assert_string_equal(stop.reason, reason);
    assert_in_range(s.states, least, most);
    assert_int_equal(end.way.count, 0);
    dfs_end_fini(&end);
    space_fini(&s);
    free(w);
}

static void limits(void **unused) {
    struct graph g;
    enum { LENGTH = 200000 };
    (void)unused;
    graph_init(&g, LENGTH, 1, 1);
    for (uint32_t s = 0; s + 1 < LENGTH; s++) *graph_next(&g, s, 0) = s + 1;
    for (int termination = 0; termination < 2; termination++) {
        uint64_t plenty = UINT64_C(1) << 33;
        limited(&g, (struct limits){.max_states = 1000}, termination, "the limit on states (--max-states) was reached",
                1000, 1200);
        limited(&g, (struct limits){.deadline = clock_seconds() - 1}, termination,
                "the limit on time (--time) was reached", 1, LENGTH - 1);
        limited(&g, (struct limits){.max_memory = 1}, termination, "the limit on memory (--max-memory) was reached", 0,
                LENGTH - 1);
        interrupted = 1;
        limited(&g, (struct limits){.interrupted = &interrupted}, termination, "interrupted", 1, 1000);
        interrupted = 0;
        limited(&g, (struct limits){.max_memory = plenty, .max_states = LENGTH}, termination, NULL, LENGTH, LENGTH);
    }
    graph_fini(&g);
}

/* ---- Back to levels ---- */

/* After it, everything is as a breadth-first search leaves it. */
static void compare_relevel(struct graph *g) {
    struct space deep, wide;
    struct stop stop;
    struct dfs_end end;
    struct ts_worker *w = graph_worker(g);
    search(g, &(struct dfs_goals){.termination = false}, (struct limits){0}, &deep, &end, &stop, w);
    assert_int_equal(stop.kind, STOP_DONE);
    graph_space(&wide, g, w, 0);
    uint64_t number = random_below((uint32_t)deep.states), depth = space_depth(&deep);
    uint32_t followed = graph_number(&deep, number);
    assert_true(space_relevel(&deep, &number, &stop));
    assert_int_equal(stop.kind, STOP_DONE);
    assert_false(deep.edges_kept);
    assert_int_equal(deep.edge_list.count, 0);
    assert_int_equal(graph_number(&deep, number), followed);
    assert_int_equal(deep.trail.count, wide.trail.count);
    for (uint64_t i = 0; i < wide.trail.count; i++) assert_int_equal(graph_number(&deep, i), graph_number(&wide, i));
    assert_int_equal(deep.levels.count, wide.levels.count);
    for (size_t i = 0; i < wide.levels.count; i++) assert_int_equal(deep.levels.at[i], wide.levels.at[i]);
    assert_int_equal(space_depth(&deep), depth);
    struct trace a, b;
    trace_init(&a, g->ts.words);
    trace_init(&b, g->ts.words);
    assert_true(trace_to(&a, &deep, number, &stop));
    assert_true(trace_to(&b, &wide, number, &stop));
    assert_int_equal(a.count, b.count);
    trace_fini(&a);
    trace_fini(&b);
    /* A second time, nothing happens. */
    uint64_t same = number;
    assert_true(space_relevel(&deep, &same, &stop));
    assert_int_equal(same, number);
    dfs_end_fini(&end);
    space_fini(&deep);
    space_fini(&wide);
    free(w);
}

static void levels(void **unused) {
    static const uint32_t sizes[] = {1, 2, 5, 30, 127, 300, 1000, 3000};
    (void)unused;
    for (uint64_t i = 0; i < 300; i++) {
        struct graph g;
        shape(&g, i, sizes, COUNT(sizes));
        g.keep_edges = random_chance(50);
        compare_relevel(&g);
        graph_fini(&g);
    }
}

static void relevel_interrupted(void **unused) {
    struct graph g;
    struct space s;
    struct stop stop;
    struct dfs_end end;
    uint64_t number = 3;
    (void)unused;
    graph_init(&g, 1000, 2, 1);
    graph_randomise(&g, 90, 0, 1);
    struct ts_worker *w = graph_worker(&g);
    search(&g, &(struct dfs_goals){.termination = false}, (struct limits){.interrupted = &interrupted}, &s, &end, &stop,
           w);
    interrupted = 1;
    assert_false(space_relevel(&s, &number, &stop));
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "interrupted");
    assert_int_equal(number, 3);
    assert_int_equal(s.levels.count, 0);
    assert_int_equal(s.trail.count, s.states);
    interrupted = 0;
    dfs_end_fini(&end);
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_spaces), cmocka_unit_test(termination), cmocka_unit_test(findings),
        cmocka_unit_test(drawn),        cmocka_unit_test(inexact),     cmocka_unit_test(deep),
        cmocka_unit_test(limits),       cmocka_unit_test(levels),      cmocka_unit_test(relevel_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
