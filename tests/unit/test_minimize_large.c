/* Minimising LTSs of hundreds of states, against signatures that are computed anew in each round; long paths; limits.
 * */
#include "minimized.h"

#include "base/clock.h"
#include "minimize/bisimulation.h"

/* ---- Hundreds of states: signatures that are computed anew in each round, by sorting and comparing ---- */

struct signatures {
    const struct lts *lts;
    bool inert, divergences;
    uint32_t *block, count;
    uint64_t *pairs[400];
    size_t sizes[400];
};

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether taus can go on for ever from s inside its block: then they get that far without repeating a state. */
static bool endless(const struct signatures *g, uint32_t s) {
    static bool can[400];
    const struct lts *l = g->lts;
    bool changed = true;
    for (uint32_t t = 0; t < l->states; t++) can[t] = g->block[t] == g->block[s];
    while (changed) {
        changed = false;
        for (uint32_t t = 0; t < l->states; t++) {
            bool goes_on = false;
            for (const struct lts_edge *e = lts_begin(l, t); e < lts_end(l, t); e++)
                if (e->label == LTS_TAU && can[e->target]) goes_on = true;
            if (can[t] && !goes_on) can[t] = false, changed = true;
        }
    }
    return can[s];
}

/* All (label, block) that s gets to, if `inert` after tau-steps inside its block, without such steps themselves. */
static void signature(struct signatures *g, uint32_t s) {
    const struct lts *l = g->lts;
    static uint32_t found[400];
    static bool seen[400];
    uint32_t n = 1;
    size_t size = 0;
    memset(seen, 0, sizeof seen);
    found[0] = s;
    seen[s] = true;
    g->pairs[s] = realloc(g->pairs[s], (l->edges + 2) * sizeof *g->pairs[s]);
    for (uint32_t i = 0; i < n; i++)
        for (const struct lts_edge *e = lts_begin(l, found[i]); e < lts_end(l, found[i]); e++) {
            bool inner = g->inert && e->label == LTS_TAU && g->block[e->target] == g->block[s];
            if (!inner) g->pairs[s][size++] = (uint64_t)e->label << 32 | g->block[e->target];
            else if (!seen[e->target]) seen[found[n++] = e->target] = true;
        }
    if (g->divergences && endless(g, s)) g->pairs[s][size++] = UINT64_MAX;
    qsort(g->pairs[s], size, sizeof *g->pairs[s], by_value);
    g->sizes[s] = 0;
    for (size_t i = 0; i < size; i++)
        if (i == 0 || g->pairs[s][i] != g->pairs[s][i - 1]) g->pairs[s][g->sizes[s]++] = g->pairs[s][i];
}

static bool together(const struct signatures *g, uint32_t s, uint32_t t) {
    return g->block[s] == g->block[t] && g->sizes[s] == g->sizes[t] &&
           memcmp(g->pairs[s], g->pairs[t], g->sizes[s] * sizeof *g->pairs[s]) == 0;
}

static uint32_t *refine_by_signatures(const struct lts *l, bool inert, bool divergences, uint32_t *blocks) {
    struct signatures g = {.lts = l, .inert = inert, .divergences = divergences};
    uint32_t *finer = malloc(l->states * sizeof *finer);
    g.block = malloc(l->states * sizeof *g.block);
    for (uint32_t s = 0; s < l->states; s++) g.block[s] = s == l->end ? 1 : s == l->error ? 2 : 0;
    for (uint32_t before = 0, count = 1; before != count;) {
        before = count;
        count = 0;
        for (uint32_t s = 0; s < l->states; s++) signature(&g, s);
        for (uint32_t s = 0; s < l->states; s++) {
            finer[s] = UINT32_MAX;
            for (uint32_t t = 0; t < s && finer[s] == UINT32_MAX; t++)
                if (together(&g, s, t)) finer[s] = finer[t];
            if (finer[s] == UINT32_MAX) finer[s] = count++;
        }
        memcpy(g.block, finer, l->states * sizeof *finer);
        *blocks = count;
        if (count == 1) break;
    }
    for (uint32_t s = 0; s < l->states; s++) free(g.pairs[s]);
    free(finer);
    return g.block;
}

