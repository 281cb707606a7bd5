/* Stubborn sets on random obligation graphs against an independent, slower computation of the same definition.
 *
 * The model of this file has one state for each random graph; its rules are read from a table. */
#include "unit.h"

#define ONAGER_STUBBORN
#define ONAGER_CHECKED
#include <onager.h>

#ifndef TRANSITIONS
#define TRANSITIONS 11
#define GRAPHS 4000
#endif
PARAM(transitions, TRANSITIONS)
enum { MOST = 24 };

/* Of the graph at hand: the obligations of each transition in their order, and which transitions are enabled. */
static struct {
    uint32_t count[transitions], list[transitions][MOST];
    bool all[transitions], enabled[transitions];
} graphs[GRAPHS];

static bool wrong_rule;
static int long_rule; /* how often a rule repeats itself */

#define STATE(var, array) var(13, graph) var(UPTO(transitions), fired)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    if (s->fired || !graphs[s->graph].enabled[t]) return false;
    s->fired = (uint8_t)(t + 1);
    return true;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    if (s->fired) return;
    if (wrong_rule && t == 5) stb(set, 3, transitions, 4);
    if (graphs[s->graph].all[t]) stb_all(set);
    for (int i = 0; i < long_rule; i++) stb(set, 0, transitions / 2, transitions - 1);
    for (uint32_t i = 0; i < graphs[s->graph].count[t]; i++) stb(set, graphs[s->graph].list[t][i]);
}

MODEL(.transitions = transitions, .fire = fire, .obligations = obligations)

#include <onager/engine.h>

/* ---- The naive computation ---- */

struct naive {
    bool reach[transitions][transitions]; /* reachable by any number of steps, 0 included */
    bool met[transitions];
    uint32_t found[transitions], found_count;       /* in the order of meeting them */
    uint32_t finished[transitions], finished_count; /* in the order of leaving them */
};

/* Neighbour number i of t in the order of the rule. */
static uint32_t neighbours(unsigned g, uint32_t t) { return graphs[g].all[t] ? transitions : graphs[g].count[t]; }
static uint32_t neighbour(unsigned g, uint32_t t, uint32_t i) { return graphs[g].all[t] ? i : graphs[g].list[t][i]; }

static void search(struct naive *n, unsigned g, uint32_t t) {
    n->met[t] = true;
    n->found[n->found_count++] = t;
    for (uint32_t i = 0; i < neighbours(g, t); i++)
        if (!n->met[neighbour(g, t, i)]) search(n, g, neighbour(g, t, i));
    n->finished[n->finished_count++] = t;
}

static void close_relation(struct naive *n, unsigned g) {
    for (uint32_t t = 0; t < transitions; t++) {
        n->reach[t][t] = true;
        for (uint32_t i = 0; i < neighbours(g, t); i++) n->reach[t][neighbour(g, t, i)] = true;
    }
    for (uint32_t k = 0; k < transitions; k++)
        for (uint32_t t = 0; t < transitions; t++)
            for (uint32_t u = 0; u < transitions; u++)
                if (n->reach[t][k] && n->reach[k][u]) n->reach[t][u] = true;
}

static bool together(const struct naive *n, uint32_t t, uint32_t u) { return n->reach[t][u] && n->reach[u][t]; }

/* The members of the component that the search ends with, in their order; returns how many: 0 if there is none. */
static uint32_t naive_set(unsigned g, uint32_t *list) {
    struct naive n = {0};
    close_relation(&n, g);
    for (uint32_t k = 0; k < transitions; k++) {
#ifdef ONAGER_FORWARD
        uint32_t start = k;
#else
        uint32_t start = transitions - 1 - k;
#endif
        if (!n.met[start]) search(&n, g, start);
    }
    /* A component is complete when the first of it that was met is left. */
    for (uint32_t i = 0; i < transitions; i++) {
        uint32_t root = n.finished[i], count = 0;
        bool enabled = false, is_root = true;
        for (uint32_t k = 0; k < transitions; k++) {
            uint32_t t = n.found[k];
            if (!together(&n, root, t)) continue;
            if (count == 0) is_root = t == root;
            list[count++] = t;
            enabled |= graphs[g].enabled[t];
        }
        if (is_root && enabled) return count;
    }
    return 0;
}

