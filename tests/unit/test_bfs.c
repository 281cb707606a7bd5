/* Breadth-first construction in batches against one state at a time. */
#include "unit.h"

#include "base/clock.h"
#include "graph.h"
#include "explore/bfs.h"

/* What a search of one state at a time finds: states are counted when they are found, edges when they are taken. */
struct naive {
    enum stop_kind kind;
    uint64_t at; /* number of the state where it ended */
    uint64_t states, edges, terminals;
    uint32_t *order, *level; /* states by number, levels by state */
};

/* Takes the edges of state number i. */
static void naive_expand(struct naive *n, const struct graph *g, const struct bfs_goals *goals, uint64_t i) {
    uint32_t s = n->order[i], to[256], labels[256], edges = graph_successors(g, s, to, labels);
    n->at = i;
    if (s == g->fault_state) {
        n->kind = STOP_FAULT;
        return;
    }
    if (!edges) {
        n->terminals++;
        if (goals->any_terminal || (goals->check_deadlock && g->illegal[s])) n->kind = STOP_DEADLOCK;
        else if (goals->at_ends && s == g->fault_class_state) n->kind = STOP_FAULT;
        else if (goals->at_ends & ~(uint32_t)g->classes[s]) n->kind = STOP_STUCK;
    }
    for (uint32_t e = 0; e < edges && n->kind == STOP_DONE; e++) {
        n->edges++;
        if (n->level[to[e]] != NO_STATE) continue;
        n->level[to[e]] = n->level[s] + 1;
        n->at = n->states;
        n->order[n->states++] = to[e];
        if (to[e] == g->fault_class_state && goals->classes) n->kind = STOP_FAULT;
        else if (g->classes[to[e]] & goals->classes) n->kind = STOP_BAD_STATE;
    }
}

static void naive_init(struct naive *n, const struct graph *g, const struct bfs_goals *goals) {
    *n = (struct naive){.kind = STOP_DONE, .states = 1};
    n->order = malloc(g->count * sizeof *n->order);
    n->level = malloc(g->count * sizeof *n->level);
    memset(n->level, 0xff, g->count * sizeof *n->level);
    n->order[0] = 0;
    n->level[0] = 0;
    if (g->classes[0] & goals->classes) n->kind = STOP_BAD_STATE;
    for (uint64_t i = 0; i < n->states && n->kind == STOP_DONE; i++) naive_expand(n, g, goals, i);
}

static void naive_fini(struct naive *n) {
    free(n->order);
    free(n->level);
}

/* All that is known about the states, in their order, and where levels begin. */
static void compare_spaces(struct space *s, const struct naive *n) {
    assert_int_equal(s->states, n->states);
    assert_int_equal(s->edges, n->edges);
    assert_int_equal(s->terminals, n->terminals);
    uint64_t depth = 0;
    for (uint64_t i = 0; i < n->states; i++) {
        assert_int_equal(graph_number(s, i), n->order[i]);
        uint64_t level = n->level[n->order[i]];
        if (i > 0 && level > depth) depth = level;
        assert_true(level < s->levels.count);
        if (i == 0 || level > n->level[n->order[i - 1]]) assert_int_equal(s->levels.at[level], i);
    }
    if (n->kind == STOP_DONE) assert_int_equal(space_depth(s), depth);
    if (n->kind == STOP_DONE) assert_int_equal(s->trail.count, n->states);
    assert_true(s->trail.count >= n->states);
}

/* Long states change their keys early, to components, and again if these get too many. */
static uint64_t collapsed;

static void compare_with(struct graph *g, const struct bfs_goals *goals, const struct naive *n,
                         const struct means *means) {
    struct ts_worker *w = graph_worker(g);
    struct limits limits = {.max_memory = UINT64_C(1) << 33};
    struct problem why = {0};
    struct space s;
    struct stop stop;
    word start[16];
    assert_true(space_init(&s, &g->ts, w, &limits, means, &why));
    assert_int_equal(s.team.size, means && means->threads ? means->threads : 1);
    if (g->layout_from) s.layout_from = g->layout_from;
    graph_encode(g, 0, start);
    bfs_run(&s, start, goals, &stop);
    collapsed += s.store.collapse != NULL;
    assert_int_equal(stop.kind, n->kind);
    if (stop.kind != STOP_DONE) assert_int_equal(stop.state, n->at);
    if (stop.kind == STOP_FAULT) assert_int_equal(stop.fault.kind, TS_RAISED);
    compare_spaces(&s, n);
    space_fini(&s);
    problem_fini(&why);
    free(w);
}

