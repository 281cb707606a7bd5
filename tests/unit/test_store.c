/* The store against a naive set of states, whatever its kind, its shards and the length of states. */
#include "unit.h"

#include <math.h>

#include "base/team.h"
#include "store/store.h"

static const uint32_t all_bits[] = {0, 1, 2, 5, 8, 12, 13, 14, 16, 20, 30, 41, 62, 63, 64, 100, 127, 128, 191, 700};
static const unsigned all_shards[] = {0, 1, 2, 3, 8, 64, 512};
enum { MOST_WORDS = 11 };

/* ---- A naive set of states ---- */

struct set {
    uint32_t words, count, room;
    word *states;
    uint32_t *places; /* hashed: indices plus one */
};

static void set_init(struct set *s, uint32_t words, uint32_t room) {
    *s = (struct set){.words = words, .room = 1024};
    while (s->room < 2 * room) s->room *= 2;
    s->states = malloc((size_t)s->room * words * sizeof(word));
    s->places = calloc(s->room, sizeof *s->places);
}

static void set_fini(struct set *s) {
    free(s->states);
    free(s->places);
}

static const word *set_at(const struct set *s, uint32_t i) { return s->states + (size_t)i * s->words; }

static uint32_t *set_place(const struct set *s, const word *state) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i < 8 * s->words; i++) h = (h ^ ((const unsigned char *)state)[i]) * UINT64_C(1099511628211);
    for (h ^= h >> 29;; h++) {
        uint32_t *place = &s->places[h % s->room];
        if (!*place || memcmp(set_at(s, *place - 1), state, s->words * sizeof(word)) == 0) return place;
    }
}

static bool set_has(const struct set *s, const word *state) { return *set_place(s, state) != 0; }

static bool set_add(struct set *s, const word *state) {
    if (set_has(s, state)) return false;
    assert_true(s->count < s->room / 2);
    memcpy(s->states + (size_t)s->count * s->words, state, s->words * sizeof(word));
    *set_place(s, state) = ++s->count;
    return true;
}

/* ---- States of so many bits after the mark ---- */

static void trim(word *s, uint32_t bits) {
    uint32_t words = bits / 64 + 1, last = bits % 64 + 1;
    if (last < 64) s[words - 1] &= (UINT64_C(1) << last) - 1;
    s[0] |= 1;
}

/* Anything; or, of long states, some words of an earlier one. */
static void make_state(const struct set *set, uint32_t bits, word *s) {
    for (uint32_t i = 0; i < set->words; i++) s[i] = random_chance(30) ? random_below(1000) : random_word();
    trim(s, bits);
    if (set->words < 2 || !set->count || random_chance(20)) return;
    const word *old = set_at(set, random_below(set->count));
    for (uint32_t i = 0; i < set->words; i++)
        if (random_chance(80)) s[i] = old[i];
}

/* ---- Comparing ---- */

/* Inserts a batch into both; the answers must agree. Returns how many the store took. */
static uint32_t insert_both(struct store *s, struct store_view *v, struct set *set, const word *states, uint32_t n) {
    uint32_t *fresh = malloc((n + 1) * sizeof *fresh), fresh_count = 12345, naive = 0;
    uint32_t taken = store_insert(s, v, states, n, fresh, &fresh_count);
    assert_in_range(taken, 0, n);
    for (uint32_t i = 0; i < taken; i++) {
        if (!set_add(set, states + (size_t)i * set->words)) continue;
        assert_true(naive < fresh_count);
        assert_int_equal(fresh[naive++], i);
    }
    assert_int_equal(naive, fresh_count);
    free(fresh);
    assert_int_equal(store_count(s), set->count);
    return taken;
}

