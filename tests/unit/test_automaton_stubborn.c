/* Given automata with stubborn sets: small concurrent systems (toys.h) and networks, random automata of all kinds of
 * acceptance. Every algorithm must say what a naive check of the full graph says (naive_automaton.h); on networks, what
 * it says without stubborn sets. So many rounds are enough: see test_guided.c. */
#include "unit.h"

#include "omega/ltl/ltl.h"
#include "omega/simplify.h"
#include "base/memory.h"
#include "naive_actions.h"
#include "naive_automaton.h"
#include "model/network/network_ts.h"
#include "nets.h"
#include "check/ltl_check.h"
#include "toys.h"
#include "words.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

static const struct toy_chance small = {3, 3, 2, 8, 2, 32, random_below}, loose = {3, 4, 0, 8, 2, 40, random_below};

enum { ALL_KINDS = ACCEPT_INFINITE | ACCEPT_FINITE | ACCEPT_DEADLOCK | ACCEPT_LIVELOCK };

struct sample {
    struct ts *ts;
    struct ts_worker *w;
    struct hoa h;
    bool accepted;
    int counts[2];
    uint64_t checks, refused, larger, smaller; /* the last two: of states, where nothing is found */
};

/* One-pass may be refused, and stubborn sets, both because of stuttering; whether an automaton can tell may be too
 * hard. */
static bool is_refused(const struct sample *s, const struct problem *why) {
    if (why->status == EXIT_INCONCLUSIVE || strstr(why->text, "read actions") ||
        strstr(why->text, "between those that it reads, and"))
        return true;
    return !s->h.testing && strstr(why->text, "how often");
}

static bool ask(struct sample *s, struct ltl_question q, const struct means *means, struct answer *a) {
    struct problem why = {0};
    q.given = &s->h;
    q.name = "given.hoa";
    bool asked = ltl_check(a, s->ts, s->w, &q, &plenty, means, NULL, &why);
    if (!asked && !is_refused(s, &why)) fail_msg("algorithm %d: %s", (int)q.algorithm, why.text);
    if (!asked) answer_fini(a);
    problem_fini(&why);
    return asked;
}

static void compare_sizes(struct sample *s, struct ltl_question q, const struct answer *reduced) {
    struct answer full;
    q.stubborn = false;
    assert_true(ask(s, q, NULL, &full));
    assert_int_equal(full.verdict, reduced->verdict);
    bool same = reduced->ltl.testing == full.ltl.testing; /* testing automata that read actions become others */
    s->larger += same && reduced->states > full.states;
    s->smaller += same && reduced->states < full.states;
    answer_fini(&full);
}

static void expect(struct sample *s, struct ltl_question q, const struct means *means) {
    struct answer a;
    q.stubborn = true;
    s->checks++;
    if (!ask(s, q, means, &a)) {
        s->refused++;
        return;
    }
    bool exact = !means || means->store.kind == STORE_EXACT;
    enum verdict wanted = s->accepted ? VERDICT_VIOLATED : exact ? VERDICT_HOLDS : VERDICT_INCONCLUSIVE;
    if (a.verdict != wanted)
        fail_msg("algorithm %d (%s): verdict %d, expected %d: %s", (int)q.algorithm, a.ltl.algorithm, (int)a.verdict,
                 (int)wanted, a.message);
    assert_true(a.ltl.stubborn);
    if (exact && !s->accepted) compare_sizes(s, q, &a);
    answer_fini(&a);
}

static void expect_all(struct sample *s) {
    static const enum store_kind kinds[] = {STORE_HASH_COMPACT, STORE_BITSTATE};
    struct means means = {.store = {.kind = kinds[random_below(2)], .bitstate_bytes = 1 << 16}};
    s->counts[s->accepted]++;
    for (int k = LTL_DEFAULT; k <= LTL_ONE_PASS; k++) {
        struct ltl_question q = {.algorithm = (enum ltl_algorithm)k,
                                 .favour = (enum favour)random_below(3),
                                 .depth_first = random_chance(50)};
        expect(s, q, random_chance(10) ? &means : NULL);
    }
}

