/* The same as test_giving_up.c for networks of processes and for LTSs: testers, progress by actions, building,
 * minimising and comparing LTSs. What is made must be what is made undisturbed, or nothing. */
#include "unit.h"

#include "disturb.h"
#include "compare/compare.h"
#include "minimize/minimize.h"
#include "model/network/network_ts.h"
#include "nets.h"
#include "refuse.h"
#include "check/lts/build_lts.h"
#include "check/tester_check.h"
#include "tiny.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32, .interrupted = &refuse_flag};

static struct disturbance total;

static void disturb_it(const char *what, struct told (*ask)(void *context), void *context) {
    struct disturbance d = {.what = what, .ask = ask, .context = context};
    disturb(&d);
    total.tries += d.tries;
    total.given_up += d.given_up;
}

static void tell(void) { print_message("%ld disturbed, %ld given up\n", total.tries, total.given_up); }

/* Nothing was made, and `why` tells. */
static struct told not_made(struct problem *why) {
    struct told t = {.verdict = why->status == EXIT_INCONCLUSIVE ? VERDICT_INCONCLUSIVE : VERDICT_INTERNAL};
    snprintf(t.message, sizeof t.message, "%s", why->text);
    problem_fini(why);
    return t;
}

/* ---- Networks ---- */

struct asked {
    struct ts *ts;
    struct tester *tester; /* or NULL */
    struct tester_question q;
    struct means means;
    struct lts lts; /* as it is built undisturbed */
    bool built;
};

static struct told ask_tester(void *context) {
    struct asked *k = context;
    struct answer a;
    struct problem why = {0};
    struct ts_worker *w = k->ts->ops->worker_new(k->ts);
    if (!tester_check(&a, k->ts, w, &k->q, &plenty, &k->means, NULL, &why)) fail_msg("%s", why.text);
    struct told t = told_of(&a);
    answer_fini(&a);
    k->ts->ops->worker_free(w);
    return t;
}

static struct told ask_progress(void *context) {
    struct asked *k = context;
    struct answer a;
    struct ts_worker *w = k->ts->ops->worker_new(k->ts);
    struct questions q = {.checks = PROP_PROGRESS};
    check_run(&a, k->ts, w, &q, &plenty, &k->means, NULL);
    struct told t = told_of(&a);
    answer_fini(&a);
    k->ts->ops->worker_free(w);
    return t;
}

static bool same_lts(const struct lts *a, const struct lts *b) {
    if (a->states != b->states || a->initial != b->initial) return false;
    for (uint32_t s = 0; s < a->states; s++) {
        const struct lts_edge *e = lts_begin(a, s), *f = lts_begin(b, s);
        if (lts_end(a, s) - e != lts_end(b, s) - f) return false;
        for (; e < lts_end(a, s); e++, f++)
            if (e->label != f->label || e->target != f->target) return false;
    }
    return true;
}

/* The first time, it is kept. It holds if it is the same. */
static struct told compare_lts(struct lts *made, struct lts *kept, bool *built) {
    struct told t = {.verdict = !*built || same_lts(made, kept) ? VERDICT_HOLDS : VERDICT_VIOLATED, .trace = true};
    if (*built) lts_fini(made);
    else *kept = *made;
    *built = true;
    return t;
}

static struct told ask_lts(void *context) {
    struct asked *k = context;
    struct lts lts;
    struct build_report report;
    struct problem why = {0};
    struct ts_worker *w = k->ts->ops->worker_new(k->ts);
    bool made = build_lts(k->ts, w, &plenty, &k->means, NULL, &lts, &report, &why);
    k->ts->ops->worker_free(w);
    return made ? compare_lts(&lts, &k->lts, &k->built) : not_made(&why);
}

/* Tau leads upward only, and not from deadlock monitors. */
static void random_tester(struct tester *t, const struct network *n) {
    struct lts_builder b;
    struct lts l;
    uint32_t states = 1 + random_below(4), label[3], labels = 1 + random_below(3);
    uint8_t kinds[4] = {0};
    char *names[4] = {0};
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) {
        uint32_t k = random_below(n->labels.count);
        label[i] = names_add(&b.labels, k == 0 ? "foreign" : n->labels.text[k]);
    }
    for (uint32_t q = 0; q < states; q++)
        for (int k = 0; k < 4; k++)
            if (random_chance(20)) kinds[q] |= (uint8_t)(1u << k);
    for (uint32_t q = 0; q < states; q++)
        for (uint32_t i = random_below(2 * labels + 2); i > 0; i--)
            lts_build_edge(&b, q, label[random_below(labels)], random_below(states));
    b.states = states;
    lts_build_finish(&b, &l);
    tester_init(t, "T", &l, kinds, names);
}