/* ---- Graphs ---- */

static void randomise(unsigned g, uint32_t most_edges, uint32_t enabled_percent, uint32_t all_percent) {
    for (uint32_t t = 0; t < transitions; t++) {
        graphs[g].count[t] = random_below(most_edges + 1);
        for (uint32_t i = 0; i < graphs[g].count[t]; i++) graphs[g].list[t][i] = random_below(transitions);
        graphs[g].all[t] = random_chance(all_percent);
        graphs[g].enabled[t] = random_chance(enabled_percent);
    }
}

static void make_graphs(uint64_t seed) {
    random_start(seed);
    for (unsigned g = 0; g < GRAPHS; g++)
        randomise(g, g % 8, g % 16 ? 5 + random_below(60) : random_below(4), g % 5 ? 0 : 15);
}

static void pack_graph(uint64_t *words, unsigned g) {
    state s;
    memset(&s, 0, sizeof s);
    s.graph = (uint16_t)g;
    assert_true(onager_pack(&s, words));
}

/* ---- The tests ---- */

static void sets(void **unused) {
    void *scratch = calloc(1, onager_scratch_bytes());
    uint32_t list[transitions], expected[transitions], none = 0, single = 0, large = 0;
    (void)unused;
    make_graphs(1);
    for (unsigned g = 0; g < GRAPHS; g++) {
        uint64_t words[onager_words];
        pack_graph(words, g);
        uint32_t count = onager_stubborn_set(words, list, scratch), n = naive_set(g, expected);
        assert_int_equal(count, n);
        assert_memory_equal(list, expected, n * sizeof *list);
        none += n == 0;
        single += n == 1;
        large += n > transitions / 2;
    }
    /* The graphs were not all of one kind. */
    assert_true(none > 10 && single > 100 && large > 15);
    free(scratch);
}

/* Whole batches: the successors are those of the enabled members, in their order; scratch memory is reused. */
static void expansion(void **unused) {
    enum { BATCH = 50 };
    uint64_t sources[BATCH * onager_words], successors[BATCH * transitions * onager_words];
    uint32_t labels[BATCH * transitions], ends[BATCH], expected[transitions];
    (void)unused;
    make_graphs(2);
    struct onager_batch batch = {.sources = sources,
                                 .count = BATCH,
                                 .successors = successors,
                                 .labels = labels,
                                 .ends = ends,
                                 .scratch = calloc(1, onager_scratch_bytes())};
    for (unsigned first = 0; first < GRAPHS; first += BATCH) {
        for (unsigned i = 0; i < BATCH; i++) pack_graph(sources + i * onager_words, first + i);
        assert_int_equal(onager_expand(&batch), BATCH);
        uint32_t edge = 0;
        for (unsigned i = 0; i < BATCH; i++) {
            uint32_t n = naive_set(first + i, expected);
            for (uint32_t k = 0; k < n; k++) {
                if (!graphs[first + i].enabled[expected[k]]) continue;
                state s;
                onager_unpack(&s, successors + (size_t)edge * onager_words);
                assert_int_equal(labels[edge], expected[k]);
                assert_int_equal(s.graph, first + i);
                assert_int_equal(s.fired, expected[k] + 1);
                edge++;
            }
            assert_int_equal(ends[i], edge);
        }
    }
    free(batch.scratch);
}

/* If there are many transitions, the numbers that mark what was met in a state run over now and then. */
static void numbers_run_over(void **unused) {
    void *scratch = calloc(1, onager_scratch_bytes());
    uint32_t list[transitions], expected[transitions];
    (void)unused;
    make_graphs(3);
    for (unsigned g = 0; g < GRAPHS && g < 1000; g++) {
        uint64_t words[onager_words];
        pack_graph(words, g);
        if (g % 100 == 50) { /* as if 2^32 / transitions states had been seen, and some transitions not for long */
            uint32_t *at = onager_esc_begin(scratch).at;
            at[-1] = UINT32_MAX - g % 7 * transitions;
            for (uint32_t t = 0; t < transitions; t++) at[t] = random_below(4 * transitions);
        }
        uint32_t count = onager_stubborn_set(words, list, scratch), n = naive_set(g, expected);
        assert_int_equal(count, n);
        assert_memory_equal(list, expected, n * sizeof *list);
    }
    free(scratch);
}

