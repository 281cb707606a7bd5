/* Shortest cycles, and shortest ways to them: for progress, formulas and automata, held against a naive search of all
 * pairs of nodes on small random graphs. Nothing of src/graph is used for that but the automata that were made. */
#include "unit.h"

#include "omega/ltl/ltl.h"
#include "graph.h"
#include "check/check.h"
#include "omega/prepare.h"
#include "check/ltl_check.h"
#include "words.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

enum { MOST_NODES = 160, FAR = 1000000 };

/* ---- Nodes and edges, and the naive search ---- */

enum { COUNTS = 1, NEEDED = 2, STILL = 4 };

struct net {
    int nodes;
    uint8_t edge[MOST_NODES][MOST_NODES]; /* 0: none */
    int start[MOST_NODES];                /* distance from the start, or FAR */
    bool over[MOST_NODES];                /* an error by itself: no cycle is needed */
    uint32_t state[MOST_NODES];           /* of the graph */
};

static struct net net;

/* The distances from one node by edges that have these flags; 0 to itself. */
static void distances(int from, uint8_t flags, int *out) {
    int queue[MOST_NODES], tail = 0;
    for (int i = 0; i < net.nodes; i++) out[i] = FAR;
    out[from] = 0;
    queue[tail++] = from;
    for (int head = 0; head < tail; head++)
        for (int to = 0; to < net.nodes; to++)
            if ((net.edge[queue[head]][to] & flags) == flags && out[to] == FAR) {
                out[to] = out[queue[head]] + 1;
                queue[tail++] = to;
            }
}

static void distances_from_start(void) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (int a = 0; a < net.nodes; a++)
            for (int b = 0; b < net.nodes; b++)
                if (net.edge[a][b] && net.start[a] + 1 < net.start[b]) {
                    net.start[b] = net.start[a] + 1;
                    changed = 1;
                }
    }
}

struct best {
    int cycle, way; /* FAR: there is none */
};

/* Of the cycles by edges with `flags`, of which one has `needed`. `only`: that visit this state, if it is not
 * NO_STATE. */
static void try_cycles(struct best *best, uint8_t flags, uint8_t needed, uint32_t only) {
    static int distance[MOST_NODES][MOST_NODES];
    for (int i = 0; i < net.nodes; i++) distances(i, flags, distance[i]);
    for (int a = 0; a < net.nodes; a++)
        for (int b = 0; b < net.nodes; b++) {
            if ((net.edge[a][b] & (flags | needed)) != (flags | needed) || net.start[a] >= FAR) continue;
            int length = 1 + distance[b][a];
            if (length >= FAR || length > best->cycle || (only != NO_STATE && net.state[a] != only)) continue;
            if (length < best->cycle) *best = (struct best){length, FAR};
            for (int x = 0; x < net.nodes; x++)
                if (1 + distance[b][x] + distance[x][a] == length && net.start[x] < best->way) best->way = net.start[x];
        }
}

static int nearest_over(void) {
    int best = FAR;
    for (int i = 0; i < net.nodes; i++)
        if (net.over[i] && net.start[i] < best) best = net.start[i];
    return best;
}

/* ---- Products, by their definition ---- */

static bool ends(const struct graph *g, uint32_t s) {
    uint32_t to[64], labels[64];
    return graph_successors(g, s, to, labels) == 0;
}

/* Reading the state `to` of the graph from node (s, q). */
static void read_ba(const struct ba *a, int from, uint32_t q, const struct graph *g, uint32_t to) {
    for (uint32_t i = a->first[q]; i < a->first[q + 1]; i++)
        if (((g->values[to] ^ a->edge[i].label.value) & a->edge[i].label.care) == 0) {
            int node = (int)(to * a->states + a->edge[i].target);
            if (from < 0) net.start[node] = 0;
            else net.edge[from][node] |= COUNTS | (a->accept[q] & ACCEPT_INFINITE ? NEEDED : 0);
        }
}

static void read_ta(const struct ta *a, int from, uint32_t q, const struct graph *g, uint32_t s, uint32_t to) {
    uint64_t change = g->values[s] ^ g->values[to];
    if (!change) net.edge[from][to * a->states + q] |= COUNTS | (a->accept[q] & ACCEPT_LIVELOCK ? STILL : 0);
    for (uint32_t i = a->first[q]; i < a->first[q + 1]; i++)
        if (a->edge[i].change == change)
            net.edge[from][to * a->states + a->edge[i].target] |=
                COUNTS | (a->accept[q] & ACCEPT_INFINITE ? NEEDED : 0);
}

