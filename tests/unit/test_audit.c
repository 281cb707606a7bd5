/* Audits on tiny systems: right rules pass; every kind of wrong rule is found and named. */
#include "unit.h"

#include "graph.h"
#include "reduce/audit.h"

/* ---- Systems ----
 * Two or more independent counters as a product: state = sum of digit[t] * weight[t]; transition t increments digit t
 * below its limit. They commute; nothing enables or disables anything else, so no obligations are needed. Tests bend
 * it. */

enum { DIGITS = 3, LIMIT = 3, STATES = LIMIT * LIMIT * LIMIT };

static uint32_t digit(uint32_t s, uint32_t t) { return s / (t == 0 ? 1 : t == 1 ? LIMIT : LIMIT * LIMIT) % LIMIT; }
static uint32_t bump(uint32_t s, uint32_t t) { return s + (t == 0 ? 1 : t == 1 ? LIMIT : LIMIT * LIMIT); }

static void counters(struct graph *g) {
    graph_init(g, STATES, DIGITS, 1);
    for (uint32_t s = 0; s < STATES; s++)
        for (uint32_t t = 0; t < DIGITS; t++)
            if (digit(s, t) + 1 < LIMIT) *graph_next(g, s, t) = bump(s, t);
    graph_obliges(g, 0, 0);
    g->ts.features = TS_OBLIGATIONS;
}

static void oblige(struct graph *g, uint32_t t, uint32_t u) { /* in every state */
    for (uint32_t s = 0; s < g->count; s++) graph_obliges(g, s, t)[u] = true;
}

/* Audits one state. */
static bool audit_state(struct graph *g, uint32_t s, struct audit_finding *f, bool *cut, uint32_t most) {
    static struct audit *kept; /* the finding belongs to it */
    static struct ts_worker *w;
    word state[1];
    audit_free(kept);
    free(w);
    kept = NULL;
    w = NULL;
    if (!g) return true;
    w = graph_worker(g);
    kept = audit_new(&g->ts, w, most);
    graph_encode(g, s, state);
    return audit_obligations(kept, state, f, cut);
}

static void done(struct graph *g) {
    audit_state(NULL, 0, NULL, NULL, 0);
    graph_fini(g);
}

static void finds(struct graph *g, uint32_t s, enum audit_fault fault, uint32_t transition, uint32_t other,
                  const uint32_t *word_of, uint32_t length) {
    struct audit_finding f;
    bool cut = false;
    assert_false(audit_state(g, s, &f, &cut, 100));
    assert_int_equal(f.fault, fault);
    assert_int_equal(f.transition, transition);
    assert_int_equal(f.other, other);
    assert_int_equal(f.outside_count, length);
    if (length) assert_memory_equal(f.outside, word_of, length * sizeof *word_of);
    assert_true(f.set[transition]);
    assert_false(cut);
}

static void passes_in(struct graph *g, uint32_t s) {
    struct audit_finding f;
    bool cut = false;
    assert_true(audit_state(g, s, &f, &cut, 100));
    assert_int_equal(f.fault, AUDIT_FINE);
    assert_false(cut);
}

static void passes(struct graph *g) {
    for (uint32_t s = 0; s < g->count; s++) passes_in(g, s);
}

#define WORD(...) (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__}))

/* ---- Obligations ---- */

static void right_rules(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    passes(&g);
    for (uint32_t t = 0; t < DIGITS; t++)
        for (uint32_t u = 0; u < DIGITS; u++) oblige(&g, t, u); /* too much is no fault */
    passes(&g);
    done(&g);
}

