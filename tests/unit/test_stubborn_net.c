/* Stubborn sets of networks: conditions D0, D0V, D1, D2, V and C2 by brute force in every state that is reached, and
 * reduced state spaces held against full ones by what they promise to preserve. */
#include "unit.h"

#include "base/memory.h"
#include "compare/compare.h"
#include "nets.h"
#include "model/network/network_ts.h"
#include "reduce/audit.h"
#include "explore/bfs.h"
#include "check/lts/build_lts.h"

enum { MOST_STATES = 4000 };

/* ---- A network, explored ---- */

struct run {
    struct ts *ts;
    struct ts_worker *w;
    struct space s;
    struct stop stop;
};

static bool run_start(struct run *r, const struct network *n, struct reduction reduction) {
    struct problem why = {0};
    struct network copy;
    struct limits limits = {.max_memory = UINT64_C(4) << 30, .max_states = MOST_STATES};
    struct bfs_goals goals = {0};
    struct ts_fault fault;
    nets_copy(&copy, n);
    r->ts = network_open(&copy, "test", reduction, &why);
    assert_non_null(r->ts);
    r->w = r->ts->ops->worker_new(r->ts);
    word *start = memory_get(r->ts->words * sizeof(word));
    assert_true(r->ts->ops->initial(r->w, start, &fault));
    assert_true(space_init(&r->s, r->ts, r->w, &limits, NULL, &why));
    bfs_run(&r->s, start, &goals, &r->stop);
    free(start);
    return r->stop.kind == STOP_DONE;
}

static void run_end(struct run *r) {
    space_fini(&r->s);
    r->ts->ops->worker_free(r->w);
    r->ts->ops->close(r->ts);
}

/* The states without moves of a run, ERROR and END included, sorted. */
static uint64_t *terminals_of(struct run *r, uint64_t *count) {
    uint64_t *found = memory_get((r->s.states + 1) * sizeof *found);
    struct ts_batch batch;
    word *state = memory_get(r->ts->words * sizeof(word));
    ts_batch_init(&batch, r->ts, 1);
    *count = 0;
    assert_int_equal(r->ts->words, 1);
    for (uint64_t k = 0; k < r->s.states; k++) {
        assert_true(space_state(&r->s, k, state));
        batch.sources = state;
        batch.count = 1;
        r->ts->ops->expand(r->w, &batch);
        if (batch.ends[0] > 0) continue;
        uint64_t at = (*count)++;
        for (; at > 0 && found[at - 1] > *state; at--) found[at] = found[at - 1];
        found[at] = *state;
    }
    free(state);
    ts_batch_fini(&batch);
    return found;
}

static bool has_error(struct run *r) {
    word *state = memory_get(r->ts->words * sizeof(word));
    const char *message = NULL;
    struct ts_fault fault;
    bool found = false;
    for (uint64_t k = 0; k < r->s.states && !found; k++) {
        assert_true(space_state(&r->s, k, state));
        r->ts->ops->check(r->w, state, TS_CHECK_STATE, &message, &fault);
        found = message != NULL;
    }
    free(state);
    return found;
}

static struct reduction some_reduction(enum preserve preserve) {
    return (struct reduction){.stubborn = true,
                              .forward = random_chance(50),
                              .method = (enum reduce_method)random_below(3),
                              .preserve = preserve};
}

static struct nets_chance some_chance(bool special) {
    if (random_chance(15)) /* labels of many components: what they oblige is found one by one */
        return (struct nets_chance){.components = 12,
                                    .states = 3,
                                    .labels = 2,
                                    .special = special ? 10 : 0,
                                    .tau = random_below(40),
                                    .hidden = random_below(100),
                                    .deterministic = random_chance(70)};
    return (struct nets_chance){.components = 5,
                                .states = 4,
                                .labels = 2 + random_below(7),
                                .special = special ? 25 : 0,
                                .tau = random_below(40),
                                .hidden = random_below(100),
                                .deterministic = random_chance(40)};
}

/* ---- D1, D2 and the rest, state by state ---- */