/* Long ways of taus with edges down from them: many states lose their inert edges, one after the other. */
static void random_ladder(struct lts *l, uint32_t states) {
    struct lts_builder b;
    uint32_t labels = 1 + random_below(LABELS), upper = states / 2;
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) names_add(&b.labels, (const char *[]){"a", "b", "c"}[i]);
    b.states = states;
    for (uint32_t s = 0; s + 1 < states; s++) {
        bool up = s < upper;
        uint32_t far = s + 1 + random_below(states - s - 1 < 4 ? states - s - 1 : 4);
        lts_build_edge(&b, s, up || random_chance(20) ? LTS_TAU : 1 + random_below(labels), s + 1);
        if (random_chance(30)) lts_build_edge(&b, s, LTS_TAU, far);
        if (random_chance(40)) lts_build_edge(&b, s, 1 + random_below(labels), upper + random_below(states - upper));
        if (random_chance(3)) lts_build_edge(&b, s, LTS_TAU, random_below(states));
    }
    lts_build_finish(&b, l);
}

static void check_against_signatures(const struct lts *l) {
    static const struct {
        enum lts_relation rel;
        bool inert, divergences;
    } all[] = {
        {RELATION_STRONG, false, false}, {RELATION_BRANCHING, true, false}, {RELATION_BRANCHING_DIV, true, true}};
    for (size_t i = 0; i < COUNT(all); i++) {
        uint32_t blocks, expected_blocks, *block = lts_partition(l, all[i].rel, NULL, &blocks);
        uint32_t *expected = refine_by_signatures(l, all[i].inert, all[i].divergences, &expected_blocks);
        if (blocks != expected_blocks || memcmp(block, expected, l->states * sizeof *block) != 0) {
            print(l, relation_name(all[i].rel));
            fail_msg("%u blocks instead of %u", blocks, expected_blocks);
        }
        free(block);
        free(expected);
    }
}

static void hundreds_of_states(void **unused) {
    (void)unused;
    random_start(6);
    for (int i = 0; i < ROUNDS(600); i++) {
        struct lts l;
        uint32_t states = 10 + random_below(random_chance(80) ? 60 : 290);
        if (random_chance(60)) random_ladder(&l, states);
        else random_lts(&l, states);
        check_against_signatures(&l);
        lts_fini(&l);
    }
}

/* With hundreds of states: signatures of the saturated LTS, which has an edge for all that tau* a tau* gets to, and
 * tau*. */
static void saturate(const struct lts *l, struct lts *out) {
    struct lts_builder b;
    bool *reach = calloc((size_t)l->states * l->states, sizeof *reach);
    lts_build_with(&b, &l->labels);
    b.states = l->states;
    b.end = l->end;
    b.error = l->error;
    for (uint32_t s = 0; s < l->states; s++) {
        uint32_t stack[400], n = 1;
        bool *from = reach + (size_t)s * l->states;
        from[stack[0] = s] = true;
        while (n > 0) {
            uint32_t t = stack[--n];
            for (const struct lts_edge *e = lts_begin(l, t); e < lts_end(l, t); e++)
                if (e->label == LTS_TAU && !from[e->target]) from[stack[n++] = e->target] = true;
        }
    }
    for (uint32_t s = 0; s < l->states; s++)
        for (uint32_t t = 0; t < l->states; t++) {
            if (!reach[(size_t)s * l->states + t]) continue;
            lts_build_edge(&b, s, LTS_TAU, t);
            for (const struct lts_edge *e = lts_begin(l, t); e < lts_end(l, t); e++)
                for (uint32_t u = 0; u < l->states && e->label != LTS_TAU; u++)
                    if (reach[(size_t)e->target * l->states + u]) lts_build_edge(&b, s, e->label, u);
        }
    lts_build_finish(&b, out);
    free(reach);
}

