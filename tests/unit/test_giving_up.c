/* "None found" and "given up" are different: whatever is refused while a question is answered, an interruption, memory,
 * a file, or the model fails, the answer is the right one or none.
 *
 * Each question is asked once undisturbed, which counts the occasions, and is then asked again and again, with another
 * occasion refused each time (refuse.h). Never may it hold then if it did not before, nor be violated if it was not. */
#include "unit.h"

#include "graph.h"
#include "naive_ltl.h"
#include "refuse.h"
#include "search/build_lts.h"
#include "search/check.h"
#include "search/ltl_check.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32, .interrupted = &refuse_flag};

/* A question. */
struct asked {
    char what[1200]; /* for messages */
    struct graph *g;
    struct questions q;
    struct ltl_question ltl; /* if it has a formula */
    struct means means;
};

/* What became of it. */
struct told {
    enum verdict verdict;
    enum property property;
    unsigned held;
    char message[300];
    bool trace, certificate;
};

static struct told ask(const struct asked *k) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(k->g);
    if (!k->ltl.formula) check_run(&a, &k->g->ts, w, &k->q, &plenty, &k->means, NULL);
    else if (!ltl_check(&a, &k->g->ts, w, &k->ltl, &plenty, &k->means, NULL, &why)) {
        assert_int_equal(why.status, EXIT_BAD_INPUT);
        a.verdict = VERDICT_ERROR;
    }
    struct told t = {a.verdict, a.property, a.held, "", a.trace.count > 0, a.certificate.status == 0};
    snprintf(t.message, sizeof t.message, "%s", a.message ? a.message : why.text ? why.text : "");
    answer_fini(&a);
    problem_fini(&why);
    free(w);
    return t;
}

static long tries, given_up;
static struct graph *reduced; /* or NULL */

/* An answer that was disturbed, beside the one that was not. */
static void compare(const struct asked *k, const struct told *right, const struct told *now, const char *kind,
                    uint64_t at, bool fails) {
    bool wrong = now->verdict == VERDICT_HOLDS ? right->verdict != VERDICT_HOLDS
                 : now->verdict == VERDICT_VIOLATED
                     ? right->verdict != VERDICT_VIOLATED && !fails
                     : now->verdict != VERDICT_INCONCLUSIVE && !(fails && now->verdict == VERDICT_ERROR);
    /* The reduced space is taken at its word about termination, and these "stubborn sets" are none. */
    if (reduced && now->verdict == VERDICT_VIOLATED && now->property == PROP_TERMINATION) wrong = false;
    if (now->verdict == VERDICT_VIOLATED && !now->trace && now->property != PROP_MODEL_ERROR) wrong = true;
    if (now->verdict == VERDICT_VIOLATED && now->property != right->property && now->property != PROP_TERMINATION)
        wrong |= !(fails && now->property == PROP_MODEL_ERROR) && !(k->q.checks & (k->q.checks - 1));
    if (right->verdict == VERDICT_VIOLATED && (now->held & right->property)) wrong = true;
    tries++;
    given_up += now->verdict != right->verdict;
    if (wrong)
        fail_msg("%s: %s number %llu: verdict %d, property %u, held %u (%s), but undisturbed: %d, property %u (%s)",
                 k->what, kind, (unsigned long long)at, (int)now->verdict, (unsigned)now->property, now->held,
                 now->message, (int)right->verdict, (unsigned)right->property, right->message);
}

/* ---- The model fails when it is expanded ---- */

static struct ts_ops failing;
static const struct ts_ops *really;
static _Atomic uint64_t expansions;
static uint64_t failing_at;

/* With "stubborn sets", states have some of their moves only, if any of those is enabled: opinions are asked for then. */
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

/* ---- All occasions of all kinds ---- */

enum { MOST_TRIED = 12 }; /* of each kind: the first and the last ones, and some between */

static uint64_t occasion(uint64_t i, uint64_t count) {
    if (count <= MOST_TRIED) return i + 1;
    return i < 3 ? i + 1 : i >= MOST_TRIED - 5 ? count - (MOST_TRIED - 1 - i) : 4 + random_below((uint32_t)count - 8);
}

static void disturb(const struct asked *k) {
    static const char *const names[] = {"look", "memory", "memory from then on", "read", "reads from then on"};
    refuse_stop();
    fail_at(k->g, 0);
    struct told right = ask(k);
    if (right.verdict > VERDICT_INCONCLUSIVE) return;
    for (int kind = 0; kind < REFUSALS; kind++) {
        refuse_start((enum refusal)kind, 0);
        ask(k);
        uint64_t count = refuse_occasions();
        for (uint64_t i = 0; i < count && i < MOST_TRIED; i++) {
            uint64_t at = occasion(i, count);
            refuse_start((enum refusal)kind, at);
            struct told now = ask(k);
            compare(k, &right, &now, names[kind], at, false);
        }
    }
    refuse_stop();
    fail_at(k->g, 0);
    ask(k);
    uint64_t count = expansions;
    for (uint64_t i = 0; i < count && i < MOST_TRIED; i++) {
        uint64_t at = occasion(i, count);
        fail_at(k->g, at);
        struct told now = ask(k);
        compare(k, &right, &now, "expansion", at, true);
    }
    k->g->ts.ops = really;
}

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
    for (int i = 0; i < ROUNDS(250); i++) {
        struct graph g;
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
        snprintf(k.what, sizeof k.what, "graph %d, checks %u, order %d, %u threads%s", i, k.q.checks, (int)k.q.order,
                 k.means.threads, reduced ? ", reduced" : "");
        disturb(&k);
        reduced = NULL;
        graph_fini(&g);
    }
    print_message("%ld disturbed, %ld given up\n", tries, given_up);
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
    for (int i = 0; i < ROUNDS(60); i++) {
        struct graph g;
        struct fair fair;
        random_start(10000 + (uint64_t)i);
        sample_graph(&g);
        random_fairness(&fair, &g);
        struct asked k = {.g = &g};
        k.q = (struct questions){.checks = PROP_MUST, .fair = &fair, .terminal_not_must = random_chance(50)};
        snprintf(k.what, sizeof k.what, "fair must progress, graph %d", i);
        disturb(&k);
        fair_fini(&fair);
        graph_fini(&g);
    }
    print_message("%ld disturbed, %ld given up\n", tries, given_up);
}

static void test_formulas(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(250); i++) {
        struct graph g;
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
        if (k.ltl.algorithm == LTL_TARJAN && random_chance(60)) k.ltl.fair = &fair;
        snprintf(k.what, sizeof k.what, "%s, algorithm %d, graph %d, fair %d", text, (int)k.ltl.algorithm, i,
                 k.ltl.fair ? 1 + k.ltl.fair->choice : 0);
        disturb(&k);
        tree_free(tree);
        fair_fini(&fair);
        graph_fini(&g);
    }
    print_message("%ld disturbed, %ld given up\n", tries, given_up);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_checks, forget),
        cmocka_unit_test_teardown(test_fair_must, forget),
        cmocka_unit_test_teardown(test_formulas, forget),
    };
    words_random = random_below;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
