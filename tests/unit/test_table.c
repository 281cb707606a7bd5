/* Numbers of things, and of lists, against looking through all of them. */
#include "unit.h"

#include "algo/set_table.h"

enum { MANY = 3000 };

/* ---- Things, with hashes that are bad on purpose ---- */

struct things {
    uint32_t value[MANY];
    uint32_t spread; /* so many hashes occur */
};

static bool same(const void *things, const void *wanted, uint32_t number) {
    return ((const struct things *)things)->value[number] == *(const uint32_t *)wanted;
}

static uint32_t hash_of(const void *things, uint32_t number) {
    const struct things *x = things;
    return x->value[number] % x->spread * 7;
}

static void things(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(60); i++) {
        struct things x = {.spread = i % 3 ? 1 + random_below(40) : 1u << 20};
        struct table t;
        random_start(i);
        table_init(&t, 1u << random_below(5));
        for (uint32_t round = 0; round < 1200; round++) {
            uint32_t wanted = random_below(1000), known = 0;
            while (known < t.count && x.value[known] != wanted) known++;
            uint32_t *cell = table_find(&t, wanted % x.spread * 7, same, &x, &wanted);
            assert_int_equal(*cell, known < t.count ? known + 1 : 0);
            if (*cell) continue;
            x.value[t.count] = wanted;
            assert_int_equal(table_put(&t, cell, hash_of, &x), known);
            assert_true(t.count <= t.mask);
        }
        table_fini(&t);
    }
}

/* ---- Lists ---- */

static void lists(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < ROUNDS(20); i++) {
        static uint32_t kept[MANY][8], size[MANY];
        struct set_table s;
        random_start(i);
        set_table_init(&s);
        for (uint32_t round = 0; round < 1500; round++) {
            uint32_t list[8], n = random_below(i % 2 ? 4 : 8), known = 0, count = set_table_count(&s);
            for (uint32_t k = 0; k < n; k++) list[k] = random_below(4);
            while (known < count && (size[known] != n || memcmp(kept[known], list, n * sizeof *list) != 0)) known++;
            assert_int_equal(set_table_number(&s, list, n), known);
            memcpy(kept[known], list, sizeof list);
            size[known] = n;
        }
        for (uint32_t set = 0; set < set_table_count(&s); set++) {
            assert_int_equal(set_table_size(&s, set), size[set]);
            assert_memory_equal(set_table_members(&s, set), kept[set], size[set] * sizeof **kept);
        }
        assert_true(set_table_bytes(&s) >= 4 * s.members);
        set_table_fini(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(things), cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