static void assert_stubborn(struct run *full, struct run *reduced, struct audit *audit, const word *state,
                            const struct network *n) {
    const struct ts *ts = full->ts;
    uint32_t *list = memory_get((ts->transitions + 1) * sizeof *list), count;
    bool *set = memory_get_zeroed(ts->transitions + 1), *covered = memory_get_zeroed(ts->actions + 1), cut = false;
    struct ts_fault fault;
    struct audit_finding finding;
    enum preserve preserve = reduced->ts->reduction.preserve;
    assert_true(reduced->ts->ops->stubborn_set(reduced->w, state, list, &count, &fault));
    for (uint32_t k = 0; k < count; k++) set[list[k]] = true;
    bool good = audit_set(audit, state, set, false, &finding, &cut);
    if (!good) {
        nets_print(n);
        fprintf(stderr, "%s: transition %u; method %d, preserve %d, forward %d; state ", audit_text(finding.fault),
                finding.transition, reduced->ts->reduction.method, preserve, reduced->ts->reduction.forward);
        ts->ops->print(full->w, state, NULL, stderr, &fault);
        fprintf(stderr, "\n");
    }
    assert_true(good);
    assert_false(cut);
    reduced->ts->ops->covers(reduced->w, state, covered, NULL);
    bool some = false, member = false, seen = false, whole = true, all = true;
    for (uint32_t t = 0; t < ts->transitions; t++) {
        word next[4];
        if (ts->ops->fire(full->w, state, t, next, &fault) != 1) continue;
        uint32_t action = ts->ops->action(full->w, state, t, &fault);
        some = true;
        member |= set[t];
        all &= set[t];
        seen |= set[t] && !ts->action_hidden[action];
    }
    for (uint32_t a = 1; a < ts->actions; a++) {
        bool occurs = false;
        for (uint32_t t = 0; t < ts->transitions; t++) occurs |= ts->ops->action(full->w, state, t, &fault) == a;
        whole &= covered[a] || ts->action_hidden[a] || !occurs;
    }
    if (preserve < PRESERVE_TRACES) assert_true(member || !some);         /* D0 */
    else assert_true(member || !some || whole);                           /* D0V */
    if (preserve >= PRESERVE_DEADLOCK_TRACES && seen) assert_true(whole); /* V */
    if (preserve == PRESERVE_TREE_FAILURES && seen) assert_true(all);
    free(list);
    free(set);
    free(covered);
}

static void test_conditions(void **state) {
    (void)state;
    random_start(1);
    uint64_t states = 0;
    for (int i = 0; i < ROUNDS(8000); i++) {
        struct network n;
        bool special = random_chance(30);
        struct nets_chance chance = some_chance(special);
        struct run full, reduced;
        enum preserve preserve = (enum preserve)random_below(PRESERVE_TREE_FAILURES + 1);
        nets_random(&n, &chance, random_below);
        if (run_start(&full, &n, (struct reduction){0})) {
            run_start(&reduced, &n, some_reduction(preserve));
            struct audit *audit = audit_new(full.ts, full.w, MOST_STATES);
            word *s = memory_get(full.ts->words * sizeof(word));
            /* Without E, D1 and D2 hold only as long as nothing stops. */
            bool stops = preserve == PRESERVE_DEADLOCKS && has_error(&full);
            for (uint64_t k = 0; !stops && k < reduced.s.states && k < 60; k++) {
                assert_true(space_state(&reduced.s, k, s));
                assert_stubborn(&full, &reduced, audit, s, &n);
                states++;
            }
            free(s);
            audit_free(audit);
            run_end(&reduced);
        }
        run_end(&full);
        network_fini(&n);
    }
    assert_true(states > (uint64_t)ROUNDS(20000));
}

/* What a rule obliges, one transition at a time, is audited as hand-written rules are. */
static void test_obligations(void **state) {
    (void)state;
    random_start(2);
    for (int i = 0; i < ROUNDS(300); i++) {
        struct network n;
        struct nets_chance chance = some_chance(random_chance(30));
        struct run full;
        nets_random(&n, &chance, random_below);
        if (run_start(&full, &n, (struct reduction){0})) {
            struct audit *audit = audit_new(full.ts, full.w, MOST_STATES);
            word *s = memory_get(full.ts->words * sizeof(word));
            struct audit_finding finding;
            bool cut = false;
            for (uint64_t k = 0; k < full.s.states && k < 40; k++) {
                assert_true(space_state(&full.s, k, s));
                if (!audit_obligations(audit, s, &finding, &cut)) {
                    nets_print(&n);
                    fprintf(stderr, "%s\n", audit_text(finding.fault));
                    fail();
                }
            }
            free(s);
            audit_free(audit);
        }
        run_end(&full);
        network_fini(&n);
    }
}

