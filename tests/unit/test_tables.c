/* Successors from tables, against the definition of random transitions whose dependences are known. */
#include "model/c/tables.h"

#include "base/memory.h"
#include "moves.h"
#include "unit.h"

enum { BATCH = 50 };

static void some_moves(struct moves *m, uint32_t looks) {
    struct moves_chance chance = {.bits = 63, .least = 1, .most = 60, .looks = looks, .second = 40};
    chance.small = 60; /* so that neighbours can share a table */
    chance.twins = random_below(3) ? 0 : 10;
    chance.below = random_below;
    moves_random(m, &chance);
}

/* Expands random states with the tables, a batch at a time. Returns how many needed no help. */
static uint32_t run(struct lookup *l, const struct moves *m, uint32_t batches, word likely) {
    size_t room = (size_t)BATCH * m->count;
    word *successors = memory_get(room * sizeof(word)), *right = memory_get(m->count * sizeof(word));
    uint32_t *labels = memory_get(m->count * sizeof(uint32_t)), looked_up = 0;
    for (uint32_t b = 0; b < batches && l->phase != LOOKUP_GIVEN_UP; b++) {
        word sources[BATCH], base = random_word();
        uint32_t ends[BATCH], helped = 0;
        struct lookup_progress at = {0};
        for (uint32_t i = 0; i < BATCH; i++) sources[i] = (base ^ (random_word() & likely)) | 1;
        struct ts_batch batch = {
            .sources = sources, .count = BATCH, .capacity = BATCH, .successors = successors, .ends = ends};
        while (at.next < BATCH && l->phase != LOOKUP_GIVEN_UP) {
            if (l->phase == LOOKUP_WORKS) lookup_run(l, &batch, &at);
            if (at.next == BATCH) break;
            uint32_t n = moves_expand(m, sources[at.next], successors + at.end, labels);
            lookup_learn(l, sources[at.next], successors + at.end, labels, n);
            ends[at.next++] = at.end += n;
            helped++;
        }
        for (uint32_t i = 0, begin = 0; i < at.next; begin = ends[i++]) {
            assert_int_equal(ends[i] - begin, moves_expand(m, sources[i], right, labels));
            assert_memory_equal(successors + begin, right, (ends[i] - begin) * sizeof(word));
        }
        looked_up += BATCH - helped;
    }
    free(successors);
    free(right);
    free(labels);
    return looked_up;
}

static void test_right(void **state) {
    (void)state;
    uint32_t working = 0, shared = 0, regrouped = 0;
    random_start(1);
    for (uint32_t i = 0; i < ROUNDS(400); i++) {
        struct moves m;
        struct lookup l;
        some_moves(&m, 2 + random_below(5));
        struct facts_seen *facts = facts_seen_new(m.count);
        lookup_init(&l, facts, m.forward, false, moves_ask, &m);
        run(&l, &m, 200, i % 2 ? ~(word)0 : random_word() & random_word() & random_word());
        /* All the same: the first of a batch is learnt, if any, and there is too little room for the last ones. */
        uint32_t looked_up = run(&l, &m, 200, 0);
        if (l.phase == LOOKUP_WORKS) assert_true(looked_up >= 200 * (BATCH - 8));
        working += l.phase == LOOKUP_WORKS;
        regrouped += l.regrouped > 1;
        shared += l.phase == LOOKUP_WORKS && l.group_count < m.count;
        lookup_fini(&l);
        facts_seen_free(facts);
        moves_fini(&m);
    }
    assert_true(working > ROUNDS(200) && shared > ROUNDS(200) && regrouped > ROUNDS(40));
}

/* Tables that were given up are not looked at: nothing is left of them. */
static void check_nothing_left(struct lookup *l) {
    word source = random_word() | 1, *successors = memory_get(2 * (size_t)l->transitions * sizeof(word));
    uint32_t end = 0;
    struct ts_batch batch = {.sources = &source, .count = 1, .capacity = 2, .successors = successors, .ends = &end};
    struct lookup_progress at = {0};
    assert_int_equal(l->phase, LOOKUP_GIVEN_UP);
    assert_int_not_equal(l->obstacle, OBSTACLE_NONE);
    lookup_run(l, &batch, &at);
    assert_int_equal(at.next, 0);
    for (uint32_t k = 0; k < l->transitions; k++) assert_null(l->moves[k].flips);
    free(successors);
}

/* Where an answer is not what the caller has found, or there is none, the tables are given up; all stays right. */
static void test_lies(void **state) {
    (void)state;
    uint32_t found = 0;
    random_start(2);
    for (uint32_t i = 0; i < ROUNDS(200); i++) {
        struct moves m;
        struct lookup l;
        some_moves(&m, 4);
        m.lie_at = 1 + random_below(3000);
        struct facts_seen *facts = facts_seen_new(m.count);
        lookup_init(&l, facts, m.forward, false, moves_ask, &m);
        run(&l, &m, 100, ~(word)0);
        if (m.asked >= m.lie_at) check_nothing_left(&l);
        found += m.asked >= m.lie_at;
        lookup_fini(&l);
        facts_seen_free(facts);
        moves_fini(&m);
    }
    assert_true(found > ROUNDS(100));
}

/* A transition that depends on much is none for tables; nor are very many of them. */
static void test_too_much(void **state) {
    (void)state;
    random_start(3);
    for (uint32_t i = 0; i < 20; i++) {
        struct moves m;
        struct lookup l;
        some_moves(&m, 4);
        if (i % 2) {
            m.at[random_below(m.count)].first = (((word)1 << (13 + random_below(40))) - 1) << 1;
        } else {
            m.count = 2000;
            m.at = memory_resize(m.at, m.count * sizeof *m.at);
            for (uint32_t t = 0; t < m.count; t++) m.at[t] = (struct move){0xff0, 0, 0x10, t, -1};
        }
        struct facts_seen *facts = facts_seen_new(m.count);
        lookup_init(&l, facts, m.forward, false, moves_ask, &m);
        run(&l, &m, 3, ~(word)0);
        check_nothing_left(&l);
        assert_int_equal(l.obstacle, i % 2 ? OBSTACLE_MANY_BITS : OBSTACLE_MANY_BYTES);
        lookup_fini(&l);
        facts_seen_free(facts);
        moves_fini(&m);
    }
}

int main(void) {
    if (!lookup_is_fast()) {
        puts("no tables on this machine");
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_lies),
                                       cmocka_unit_test(test_too_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
