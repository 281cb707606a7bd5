/* Given automata: random ones and random graphs. Every algorithm must say what a naive check says (naive_automaton.h),
 * and show an execution that the automaton accepts by its definition (words.h). */
#include "unit.h"

#include "omega/convert.h"
#include "omega/simplify.h"
#include "naive_automaton.h"
#include "omega/automaton_word.h"
#include "check/ltl_check.h"
#include "words.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

struct sample {
    struct graph g;
    struct hoa h;
    const struct naive_actions *actions; /* or NULL */
    bool accepted;
};

static void sample_graph(struct graph *g, uint32_t states, uint32_t transitions, uint32_t percent, int propositions) {
    graph_init(g, states, transitions, 1 + random_below(3));
    for (uint32_t i = 0; i < states; i++) {
        g->values[i] = random_below(1u << propositions);
        for (uint32_t t = 0; t < transitions; t++)
            if (random_chance(percent)) *graph_next(g, i, t) = random_below(states);
    }
    g->ts.reduction.forward = random_chance(50);
}

static void sample_fini(struct sample *s) {
    hoa_fini(&s->h);
    graph_fini(&s->g);
}

/* ---- One check ---- */

static bool in_automaton(const struct hoa *h, const struct word *w) {
    return h->testing ? word_in_ta(w, &h->ta) : word_in_ba(w, &h->ba);
}

/* The execution of an answer as a word, which the automaton must accept; longer ones are left to others. */
static void check_word(const struct sample *s, const struct answer *a) {
    struct word w = {.back = -1};
    const struct trace *t = &a->trace;
    assert_true(t->count > 0);
    if (t->count > LONGEST_WORD || strstr(a->message, "whatever")) return;
    for (uint64_t i = 0; i < t->count; i++) w.at[w.length++] = s->g.values[graph_decode(&s->g, trace_state(t, i))];
    if (t->cycle != TRACE_NONE) w.back = (int)t->cycle;
    if (!in_automaton(&s->h, &w)) fail_msg("what is shown is not accepted");
    if (t->cycle == TRACE_NONE) {
        uint32_t to[256], labels[256];
        assert_int_equal(graph_successors(&s->g, graph_decode(&s->g, trace_state(t, t->count - 1)), to, labels), 0);
    }
}

/* False: one-pass was refused, because of stuttering. */
static bool expect(struct sample *s, struct ltl_question q, const struct means *means) {
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(&s->g);
    q.given = &s->h;
    q.name = "given.hoa";
    bool asked = ltl_check(&a, &s->g.ts, w, &q, &plenty, means, NULL, &why);
    if (!asked) {
        bool sensitive = q.algorithm == LTL_ONE_PASS && !s->h.testing;
        if (!sensitive || !(why.status == EXIT_INCONCLUSIVE || strstr(why.text, "testing automaton")))
            fail_msg("algorithm %d: %s", (int)q.algorithm, why.text);
    } else if (means && means->store.kind != STORE_EXACT && !s->accepted) {
        assert_int_equal(a.verdict, VERDICT_INCONCLUSIVE);
    } else {
        enum verdict wanted = s->accepted ? VERDICT_VIOLATED : VERDICT_HOLDS;
        if (a.verdict != wanted)
            fail_msg("algorithm %d (%s): verdict %d, expected %d: %s", (int)q.algorithm, a.ltl.algorithm,
                     (int)a.verdict, (int)wanted, a.message);
        if (s->accepted) assert_int_equal(a.property, PROP_AUTOMATON);
        if (s->accepted && !s->actions) check_word(s, &a);
    }
    answer_fini(&a);
    problem_fini(&why);
    free(w);
    return asked;
}

/* How often one-pass was possible. */
static int all_algorithms(struct sample *s, const struct means *means) {
    int possible = 0;
    s->accepted = naive_accepted(&s->g, s->actions, &s->h);
    for (int k = LTL_DEFAULT; k <= LTL_LEVELS; k++) {
        struct ltl_question q = {.algorithm = (enum ltl_algorithm)k,
                                 .favour = (enum favour)random_below(3),
                                 .depth_first = random_chance(50)};
        struct means threads = {.threads = 1 + random_below(3)};
        bool asked = expect(s, q, k == LTL_LEVELS ? &threads : means);
        if (k == LTL_ONE_PASS) possible += asked;
    }
    return possible;
}

/* ---- Random automata ---- */

enum { ALL_BUT_LIVELOCK = ACCEPT_INFINITE | ACCEPT_FINITE | ACCEPT_DEADLOCK };

