/* What is known about transitions: what networks prove, held against what their transitions do in all combinations of
 * local states that come up; and what was seen. */
#include "ts/facts.h"

#include "model/network/network_ts.h"
#include "nets.h"
#include "unit.h"

enum { MOST_STATES = 300, MOST_WORDS = 8 };

struct states {
    uint32_t count, words;
    word at[MOST_STATES][MOST_WORDS];
};

static void meet(struct states *x, const word *s) {
    for (uint32_t i = 0; i < x->count; i++)
        if (memcmp(x->at[i], s, x->words * sizeof *s) == 0) return;
    if (x->count < MOST_STATES) memcpy(x->at[x->count++], s, x->words * sizeof *s);
}

static void explore(struct ts *ts, struct ts_worker *w, struct states *x) {
    struct ts_fault fault;
    word out[MOST_WORDS];
    *x = (struct states){.words = ts->words};
    ts->ops->initial(w, out, &fault);
    meet(x, out);
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t t = 0; t < ts->transitions; t++)
            if (ts->ops->fire(w, x->at[i], t, out, &fault) == 1) meet(x, out);
}

/* Another state that agrees with `s` on what t reads; the rest is that of `other`. */
static void scramble(const struct footprint_proved *f, uint32_t words, const word *s, const word *other, word *out) {
    for (uint32_t i = 0; i < words; i++) out[i] = (s[i] & f->reads[i]) | (other[i] & ~f->reads[i]);
}

static uint64_t enabled, fewer_reads, apart;

static void check_transition(struct ts *ts, struct ts_worker *w, const struct facts_proved *f, const struct states *x,
                             uint32_t t) {
    struct ts_fault fault;
    const word *s = x->at[random_below(x->count)], *other = x->at[random_below(x->count)];
    word like[MOST_WORDS], to[MOST_WORDS], like_to[MOST_WORDS];
    scramble(&f->of[t], x->words, s, other, like);
    int fired = ts->ops->fire(w, s, t, to, &fault);
    assert_int_equal(fired, ts->ops->fire(w, like, t, like_to, &fault));
    if (fired != 1) return;
    enabled++;
    fewer_reads += memcmp(s, like, x->words * sizeof *s) != 0;
    assert_true(facts_agree(f, t, s, to));
    assert_true(facts_agree(f, t, like, like_to));
    for (uint32_t i = 0; i < x->words; i++) assert_true(((s[i] ^ to[i]) & ~f->of[t].reads[i]) == 0);
    for (uint32_t i = 0; i < x->words; i++) assert_true((s[i] ^ to[i]) == (like[i] ^ like_to[i]));
}

/* Independent transitions go the same way in both orders, and leave each other as they were. */
static void check_pair(struct ts *ts, struct ts_worker *w, const struct facts_proved *f, const word *s, uint32_t t,
                       uint32_t u) {
    struct ts_fault fault;
    word x[MOST_WORDS], y[MOST_WORDS], xy[MOST_WORDS], yx[MOST_WORDS];
    if (t == u || !proved_independent(f, t, u) || ts->ops->fire(w, s, t, x, &fault) != 1) return;
    int fired = ts->ops->fire(w, s, u, y, &fault);
    assert_int_equal(ts->ops->fire(w, x, u, xy, &fault), fired);
    if (fired != 1) return;
    assert_int_equal(ts->ops->fire(w, y, t, yx, &fault), 1);
    assert_memory_equal(xy, yx, f->words * sizeof *xy);
    apart++;
}

static void test_networks(void **state) {
    (void)state;
    random_start(1);
    for (uint32_t i = 0; i < ROUNDS(400); i++) {
        struct network n;
        struct problem why = {0};
        struct nets_chance chance = {.components = 4,
                                     .states = 4,
                                     .labels = 4,
                                     .special = 20,
                                     .tau = 20,
                                     .hidden = 20,
                                     .acyclic = 20,
                                     .low = 20};
        nets_random(&n, &chance, random_below);
        struct ts *ts = network_open(&n, "random", (struct reduction){0}, &why);
        assert_non_null(ts);
        struct ts_worker *w = ts->ops->worker_new(ts);
        struct facts_proved *f = ts->ops->prove(ts);
        static struct states x;
        explore(ts, w, &x);
        assert_int_equal(f->transitions, ts->transitions);
        for (uint32_t k = 0; k < 10 * ts->transitions; k++) {
            check_transition(ts, w, f, &x, k % ts->transitions);
            check_pair(ts, w, f, x.at[random_below(x.count)], k % ts->transitions, random_below(ts->transitions));
        }
        facts_proved_free(f);
        ts->ops->worker_free(w);
        ts->ops->close(ts);
    }
    assert_true(enabled > OFTEN(2000) && fewer_reads > OFTEN(500) && apart > OFTEN(200));
}

static void test_seen(void **state) {
    (void)state;
    struct facts_seen *f = facts_seen_new(3);
    assert_true(facts_note(f, 0, 0x6, 0x2) == 0x6);
    assert_true(facts_note(f, 0, 0x12, 0) == 0x16);
    assert_int_equal(f->version, 2);
    assert_true(facts_note(f, 0, 0x2, 0x2) == 0x16); /* nothing new */
    assert_int_equal(f->version, 2);
    facts_note(f, 1, 0x28, 0x8);
    facts_note(f, 2, 0xa, 0xa);
    assert_true(seen_independent(&f->of[0], &f->of[1]));
    assert_false(seen_independent(&f->of[0], &f->of[2]));
    assert_false(seen_alike(&f->of[0], &f->of[2])); /* they have flipped a bit in common, and never the same ones */
    for (word flip = 1; flip <= FACTS_FLIPS + 1; flip++) facts_note(f, 2, 0x1f, flip << 1);
    assert_true(f->of[2].count > FACTS_FLIPS);
    assert_true(seen_alike(&f->of[0], &f->of[2]));
    facts_seen_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_networks), cmocka_unit_test(test_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
