/* Minimising, against relations straight from their definitions (naive_lts.h), on random LTSs. */
#include "compare/compare.h"
#include "minimized.h"
#include "naive_lts.h"

/* ---- Bisimilarities ---- */

typedef void oracle(const struct naive *n, uint32_t *relates);

/* The partition is the relation. */
static void check_partition(const struct lts *l, const struct naive *n, enum lts_relation rel, oracle *relation) {
    uint32_t relates[NAIVE_STATES], blocks, *block = lts_partition(l, rel, NULL, &blocks), seen = 0;
    relation(n, relates);
    for (uint32_t s = 0; s < l->states; s++) {
        assert_true(block[s] <= seen && block[s] < blocks);
        if (block[s] == seen) seen++;
        for (uint32_t t = 0; t < l->states; t++)
            if ((block[s] == block[t]) != (relates[s] >> t & 1)) {
                print(l, relation_name(rel));
                fail_msg("states %u and %u: blocks %u and %u", s, t, block[s], block[t]);
            }
    }
    assert_int_equal(seen, blocks);
    free(block);
}

/* The result is related, has no two related states, and no edge that could be left out. */
static void check_quotient(const struct lts *l, const struct naive *n, enum lts_relation rel, oracle *relation) {
    struct lts out;
    struct naive small, whole;
    uint32_t relates[NAIVE_STATES], shift;
    minimize(l, rel, &out);
    naive_from(&small, &out);
    naive_union(&whole, n, &small, &shift);
    relation(&whole, relates);
    bool fine = relates[l->initial] >> shift & 1;
    for (uint32_t s = 0; s < out.states; s++)
        for (uint32_t t = 0; t < out.states; t++)
            if (s != t && relates[shift + s] >> (shift + t) & 1) fine = false;
    if (!fine) {
        print(l, relation_name(rel));
        print(&out, "not the least one");
        fail();
    }
    lts_fini(&out);
}

static void bisimilarities(void **unused) {
    static const struct {
        enum lts_relation rel;
        oracle *relation;
    } all[] = {{RELATION_STRONG, naive_strong},
               {RELATION_BRANCHING, naive_branching},
               {RELATION_BRANCHING_DIV, naive_branching_div},
               {RELATION_WEAK, naive_weak},
               {RELATION_WEAK_DIV, naive_weak_div},
               {RELATION_TAUSTAR, naive_taustar}};
    (void)unused;
    random_start(1);
    for (int i = 0; i < ROUNDS(30000); i++) {
        struct lts l;
        struct naive n;
        random_lts(&l, 1 + random_below(MOST));
        naive_from(&n, &l);
        for (size_t j = 0; j < COUNT(all); j++) {
            if (j >= 4 && i % 4 > 0) break; /* these take long */
            check_partition(&l, &n, all[j].rel, all[j].relation);
            check_quotient(&l, &n, all[j].rel, all[j].relation);
        }
        lts_fini(&l);
    }
}

/* ---- Similarities ---- */

static void strong_simulation(const struct naive *n, uint32_t *relates) { naive_simulation(n, false, relates); }
static void ready_simulation(const struct naive *n, uint32_t *relates) { naive_simulation(n, true, relates); }

/* No two states simulate each other, and no edge leads to less than another with the same label: by Bustan and
 * Grumberg, that is the least LTS, since all states can be reached. */
static bool is_least(const struct lts *out, const uint32_t *relates, uint32_t shift, bool taus) {
    for (uint32_t s = 0; s < out->states; s++) {
        for (uint32_t t = 0; t < s; t++)
            if ((relates[shift + s] >> (shift + t) & 1) && (relates[shift + t] >> (shift + s) & 1)) return false;
        for (const struct lts_edge *e = lts_begin(out, s); e < lts_end(out, s); e++) {
            if (!taus && e->label == LTS_TAU && e->target != out->end && e->target != out->error) return false;
            for (const struct lts_edge *f = lts_begin(out, s); f < lts_end(out, s); f++)
                if (e != f && e->label == f->label && e->label != LTS_TAU &&
                    (relates[shift + e->target] >> (shift + f->target) & 1))
                    return false;
        }
    }
    return true;
}

static void check_similar(const struct lts *l, const struct naive *n, enum lts_relation rel, oracle *simulated) {
    struct lts out;
    struct naive small, whole;
    uint32_t relates[NAIVE_STATES], shift;
    minimize(l, rel, &out);
    naive_from(&small, &out);
    naive_union(&whole, n, &small, &shift);
    simulated(&whole, relates);
    if (!(relates[l->initial] >> shift & 1) || !(relates[shift] >> l->initial & 1) ||
        !is_least(&out, relates, shift, relation_row(rel)->tau == TAU_IS_A_LABEL)) {
        print(l, relation_name(rel));
        print(&out, "not the least one");
        fail();
    }
    lts_fini(&out);
}

