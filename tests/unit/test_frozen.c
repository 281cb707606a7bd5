/* Frozen actions: networks with components that can go round invisibly for ever, reduced, and held against the full LTS
 * by what is promised. In most of these the reduction meets unproductive components, often one beyond the other. */
#include "unit.h"

#include "base/memory.h"
#include "compare/compare.h"
#include "nets.h"
#include "model/network/network_ts.h"
#include "check/lts/build_lts.h"
#include "check/lts/frozen_sets.h"

enum { MOST_STATES = 800 };

static bool make_lts(const struct network *n, struct reduction reduction, unsigned threads, struct lts *l,
                     struct build_report *report) {
    struct problem why = {0};
    struct network copy;
    struct limits limits = {.max_memory = UINT64_C(4) << 30, .max_states = MOST_STATES};
    struct means means = {.threads = threads};
    nets_copy(&copy, n);
    struct ts *ts = network_open(&copy, "test", reduction, &why);
    assert_non_null(ts);
    struct ts_worker *w = ts->ops->worker_new(ts);
    bool good = build_lts(ts, w, &limits, &means, NULL, l, report, &why);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    problem_fini(&why);
    return good;
}

static bool related(const struct lts *a, const struct lts *b, enum lts_relation relation) {
    struct comparison_question q = {.relation = relation};
    struct comparison c;
    struct problem why = {0};
    assert_true(lts_compare(a, b, &q, &c, &why));
    bool holds = c.holds;
    comparison_fini(&c);
    return holds;
}

/* ---- Networks ---- */

static const char *const labels[] = {"a", "b", "c", "u", "v", "w", "x", "tau"};
enum { VISIBLE = 3, HIDDEN = 4, LABELS = VISIBLE + HIDDEN };

static void add_edge(FILE *out, uint32_t from, const char *label, uint32_t to) {
    fprintf(out, "%u %s %u, ", from, label, to);
}

/* A round of taus with ways out, which others may never allow, and something visible behind them. */
static void make_spinner(FILE *out) {
    uint32_t size = 1 + random_below(3), ways = random_below(3), after = size;
    for (uint32_t k = 0; k < size; k++) {
        add_edge(out, k, "tau", (k + 1) % size);
        if (random_chance(10)) add_edge(out, k, "tau", random_below(size + 1));
    }
    for (uint32_t k = 0; k < ways; k++)
        add_edge(out, random_below(size), labels[VISIBLE + random_below(HIDDEN)], after);
    if (random_chance(20)) add_edge(out, random_below(size), labels[random_below(LABELS)], random_below(size));
    add_edge(out, after, labels[random_below(VISIBLE)], random_chance(50) ? after + 1 : random_below(size));
    if (random_chance(30)) add_edge(out, after + 1, labels[random_below(LABELS + 1)], random_below(after + 2));
}

static void make_process(FILE *out) {
    uint32_t states = 1 + random_below(3), edges = states + random_below(3);
    for (uint32_t k = 0; k < edges; k++) {
        uint32_t from = k < states ? k : random_below(states), to = random_chance(60) ? k + 1 : random_below(states);
        if (to > states) to = states;
        const char *label = labels[random_chance(15) ? LABELS : random_below(LABELS)];
        if (random_chance(3)) fprintf(out, "%u %s %s, ", from, label, random_chance(50) ? "END" : "ERROR");
        else add_edge(out, from, label, to);
    }
}

/* Labels that a component has and never executes: they are disabled for ever where it takes part. */
static void add_component(struct network *n, bool spinner, uint32_t number) {
    char *text = NULL, name[16];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (spinner ? make_spinner : make_process)(out);
    fprintf(out, "%u tau %u", 7u, 7u); /* never reached; so there is no comma at the end */
    if (random_chance(25)) fprintf(out, "; %s", labels[VISIBLE + random_below(HIDDEN)]);
    fclose(out);
    snprintf(name, sizeof name, "P%u", number);
    nets_add(n, name, text);
    free(text);
}

static void make_network(struct network *n) {
    uint32_t count = 2 + random_below(3), spinners = 1 + random_below(2);
    *n = (struct network){0};
    for (uint32_t k = 0; k < count; k++) add_component(n, k < spinners, k);
    nets_finish(n);
    for (uint32_t k = 1; k < n->labels.count; k++) {
        bool hidden = strchr("uvwx", n->labels.text[k][0]) || random_chance(10);
        if (hidden) n->sight[k] = random_chance(50) ? SIGHT_HIDDEN : SIGHT_INNER;
    }
}

/* ---- What is promised ---- */

static void test_preserved(void **state) {
    static const enum lts_relation promised[] = {
        [PRESERVE_TRACES] = RELATION_TRACE,
        [PRESERVE_FAIR_TESTING] = RELATION_FAIR_TESTING,
        [PRESERVE_TREE_FAILURES] = RELATION_TREE_FAILURES,
    };
    uint32_t tried = 0, repaired = 0, frozen = 0, nested = 0, differ = 0;
    (void)state;
    random_start(1);
    for (int i = 0; i < ROUNDS(12000); i++) {
        struct network n;
        struct lts full, reduced;
        struct build_report report;
        struct reduction r = {.stubborn = true,
                              .forward = random_chance(50),
                              .method = (enum reduce_method)random_below(3),
                              .preserve = (enum preserve)(PRESERVE_TRACES + random_below(3))};
        make_network(&n);
        if (make_lts(&n, (struct reduction){0}, 1, &full, &report)) {
            assert_true(make_lts(&n, r, 1 + (i % 8 == 0), &reduced, &report));
            bool same = related(&full, &reduced, promised[r.preserve]);
            if (!same) {
                nets_print(&n);
                fprintf(stderr, "method %d, preserve %d, forward %d\n", r.method, r.preserve, r.forward);
            }
            assert_true(same);
            tried++;
            repaired += report.expansions > 0;
            frozen += report.frozen > 0;
            nested += report.rounds > 2;
            differ += report.frozen > 0 && !related(&full, &reduced, RELATION_BRANCHING_DIV);
            lts_fini(&full);
            lts_fini(&reduced);
        }
        network_fini(&n);
    }
    assert_true(tried > (uint32_t)ROUNDS(8000));
    assert_true(repaired > (uint32_t)ROUNDS(1000));
    assert_true(frozen > (uint32_t)ROUNDS(500));
    assert_true(nested > (uint32_t)OFTEN(50));
    assert_true(differ > (uint32_t)OFTEN(50));
}

/* ---- Ranges ---- */

static void test_ranges(void **state) {
    struct frozen_sets f;
    uint64_t end;
    (void)state;
    frozen_sets_init(&f, 3);
    assert_null(frozen_sets_of(&f, 5, &end));
    assert_true(end == UINT64_MAX);
    const bool one[] = {true, false, false}, two[] = {false, true, true};
    const bool *a = frozen_sets_keep(&f, one), *b = frozen_sets_keep(&f, two);
    assert_ptr_equal(a, frozen_sets_keep(&f, one));
    assert_ptr_not_equal(a, b);
    frozen_sets_from(&f, 10, a);
    frozen_sets_from(&f, 20, b);
    assert_null(frozen_sets_of(&f, 9, &end));
    assert_int_equal(end, 10);
    assert_ptr_equal(frozen_sets_of(&f, 10, &end), a);
    assert_int_equal(end, 20);
    assert_ptr_equal(frozen_sets_of(&f, 19, &end), a);
    assert_ptr_equal(frozen_sets_of(&f, 20, &end), b);
    assert_true(end == UINT64_MAX);
    frozen_sets_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_preserved), cmocka_unit_test(test_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
