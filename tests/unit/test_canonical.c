/* A specification that becomes a tester: the verdict of the check on the fly, with and without stubborn sets, must be
 * that of the definitions, and of the comparison of the LTSs. Random networks, and specifications that are much like
 * them or not at all. */
#include "unit.h"

#include "base/text.h"
#include "fsp/fsp.h"
#include "compare/canonical_tester.h"
#include "compare/compare.h"
#include "compare/transversal.h"
#include "model/network/network_ts.h"
#include "nets.h"
#include "check/tester_check.h"

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
    struct nets_chance chance = {.components = components, .states = 4, .labels = 5, .tau = 20, .hidden = 30};
    struct problem why = {0};
    struct network other = {0};
    *s = (struct sample){0};
    random_start(seed);
    chance.special = random_chance(50) ? 25 : 0;
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

/* Straight from the definitions of doc/COMPARE.md: after each trace, the sets of states that both sides may be in, and
 * every set of labels that may be refused. A set of states is a word; END and ERROR have labels of their own. */
enum { NAIVE_STATES = 60, NAIVE_LABELS = 10, NAIVE_PAIRS = 20000 };

struct side {
    uint32_t states;
    uint64_t to[NAIVE_STATES][NAIVE_LABELS]; /* label 0 is tau */
    uint64_t divergent;
};

static void side_from(struct side *x, const struct lts *l, struct names *labels) {
    memset(x, 0, sizeof *x);
    x->states = l->states;
    assert_true(l->states <= NAIVE_STATES);
    for (uint32_t s = 0; s < l->states; s++) {
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            x->to[s][names_add(labels, l->labels.text[e->label])] |= UINT64_C(1) << e->target;
        if (s == l->end) x->to[s][names_add(labels, "END")] |= UINT64_C(1) << s;
        if (s == l->error) x->to[s][names_add(labels, "ERROR")] |= UINT64_C(1) << s;
    }
    assert_true(labels->count <= NAIVE_LABELS);
    x->divergent = UINT64_MAX;
    for (uint64_t before = 0; before != x->divergent;) {
        before = x->divergent;
        for (uint32_t s = 0; s < x->states; s++)
            if (!(x->to[s][0] & before)) x->divergent &= ~(UINT64_C(1) << s);
    }
}

static uint64_t step(const struct side *x, uint64_t set, uint32_t label) {
    uint64_t to = 0;
    for (uint32_t s = 0; s < x->states; s++)
        if (set >> s & 1) to |= x->to[s][label];
    return to;
}

static uint64_t closed(const struct side *x, uint64_t set) {
    for (uint64_t before = 0; before != set;) {
        before = set;
        set |= step(x, set, 0);
    }
    return set;
}

static bool can_refuse(const struct side *x, uint64_t set, uint32_t labels, uint32_t refused) {
    for (uint32_t s = 0; s < x->states; s++) {
        bool can = (set >> s & 1) && !x->to[s][0];
        for (uint32_t l = 1; l < labels; l++) can = can && !((refused >> l & 1) && x->to[s][l]);
        if (can) return true;
    }
    return false;
}

static bool diverges(const struct side *x, uint64_t set) { return (set & x->divergent) != 0; }

static bool after_is_illegal(const struct side *x, const struct side *y, uint64_t p, uint64_t q, uint32_t labels,
                             const char *relation) {
    bool failures = strcmp(relation, "trace") != 0, divergences = strstr(relation, "fd") || strstr(relation, "diverg");
    if (strcmp(relation, "stable-failures") != 0 && q == 0) return true;
    if (divergences && diverges(x, p) && !diverges(y, q)) return true;
    if (!failures || (strcmp(relation, "ndfd") == 0 && diverges(y, q))) return false;
    for (uint32_t refused = 0; refused < 1u << labels; refused += 2)
        if (can_refuse(x, p, labels, refused) && !can_refuse(y, q, labels, refused)) return true;
    return false;
}

/* Not known: there are too many sets. */
static enum outcome naively_illegal(const struct sample *s, const char *relation) {
    static struct side x, y;
    static uint64_t pair[NAIVE_PAIRS][2];
    struct names labels;
    enum outcome outcome = OUTCOME_NONE;
    uint32_t count = 1;
    names_init(&labels);
    names_add(&labels, "tau");
    side_from(&x, &s->system, &labels);
    side_from(&y, &s->spec, &labels);
    pair[0][0] = closed(&x, UINT64_C(1) << s->system.initial);
    pair[0][1] = closed(&y, UINT64_C(1) << s->spec.initial);
    for (uint32_t i = 0; i < count && outcome == OUTCOME_NONE; i++) {
        if (strcmp(relation, "failures-divergences") == 0 && diverges(&y, pair[i][1])) continue;
        if (after_is_illegal(&x, &y, pair[i][0], pair[i][1], labels.count, relation)) outcome = OUTCOME_FOUND;
        for (uint32_t l = 1; l < labels.count && outcome == OUTCOME_NONE; l++) {
            uint64_t p = closed(&x, step(&x, pair[i][0], l)), q = closed(&y, step(&y, pair[i][1], l));
            uint32_t k = 0;
            while (k < count && (pair[k][0] != p || pair[k][1] != q)) k++;
            if (p == 0 || k < count) continue;
            if (count == NAIVE_PAIRS) outcome = OUTCOME_GIVEN_UP;
            else pair[count][0] = p, pair[count++][1] = q;
        }
    }
    names_fini(&labels);
    return outcome;
}

