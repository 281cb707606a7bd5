/* "None found" and "given up" are different: whatever is refused while a question is answered, an interruption, memory,
 * a file, or the model fails, the answer is the right one or none.
 *
 * Each question is asked once undisturbed, which counts the occasions, and is then asked again and again, with another
 * occasion refused each time (refuse.h). Never may it hold then if it did not before, nor be violated if it was not. */
#include "unit.h"

#include <unistd.h>

#include "disturb.h"
#include "graph.h"
#include "naive_ltl.h"
#include "refuse.h"
#include "check/check.h"
#include "check/ltl_check.h"
#include "verify/verify.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32, .interrupted = &refuse_flag};

/* A question. */
struct asked {
    struct graph *g;
    struct questions q;
    struct ltl_question ltl; /* if it has a formula or an automaton */
    struct means means;
};

static struct graph *reduced; /* or NULL */
static struct disturbance total;

static struct told ask(void *context) {
    const struct asked *k = context;
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(k->g);
    if (!k->ltl.formula && !k->ltl.given) check_run(&a, &k->g->ts, w, &k->q, &plenty, &k->means, NULL);
    else if (!ltl_check(&a, &k->g->ts, w, &k->ltl, &plenty, &k->means, NULL, &why)) a.verdict = VERDICT_ERROR;
    struct told t = told_of(&a);
    answer_fini(&a);
    problem_fini(&why);
    free(w);
    return t;
}

/* ---- The model fails when it is expanded ---- */

static struct ts_ops failing;
static const struct ts_ops *really;
static _Atomic uint64_t expansions;
static uint64_t failing_at;

/* With "stubborn sets", states have some of their moves only, if one of those is enabled. Then opinions are asked. */
static uint32_t kept_moves[32]; /* by state: one bit each */

static uint32_t expand_some(struct ts_worker *w, struct ts_batch *b) {
    uint32_t done = really->expand(w, b), made = 0, words = reduced->ts.words;
    for (uint32_t i = 0, e = 0; i < done; i++) {
        uint32_t keep = kept_moves[graph_decode(reduced, b->sources + (size_t)i * words)], begin = e, end = b->ends[i];
        bool any = false;
        for (uint32_t k = begin; k < end; k++) any |= keep >> b->labels[k] & 1;
        for (; e < end; e++) {
            if (any && !(keep >> b->labels[e] & 1)) continue;
            memmove(b->successors + (size_t)made * words, b->successors + (size_t)e * words, words * sizeof(word));
            b->labels[made++] = b->labels[e];
        }
        b->ends[i] = made;
    }
    return done;
}

static uint32_t expand(struct ts_worker *w, struct ts_batch *b) {
    if (++expansions != failing_at) return reduced ? expand_some(w, b) : really->expand(w, b);
    b->fault = (struct ts_fault){.kind = TS_RAISED, .transition = TS_NONE, .where = "fire", .text = "it fails now"};
    return 0;
}

static void fail_at(struct graph *g, uint64_t at) {
    if (!really) really = g->ts.ops;
    failing = *really;
    failing.expand = expand;
    g->ts.ops = &failing;
    expansions = 0;
    failing_at = at;
}

/* All refusals, and all failures. */
static void disturb_all(struct asked *k, const char *what) {
    struct disturbance d = {
        .what = what, .ask = ask, .context = k, .several = (k->q.checks & (k->q.checks - 1)) != 0, .reduced = reduced};
    fail_at(k->g, 0);
    struct told right = disturb(&d);
    fail_at(k->g, 0);
    if (right.verdict <= VERDICT_INCONCLUSIVE) ask(k);
    uint64_t count = expansions;
    for (uint64_t i = 0; i < count && i < DISTURBED_A_KIND; i++) {
        uint64_t at = disturb_occasion(i, count);
        fail_at(k->g, at);
        struct told now = ask(k);
        disturb_compare(&d, &right, &now, "expansion", at, true);
    }
    k->g->ts.ops = really;
    total.tries += d.tries;
    total.given_up += d.given_up;
}

static void tell(void) { print_message("%ld disturbed, %ld given up\n", total.tries, total.given_up); }

/* ---- Graphs ---- */

static void sample_graph(struct graph *g) {
    uint32_t states = 2 + random_below(12), transitions = 1 + random_below(4);
    graph_init(g, states, transitions, 1 + random_below(2));
    uint32_t percent = 25 + random_below(60), progress = random_below(70);
    for (uint32_t s = 0; s < states; s++) {
        g->values[s] = random_below(8);
        g->illegal[s] = random_chance(50);
        g->classes[s] = (uint8_t)((random_chance(progress) ? TS_MUST : 0) | (random_chance(progress) ? TS_MAY : 0) |
                                  (random_chance(3) ? TS_BAD : 0));
        for (uint32_t t = 0; t < transitions; t++)
            if (random_chance(percent)) *graph_next(g, s, t) = random_below(states);
    }
    g->ts.reduction.forward = random_chance(50);
}