/* `finite`: an execution that ends is not continued by its last state. False: too large. */
static bool make_product(const struct graph *g, const struct ba *ba, const struct ta *ta, bool finite) {
    uint32_t states = ba ? ba->states : ta->states, to[64], labels[64];
    memset(&net, 0, sizeof net);
    net.nodes = (int)(g->count * states);
    if (net.nodes > MOST_NODES) return false;
    for (int i = 0; i < net.nodes; i++) net.start[i] = FAR;
    for (uint32_t i = 0; ba && i < ba->initials; i++) read_ba(ba, -1, ba->initial[i], g, 0);
    for (uint32_t i = 0; ta && i < ta->initials; i++)
        if (ta->initial[i].value == g->values[0]) net.start[ta->initial[i].state] = 0;
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t q = 0; q < states; q++) {
            uint32_t n = graph_successors(g, s, to, labels), node = s * states + q;
            unsigned accept = ba ? ba->accept[q] : ta->accept[q];
            net.state[node] = s;
            net.over[node] = accept & ACCEPT_FINITE || (finite && n == 0 && accept & ACCEPT_DEADLOCK);
            if (n == 0 && !finite) to[n++] = s;
            for (uint32_t i = 0; i < n; i++)
                if (ba) read_ba(ba, (int)node, q, g, to[i]);
                else read_ta(ta, (int)node, q, g, s, to[i]);
        }
    distances_from_start();
    return true;
}

/* ---- Formulas and automata ---- */

static void random_graph(struct graph *g, uint32_t states, uint32_t transitions, uint32_t percent, int propositions) {
    graph_init(g, states, transitions, 1 + random_below(2));
    for (uint32_t i = 0; i < states; i++) {
        g->values[i] = random_below(1u << propositions);
        g->classes[i] = (uint8_t)((random_chance(25) ? TS_MAY : 0) | (random_chance(35) ? TS_MUST : 0));
        for (uint32_t t = 0; t < transitions; t++)
            if (random_chance(percent))
                *graph_next(g, i, t) = random_chance(60) ? (i + 1) % states : random_below(states);
    }
}

static int longer;   /* cycles of more than two steps */
static int kinds[4]; /* nothing; no cycle needed; an end that is repeated; a cycle */

/* The answer's execution against the naive one. */
static void check_lasso(const struct graph *g, const struct answer *a, const char *text) {
    const struct trace *t = &a->trace;
    struct best best = {FAR, FAR}, here = {FAR, FAR};
    uint32_t last = t->count ? graph_decode(g, trace_state(t, t->count - 1)) : 0;
    int over = nearest_over();
    if (over < FAR) {
        assert_int_equal(a->verdict, VERDICT_VIOLATED);
        if (t->cycle != TRACE_NONE || (int)t->count - 1 > over)
            fail_msg("%s: %d steps without a cycle are enough: %d", text, over, (int)t->count);
        kinds[1]++;
        return;
    }
    try_cycles(&best, COUNTS, NEEDED, NO_STATE);
    try_cycles(&best, STILL, STILL, NO_STATE);
    assert_int_equal(a->verdict, best.cycle < FAR ? VERDICT_VIOLATED : VERDICT_HOLDS);
    if (best.cycle == FAR) {
        kinds[0]++;
    } else if (t->cycle == TRACE_NONE) {
        assert_true(ends(g, last));
        try_cycles(&here, COUNTS, NEEDED, last);
        try_cycles(&here, STILL, STILL, last);
        if (here.cycle != best.cycle || here.way != best.way || (int)t->count - 1 > best.way)
            fail_msg("%s: ends after %d; best %d + %d", text, (int)t->count - 1, best.way, best.cycle);
        kinds[2]++;
    } else {
        if ((int)(t->count - t->cycle) != best.cycle || (int)t->cycle != best.way)
            fail_msg("%s: %d + %d; best %d + %d", text, (int)t->cycle, (int)(t->count - t->cycle), best.way,
                     best.cycle);
        kinds[3]++;
        longer += best.cycle > 2;
    }
}

static void kinds_end(int least_end) {
    print_message("%d without error, %d without a cycle, %d that end, %d cycles, %d of more than two steps\n", kinds[0],
                  kinds[1], kinds[2], kinds[3], longer);
    assert_true(longer > OFTEN(50));
    assert_true(kinds[0] > OFTEN(100) && kinds[1] > OFTEN(40) && kinds[2] >= least_end && kinds[3] > OFTEN(200));
}