/* Every state has a slot of its own; others have none. */
static void check_slots(struct store *s, struct store_view *v, const struct set *set, uint32_t bits) {
    uint64_t *slots = malloc((set->count + 1) * sizeof *slots);
    word *others = malloc((size_t)(set->count + 1) * set->words * sizeof(word));
    store_settle(s);
    assert_true(store_slots(s) < 16 * (set->count * UINT64_C(4) + 200 * store_shards(s)));
    bool *taken = calloc(store_slots(s), 1);
    store_find(s, v, set->states, set->count, slots);
    for (uint32_t i = 0; i < set->count; i++) {
        assert_true(slots[i] < store_slots(s));
        assert_false(taken[slots[i]]);
        taken[slots[i]] = true;
        make_state(set, bits, others + (size_t)i * set->words);
    }
    store_find(s, v, others, set->count, slots);
    for (uint32_t i = 0; i < set->count; i++)
        assert_int_equal(slots[i] != STORE_NONE, set_has(set, others + (size_t)i * set->words));
    free(slots);
    free(others);
    free(taken);
}

/* States have keys, and keys their states, in whatever order they are asked for. */
static void check_keys(struct store *s, struct store_view *v, const struct set *set) {
    uint64_t *keys = malloc((set->count + 1) * sizeof *keys);
    word state[MOST_WORDS];
    assert_true(store_reserve(s, set->count));
    assert_true(store_keys(s, v, set->states, set->count, keys));
    for (uint32_t n = 0; n < set->count; n++) {
        uint32_t i = random_below(set->count);
        store_states(s, v, &keys[i], 1, state);
        assert_memory_equal(state, set_at(set, i), set->words * sizeof(word));
    }
    free(keys);
}

static void check(struct store *s, struct store_view *v, const struct set *set, uint32_t bits) {
    assert_int_equal(store_count(s), set->count);
    assert_true(store_bytes(s) <= s->budget.total);
    if (!store_exact(s)) return;
    check_slots(s, v, set, bits);
    check_keys(s, v, set);
    assert_true(store_omitted(s, store_count(s)) == 0);
}

/* ---- Any kind ---- */

static void run(const struct store_options *o, uint32_t bits, uint32_t total, uint32_t batch) {
    struct store s;
    struct store_view v;
    struct set set;
    uint32_t words = bits / 64 + 1;
    word *states = malloc((size_t)batch * words * sizeof(word));
    assert_true(store_init(&s, bits, UINT64_C(1) << 32, o));
    assert_int_equal(s.words, words);
    assert_true(store_shards(&s) <= (o->shards ? o->shards : 1));
    if (o->shards && (s.kind == STORE_HASH_COMPACT || bits > 30))
        assert_true(2 * store_shards(&s) > o->shards); /* as many as asked for */
    store_view_init(&v, &s);
    set_init(&set, words, total + batch);
    for (uint32_t done = 0; done < total;) {
        uint32_t n = 1 + random_below(batch);
        for (uint32_t i = 0; i < n; i++) {
            word *state = states + (size_t)i * words;
            if (i && random_chance(10)) memcpy(state, state - words, words * sizeof(word));
            else if (set.count && random_chance(10))
                memcpy(state, set_at(&set, random_below(set.count)), words * sizeof(word));
            else make_state(&set, bits, state);
        }
        assert_int_equal(insert_both(&s, &v, &set, states, n), n);
        done += n;
    }
    check(&s, &v, &set, bits);
    assert_int_equal(insert_both(&s, &v, &set, set.states, set.count), set.count);
    set_fini(&set);
    store_view_fini(&v);
    store_fini(&s);
    free(states);
}

static void random_states(void **unused) {
    (void)unused;
    for (size_t b = 0; b < COUNT(all_bits); b += FEWER ? 3 : 1)
        for (size_t k = 0; k < COUNT(all_shards); k++) {
            random_start(100 * b + k);
            run(&(struct store_options){.kind = STORE_EXACT, .shards = all_shards[k]}, all_bits[b], 3000, 300);
            run(&(struct store_options){.kind = STORE_HASH_COMPACT, .shards = all_shards[k]}, all_bits[b], 3000, 300);
            run(&(struct store_options){.kind = STORE_HASH_COMPACT, .shards = all_shards[k], .hash_bits = 63},
                all_bits[b], 500, 50);
            if (k == 3 || k == 1)
                run(&(struct store_options){.kind = STORE_EXACT, .shards = all_shards[k]}, all_bits[b], 20000, 2000);
        }
}

