/* Strong components of kept edges, by colours, by search, and by both, for several numbers of threads, against
 * reachability in a matrix; and shortest ways in them.
 *
 * The source of colours is included, not linked, so that few states are enough for all threads to have some. */
#include "unit.h"

#include <signal.h>

#include "graph/components_edges.h"

#define COLOURS_PIECE 64
#define COLOURS_BUFFER 4
#include "graph/components_parallel.c" // NOLINT: see above

enum { MOST_STATES = 400, MOST_EDGES = 8000, WORDS = (MOST_STATES + 63) / 64 };

static const unsigned threads[] = {1, 2, 3, 5};
static const struct colours_effort search_only = {0, UINT64_MAX}, colours_only = {1e6, 0};

/* For test number i: rarely many, as threads that outnumber processors take their time. */
static unsigned some_threads(uint64_t i) { return threads[i % 16 == 15 ? 3 : i % 4 < 2 ? 0 : i % 4 - 1]; }

/* ---- A space of which nothing is there but its kept edges ---- */

static void space_of(struct space *s, unsigned size, uint64_t states) {
    *s = (struct space){.states = states, .edges_kept = true};
    s->limits.max_memory = UINT64_C(1) << 33;
    s->edge_list.states = states;
    s->edge_list.settled = true;
    team_init(&s->team, size);
}

static void drop(struct space *s) {
    edges_drop(s);
    team_fini(&s->team);
}

static void room(struct region *r, uint64_t bytes) {
    assert_true(region_init(r, bytes + 64));
    assert_true(region_grow(r, bytes + 64));
}

/* ---- Small graphs ---- */

struct small {
    uint32_t n, count;
    struct {
        uint32_t from, to;
        bool counts;
    } edge[MOST_EDGES]; /* those of a state one after the other, once they are sorted */
    uint64_t reach[MOST_STATES][WORDS];
    uint32_t of[MOST_STATES]; /* what is right */
};

static void add(struct small *g, uint32_t from, uint32_t to) {
    if (g->count == MOST_EDGES) return;
    g->edge[g->count].from = from % g->n;
    g->edge[g->count].to = to % g->n;
    g->edge[g->count++].counts = true;
}

static void sparse(struct small *g) {
    for (uint32_t i = g->n / 2 + random_below(g->n); i-- > 0;) add(g, random_below(g->n), random_below(g->n));
}

static void dense(struct small *g) {
    for (uint32_t i = g->n * (2 + random_below(6)); i-- > 0;) add(g, random_below(g->n), random_below(g->n));
}

/* A component with nearly all states, and some before and after it. */
static void giant(struct small *g) {
    uint32_t begin = random_below(g->n / 8 + 1), size = g->n - begin - random_below(g->n / 8 + 1);
    for (uint32_t i = 0; i < size; i++) add(g, begin + i, begin + (random_chance(50) ? i + 1 : i * 7 + 1) % size);
    for (uint32_t i = 0; i < size; i++) add(g, begin + random_below(size), begin + random_below(size));
    for (uint32_t i = 0; i < begin; i++) add(g, i, i + 1 + random_below(g->n - i));
}

/* One cycle through all, upward, downward or by strides. */
static void long_cycle(struct small *g) {
    uint32_t stride = random_chance(40) ? 1 : random_chance(50) ? g->n - 1 : 1 + random_below(g->n);
    bool open = random_chance(30);
    if (g->n > 150) stride = random_chance(50) ? 1 : g->n - 1; /* others take many sweeps */
    for (uint32_t i = open; i < g->n; i++) add(g, i, i + stride);
    if (random_chance(30)) sparse(g);
}

/* Cycles of a few states, each leading to the next, to the one before it, or to a random one. */
static void chain(struct small *g) {
    uint32_t size = 1 + random_below(6), way = random_below(3), n = g->n / size;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < size; i++) add(g, k * size + i, k * size + (i + 1) % size);
        if (way == 0 && k + 1 < n) add(g, k * size, (k + 1) * size + random_below(size));
        if (way == 1 && k > 0) add(g, k * size, (k - 1) * size + random_below(size));
        if (way == 2) add(g, k * size, random_below(n) * size);
    }
}

