/* The table of states against a naive set.
 *
 * The source is included, not linked, so that adversarial states can be made by undoing its mixing function: many states
 * with the same home, at the upper end, or with the same first word. */
#include "unit.h"

#include "store/table.c" // NOLINT: see above

/* ---- A naive set of states ---- */

struct set {
    uint32_t words;
    word *states;
    uint32_t count, room, *heads, *chain;
};
enum { BUCKETS = 1 << 16 };

static void set_init(struct set *s, uint32_t words, uint32_t room) {
    *s = (struct set){.words = words, .room = room};
    s->states = malloc((size_t)room * words * sizeof(word));
    s->heads = malloc(BUCKETS * sizeof(uint32_t));
    s->chain = malloc(room * sizeof(uint32_t));
    memset(s->heads, 0xff, BUCKETS * sizeof(uint32_t));
}

static void set_fini(struct set *s) {
    free(s->states);
    free(s->heads);
    free(s->chain);
}

static uint32_t *set_bucket(struct set *s, const word *state) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < s->words * sizeof(word); i++) h = (h ^ ((const unsigned char *)state)[i]) * 1099511628211u;
    return &s->heads[(h >> 20) % BUCKETS];
}

static bool set_has(struct set *s, const word *state) {
    for (uint32_t i = *set_bucket(s, state); i != UINT32_MAX; i = s->chain[i])
        if (memcmp(s->states + (size_t)i * s->words, state, s->words * sizeof(word)) == 0) return true;
    return false;
}

/* Whether it is new. */
static bool set_add(struct set *s, const word *state) {
    if (set_has(s, state)) return false;
    assert_true(s->count < s->room);
    uint32_t *head = set_bucket(s, state);
    memcpy(s->states + (size_t)s->count * s->words, state, s->words * sizeof(word));
    s->chain[s->count] = *head;
    *head = s->count++;
    return true;
}

/* ---- Comparing ---- */

/* The table is what its header says: states sorted by their first word, each at its home or after it without a gap. */
static void check_order(const struct table *t) {
    word last = 0;
    for (uint64_t slot = 0; slot < t->slots; slot++) {
        word first = slots_of(t)[slot * t->words];
        if (!first) continue;
        assert_true(first >= last);
        uint64_t at = home(first, t->homes);
        assert_true(at <= slot);
        for (uint64_t k = at; k < slot; k++) assert_true(slots_of(t)[k * t->words] != 0);
        last = first;
    }
    assert_true(slots_of(t)[(t->slots - 1) * t->words] == 0);
}

/* Table and set have the same members; every slot is found again by its state. */
static void check_same(struct table *t, struct set *s) {
    uint64_t members = 0;
    word *state = malloc(t->words * sizeof(word));
    assert_int_equal(t->count, s->count);
    assert_true(table_bytes(t) <= t->max_bytes);
    for (uint64_t slot = 0; slot < t->slots; slot++) {
        if (!table_state(t, slot, state)) continue;
        uint64_t again;
        members++;
        assert_true(set_has(s, state));
        table_find(t, state, 1, &again);
        assert_int_equal(again, slot);
    }
    assert_int_equal(members, s->count);
    uint64_t *slots = malloc((s->count + 1) * sizeof *slots);
    table_find(t, s->states, s->count, slots);
    for (uint32_t i = 0; i < s->count; i++) {
        assert_true(slots[i] != TABLE_NONE);
        assert_true(table_state(t, slots[i], state));
        assert_memory_equal(state, s->states + (size_t)i * s->words, s->words * sizeof(word));
    }
    free(slots);
    free(state);
    check_order(t);
}

/* Inserts a batch into both; the answers must agree. Returns how many the table took. */
static uint32_t insert_both(struct table *t, struct set *s, const word *states, uint32_t n) {
    uint32_t *fresh = malloc((n + 1) * sizeof *fresh), fresh_count = 12345, naive = 0;
    uint32_t taken = table_insert(t, states, n, fresh, &fresh_count);
    assert_in_range(taken, 0, n);
    for (uint32_t i = 0; i < taken; i++) {
        if (!set_add(s, states + (size_t)i * s->words)) continue;
        assert_true(naive < fresh_count);
        assert_int_equal(fresh[naive++], i);
    }
    assert_int_equal(naive, fresh_count);
    free(fresh);
    return taken;
}

