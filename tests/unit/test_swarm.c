/* Random search on graphs: planted errors are found, and nothing is found where there is nothing. */
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "graph.h"
#include "check/check.h"
#include "explore/swarm.h"

static const uint64_t memory = UINT64_C(1) << 29; /* the limit on the whole process, sanitizers included */

/* States 0, 1, ..., count-1 in a row: transition 0 goes on, the others go back to anywhere before. So the last state is
 * deep, and a walk that chooses fairly does not get there. */
static void graph_ladder(struct graph *g, uint32_t count, uint32_t transitions, uint32_t words, uint64_t seed) {
    graph_init(g, count, transitions, words);
    random_start(seed);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t t = 0; t < transitions; t++)
            *graph_next(g, s, t) = t > 0 ? random_below(s + 1) : s + 1 < count ? s + 1 : NO_STATE;
}

struct ending {
    struct swarm_result result;
    struct trace trace;
    bool replayed;
};

static struct ending run(struct graph *g, const struct swarm_options *o) {
    struct ending x;
    struct problem why = {0};
    word start[16];
    struct ts_worker *w = graph_worker(g);
    trace_init(&x.trace, g->ts.words);
    graph_encode(g, g->ts.reduction.symmetry ? g->image[0] : 0, start);
    swarm_run(&x.result, &x.trace, &g->ts, w, start, o);
    x.replayed = trace_replay(&x.trace, &g->ts, w, &why);
    problem_fini(&why);
    free(w);
    return x;
}

static struct swarm_options options(unsigned threads, uint64_t seed, uint64_t visits, bool bad, bool deadlock) {
    return (struct swarm_options){
        .threads = threads,
        .seed = seed,
        .limits = {.max_memory = memory, .max_states = visits, .deadline = clock_seconds() + 60},
        .goals = {.classes = bad ? TS_BAD : 0, .check_deadlock = deadlock},
    };
}

/* The trace replays and ends in this state. */
static void assert_leads_to(struct ending *x, struct graph *g, uint32_t state) {
    assert_true(x->replayed);
    assert_true(x->trace.count > 0);
    assert_int_equal(graph_decode(g, trace_state(&x->trace, x->trace.count - 1)), state);
    assert_int_equal(x->result.stop.state, x->trace.count - 1);
}

/* ---- Errors ---- */

static void finds_deep_errors(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 12; i++) {
        struct graph g;
        uint32_t count = 2000 + 500 * i, goal = i % 3 ? count - 1 - i : count - 1;
        enum stop_kind expected = i % 3 == 0 ? STOP_DEADLOCK : i % 3 == 1 ? STOP_BAD_STATE : STOP_FAULT;
        graph_ladder(&g, count, 3, i % 4 ? 1 : 3, i);
        if (expected == STOP_DEADLOCK) {
            g.illegal[goal] = true;
            *graph_next(&g, goal, 1) = *graph_next(&g, goal, 2) = NO_STATE;
        } else if (expected == STOP_BAD_STATE) {
            g.classes[goal] = TS_BAD;
        } else {
            g.fault_state = goal;
            g.fault_kind = i % 2 ? TS_CRASHED : TS_RAISED;
        }
        struct swarm_options o = options(1 + i % 3, 1 + i, 0, true, true);
        struct ending x = run(&g, &o);
        assert_int_equal(x.result.stop.kind, expected);
        assert_leads_to(&x, &g, goal);
        assert_true(x.result.deepest + 1 >= goal);
        if (expected == STOP_FAULT) assert_int_equal(x.result.stop.fault.kind, g.fault_kind);
        /* There is only one way, so shortening must find it. */
        assert_int_equal(x.trace.count, goal + 1);
        trace_fini(&x.trace);
        graph_fini(&g);
    }
}