/* Mostly to lower numbers, with a few that go up far. */
static void against_the_order(struct small *g) {
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t k = random_below(4); k-- > 0;)
            add(g, i, random_chance(95) ? random_below(i + 1) : random_below(g->n));
}

/* As a breadth-first search numbers them: each state is reached from one before it, and a few edges lead back. */
static void like_a_search(struct small *g) {
    uint32_t back = random_below(60);
    for (uint32_t i = 1; i < g->n; i++) add(g, i - 1 - random_below(i < 9 ? i : 9), i);
    for (uint32_t i = 0; i < g->n; i++) add(g, i, random_chance(back) ? random_below(i + 1) : i + random_below(9));
}

static void no_edges(struct small *g) { (void)g; }

static void self_loops(struct small *g) {
    for (uint32_t i = 0; i < g->n; i++)
        if (random_chance(70)) add(g, i, i);
    if (random_chance(50)) chain(g);
}

static void (*const shapes[])(struct small *) = {
    sparse, dense, giant, long_cycle, chain, against_the_order, like_a_search, no_edges, self_loops};

static int by_source(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool reaches(const struct small *g, uint32_t a, uint32_t b) { return g->reach[a][b / 64] >> b % 64 & 1; }

/* Who reaches whom, and the components that follow from that. */
static void think(struct small *g) {
    memset(g->reach, 0, sizeof g->reach);
    for (uint32_t i = 0; i < g->n; i++) g->reach[i][i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->edge[i].counts) g->reach[g->edge[i].from][g->edge[i].to / 64] |= UINT64_C(1) << g->edge[i].to % 64;
    for (uint32_t k = 0; k < g->n; k++)
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t w = 0; reaches(g, i, k) && w < WORDS; w++) g->reach[i][w] |= g->reach[k][w];
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t least = 0;
        while (!reaches(g, i, least) || !reaches(g, least, i)) least++;
        g->of[i] = least + 1;
    }
}

static void build(struct space *s, struct bitmap *counted, const struct small *g, unsigned size) {
    struct edges *e = &s->edge_list;
    space_of(s, size, g->n);
    room(&e->targets, g->count * 4);
    room(&e->counts, g->n * 2);
    room(&e->starts, (g->n / 64 + 1) * 8);
    assert_true(bitmap_init(counted, g->count + 1));
    e->count = g->count;
    for (uint32_t i = 0, k = 0; i < g->n; i++) {
        if (i % 64 == 0) EDGES_STARTS(e)[i / 64] = k;
        for (; k < g->count && g->edge[k].from == i; k++) {
            EDGES_TARGETS(e)[k] = g->edge[k].to;
            EDGES_COUNTS(e)[i]++;
            if (g->edge[k].counts) bitmap_add(counted, k);
        }
    }
}

/* How many steps it is from one state to another inside their component, by relaxing all edges again and again. */
static uint32_t distance(const struct small *g, uint32_t from, uint32_t to) {
    uint32_t steps[MOST_STATES];
    bool changed = true;
    memset(steps, 0xff, sizeof steps);
    steps[from] = 0;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < g->count; i++) {
            uint32_t a = g->edge[i].from, b = g->edge[i].to;
            if (!g->edge[i].counts || g->of[a] != g->of[b] || steps[a] == UINT32_MAX || steps[b] <= steps[a] + 1)
                continue;
            steps[b] = steps[a] + 1;
            changed = true;
        }
    }
    return steps[to];
}

static bool is_edge(const struct small *g, uint64_t from, uint64_t to) {
    for (uint32_t i = 0; i < g->count; i++)
        if (g->edge[i].counts && g->edge[i].from == from && g->edge[i].to == to) return true;
    return false;
}

static void check_way(const struct small *g, const struct strong *c, struct space *s) {
    struct numbers way = {0};
    uint32_t from = random_below(g->n), to = random_below(g->n);
    while (g->of[to] != g->of[from]) to = (to + 1) % g->n;
    struct stop stop;
    assert_true(strong_way(c, s, from, to, &way, &stop));
    assert_int_equal(stop.kind, STOP_DONE);
    assert_int_equal(way.count, distance(g, from, to) + 1);
    assert_true(way.at[0] == from && way.at[way.count - 1] == to);
    for (size_t i = 0; i < way.count; i++) {
        assert_int_equal(g->of[way.at[i]], g->of[from]);
        if (i > 0) assert_true(is_edge(g, way.at[i - 1], way.at[i]));
    }
    numbers_fini(&way);
}