/* Transition 2 needs digits 0 and 1 to be 2: while it is disabled, they can enable it. */
static void enabled_from_outside(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 0) < 2 || digit(s, 1) < 2) *graph_next(&g, s, 2) = NO_STATE;
    /* In state 0 four steps are needed; the shortest word is found, lowest transitions last since scans go backward. */
    finds(&g, 0, AUDIT_D1_ENABLED, 2, TS_NONE, WORD(1, 1, 0, 0));
    finds(&g, 2 + LIMIT, AUDIT_D1_ENABLED, 2, TS_NONE, WORD(1));
    /* If 0 is in the set it is enough: without it the word is not possible; but where digit 0 is 2, 1 must be. */
    oblige(&g, 2, 0);
    finds(&g, 2 + LIMIT, AUDIT_D1_ENABLED, 2, TS_NONE, WORD(1));
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 0) == 2) graph_obliges(&g, s, 2)[1] = true;
    passes(&g);
    done(&g);
}

/* Transition 0 disables 1. */
static void disabled_from_outside(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 0) > 0) *graph_next(&g, s, 1) = NO_STATE;
    oblige(&g, 0, 1); /* 0 knows of 1, but not the other way round */
    finds(&g, 0, AUDIT_D2, 1, TS_NONE, WORD(0));
    oblige(&g, 1, 0);
    passes(&g);
    done(&g);
}

static void disables_outside(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 0) > 0) *graph_next(&g, s, 1) = NO_STATE;
    oblige(&g, 1, 0);
    finds(&g, 0, AUDIT_D1_DISABLES, 0, 1, NULL, 0);
    done(&g);
}

/* The order of 0 and 1 matters: after 1, transition 0 goes elsewhere. */
static void does_not_commute(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 1) > 0 && digit(s, 0) == 0) *graph_next(&g, s, 0) = bump(bump(s, 0), 0);
    finds(&g, 0, AUDIT_D1_DIFFERS, 0, TS_NONE, WORD(1));
    oblige(&g, 0, 1);
    finds(&g, 0, AUDIT_D1_DIFFERS, 1, TS_NONE, WORD(0));
    oblige(&g, 1, 0);
    passes(&g);
    done(&g);
}

/* Two outside words lead to one state, but after t to two: a diamond that opens. States: 0 -1-> 1, 0 -2-> 2, both on
 * to 3 by the other one; t = 0 leads from each to that plus 4, but 2+4 goes on to 8 instead of 7. */
static void diamond_opens(void **unused) {
    struct graph g;
    (void)unused;
    graph_init(&g, 9, 3, 1);
    static const uint32_t edges[][3] = {{0, 1, 1}, {0, 2, 2}, {1, 2, 3}, {2, 1, 3}, {4, 1, 5}, {4, 2, 6},
                                        {5, 2, 7}, {6, 1, 8}, {0, 0, 4}, {1, 0, 5}, {2, 0, 6}, {3, 0, 7}};
    for (size_t i = 0; i < COUNT(edges); i++) *graph_next(&g, edges[i][0], edges[i][1]) = edges[i][2];
    graph_obliges(&g, 0, 0);
    g.ts.features = TS_OBLIGATIONS;
    struct audit_finding f;
    bool cut = false;
    assert_false(audit_state(&g, 0, &f, &cut, 100));
    assert_int_equal(f.fault, AUDIT_D1_DIFFERS);
    assert_int_equal(f.transition, 0);
    *graph_next(&g, 6, 1) = 7;
    assert_true(audit_state(&g, 0, &f, &cut, 100));
    done(&g);
}

/* check_state is an imaginary transition: a member must not lead away from a bad state that others lead to. */
static void bad_state_lost(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    g.ts.features |= TS_CHECK_STATE;
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 1) == 1 && digit(s, 0) == 0) g.classes[s] = TS_BAD;
    finds(&g, 0, AUDIT_CHECK_LOST, 0, TS_NONE, WORD(1));
    oblige(&g, 0, 1);
    for (uint32_t s = 0; s < STATES; s++)
        if (!g.classes[s]) passes_in(&g, s);
    done(&g);
}

/* Where the state itself is bad, nothing can be lost any more: it was found. */
static void bad_state_itself(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    g.ts.features |= TS_CHECK_STATE;
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 0) == 0) g.classes[s] = TS_BAD;
    passes(&g);
    done(&g);
}

