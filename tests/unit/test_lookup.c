/* Successors from tables, against the definition of random transitions whose dependences are known. */
#include "front/lookup.h"

#include "base/memory.h"
#include "unit.h"

/* Looks at the bits `first`; then it is disabled, or stores, or looks at the bits `second` too before it decides. */
struct transition {
    word first, second, stores;
    uint64_t salt;
};

struct system {
    uint32_t count;
    bool forward;
    struct transition *transitions;
    uint32_t asked, lie_at; /* the question that is answered wrongly; 0: none */
};

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x9fb21c651e98df25);
    return (x ^ x >> 29) * UINT64_C(0xc2b2ae3d27d4eb4f) >> 13;
}

static int fire(const struct system *s, word source, uint32_t t, word *successor, word *uses) {
    const struct transition *x = &s->transitions[t];
    uint64_t choice = mixed((source & x->first) + x->salt);
    *uses = x->first;
    if (choice % 4 == 0) return 0;
    if (choice % 4 == 1) {
        *uses |= x->second;
        choice = mixed((source & x->second) ^ choice);
        if (choice & 4) return 0;
    }
    *uses |= x->stores;
    *successor = (source & ~x->stores) | (mixed(choice) & x->stores);
    return 1;
}

static int ask(void *context, word source, uint32_t t, word *successor, word *uses) {
    struct system *s = context;
    int fired = fire(s, source, t, successor, uses);
    if (++s->asked != s->lie_at) return fired;
    if (fired) *successor ^= 2;
    return fired ? 1 : -1;
}

/* Up to so many bits; never the mark. */
static word some_bits(uint32_t most) {
    word mask = 0;
    for (uint32_t i = random_below(most + 1); i > 0; i--) mask |= (word)2 << random_below(63);
    return mask;
}

static void system_init(struct system *s, uint32_t bits) {
    *s = (struct system){.count = 1 + random_below(60), .forward = random_chance(50)};
    s->transitions = memory_get(s->count * sizeof *s->transitions);
    for (uint32_t t = 0; t < s->count; t++) {
        bool small = random_chance(60); /* so that neighbours can share a table */
        word first = some_bits(small ? 2 : bits), second = random_chance(40) ? some_bits(bits - 2) : 0;
        s->transitions[t] = (struct transition){first, second, small ? first : first | some_bits(1), random_word()};
    }
}

static uint32_t expand(const struct system *s, word source, word *successors, uint32_t *labels) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t t = s->forward ? k : s->count - 1 - k;
        word uses;
        if (fire(s, source, t, &successors[n], &uses) == 1) labels[n++] = t;
    }
    return n;
}

enum { BATCH = 50 };

/* Expands random states with the tables, a batch at a time. Returns how many needed no help. */
static uint32_t run(struct lookup *l, const struct system *s, uint32_t batches, word likely) {
    size_t room = (size_t)BATCH * s->count;
    word *successors = memory_get(room * sizeof(word)), *right = memory_get(s->count * sizeof(word));
    uint32_t *labels = memory_get(s->count * sizeof(uint32_t)), looked_up = 0;
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
            uint32_t n = expand(s, sources[at.next], successors + at.end, labels);
            lookup_learn(l, sources[at.next], successors + at.end, labels, n);
            ends[at.next++] = at.end += n;
            helped++;
        }
        for (uint32_t i = 0, begin = 0; i < at.next; begin = ends[i++]) {
            assert_int_equal(ends[i] - begin, expand(s, sources[i], right, labels));
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
        struct system s;
        struct lookup l;
        system_init(&s, 2 + random_below(5));
        lookup_init(&l, s.count, s.forward, ask, &s, NULL);
        run(&l, &s, 200, i % 2 ? ~(word)0 : some_bits(20));
        /* All the same: the first of a batch is learnt, if any, and there is too little room for the last ones. */
        uint32_t looked_up = run(&l, &s, 200, 0);
        if (l.phase == LOOKUP_WORKS) assert_true(looked_up >= 200 * (BATCH - 8));
        working += l.phase == LOOKUP_WORKS;
        regrouped += l.regrouped > 1;
        shared += l.phase == LOOKUP_WORKS && l.group_count < s.count;
        lookup_fini(&l);
        free(s.transitions);
    }
    assert_true(working > ROUNDS(200) && shared > ROUNDS(200) && regrouped > ROUNDS(40));
}

/* Where an answer is not what the caller has found, or there is none, the tables are given up; all stays right. */
static void test_lies(void **state) {
    (void)state;
    uint32_t found = 0;
    random_start(2);
    for (uint32_t i = 0; i < ROUNDS(200); i++) {
        struct system s;
        struct lookup l;
        system_init(&s, 4);
        s.lie_at = 1 + random_below(3000);
        lookup_init(&l, s.count, s.forward, ask, &s, NULL);
        run(&l, &s, 100, ~(word)0);
        if (s.asked >= s.lie_at) assert_int_equal(l.phase, LOOKUP_GIVEN_UP);
        found += s.asked >= s.lie_at;
        lookup_fini(&l);
        free(s.transitions);
    }
    assert_true(found > ROUNDS(100));
}

/* A transition that depends on much is none for tables; nor are very many of them. */
static void test_too_much(void **state) {
    (void)state;
    random_start(3);
    for (uint32_t i = 0; i < 20; i++) {
        struct system s;
        struct lookup l;
        system_init(&s, 4);
        if (i % 2) {
            s.transitions[random_below(s.count)].first = (((word)1 << (13 + random_below(40))) - 1) << 1;
        } else {
            s.count = 2000;
            s.transitions = memory_resize(s.transitions, s.count * sizeof *s.transitions);
            for (uint32_t t = 0; t < s.count; t++) s.transitions[t] = (struct transition){0xff0, 0, 0x10, t};
        }
        lookup_init(&l, s.count, s.forward, ask, &s, NULL);
        run(&l, &s, 3, ~(word)0);
        assert_int_equal(l.phase, LOOKUP_GIVEN_UP);
        lookup_fini(&l);
        free(s.transitions);
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
