/* Strong components of graphs in arrays, against reachability in a matrix, and their order, against a recursive search;
 * the same body with other macros; reachability and shortest ways, against the same matrix. */
#include "unit.h"

#include "algo/components.h"
#include "algo/ways.h"

enum { MOST = 24, MOST_EDGES = 96 };

/* ---- Small graphs, and what is right ---- */

struct small {
    uint32_t n, first[MOST + 2], target[MOST_EDGES + 1];
    bool counts[MOST_EDGES + 1];
    bool reach[MOST][MOST];         /* by edges that count, none among them */
    uint32_t finished[MOST], clock; /* when a recursive search leaves a node, from 1 on; when it has met one */
    uint32_t met[MOST];
};

static void close_matrix(struct small *g) {
    memset(g->reach, 0, sizeof g->reach);
    for (uint32_t v = 0; v < g->n; v++) {
        g->reach[v][v] = true;
        for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
            if (g->counts[e]) g->reach[v][g->target[e]] = true;
    }
    for (uint32_t k = 0; k < g->n; k++)
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t j = 0; g->reach[i][k] && j < g->n; j++) g->reach[i][j] |= g->reach[k][j];
}

static void visit(struct small *g, uint32_t v) {
    g->met[v] = ++g->clock;
    for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
        if (g->counts[e] && !g->met[g->target[e]]) visit(g, g->target[e]);
    g->finished[v] = ++g->clock;
}

static void think(struct small *g) {
    close_matrix(g);
    memset(g->met, 0, sizeof g->met);
    g->clock = 0;
    for (uint32_t v = 0; v < g->n; v++)
        if (!g->met[v]) visit(g, v);
}

/* Few edges or many, near or far, loops and double edges; or all to what has a lower number, but one. */
static void make(struct small *g, uint64_t seed) {
    uint32_t kind = seed % 4, edges = 0;
    random_start(seed);
    g->n = 1 + random_below(seed % 50 ? 9 : MOST);
    for (uint32_t v = 0; v < g->n; v++) {
        g->first[v] = edges;
        for (uint32_t k = random_below(kind == 0 ? 3 : 5); k-- > 0 && edges < MOST_EDGES;) {
            uint32_t to = kind == 1 ? v + random_below(3) : kind == 2 ? random_below(v + 1) : random_below(g->n);
            g->counts[edges] = true;
            g->target[edges++] = to % g->n;
        }
    }
    g->first[g->n] = edges;
    if (kind == 2 && edges > 0) g->target[random_below(edges)] = g->n - 1;
    think(g);
}

static struct digraph digraph_of(const struct small *g) {
    return (struct digraph){.nodes = g->n, .first = g->first, .target = g->target};
}

/* The node of a component that a search meets first is what it leaves last. */
static uint32_t completed(const struct small *g, uint32_t v) {
    uint32_t time = 0;
    for (uint32_t u = 0; u < g->n; u++)
        if (g->reach[u][v] && g->reach[v][u] && g->finished[u] > time) time = g->finished[u];
    return time;
}

/* ---- Components ---- */

/* NULL: they are right. */
static const char *judge(const struct small *g, const struct components *c) {
    uint32_t heads = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t least = v;
        bool cyclic = false;
        if (c->of[v] >= c->count) return "a number is too large";
        for (uint32_t u = 0; u < g->n; u++) {
            bool same = g->reach[u][v] && g->reach[v][u];
            if (same != (c->of[u] == c->of[v])) return same ? "a component is in two" : "two components are one";
            if (same && u < least) least = u;
            if (completed(g, u) < completed(g, v) && c->of[u] > c->of[v]) return "the order is wrong";
            for (uint32_t e = g->first[u]; e < g->first[u + 1]; e++) cyclic |= same && c->of[g->target[e]] == c->of[v];
        }
        heads += least == v;
        if (c->cyclic[c->of[v]] != cyclic) return "a cycle is not told, or invented";
        for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
            if (c->of[g->target[e]] > c->of[v]) return "an edge leads to a higher number";
    }
    return heads == c->count ? NULL : "the components are not so many";
}