static void similarities(void **unused) {
    (void)unused;
    random_start(6);
    for (int i = 0; i < ROUNDS(3000); i++) {
        struct lts l;
        struct naive n;
        random_lts(&l, 1 + random_below(MOST));
        naive_from(&n, &l);
        check_similar(&l, &n, RELATION_SIMULATION, strong_simulation);
        check_similar(&l, &n, RELATION_READY_SIMULATION, ready_simulation);
        check_similar(&l, &n, RELATION_WEAK_SIMULATION, naive_weak_simulation);
        lts_fini(&l);
    }
}

/* Larger ones, whose states need not fit into a word twice. */
static void larger_partitions(void **unused) {
    (void)unused;
    random_start(2);
    for (int i = 0; i < ROUNDS(4000); i++) {
        struct lts l;
        struct naive n;
        random_lts(&l, 9 + random_below(NAIVE_STATES - 8));
        naive_from(&n, &l);
        check_partition(&l, &n, RELATION_STRONG, naive_strong);
        check_partition(&l, &n, RELATION_BRANCHING, naive_branching);
        check_partition(&l, &n, RELATION_BRANCHING_DIV, naive_branching_div);
        check_partition(&l, &n, RELATION_WEAK, naive_weak);
        check_partition(&l, &n, RELATION_WEAK_DIV, naive_weak_div);
        check_partition(&l, &n, RELATION_TAUSTAR, naive_taustar);
        lts_fini(&l);
    }
}

/* No edge of a least weak LTS can be left out. */
static void weak_has_no_implied_edges(void **unused) {
    (void)unused;
    random_start(3);
    for (int i = 0; i < ROUNDS(5000); i++) {
        struct lts l, out;
        struct naive n, less, whole;
        uint32_t relates[NAIVE_STATES], shift;
        random_lts(&l, 1 + random_below(MOST));
        minimize(&l, RELATION_WEAK, &out);
        naive_from(&n, &out);
        for (uint32_t s = 0; s < out.states; s++)
            for (const struct lts_edge *e = lts_begin(&out, s); e < lts_end(&out, s); e++) {
                struct lts_builder b;
                struct lts without;
                lts_build_with(&b, &out.labels);
                b.states = out.states;
                b.end = out.end;
                b.error = out.error;
                for (uint32_t t = 0; t < out.states; t++)
                    for (const struct lts_edge *f = lts_begin(&out, t); f < lts_end(&out, t); f++)
                        if (f != e) lts_build_edge(&b, t, f->label, f->target);
                lts_build_finish(&b, &without);
                naive_from(&less, &without);
                naive_union(&whole, &n, &less, &shift);
                naive_weak(&whole, relates);
                if (relates[0] >> shift & 1) {
                    print(&out, "an edge too many");
                    fail();
                }
                lts_fini(&without);
            }
        lts_fini(&out);
        lts_fini(&l);
    }
}

/* ---- Traces ---- */

/* At most one edge of a label, and taus only to special states; or tau is a label, and special states are reached
 * beside others. */
static bool deterministic(const struct lts *l, bool strong) {
    for (uint32_t s = 0; s < l->states; s++) {
        const struct lts_edge *other = NULL; /* the last edge that leads to a plain state */
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            bool special = e->target == l->end || e->target == l->error;
            if (!strong && e->label == LTS_TAU && !special) return false;
            if (!strong && e->label != LTS_TAU && e + 1 < lts_end(l, s) && e[1].label == e->label) return false;
            if (strong && !special && other && other->label == e->label) return false;
            if (!special) other = e;
        }
    }
    return true;
}

typedef bool equality(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t);

static void check_traces(const struct lts *l, enum lts_relation rel, equality *equal_traces) {
    struct lts out;
    struct naive n, small;
    minimize(l, rel, &out);
    if (out.states <= NAIVE_STATES) {
        naive_from(&n, l);
        naive_from(&small, &out);
        bool fine = deterministic(&out, rel == RELATION_STRONG_TRACE) && equal_traces(&n, l->initial, &small, 0);
        for (uint32_t s = 0; s < out.states; s++)
            for (uint32_t t = 0; t < s; t++)
                if (equal_traces(&small, s, &small, t)) fine = false;
        if (!fine) {
            print(l, relation_name(rel));
            print(&out, "minimised");
            fail();
        }
    }
    lts_fini(&out);
}