/* Errors at once: the initial state is bad, terminal, or model code fails there. */
static void finds_errors_at_once(void **unused) {
    (void)unused;
    for (int i = 0; i < 5; i++) {
        struct graph g;
        graph_init(&g, 2, 1, 1);
        if (i != 1) *graph_next(&g, 0, 0) = 1;
        if (i == 0) g.classes[0] = TS_BAD;
        if (i == 1) g.illegal[0] = true;
        if (i == 2) g.fault_state = 0;
        if (i == 3) g.fault_class_state = 0;
        if (i == 4) g.fault_class_state = 1;
        static const enum stop_kind expected[] = {STOP_BAD_STATE, STOP_DEADLOCK, STOP_FAULT, STOP_FAULT, STOP_FAULT};
        struct swarm_options o = options(2, 1, 0, true, true);
        struct ending x = run(&g, &o);
        assert_int_equal(x.result.stop.kind, expected[i]);
        assert_leads_to(&x, &g, i == 4);
        assert_int_equal(x.result.finder_run, 0);
        trace_fini(&x.trace);
        graph_fini(&g);
    }
}

/* On random graphs, the same kind of error is found as a naive search finds, and none where there is none. */
static void agrees_with_naive_search(void **unused) {
    uint32_t found = 0, clean = 0;
    (void)unused;
    for (uint32_t i = 0; i < (FEWER ? 40 : 150); i++) {
        struct graph g;
        graph_init(&g, 50 + i * 3, 2, i % 4 ? 1 : 2);
        graph_randomise(&g, 85, i % 2 ? 4 : 0, i);
        for (uint32_t s = 0; s < g.count; s++) {
            g.illegal[s] = random_chance(10);
            g.image[s] = s / 2 * 2;
            if (random_below(g.count) == 0) g.classes[s] = TS_BAD;
        }
        g.ts.reduction.symmetry = i % 5 == 0;
        bool bad = false, deadlock = false;
        uint32_t *order = malloc(g.count * sizeof *order), *level = malloc(g.count * sizeof *level), to[256],
                 labels[256];
        uint32_t reachable = graph_explore(&g, order, level);
        for (uint32_t k = 0; k < reachable; k++) {
            bad |= g.classes[order[k]] == TS_BAD;
            deadlock |= g.illegal[order[k]] && graph_successors(&g, order[k], to, labels) == 0;
        }
        struct swarm_options o = options(1 + i % 2, i, 20000, true, true);
        struct ending x = run(&g, &o);
        assert_int_equal(x.result.stop.kind != STOP_LIMIT, bad || deadlock);
        if (x.result.stop.kind == STOP_LIMIT) {
            clean++;
            assert_int_equal(x.trace.count, 0);
            assert_int_equal(x.result.visited, 20000);
            assert_float_equal(x.result.distinct, reachable, 2.5); /* two threads may count a state twice */
            assert_true(x.result.coverage > 0.99 && x.result.coverage <= 1);
        } else {
            uint32_t last = graph_decode(&g, trace_state(&x.trace, x.trace.count - 1));
            found++;
            assert_leads_to(&x, &g, last);
            assert_true(x.result.stop.kind == STOP_BAD_STATE ? bad : deadlock);
            if (x.result.stop.kind == STOP_BAD_STATE) assert_int_equal(g.classes[last], TS_BAD);
            else assert_true(g.illegal[last] && graph_successors(&g, last, to, labels) == 0);
        }
        trace_fini(&x.trace);
        free(order);
        free(level);
        graph_fini(&g);
    }
    assert_true(found > 10 && clean > 10);
}

/* What was not asked for is not looked for. */
static void looks_only_for_its_goals(void **unused) {
    struct graph g;
    (void)unused;
    graph_init(&g, 3, 2, 1);
    *graph_next(&g, 0, 0) = 1;
    *graph_next(&g, 0, 1) = 2;
    g.classes[1] = TS_BAD;
    g.illegal[2] = true;
    for (int i = 0; i < 3; i++) {
        struct swarm_options o = options(1, 1, 1000, i == 1, i == 2);
        struct ending x = run(&g, &o);
        assert_int_equal(x.result.stop.kind, i == 0 ? STOP_LIMIT : i == 1 ? STOP_BAD_STATE : STOP_DEADLOCK);
        trace_fini(&x.trace);
    }
    graph_fini(&g);
}