/* One of the kinds that files may have. */
static void random_buchi(struct hoa *h, int propositions) {
    int states = 1 + (int)random_below(4);
    *h = (struct hoa){.testing = false};
    unsigned kinds = random_chance(40) ? ALL_BUT_LIVELOCK : random_chance(50) ? ACCEPT_DEADLOCK : ACCEPT_INFINITE;
    if (random_chance(30)) {
        struct sba states_too;
        random_sba(&states_too, states + 2, propositions, kinds);
        ba_from_sba(&states_too, &h->ba);
        sba_fini(&states_too);
    } else if (random_chance(50)) {
        random_ba(&h->ba, states, propositions, 1, true, kinds);
    } else {
        random_ba(&h->ba, states, propositions, random_below(4), false, kinds & ~(unsigned)ACCEPT_INFINITE);
    }
}

static void test_buchi(void **state) {
    int counts[2] = {0, 0}, possible = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(1000); i++) {
        struct sample s = {.actions = NULL};
        random_start((uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        sample_graph(&s.g, 1 + random_below(6), 1 + random_below(3), 55, propositions);
        random_buchi(&s.h, propositions);
        possible += all_algorithms(&s, NULL);
        counts[s.accepted]++;
        sample_fini(&s);
    }
    print_message("%d accepted, %d not, one-pass possible for %d\n", counts[1], counts[0], possible);
    assert_true(counts[0] > OFTEN(75) && counts[1] > OFTEN(75) && possible > OFTEN(60));
}

static void test_testing(void **state) {
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(1000); i++) {
        struct sample s = {.h = {.testing = true}};
        random_start(20000 + (uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        sample_graph(&s.g, 1 + random_below(6), 1 + random_below(3), 55, propositions);
        unsigned kinds = random_chance(30) ? ALL_BUT_LIVELOCK | ACCEPT_LIVELOCK : 1u << random_below(4);
        random_ta(&s.h.ta, 1 + (int)random_below(4), propositions, kinds);
        assert_int_equal(all_algorithms(&s, NULL), 1);
        counts[s.accepted]++;
        sample_fini(&s);
    }
    print_message("%d accepted, %d not\n", counts[1], counts[0]);
    assert_true(counts[0] > OFTEN(75) && counts[1] > OFTEN(75));
}

/* Büchi automata that were testing automata can be such again. */
static void test_back_to_testing(void **state) {
    int possible = 0, tried = 0;
    (void)state;
    for (int i = 0; i < ROUNDS(300); i++) {
        struct sample s = {.actions = NULL};
        struct ta testing;
        struct problem why = {0};
        random_start(40000 + (uint64_t)i);
        sample_graph(&s.g, 1 + random_below(6), 1 + random_below(3), 55, 1);
        random_ta(&testing, 1 + (int)random_below(3), 1, ALL_BUT_LIVELOCK | ACCEPT_LIVELOCK);
        assert_true(ba_from_ta(&testing, &s.h.ba, &why));
        possible += all_algorithms(&s, NULL);
        tried++;
        ta_fini(&testing);
        sample_fini(&s);
    }
    assert_true(possible * 10 > tried * 9);
}

static void test_stores(void **state) {
    static const enum store_kind kinds[] = {STORE_HASH_COMPACT, STORE_BITSTATE};
    (void)state;
    for (int i = 0; i < ROUNDS(200); i++) {
        struct sample s = {.actions = NULL};
        random_start(50000 + (uint64_t)i);
        s.h.testing = random_chance(50);
        sample_graph(&s.g, 1 + random_below(6), 1 + random_below(3), 55, 2);
        if (s.h.testing) random_ta(&s.h.ta, 3, 2, ALL_BUT_LIVELOCK | ACCEPT_LIVELOCK);
        else random_buchi(&s.h, 2);
        struct means means = {.store = {.kind = kinds[i % 2], .bitstate_bytes = 1 << 16}};
        all_algorithms(&s, &means);
        sample_fini(&s);
    }
}

/* ---- Propositions about actions: p0 and p1 are actions, p2 is a fluent from p0 to p1 ---- */

static void test_actions(void **state) {
    static const char *const names[] = {"tau", "p0", "p1", "other"};
    static const char *const begins[] = {"p0", NULL}, *const ends[] = {"p1", NULL};
    int counts[2] = {0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(800); i++) {
        struct sample s = {.actions = NULL};
        uint32_t actions[3];
        random_start(60000 + (uint64_t)i);
        s.h.testing = random_chance(50);
        sample_graph(&s.g, 1 + random_below(4), 1 + random_below(3), 55, 1);
        struct naive_actions a = {.momentary = 3, .initially = random_chance(50) ? 4 : 0};
        for (int t = 0; t < 3; t++) {
            actions[t] = random_below(4);
            a.begins[t] = actions[t] == 1 ? 1 | 4 : actions[t] == 2 ? 2 : 0;
            a.ends[t] = actions[t] == 2 ? 4 : 0;
        }
        struct ts_fluent fluent = {"p2", begins, ends, a.initially != 0};
        s.actions = &a;
        s.g.actions = actions;
        s.g.ts.propositions = 0;
        s.g.ts.actions = 4;
        s.g.ts.action_names = names;
        s.g.ts.whole_counts = true;
        s.g.ts.fluents = &fluent;
        s.g.ts.fluent_count = 1;
        if (s.h.testing) random_ta(&s.h.ta, 1 + (int)random_below(3), 3, ALL_BUT_LIVELOCK | ACCEPT_LIVELOCK);
        else random_ba(&s.h.ba, 1 + (int)random_below(4), 3, 1, true, ALL_BUT_LIVELOCK);
        all_algorithms(&s, NULL);
        counts[s.accepted]++;
        sample_fini(&s);
    }
    print_message("%d accepted, %d not\n", counts[1], counts[0]);
    assert_true(counts[0] > OFTEN(75) && counts[1] > OFTEN(75));
}

/* ---- The second opinion, against another one ---- */

static bool agree(const struct word *w, void *context) {
    const struct hoa *h = context;
    uint64_t n = (uint64_t)w->length, cycle = w->back < 0 ? n : (uint64_t)w->back;
    bool ours = h->testing ? automaton_word_ta(&h->ta, w->at, n, cycle) : automaton_word_ba(&h->ba, w->at, n, cycle);
    return ours == in_automaton(h, w);
}

static void test_words(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(600); i++) {
        struct hoa h = {.testing = i % 2 == 0};
        random_start(90000 + (uint64_t)i);
        int propositions = 1 + (int)random_below(2);
        if (h.testing) random_ta(&h.ta, 1 + (int)random_below(4), propositions, ALL_BUT_LIVELOCK | ACCEPT_LIVELOCK);
        else random_buchi(&h, propositions);
        assert_true(words_all(propositions, propositions == 1 ? 6 : 3, agree, &h));
        for (int k = 0; k < 30; k++) {
            struct word w = word_random(propositions, LONGEST_WORD, random_chance(30));
            assert_true(agree(&w, &h));
        }
        hoa_fini(&h);
    }
}

/* ---- Small cases ---- */

static void parse(struct hoa *h, const char *text) {
    struct problem why = {0};
    if (!hoa_parse(text, strlen(text), "test", h, &why)) fail_msg("%s", why.text);
}

static enum verdict verdict_of(struct graph *g, const char *text, struct ltl_question q, char *message) {
    struct hoa h;
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    parse(&h, text);
    q.given = &h;
    q.name = "given.hoa";
    bool asked = ltl_check(&a, &g->ts, w, &q, &plenty, NULL, NULL, &why);
    enum verdict v = asked ? a.verdict : VERDICT_ERROR;
    snprintf(message, 500, "%s", asked ? a.message ? a.message : "" : why.text);
    answer_fini(&a);
    problem_fini(&why);
    hoa_fini(&h);
    free(w);
    return v;
}

#define HEAD "HOA: v1\nAP: 1 \"p0\"\n"

static const char ends_with_p[] = HEAD "States: 2\nStart: 0\nAcceptance: 1 f\nDeadlock-Acceptance: 0\n--BODY--\n"
                                       "State: 0\n[t] 0\n[0] 1\nState: 1 {0}\n--END--\n";
static const char always_p[] =
    HEAD "States: 1\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0] 0\n--END--\n";

/* 0 -> 1 -> 2, and 2 is an end where p0 holds. For an automaton with infinite acceptance that is no infinite execution.
 * */
static void test_ends(void **state) {
    struct graph g;
    char message[500];
    (void)state;
    graph_init(&g, 3, 1, 1);
    *graph_next(&g, 0, 0) = 1;
    *graph_next(&g, 1, 0) = 2;
    for (int k = LTL_DEFAULT; k <= LTL_LEVELS; k++) {
        struct ltl_question q = {.algorithm = (enum ltl_algorithm)k};
        if (k == LTL_ONE_PASS) continue;
        g.values[2] = 1;
        assert_int_equal(verdict_of(&g, ends_with_p, q, message), VERDICT_VIOLATED);
        assert_non_null(strstr(message, "ends in the last state"));
        g.values[2] = 0;
        assert_int_equal(verdict_of(&g, ends_with_p, q, message), VERDICT_HOLDS);
        g.values[0] = g.values[1] = g.values[2] = 1;
        assert_int_equal(verdict_of(&g, always_p, q, message), VERDICT_HOLDS);
        *graph_next(&g, 2, 0) = 2;
        assert_int_equal(verdict_of(&g, always_p, q, message), VERDICT_VIOLATED);
        assert_int_equal(verdict_of(&g, ends_with_p, q, message), VERDICT_HOLDS);
        *graph_next(&g, 2, 0) = NO_STATE;
        g.values[0] = g.values[1] = 0;
    }
    graph_fini(&g);
}

/* 0 leads to 1, where nothing holds, and to 2, where p0 holds for ever. The order of the model's moves comes first,
 * then that of the automaton's choices, of which --error first takes the accepting one. States are counted with the
 * root. */
static void test_error_first(void **state) {
    static const char at_last_p[] = HEAD "States: 2\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\n"
                                         "State: 0\n[t] 0\n[0] 1\nState: 1 {0}\n[0] 1\n--END--\n";
    static const struct {
        bool forward;
        enum favour favour;
        uint64_t states;
    } cases[] = {{true, FAVOUR_ERROR_FIRST, 4},
                 {false, FAVOUR_ERROR_FIRST, 3},
                 {true, FAVOUR_ERROR_LAST, 5},
                 {false, FAVOUR_ERROR_LAST, 4}};
    struct graph g;
    struct hoa h;
    (void)state;
    graph_init(&g, 3, 2, 1);
    *graph_next(&g, 0, 0) = 1;
    *graph_next(&g, 0, 1) = 2;
    *graph_next(&g, 1, 0) = 1;
    *graph_next(&g, 2, 0) = 2;
    g.values[2] = 1;
    parse(&h, at_last_p);
    struct ts_worker *w = graph_worker(&g);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct answer a;
        struct problem why = {0};
        struct ltl_question q = {.given = &h, .name = "given.hoa", .algorithm = LTL_CVWY, .favour = cases[i].favour};
        g.ts.reduction.forward = cases[i].forward;
        assert_true(ltl_check(&a, &g.ts, w, &q, &plenty, NULL, NULL, &why));
        assert_int_equal(a.verdict, VERDICT_VIOLATED);
        assert_int_equal(a.states, cases[i].states);
        answer_fini(&a);
    }
    free(w);
    hoa_fini(&h);
    graph_fini(&g);
}