/* ---- Images ---- */

/* All keys have different images, of the right length, and counts say where they are. */
static void images(void **unused) {
    (void)unused;
    for (uint32_t bits = 1; bits <= 16; bits++)
        for (size_t k = 0; k < COUNT(all_shards); k++) {
            struct store s;
            uint32_t n = 1u << bits, counts[512], expected[512] = {0};
            uint64_t *keys = malloc(n * sizeof *keys), *out = malloc(n * sizeof *out);
            bool *seen = calloc(n, 1);
            assert_true(store_init(&s, bits, UINT64_C(1) << 30, &(struct store_options){.shards = all_shards[k]}));
            for (uint32_t i = 0; i < n; i++) keys[i] = i;
            store_images(&s, keys, n, out);
            memset(counts, 0, sizeof counts);
            for (uint32_t i = 0; i < n; i++) counts[store_shard(&s, out[i])]++;
            for (uint32_t i = 0; i < n; i++) {
                assert_int_equal(out[i] << bits, 0);
                assert_false(seen[out[i] >> (64 - bits)]);
                seen[out[i] >> (64 - bits)] = true;
                assert_true(store_shard(&s, out[i]) < store_shards(&s));
                expected[store_shard(&s, out[i])]++;
            }
            assert_memory_equal(counts, expected, store_shards(&s) * sizeof *counts);
            store_fini(&s);
            free(keys);
            free(out);
            free(seen);
        }
}

/* State number k of a family, as models have them. */
static uint64_t family_state(int family, uint32_t bits, uint64_t k) {
    uint64_t x = 0;
    switch (family) {
    case 0: return k;
    case 1: return k << (bits - 18);
    case 2: return k * 3;
    case 3: return k << (bits / 3);
    case 4: /* digits 0..2 in two bits each */
        for (unsigned at = 0; k && at + 2 <= bits; at += 2, k /= 3) x |= k % 3 << at;
        return x;
    case 5: /* digits 0..4 in three bits each, from the other end */
        for (unsigned at = bits; k && at >= 3; at -= 3, k /= 5) x |= k % 5 << (at - 3);
        return x;
    case 6: /* one bit in each third */
        return UINT64_C(1) << k % (bits / 3) | UINT64_C(1) << (bits / 3 + k / (bits / 3) % (bits / 3)) |
               UINT64_C(1) << (2 * (bits / 3) + k / (bits / 3) / (bits / 3) % (bits / 3));
    default: return k ^ k << (bits / 2); /* the halves are alike */
    }
}

/* Such states are spread evenly: the store must not grow more than their number asks for. */
static void families(void **unused) {
    static const uint32_t bits[] = {24, 27, 30, 33, 36, 44, 56, 62, 63};
    static const unsigned shards[] = {1, 16};
    enum { BATCH = 1000 };
    (void)unused;
    for (int family = 0; family < (FEWER ? 2 : 8); family++)
        for (size_t i = 0; i < COUNT(bits) * COUNT(shards); i++) {
            struct store s;
            struct store_view v;
            word states[BATCH];
            uint32_t fresh[BATCH], fresh_count, b = bits[i / 2];
            assert_true(store_init(&s, b, UINT64_C(1) << 32, &(struct store_options){.shards = shards[i % 2]}));
            store_view_init(&v, &s);
            for (uint64_t k = 0; k < 40000; k += BATCH) {
                for (uint64_t j = 0; j < BATCH; j++) {
                    states[j] = family_state(family, b, k + j) << 1 | 1;
                    trim(states + j, b);
                }
                assert_int_equal(store_insert(&s, &v, states, BATCH, fresh, &fresh_count), BATCH);
            }
            uint64_t most = store_count(&s) * 64 / 8 * 5 / 2 + store_shards(&s) * 80 * 64;
            if (store_bytes(&s) > most)
                fail_msg("family %d, %u bits: %llu bytes for %llu states", family, b,
                         (unsigned long long)store_bytes(&s), (unsigned long long)store_count(&s));
            store_view_fini(&v);
            store_fini(&s);
        }
}