static void random_graphs(void **unused) {
    uint32_t many = 0, cycles = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(20000); i++) {
        struct small g;
        struct components c;
        make(&g, i);
        struct digraph d = digraph_of(&g);
        components_find(&c, &d);
        const char *fault = judge(&g, &c);
        if (fault) fail_msg("graph %llu: %s", (unsigned long long)i, fault);
        many += c.count > 3;
        cycles += c.count > 1 && c.count < g.n;
        components_fini(&c);
    }
    assert_true(many > OFTEN(5000) && cycles > OFTEN(3000));
}

/* The judge sees what is made wrong on purpose. */
static void faults_are_seen(void **unused) {
    uint32_t tried[4] = {0};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(2000); i++) {
        struct small g;
        struct components c;
        uint32_t kind = i % 4, v, u;
        make(&g, i / 4);
        struct digraph d = digraph_of(&g);
        components_find(&c, &d);
        v = random_below(g.n);
        u = random_below(g.n);
        if (kind == 0 && c.of[u] != c.of[v]) { /* two change places */
            uint32_t swap = c.of[u];
            c.of[u] = c.of[v];
            c.of[v] = swap;
        } else if (kind == 1 && c.count > 1) { /* the order is turned round */
            for (uint32_t k = 0; k < g.n; k++) c.of[k] = c.count - 1 - c.of[k];
            for (uint32_t k = 0; k < c.count / 2; k++) {
                bool swap = c.cyclic[k];
                c.cyclic[k] = c.cyclic[c.count - 1 - k];
                c.cyclic[c.count - 1 - k] = swap;
            }
        } else if (kind == 2) {
            c.cyclic[c.of[v]] ^= true;
        } else if (kind == 3 && c.count > 1) { /* two become one */
            for (uint32_t k = 0; k < g.n; k++) c.of[k] -= c.of[k] == c.count - 1;
            c.count--;
        } else {
            components_fini(&c);
            continue;
        }
        tried[kind]++;
        assert_non_null(judge(&g, &c));
        components_fini(&c);
    }
    for (int k = 0; k < 4; k++) assert_true(tried[k] > OFTEN(200));
}

/* ---- The body with wide numbers, edges that do not count, and a search that is given up ---- */

struct other {
    const struct small *g;
    uint64_t number[MOST], least[MOST], closed, left;
    uint32_t order[MOST], count;
};

static bool other_edges(struct other *o, uint64_t v, uint16_t *first, uint32_t *count) {
    *first = (uint16_t)o->g->first[v];
    *count = o->g->first[v + 1] - o->g->first[v];
    return o->left-- > 0;
}

static void other_close(struct other *o, const uint64_t *members, uint64_t n) {
    uint64_t least = members[0];
    for (uint64_t i = 0; i < n; i++) {
        if (members[i] < least) least = members[i];
        if (i > 0) assert_true(o->g->met[members[i - 1]] < o->g->met[members[i]]);
        o->order[o->count++] = (uint32_t)members[i];
        o->number[members[i]] = o->closed + 1;
    }
    o->least[o->closed++] = least;
}

#define NAME(x) other_##x
#define GRAPH struct other
#define NODE uint64_t
#define EDGE uint16_t
#define NUMBER(x, v) (x)->g->number[v]
#define ENTER(x, v, by, first, count) ((void)(by), other_edges((x)->g, v, first, count))
#define COUNTS(x, v, e) ((x)->g->g->counts[e])
#define TARGET(x, e) (x)->g->g->target[e]
#define CLOSE(x, members, n) other_close((x)->g, members, n)
#include "algo/components_code.h"

static bool run_other(struct other *o, const struct small *g, uint64_t most) {
    struct other_search x = {.g = o};
    bool good = true;
    *o = (struct other){.g = g, .left = most};
    for (uint32_t v = 0; v < g->n && good; v++)
        if (!o->number[v]) good = other_from(&x, v, 0);
    other_fini(&x);
    return good;
}

