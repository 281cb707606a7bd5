/* Networks as transition systems, held against a naive composition. */
#include "unit.h"

#include "base/memory.h"
#include "base/text.h"
#include "nets.h"
#include "model/network/network_ts.h"
#include "explore/bfs.h"

/* ---- The naive composition: tuples as arrays, found by comparing with all others ---- */

enum { MOST = 3000, WIDTH = 8 };

struct naive {
    const struct network *n;
    uint32_t tuples[MOST][WIDTH];
    uint32_t count; /* END and each ERROR included */
    uint64_t edges;
    uint32_t deadlocks, terminals;
    bool error[WIDTH], ended;
};

static uint32_t label_in(const struct network *n, uint32_t i, uint32_t label) {
    return names_find(&n->component[i].lts.labels, n->labels.text[label]);
}

static bool contained(const struct network *n) {
    for (uint32_t label = 1; label < n->labels.count; label++) {
        bool without = false, with = false;
        for (uint32_t i = 0; i < n->count; i++)
            if (label_in(n, i, label) != NAMES_NONE) {
                without |= n->component[i].lts.end == LTS_NONE;
                with |= n->component[i].lts.end != LTS_NONE;
            }
        if (without && !with) return false;
    }
    return true;
}

static uint32_t erred(const struct network *n, const uint32_t *tuple) {
    for (uint32_t i = 0; i < n->count; i++)
        if (tuple[i] == n->component[i].lts.error) return i;
    return LTS_NONE;
}

static bool all_ended(const struct network *n, const uint32_t *tuple) {
    bool some = false;
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->component[i].lts.end == LTS_NONE) continue;
        some = true;
        if (tuple[i] != n->component[i].lts.end) return false;
    }
    return some && contained(n);
}

typedef void visitor(struct naive *v, uint32_t label, const uint32_t *tuple);

/* All combinations of edges with the label, from component i on. */
static void combine(struct naive *v, uint32_t label, uint32_t i, uint32_t *tuple, visitor *visit) {
    const struct network *n = v->n;
    if (i == n->count) {
        visit(v, label, tuple);
        return;
    }
    uint32_t own = label_in(n, i, label), old = tuple[i];
    if (own == NAMES_NONE) {
        combine(v, label, i + 1, tuple, visit);
        return;
    }
    const struct lts *l = &n->component[i].lts;
    for (const struct lts_edge *e = lts_begin(l, old); e < lts_end(l, old); e++) {
        if (e->label != own) continue;
        tuple[i] = e->target;
        combine(v, label, i + 1, tuple, visit);
        tuple[i] = old;
    }
}

static void moves_of(struct naive *v, const uint32_t *from, uint32_t label, visitor *visit) {
    uint32_t tuple[WIDTH];
    memcpy(tuple, from, sizeof tuple);
    if (label != LTS_TAU) {
        combine(v, label, 0, tuple, visit);
        return;
    }
    for (uint32_t i = 0; i < v->n->count; i++) {
        const struct lts *l = &v->n->component[i].lts;
        for (const struct lts_edge *e = lts_begin(l, from[i]); e < lts_end(l, from[i]); e++)
            if (e->label == LTS_TAU) {
                tuple[i] = e->target;
                visit(v, LTS_TAU, tuple);
                tuple[i] = from[i];
            }
    }
}

static bool something_high;
static void see_high(struct naive *v, uint32_t label, const uint32_t *tuple) {
    (void)tuple;
    uint32_t as = v->n->sight[label] == SIGHT_INNER ? LTS_TAU : label;
    something_high |= !v->n->low[as];
}

static uint64_t made;
static void add_tuple(struct naive *v, uint32_t label, const uint32_t *tuple) {
    uint32_t as = v->n->sight[label] == SIGHT_INNER ? LTS_TAU : label;
    uint32_t error = erred(v->n, tuple);
    if (v->n->low && something_high && v->n->low[as]) return;
    made++;
    if (error != LTS_NONE) {
        v->error[error] = true;
        return;
    }
    for (uint32_t k = 0; k < v->count; k++)
        if (memcmp(v->tuples[k], tuple, v->n->count * sizeof *tuple) == 0) return;
    if (v->count < MOST) memcpy(v->tuples[v->count++], tuple, v->n->count * sizeof *tuple);
}