/* ---- Terminal states ---- */

static void test_deadlocks(void **state) {
    (void)state;
    random_start(3);
    uint32_t smaller = 0, dead = 0, errors = 0;
    for (int i = 0; i < ROUNDS(6000); i++) {
        struct network n;
        struct nets_chance chance = some_chance(random_chance(40));
        struct run full, reduced;
        bool safety = random_chance(50);
        nets_random(&n, &chance, random_below);
        bool fits = run_start(&full, &n, (struct reduction){0});
        run_start(&reduced, &n, some_reduction(safety ? PRESERVE_SAFETY : PRESERVE_DEADLOCKS));
        if (fits && full.ts->words == 1) {
            uint64_t a_count, b_count, *a = terminals_of(&full, &a_count), *b = terminals_of(&reduced, &b_count);
            bool error = has_error(&full);
            if (safety || !error) {
                if (a_count != b_count) nets_print(&n);
                assert_int_equal(a_count, b_count);
                assert_memory_equal(a, b, a_count * sizeof *a);
            } else { /* deadlocks, not ERRORs */
                uint64_t found = 0;
                for (uint64_t k = 0; k < a_count; k++) {
                    bool special = a[k] & 2;
                    for (uint64_t q = 0; q < b_count; q++) found += a[k] == b[q];
                    if (!special) assert_true(found > 0);
                    found = 0;
                }
            }
            smaller += reduced.s.states < full.s.states;
            dead += a_count > 0;
            errors += error;
            free(a);
            free(b);
        }
        run_end(&full);
        run_end(&reduced);
        network_fini(&n);
    }
    assert_true(smaller > (uint32_t)ROUNDS(600));
    assert_true(dead > (uint32_t)ROUNDS(1000));
    assert_true(errors > (uint32_t)OFTEN(120));
}

/* ---- Behaviour ---- */

static bool make_lts(const struct network *n, struct reduction reduction, struct lts *l, struct build_report *report) {
    struct problem why = {0};
    struct network copy;
    struct limits limits = {.max_memory = UINT64_C(4) << 30, .max_states = 600};
    nets_copy(&copy, n);
    struct ts *ts = network_open(&copy, "test", reduction, &why);
    assert_non_null(ts);
    struct ts_worker *w = ts->ops->worker_new(ts);
    bool good = build_lts(ts, w, &limits, NULL, NULL, l, report, &why);
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

static void test_behaviour(void **state) {
    (void)state;
    random_start(4);
    uint32_t smaller = 0, repaired = 0, tried = 0;
    for (int i = 0; i < ROUNDS(6000); i++) {
        static const enum lts_relation promised[] = {
            [PRESERVE_TRACES] = RELATION_TRACE,
            [PRESERVE_FAIR_TESTING] = RELATION_FAIR_TESTING,
            [PRESERVE_TREE_FAILURES] = RELATION_TREE_FAILURES,
        };
        struct network n;
        struct nets_chance chance = some_chance(random_chance(20));
        enum preserve preserve = (enum preserve)(PRESERVE_TRACES + random_below(3));
        struct lts full, reduced;
        struct build_report report;
        struct reduction r = some_reduction(preserve);
        if (random_chance(50)) chance.tau = 60, chance.hidden = 50; /* taus that lead nowhere */
        nets_random(&n, &chance, random_below);
        if (make_lts(&n, (struct reduction){0}, &full, &report)) {
            assert_true(make_lts(&n, r, &reduced, &report));
            bool same = related(&full, &reduced, promised[preserve]);
            if (!same) {
                nets_print(&n);
                fprintf(stderr, "method %d, preserve %d, forward %d\n", r.method, r.preserve, r.forward);
            }
            assert_true(same);
            tried++;
            smaller += reduced.states < full.states;
            repaired += report.expansions > 0;
            lts_fini(&full);
            lts_fini(&reduced);
        }
        network_fini(&n);
    }
    assert_true(tried > (uint32_t)ROUNDS(4000));
    assert_true(smaller > (uint32_t)ROUNDS(600));
    assert_true(repaired > (uint32_t)ROUNDS(30));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions), cmocka_unit_test(test_obligations),
                                       cmocka_unit_test(test_deadlocks), cmocka_unit_test(test_behaviour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