static void compare(const struct small *g, struct space *s, const struct bitmap *counted,
                    const struct colours_effort *effort) {
    struct strong c = {.edges = counted, .effort = effort};
    struct stop stop;
    assert_true(strong_run(&c, s, "test", &stop));
    assert_int_equal(stop.kind, STOP_DONE);
    for (uint32_t i = 0; i < g->n; i++)
        if (strong_of(&c, i) != g->of[i])
            fail_msg("%u of %u states, %u threads: component %u instead of %u", i, g->n, s->team.size, strong_of(&c, i),
                     g->of[i]);
    check_way(g, &c, s);
    strong_fini(&c);
}

/* What colours alone have found is right, and all of it if they may take as long as they like. */
static uint32_t compare_colours(const struct small *g, struct space *s, const struct bitmap *counted,
                                struct colours_effort effort) {
    uint32_t of[MOST_STATES] = {0}, found = 0;
    struct colours k = {.s = s, .edges = counted, .of = of, .effort = effort, .phase = "test"};
    struct stop stop;
    assert_true(colours_run(&k, &stop));
    for (uint32_t i = 0; i < g->n; i++) {
        if (of[i]) assert_int_equal(of[i], g->of[i]);
        found += of[i] != 0;
    }
    if (effort.sweeps >= colours_only.sweeps) assert_int_equal(found, g->n);
    return found;
}

static void random_graphs(void **unused) {
    static struct small g;
    uint32_t partly = 0, trivial = 0, one = 0, some = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(2000); i++) {
        struct space s;
        struct bitmap counted;
        random_start(i);
        g.n = 1 + random_below(i % 4 ? 200 : MOST_STATES);
        g.count = 0;
        shapes[i % COUNT(shapes)](&g);
        bool all = random_chance(50);
        for (uint32_t k = 0; k < g.count; k++) g.edge[k].counts = all || random_chance(80);
        qsort(g.edge, g.count, sizeof g.edge[0], by_source);
        think(&g);
        uint32_t components = 0;
        for (uint32_t k = 0; k < g.n; k++) components += g.of[k] == k + 1;
        components == g.n ? trivial++ : components == 1 ? one++ : some++;
        build(&s, &counted, &g, some_threads(i / COUNT(shapes)));
        const struct bitmap *edges = all ? NULL : &counted;
        struct colours_effort short_of_it = {0.5 * random_below(7), random_chance(50) ? random_below(g.n) : 0};
        compare(&g, &s, edges, i % 2 ? NULL : &search_only);
        compare(&g, &s, edges, &short_of_it);
        compare_colours(&g, &s, edges, colours_only);
        uint32_t found = compare_colours(&g, &s, edges, short_of_it);
        partly += found > 0 && found < g.n;
        bitmap_fini(&counted);
        drop(&s);
    }
    const uint32_t often = OFTEN(100);
    assert_true(partly > often && trivial > often && one > often && some > often);
}

/* ---- Large graphs: all ways and numbers of threads give the same ---- */

static void large(struct space *s, uint32_t states, uint32_t degree, uint32_t reach, unsigned size) {
    struct edges *e = &s->edge_list;
    space_of(s, size, states);
    room(&e->targets, (uint64_t)states * degree * 4);
    room(&e->counts, (uint64_t)states * 2);
    room(&e->starts, (states / 64 + 1) * UINT64_C(8));
    for (uint32_t i = 0; i < states; i++) {
        uint32_t count = random_below(degree + 1);
        if (i % 64 == 0) EDGES_STARTS(e)[i / 64] = e->count;
        EDGES_COUNTS(e)[i] = (uint16_t)count;
        for (uint32_t k = 0; k < count; k++)
            EDGES_TARGETS(e)[e->count++] = (i + states - reach / 3 + random_below(reach)) % states;
    }
}

