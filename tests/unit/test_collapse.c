/* Long states as numbers of their components, against a plain list of states; stores whose keys change. */
#include "unit.h"

#include "base/team.h"
#include "store/clusters.h"
#include "store/store.h"

enum { MOST_WORDS = 9, MANY = 1536 };

/* States of a few components whose bits are scattered at random. */
struct scattered {
    uint32_t words, components, values; /* that each component can have */
    struct grouping g;
    uint64_t *value; /* [component][value][word] */
};

static void scattered_init(struct scattered *x, uint32_t words, uint32_t components, uint32_t values) {
    *x = (struct scattered){words, components, values, {.words = words, .count = components}, NULL};
    x->g.masks = calloc((size_t)components * words, sizeof *x->g.masks);
    x->g.values = calloc(components, sizeof *x->g.values);
    for (uint32_t bit = 1; bit < 64 * words; bit++) {
        uint32_t k = bit <= components ? bit - 1 : random_below(components);
        x->g.masks[(size_t)k * words + bit / 64] |= UINT64_C(1) << bit % 64;
    }
    for (uint32_t k = 0; k < components; k++) x->g.values[k] = 1 + random_below(values);
    x->value = malloc((size_t)components * values * words * sizeof *x->value);
    for (uint32_t k = 0; k < components; k++)
        for (uint32_t v = 0; v < values; v++)
            for (uint32_t w = 0; w < words; w++)
                x->value[((size_t)k * values + v) * words + w] = random_word() & x->g.masks[(size_t)k * words + w];
}

static void scattered_fini(struct scattered *x) {
    grouping_fini(&x->g);
    free(x->value);
}

static void set_component(const struct scattered *x, uint32_t k, word *state) {
    const uint64_t *value = x->value + ((size_t)k * x->values + random_below(x->values)) * x->words;
    for (uint32_t w = 0; w < x->words; w++) state[w] = (state[w] & ~x->g.masks[(size_t)k * x->words + w]) | value[w];
}

static void make_state(const struct scattered *x, word *state) {
    memset(state, 0, x->words * sizeof *state);
    for (uint32_t k = 0; k < x->components; k++) set_component(x, k, state);
    state[0] |= 1;
}

/* Keys are the same whenever and however they are asked for, and give the states back; others are told apart. */
static void keys_and_states(void **unused) {
    uint32_t widened = 0;
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(60); i++) {
        random_start(i);
        struct scattered x;
        uint32_t components = 1 + random_below(9), words = 2 + random_below(MOST_WORDS - 1);
        scattered_init(&x, words, components, 1 + random_below(60));
        struct budget budget;
        struct collapse c;
        struct collapse_view v = {0};
        budget_init(&budget, UINT64_C(1) << 30);
        assert_true(collapse_init(&c, &x.g, &budget));
        word *states = malloc(MANY * words * sizeof(word)), again[MOST_WORDS];
        uint64_t keys[MANY], key;
        for (uint32_t n = 0; n < MANY; n++) {
            word *state = states + (size_t)n * words;
            const word *old = n ? states + (size_t)random_below(n) * words : state;
            if (n == 0 || random_chance(20)) make_state(&x, state);
            else {
                memcpy(state, old, words * sizeof(word));
                for (uint32_t k = random_below(4); k > 0; k--) set_component(&x, random_below(components), state);
            }
            uint32_t one = 1, source = n ? (uint32_t)(old - states) / words : 0;
            for (;; widened++) {
                bool from = n > 0 && random_chance(50);
                if (from ? collapse_keys_from(&c, old, &keys[source], &one, 1, state, &keys[n])
                         : collapse_keys(&c, state, 1, &keys[n]))
                    break;
                assert_true(collapse_widen(&c));
            }
            assert_true(keys[n] >> c.bits == 0);
            uint32_t other = random_below(n + 1);
            bool same = memcmp(states + (size_t)other * words, state, words * sizeof(word)) == 0;
            assert_true(same == (keys[other] == keys[n]));
            collapse_find(&c, states + (size_t)other * words, 1, &key);
            assert_true(key == keys[other]);
            collapse_state(&c, &v, keys[other], again);
            assert_memory_equal(again, states + (size_t)other * words, words * sizeof(word));
        }
        uint64_t entries = collapse_entries(&c);
        assert_true(entries <= (uint64_t)components * x.values);
        for (uint32_t n = 0; n < 100; n++) { /* what was never seen has no key, and gets none */
            for (uint32_t w = 0; w < words; w++) again[w] = random_word() | 1;
            collapse_find(&c, again, 1, &key);
            if (words > 2) assert_true(key == COLLAPSE_NONE);
        }
        assert_true(collapse_entries(&c) == entries);
        collapse_view_fini(&v);
        collapse_fini(&c);
        assert_true(budget.left == budget.total);
        free(states);
        scattered_fini(&x);
    }
    assert_true(widened > OFTEN(100));
}