static void other_shapes(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(5000); i++) {
        struct small g;
        struct other o;
        make(&g, i);
        for (uint32_t e = 0; e < g.first[g.n]; e++) g.counts[e] = random_chance(70);
        think(&g);
        assert_true(run_other(&o, &g, g.n));
        assert_int_equal(o.count, g.n);
        for (uint32_t v = 0; v < g.n; v++)
            for (uint32_t u = 0; u < g.n; u++) {
                assert_int_equal(o.number[u] == o.number[v], g.reach[u][v] && g.reach[v][u]);
                if (o.number[u] == o.number[v]) assert_true(o.least[o.number[v] - 1] <= u);
                if (completed(&g, u) < completed(&g, v)) assert_true(o.number[u] <= o.number[v]);
            }
        assert_false(run_other(&o, &g, random_below(g.n)));
        assert_true(o.count < g.n);
    }
}

/* A way through all nodes, a cycle of all, and many leaves: nothing is recursive. */
static void large_graphs(void **unused) {
    (void)unused;
    for (int closed = 0; closed < 2; closed++) {
        uint32_t n = FEWER ? 20000 : 300000;
        struct digraph g = digraph_new(n, 2 * n);
        struct components c;
        for (uint32_t v = 0; v < n; v++) {
            g.own_first[v] = v;
            g.own_target[v] = v + 1 < n ? v + 1 : 0;
        }
        g.own_first[n - 1] = n - 1;
        g.own_first[n] = closed ? n : n - 1;
        components_find(&c, &g);
        assert_int_equal(c.count, closed ? 1 : n);
        for (uint32_t v = 0; v < n; v++) assert_int_equal(c.of[v], closed ? 0 : n - 1 - v);
        components_fini(&c);
        digraph_fini(&g);
    }
}

/* ---- Ways ---- */

static void reachability(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(5000); i++) {
        struct small g;
        bool forward[MOST], back[MOST], from[MOST];
        make(&g, i);
        struct digraph d = digraph_of(&g), r = digraph_reversed(&d);
        for (uint32_t v = 0; v < g.n; v++) forward[v] = back[v] = from[v] = random_chance(15);
        ways_reach(&d, forward);
        ways_reach_back(&d, back);
        assert_int_equal(digraph_edges(&r), digraph_edges(&d));
        for (uint32_t v = 0; v < g.n; v++) {
            bool reached = false, reaches = false;
            for (uint32_t u = 0; u < g.n; u++) {
                uint32_t there = 0, back_again = 0;
                reached |= from[u] && g.reach[u][v];
                reaches |= from[u] && g.reach[v][u];
                for (uint32_t e = g.first[u]; e < g.first[u + 1]; e++) there += g.target[e] == v;
                for (uint32_t e = r.first[v]; e < r.first[v + 1]; e++) back_again += r.target[e] == u;
                assert_int_equal(there, back_again);
            }
            assert_int_equal(forward[v], reached);
            assert_int_equal(back[v], reaches);
        }
        digraph_fini(&r);
    }
}

struct wanted {
    const struct small *g;
    bool good_edge[MOST_EDGES + 1], good_node[MOST];
};

static bool counts(void *context, uint32_t e) { return ((struct wanted *)context)->g->counts[e]; }
static bool is_good_edge(void *context, uint32_t e) { return ((struct wanted *)context)->good_edge[e]; }
static bool is_good_node(void *context, uint32_t v) { return ((struct wanted *)context)->good_node[v]; }

/* The distances from a node by edges that count, by relaxing all edges again and again. */
static void measure(const struct small *g, uint32_t from, uint32_t *distance) {
    for (uint32_t v = 0; v < g->n; v++) distance[v] = v == from ? 0 : UINT32_MAX;
    for (uint32_t round = 0; round < g->n; round++)
        for (uint32_t v = 0; v < g->n; v++)
            for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
                if (g->counts[e] && distance[v] != UINT32_MAX && distance[v] + 1 < distance[g->target[e]])
                    distance[g->target[e]] = distance[v] + 1;
}