static void report(const char *what, const struct sample *s) {
    print_message("%s: %d accepted, %d not; %d checks, %d refused; smaller %d times\n", what, s->counts[1],
                  s->counts[0], (int)s->checks, (int)s->refused, (int)s->smaller);
    assert_int_equal(s->larger, 0);
}

/* Few states accept, so that nothing is found often enough. */
static unsigned some_kinds(void) { return random_chance(40) ? ALL_KINDS : 1u << random_below(4); }

/* A testing automaton, or a Büchi automaton that was one, or any, which is likely to be refused. */
static void random_automaton(struct hoa *h, int propositions) {
    struct ta testing;
    struct problem why = {0};
    *h = (struct hoa){.testing = random_chance(60)};
    if (h->testing) {
        random_ta(&h->ta, 1 + (int)random_below(4), propositions, some_kinds());
    } else if (random_chance(75)) {
        random_ta(&testing, 1 + (int)random_below(3), propositions, some_kinds());
        assert_true(ba_from_ta(&testing, &h->ba, &why));
        ta_fini(&testing);
    } else {
        random_ba(&h->ba, 1 + (int)random_below(3), propositions, 1, true, some_kinds() & ~(unsigned)ACCEPT_LIVELOCK);
    }
}

static void test_states(void **state) {
    struct sample s = {0};
    (void)state;
    for (int i = 0; i < ROUNDS(600); i++) {
        struct graph g;
        struct toy_chance chance = i % 2 ? small : loose;
        random_start((uint64_t)i);
        chance.propositions = 1 + random_below(2);
        toy_random(&g, &chance);
        random_automaton(&s.h, (int)chance.propositions);
        s.ts = &g.ts;
        s.w = graph_worker(&g);
        s.accepted = naive_accepted(&g, NULL, &s.h);
        expect_all(&s);
        free(s.w);
        hoa_fini(&s.h);
        graph_fini(&g);
    }
    report("states", &s);
    assert_true(s.counts[0] > OFTEN(80) && s.counts[1] > OFTEN(80) && s.smaller > (uint64_t)OFTEN(40));
    assert_true(s.refused < s.checks / 4);
}

/* ---- Fluents: p0 from a to b, p1 from b to a or c ---- */

static const char *const from_a[] = {"a", NULL}, *const from_b[] = {"b", NULL}, *const to_a_c[] = {"a", "c", NULL};

static void test_fluents(void **state) {
    static const char *const names[] = {"tau", "a", "b", "c"};
    struct sample s = {0};
    (void)state;
    for (int i = 0; i < ROUNDS(400); i++) {
        struct graph g;
        uint32_t actions[16];
        struct toy_chance chance = i % 2 ? small : loose;
        random_start(100000 + (uint64_t)i);
        chance.propositions = 0;
        chance.states = 24;
        toy_random(&g, &chance);
        struct naive_actions a = {.initially = random_below(4)};
        for (uint32_t t = 0; t < g.ts.transitions; t++) {
            actions[t] = random_chance(50) ? 0 : 1 + random_below(3);
            a.begins[t] = actions[t] == 1 ? 1 : actions[t] == 2 ? 2 : 0;
            a.ends[t] = actions[t] == 2 ? 1 : actions[t] == 1 || actions[t] == 3 ? 2 : 0;
        }
        struct ts_fluent fluents[] = {{"p0", from_a, from_b, a.initially & 1}, {"p1", from_b, to_a_c, a.initially & 2}};
        g.actions = actions;
        g.ts.propositions = 0;
        g.ts.actions = 4;
        g.ts.action_names = names;
        g.ts.whole_counts = true;
        g.ts.fluents = fluents;
        g.ts.fluent_count = 2;
        random_automaton(&s.h, 2);
        s.ts = &g.ts;
        s.w = graph_worker(&g);
        s.accepted = naive_accepted(&g, &a, &s.h);
        expect_all(&s);
        free(s.w);
        hoa_fini(&s.h);
        graph_fini(&g);
    }
    report("fluents", &s);
    assert_true(s.counts[0] > OFTEN(40) && s.counts[1] > OFTEN(40) && s.smaller > (uint64_t)OFTEN(20));
}