/* ---- Memory ---- */

static void little_memory(void **unused) {
    static const uint32_t bits[] = {20, 30, 63, 64, 191, 700};
    static const unsigned shards[] = {1, 8, 64};
    enum { BATCH = 500 };
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(200); i++) {
        struct store_options o = {.kind = i % 5 ? STORE_EXACT : STORE_HASH_COMPACT, .shards = shards[i % 3]};
        struct store s;
        struct store_view v;
        struct set set;
        uint32_t b = bits[i % COUNT(bits)], words = b / 64 + 1, taken = BATCH;
        word *states = malloc((size_t)BATCH * words * sizeof(word));
        random_start(i);
        uint64_t most = 5000 + random_below(i % 2 ? 50000 : 400000);
        set_init(&set, words, 300000);
        if (store_init(&s, b, most, &o)) {
            store_view_init(&v, &s);
            for (int round = 0; taken == BATCH && round < 400; round++) {
                for (uint32_t k = 0; k < BATCH; k++) make_state(&set, b, states + (size_t)k * words);
                taken = insert_both(&s, &v, &set, states, BATCH);
            }
            assert_true(taken < BATCH);
            assert_true(store_bytes(&s) <= most);
            assert_int_equal(store_count(&s), set.count);
            if (store_exact(&s)) check_slots(&s, &v, &set, b);
            store_view_fini(&v);
            store_fini(&s);
        } else {
            assert_true(most < 16384 + (o.shards ? o.shards : 1) * UINT64_C(128) * 64);
        }
        set_fini(&set);
        free(states);
    }
}

/* Sixty-four threads of a machine with a terabyte: there is address space for all shards. */
/* When parts have no room, long states go on by their hashes: what was inserted stays known, others are new once. */
static void no_more_parts(void **unused) {
    enum { TOTAL = 40000, WORDS = 3 };
    const struct store_options o = {.overflow = true, .shards = 2};
    struct store s;
    struct store_view v;
    uint32_t fresh, fresh_count, before = 0, missing = 0;
    uint64_t slot;
    (void)unused;
    assert_true(store_init(&s, 64 * WORDS - 1, 1 << 20, &o));
    assert_false(store_gives_back(&s));
    store_view_init(&v, &s);
    for (uint32_t i = 0; i < TOTAL; i++) {
        word state[WORDS] = {2 * i + 1, i * UINT64_C(0x9e3779b97f4a7c15), ~(word)i};
        assert_int_equal(store_insert(&s, &v, state, 1, &fresh, &fresh_count), 1);
        missing += fresh_count == 0;
        before += !s.parts_full;
        store_find(&s, &v, state, 1, &slot);
        assert_int_not_equal(slot, STORE_NONE);
        assert_int_equal(store_insert(&s, &v, state, 1, &fresh, &fresh_count), 1);
        assert_int_equal(fresh_count, 0);
    }
    assert_in_range(before, 1000, TOTAL - 1000);
    assert_in_range(missing, 0, TOTAL / 50);
    assert_false(store_exact(&s));
    assert_int_equal(store_room(&s), UINT64_MAX);
    assert_in_range(store_bytes(&s), 1, 1 << 20);
    store_view_fini(&v);
    store_fini(&s);
}