static unsigned random_threads(void) { return random_chance(20) ? 2 : 1; }

/* ---- Checks ---- */

static void test_checks(void **state) {
    static const unsigned properties[] = {PROP_SAFETY, PROP_DEADLOCK,    PROP_MAY,
                                          PROP_MUST,   PROP_TERMINATION, PROP_INFINITE};
    (void)state;
    for (int i = 0; i < ROUNDS(120); i++) {
        struct graph g;
        char what[1200];
        bool finitely[4] = {false};
        random_start((uint64_t)i);
        sample_graph(&g);
        struct asked k = {.g = &g, .means = {.threads = random_threads()}};
        k.q = (struct questions){.order = random_chance(50) ? ORDER_DFS : ORDER_BFS,
                                 .checks = properties[(size_t)i % COUNT(properties)],
                                 .terminal_not_may = random_chance(30),
                                 .terminal_not_must = random_chance(30),
                                 .infinitely = random_below(g.ts.transitions),
                                 .finitely = finitely};
        if (random_chance(10)) k.q.checks |= properties[random_below(COUNT(properties))];
        g.ts.reduction.stubborn = k.q.checks != PROP_INFINITE && random_chance(30);
        for (uint32_t s = 0; s < g.count; s++) kept_moves[s] = 1 + random_below(15);
        reduced = g.ts.reduction.stubborn ? &g : NULL;
        for (uint32_t t = 0; t < g.ts.transitions; t++) finitely[t] = t != k.q.infinitely && random_chance(25);
        snprintf(what, sizeof what, "graph %d, checks %u, order %d, %u threads%s", i, k.q.checks, (int)k.q.order,
                 k.means.threads, reduced ? ", reduced" : "");
        disturb_all(&k, what);
        reduced = NULL;
        graph_fini(&g);
    }
    tell();
}

/* Models that always end, with a "reduction": second opinions decide, and those that are given up are no opinions. */
static void test_opinions(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(40); i++) {
        struct graph g;
        char what[100];
        random_start(40000 + (uint64_t)i);
        sample_graph(&g);
        for (uint32_t s = 0; s < g.count; s++) {
            kept_moves[s] = 1 + random_below(15);
            for (uint32_t t = 0; t < g.ts.transitions; t++)
                if (*graph_next(&g, s, t) <= s) *graph_next(&g, s, t) = NO_STATE;
        }
        g.ts.reduction.stubborn = true;
        reduced = &g;
        struct asked k = {.g = &g, .q = {.checks = PROP_MAY, .terminal_not_may = true}};
        snprintf(what, sizeof what, "graph %d that ends, may progress, reduced", i);
        disturb_all(&k, what);
        reduced = NULL;
        graph_fini(&g);
    }
    tell();
}

/* ---- Certificates ---- */

static char path[64];

/* Whether a certificate can be verified: it must be one that says what is true. */
static struct told verify(struct graph *g) {
    struct problem why = {0};
    struct claim claim;
    struct verification v = {0};
    struct verify_limits limits = {.outside = 1000};
    struct told t = {.verdict = VERDICT_INCONCLUSIVE, .trace = true};
    struct ts_worker *w = graph_worker(g);
    if (claim_open(&claim, path, &why)) {
        if (verify_run(&v, &claim, &g->ts, w, &limits, &why))
            t.verdict = v.end == VERIFY_VERIFIED ? VERDICT_HOLDS : VERDICT_VIOLATED;
        claim_fini(&claim);
    }
    snprintf(t.message, sizeof t.message, "%s", why.text ? why.text : v.message ? v.message : "");
    verification_fini(&v);
    problem_fini(&why);
    free(w);
    return t;
}

/* Writing it may fail; one that was written is good. */
static struct told ask_writing(void *context) {
    struct asked *k = context;
    struct answer a;
    struct ts_worker *w = graph_worker(k->g);
    unlink(path);
    check_run(&a, &k->g->ts, w, &k->q, &plenty, &k->means, NULL);
    struct told t = told_of(&a);
    refuse_pause(true);
    if (t.verdict == VERDICT_HOLDS && a.certificate.status) t.verdict = VERDICT_INCONCLUSIVE;
    else if (t.verdict == VERDICT_HOLDS)
        t.verdict = verify(k->g).verdict == VERDICT_HOLDS ? VERDICT_HOLDS : VERDICT_ERROR;
    refuse_pause(false);
    answer_fini(&a);
    free(w);
    return t;
}

static struct told ask_verifying(void *context) { return verify(((struct asked *)context)->g); }