static void test_networks(void **state) {
    struct nets_chance chance = {
        .components = 4, .states = 3, .labels = 9, .special = 15, .tau = 35, .hidden = 20, .deterministic = false};
    struct sample s = {0};
    (void)state;
    for (int i = 0; i < ROUNDS(300); i++) {
        struct network n;
        struct answer full;
        struct problem why = {0};
        random_start(200000 + (uint64_t)i);
        nets_random(&n, &chance, random_below);
        s.ts = network_open(&n, "test", (struct reduction){.forward = random_chance(50)}, &why);
        assert_non_null(s.ts);
        struct ts_fluent fluents[] = {{"p0", from_a, from_b, random_chance(50)},
                                      {"p1", from_b, to_a_c, random_chance(50)}};
        s.ts->fluents = fluents;
        s.ts->fluent_count = 2;
        s.w = s.ts->ops->worker_new(s.ts);
        random_automaton(&s.h, 2);
        assert_true(ask(&s, (struct ltl_question){.algorithm = LTL_DEFAULT}, NULL, &full));
        s.accepted = full.verdict == VERDICT_VIOLATED;
        answer_fini(&full);
        expect_all(&s);
        hoa_fini(&s.h);
        s.ts->ops->worker_free(s.w);
        s.ts->ops->close(s.ts);
    }
    report("networks", &s);
    assert_true(s.counts[0] > OFTEN(40) && s.counts[1] > OFTEN(40) && s.smaller > (uint64_t)OFTEN(20));
}

/* ---- Actions: p0 and p1 hold just after they have occurred ---- */

/* Of a formula about actions, where some states accept finite sequences, too; or any. */
static void random_action_automaton(struct hoa *h) {
    static const char *const formulas[] = {"G(p0 -> F p1)",
                                           "F p0",
                                           "G F p0",
                                           "!p1 W p0",
                                           "F(p0 & F p1)",
                                           "G !p0",
                                           "(G F p0) -> (G F p1)",
                                           "F G !p1",
                                           "G(p0 -> F(p1 | p0))",
                                           "F(p0 & X p1)",
                                           "F(p0 & X X p1)",
                                           "F(p0 & X(!p0 & !p1 & X p1))"};
    struct ltl l;
    struct problem why = {0};
    uint32_t formula;
    if (random_chance(25)) {
        random_automaton(h, 2);
        return;
    }
    *h = (struct hoa){0};
    ltl_init(&l);
    assert_true(ltl_parse(&l, formulas[random_below(COUNT(formulas))], &formula, &why));
    assert_true(ltl_to_ba(&l, formula, random_chance(50), &h->ba, &why));
    for (uint32_t s = 0; s < h->ba.states; s++)
        if (random_chance(15)) h->ba.accept[s] |= ACCEPT_DEADLOCK;
    ltl_fini(&l);
}

