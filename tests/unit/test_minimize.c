/* Minimising, against relations straight from their definitions (naive_lts.h), on random LTSs. */
#include "unit.h"

#include "base/clock.h"
#include "lts/bisimulation.h"
#include "lts/minimize.h"
#include "naive_lts.h"

enum { MOST = 8, LABELS = 3 };

/* Half of them have the structure of a tau-graph with few visible edges; special states are there now and then. */
static void random_lts(struct lts *l, uint32_t states) {
    static const char *const names[] = {"a", "b", "c"};
    struct lts_builder b;
    uint32_t labels = 1 + random_below(LABELS), taus = random_below(90), edges = random_below(3 * states + 1);
    lts_build(&b);
    for (uint32_t i = 0; i < labels; i++) names_add(&b.labels, names[i]);
    b.states = states;
    b.initial = random_below(states);
    if (random_chance(20)) b.end = random_below(states);
    if (random_chance(20)) b.error = random_below(states);
    if (b.error == b.end) b.error = LTS_NONE;
    bool forward = random_chance(30); /* no cycles but of visible edges */
    for (uint32_t i = 0; i < edges; i++) {
        uint32_t s = random_below(states), t = random_below(states);
        uint32_t label = random_chance(taus) ? LTS_TAU : 1 + random_below(labels);
        if (forward && label == LTS_TAU && s >= t) continue;
        if (s != b.end && s != b.error) lts_build_edge(&b, s, label, t);
    }
    lts_build_finish(&b, l);
}

static void print(const struct lts *l, const char *what) {
    fprintf(stderr, "%s: %u states, initial %u, end %d, error %d:", what, l->states, l->initial, (int)l->end,
            (int)l->error);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            fprintf(stderr, " %u-%s->%u", s, l->labels.text[e->label], e->target);
    fputc('\n', stderr);
}

/* ---- Well-formedness ---- */

static bool breadth_first(const struct lts *l) {
    uint32_t found = 1;
    if (l->initial != 0) return false;
    for (uint32_t s = 0; s < l->states; s++) {
        if (s >= found) return false;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->target > found) return false;
            if (e->target == found) found++;
            if (e > lts_begin(l, s) &&
                (e[-1].label > e->label || (e[-1].label == e->label && e[-1].target >= e->target)))
                return false;
        }
    }
    return found == l->states;
}

static bool special_states_are_plain(const struct lts *l) {
    uint32_t special[] = {l->end, l->error};
    for (int i = 0; i < 2; i++)
        if (special[i] != LTS_NONE && (special[i] >= l->states || l->first[special[i]] != l->first[special[i] + 1]))
            return false;
    return l->end == LTS_NONE || l->end != l->error;
}

static bool same_labels(const struct lts *a, const struct lts *b) {
    bool same = a->labels.count == b->labels.count;
    for (uint32_t i = 0; i < a->labels.count && same; i++) same = strcmp(a->labels.text[i], b->labels.text[i]) == 0;
    return same;
}

static bool equal(const struct lts *a, const struct lts *b) {
    return a->states == b->states && a->edges == b->edges && a->end == b->end && a->error == b->error &&
           memcmp(a->first, b->first, (a->states + 1) * sizeof *a->first) == 0 &&
           memcmp(a->edge, b->edge, a->edges * sizeof *a->edge) == 0;
}

/* Minimises, and checks what must be so for every relation. */
static void minimize(const struct lts *l, enum lts_relation rel, struct lts *out) {
    struct problem why = {0};
    struct lts again;
    assert_true(lts_minimize(l, rel, NULL, out, &why));
    assert_true(lts_minimize(out, rel, NULL, &again, &why));
    if (!breadth_first(out) || !special_states_are_plain(out) || !same_labels(l, out) || !equal(out, &again)) {
        print(l, relation_name(rel));
        print(out, "minimised");
        print(&again, "and again");
        fail();
    }
    lts_fini(&again);
}

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
               {RELATION_WEAK, naive_weak}};
    (void)unused;
    random_start(1);
    for (int i = 0; i < ROUNDS(30000); i++) {
        struct lts l;
        struct naive n;
        random_lts(&l, 1 + random_below(MOST));
        naive_from(&n, &l);
        for (size_t j = 0; j < COUNT(all); j++) {
            check_partition(&l, &n, all[j].rel, all[j].relation);
            check_quotient(&l, &n, all[j].rel, all[j].relation);
        }
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
        lts_fini(&l);
    }
}

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
 * times, there are odd edges, and a state that is weakly, but not branching bisimilar to another: it can do at once what
 * the other one does later. */
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

/* They take steps in proportion to their length, not to its square. */
static void long_paths_take_no_rounds(void **unused) {
    enum { LENGTH = 4000, STEPS = 300 * LENGTH };
    (void)unused;
    for (int i = 0; i < 4; i++) {
        struct lts l;
        uint32_t blocks;
        stairs(&l, LENGTH, i & 1, i & 2, 0);
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

/* At most one edge of a label, and taus only to special states. */
static bool deterministic(const struct lts *l) {
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->label == LTS_TAU && e->target != l->end && e->target != l->error) return false;
            if (e->label != LTS_TAU && e + 1 < lts_end(l, s) && e[1].label == e->label) return false;
        }
    return true;
}

static void traces(void **unused) {
    (void)unused;
    random_start(4);
    for (int i = 0; i < ROUNDS(10000); i++) {
        struct lts l, out;
        struct naive n, small;
        random_lts(&l, 1 + random_below(5));
        minimize(&l, RELATION_TRACE, &out);
        if (out.states <= NAIVE_STATES) {
            naive_from(&n, &l);
            naive_from(&small, &out);
            bool fine = deterministic(&out) && naive_traces_equal(&n, l.initial, &small, 0);
            for (uint32_t s = 0; s < out.states; s++)
                for (uint32_t t = 0; t < s; t++)
                    if (naive_traces_equal(&small, s, &small, t)) fine = false;
            if (!fine) {
                print(&l, "trace");
                print(&out, "minimised");
                fail();
            }
        }
        lts_fini(&out);
        lts_fini(&l);
    }
}

/* ---- Relations of tests: kept, and not larger than by bisimilarity ---- */

static void reductions(void **unused) {
    static const struct {
        enum lts_relation rel, at_least;
        bool (*equal)(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t);
    } all[] = {{RELATION_STABLE_FAILURES, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_CFFD, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_FAILURES_DIVERGENCES, RELATION_BRANCHING_DIV, naive_failures_equal},
               {RELATION_TREE_FAILURES, RELATION_WEAK, naive_tree_failures_equal},
               {RELATION_FAIR_TESTING, RELATION_WEAK, naive_tree_failures_equal}};
    uint32_t smaller = 0;
    (void)unused;
    random_start(5);
    for (int i = 0; i < ROUNDS(10000); i++) {
        struct lts l, out, bisimilar;
        struct naive n, small;
        random_lts(&l, 1 + random_below(MOST));
        naive_from(&n, &l);
        for (size_t j = 0; j < COUNT(all); j++) {
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
    assert_true(smaller > 100); /* the further steps do something */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bisimilarities),
                                       cmocka_unit_test(larger_partitions),
                                       cmocka_unit_test(hundreds_of_states),
                                       cmocka_unit_test(weak_with_hundreds_of_states),
                                       cmocka_unit_test(long_paths),
                                       cmocka_unit_test(long_paths_take_no_rounds),
                                       cmocka_unit_test(limits),
                                       cmocka_unit_test(weak_has_no_implied_edges),
                                       cmocka_unit_test(traces),
                                       cmocka_unit_test(reductions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