static void much_memory(void **unused) {
    struct store s;
    (void)unused;
    if (SANITIZED) return; /* sanitizers need the address space themselves */
    assert_true(store_init(&s, 63, UINT64_C(1) << 40, &(struct store_options){.shards = 512}));
    assert_int_equal(store_shards(&s), 512);
    store_fini(&s);
}

/* ---- Hash compaction ---- */

/* Of so many different states so many are taken for others: as many as the store expects, on the average. */
static void omitted_states(void **unused) {
    enum { N = 2048 };
    (void)unused;
    for (unsigned shards = 1; shards <= 16; shards *= 4) {
        double expected = 0, observed = 0;
        for (uint32_t i = 0; i < 200; i++) {
            struct store_options o = {.kind = STORE_HASH_COMPACT, .shards = shards, .hash_bits = 15 + i % 6};
            struct store s;
            struct store_view v;
            static word states[2 * N];
            static uint32_t fresh[N];
            uint32_t fresh_count, words = 1 + i % 2;
            random_start(1000 * i);
            assert_true(store_init(&s, words == 1 ? 63 : 127, UINT64_C(1) << 28, &o));
            store_view_init(&v, &s);
            word first = random_word() << 20 | 1;
            for (uint32_t k = 0; k < N * words; k++) states[k] = k % words ? 77 : first + 2 * (k / words);
            assert_int_equal(store_insert(&s, &v, states, N, fresh, &fresh_count), N);
            assert_int_equal(store_count(&s), fresh_count);
            expected += store_omitted(&s, store_count(&s));
            observed += N - fresh_count;
            store_view_fini(&v);
            store_fini(&s);
        }
        assert_true(observed > 1000);
        assert_true(fabs(observed - expected) < 0.1 * expected);
    }
}

/* Also when most keys are taken, and most new states are taken for others. */
static void full_hashes(void **unused) {
    enum { BITS = 16, BATCH = 1024 };
    (void)unused;
    for (uint32_t times = 1; times <= 4; times *= 2) { /* as many states as keys */
        struct store s;
        struct store_view v;
        word states[BATCH];
        uint32_t fresh[BATCH], fresh_count, n = times << BITS, found = 0;
        assert_true(store_init(&s, 63, UINT64_C(1) << 28,
                               &(struct store_options){.kind = STORE_HASH_COMPACT, .hash_bits = BITS}));
        store_view_init(&v, &s);
        for (uint32_t i = 0; i < n; i += BATCH, found += fresh_count) {
            for (uint32_t k = 0; k < BATCH; k++) states[k] = 2 * (word)(i + k) + 1;
            assert_int_equal(store_insert(&s, &v, states, BATCH, fresh, &fresh_count), BATCH);
        }
        assert_true(fabs(store_omitted(&s, store_count(&s)) - (n - found)) < 0.03 * (n - found));
        store_view_fini(&v);
        store_fini(&s);
    }
}

/* ---- Several threads ---- */

struct many {
    struct store s;
    struct store_view views[8];
    const struct set *set;
    uint64_t *keys, *images;
    uint32_t *fresh;             /* the states that are new, marked by 1 */
    atomic_uint refused, number; /* images that were not looked at; new states */
};

enum { PIECE = 100 };

static void give_keys(void *context, unsigned member, uint32_t task) {
    struct many *m = context;
    uint32_t first = task * PIECE, n = m->set->count - first < PIECE ? m->set->count - first : PIECE;
    assert_true(store_keys(&m->s, &m->views[member], set_at(m->set, first), n, m->keys + first));
    store_images(&m->s, m->keys + first, n, m->images + first);
}