/* ---- Several threads ---- */

struct many {
    struct collapse c;
    const word *states;
    uint32_t words, first, end;
    uint64_t *keys[4];
    _Atomic bool full;
};

static void give_keys(void *context, unsigned member, uint32_t task) {
    struct many *m = context;
    uint32_t n = m->end - m->first;
    (void)task;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = m->first + (i * (2 * member + 1) + member) % n;
        if (!collapse_keys(&m->c, m->states + (size_t)at * m->words, 1, &m->keys[member][at])) m->full = true;
    }
}

static void several_threads(void **unused) {
    enum { STEP = 128 }; /* a power of two, so that all odd strides come by all */
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(10); i++) {
        random_start(i);
        static struct many m;
        struct scattered x;
        struct budget budget;
        struct team t;
        unsigned threads = 2 + i % 3;
        m.words = 2 + random_below(4);
        budget_init(&budget, UINT64_C(1) << 30);
        scattered_init(&x, m.words, 5, 100);
        assert_true(collapse_init(&m.c, &x.g, &budget));
        team_init(&t, threads);
        word *states = malloc(MANY * m.words * sizeof(word));
        for (uint32_t n = 0; n < MANY; n++) make_state(&x, states + (size_t)n * m.words);
        m.states = states;
        for (unsigned k = 0; k < COUNT(m.keys); k++) m.keys[k] = malloc(MANY * sizeof(uint64_t));
        for (m.first = 0; m.first < MANY; m.first += STEP) {
            m.end = m.first + STEP;
            do {
                if (m.full) assert_true(collapse_widen(&m.c));
                m.full = false;
                team_each(&t, give_keys, &m);
            } while (m.full);
        }
        for (unsigned k = 1; k < threads; k++) assert_memory_equal(m.keys[k], m.keys[0], MANY * sizeof(uint64_t));
        for (unsigned k = 0; k < COUNT(m.keys); k++) free(m.keys[k]);
        free(states);
        team_fini(&t);
        collapse_fini(&m.c);
        scattered_fini(&x);
    }
}

/* ---- Stores ---- */

/* Parts, then components, then parts again: the same states are there, and no others. */
static void other_keys(void **unused) {
    uint32_t lengthened = 0;
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(40); i++) {
        random_start(i);
        struct scattered x;
        struct store s, by;
        struct store_view v;
        uint32_t words = 2 + random_below(5), fresh[1], count, states = 0;
        scattered_init(&x, words, 2 + random_below(5), 1 + random_below(200));
        struct store_options options = {.kind = STORE_EXACT, .shards = 1u << i % 4};
        assert_true(store_init(&s, 64 * words - 1, UINT64_C(1) << 28, &options));
        store_view_init(&v, &s);
        word *all = malloc(MANY * words * sizeof(word));
        for (uint32_t n = 0; n < MANY; n++) {
            word *state = all + (size_t)states * words;
            make_state(&x, state);
            if (n == MANY / 3 || n == 2 * MANY / 3) {
                assert_true(store_init_again(&by, &s, n == MANY / 3 ? &x.g : NULL));
                uint32_t before = by.key_bits;
                assert_true(store_take_all(&by, &s));
                lengthened += by.key_bits > before;
                assert_true(store_count(&by) == states);
                store_view_fini(&v);
                store_replace(&s, &by);
                store_view_init(&v, &s);
                assert_true((s.collapse != NULL) == (n == MANY / 3));
            }
            uint32_t bits = s.key_bits;
            assert_int_equal(store_insert(&s, &v, state, 1, fresh, &count), 1);
            states += count;
            lengthened += s.key_bits > bits;
        }
        assert_true(store_count(&s) == states);
        for (uint32_t n = 0; n < states; n++) {
            uint64_t slot;
            store_settle(&s);
            store_find(&s, &v, all + (size_t)n * words, 1, &slot);
            assert_true(slot < store_slots(&s));
        }
        store_view_fini(&v);
        store_fini(&s);
        free(all);
        scattered_fini(&x);
    }
    assert_true(lengthened > OFTEN(10));
}