static void test_actions(void **state) {
    static const char *const names[] = {"tau", "p0", "p1", "c"};
    struct sample s = {0};
    (void)state;
    for (int i = 0; i < ROUNDS(400); i++) {
        struct graph g;
        uint32_t actions[16];
        struct toy_chance chance = i % 2 ? small : loose;
        struct naive_actions a = {.momentary = 3};
        random_start(300000 + (uint64_t)i);
        chance.propositions = 0;
        toy_random(&g, &chance);
        random_action_automaton(&s.h);
        for (uint32_t t = 0; t < g.ts.transitions; t++) {
            const struct names *read = s.h.testing ? &s.h.ta.propositions : &s.h.ba.propositions;
            actions[t] = random_chance(60) ? 0 : 1 + random_below(3);
            uint32_t p = names_find(read, names[actions[t]]);
            a.begins[t] = p == NAMES_NONE ? 0 : UINT64_C(1) << p;
        }
        g.actions = actions;
        g.ts.propositions = 0;
        g.ts.actions = 4;
        g.ts.action_names = names;
        g.ts.whole_counts = true;
        s.ts = &g.ts;
        s.w = graph_worker(&g);
        s.accepted = naive_accepted(&g, &a, &s.h);
        expect_all(&s);
        free(s.w);
        hoa_fini(&s.h);
        graph_fini(&g);
    }
    report("actions", &s);
    assert_true(s.counts[0] > OFTEN(60) && s.counts[1] > OFTEN(60) && s.smaller > (uint64_t)OFTEN(60));
    assert_true(s.refused < s.checks * 3 / 4);
}

/* ---- Small cases ---- */

#define HEAD "HOA: v1\nAP: 1 \"p0\"\n"

static bool refuses(struct graph *g, const char *text, struct ltl_question q, const char *part) {
    struct hoa h;
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = graph_worker(g);
    assert_true(hoa_parse(text, strlen(text), "test", &h, &why));
    q.given = &h;
    q.name = "given.hoa";
    q.stubborn = true;
    bool asked = ltl_check(&a, &g->ts, w, &q, &plenty, NULL, NULL, &why), told = !asked && strstr(why.text, part);
    if (!asked && !told) print_message("%s\n", why.text);
    answer_fini(&a);
    problem_fini(&why);
    hoa_fini(&h);
    free(w);
    return told;
}

static void test_refusals(void **state) {
    static const char *const names[] = {"tau", "p0"};
    static const char sensitive[] =
        HEAD "States: 2\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 1\nState: 1 {0}\n[!0] 1\n--END--\n";
    /* Infinite sequences do not matter, but of finite ones those of one position. */
    static const char ends_at_once[] = HEAD "States: 2\nStart: 0\nAcceptance: 1 f\nDeadlock-Acceptance: 0\n--BODY--\n"
                                            "State: 0\n[0] 1\nState: 1 {0}\n--END--\n";
    static const char always[] =
        HEAD "States: 1\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0] 0\n--END--\n";
    struct graph g;
    uint32_t actions[] = {1};
    struct fair fair = {.choice = true};
    (void)state;
    graph_init(&g, 2, 1, 1);
    *graph_next(&g, 0, 0) = 1;
    assert_true(refuses(&g, always, (struct ltl_question){.favour = FAVOUR_NONE}, "--stubborn needs obligations"));
    graph_derive_obligations(&g, true);
    assert_true(refuses(&g, sensitive, (struct ltl_question){.favour = FAVOUR_NONE}, "how often a state is repeated"));
    assert_true(
        refuses(&g, ends_at_once, (struct ltl_question){.favour = FAVOUR_NONE}, "how often a state is repeated"));
    assert_true(
        refuses(&g, always, (struct ltl_question){.fair = &fair}, "fairness depends on all enabled transitions"));
    assert_false(refuses(&g, always, (struct ltl_question){.favour = FAVOUR_NONE}, ""));
    g.ts.propositions = 0;
    g.ts.actions = 2;
    g.ts.action_names = names;
    g.ts.whole_counts = true;
    g.actions = actions;
    assert_true(refuses(&g, always, (struct ltl_question){.favour = FAVOUR_NONE}, "read fluents instead of actions"));
    graph_fini(&g);
}

int main(void) {
    words_random = random_below;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),  cmocka_unit_test(test_fluents),  cmocka_unit_test(test_networks),
        cmocka_unit_test(test_actions), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
