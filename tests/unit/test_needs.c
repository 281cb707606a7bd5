/* What one component contributes to obligations, held against the definition in needs.h. */
#include "unit.h"

#include "base/memory.h"
#include "nets.h"
#include "reduce/net/needs.h"

enum { MOST = 16 };

/* Number r of the edges of s with this label, or LTS_NONE. */
static uint32_t step(const struct lts *l, uint32_t s, uint32_t label, uint32_t r) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (e->label == label && r-- == 0) return e->target;
    return LTS_NONE;
}

static bool can(const struct lts *l, uint32_t s, uint32_t label) { return step(l, s, label, 0) != LTS_NONE; }

/* Conditions 1 and 2. */
static bool naive_commute(const struct lts *l, uint32_t y, uint32_t a, uint32_t b) {
    for (uint32_t q = 0; step(l, y, b, q) != LTS_NONE; q++) {
        uint32_t z = step(l, y, b, q);
        for (uint32_t r = 0; r < MOST; r++) {
            uint32_t now = step(l, y, a, r), later = step(l, z, a, r);
            if ((now == LTS_NONE) != (later == LTS_NONE)) return false;
            if (now != LTS_NONE && (step(l, now, b, q) == LTS_NONE || step(l, now, b, q) != later)) return false;
        }
    }
    return true;
}

/* Whether the set `needed`, by label, is good for a in x. */
static bool naive_good(const struct lts *l, uint32_t x, uint32_t a, const bool *needed) {
    bool met[MOST] = {0}, enabled = can(l, x, a), more = true;
    met[x] = true;
    while (more) {
        more = false;
        for (uint32_t y = 0; y < l->states; y++)
            for (const struct lts_edge *e = lts_begin(l, y); met[y] && e < lts_end(l, y); e++)
                if (e->label != a && !needed[e->label] && !met[e->target]) more = met[e->target] = true;
    }
    for (uint32_t y = 0; y < l->states; y++) {
        if (!met[y]) continue;
        if (!enabled && can(l, y, a)) return false;
        for (uint32_t b = 0; enabled && b < l->labels.count; b++)
            if (b != a && !needed[b] && can(l, y, b) && !naive_commute(l, y, a, b)) return false;
    }
    return true;
}

/* The needs of a in x, by label. */
static void needs_by_label(const struct plan *p, const struct needs *n, uint32_t x, uint32_t local, bool *needed) {
    uint32_t count;
    const uint32_t *list = needs_of(n, 0, x, local, &count);
    for (uint32_t k = 0; k < count; k++) needed[p->action[list[k]].label] = true;
}

static void test_against_definition(void **state) {
    (void)state;
    uint32_t fewer = 0, fewer_disabled = 0;
    random_start(7);
    for (int i = 0; i < ROUNDS(4000); i++) {
        struct nets_chance chance = {
            .components = 1, .states = 6, .labels = 4, .tau = 20, .deterministic = random_chance(60)};
        struct network n;
        struct problem why = {0};
        nets_random(&n, &chance, random_below);
        struct plan *p = plan_new(&n, true, false, &why);
        const bool yes[] = {true};
        struct needs *needs = needs_new(p, yes), *plain = needs_new(p, NULL);
        const struct lts *l = &p->network.component[0].lts;
        for (uint32_t x = 0; x < l->states; x++)
            for (uint32_t k = 0; k < p->component[0].locals; k++) {
                uint32_t a = p->action[p->component[0].actions[k]].label;
                bool needed[MOST] = {0}, all[MOST] = {0};
                needs_by_label(p, needs, x, k, needed);
                needs_by_label(p, plain, x, k, all);
                assert_true(naive_good(l, x, a, needed));
                assert_true(naive_good(l, x, a, all));
                for (uint32_t b = 0; b < l->labels.count; b++) {
                    assert_int_equal(all[b], can(l, x, b));
                    if (needed[b]) { /* nothing can be left out */
                        assert_true(all[b] && b != a);
                        needed[b] = false;
                        assert_false(naive_good(l, x, a, needed));
                        needed[b] = true;
                    } else if (all[b] && b != a) {
                        if (can(l, x, a)) fewer++;
                        else fewer_disabled++;
                    }
                }
            }
        needs_free(needs);
        needs_free(plain);
        plan_free(p);
    }
    assert_true(fewer > (uint32_t)ROUNDS(400) && fewer_disabled > (uint32_t)ROUNDS(400));
}

static uint32_t count_needs(const struct plan *p, const struct needs *n, uint32_t x, const char *label) {
    for (uint32_t k = 0; k < p->component[0].locals; k++) {
        uint32_t count;
        if (strcmp(p->network.labels.text[p->action[p->component[0].actions[k]].label], label) != 0) continue;
        needs_of(n, 0, x, k, &count);
        return count;
    }
    fail();
    return 0;
}

/* A queue for two bits: 0 empty, 1 and 2 a bit, 3 to 6 two bits, the first of which is to be taken first. */
static void test_queue(void **state) {
    (void)state;
    struct network n = {0};
    struct problem why = {0};
    nets_add(&n, "queue",
             "0 put.0 1, 0 put.1 2, 1 put.0 3, 1 put.1 4, 2 put.0 5, 2 put.1 6, 1 take.0 0, 2 take.1 0, "
             "3 take.0 1, 4 take.0 2, 5 take.1 1, 6 take.1 2");
    nets_finish(&n);
    struct plan *p = plan_new(&n, true, false, &why);
    const bool yes[] = {true};
    struct needs *needs = needs_new(p, yes);
    assert_int_equal(count_needs(p, needs, 1, "take.0"), 0); /* it commutes with put */
    assert_int_equal(count_needs(p, needs, 1, "put.0"), 1);  /* put.1 is the other choice; take.0 commutes */
    assert_int_equal(count_needs(p, needs, 0, "take.0"), 1); /* put.0 */
    assert_int_equal(count_needs(p, needs, 2, "take.0"), 1); /* take.1, before anything else matters */
    assert_int_equal(count_needs(p, needs, 5, "put.0"), 1);  /* it is full: take.1 */
    needs_free(needs);
    plan_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_definition), cmocka_unit_test(test_queue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
