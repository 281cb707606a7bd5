/* What onager info tells, held against definitions over the whole relation of what reaches what. */
#include "unit.h"

#include "lts/info.h"

enum { MOST = 9 };

static void random_lts(struct lts *l) {
    struct lts_builder b;
    uint32_t states = 1 + random_below(MOST), edges = random_below(2 * states + 1);
    lts_build(&b);
    names_add(&b.labels, "a");
    names_add(&b.labels, "b");
    b.states = states;
    b.initial = random_below(states);
    for (uint32_t i = 0; i < edges; i++)
        lts_build_edge(&b, random_below(states), random_below(3), random_below(states));
    lts_build_finish(&b, l);
}

/* Over one edge or more; only invisible ones, or all. */
static void close_paths(const struct lts *l, bool invisible, bool reach[MOST][MOST]) {
    memset(reach, 0, MOST * MOST * sizeof(bool));
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (!invisible || e->label == LTS_TAU) reach[s][e->target] = true;
    for (uint32_t k = 0; k < l->states; k++)
        for (uint32_t i = 0; i < l->states; i++)
            for (uint32_t j = 0; j < l->states; j++) reach[i][j] |= reach[i][k] && reach[k][j];
}

/* The states of the list are the first ones for which `is` holds, and as many are counted as there are. */
static void assert_states(const struct info_states *some, const bool *is, uint32_t states) {
    uint64_t n = 0;
    for (uint32_t s = 0; s < states; s++)
        if (is[s]) {
            if (n < INFO_SHOWN) assert_int_equal(some->first[n], s);
            n++;
        }
    assert_int_equal(some->count, n);
}

static bool has_choice(const struct lts *l, uint32_t s) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        for (const struct lts_edge *f = lts_begin(l, s); f < lts_end(l, s); f++)
            if (e != f && e->label == f->label) return true;
    return false;
}

static bool leads(const struct lts *l, uint32_t s, uint32_t label, uint32_t target) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (e->label == label && e->target == target) return true;
    return false;
}

struct components {
    uint32_t count, bottom_states, largest;
    bool bottom[MOST]; /* the least state of one */
};

static struct components naive_components(const struct lts *l, bool reach[MOST][MOST], const bool *alive) {
    struct components c = {0};
    for (uint32_t s = 0; s < l->states; s++) {
        bool least = alive[s], left = false;
        uint32_t size = 0;
        for (uint32_t t = 0; t < l->states; t++) {
            bool same = s == t || (reach[s][t] && reach[t][s]);
            if (same && t < s) least = false;
            if (reach[s][t] && !same) left = true;
            size += same;
        }
        if (!least) continue;
        c.count++;
        if (left) continue;
        c.bottom[s] = true;
        c.bottom_states += size;
        if (size > c.largest) c.largest = size;
    }
    return c;
}

/* Reached from s, over no edge or more: a state that is `good`. */
static bool gets_to(const struct lts *l, bool reach[MOST][MOST], uint32_t s,
                    bool (*good)(const struct lts *l, uint32_t t)) {
    for (uint32_t t = 0; t < l->states; t++)
        if ((s == t || reach[s][t]) && good(l, t)) return true;
    return false;
}

static bool goes_on_visibly_or_ends(const struct lts *l, uint32_t t) {
    for (const struct lts_edge *e = lts_begin(l, t); e < lts_end(l, t); e++)
        if (e->label != LTS_TAU) return true;
    return lts_begin(l, t) == lts_end(l, t);
}

static bool is_stable(const struct lts *l, uint32_t t) {
    for (const struct lts_edge *e = lts_begin(l, t); e < lts_end(l, t); e++)
        if (e->label == LTS_TAU) return false;
    return true;
}

/* FAIR Section 9: what is lost, and that what cannot stabilize any more diverges (Lemma 13), and that what can makes
 * progress (Lemma 10). */