static void large_graphs(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(5); i++) {
        struct space s;
        struct stop stop;
        struct strong right = {.effort = &search_only};
        uint32_t states = 10000 + random_below(10000), degree = 1 + (uint32_t)(i % 5), reach = i % 2 ? states : 100;
        uint64_t seed = i;
        random_start(seed);
        large(&s, states, degree, reach, 1);
        assert_true(strong_run(&right, &s, "test", &stop));
        drop(&s);
        for (size_t k = 0; k < 3 * COUNT(threads); k++) {
            const struct colours_effort some = {4, 1000};
            struct strong c = {.effort = k % 3 == 0 ? NULL : k % 3 == 1 ? &colours_only : &some};
            random_start(seed);
            large(&s, states, degree, reach, threads[k / 3]);
            assert_true(strong_run(&c, &s, "test", &stop));
            assert_memory_equal(c.of.base, right.of.base, states * sizeof(uint32_t));
            strong_fini(&c);
            drop(&s);
        }
        strong_fini(&right);
    }
}

/* ---- Limits ---- */

static void given_up(void **unused) {
    static volatile sig_atomic_t interrupted = 1;
    (void)unused;
    for (size_t k = 0; k < COUNT(threads); k++) {
        struct space s;
        struct stop stop;
        random_start(k);
        large(&s, 20000, 3, 20000, threads[k]);
        s.limits.interrupted = &interrupted;
        const struct colours_effort *ways[] = {&search_only, &colours_only};
        for (size_t i = 0; i < COUNT(ways); i++) {
            struct strong c = {.effort = ways[i]};
            assert_false(strong_run(&c, &s, "test", &stop));
            assert_int_equal(stop.kind, STOP_LIMIT);
            assert_string_equal(stop.reason, "interrupted");
            strong_fini(&c);
        }
        drop(&s);
    }
}

/* A ring: the way from state 1 to state 0 is as long as can be. */
static void way_given_up(void **unused) {
    static volatile sig_atomic_t interrupted;
    enum { LONG = 20000 };
    struct space s;
    struct stop stop;
    struct strong c = {.effort = &search_only};
    struct numbers way = {0};
    (void)unused;
    large(&s, LONG, 1, 1, 1);
    for (uint32_t i = 0; i < LONG; i++) {
        EDGES_COUNTS(&s.edge_list)[i] = 1;
        EDGES_TARGETS(&s.edge_list)[i] = (i + 1) % LONG;
        if (i % 64 == 0) EDGES_STARTS(&s.edge_list)[i / 64] = i;
    }
    s.edge_list.count = LONG;
    assert_true(strong_run(&c, &s, "test", &stop));
    s.limits.interrupted = &interrupted;
    assert_true(strong_way(&c, &s, 1, 0, &way, &stop));
    assert_int_equal(way.count, LONG);
    way.count = 0;
    interrupted = 1;
    assert_false(strong_way(&c, &s, 1, 0, &way, &stop));
    assert_int_equal(stop.kind, STOP_LIMIT);
    assert_string_equal(stop.reason, "interrupted");
    assert_int_equal(way.count, 0);
    s.limits = (struct limits){.max_memory = memory_resident()};
    assert_false(strong_way(&c, &s, 1, 0, &way, &stop));
    assert_string_equal(stop.reason, "no memory was left for the strong components");
    numbers_fini(&way);
    strong_fini(&c);
    drop(&s);
}

/* Without memory for colours, the search does all of it. */
static void little_memory(void **unused) {
    struct space s;
    struct stop stop;
    (void)unused;
    random_start(1);
    large(&s, 20000, 3, 20000, 3);
    struct colours k = {.s = &s, .of = calloc(20000, sizeof(uint32_t)), .effort = colours_only, .phase = "test"};
    s.limits.max_memory = memory_resident();
    assert_true(colours_run(&k, &stop));
    for (uint32_t i = 0; i < 20000; i++) assert_int_equal(k.of[i], 0);
    free(k.of);
    drop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs), cmocka_unit_test(large_graphs),  cmocka_unit_test(given_up),
        cmocka_unit_test(way_given_up),  cmocka_unit_test(little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