/* States that are not there are not found. */
static void check_absent(struct table *t, struct set *s, uint32_t tries, void (*make)(word *, uint32_t)) {
    word *state = malloc(t->words * sizeof(word));
    for (uint32_t i = 0; i < tries; i++) {
        uint64_t slot;
        make(state, t->words);
        table_find(t, state, 1, &slot);
        assert_int_equal(slot != TABLE_NONE, set_has(s, state));
    }
    free(state);
}

/* ---- Ways to make states; bit 0 of the first word is always 1 ---- */

static void any(word *s, uint32_t words) {
    for (uint32_t i = 0; i < words; i++) s[i] = random_word();
    s[0] |= 1;
}

static void small(word *s, uint32_t words) {
    for (uint32_t i = 0; i < words; i++) s[i] = random_below(words == 1 ? 100000 : 100);
    s[0] |= 1;
}

static void sparse(word *s, uint32_t words) { /* a few bits set, as in real models */
    memset(s, 0, words * sizeof(word));
    for (int k = 0; k < 4; k++) s[random_below(words)] |= UINT64_C(1) << random_below(64);
    s[0] |= 1;
}

/* The state whose stored first word is `first`, or NULL if none can be. */
static bool with_first(word *s, uint32_t words, uint64_t first) {
    for (uint32_t i = 1; i < words; i++) s[i] = random_below(8);
    s[0] = unmix(first) ^ hash_rest(s, words);
    return (s[0] & 1) != 0;
}

static void crowd(word *s, uint32_t words) { /* a few places in the table, thousands at each */
    static const uint64_t places[] = {1, UINT64_C(1) << 40, UINT64_C(1) << 63, UINT64_C(0x123456789) << 28};
    while (!with_first(s, words, places[random_below(COUNT(places))] + random_below(1 << 20))) {}
}

static void upper_end(word *s, uint32_t words) {
    while (!with_first(s, words, UINT64_MAX - random_below(1 << 16))) {}
}

static void lower_end(word *s, uint32_t words) {
    while (!with_first(s, words, 1 + random_below(1 << 16))) {}
}

static void same_first(word *s, uint32_t words) { /* differ only in what the first word hides */
    static const uint64_t places[] = {UINT64_C(0x4000000000000001), UINT64_C(0xc000000000000001), 3};
    uint64_t odd = UINT64_C(1) + 2 * random_below(COUNT(places)) * places[0], first = mix(odd);
    for (uint32_t i = 1; i < words; i++) s[i] = i == words - 1 ? random_below(900) : 7;
    s[0] = unmix(first) ^ hash_rest(s, words);
    assert_int_equal(first_word(s, words), first);
}

/* ---- The tests ---- */

static void run(uint32_t words, uint32_t total, uint32_t batch, void (*make)(word *, uint32_t)) {
    struct table t;
    struct set s;
    word *states = malloc((size_t)batch * words * sizeof(word));
    assert_true(table_init(&t, words, UINT64_C(1) << 32));
    set_init(&s, words, total + batch);
    check_same(&t, &s);
    for (uint32_t done = 0, round = 0; done < total; done += batch, round++) {
        uint32_t n = 1 + random_below(batch);
        for (uint32_t i = 0; i < n; i++) {
            word *state = states + (size_t)i * words;
            uint32_t again = random_below(10);
            if (i && again == 0) memcpy(state, states + (size_t)random_below(i) * words, words * sizeof(word));
            else if (s.count && again == 1) memcpy(state, s.states + (size_t)random_below(s.count) * words, words * sizeof(word));
            else make(state, words);
        }
        assert_int_equal(insert_both(&t, &s, states, n), n);
        if (round % 64 == 0) check_same(&t, &s);
    }
    check_same(&t, &s);
    check_absent(&t, &s, 2000, make);
    check_absent(&t, &s, 2000, any);
    table_fini(&t);
    set_fini(&s);
    free(states);
}