static void test_certificates(void **state) {
    (void)state;
    int written = 0;
    snprintf(path, sizeof path, "/tmp/onager-giving-up-%d", (int)getpid());
    for (int i = 0; i < ROUNDS(40); i++) {
        struct graph g;
        char what[100];
        bool finitely[4] = {false};
        random_start(60000 + (uint64_t)i);
        sample_graph(&g);
        for (uint32_t s = 0; s < g.count; s++) g.illegal[s] = false;
        struct asked k = {.g = &g};
        k.q = (struct questions){.checks = i % 2 ? PROP_DEADLOCK | PROP_INFINITE : PROP_MAY, .finitely = finitely};
        k.q.certificate = path;
        snprintf(what, sizeof what, "certificate %d", i);
        struct disturbance d = {.what = what, .ask = ask_writing, .context = &k, .several = true};
        struct told right = disturb(&d);
        ask_writing(&k);
        d.ask = ask_verifying;
        if (right.verdict == VERDICT_HOLDS) disturb(&d);
        written += right.verdict == VERDICT_HOLDS;
        total.tries += d.tries;
        total.given_up += d.given_up;
        graph_fini(&g);
    }
    unlink(path);
    tell();
    assert_true(written > OFTEN(8));
}

static int forget(void **state) {
    (void)state;
    reduced = NULL;
    refuse_stop();
    return 0;
}

static void random_fairness(struct fair *f, struct graph *g) {
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    *f = (struct fair){.choice = random_chance(40)};
    if (random_chance(60)) assert_true(fair_add(f, &g->ts, w, "all", random_chance(50), &why));
    free(w);
}

static void test_fair_must(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(40); i++) {
        struct graph g;
        char what[1200];
        struct fair fair;
        random_start(10000 + (uint64_t)i);
        sample_graph(&g);
        random_fairness(&fair, &g);
        struct asked k = {.g = &g};
        k.q = (struct questions){.checks = PROP_MUST, .fair = &fair, .terminal_not_must = random_chance(50)};
        snprintf(what, sizeof what, "fair must progress, graph %d", i);
        disturb_all(&k, what);
        fair_fini(&fair);
        graph_fini(&g);
    }
    tell();
}

static void test_formulas(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(120); i++) {
        struct graph g;
        char what[1200];
        struct fair fair;
        char text[1000];
        random_start(20000 + (uint64_t)i);
        sample_graph(&g);
        struct tree *tree = tree_random(1 + (int)random_below(5), 3, random_chance(30));
        tree_print(tree, text, sizeof text);
        random_fairness(&fair, &g);
        struct asked k = {.g = &g};
        k.ltl = (struct ltl_question){
            .formula = text, .algorithm = (enum ltl_algorithm)(i % (LTL_LEVELS + 1)), .depth_first = random_chance(50)};
        if (k.ltl.algorithm == LTL_LEVELS) k.means.threads = random_threads();
        bool takes_fairness = k.ltl.algorithm == LTL_TARJAN || k.ltl.algorithm == LTL_LEVELS;
        if (takes_fairness && random_chance(60)) k.ltl.fair = &fair;
        snprintf(what, sizeof what, "%s, algorithm %d, graph %d, fair %d", text, (int)k.ltl.algorithm, i,
                 k.ltl.fair ? 1 + k.ltl.fair->choice : 0);
        disturb_all(&k, what);
        tree_free(tree);
        fair_fini(&fair);
        graph_fini(&g);
    }
    tell();
}

static void test_automata(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(40); i++) {
        struct graph g;
        char what[100];
        struct hoa h = {0};
        random_start(30000 + (uint64_t)i);
        sample_graph(&g);
        h.testing = random_chance(50);
        unsigned kinds = ACCEPT_INFINITE | ACCEPT_FINITE | ACCEPT_DEADLOCK;
        if (h.testing) random_ta(&h.ta, 1 + (int)random_below(3), 2, kinds | ACCEPT_LIVELOCK);
        else random_ba(&h.ba, 1 + (int)random_below(3), 2, 1, true, kinds);
        struct asked k = {.g = &g};
        k.ltl = (struct ltl_question){
            .given = &h, .name = "given.hoa", .algorithm = (enum ltl_algorithm)(i % (LTL_LEVELS + 1))};
        snprintf(what, sizeof what, "automaton, algorithm %d, graph %d", (int)k.ltl.algorithm, i);
        disturb_all(&k, what);
        hoa_fini(&h);
        graph_fini(&g);
    }
    tell();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_checks, forget),   cmocka_unit_test_teardown(test_certificates, forget),
        cmocka_unit_test_teardown(test_opinions, forget), cmocka_unit_test_teardown(test_fair_must, forget),
        cmocka_unit_test_teardown(test_formulas, forget), cmocka_unit_test_teardown(test_automata, forget),
    };
    words_random = random_below;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