/* False: too large. */
static bool naive_compose(struct naive *v, const struct network *n) {
    uint32_t ends = 0, start[WIDTH] = {0};
    *v = (struct naive){.n = n};
    for (uint32_t i = 0; i < n->count; i++) start[i] = n->component[i].lts.initial;
    something_high = false;
    add_tuple(v, LTS_TAU, start);
    for (uint32_t k = 0; k < v->count; k++) {
        made = 0;
        something_high = false;
        for (uint32_t label = 0; n->low && label < n->labels.count; label++) moves_of(v, v->tuples[k], label, see_high);
        for (uint32_t label = 0; label < n->labels.count; label++) moves_of(v, v->tuples[k], label, add_tuple);
        v->edges += made;
        if (made > 0) continue;
        if (all_ended(n, v->tuples[k])) ends++;
        else v->deadlocks++;
    }
    if (v->count == MOST) return false;
    v->ended = ends > 0;
    v->count -= ends;
    v->count += ends > 0;
    v->terminals = v->deadlocks + (ends > 0);
    for (uint32_t i = 0; i < n->count; i++) {
        v->count += v->error[i];
        v->terminals += v->error[i];
    }
    return true;
}

/* ---- The same, explored ---- */

struct seen {
    uint64_t states, edges, terminals, deadlocks, ended;
    bool error[WIDTH];
};

static void look_at(struct ts *ts, struct ts_worker *w, const word *state, struct seen *seen) {
    const char *message;
    struct ts_fault fault;
    struct ts_batch batch;
    ts_batch_init(&batch, ts, 1);
    batch.sources = state;
    batch.count = 1;
    batch.wanted = TS_BAD;
    assert_int_equal(ts->ops->expand(w, &batch), 1);
    uint32_t n = batch.ends[0], enabled = 0;
    word *next = memory_get(ts->words * sizeof(word));
    for (uint32_t t = 0; t < ts->transitions; t++) {
        int fired = ts->ops->fire(w, state, t, next, &fault);
        bool found = false;
        for (uint32_t k = 0; k < n; k++)
            if (batch.labels[k] == t) {
                assert_false(found);
                found = true;
                assert_true(fired == 1);
                assert_memory_equal(next, batch.successors + (size_t)k * ts->words, ts->words * sizeof(word));
            }
        enabled += found;
        assert_int_equal(fired == 1, found);
    }
    assert_int_equal(enabled, n);
    assert_true(ts->ops->check(w, state, TS_CHECK_STATE, &message, &fault));
    assert_int_equal(ts->ops->classify(w, &batch), 1);
    assert_int_equal(batch.classes[0] == TS_BAD, message != NULL);
    for (uint32_t i = 0; message && i < ts->variable_count; i++)
        seen->error[i] |= strcmp(strrchr(message, ' ') + 1, ts->variables[i].name) == 0;
    if (n == 0 && !message) {
        assert_true(ts->ops->check(w, state, TS_CHECK_DEADLOCK, &message, &fault));
        seen->deadlocks += message != NULL;
        seen->ended += message == NULL;
    }
    free(next);
    ts_batch_fini(&batch);
}

static struct seen explore(struct network *n, struct reduction reduction, bool look) {
    struct problem why = {0};
    struct seen seen = {0};
    struct ts *ts = network_open(n, "test", reduction, &why);
    assert_non_null(ts);
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct space s;
    struct limits limits = {.max_memory = UINT64_C(4) << 30};
    struct stop stop;
    struct bfs_goals goals = {0};
    word *start = memory_get(ts->words * sizeof(word));
    struct ts_fault fault;
    assert_true(ts->ops->initial(w, start, &fault));
    assert_true(space_init(&s, ts, w, &limits, NULL, &why));
    bfs_run(&s, start, &goals, &stop);
    assert_int_equal(stop.kind, STOP_DONE);
    seen.states = s.states;
    seen.edges = s.edges;
    seen.terminals = s.terminals;
    for (uint64_t k = 0; look && k < s.states; k++) {
        assert_true(space_state(&s, k, start));
        look_at(ts, w, start, &seen);
    }
    free(start);
    space_fini(&s);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    return seen;
}

