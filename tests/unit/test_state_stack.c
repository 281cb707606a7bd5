/* The stack of open states against an array that is searched from end to end. */
#include "unit.h"

#include "store/state_stack.h"

enum { MOST = 3000 };

struct naive {
    word *states; /* words each */
    uint32_t words, count;
};

static uint32_t naive_find(const struct naive *n, const word *state) {
    for (uint32_t i = 0; i < n->count; i++)
        if (memcmp(n->states + (size_t)i * n->words, state, n->words * sizeof(word)) == 0) return i;
    return OPEN_NONE;
}

/* Few different ones, so that most are met again; `kind` says which bits differ. */
static void random_state(word *state, uint32_t words, uint32_t kind) {
    uint32_t which = random_below(2 * MOST);
    for (uint32_t i = 0; i < words; i++)
        state[i] = kind == 0 ? which : kind == 1 ? (word)which << 48 : which * UINT64_C(0x9e3779b97f4a7c15);
    state[0] |= 1;
}

static void compare(const struct open *o, const struct naive *n, uint32_t kind) {
    word state[4];
    assert_int_equal(o->count, n->count);
    for (uint32_t i = 0; i < n->count; i++) {
        assert_memory_equal(open_state(o, i), n->states + (size_t)i * n->words, n->words * sizeof(word));
        assert_int_equal(open_find(o, n->states + (size_t)i * n->words), i);
    }
    for (uint32_t i = 0; i < 100; i++) {
        random_state(state, n->words, kind);
        open_prefetch(o, state);
        assert_int_equal(open_find(o, state), naive_find(n, state));
    }
}

/* Pushes and pops, now more of these, now of those. */
static void stack_and_map(void **unused) {
    (void)unused;
    for (uint32_t round = 0; round < 12; round++) {
        struct open o;
        struct naive n = {.words = 1 + round % 2 * 2};
        word state[4];
        random_start(round);
        n.states = malloc(MOST * n.words * sizeof(word));
        assert_true(open_init(&o, n.words, true, 1 << 24));
        for (uint32_t step = 0; step < 400; step++) {
            uint32_t some = random_below(step % 100 < 60 ? 100 : 20);
            for (uint32_t i = 0; i < some && n.count < MOST; i++) {
                random_state(state, n.words, round % 3);
                if (naive_find(&n, state) != OPEN_NONE) continue;
                assert_true(open_push(&o, state));
                memcpy(n.states + (size_t)n.count++ * n.words, state, n.words * sizeof(word));
            }
            if (random_chance(30)) {
                n.count -= random_below(n.count + 1) / (step % 100 < 60 ? 8 : 2);
                open_pop(&o, n.count);
            }
            if (step % 10 == 0) compare(&o, &n, round % 3);
        }
        compare(&o, &n, round % 3);
        open_pop(&o, 0);
        n.count = 0;
        compare(&o, &n, round % 3);
        for (uint64_t i = 0; i < o.cell_count; i++) assert_int_equal(((uint32_t *)(void *)o.cells.base)[i], 0);
        open_fini(&o);
        free(n.states);
    }
}

/* Many states: the map grows again and again, and is never full. */
static void grows(void **unused) {
    struct open o;
    enum { MANY = FEWER ? 200000 : 3000000 };
    (void)unused;
    assert_true(open_init(&o, 1, true, 1 << 28));
    for (word i = 0; i < MANY; i++) assert_true(open_push(&o, &(word){i << 1 | 1}));
    assert_true(o.cell_count > MANY && o.cell_count < (uint64_t)MANY * (MANY < 1000000 ? 3 : 2));
    for (word i = 0; i < MANY; i++) assert_int_equal(open_find(&o, &(word){i << 1 | 1}), i);
    for (word i = MANY; i < 2 * MANY; i++) assert_int_equal(open_find(&o, &(word){i << 1 | 1}), OPEN_NONE);
    open_pop(&o, MANY / 2);
    for (word i = 0; i < MANY; i++) assert_int_equal(open_find(&o, &(word){i << 1 | 1}), i < MANY / 2 ? i : OPEN_NONE);
    open_fini(&o);
}

/* Without memory, it says so; what was there stays. */
static void refused(void **unused) {
    struct open o;
    uint32_t count = 0;
    (void)unused;
    for (int mapped = 0; mapped < 2; mapped++) {
        uint64_t used = memory_resident(), most = used + (8 << 20);
        assert_true(open_init(&o, 2, mapped, most));
        for (count = 0; open_push(&o, (word[]){2 * count + 1, count}); count++) continue;
        assert_in_range(count, 100000, (9 << 20) / 16);
        assert_in_range(memory_resident(), used + (4 << 20), most + (1 << 20));
        assert_int_equal(o.count, count);
        if (mapped) assert_int_equal(open_find(&o, (word[]){2 * 77777 + 1, 77777}), 77777);
        open_fini(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_and_map),
        cmocka_unit_test(grows),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