static void weak_with_hundreds_of_states(void **unused) {
    (void)unused;
    random_start(7);
    for (int i = 0; i < ROUNDS(400); i++) {
        struct lts l, saturated;
        uint32_t blocks, expected_blocks, states = 10 + random_below(random_chance(90) ? 50 : 150);
        if (random_chance(60)) random_ladder(&l, states);
        else random_lts(&l, states);
        saturate(&l, &saturated);
        uint32_t *block = lts_partition(&l, RELATION_WEAK, NULL, &blocks);
        uint32_t *expected = refine_by_signatures(&saturated, false, false, &expected_blocks);
        if (blocks != expected_blocks || memcmp(block, expected, l.states * sizeof *block) != 0) {
            print(&l, "weak");
            fail_msg("%u blocks instead of %u", blocks, expected_blocks);
        }
        free(block);
        free(expected);
        lts_fini(&saturated);
        lts_fini(&l);
    }
}

/* ---- Shapes that take rounds of refinement one after the other ---- */

/* Two paths: tau-steps on the one, a-edges down from there to the other, b-steps back on that. `again`: from the end of
 * it to the beginning. `ladder`: there is one path, each step of which can be done both ways. So many
 * times, there are odd edges, and a state that is weakly, but not branching bisimilar to another: it can do at once
 * what the other one does later. */
static void stairs(struct lts *l, uint32_t n, bool again, bool ladder, uint32_t odd) {
    struct lts_builder b;
    lts_build(&b);
    uint32_t a = names_add(&b.labels, "a"), down = names_add(&b.labels, "b"), c = names_add(&b.labels, "c");
    b.states = 2 * n + 1;
    for (uint32_t i = 0; i + 1 < n; i++) lts_build_edge(&b, i, LTS_TAU, i + 1);
    for (uint32_t i = 0; i < n; i++) lts_build_edge(&b, i, a, ladder ? i + 1 : 2 * n - 1 - i);
    for (uint32_t i = 0; i < n; i++) lts_build_edge(&b, n + i, down, i == 0 ? 2 * n : n + i - 1);
    if (again) lts_build_edge(&b, ladder ? n : 2 * n, c, 0);
    for (uint32_t i = 0; i < odd; i++) {
        uint32_t twin = b.states, of = random_below(n - 1);
        lts_build_edge(&b, random_below(2 * n), 1 + random_below(2), n + random_below(n));
        lts_build_edge(&b, twin, LTS_TAU, of);
        lts_build_edge(&b, twin, a, ladder ? of + 2 : 2 * n - 2 - of);
        lts_build_edge(&b, random_below(2 * n), down, twin);
    }
    lts_build_finish(&b, l);
}

/* Everything that the weak relation says, in one LTS with another one beside it. */
static void side_by_side(const struct lts *x, const struct lts *y, struct lts *out) {
    const struct lts *both[] = {x, y};
    struct lts_builder b;
    lts_build_with(&b, &x->labels);
    for (uint32_t k = 0, offset = 0; k < 2; offset += both[k++]->states)
        for (uint32_t s = 0; s < both[k]->states; s++)
            for (const struct lts_edge *e = lts_begin(both[k], s); e < lts_end(both[k], s); e++)
                lts_build_edge(&b, offset + s, e->label, offset + e->target);
    b.states = x->states + y->states;
    lts_build_finish(&b, out);
}

static bool reaches(const struct lts *saturated, uint32_t s, uint32_t label, uint32_t t) {
    for (const struct lts_edge *e = lts_begin(saturated, s); e < lts_end(saturated, s); e++)
        if (e->label == label && e->target == t) return true;
    return false;
}

/* No edge is implied by the others. */
static void check_edges(const struct lts *l) {
    for (uint64_t i = 0; i < l->edges; i += 1 + random_below(20)) {
        struct lts less, saturated;
        uint32_t s = 0;
        lts_copy(&less, l);
        while (less.first[s + 1] <= i) s++;
        struct lts_edge e = less.edge[i];
        memmove(&less.edge[i], &less.edge[i + 1], (less.edges - i - 1) * sizeof e);
        less.edges--;
        for (uint32_t t = s + 1; t <= less.states; t++) less.first[t]--;
        saturate(&less, &saturated);
        assert_false(reaches(&saturated, s, e.label, e.target));
        lts_fini(&saturated);
        lts_fini(&less);
    }
}