/* What a rule says about another transition counts for the first, too. */
static void obligations_are_closed(void **unused) {
    struct graph g;
    (void)unused;
    counters(&g);
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 0) > 0) *graph_next(&g, s, 1) = NO_STATE;
    oblige(&g, 1, 2);
    oblige(&g, 2, 0);
    oblige(&g, 0, 1);
    passes(&g);
    done(&g);
}

/* With little room it says that it did not see everything, and finds what is near. */
static void little_room(void **unused) {
    struct graph g;
    struct audit_finding f;
    bool cut = false;
    (void)unused;
    counters(&g);
    for (uint32_t s = 0; s < STATES; s++)
        if (digit(s, 0) < 2 || digit(s, 1) < 2) *graph_next(&g, s, 2) = NO_STATE;
    oblige(&g, 0, 1);
    oblige(&g, 1, 0);
    assert_true(audit_state(&g, 0, &f, &cut, 3));
    assert_true(cut);
    assert_false(audit_state(&g, 2 + LIMIT, &f, &cut, 3));
    assert_int_equal(f.fault, AUDIT_D1_ENABLED);
    done(&g);
}

static void model_code_fails(void **unused) {
    struct graph g;
    struct audit_finding f;
    bool cut = false;
    (void)unused;
    counters(&g);
    g.fault_state = LIMIT;
    g.fault_kind = TS_CRASHED;
    assert_false(audit_state(&g, 0, &f, &cut, 100));
    assert_int_equal(f.fault, AUDIT_MODEL);
    assert_int_equal(f.model.kind, TS_CRASHED);
    done(&g);
}

/* Proposition 3: digit 1 is at its limit. Only transition 1 changes it, and only from one value. */
static void changes(void **unused) {
    struct graph g;
    struct audit_finding f;
    (void)unused;
    counters(&g);
    for (uint32_t s = 0; s < STATES; s++) g.values[s] = (uint64_t)(digit(s, 1) == LIMIT - 1) << 3;
    assert_false(audit_knows_changes(&g.ts));
    *graph_changes(&g, 3, 1) = true;
    assert_true(audit_knows_changes(&g.ts));
    struct ts_worker *w = graph_worker(&g);
    struct audit *a = audit_new(&g.ts, w, 100);
    for (uint32_t s = 0; s < STATES; s++) {
        word state;
        graph_encode(&g, s, &state);
        *graph_changes(&g, 3, 1) = true;
        assert_true(audit_changes(a, &state, &f));
        *graph_changes(&g, 3, 1) = false;
        bool wrong = digit(s, 1) == LIMIT - 2;
        assert_int_equal(audit_changes(a, &state, &f), !wrong);
        if (!wrong) continue;
        assert_int_equal(f.fault, AUDIT_CHANGES);
        assert_int_equal(f.transition, 1);
        assert_string_equal(f.what, "p3");
    }
    audit_free(a);
    free(w);
    done(&g);
}

/* ---- Random systems: an audit of all states agrees with the definitions, naively applied ---- */

/* By the words of STOP's D1 and D2, for all words of outside transitions up to a length that covers all of them. */
static bool naive_member(struct graph *g, uint32_t s, uint32_t t, const bool *set, uint32_t x, uint32_t y, bool *seen) {
    uint32_t n = g->count, xt = *graph_next(g, x, t);
    bool enabled = *graph_next(g, s, t) != NO_STATE;
    uint32_t pair = x * (n + 1) + (enabled ? y : n);
    if (seen[pair]) return true;
    seen[pair] = true;
    if (!enabled && xt != NO_STATE) return false;
    if (enabled && (xt == NO_STATE || xt != y)) return false;
    for (uint32_t u = 0; u < g->ts.transitions; u++) {
        uint32_t to = *graph_next(g, x, u), after = enabled ? *graph_next(g, y, u) : n;
        if (set[u] || to == NO_STATE) continue;
        if (enabled && after == NO_STATE) return false;
        if (!naive_member(g, s, t, set, to, after, seen)) return false;
    }
    return true;
}