/* What compare says, if it knows the relation. */
static enum outcome compared(const struct sample *s, const char *relation) {
    struct comparison c;
    struct problem why = {0};
    struct comparison_question q = {.relation = relation_find(relation), .preorder = true};
    assert_true(q.relation != RELATIONS);
    if (!lts_compare(&s->system, &s->spec, &q, &c, &why)) fail_msg("%s", why.text);
    bool holds = c.holds;
    comparison_fini(&c);
    return holds ? OUTCOME_NONE : OUTCOME_FOUND;
}

/* By both, where both can be known. */
static enum outcome illegal(const struct sample *s, const char *relation, bool naively, uint64_t seed) {
    enum outcome known = compared(s, relation), naive = naively ? naively_illegal(s, relation) : OUTCOME_GIVEN_UP;
    if (known == OUTCOME_GIVEN_UP || naive == OUTCOME_GIVEN_UP) return known == OUTCOME_GIVEN_UP ? naive : known;
    if (known != naive) fail_msg("%s, seed %llu: compare is wrong", relation, (unsigned long long)seed);
    return known;
}

static const char *const relations[] = {"trace", "stable-failures",     "csp-stable-failures", "cffd",
                                        "ndfd",  "failures-divergences"};

/* ---- Checks ---- */

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

/* As C models are: actions turn up during the search, rules are not local, and transitions tell whether they can be
 * seen. */
static bool seen[1024];

static int told(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    (void)w;
    (void)fault;
    return seen[t];
}

static void tell(struct ts *ts, struct ts_ops *ops) {
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct ts_fault fault;
    word state[64];
    assert_true(ts->transitions <= COUNT(seen) && ts->words <= COUNT(state));
    assert_true(ts->ops->initial(w, state, &fault));
    for (uint32_t t = 0; t < ts->transitions; t++) {
        uint32_t a = ts->ops->action(w, state, t, &fault);
        seen[t] = random_chance(10) || (a != 0 && !(ts->action_hidden && ts->action_hidden[a]));
    }
    ts->ops->worker_free(w);
    *ops = *ts->ops;
    ops->observable = told;
    ts->ops = ops;
    ts->fixed_actions = false;
    ts->observable_known = true;
    ts->features &= ~(unsigned)TS_CHOICE_OF_RULES;
}

struct tally {
    uint32_t yes[COUNT(relations)], no[COUNT(relations)];
    uint64_t full, reduced;
};

static void check_sample(const struct sample *s, uint64_t seed, bool naively, struct tally *tally) {
    struct ts *ts = sample_open(s);
    struct ts_ops ops;
    if (random_chance(25)) tell(ts, &ops);
    for (size_t k = 0; k < COUNT(relations); k++) {
        struct canonical_question q = {.spec = &s->spec, .name = "SPEC", .whole = true};
        struct problem why = {0};
        struct tester t;
        enum outcome known = illegal(s, relations[k], naively, seed);
        if (known == OUTCOME_GIVEN_UP) continue;
        bool holds = known == OUTCOME_NONE;
        assert_true(canonical_relation(relations[k], &q.relation, &why));
        if (!canonical_tester(&q, &t, &why)) fail_msg("%s", why.text);
        if (!tester_well_formed(&t, "here", &why)) fail_msg("%s", why.text);
        uint64_t full = expect(s, ts, &t, false, holds, relations[k], seed);
        uint64_t reduced = expect(s, ts, &t, true, holds, relations[k], seed);
        if (holds) tally->full += full, tally->reduced += reduced;
        (holds ? tally->yes : tally->no)[k]++;
        tester_fini(&t);
    }
    ts->ops->close(ts);
}

static void testers_tell_what_is_below(void **unused) {
    struct tally tally = {0};
    (void)unused;
    for (uint64_t i = 0; i < rounds(1500); i++) {
        struct sample s;
        if (!sample_init(&s, i, 3, NAIVE_STATES)) continue;
        check_sample(&s, i, true, &tally);
        sample_fini(&s);
    }
    for (size_t k = 0; k < COUNT(relations); k++)
        if (tally.yes[k] < OFTEN(200) || tally.no[k] < OFTEN(200))
            fail_msg("%s: %u yes, %u no", relations[k], tally.yes[k], tally.no[k]);
}