static void check_always(const struct lts *l, const struct lts_info *info, bool reach[MOST][MOST],
                         bool silent[MOST][MOST], const bool *alive, uint32_t *lost) {
    bool unprogressing[MOST], unstabilizing[MOST];
    for (uint32_t s = 0; s < l->states; s++) {
        bool diverges = silent[s][s];
        for (uint32_t t = 0; t < l->states; t++) diverges |= silent[s][t] && silent[t][t];
        unprogressing[s] = alive[s] && !gets_to(l, reach, s, goes_on_visibly_or_ends);
        unstabilizing[s] = alive[s] && !gets_to(l, reach, s, is_stable);
        assert_true(!unprogressing[s] || unstabilizing[s]);
        assert_true(!unstabilizing[s] || diverges);
    }
    assert_states(&info->unprogressing, unprogressing, l->states);
    assert_states(&info->unstabilizing, unstabilizing, l->states);
    lost[0] += info->unprogressing.count > 0;
    lost[1] += info->unstabilizing.count > info->unprogressing.count;
}

static void agrees(void **unused) {
    uint32_t deterministic = 0, lost[2] = {0};
    (void)unused;
    random_start(1);
    for (int i = 0; i < ROUNDS(20000); i++) {
        bool reach[MOST][MOST], silent[MOST][MOST], alive[MOST], choice[MOST], tau[MOST], cycle[MOST], dead[MOST];
        uint64_t edges[3] = {0};
        struct lts_info info;
        struct lts l;
        random_lts(&l);
        close_paths(&l, false, reach);
        close_paths(&l, true, silent);
        uint32_t count = 0;
        for (uint32_t s = 0; s < l.states; s++) {
            alive[s] = s == l.initial || reach[l.initial][s];
            choice[s] = alive[s] && has_choice(&l, s);
            tau[s] = cycle[s] = false;
            for (uint32_t t = 0; t < l.states; t++) tau[s] |= alive[s] && leads(&l, s, LTS_TAU, t);
            cycle[s] = alive[s] && silent[s][s];
            dead[s] = alive[s] && lts_begin(&l, s) == lts_end(&l, s);
            count += alive[s];
            for (const struct lts_edge *e = lts_begin(&l, s); e < lts_end(&l, s); e++) edges[e->label] += alive[s];
        }
        struct components c = naive_components(&l, reach, alive);
        assert_true(lts_info(&l, NULL, &info));
        assert_int_equal(info.reachable, count);
        assert_int_equal(info.edges, edges[0] + edges[1] + edges[2]);
        for (uint32_t a = 0; a < 3; a++) assert_int_equal(info.label_edges[a], edges[a]);
        assert_states(&info.choices, choice, l.states);
        assert_states(&info.invisible, tau, l.states);
        assert_states(&info.tau_cycles, cycle, l.states);
        assert_states(&info.deadlocks, dead, l.states);
        assert_states(&info.bottoms, c.bottom, l.states);
        check_always(&l, &info, reach, silent, alive, lost);
        assert_int_equal(info.components, c.count);
        assert_int_equal(info.bottom_states, c.bottom_states);
        assert_int_equal(info.largest_bottom, c.largest);
        assert_int_equal(info.deterministic, info.choices.count == 0 && edges[LTS_TAU] == 0);
        if (info.choices.count > 0) {
            assert_true(info.choice_target[0] != info.choice_target[1]);
            for (int k = 0; k < 2; k++)
                assert_true(leads(&l, info.choices.first[0], info.choice_label, info.choice_target[k]));
        }
        deterministic += info.deterministic;
        lts_info_fini(&info);
        lts_fini(&l);
    }
    assert_true(deterministic > ROUNDS(20000) / 50);
    assert_true(lost[0] > ROUNDS(20000) / 50 && lost[1] > ROUNDS(20000) / 50);
}

/* It does not recurse, and ends when somebody asks it to. */
static void large(void **unused) {
    enum { STATES = 300000 };
    volatile sig_atomic_t interrupted = 1;
    struct effort effort = {.interrupted = &interrupted};
    struct lts_builder b;
    struct lts_info info;
    struct lts l;
    (void)unused;
    lts_build(&b);
    for (uint32_t s = 0; s < STATES; s++) lts_build_edge(&b, s, LTS_TAU, (s + 1) % STATES);
    lts_build_finish(&b, &l);
    assert_true(lts_info(&l, NULL, &info));
    assert_int_equal(info.components, 1);
    assert_int_equal(info.tau_cycles.count, STATES);
    assert_int_equal(info.unprogressing.count, STATES);
    assert_int_equal(info.unstabilizing.count, STATES);
    lts_info_fini(&info);
    assert_false(lts_info(&l, &effort, &info));
    lts_fini(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees), cmocka_unit_test(large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