/* The images of one shard, each twice. */
static void fill_shard(void *context, unsigned member, uint32_t shard) {
    struct many *m = context;
    (void)member;
    uint32_t *owners = malloc(2 * m->set->count * sizeof *owners), n = 0, fresh_count;
    uint32_t *fresh = malloc(2 * m->set->count * sizeof *fresh);
    uint64_t *images = malloc(2 * m->set->count * sizeof *images);
    for (uint32_t i = 0; i < m->set->count; i++)
        for (int twice = 0; twice < 2 && store_shard(&m->s, m->images[i]) == shard; twice++) {
            images[n] = store_in_shard(&m->s, m->images[i]);
            owners[n++] = i;
        }
    m->refused += n - store_insert_images(&m->s, shard, images, n, fresh, &fresh_count);
    for (uint32_t i = 0; i < fresh_count; i++) m->fresh[owners[fresh[i]]]++;
    m->number += fresh_count;
    free(owners);
    free(fresh);
    free(images);
}

/* Keys by all threads at once, then shards by all threads at once: nothing is lost, nothing is new twice. */
static void several_threads(void **unused) {
    static const uint32_t bits[] = {30, 63, 127, 700};
    (void)unused;
    for (uint32_t i = 0; i < (FEWER ? 8 : 40); i++) {
        static struct many m;
        struct set set;
        struct team t;
        uint32_t b = bits[i % COUNT(bits)], n = FEWER ? 5000 : 20000;
        bool full = i >= 16;
        word state[MOST_WORDS];
        struct store_options o = {.shards = 1u << i % 7, .kind = i % 8 < 6 ? STORE_EXACT : STORE_HASH_COMPACT};
        random_start(i);
        set_init(&set, b / 64 + 1, n);
        while (set.count < n) make_state(&set, b, state), set_add(&set, state);
        assert_true(store_init(&m.s, b, UINT64_C(1) << 30, &o));
        team_init(&t, 2 + i % 7);
        for (unsigned k = 0; k < t.size; k++) store_view_init(&m.views[k], &m.s);
        m.set = &set;
        m.keys = malloc(n * sizeof *m.keys);
        m.images = malloc(n * sizeof *m.images);
        m.fresh = calloc(n, sizeof *m.fresh);
        m.refused = m.number = 0;
        assert_true(store_reserve(&m.s, n));
        team_run(&t, (n + PIECE - 1) / PIECE, give_keys, &m);
        if (full) atomic_store(&m.s.budget.left, 20000); /* shards quarrel over the rest */
        team_run(&t, store_shards(&m.s), fill_shard, &m);
        assert_int_equal(store_count(&m.s), m.number);
        if (!full) assert_int_equal(m.refused, 0);
        else assert_true(m.refused > 0 || store_shards(&m.s) > 16);
        store_settle(&m.s);
        uint32_t there = 0;
        for (uint32_t k = 0; k < n; k++) {
            uint64_t slot = STORE_NONE;
            if (store_exact(&m.s)) {
                store_find(&m.s, &m.views[0], set_at(&set, k), 1, &slot);
                assert_int_equal(slot != STORE_NONE, m.fresh[k]);
            }
            assert_in_range(m.fresh[k], 0, 1);
            there += m.fresh[k];
        }
        assert_int_equal(there, m.number);
        if (!full) assert_int_equal(there, n);
        for (unsigned k = 0; k < t.size; k++) store_view_fini(&m.views[k]);
        team_fini(&t);
        store_fini(&m.s);
        set_fini(&set);
        free(m.keys);
        free(m.images);
        free(m.fresh);
    }
}

#ifdef __SANITIZE_THREAD__ /* which looks at threads; one alone takes it a minute, and shows nothing */
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(several_threads)};
    (void)images, (void)random_states, (void)families, (void)little_memory, (void)no_more_parts, (void)much_memory;
    (void)omitted_states, (void)full_hashes;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),         cmocka_unit_test(random_states), cmocka_unit_test(families),
        cmocka_unit_test(little_memory),  cmocka_unit_test(no_more_parts), cmocka_unit_test(much_memory),
        cmocka_unit_test(omitted_states), cmocka_unit_test(full_hashes),   cmocka_unit_test(several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
