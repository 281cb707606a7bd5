/* Home states, held against the definition: can a state where p0 (or may_progress) holds be reached from every
 * reachable state? With stubborn sets, what is answered must be true of the full space, and there must be an answer
 * whenever the model is always may-terminating. */
#include "unit.h"

#include <unistd.h>

#include "base/text.h"
#include "check/check.h"
#include "graph.h"
#include "reduce/guided_ts.h"
#include "toys.h"
#include "verify/verify.h"

static char path[64];
static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

/* ---- By the definition ---- */

struct naive {
    uint32_t order[512], level[512], count;
    bool home[512], ends[512]; /* by state: a state with p, a terminal state can be reached */
    uint32_t lost;             /* how far the nearest state is where home is not; NO_STATE: there is none */
    bool terminating;
};

static bool holds(const struct graph *g, uint32_t s, const char *name) {
    return *name == 'p' ? g->values[s] & 1 : g->classes[s] & TS_MAY;
}

static void look_back(const struct graph *g, struct naive *n, bool *marked) {
    uint32_t to[256], labels[256];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < n->count; i++) {
            uint32_t s = n->order[i], edges = graph_successors(g, s, to, labels);
            for (uint32_t k = 0; k < edges && !marked[s]; k++)
                if (marked[to[k]]) marked[s] = changed = true;
        }
    }
}

static void find_out(const struct graph *g, const char *name, struct naive *n) {
    uint32_t to[256], labels[256];
    *n = (struct naive){.lost = NO_STATE, .terminating = true};
    assert_in_range(g->count, 1, 512);
    n->count = graph_explore(g, n->order, n->level);
    for (uint32_t i = 0; i < n->count; i++) {
        n->home[n->order[i]] = holds(g, n->order[i], name);
        n->ends[n->order[i]] = graph_successors(g, n->order[i], to, labels) == 0;
    }
    look_back(g, n, n->home);
    look_back(g, n, n->ends);
    for (uint32_t i = n->count; i-- > 0;) {
        if (!n->home[n->order[i]]) n->lost = n->level[n->order[i]];
        n->terminating &= n->ends[n->order[i]];
    }
}

/* ---- What is shown ---- */

/* From the point of no return on, nothing leads home; it is the nearest such state if the search says so. */
static void check_trace(struct graph *g, const struct trace *t, const struct naive *n, bool nearest) {
    uint32_t to[256], labels[256], at = 0;
    assert_true(t->count > 0 && t->no_return < t->count);
    for (uint64_t i = 0; i < t->count; i++) {
        uint32_t s = graph_decode(g, trace_state(t, i));
        assert_int_equal(s, i ? *graph_next(g, at, t->transitions[i]) : 0);
        assert_true(i < t->no_return || !n->home[s]);
        at = s;
    }
    if (nearest) assert_int_equal(t->no_return, n->lost);
    if (t->cycle == TRACE_NONE) assert_int_equal(graph_successors(g, at, to, labels), 0);
    else assert_int_equal(*graph_next(g, at, t->closing), graph_decode(g, trace_state(t, t->cycle)));
}

static void verify(struct graph *g) {
    struct problem why = {0};
    struct claim claim;
    struct verification v;
    struct ts_worker *w = graph_worker(g);
    struct verify_limits limits = {.outside = 1000};
    g->ts.named = TS_NONE; /* the certificate says it */
    if (!claim_open(&claim, path, &why) || !verify_run(&v, &claim, &g->ts, w, &limits, &why)) fail_msg("%s", why.text);
    if (v.end != VERIFY_VERIFIED) fail_msg("%s", v.message);
    assert_true(claim.checks & PROP_HOME);
    verification_fini(&v);
    claim_fini(&claim);
    free(w);
}

/* ---- The tests ---- */

static void ask(struct answer *a, struct ts *ts, const char *name, struct questions q, unsigned threads) {
    struct problem why = {0};
    struct means means = {.threads = threads};
    struct ts_worker *w = ts->ops->worker_new(ts);
    q.checks |= PROP_HOME;
    q.what[PROPERTY_HOME] = name;
    if (!questions_options(&q, ts, w, &why)) fail_msg("%s", why.text);
    check_run(a, ts, w, &q, &plenty, &means, NULL);
    questions_fini(&q);
    ts->ops->worker_free(w);
}

static void graphs(void **unused) {
    uint32_t verdicts[2] = {0};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(4000); i++) {
        struct graph g;
        struct answer a;
        static struct naive n;
        random_start(i);
        graph_init(&g, 1 + random_below(i % 10 ? 12 : 300), 1 + random_below(4), i % 5 ? 1 : 3);
        graph_randomise(&g, 30 + random_below(70), random_chance(50) ? 3 : 0, i);
        uint32_t often = 1 + random_below(8);
        const char *name = random_chance(70) ? "p0" : "may_progress";
        g.ts.features |= TS_MAY_PROGRESS;
        g.ts.identity = "0123";
        for (uint32_t s = 0; s < g.count; s++) {
            g.values[s] = random_below(often) == 0;
            g.classes[s] = random_below(often) == 0 ? TS_MAY : 0;
        }
        find_out(&g, name, &n);
        bool deep = random_chance(30), shortest = !deep && random_chance(20);
        struct questions q = {.order = deep ? ORDER_DFS : ORDER_BFS, .shortest = shortest, .certificate = path};
        ask(&a, &g.ts, name, q, graph_threads(i));
        bool violated = n.lost != NO_STATE;
        assert_int_equal(a.verdict, violated ? VERDICT_VIOLATED : VERDICT_HOLDS);
        assert_int_equal(a.property, violated ? PROP_HOME : PROP_NONE);
        assert_int_equal(a.checked, PROP_HOME);
        if (violated && !strstr(a.message, name)) fail_msg("%s", a.message);
        if (violated) check_trace(&g, &a.trace, &n, !shortest);
        else verify(&g);
        verdicts[violated]++;
        answer_fini(&a);
        graph_fini(&g);
    }
    assert_true(verdicts[0] > OFTEN(500) && verdicts[1] > OFTEN(500));
}