/* ---- Bounds, counts, repetition ---- */

static void keeps_the_bound_on_depth(void **unused) {
    struct graph g;
    (void)unused;
    graph_ladder(&g, 400, 2, 1, 5);
    g.classes[250] = TS_BAD;
    struct swarm_options o = options(2, 3, 200000, true, true);
    o.depth = 200;
    struct ending x = run(&g, &o);
    assert_int_equal(x.result.stop.kind, STOP_LIMIT);
    assert_int_equal(x.result.deepest, 200);
    trace_fini(&x.trace);
    o.depth = 249; /* the bad state is seen from the one before it */
    x = run(&g, &o);
    assert_int_equal(x.result.stop.kind, STOP_BAD_STATE);
    trace_fini(&x.trace);
    graph_fini(&g);
}

static bool same_result(const struct ending *x, const struct ending *y) {
    const struct swarm_result *a = &x->result, *b = &y->result;
    return a->stop.kind == b->stop.kind && a->visited == b->visited && a->edges == b->edges && a->walks == b->walks &&
           a->searches == b->searches && a->deepest == b->deepest && a->distinct == b->distinct &&
           a->coverage == b->coverage && a->finder_run == b->finder_run && x->trace.count == y->trace.count &&
           (x->trace.count == 0 ||
            memcmp(x->trace.states, y->trace.states, x->trace.count * x->trace.words * sizeof(word)) == 0);
}

/* One thread: the seed decides. */
static void repeats_itself(void **unused) {
    uint32_t different = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct graph g;
        graph_init(&g, 3000, 3, 1);
        graph_randomise(&g, 95, 3, 77);
        if (seed % 2) g.classes[1500] = TS_BAD;
        struct swarm_options o = options(1, seed, 30000, true, false),
                             other = options(1, seed + 100, 30000, true, false);
        struct ending x = run(&g, &o), y = run(&g, &o), z = run(&g, &other);
        assert_true(same_result(&x, &y));
        different += !same_result(&x, &z);
        trace_fini(&x.trace);
        trace_fini(&y.trace);
        trace_fini(&z.trace);
        graph_fini(&g);
    }
    assert_int_equal(different, 10);
}

/* A tree that is far too big: hardly anything is seen twice, and the estimate of different states says so. */
static void counts_different_states(void **unused) {
    struct graph g;
    uint32_t count = FEWER ? 1u << 18 : 1u << 21;
    (void)unused;
    graph_init(&g, count, 2, 1);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t t = 0; t < 2; t++)
            if (2 * s + 1 + t < count) *graph_next(&g, s, t) = 2 * s + 1 + t;
    struct swarm_options o = options(2, 1, count / 20, false, true);
    struct ending x = run(&g, &o);
    assert_int_equal(x.result.stop.kind, STOP_LIMIT);
    assert_true(x.result.distinct > 0.3 * count / 20 && x.result.distinct < count / 20);
    assert_true(x.result.coverage > 0 && x.result.coverage < 0.8);
    assert_int_equal(x.result.visited, count / 20);
    assert_true(x.result.walks > 10 && x.result.searches > 1);
    trace_fini(&x.trace);
    graph_fini(&g);
}

/* ---- Limits ---- */

/* Seconds that an end may be late: a GLANCE of swarm.c, and whatever a busy machine takes. */
static const double patience = 60;

static volatile sig_atomic_t interrupted;
static void on_signal(int signal) {
    (void)signal;
    interrupted = 1;
}

struct interruption {
    pthread_t whom;
    double when;
};

static void *interrupt_soon(void *context) {
    struct interruption *i = context;
    nanosleep(&(struct timespec){0, 100000000}, NULL);
    i->when = clock_seconds();
    pthread_kill(i->whom, SIGUSR1);
    return NULL;
}

static uint32_t ticks;
static void tick(void *context, const struct space *s, const char *phase, uint64_t done, uint64_t all) {
    (void)context;
    assert_true(s->states > 0 && s->edges > 0);
    assert_string_equal(phase, "random search");
    assert_true(done <= all);
    ticks++;
}