static void traces(void **unused) {
    (void)unused;
    random_start(4);
    for (int i = 0; i < ROUNDS(10000); i++) {
        struct lts l;
        random_lts(&l, 1 + random_below(5));
        check_traces(&l, RELATION_TRACE, naive_traces_equal);
        if (i % 3 == 0) check_traces(&l, RELATION_STRONG_TRACE, naive_strong_traces_equal);
        lts_fini(&l);
    }
}

/* ---- Relations of tests: kept, and not larger than by bisimilarity ---- */

static bool coupled_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t) {
    struct naive both;
    uint32_t relates[NAIVE_STATES], shift;
    naive_union(&both, n, m, &shift);
    naive_coupled(&both, relates);
    return (relates[s] >> (shift + t) & 1) && (relates[shift + t] >> s & 1);
}

static void reductions(void **unused) {
    static const struct {
        enum lts_relation rel, at_least;
        equality *equal;
    } all[] = {{RELATION_STABLE_FAILURES, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_CFFD, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_FAILURES_DIVERGENCES, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_TREE_FAILURES, RELATION_WEAK, naive_tree_failures_equal},
               {RELATION_FAIR_TESTING, RELATION_WEAK, naive_tree_failures_equal},
               {RELATION_ORDINARY_FAILURES, RELATION_WEAK, naive_tree_failures_equal},
               {RELATION_CSP_STABLE_FAILURES, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_NDFD, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_STRONG_FAILURES, RELATION_STRONG, naive_strong_failures_equal},
               {RELATION_COUPLED_SIMULATION, RELATION_WEAK, coupled_equal}};
    uint32_t smaller = 0;
    (void)unused;
    random_start(5);
    for (int i = 0; i < ROUNDS(10000); i++) {
        struct lts l, out, bisimilar;
        struct naive n, small;
        random_lts(&l, 1 + random_below(MOST));
        naive_from(&n, &l);
        for (size_t j = 0; j < COUNT(all); j++) {
            if (j >= 5 && i % 4 > 0) break;
            minimize(&l, all[j].rel, &out);
            minimize(&l, all[j].at_least, &bisimilar);
            naive_from(&small, &out);
            if (!all[j].equal(&n, l.initial, &small, 0) || out.states > bisimilar.states) {
                print(&l, relation_name(all[j].rel));
                print(&out, "reduced");
                fail();
            }
            smaller += out.states < bisimilar.states;
            lts_fini(&out);
            lts_fini(&bisimilar);
        }
        lts_fini(&l);
    }
    assert_true(smaller > OFTEN(100)); /* the further steps do something */
}

/* ---- Initial stability ---- */

static bool starts_with_tau(const struct lts *l) {
    const struct lts_edge *e = lts_begin(l, l->initial);
    return e < lts_end(l, l->initial) && e->label == LTS_TAU;
}

static void minimize_stably(const struct lts *l, enum lts_relation rel, struct lts *out) {
    struct problem why = {0};
    assert_true(lts_minimize(l, rel, NULL, out, &why));
    minimize_restore_stability(l, rel, out);
}

static void stability(void **unused) {
    uint32_t changed = 0;
    (void)unused;
    random_start(7);
    for (int i = 0; i < ROUNDS(4000); i++) {
        enum lts_relation rel = (enum lts_relation)random_below(RELATIONS);
        struct comparison_question q = {.relation = rel, .stability = true, .no_witness = true};
        struct lts l, out, again, plain;
        struct comparison c;
        struct problem why = {0};
        random_lts(&l, 1 + random_below(MOST));
        minimize(&l, rel, &plain);
        minimize_stably(&l, rel, &out);
        minimize_stably(&out, rel, &again);
        assert_true(lts_compare(&l, &out, &q, &c, &why));
        if (!c.holds || !breadth_first(&out) || !special_states_are_plain(&out) || !equal(&out, &again) ||
            starts_with_tau(&l) != starts_with_tau(&out) || out.states > plain.states + 1) {
            print(&l, relation_name(rel));
            print(&out, "with initial stability");
            fail();
        }
        changed += !equal(&plain, &out);
        comparison_fini(&c);
        lts_fini(&l);
        lts_fini(&out);
        lts_fini(&again);
        lts_fini(&plain);
    }
    assert_true(changed > OFTEN(100));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bisimilarities),
                                       cmocka_unit_test(similarities),
                                       cmocka_unit_test(stability),
                                       cmocka_unit_test(larger_partitions),
                                       cmocka_unit_test(weak_has_no_implied_edges),
                                       cmocka_unit_test(traces),
                                       cmocka_unit_test(reductions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
