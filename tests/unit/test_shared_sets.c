/* Sets that share their parts, against arrays of truth values. */
#include "unit.h"

#include "algo/shared_sets.h"

enum { MEMBERS = 200, LABELS = 4, MANY = 60 };

/* A set, or a map from labels to sets, and what it should be. */
struct pair {
    uint32_t set, map;
    bool in[MEMBERS], of[LABELS][MEMBERS];
};

/* Numbers near each other, and far from each other. */
static uint32_t member(uint32_t i) { return i < 100 ? i : i * 20000003u; }

static void add_single(struct sets *s, struct pair *p) {
    uint32_t i = random_below(MEMBERS), label = random_below(LABELS);
    p->set = sets_union(s, p->set, sets_single(s, member(i)));
    p->in[i] = true;
    if (!random_chance(50)) return;
    p->map = sets_union(s, p->map, sets_labelled(s, label * 1000, p->set));
    for (uint32_t j = 0; j < MEMBERS; j++) p->of[label][j] |= p->in[j];
}

static void unite(struct sets *s, struct pair *p, const struct pair *q, const struct pair *r) {
    uint32_t sets[] = {p->set, q->set, r->set}, maps[] = {p->map, q->map, r->map};
    p->set = sets_union_of(s, sets, 3);
    p->map = sets_union_of(s, maps, 3);
    for (uint32_t j = 0; j < MEMBERS; j++) {
        p->in[j] |= q->in[j] | r->in[j];
        for (int label = 0; label < LABELS; label++) p->of[label][j] |= q->of[label][j] | r->of[label][j];
    }
}

static void compare(const struct pair *all) {
    for (int i = 0; i < MANY; i++)
        for (int j = 0; j < MANY; j++) {
            assert_int_equal(all[i].set == all[j].set, memcmp(all[i].in, all[j].in, sizeof all[i].in) == 0);
            assert_int_equal(all[i].map == all[j].map, memcmp(all[i].of, all[j].of, sizeof all[i].of) == 0);
        }
}

static void ask(const struct sets *s, const struct pair *p) {
    for (uint32_t j = 0; j < MEMBERS; j++) assert_int_equal(sets_has(s, p->set, member(j)), p->in[j]);
    assert_false(sets_has(s, p->set, 1234567));
    for (uint32_t label = 0; label < LABELS; label++)
        for (uint32_t j = 0; j < MEMBERS; j++)
            assert_int_equal(sets_has(s, sets_of_label(s, p->map, label * 1000), member(j)), p->of[label][j]);
    assert_int_equal(sets_of_label(s, p->map, 77), SETS_EMPTY);
}

static void forget(struct sets *s, struct pair *all) {
    uint32_t sets[MANY], maps[MANY], *lists[] = {sets, maps}, before = s->count;
    for (int i = 0; i < MANY; i++) sets[i] = all[i].set, maps[i] = all[i].map;
    sets_keep(s, lists, 2, MANY);
    for (int i = 0; i < MANY; i++) all[i].set = sets[i], all[i].map = maps[i];
    assert_true(s->count <= before);
}

static void against_arrays(void **unused) {
    static struct pair all[MANY];
    (void)unused;
    random_start(1);
    for (int round = 0; round < ROUNDS(40); round++) {
        struct sets s;
        uint32_t most = 0;
        sets_init(&s);
        memset(all, 0, sizeof all);
        for (int i = 0; i < 1500; i++) {
            struct pair *p = &all[random_below(MANY)];
            if (random_chance(80)) add_single(&s, p);
            else unite(&s, p, &all[random_below(MANY)], &all[random_below(MANY)]);
            if (random_chance(2)) memset(p, 0, sizeof *p);
            if (i % 300 == 299) compare(all);
            if (i % 20 == 0) ask(&s, p);
            if (s.count > most) most = s.count;
            if (random_chance(1)) forget(&s, all);
        }
        compare(all);
        memset(all, 0, sizeof all);
        forget(&s, all);
        assert_int_equal(s.count, 1);
        assert_true(most > 100);
        sets_fini(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_arrays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