/* Rules that say more than there is room for, alone or a few of them together: the set may become larger, but must stay
 * closed and have one enabled. */
static void long_rules(void **unused) {
    void *scratch = calloc(1, onager_scratch_bytes());
    uint32_t list[transitions];
    (void)unused;
    make_graphs(4);
    for (unsigned g = 0; g < 300; g++) {
        long_rule = g % 2 ? 3000 : 1000;
        uint64_t words[onager_words];
        struct naive n = {0};
        bool some = false, member[transitions] = {0};
        pack_graph(words, g);
        uint32_t count = onager_stubborn_set(words, list, scratch);
        for (uint32_t t = 0; t < transitions; t++) some |= graphs[g].enabled[t];
        assert_int_equal(count > 0, some);
        for (uint32_t i = 0; i < count; i++) member[list[i]] = true;
        close_relation(&n, g);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t also[] = {0, transitions / 2, transitions - 1};
            for (uint32_t k = 0; k < COUNT(also); k++) assert_true(member[also[k]] || !graphs[g].enabled[also[k]]);
            for (uint32_t u = 0; u < transitions; u++)
                if (n.reach[list[i]][u]) assert_true(member[u] || !graphs[g].enabled[u]);
        }
    }
    long_rule = 0;
    free(scratch);
}

/* A rule that names a transition that does not exist is found, with its place, whichever state of the batch it is. */
static void wrong_rules(void **unused) {
    uint64_t sources[3 * onager_words], successors[3 * transitions * onager_words];
    uint32_t labels[3 * transitions], ends[3];
    (void)unused;
    struct onager_batch batch = {.sources = sources,
                                 .count = 3,
                                 .successors = successors,
                                 .labels = labels,
                                 .ends = ends,
                                 .scratch = calloc(1, onager_scratch_bytes())};
    memset(graphs, 0, sizeof graphs);
    /* Graphs 0 and 1 never ask for the obligations of 5: both scans find an enabled transition first. */
    for (unsigned g = 0; g < 2; g++) graphs[g].enabled[0] = graphs[g].enabled[transitions - 1] = true;
    wrong_rule = true;
    for (unsigned g = 0; g < 3; g++) pack_graph(sources + g * onager_words, g);
    assert_int_equal(onager_expand(&batch), 2);
    assert_int_equal(batch.fault, ONAGER_BAD_OBLIGATION);
    assert_int_equal(batch.source, 2);
    assert_int_equal(batch.transition, 5);
    assert_int_equal(batch.obligation, transitions);
    wrong_rule = false;
    free(batch.scratch);
}

/* A chain through all transitions to the only one that is enabled: the depth-first stack is used to its end. */
static void long_chain(void **unused) {
    void *scratch = calloc(1, onager_scratch_bytes());
    uint32_t list[transitions];
    uint64_t words[onager_words];
    (void)unused;
    memset(graphs, 0, sizeof graphs);
    for (uint32_t t = 0; t < transitions; t++) {
        graphs[0].count[t] = 1;
        graphs[0].list[t][0] = t + 1 < transitions ? t + 1 : 0;
    }
    graphs[0].enabled[7] = true;
    pack_graph(words, 0);
    assert_int_equal(onager_stubborn_set(words, list, scratch), transitions);
    graphs[0].count[transitions - 1] = 0;
    assert_int_equal(onager_stubborn_set(words, list, scratch), 1);
    assert_int_equal(list[0], 7);
    graphs[0].enabled[7] = false;
    assert_int_equal(onager_stubborn_set(words, list, scratch), 0);
    free(scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),       cmocka_unit_test(expansion),   cmocka_unit_test(numbers_run_over),
        cmocka_unit_test(long_rules), cmocka_unit_test(wrong_rules), cmocka_unit_test(long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