static const unsigned all_threads[] = {1, 2, 3, 8};

/* With all numbers of threads, or with one of them, and one that depends on i. */
static enum stop_kind compare(struct graph *g, const struct bfs_goals *goals, uint64_t i, bool all) {
    struct naive n;
    naive_init(&n, g, goals);
    compare_with(g, goals, &n, NULL);
    for (size_t k = 0; k < COUNT(all_threads); k++) {
        struct means means = {.threads = all_threads[k]};
        if (i % 4 == 3) means.store.kind = STORE_HASH_COMPACT; /* so many bits that none is omitted */
        if (all || i / 4 % 4 == k) compare_with(g, goals, &n, &means);
    }
    naive_fini(&n);
    return n.kind;
}

/* Shapes: few or many states, transitions and words; shallow or deep. */
static void shape(struct graph *g, uint64_t i) {
    static const uint32_t sizes[] = {1, 2, 5, 30, 127, 128, 129, 300, 1000, 3000};
    random_start(i);
    uint32_t count = sizes[i % COUNT(sizes)], transitions = 1 + random_below(6), words = i % 3 ? 1 : 3;
    graph_init(g, count, transitions, words);
    graph_randomise(g, 30 + random_below(60), i % 2 ? 0 : 1 + random_below(20), i);
    g->layout_from = 1 + random_below(random_chance(50) ? 30 : 600);
    g->ts.reduction.forward = random_chance(50);
    if (words == 1 && i % 7 == 0) g->ts.bits = 12; /* so few that there is one shard for all threads */
}

/* Bad states, illegal ends and failing code, each of them here and there. */
static struct bfs_goals troubles(struct graph *g, uint32_t rare) {
    for (uint32_t s = 0; s < g->count; s++) {
        g->classes[s] = random_below(rare) == 0 ? TS_BAD : random_below(rare) == 0 ? TS_MAY : 0;
        g->illegal[s] = random_below(2) == 0;
    }
    struct bfs_goals goals = {
        .check_deadlock = random_chance(50),
        .any_terminal = random_chance(20),
        .classes = random_chance(60) ? TS_BAD : 0,
        .at_ends = random_chance(30)  ? TS_MAY
                   : random_chance(5) ? TS_MAY | TS_MUST
                                      : 0,
    };
    if (random_chance(40)) g->fault_state = random_below(g->count);
    if (random_chance(20)) g->fault_class_state = 1 + random_below(g->count);
    return goals;
}

static void whole_spaces(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(600); i++) {
        struct graph g;
        shape(&g, i);
        compare(&g, &(struct bfs_goals){0}, i, i % 5 == 0);
        graph_fini(&g);
    }
    assert_true(collapsed > OFTEN(50));
}

static void findings(void **unused) {
    uint32_t kinds[STOP_LIMIT + 1] = {0};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(2500); i++) {
        struct graph g;
        shape(&g, i);
        struct bfs_goals goals = troubles(&g, 1 + random_below(g.count));
        kinds[compare(&g, &goals, i, i % 50 == 0)]++;
        graph_fini(&g);
    }
    for (int k = STOP_DONE; k < STOP_LIMIT; k++) assert_true(kinds[k] > ROUNDS(75));
}

/* Levels of so many states that they are expanded in several blocks of many chunks, and something in the middle. */
static void wide_levels(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < (FEWER ? 3 : 9); i++) {
        struct graph g;
        random_start(i);
        graph_init(&g, FEWER ? 30000 : 100000, 2 + random_below(3), i % 2 ? 1 : 3);
        graph_randomise(&g, 75, 0, i);
        g.layout_from = 1 + random_below(i % 4 ? 5000 : 100);
        struct bfs_goals goals = {0};
        if (i % 3) goals = troubles(&g, 20000);
        if (i % 3 == 2) { /* what most runs of this kind would end with at once */
            goals.any_terminal = false;
            goals.at_ends = 0;
            memset(g.illegal, 0, g.count);
        }
        compare(&g, &goals, i, true);
        graph_fini(&g);
    }
}