static void ask(struct graph *g, const struct ltl_question *q, struct answer *a, unsigned threads) {
    struct problem why = {0};
    struct means means = {.threads = threads};
    struct ts_worker *w = graph_worker(g);
    if (!ltl_check(a, &g->ts, w, q, &plenty, &means, NULL, &why)) fail_msg("%s", why.text);
    free(w);
}

static void check_formula(struct graph *g, const char *text, unsigned threads) {
    struct ltl_question q = {.formula = text, .algorithm = LTL_LEVELS, .shortest = true};
    struct answer a;
    struct problem why = {0};
    struct ltl l;
    struct ba ba;
    struct ta ta = {0};
    uint32_t formula;
    ltl_init(&l);
    assert_true(ltl_parse(&l, text, &formula, &why) && ltl_to_ba(&l, formula, true, &ba, &why));
    ask(g, &q, &a, threads);
    if (a.ltl.testing) assert_true(ltl_to_ta(&ba, &ta, &why));
    /* Propositions of the automaton are in the order in which the formula names them. */
    uint64_t *values = g->values;
    g->values = memory_get_zeroed(g->count * sizeof *g->values);
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t p = 0; p < l.propositions.count; p++)
            g->values[s] |= (values[s] >> (l.propositions.text[p][1] - '0') & 1) << p;
    if (make_product(g, a.ltl.testing ? NULL : &ba, a.ltl.testing ? &ta : NULL, false)) check_lasso(g, &a, text);
    free(g->values);
    g->values = values;
    answer_fini(&a);
    ba_fini(&ba);
    ta_fini(&ta);
    ltl_fini(&l);
}

static void test_formulas(void **state) {
    static const char *const about[] = {"%s", "G F (%s)", "F G (%s)", "G (p0 -> F (%s & !p0)) | G !p0"};
    (void)state;
    memset(kinds, 0, sizeof kinds);
    longer = 0;
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct graph g;
        char part[900], text[1000];
        random_start((uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        random_graph(&g, 2 + random_below(9), 1 + random_below(3), 60, propositions);
        struct tree *tree = tree_random(1 + (int)random_below(i % 4 ? 2 : 5), propositions, random_chance(40));
        tree_print(tree, part, sizeof part);
        snprintf(text, sizeof text, about[i % 4], part);
        check_formula(&g, text, i % 10 == 0 ? 3 : 1);
        tree_free(tree);
        graph_fini(&g);
    }
    kinds_end(OFTEN(50));
}

static void test_automata(void **state) {
    (void)state;
    memset(kinds, 0, sizeof kinds);
    longer = 0;
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct graph g;
        struct hoa h = {.testing = i % 2};
        struct answer a;
        struct problem why = {0};
        struct ba ba = {0};
        struct ta ta = {0};
        random_start(50000 + (uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        unsigned accept = random_chance(70) ? 15 & ~ACCEPT_FINITE : 15;
        if (random_chance(60)) accept &= ~(unsigned)ACCEPT_DEADLOCK;
        random_graph(&g, 2 + random_below(9), 1 + random_below(3), 70, propositions);
        if (h.testing) random_ta(&h.ta, 1 + (int)random_below(4), propositions, accept);
        else random_ba(&h.ba, 1 + (int)random_below(4), propositions, 1, true, accept & ~(unsigned)ACCEPT_LIVELOCK);
        struct ltl_question q = {.given = &h, .name = "random", .algorithm = LTL_LEVELS, .shortest = true};
        bool nothing = given_accepts_nothing(&h); /* before the first state */
        if (!nothing) {
            ask(&g, &q, &a, 1);
            assert_true(given_automaton(&h, h.testing, &ba, &ta, &why));
            if (make_product(&g, h.testing ? NULL : &ba, h.testing ? &ta : NULL, true)) check_lasso(&g, &a, "random");
            answer_fini(&a);
        }
        ba_fini(&ba);
        ta_fini(&ta);
        ba_fini(&h.ba);
        ta_fini(&h.ta);
        graph_fini(&g);
    }
    kinds_end(0);
}

/* Two cycles of two states, 3 5 and 4 2. That of which the accepting state is met first is farther away. */
static void test_nearest_of_two(void **state) {
    static const uint32_t edges[][3] = {{0, 0, 1}, {0, 1, 2}, {1, 0, 3}, {2, 0, 4}, {3, 0, 5}, {5, 0, 3}, {4, 0, 2}};
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        struct graph g;
        struct answer a;
        struct ltl_question q = {.formula = "F G !p0", .algorithm = LTL_LEVELS, .shortest = true};
        graph_init(&g, 6, 2, 1);
        for (size_t i = 0; i < COUNT(edges); i++) *graph_next(&g, edges[i][0], edges[i][1]) = edges[i][2];
        g.values[3] = g.values[4] = 1;
        g.ts.reduction.forward = forward;
        ask(&g, &q, &a, 1);
        assert_int_equal(a.trace.cycle, 1);
        assert_int_equal(a.trace.count, 3);
        answer_fini(&a);
        graph_fini(&g);
    }
}

/* ---- Progress ---- */

/* Which nodes are marked, by the definition: repeated until nothing changes. */
static void naive_marks(const struct graph *g, bool all, uint8_t target, bool terminal, bool *marked) {
    uint32_t to[64], labels[64];
    for (uint32_t s = 0; s < g->count; s++) marked[s] = g->classes[s] & target || (terminal && ends(g, s));
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < g->count; s++) {
            uint32_t n = graph_successors(g, s, to, labels), good = 0;
            for (uint32_t i = 0; i < n; i++) good += marked[to[i]];
            if (marked[s] || n == 0 || !(all ? good == n : good > 0)) continue;
            marked[s] = changed = true;
        }
    }
}