static void ends_in_time(void **unused) {
    struct graph g;
    pthread_t thread;
    struct interruption soon = {.whom = pthread_self()};
    (void)unused;
    signal(SIGUSR1, on_signal);
    graph_ladder(&g, 500, 3, 1, 1);
    struct swarm_options o = options(3, 1, 0, true, true);
    o.limits.interrupted = &interrupted;
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, &soon), 0);
    struct ending x = run(&g, &o);
    double late = clock_seconds();
    pthread_join(thread, NULL);
    assert_int_equal(x.result.stop.kind, STOP_LIMIT);
    assert_string_equal(x.result.stop.reason, "interrupted");
    assert_true(late - soon.when < patience);
    assert_int_equal(x.result.threads, 3);
    trace_fini(&x.trace);

    o.limits.interrupted = NULL;
    o.limits.deadline = clock_seconds() + 0.6;
    o.ticker = (struct ticker){tick, NULL};
    x = run(&g, &o);
    late = clock_seconds() - o.limits.deadline;
    assert_int_equal(x.result.stop.kind, STOP_LIMIT);
    assert_non_null(strstr(x.result.stop.reason, "--time"));
    assert_true(late >= 0 && late < patience);
    assert_in_range(ticks, 1, 4 + (unsigned)(10 * late)); /* not more often than they are useful */
    trace_fini(&x.trace);

    o.limits.deadline = 0;
    o.limits.max_memory = 1; /* it must not do harm either */
    x = run(&g, &o);
    assert_int_equal(x.result.stop.kind, STOP_LIMIT);
    assert_non_null(strstr(x.result.stop.reason, "--m"));
    trace_fini(&x.trace);
    graph_fini(&g);
}

/* ---- As a check ---- */

static struct answer check(struct graph *g, unsigned checks) {
    struct answer a;
    struct ts_worker *w = graph_worker(g);
    struct questions q = {.checks = checks, .order = ORDER_RANDOM, .seed = 5};
    struct limits limits = {.max_memory = memory, .max_states = 20000};
    check_run(&a, &g->ts, w, &q, &limits, &(struct means){.threads = 2}, NULL);
    free(w);
    return a;
}

static void answers(void **unused) {
    struct graph g;
    (void)unused;
    graph_ladder(&g, 300, 2, 1, 9);
    struct answer a = check(&g, PROP_SAFETY | PROP_DEADLOCK | PROP_MAY);
    assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(a.message, "random search proves nothing"));
    assert_int_equal(a.checked, PROP_SAFETY | PROP_DEADLOCK);
    assert_non_null(a.note);
    assert_int_equal(a.search.order, ORDER_RANDOM);
    assert_int_equal(a.search.visited, 20000);
    /* Two threads that find a state at the same moment both count it. */
    assert_in_range(a.states, 300, 600);
    assert_int_equal(a.threads, 2);
    answer_fini(&a);

    g.classes[280] = TS_BAD;
    a = check(&g, PROP_SAFETY);
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.property, PROP_SAFETY);
    assert_non_null(strstr(a.message, "bad state"));
    assert_int_equal(a.trace.count, 281);
    assert_null(a.note);
    answer_fini(&a);

    g.fault_state = 150;
    g.fault_kind = TS_RAISED;
    a = check(&g, PROP_SAFETY);
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.property, PROP_MODEL_ERROR);
    assert_int_equal(a.trace.count, 151);
    answer_fini(&a);

    g.fault_kind = TS_CRASHED;
    a = check(&g, 0);
    assert_int_equal(a.verdict, VERDICT_ERROR);
    assert_int_equal(a.trace.count, 151);
    answer_fini(&a);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_deep_errors),
        cmocka_unit_test(finds_errors_at_once),
        cmocka_unit_test(agrees_with_naive_search),
        cmocka_unit_test(looks_only_for_its_goals),
        cmocka_unit_test(keeps_the_bound_on_depth),
        cmocka_unit_test(repeats_itself),
        cmocka_unit_test(counts_different_states),
        cmocka_unit_test(ends_in_time),
        cmocka_unit_test(answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