/* ---- Limits ---- */

static volatile sig_atomic_t interrupted;

static void limited(struct graph *g, struct limits limits, struct space *s, struct stop *stop) {
    struct problem why = {0};
    word start[16];
    struct ts_worker *w = graph_worker(g);
    assert_true(space_init(s, &g->ts, w, &limits, &(struct means){.threads = g->threads}, &why));
    graph_encode(g, 0, start);
    bfs_run(s, start, &(struct bfs_goals){0}, stop);
    free(w);
}

/* A chain of states. */
static void chain(struct graph *g, uint32_t count) {
    graph_init(g, count, 1, 1);
    for (uint32_t s = 0; s + 1 < count; s++) *graph_next(g, s, 0) = s + 1;
}

/* Layers of so many states, each with some of the next one's as successors. */
static void layers(struct graph *g, uint32_t width) {
    for (uint32_t s = 0; s < g->count; s++)
        for (uint32_t t = 0; t < g->ts.transitions; t++) {
            uint32_t to = (s / width + 1) * width + random_below(width);
            *graph_next(g, s, t) = s == 0 ? 1 + random_below(width - 1) : to < g->count ? to : NO_STATE;
        }
}

static void limits(void **unused) {
    struct graph g;
    struct space s;
    struct stop stop;
    (void)unused;
    chain(&g, FEWER ? 20000 : 200000);
    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .max_states = 1000}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "the limit on states (--max-states) was reached");
    assert_in_range(s.states, 1000, 1200);
    space_fini(&s);

    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .deadline = clock_seconds() - 1}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "the limit on time (--time) was reached");
    space_fini(&s);

    interrupted = 1;
    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .interrupted = &interrupted}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "interrupted");
    space_fini(&s);
    interrupted = 0;

    limited(&g, (struct limits){.max_memory = 1}, &s, &stop);
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "the limit on memory (--max-memory) was reached");
    space_fini(&s);

    /* Exactly as many states as are allowed. */
    limited(&g, (struct limits){.max_memory = UINT64_C(1) << 33, .max_states = g.count}, &s, &stop);
    assert_int_equal(stop.kind, STOP_DONE);
    assert_int_equal(s.states, g.count);
    assert_int_equal(space_depth(&s), g.count - 1);
    space_fini(&s);
    graph_fini(&g);
}

/* A limit on states ends the search at the same state for every number of threads. */
static void limit_of_threads(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < (FEWER ? 2 : 10); i++) {
        struct graph g;
        uint64_t states = 0;
        random_start(i);
        graph_init(&g, 30000, 3, i % 2 ? 1 : 2);
        graph_randomise(&g, 80, 0, i);
        struct limits limits = {.max_memory = UINT64_C(1) << 33, .max_states = 1 + random_below(15000)};
        for (size_t k = 0; k < COUNT(all_threads); k++) {
            struct space s;
            struct stop stop;
            g.threads = all_threads[k];
            limited(&g, limits, &s, &stop);
            if (k == 0) states = s.states;
            assert_int_equal(s.states, states);
            assert_int_equal(s.trail.count, states);
            assert_int_equal(stop.kind, states > limits.max_states ? STOP_LIMIT : STOP_DONE);
            space_fini(&s);
        }
        graph_fini(&g);
    }
}

/* Where a search was when it was saved. */
struct place {
    bool known;
    uint64_t expanded, level_end;
};

static void note_place(void *context, struct space *s, uint64_t expanded, uint64_t level_end,
                       const struct bitmap *marked) {
    (void)s, (void)marked;
    *(struct place *)context = (struct place){true, expanded, level_end};
}

/* It can go on from there: what is on the trail is of the level that is being expanded, or before it, or it is of the
 * next one and comes after that. */
static void is_place_to_go_on(struct space *s, const struct naive *n, const struct place *p) {
    assert_true(p->known);
    uint32_t level = n->level[graph_number(s, p->expanded)];
    for (uint64_t k = 0; k < s->states; k++) {
        uint32_t here = n->level[graph_number(s, k)];
        assert_true(k < p->level_end ? here <= level : here == level + 1);
    }
}