static void larger_networks(void **unused) {
    struct tally tally = {0};
    (void)unused;
    for (uint64_t i = 0; i < rounds(200); i++) {
        struct sample s;
        if (!sample_init(&s, 500000 + i, 5, 600)) continue;
        check_sample(&s, 500000 + i, false, &tally);
        sample_fini(&s);
    }
    if (getenv("COMPARE_ROUNDS"))
        printf("full %llu reduced %llu\n", (unsigned long long)tally.full, (unsigned long long)tally.reduced);
    assert_true(tally.reduced < tally.full);
}

/* ---- Files ---- */

/* Kinds and labels of states, as far as `depth` steps lead: the same of both? */
static bool alike(const struct tester *x, uint32_t s, const struct tester *y, uint32_t t, int depth) {
    const struct lts_edge *e = lts_begin(&x->lts, s), *f = lts_begin(&y->lts, t);
    if (x->kinds[s] != y->kinds[t] || lts_end(&x->lts, s) - e != lts_end(&y->lts, t) - f) return false;
    for (; depth > 0 && e < lts_end(&x->lts, s); e++) {
        bool found = false;
        for (f = lts_begin(&y->lts, t); f < lts_end(&y->lts, t) && !found; f++)
            found = strcmp(x->lts.labels.text[e->label], y->lts.labels.text[f->label]) == 0 &&
                    alike(x, e->target, y, f->target, depth - 1);
        if (!found) return false;
    }
    return true;
}

static void written_testers_are_the_same(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < rounds(200); i++) {
        struct sample s;
        if (!sample_init(&s, 900000 + i, 3, NAIVE_STATES)) continue;
        for (size_t k = 0; k < COUNT(relations); k++) {
            struct canonical_question q = {.spec = &s.spec, .name = "SPEC"};
            struct problem why = {0};
            struct tester t, read;
            char *text;
            size_t size;
            assert_true(canonical_relation(relations[k], &q.relation, &why));
            if (!canonical_tester(&q, &t, &why)) fail_msg("%s", why.text);
            FILE *out = open_memstream(&text, &size);
            assert_true(fsp_write_tester(&t, "TESTER", out, &why));
            fclose(out);
            struct fsp_file *f = fsp_read_text("text", text, NULL, 0, NULL, &why);
            if (!f || !fsp_tester(f, "TESTER", NULL, &read, &why)) fail_msg("%s\n%s", why.text, text);
            assert_int_equal(read.lts.states, t.lts.states);
            assert_int_equal(read.lts.edges, t.lts.edges);
            assert_int_equal(read.lts.labels.count, t.lts.labels.count);
            if (!alike(&t, t.lts.initial, &read, read.lts.initial, 5)) fail_msg("seed %u:\n%s", (unsigned)i, text);
            tester_fini(&read);
            tester_fini(&t);
            fsp_free(f);
            free(text);
        }
        sample_fini(&s);
    }
}

/* ---- Transversals ---- */

static bool meets_all(const uint32_t *family, uint32_t count, uint32_t set) {
    for (uint32_t i = 0; i < count; i++)
        if (!(family[i] & set)) return false;
    return true;
}

static bool is_minimal(const uint32_t *family, uint32_t count, uint32_t set) {
    for (uint32_t e = 0; e < 10; e++)
        if ((set >> e & 1) && meets_all(family, count, set & ~(1u << e))) return false;
    return true;
}

/* Elements are spread over two words. */
static uint32_t place_of(uint32_t element) { return element < 5 ? element : 60 + element; }

static void transversals(void **unused) {
    (void)unused;
    random_start(77);
    for (uint32_t round = 0; round < rounds(2000); round++) {
        uint32_t family[6], count = random_below(7), expected = 0;
        struct family f, found;
        family_init(&f, 80);
        for (uint32_t i = 0; i < count; i++) {
            family[i] = random_below(1024) & (random_chance(50) ? random_below(1024) : 1023);
            uint64_t *set = family_add(&f);
            for (uint32_t e = 0; e < 10; e++)
                if (family[i] >> e & 1) set_put(set, place_of(e));
        }
        if (random_chance(50)) family_minimise(&f);
        assert_true(family_transversals(&f, 100000, NULL, &found));
        for (uint32_t set = 0; set < 1024; set++) {
            bool wanted = meets_all(family, count, set) && is_minimal(family, count, set);
            uint32_t times = 0;
            for (uint32_t i = 0; i < found.count; i++) {
                bool same = true;
                for (uint32_t e = 0; e < 10; e++)
                    same = same && set_has(family_set(&found, i), place_of(e)) == (set >> e & 1);
                times += same;
            }
            assert_int_equal(times, wanted);
            expected += wanted;
        }
        assert_int_equal(found.count, expected);
        family_fini(&found);
        if (expected > 1) assert_false(family_transversals(&f, 1, NULL, &found)), family_fini(&found);
        family_fini(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testers_tell_what_is_below),
        cmocka_unit_test(larger_networks),
        cmocka_unit_test(written_testers_are_the_same),
        cmocka_unit_test(transversals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