static void make_graph_net(const struct graph *g) {
    uint32_t to[64], labels[64];
    memset(&net, 0, sizeof net);
    net.nodes = (int)g->count;
    for (uint32_t s = 0; s < g->count; s++) {
        net.start[s] = s == 0 ? 0 : FAR;
        net.state[s] = s;
        uint32_t n = graph_successors(g, s, to, labels);
        for (uint32_t i = 0; i < n; i++) net.edge[s][to[i]] = COUNTS;
    }
    distances_from_start();
}

/* Marks the edges of the kind of cycle. For may progress: inside components that cannot be left. */
static void mark_edges(const bool *marked, bool must) {
    static int distance[MOST_NODES][MOST_NODES];
    for (int i = 0; i < net.nodes; i++) distances(i, COUNTS, distance[i]);
    for (int a = 0; a < net.nodes; a++) {
        bool bottom = true, several = false;
        for (int b = 0; b < net.nodes; b++) {
            if (distance[a][b] < FAR && distance[b][a] >= FAR) bottom = false;
            if (a != b && distance[a][b] < FAR) several = true;
        }
        for (int b = 0; b < net.nodes; b++)
            if (net.edge[a][b] && !marked[a] && !marked[b] && (must || (bottom && (a != b || !several))))
                net.edge[a][b] |= STILL;
    }
}

static int progress_counts[3];

static void check_progress(struct graph *g, enum property property) {
    struct questions q = {.checks = property, .shortest = true};
    struct answer a;
    bool marked[MOST_NODES], must = property == PROP_MUST;
    struct best best = {FAR, FAR};
    struct ts_worker *w = graph_worker(g);
    struct means means = {.threads = random_chance(20) ? 3 : 1};
    uint8_t target = property == PROP_MAY ? TS_MAY : must ? TS_MUST : 0;
    check_run(&a, &g->ts, w, &q, &plenty, &means, NULL);
    naive_marks(g, must, target, true, marked);
    make_graph_net(g);
    mark_edges(marked, must);
    try_cycles(&best, STILL, STILL, NO_STATE);
    assert_int_equal(a.verdict, best.cycle < FAR ? VERDICT_VIOLATED : VERDICT_HOLDS);
    if (best.cycle < FAR) {
        const struct trace *t = &a.trace;
        assert_true(t->cycle != TRACE_NONE && !a.note);
        if ((int)(t->count - t->cycle) != best.cycle || (int)t->cycle != best.way)
            fail_msg("%d + %d; best %d + %d", (int)t->cycle, (int)(t->count - t->cycle), best.way, best.cycle);
        for (uint64_t i = 0; i < t->count; i++) {
            bool good = marked[graph_decode(g, trace_state(t, i))];
            assert_false(good && i >= t->no_return);
            if (i + 1 == t->no_return) assert_true(good);
        }
        progress_counts[must ? 1 : 2]++;
    } else {
        progress_counts[0]++;
    }
    answer_fini(&a);
    free(w);
}