/* When the store may not grow any more, what was found is there, once each, and is reachable. */
static void full_store(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < (FEWER ? 16 : 80); i++) {
        struct graph g;
        struct space s;
        struct stop stop;
        struct problem why = {0};
        word start[16];
        random_start(i);
        graph_init(&g, 60000, 3, i % 2 ? 1 : 3);
        if (i % 3) layers(&g, 500 + random_below(1000));
        else graph_randomise(&g, 90, 0, i);
        struct ts_worker *w = graph_worker(&g);
        struct limits limits = {.max_memory = UINT64_C(1) << 33};
        struct means means = {.threads = all_threads[i / 2 % 4],
                              .store.kind = i % 5 ? STORE_EXACT : STORE_HASH_COMPACT};
        struct naive n;
        naive_init(&n, &g, &(struct bfs_goals){0});
        bool *seen = calloc(g.count, 1);
        assert_true(space_init(&s, &g.ts, w, &limits, &means, &why));
        /* Long states ask for room for the parts of a whole block. */
        s.store.budget.left = random_below(i % 2 ? 100000 : 20000000);
        struct place place = {0};
        s.saver = (struct saver){.save = note_place, .context = &place, .next = clock_seconds() + 1e6};
        graph_encode(&g, 0, start);
        bfs_run(&s, start, &(struct bfs_goals){0}, &stop);
        if (i % 2 && means.threads < 8) assert_int_equal(stop.kind, STOP_LIMIT); /* with more shards, all may fit */
        if (stop.kind == STOP_LIMIT) {
            assert_string_equal(stop.reason, "the limit on memory (--max-memory) was reached");
            is_place_to_go_on(&s, &n, &place);
        } else {
            assert_int_equal(s.states, n.states);
        }
        assert_int_equal(s.states, s.trail.count);
        assert_int_equal(s.states, store_count(&s.store));
        for (uint64_t k = 0; k < s.states; k++) {
            uint32_t state = graph_number(&s, k);
            assert_false(seen[state]);
            assert_true(n.level[state] != NO_STATE);
            seen[state] = true;
            if (store_exact(&s.store)) assert_true(graph_slot(&s, state) < store_slots(&s.store));
            if (means.threads == 1) assert_int_equal(state, n.order[k]);
        }
        space_fini(&s);
        naive_fini(&n);
        free(seen);
        free(w);
        graph_fini(&g);
    }
}

/* ---- Walks ---- */

static void walks(void **unused) {
    static const uint32_t most[] = {1, 2, 3, 7, 64, 5000};
    struct graph g;
    struct space s;
    (void)unused;
    chain(&g, 2000);
    g.threads = 3;
    struct ts_worker *w = graph_worker(&g);
    graph_space(&s, &g, w, 0);
    for (size_t k = 0; k < COUNT(most); k++) {
        struct walk walk;
        struct stop stop = {.kind = STOP_DONE};
        uint64_t next = 137;
        walk_init(&walk, &s, false, 137, most[k]);
        while (walk_next(&walk, &stop)) {
            assert_int_equal(walk.first, next);
            assert_in_range(walk.count, 1, most[k]);
            for (uint32_t i = 0; i < walk.count; i++) assert_int_equal(graph_decode(&g, walk.states + i), next++);
        }
        assert_true(walk_fini(&walk));
        assert_int_equal(next, 2000);
        walk_init(&walk, &s, true, 0, most[k]);
        while (walk_next(&walk, &stop)) {
            assert_in_range(walk.count, 1, most[k]);
            for (uint32_t i = walk.count; i-- > 0;) assert_int_equal(graph_decode(&g, walk.states + i), --next);
            assert_int_equal(walk.first, next);
        }
        assert_true(walk_fini(&walk));
        assert_int_equal(next, 0);
        assert_int_equal(stop.kind, STOP_DONE);
    }
    space_fini(&s);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_spaces), cmocka_unit_test(findings),         cmocka_unit_test(wide_levels),
        cmocka_unit_test(limits),       cmocka_unit_test(limit_of_threads), cmocka_unit_test(full_store),
        cmocka_unit_test(walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