static void compare(const struct network *n, struct reduction reduction, uint32_t *hits) {
    static struct naive v;
    struct network copy;
    if (!naive_compose(&v, n)) return;
    nets_copy(&copy, n);
    struct seen seen = explore(&copy, reduction, true);
    if (seen.states != v.count || seen.edges != v.edges || seen.deadlocks != v.deadlocks) nets_print(n);
    assert_int_equal(seen.states, v.count);
    assert_int_equal(seen.edges, v.edges);
    assert_int_equal(seen.deadlocks, v.deadlocks);
    assert_int_equal(seen.terminals, v.terminals);
    assert_int_equal(seen.ended, v.ended);
    for (uint32_t i = 0; i < n->count; i++) assert_int_equal(seen.error[i], v.error[i]);
    hits[0] += v.deadlocks > 0;
    hits[1] += v.ended;
    hits[2] += erred(n, v.tuples[0]) != LTS_NONE || memchr(v.error, 1, sizeof v.error) != NULL;
    hits[3] += v.count > 20;
}

static void test_random_networks(void **state) {
    (void)state;
    uint32_t hits[4] = {0};
    random_start(41);
    for (int i = 0; i < ROUNDS(6000); i++) {
        struct nets_chance chance = {.components = 5,
                                     .states = 4,
                                     .labels = 2 + random_below(6),
                                     .special = 30,
                                     .tau = 25,
                                     .hidden = 30,
                                     .low = 25,
                                     .deterministic = random_chance(50)};
        struct network n;
        nets_random(&n, &chance, random_below);
        compare(&n, (struct reduction){.forward = random_chance(50)}, hits);
        network_fini(&n);
    }
    for (size_t k = 0; k < COUNT(hits); k++) assert_true(hits[k] > (uint32_t)ROUNDS(60));
}

/* States of several words: many copies of a component, of which few are reachable at a time. */
static void test_long_states(void **state) {
    (void)state;
    struct network n = {0};
    char name[16], edges[128];
    for (uint32_t i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "R%u", i);
        snprintf(edges, sizeof edges, "0 a.%u 1, 1 a.%u 2, 2 a.%u 3, 3 tau 4, 4 tau 3, 4 b.%u 0", i, (i + 1) % 40,
                 (i + 2) % 40, i);
        nets_add(&n, name, edges);
    }
    nets_add(&n, "Start", "0 a.0 1, 1 a.1 2, 2 a.2 3, 3 a.3 4, 4 a.4 5");
    nets_finish(&n);
    struct seen seen = explore(&n, (struct reduction){0}, true);
    assert_int_equal(seen.states, 1);
    assert_int_equal(seen.deadlocks, 1);

    n = (struct network){0};
    for (uint32_t i = 0; i < 50; i++) { /* a message that runs around, 50 places of 3 bits */
        snprintf(name, sizeof name, "R%u", i);
        snprintf(edges, sizeof edges, "0 m.%u 4, 4 tau 7, 7 tau 4, 7 m.%u 0", i, (i + 1) % 50);
        nets_add(&n, name, edges);
    }
    n.component[0].lts.initial = 7;
    nets_finish(&n);
    seen = explore(&n, (struct reduction){0}, true);
    assert_int_equal(seen.states, 100);
    assert_int_equal(seen.edges, 150);
    assert_int_equal(seen.deadlocks, 0);
}

/* Sizes that are published, or known by formula. */
static void test_known_sizes(void **state) {
    static const struct { uint32_t size, states; } ring[] = {{2, 68}, {3, 468}, {4, 2928}, {5, 17280}};
    static const struct {
        uint32_t c, states, edges, resend_states, resend_edges;
    } protocol[] = {{1, 380, 1068, 822, 2270}, {2, 1880, 6212, 3780, 12210}, {3, 9200, 34934, 17318, 64414}};
    struct network n;
    (void)state;
    for (size_t k = 0; k < COUNT(ring); k++) {
        nets_token_ring(&n, ring[k].size);
        assert_int_equal(explore(&n, (struct reduction){0}, false).states, ring[k].states);
    }
    for (size_t k = 0; k < COUNT(protocol); k++) {
        nets_protocol(&n, protocol[k].c, false);
        struct seen seen = explore(&n, (struct reduction){0}, false);
        assert_int_equal(seen.states, protocol[k].states);
        assert_int_equal(seen.edges, protocol[k].edges);
        nets_protocol(&n, protocol[k].c, true);
        seen = explore(&n, (struct reduction){0}, false);
        assert_int_equal(seen.states, protocol[k].resend_states);
        assert_int_equal(seen.edges, protocol[k].resend_edges);
    }
    nets_philosophers(&n, 6);
    assert_int_equal(explore(&n, (struct reduction){0}, false).states, 728); /* 3^6 - 1 */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_networks), cmocka_unit_test(test_long_states),
                                       cmocka_unit_test(test_known_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