/* Fairness counts: t1 leads out of the cycle where p0 holds for ever. */
static void test_fairness(void **state) {
    struct graph g;
    struct fair fair = {0};
    struct problem why = {0};
    char message[500];
    (void)state;
    graph_init(&g, 2, 2, 1);
    *graph_next(&g, 0, 0) = 0;
    *graph_next(&g, 0, 1) = 1;
    *graph_next(&g, 1, 0) = 1;
    g.values[0] = 1;
    struct ts_worker *w = graph_worker(&g);
    assert_true(fair_add(&fair, &g.ts, w, "1", false, &why));
    assert_int_equal(verdict_of(&g, always_p, (struct ltl_question){.fair = NULL}, message), VERDICT_VIOLATED);
    assert_int_equal(verdict_of(&g, always_p, (struct ltl_question){.fair = &fair}, message), VERDICT_HOLDS);
    fair_fini(&fair);
    free(w);
    graph_fini(&g);
}

static void test_refusals(void **state) {
    static const char *const names[] = {"tau", "a"};
    struct graph g;
    char message[500];
    uint32_t actions[1] = {1};
    (void)state;
    graph_init(&g, 1, 1, 1);
    assert_int_equal(verdict_of(&g, "HOA: v1\nAP: 1 \"q\"\nStates: 0\nAcceptance: 0 t\n--BODY--\n--END--\n",
                                (struct ltl_question){.favour = FAVOUR_NONE}, message),
                     VERDICT_ERROR);
    assert_non_null(strstr(message, "no proposition 'q'"));
    assert_int_equal(verdict_of(&g, ends_with_p, (struct ltl_question){.algorithm = LTL_ONE_PASS}, message),
                     VERDICT_HOLDS);
    assert_int_equal(verdict_of(&g,
                                HEAD
                                "States: 2\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 1\nState: 1 {0}\n"
                                "[!0] 1\n--END--\n",
                                (struct ltl_question){.algorithm = LTL_ONE_PASS}, message),
                     VERDICT_ERROR);
    assert_non_null(strstr(message, "how often"));
    g.actions = actions;
    g.ts.propositions = 0;
    g.ts.actions = 2;
    g.ts.action_names = names;
    g.ts.whole_counts = true;
    assert_int_equal(verdict_of(&g, always_p, (struct ltl_question){.favour = FAVOUR_NONE}, message), VERDICT_ERROR);
    assert_non_null(strstr(message, "neither an action nor a fluent 'p0'"));
    graph_fini(&g);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buchi),       cmocka_unit_test(test_testing),  cmocka_unit_test(test_back_to_testing),
        cmocka_unit_test(test_stores),      cmocka_unit_test(test_actions),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_ends),        cmocka_unit_test(test_fairness), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_error_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