static void test_progress(void **state) {
    static const enum property properties[] = {PROP_MAY, PROP_MUST, PROP_TERMINATION};
    (void)state;
    for (int i = 0; i < ROUNDS(4500); i++) {
        struct graph g;
        random_start(90000 + (uint64_t)i);
        random_graph(&g, 2 + random_below(14), 1 + random_below(3), 55 + random_below(40), 1);
        check_progress(&g, properties[i % 3]);
        graph_fini(&g);
    }
    print_message("%d hold, %d cycles without must progress, %d without may progress or end\n", progress_counts[0],
                  progress_counts[1], progress_counts[2]);
    for (int i = 0; i < 3; i++) assert_true(progress_counts[i] > OFTEN(300));
}

/* ---- Progress by actions: transition t is action t + 1 ---- */

enum { ACTIONS = 4 };

/* Marks the edges inside components that cannot be left and where the test fails. A state without successors
 * is a failure by itself, unless the test has a condition. */
static void mark_failures(const struct graph *g, const struct ts_progress *test) {
    static int distance[MOST_NODES][MOST_NODES];
    for (int i = 0; i < net.nodes; i++) distances(i, COUNTS, distance[i]);
    for (int a = 0; a < net.nodes; a++) {
        bool bottom = true, when = !test->when, then = false;
        for (int b = 0; b < net.nodes; b++) {
            if (distance[a][b] >= FAR) continue;
            if (distance[b][a] >= FAR) bottom = false;
            for (uint32_t t = 0; t < g->ts.transitions; t++) {
                if (g->next[(uint32_t)b * g->ts.transitions + t] == NO_STATE) continue;
                when |= test->when && test->when[t + 1];
                then |= test->then[t + 1];
            }
        }
        net.over[a] = !test->when && ends(g, (uint32_t)a);
        for (int b = 0; b < net.nodes && bottom && when && !then; b++)
            if (net.edge[a][b]) net.edge[a][b] |= STILL;
    }
}

static void test_action_progress(void **state) {
    static const char *const names[] = {"tau", "a", "b", "c"};
    uint32_t actions[] = {1, 2, 3};
    (void)state;
    memset(kinds, 0, sizeof kinds);
    for (int i = 0; i < ROUNDS(2000); i++) {
        struct graph g;
        struct answer a;
        bool when[ACTIONS], then[ACTIONS];
        struct best best = {FAR, FAR};
        random_start(120000 + (uint64_t)i);
        random_graph(&g, 2 + random_below(14), 3, 30 + random_below(40), 1);
        for (int k = 0; k < ACTIONS; k++) when[k] = random_chance(50), then[k] = random_chance(25);
        struct ts_progress test = {"P", random_chance(50) ? when : NULL, then};
        g.actions = actions;
        g.ts.actions = ACTIONS;
        g.ts.action_names = names;
        g.ts.progress = &test;
        g.ts.progress_count = 1;
        g.ts.whole_counts = true;
        struct questions q = {.checks = PROP_PROGRESS, .shortest = true};
        struct ts_worker *w = graph_worker(&g);
        check_run(&a, &g.ts, w, &q, &plenty, &(struct means){.threads = 1}, NULL);
        make_graph_net(&g);
        mark_failures(&g, &test);
        int over = nearest_over();
        try_cycles(&best, STILL, STILL, NO_STATE);
        const struct trace *t = &a.trace;
        assert_int_equal(a.verdict, over < FAR || best.cycle < FAR ? VERDICT_VIOLATED : VERDICT_HOLDS);
        if (over < FAR) {
            assert_true(t->cycle == TRACE_NONE && (int)t->count - 1 == over);
        } else if (best.cycle < FAR) {
            assert_int_equal(t->count - t->cycle, best.cycle);
            assert_int_equal(t->cycle, best.way);
            assert_true(t->no_return <= t->cycle);
        }
        kinds[over < FAR ? 1 : best.cycle < FAR ? 3 : 0]++;
        answer_fini(&a);
        free(w);
        graph_fini(&g);
    }
    print_message("%d hold, %d ends, %d cycles\n", kinds[0], kinds[1], kinds[3]);
    assert_true(kinds[0] > OFTEN(100) && kinds[1] > OFTEN(100) && kinds[3] > OFTEN(100));
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas), cmocka_unit_test(test_automata),        cmocka_unit_test(test_nearest_of_two),
        cmocka_unit_test(test_progress), cmocka_unit_test(test_action_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
