/* A specification that becomes a tester: the verdict of the check on the fly, with and without stubborn sets, must be that
 * of the comparison of the LTSs. Random networks, and specifications that are much like them or not at all. */
#include "unit.h"

#include "lts/canonical.h"
#include "lts/compare.h"
#include "lts/transversal.h"
#include "net/network_ts.h"
#include "nets.h"
#include "search/tester_check.h"

static const struct limits plenty = {.max_memory = UINT64_C(1) << 32};

static uint32_t rounds(uint32_t n) {
    const char *times = getenv("COMPARE_ROUNDS");
    return ROUNDS(n) * (times ? (uint32_t)strtoul(times, NULL, 0) : 1);
}

/* ---- Specifications ---- */

/* The same with some edges less, some more, and some changed. */
static void mutate(const struct lts *l, uint32_t lost, uint32_t changed, uint32_t more, struct lts *out) {
    struct lts_builder b;
    lts_build_with(&b, &l->labels);
    b.states = l->states;
    b.initial = l->initial;
    b.end = l->end;
    b.error = l->error;
    for (uint32_t s = 0; s < l->states; s++) {
        if (s == l->end || s == l->error) continue;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            bool other = random_chance(changed);
            if (!random_chance(lost))
                lts_build_edge(&b, s, other ? random_below(l->labels.count) : e->label,
                               other ? random_below(l->states) : e->target);
        }
        if (random_chance(more)) lts_build_edge(&b, s, random_below(l->labels.count), random_below(l->states));
        if (random_chance(more)) lts_build_edge(&b, s, LTS_TAU, random_below(l->states));
    }
    lts_build_finish(&b, out);
}

struct sample {
    struct network n;
    struct lts system, spec;
};

/* False: too large. */
static bool sample_init(struct sample *s, uint64_t seed, uint32_t components, uint32_t most) {
    struct nets_chance chance = {.components = components,
                                 .states = 4,
                                 .labels = 5,
                                 .special = random_chance(50) ? 25 : 0,
                                 .tau = 20,
                                 .hidden = 30};
    struct problem why = {0};
    struct network other = {0};
    *s = (struct sample){0};
    random_start(seed);
    nets_random(&s->n, &chance, random_below);
    bool good = network_compose(&s->n, true, most, &s->system, &why);
    if (good && random_chance(25)) {
        nets_random(&other, &chance, random_below);
        good = network_compose(&other, true, most, &s->spec, &why);
        network_fini(&other);
        if (!good) lts_fini(&s->system);
    } else if (good) {
        uint32_t lost = random_chance(40) ? random_below(20) : 0, changed = random_chance(40) ? random_below(10) : 0;
        mutate(&s->system, lost, changed, random_chance(60) ? random_below(40) : 0, &s->spec);
    }
    problem_fini(&why);
    if (!good) network_fini(&s->n);
    return good;
}

static void sample_fini(struct sample *s) {
    network_fini(&s->n);
    lts_fini(&s->system);
    lts_fini(&s->spec);
}

/* ---- What must come out ---- */

/* As doc/COMPARE.md defines them, by sets of states of both sides after each trace, for what compare does not know:
 * failures that do not count where the specification may diverge. */
static bool compared(const struct sample *s, enum lts_relation r) {
    struct comparison c;
    struct problem why = {0};
    struct comparison_question q = {.relation = r, .preorder = true};
    if (!lts_compare(&s->system, &s->spec, &q, &c, &why)) fail_msg("%s", why.text);
    bool holds = c.holds;
    comparison_fini(&c);
    return holds;
}

static const enum lts_relation relations[] = {RELATION_TRACE, RELATION_STABLE_FAILURES, RELATION_CFFD,
                                              RELATION_FAILURES_DIVERGENCES};

static struct ts *sample_open(const struct sample *s) {
    struct network copy;
    struct problem why = {0};
    nets_copy(&copy, &s->n);
    struct ts *ts = network_open(&copy, "network", (struct reduction){.forward = random_chance(50)}, &why);
    if (!ts) fail_msg("%s", why.text);
    return ts;
}

static struct tester_question random_question(const struct tester *t) {
    static const enum ltl_algorithm algorithms[] = {LTL_DEFAULT, LTL_DEFAULT, LTL_ONE_PASS, LTL_TARJAN, LTL_LEVELS};
    return (struct tester_question){
        .tester = t, .algorithm = algorithms[random_below(COUNT(algorithms))], .depth_first = random_chance(50)};
}