static void each_length(uint64_t seed, uint32_t total, uint32_t batch, void (*make)(word *, uint32_t)) {
    static const uint32_t lengths[] = {1, 2, 3, 9};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        random_start(seed + i);
        run(lengths[i], total, batch, make);
    }
}

static void random_states(void **unused) {
    (void)unused;
    each_length(1, 60000, 1000, any);
    each_length(2, 3000, 1, any);
    each_length(3, 5000, 3, any);
}

static void small_states(void **unused) {
    (void)unused;
    each_length(4, 40000, 500, small);
    each_length(5, 40000, 500, sparse);
}

static void crowded_states(void **unused) {
    (void)unused;
    each_length(6, 20000, 200, crowd);
}

static void ends(void **unused) {
    (void)unused;
    each_length(7, 3500, 100, upper_end);
    each_length(8, 20000, 300, lower_end);
}

static void equal_first_words(void **unused) {
    static const uint32_t lengths[] = {2, 3, 9};
    (void)unused;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        random_start(9 + i);
        run(lengths[i], 20000, 100, same_first);
    }
}

/* More states than the slots after the last home, all of that home: the table must grow until they spread. */
static void overflowing_end(void **unused) {
    struct table t;
    struct set s;
    word state;
    (void)unused;
    random_start(12);
    assert_true(table_init(&t, 1, UINT64_C(1) << 32));
    set_init(&s, 1, 20000);
    /* Their distances are such that 2^20 homes are enough. */
    for (uint64_t i = 0; s.count < 6000; i++)
        if (with_first(&state, 1, UINT64_MAX - i * (UINT64_C(1) << 42))) assert_int_equal(insert_both(&t, &s, &state, 1), 1);
    check_same(&t, &s);
    table_fini(&t);
    set_fini(&s);
}

static void mixing_is_a_bijection(void **unused) {
    (void)unused;
    random_start(13);
    assert_true(mix(0) == 0 && unmix(0) == 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t x = i < 64 ? UINT64_C(1) << i : random_word() >> random_below(64);
        assert_true(unmix(mix(x)) == x);
        assert_true(mix(unmix(x)) == x);
    }
}

/* With little memory the table says how far it came, keeps what it has, and still knows it. */
static void full_table(void **unused) {
    static const uint32_t lengths[] = {1, 2, 3, 9};
    (void)unused;
    for (size_t i = 0; i < COUNT(lengths); i++)
        for (uint32_t kib = 64; kib <= 1024; kib += 157) {
            uint32_t words = lengths[i], batch = 700, rounds = 0, taken, more = 0;
            struct table t;
            struct set s;
            word *states = malloc((size_t)batch * words * sizeof(word));
            random_start(100 * i + kib);
            uint64_t least = (FIRST_HOMES + TAIL) * (uint64_t)words * sizeof(word), most = kib * UINT64_C(1024);
            assert_true(table_init(&t, words, most));
            set_init(&s, words, 1000000);
            do {
                for (uint32_t k = 0; k < batch; k++) any(states + (size_t)k * words, words);
                taken = insert_both(&t, &s, states, batch);
                assert_true(rounds++ < 10000);
            } while (taken == batch);
            assert_true(table_bytes(&t) <= (most > least ? most : least));
            check_same(&t, &s);
            /* It was not given up too early: growth in small steps uses most of what is allowed. */
            if (most > 4 * least) assert_true(s.count > (most / words / sizeof(word) - TAIL) / 10 * 8);
            /* What is there can be inserted again; nothing else can. */
            assert_int_equal(insert_both(&t, &s, s.states, s.count), s.count);
            any(states, words);
            if (!set_has(&s, states)) assert_int_equal(insert_both(&t, &s, states, 1), 0);
            /* A new state between old ones: looked at are those before it. */
            memcpy(states + words, states, words * sizeof(word));
            memcpy(states, s.states, words * sizeof(word));
            assert_int_equal(insert_both(&t, &s, states, 2), 1);
            for (uint32_t k = 0; k < 100; k++) any(states + (size_t)k * words, words);
            more = insert_both(&t, &s, states, 100);
            assert_int_equal(more, 0);
            check_same(&t, &s);
            table_fini(&t);
            set_fini(&s);
            free(states);
        }
}