static void long_paths(void **unused) {
    (void)unused;
    random_start(8);
    for (int i = 0; i < ROUNDS(160); i++) {
        struct lts l, out, both, saturated;
        uint32_t blocks;
        uint32_t n = 5 + random_below(45);
        stairs(&l, n, i & 1, i & 2, i & 4 ? 1 + n / 8 : 0);
        minimize(&l, RELATION_WEAK, &out);
        side_by_side(&l, &out, &both);
        saturate(&both, &saturated);
        uint32_t *block = refine_by_signatures(&saturated, false, false, &blocks);
        assert_int_equal(block[l.initial], block[l.states + out.initial]);
        for (uint32_t s = 0; s < out.states; s++)
            for (uint32_t t = 0; t < s; t++) assert_int_not_equal(block[l.states + s], block[l.states + t]);
        check_edges(&out);
        free(block);
        lts_fini(&saturated);
        lts_fini(&both);
        lts_fini(&out);
        lts_fini(&l);
    }
}

/* Numbers states the other way round, so that the tau-edges of stairs lead to lower numbers. */
static void turn_round(struct lts *l) {
    struct lts_builder b;
    lts_build_with(&b, &l->labels);
    b.states = l->states;
    b.initial = l->states - 1 - l->initial;
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            lts_build_edge(&b, l->states - 1 - s, e->label, l->states - 1 - e->target);
    lts_fini(l);
    lts_build_finish(&b, l);
}

/* They take steps in proportion to their length, not to its square. */
static void long_paths_take_no_rounds(void **unused) {
    enum { LENGTH = 4000, STEPS = 300 * LENGTH };
    (void)unused;
    for (int i = 0; i < 4; i++) {
        struct lts l;
        uint32_t blocks;
        stairs(&l, LENGTH, i & 1, i & 2, 0);
        turn_round(&l);
        uint32_t *block = bisimulation_weak(&l, STEPS, NULL, &blocks);
        assert_non_null(block);
        free(block);
        lts_fini(&l);
    }
}

/* ---- Limits ---- */

/* Whatever the limit: it is the right LTS, or none. */
static void limits(void **unused) {
    volatile sig_atomic_t interrupted = 1;
    struct lts l;
    (void)unused;
    random_start(9);
    stairs(&l, 400, true, false, 50);
    for (int rel = 0; rel < RELATIONS; rel++) {
        if (rel == RELATION_STRONG_TRACE) continue; /* these stairs lead to too many sets of states */
        struct effort none[] = {{.deadline = 1e-9}, {.most = 1}, {.interrupted = &interrupted}};
        struct lts whole, out;
        struct problem fine = {0};
        assert_true(lts_minimize(&l, (enum lts_relation)rel, NULL, &whole, &fine));
        for (size_t i = 0; i < COUNT(none); i++) {
            struct problem why = {0};
            assert_false(lts_minimize(&l, (enum lts_relation)rel, &none[i], &out, &why));
            assert_int_equal(why.status, EXIT_INCONCLUSIVE);
            problem_fini(&why);
        }
        for (double seconds = 1e-5; seconds < 1; seconds *= 3) {
            struct effort some = {.deadline = clock_seconds() + seconds, .seconds = seconds};
            struct problem why = {0};
            if (lts_minimize(&l, (enum lts_relation)rel, &some, &out, &why)) {
                assert_true(equal(&whole, &out));
                lts_fini(&out);
            } else {
                assert_int_equal(why.status, EXIT_INCONCLUSIVE);
                assert_non_null(strstr(why.text, "--time"));
                problem_fini(&why);
            }
        }
        lts_fini(&whole);
    }
    lts_fini(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hundreds_of_states),
                                       cmocka_unit_test(weak_with_hundreds_of_states), cmocka_unit_test(long_paths),
                                       cmocka_unit_test(long_paths_take_no_rounds), cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