/* How many edges the best way has; `by_edge`: without the one that ends it. */
static uint32_t best_length(const struct wanted *w, const uint32_t *distance, bool by_edge, bool at_node) {
    uint32_t best = UINT32_MAX;
    for (uint32_t v = 0; v < w->g->n; v++) {
        bool good = at_node && w->good_node[v];
        for (uint32_t e = w->g->first[v]; by_edge && e < w->g->first[v + 1]; e++)
            good |= w->g->counts[e] && w->good_edge[e];
        if (good && distance[v] < best) best = distance[v];
    }
    return best;
}

static void check_way(const struct wanted *w, uint32_t from, const struct numbers *way, uint32_t end) {
    for (size_t i = 0; i < way->count; i++) {
        uint64_t e = way->at[i];
        assert_in_range(e, w->g->first[from], w->g->first[from + 1] - 1);
        assert_true(w->g->counts[e]);
        from = w->g->target[e];
    }
    assert_int_equal(from, end);
}

static void shortest_ways(void **unused) {
    uint32_t found = 0, none = 0;
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(3000); i++) {
        struct small g;
        struct wanted w = {.g = &g};
        struct ways ways;
        make(&g, i);
        for (uint32_t e = 0; e < g.first[g.n]; e++) {
            g.counts[e] = random_chance(80);
            w.good_edge[e] = random_chance(15);
        }
        for (uint32_t v = 0; v < g.n; v++) w.good_node[v] = random_chance(15);
        struct digraph d = digraph_of(&g);
        ways_init(&ways, &d);
        if (random_chance(20)) ways.searches = UINT32_MAX - random_below(3);
        for (uint32_t from = 0; from < g.n; from++) {
            bool by_edge = random_chance(60), at_node = !by_edge || random_chance(30);
            uint32_t distance[MOST], end, below = random_below(5);
            struct numbers way = {0};
            struct ways_wish wish = {.context = &w,
                                     .takes = counts,
                                     .ends_by = by_edge ? is_good_edge : NULL,
                                     .ends_at = at_node ? is_good_node : NULL,
                                     .shorter_than = below};
            measure(&g, from, distance);
            uint32_t best = best_length(&w, distance, by_edge, at_node);
            if (below && best >= below) best = UINT32_MAX;
            enum outcome outcome = ways_find(&ways, from, &wish, &way, &end);
            assert_int_equal(outcome, best == UINT32_MAX ? OUTCOME_NONE : OUTCOME_FOUND);
            if (outcome == OUTCOME_FOUND) {
                bool last_is_good = way.count > 0 && by_edge && w.good_edge[way.at[way.count - 1]];
                check_way(&w, from, &way, end);
                assert_true(last_is_good || (at_node && w.good_node[end]));
                assert_true(way.count == best || (way.count == best + 1 && last_is_good));
            }
            *(outcome == OUTCOME_FOUND ? &found : &none) += 1;
            numbers_fini(&way);
        }
        ways_fini(&ways);
    }
    assert_true(found > OFTEN(3000) && none > OFTEN(3000));
}

static bool stops(void *context) { return --*(int *)context == 0; }

static void given_up(void **unused) {
    uint32_t n = 1 << 18, end;
    struct digraph g = digraph_new(n, n);
    struct ways ways;
    struct numbers way = {0};
    int patience = 2;
    (void)unused;
    for (uint32_t v = 0; v < n; v++) g.own_first[v] = v, g.own_target[v] = (v + 1) % n;
    g.own_first[n] = n;
    ways_init(&ways, &g);
    assert_int_equal(ways_find(&ways, 0, &(struct ways_wish){.context = &patience, .stops = stops}, &way, &end),
                     OUTCOME_GIVEN_UP);
    assert_int_equal(patience, 0);
    assert_int_equal(ways_find(&ways, 0, &(struct ways_wish){0}, &way, &end), OUTCOME_NONE);
    assert_int_equal(way.count, 0);
    ways_fini(&ways);
    digraph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs), cmocka_unit_test(faults_are_seen), cmocka_unit_test(other_shapes),
        cmocka_unit_test(large_graphs),  cmocka_unit_test(reachability),    cmocka_unit_test(shortest_ways),
        cmocka_unit_test(given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