static void empty_batch(void **unused) {
    struct table t;
    word state = 1;
    uint32_t fresh[1], fresh_count = 9;
    uint64_t slot = 5;
    (void)unused;
    assert_true(table_init(&t, 1, 1 << 20));
    assert_int_equal(table_insert(&t, &state, 0, fresh, &fresh_count), 0);
    assert_int_equal(fresh_count, 0);
    table_find(&t, &state, 0, &slot);
    assert_int_equal(slot, 5);
    table_find(&t, &state, 1, &slot);
    assert_true(slot == TABLE_NONE);
    table_fini(&t);
}

/* One batch with every state several times. */
static void duplicates_in_a_batch(void **unused) {
    static const uint32_t lengths[] = {1, 2, 3, 9};
    (void)unused;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        uint32_t words = lengths[i], n = 20000;
        struct table t;
        struct set s;
        word *states = malloc((size_t)n * words * sizeof(word));
        random_start(200 + i);
        for (uint32_t k = 0; k < n; k++) {
            any(states + (size_t)k * words, words);
            if (k >= 3) memcpy(states + (size_t)k * words, states + (size_t)random_below(k) * words, words * sizeof(word));
            if (random_chance(30)) any(states + (size_t)k * words, words);
        }
        assert_true(table_init(&t, words, UINT64_C(1) << 32));
        set_init(&s, words, n);
        assert_int_equal(insert_both(&t, &s, states, n), n);
        check_same(&t, &s);
        table_fini(&t);
        set_fini(&s);
        free(states);
    }
}

/* Beyond 2^20 homes growth goes in small steps: no state may be lost there either. */
static void large_table(void **unused) {
    enum { BATCH = 4096 };
    struct table t;
    word states[BATCH];
    uint32_t fresh[BATCH], fresh_count;
    uint64_t slots[BATCH], total = 0;
    (void)unused;
    assert_true(table_init(&t, 1, UINT64_C(1) << 32));
    for (uint64_t n = 0; n < 1700000; n += BATCH) {
        for (uint64_t i = 0; i < BATCH; i++) states[i] = (n + i) * 34567 << 1 | 1;
        assert_int_equal(table_insert(&t, states, BATCH, fresh, &fresh_count), BATCH);
        assert_int_equal(fresh_count, BATCH);
        total += BATCH;
    }
    assert_int_equal(t.count, total);
    assert_true(t.homes > 1 << 20);
    for (uint64_t n = 0; n < total; n += BATCH) {
        for (uint64_t i = 0; i < BATCH; i++) states[i] = (n + i) * 34567 << 1 | 1;
        table_find(&t, states, BATCH, slots);
        for (uint32_t i = 0; i < BATCH; i++) assert_true(slots[i] != TABLE_NONE);
        for (uint64_t i = 0; i < BATCH; i++) states[i] = ((n + i) * 34567 + 1) << 1 | 1;
        table_find(&t, states, BATCH, slots);
        for (uint32_t i = 0; i < BATCH; i++) assert_true(slots[i] == TABLE_NONE);
    }
    table_fini(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixing_is_a_bijection), cmocka_unit_test(empty_batch),    cmocka_unit_test(random_states),
        cmocka_unit_test(small_states),          cmocka_unit_test(crowded_states), cmocka_unit_test(ends),
        cmocka_unit_test(equal_first_words),     cmocka_unit_test(overflowing_end), cmocka_unit_test(full_table),
        cmocka_unit_test(duplicates_in_a_batch), cmocka_unit_test(large_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