static bool naive_state(struct graph *g, uint32_t s) {
    uint32_t n = g->ts.transitions;
    bool *seen = malloc(g->count * (g->count + 1));
    bool good = true;
    for (uint32_t t = 0; t < n && good; t++) {
        bool set[8] = {0};
        set[t] = true;
        for (uint32_t round = 0; round < n; round++)
            for (uint32_t u = 0; u < n; u++)
                for (uint32_t v = 0; set[u] && v < n; v++) set[v] |= graph_obliges(g, s, u)[v];
        memset(seen, 0, g->count * (g->count + 1));
        uint32_t st = *graph_next(g, s, t);
        good = naive_member(g, s, t, set, s, st, seen);
    }
    free(seen);
    return good;
}

static void random_rules(void **unused) {
    uint32_t right = 0, wrong = 0, kinds[AUDIT_MODEL + 1] = {0};
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(3000); i++) {
        struct graph g;
        random_start(i);
        graph_init(&g, 2 + random_below(12), 2 + random_below(3), 1);
        if (i % 2) { /* something where much commutes */
            graph_fini(&g);
            counters(&g);
            for (int k = 0; k < 4; k++) *graph_next(&g, random_below(STATES), random_below(DIGITS)) = NO_STATE;
        } else {
            graph_randomise(&g, 50, 0, i);
        }
        uint32_t dense = 20 + random_below(70);
        for (uint32_t s = 0; s < g.count; s++)
            for (uint32_t t = 0; t < g.ts.transitions; t++)
                for (uint32_t u = 0; u < g.ts.transitions; u++) graph_obliges(&g, s, t)[u] = random_chance(dense);
        g.ts.features = TS_OBLIGATIONS;
        for (uint32_t s = 0; s < g.count; s++) {
            struct audit_finding f;
            bool cut = false, good = audit_state(&g, s, &f, &cut, 100);
            assert_false(cut);
            assert_int_equal(good, naive_state(&g, s));
            kinds[f.fault]++;
            if (good) right++;
            else wrong++;
        }
        done(&g);
    }
    assert_true(right > OFTEN(1000) && wrong > OFTEN(1000));
    for (int k = AUDIT_D1_ENABLED; k <= AUDIT_D1_DIFFERS; k++) assert_true(kinds[k] > OFTEN(20));
}

/* ---- Symmetry ---- */

/* Two processes, states 0..8 = 3 * first + second, each may step 0 -> 1 -> 2. The representative has first <=
 * second. */
static void pairs(struct graph *g) {
    graph_init(g, 9, 2, 1);
    for (uint32_t s = 0; s < 9; s++) {
        if (s / 3 < 2) *graph_next(g, s, 0) = s + 3;
        if (s % 3 < 2) *graph_next(g, s, 1) = s + 1;
        g->image[s] = s / 3 > s % 3 ? s % 3 * 3 + s / 3 : s;
    }
    g->ts.features = TS_SYMMETRY | TS_CHECK_STATE | TS_CHECK_DEADLOCK | TS_MAY_PROGRESS | TS_MUST_PROGRESS;
}

static enum audit_fault symmetry_of(struct graph *g, uint32_t s, bool *advice, struct audit_finding *f) {
    struct ts_worker *w = graph_worker(g);
    struct audit *a = audit_new(&g->ts, w, 10);
    word state[1];
    graph_encode(g, s, state);
    bool good = audit_symmetry(a, state, f, advice);
    assert_int_equal(good, f->fault == AUDIT_FINE);
    audit_free(a);
    free(w);
    return f->fault;
}