static void test_networks(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS(60); i++) {
        struct nets_chance chance = {.components = 3, .states = 4, .labels = 4, .special = 10, .tau = 25, .hidden = 30};
        struct network n, copy;
        struct tester tester;
        struct problem why = {0};
        char what[100];
        random_start((uint64_t)i);
        nets_random(&n, &chance, random_below);
        random_tester(&tester, &n);
        nets_copy(&copy, &n);
        struct reduction reduction = {.stubborn = i % 3 == 2 && random_chance(50), .preserve = PRESERVE_TRACES};
        struct asked k = {.ts = network_open(&copy, "network", reduction, &why)};
        assert_non_null(k.ts);
        bool *then = calloc(k.ts->actions + 1, 1);
        then[random_below(k.ts->actions)] = then[random_below(k.ts->actions)] = true;
        k.ts->progress = &(struct ts_progress){"p", NULL, then};
        k.ts->progress_count = 1;
        k.means.threads = random_chance(20) ? 2 : 1;
        k.q = (struct tester_question){.algorithm = (enum ltl_algorithm)random_below(LTL_LEVELS + 1),
                                       .depth_first = random_chance(50),
                                       .stubborn = random_chance(30),
                                       .tester = &tester};
        snprintf(what, sizeof what, "network %d, kind %d, algorithm %d", i, i % 3, (int)k.q.algorithm);
        disturb_it(what, i % 3 == 0 ? ask_tester : i % 3 == 1 ? ask_progress : ask_lts, &k);
        if (k.built) lts_fini(&k.lts);
        free(then);
        k.ts->ops->close(k.ts);
        tester_fini(&tester);
        network_fini(&n);
    }
    tell();
}

/* ---- LTSs ---- */

struct pair {
    struct lts a, b, small;
    bool built, preorder;
    enum lts_relation relation;
};

static struct told ask_comparison(void *context) {
    struct pair *p = context;
    struct effort effort = {.asked = 63};
    struct comparison c;
    struct problem why = {0};
    struct comparison_question q = {.relation = p->relation, .preorder = p->preorder, .effort = &effort};
    if (!lts_compare(&p->a, &p->b, &q, &c, &why)) return not_made(&why);
    struct told t = {.verdict = c.holds ? VERDICT_HOLDS : VERDICT_VIOLATED, .trace = true};
    comparison_fini(&c);
    return t;
}

static struct told ask_minimal(void *context) {
    struct pair *p = context;
    struct effort effort = {.asked = 63};
    struct lts small;
    struct problem why = {0};
    if (!lts_minimize(&p->a, p->relation, &effort, &small, &why)) return not_made(&why);
    return compare_lts(&small, &p->small, &p->built);
}

static void test_ltss(void **state) {
    int counts[3] = {0, 0, 0};
    (void)state;
    for (int i = 0; i < ROUNDS(600); i++) {
        char what[100];
        random_start(50000 + (uint64_t)i);
        tiny_seed(50000 + (uint64_t)i);
        struct tiny x = tiny_random(2 + (int)random_below(6), 3, 5 + random_below(12), 20 + random_below(40));
        struct tiny y = random_chance(60) ? tiny_mutant(&x) : x;
        if (random_chance(40))
            y = tiny_random(2 + (int)random_below(6), 3, 5 + random_below(12), 20 + random_below(40));
        struct pair p = {.relation = (enum lts_relation)(i % RELATIONS)};
        p.preorder = random_chance(50) && relation_row(p.relation)->preorder != RELATIONS;
        tiny_lts(&x, &p.a);
        tiny_lts(&y, &p.b);
        snprintf(what, sizeof what, "LTS %d, %s", i, relation_name(p.relation));
        counts[ask_comparison(&p).verdict]++;
        disturb_it(what, ask_comparison, &p);
        disturb_it(what, ask_minimal, &p);
        if (p.built) lts_fini(&p.small);
        lts_fini(&p.a);
        lts_fini(&p.b);
    }
    tell();
    print_message("%d hold, %d do not\n", counts[0], counts[1]);
    assert_true(counts[VERDICT_HOLDS] > OFTEN(60) && counts[VERDICT_VIOLATED] > OFTEN(60));
}

static int forget(void **state) {
    (void)state;
    refuse_stop();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_networks, forget),
        cmocka_unit_test_teardown(test_ltss, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