static void disagree(const struct sample *s, const struct tester *t, const char *what, const struct answer *a,
                     uint64_t seed) {
    nets_print(&s->n);
    for (uint32_t i = 0; i < s->spec.states; i++)
        for (const struct lts_edge *e = lts_begin(&s->spec, i); e < lts_end(&s->spec, i); e++)
            fprintf(stderr, "spec: %u %s %u\n", i, s->spec.labels.text[e->label], e->target);
    for (uint32_t i = 0; i < t->lts.states; i++)
        for (const struct lts_edge *e = lts_begin(&t->lts, i); e < lts_end(&t->lts, i); e++)
            fprintf(stderr, "tester: %s(%u) %s %s\n", t->state_name[i], t->kinds[i], t->lts.labels.text[e->label],
                    t->state_name[e->target]);
    fprintf(stderr, "initial %u end %u error %u\n", s->spec.initial, s->spec.end, s->spec.error);
    fail_msg("%s, seed %llu: verdict %d, %s", what, (unsigned long long)seed, a->verdict,
             a->message ? a->message : "no message");
}

/* How many states. */
static uint64_t expect(const struct sample *s, struct ts *ts, const struct tester *t, bool stubborn, bool holds,
                       const char *what, uint64_t seed) {
    struct tester_question q = random_question(t);
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct answer a;
    struct problem why = {0};
    q.stubborn = stubborn;
    if (!tester_check(&a, ts, w, &q, &plenty, NULL, NULL, &why)) fail_msg("%s", why.text);
    if (a.verdict != (holds ? VERDICT_HOLDS : VERDICT_VIOLATED)) disagree(s, t, what, &a, seed);
    uint64_t states = a.states;
    answer_fini(&a);
    ts->ops->worker_free(w);
    return states;
}

struct tally {
    uint32_t yes[RELATIONS + 1], no[RELATIONS + 1];
    uint64_t full, reduced, system;
};

static void check_sample(const struct sample *s, uint64_t seed, struct tally *tally) {
    struct ts *ts = sample_open(s);
    for (size_t k = 0; k < COUNT(relations); k++) {
        enum lts_relation r = relations[k];
        struct canonical_question q = {.spec = &s->spec, .name = "SPEC", .whole = true};
        struct problem why = {0};
        struct tester t;
        bool holds = compared(s, r);
        assert_true(canonical_aims(r, &q.aims, &why));
        if (!canonical_tester(&q, &t, &why)) fail_msg("%s", why.text);
        if (!tester_well_formed(&t, "here", &why)) fail_msg("%s", why.text);
        uint64_t full = expect(s, ts, &t, false, holds, relation_name(r), seed);
        uint64_t reduced = expect(s, ts, &t, true, holds, relation_name(r), seed);
        if (holds) tally->full += full, tally->reduced += reduced, tally->system += s->system.states;
        (holds ? tally->yes : tally->no)[r]++;
        tester_fini(&t);
    }
    ts->ops->close(ts);
}

static void enough(const struct tally *tally, uint32_t least) {
    for (size_t k = 0; k < COUNT(relations); k++)
        if (tally->yes[relations[k]] < least || tally->no[relations[k]] < least)
            fail_msg("%s: %u yes, %u no", relation_name(relations[k]), tally->yes[relations[k]],
                     tally->no[relations[k]]);
}

static void testers_tell_what_compare_tells(void **unused) {
    struct tally tally = {0};
    (void)unused;
    for (uint64_t i = 0; i < rounds(2000); i++) {
        struct sample s;
        if (!sample_init(&s, i, 3, 48)) continue;
        check_sample(&s, i, &tally);
        sample_fini(&s);
    }
    enough(&tally, OFTEN(200));
}

static void larger_networks(void **unused) {
    struct tally tally = {0};
    (void)unused;
    for (uint64_t i = 0; i < rounds(300); i++) {
        struct sample s;
        if (!sample_init(&s, 500000 + i, 5, 600)) continue;
        check_sample(&s, 500000 + i, &tally);
        sample_fini(&s);
    }
    enough(&tally, OFTEN(20));
    if (getenv("COMPARE_ROUNDS"))
        printf("full %llu reduced %llu system %llu\n", (unsigned long long)tally.full,
               (unsigned long long)tally.reduced, (unsigned long long)tally.system);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testers_tell_what_compare_tells),
        cmocka_unit_test(larger_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