static void symmetry(void **unused) {
    struct graph g;
    struct audit_finding f;
    bool advice = false;
    (void)unused;
    pairs(&g);
    for (uint32_t s = 0; s < 9; s++) assert_int_equal(symmetry_of(&g, s, &advice, &f), AUDIT_FINE);
    assert_false(advice);

    /* A transition that only one of the processes has. */
    *graph_next(&g, 1, 0) = NO_STATE;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_SUCCESSORS);
    assert_int_equal(f.other, 1); /* the successor of 3 that 1 lacks */
    assert_int_equal(symmetry_of(&g, 0, &advice, &f), AUDIT_FINE);
    *graph_next(&g, 1, 0) = 4;
    /* One that only the representative has. */
    *graph_next(&g, 3, 0) = NO_STATE;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_SUCCESSORS);
    *graph_next(&g, 3, 0) = 6;

    /* Checks that answer differently. */
    g.classes[3] = TS_BAD;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_CHECK_DIFFERS);
    assert_string_equal(f.what, "check_state");
    g.classes[1] = TS_BAD;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_FINE);
    g.classes[3] = TS_BAD | TS_MAY;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_FINE); /* nobody said that progress is symmetric */
    g.ts.features |= TS_SYMMETRIC_PROGRESS;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_CHECK_DIFFERS);
    assert_string_equal(f.what, "may_progress");
    g.classes[3] = TS_BAD | TS_MUST;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_CHECK_DIFFERS);
    assert_string_equal(f.what, "must_progress");
    g.classes[3] = TS_BAD;

    /* check_deadlock is asked of terminal states only: 8 is one and its own image; 2 and 6 are made so. */
    g.illegal[3] = true;
    assert_int_equal(symmetry_of(&g, 3, &advice, &f), AUDIT_FINE);
    *graph_next(&g, 6, 1) = *graph_next(&g, 2, 0) = NO_STATE;
    g.illegal[6] = true;
    assert_int_equal(symmetry_of(&g, 6, &advice, &f), AUDIT_CHECK_DIFFERS);
    assert_string_equal(f.what, "check_deadlock");
    g.illegal[2] = true;
    assert_int_equal(symmetry_of(&g, 6, &advice, &f), AUDIT_FINE);
    assert_false(advice);
    graph_fini(&g);
}

/* A map that is not idempotent is sound: advice, no fault. */
static void not_idempotent(void **unused) {
    struct graph g;
    struct audit_finding f;
    bool advice = false;
    (void)unused;
    graph_init(&g, 3, 1, 1);
    g.image[0] = 1;
    g.image[1] = 2;
    g.ts.features = TS_SYMMETRY;
    assert_int_equal(symmetry_of(&g, 2, &advice, &f), AUDIT_FINE);
    assert_int_equal(symmetry_of(&g, 1, &advice, &f), AUDIT_FINE);
    assert_false(advice);
    assert_int_equal(symmetry_of(&g, 0, &advice, &f), AUDIT_FINE);
    assert_true(advice);
    graph_fini(&g);
}

static void texts(void **unused) {
    (void)unused;
    for (int i = AUDIT_FINE; i <= AUDIT_MODEL; i++) {
        assert_true(strlen(audit_text((enum audit_fault)i)) > 5);
        for (int k = AUDIT_FINE; k < i; k++)
            assert_string_not_equal(audit_text((enum audit_fault)i), audit_text((enum audit_fault)k));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_rules),
        cmocka_unit_test(enabled_from_outside),
        cmocka_unit_test(disabled_from_outside),
        cmocka_unit_test(disables_outside),
        cmocka_unit_test(does_not_commute),
        cmocka_unit_test(diamond_opens),
        cmocka_unit_test(bad_state_lost),
        cmocka_unit_test(bad_state_itself),
        cmocka_unit_test(obligations_are_closed),
        cmocka_unit_test(little_room),
        cmocka_unit_test(model_code_fails),
        cmocka_unit_test(changes),
        cmocka_unit_test(random_rules),
        cmocka_unit_test(symmetry),
        cmocka_unit_test(not_idempotent),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