/* Dictionaries that grow with the states do not pay, and it is said so. */
static void too_many(void **unused) {
    struct scattered x;
    struct budget budget;
    struct collapse c;
    uint64_t key;
    bool refused = false;
    (void)unused;
    random_start(1);
    scattered_init(&x, 3, 3, 2);
    budget_init(&budget, UINT64_C(1) << 20);
    assert_true(collapse_init(&c, &x.g, &budget));
    for (uint32_t n = 0; n < 200000 && !refused; n++) {
        word state[3] = {random_word() | 1, random_word(), random_word()};
        while (!refused && !collapse_keys(&c, state, 1, &key)) refused = !collapse_widen(&c);
    }
    assert_true(refused);
    collapse_fini(&c);
    assert_true(budget.left == budget.total);
    scattered_fini(&x);
}

/* ---- Clusters ---- */

/* Two processes of three variables each, declared in any order, of which those of one process depend on each other. */
static void clusters(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(20); i++) {
        random_start(i);
        enum { N = 2000, BITS = 8 };
        uint32_t order[6] = {0, 1, 2, 3, 4, 5}, widths[16];
        for (uint32_t k = 5; k > 0; k--) {
            uint32_t other = random_below(k + 1), kept = order[k];
            order[k] = order[other];
            order[other] = kept;
        }
        for (uint32_t e = 0; e < COUNT(widths); e++) widths[e] = BITS; /* those after the first six never vary */
        word *sample = calloc(N, 3 * sizeof(word));
        for (uint32_t n = 0; n < N; n++) {
            uint32_t process[2] = {random_below(50), random_below(50)};
            for (uint32_t e = 0; e < 6; e++) {
                uint64_t value = (process[order[e] / 3] * (order[e] % 3 * 2 + 3) + order[e]) % 256;
                sample[3 * n + (1 + e * BITS) / 64] |= value << (1 + e * BITS) % 64;
            }
            sample[3 * n] |= 1;
        }
        struct grouping g;
        assert_true(clusters_find(&g, widths, COUNT(widths), BITS * COUNT(widths), sample, N));
        assert_int_equal(g.count, 2);
        assert_int_equal(g.values[0], 50);
        uint64_t all[3] = {1};
        for (uint32_t k = 0; k < g.count; k++)
            for (uint32_t w = 0; w < 3; w++) {
                assert_true((all[w] & g.masks[3 * k + w]) == 0); /* each bit is in one component */
                all[w] |= g.masks[3 * k + w];
            }
        assert_true(all[0] == UINT64_MAX && all[1] == UINT64_MAX && all[2] == 1);
        grouping_fini(&g);
        for (uint32_t k = 0; k < 3 * N; k++) sample[k] = random_word() | 1;
        assert_false(clusters_find(&g, NULL, 0, BITS * COUNT(widths), sample, N)); /* nothing to be had */
        free(sample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_states), cmocka_unit_test(several_threads), cmocka_unit_test(other_keys),
        cmocka_unit_test(too_many),        cmocka_unit_test(clusters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