/* Sets that preserve deadlocks, by obligations that are derived from the system. */
static struct ts *open_reduced(struct graph *g, const bool *observable, const uint32_t *actions) {
    static const char *const names[] = {"tau"};
    struct problem why = {0};
    g->actions = (uint32_t *)(uintptr_t)actions;
    g->observable = (bool *)(uintptr_t)observable;
    g->ts.observable_known = true;
    g->ts.actions = 1;
    g->ts.action_names = names;
    struct ts *ts = guided_ts_open(&g->ts, GUIDED_TS_ACTIONS, &why);
    assert_non_null(ts);
    return ts;
}

static void stubborn_sets(void **unused) {
    uint32_t verdicts[3] = {0}, smaller = 0, unsure = 0;
    static const bool observable[64];
    static const uint32_t actions[64];
    (void)unused;
    for (int i = 0; i < ROUNDS(8000); i++) {
        struct graph g;
        struct answer a;
        static struct naive n;
        struct toy_chance chance = {2 + random_below(3), 3, 2, 9, 1, 90, random_below};
        random_start(300000 + (uint64_t)i);
        toy_random(&g, &chance);
        find_out(&g, "p0", &n);
        bool off = random_chance(10), violated = n.lost != NO_STATE;
        struct ts *ts = open_reduced(&g, observable, actions);
        struct questions q = {.no_termination = off, .no_audit = true};
        ask(&a, ts, "p0", q, graph_threads((uint64_t)i));
        if (a.verdict == VERDICT_HOLDS) assert_true(!violated && n.terminating && !off);
        else if (a.verdict == VERDICT_VIOLATED) assert_true(violated && a.property == PROP_HOME);
        else assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
        if (n.terminating && !off) assert_int_equal(a.verdict, violated ? VERDICT_VIOLATED : VERDICT_HOLDS);
        if (a.verdict == VERDICT_VIOLATED) check_trace(&g, &a.trace, &n, false);
        if (a.verdict == VERDICT_INCONCLUSIVE) assert_non_null(strstr(a.message, "always may-terminating"));
        if (a.verdict == VERDICT_HOLDS) assert_true(a.checked & PROP_TERMINATION);
        verdicts[a.verdict]++;
        smaller += a.verdict == VERDICT_HOLDS && a.states < n.count;
        unsure += a.verdict == VERDICT_INCONCLUSIVE && violated;
        answer_fini(&a);
        ts->ops->close(ts);
    }
    print_message("%u hold, of which %u reduced; %u violated, %u inconclusive; %u are not, but reduction hides it\n",
                  verdicts[VERDICT_HOLDS], smaller, verdicts[VERDICT_VIOLATED], verdicts[VERDICT_INCONCLUSIVE], unsure);
    for (int v = 0; v < 3; v++) assert_true(verdicts[v] > (uint32_t)OFTEN(200));
    assert_true(smaller > (uint32_t)OFTEN(50));
}

/* Symmetry: only what is said to be the same on symmetric states. */
static void symmetry(void **unused) {
    (void)unused;
    for (int k = 0; k < 8; k++) {
        struct graph g;
        struct answer a;
        bool good = k & 1, named = k & 2, said = k & 4;
        graph_init(&g, 2, 1, 1);
        *graph_next(&g, 0, 0) = 1;
        g.values[1] = good;
        g.classes[1] = good ? TS_MAY : 0;
        g.ts.features |= TS_MAY_PROGRESS | (said ? TS_SYMMETRIC_PROGRESS : 0);
        g.ts.reduction.symmetry = true;
        ask(&a, &g.ts, named ? "may_progress" : "p0", (struct questions){.no_audit = true}, 1);
        bool sure = named && said;
        assert_int_equal(a.verdict, !sure ? VERDICT_INCONCLUSIVE : good ? VERDICT_HOLDS : VERDICT_VIOLATED);
        if (!sure) assert_non_null(strstr(a.message, "without --symmetry"));
        answer_fini(&a);
        graph_fini(&g);
    }
}

static void names(void **unused) {
    struct graph g;
    struct problem why = {0};
    (void)unused;
    graph_init(&g, 1, 1, 1);
    struct ts_worker *w = graph_worker(&g);
    struct questions q = {.checks = PROP_HOME, .what[PROPERTY_HOME] = "p9"};
    assert_false(questions_options(&q, &g.ts, w, &why));
    assert_non_null(strstr(why.text, "no proposition 'p9'"));
    problem_fini(&why);
    why = (struct problem){0};
    g.ts.whole_counts = true;
    assert_false(questions_options(&q, &g.ts, w, &why));
    assert_non_null(strstr(why.text, "--home"));
    problem_fini(&why);
    free(w);
    graph_fini(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(graphs), cmocka_unit_test(stubborn_sets),
                                       cmocka_unit_test(symmetry), cmocka_unit_test(names)};
    snprintf(path, sizeof path, "/tmp/onager-home-%d", (int)getpid());
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
