/* The table of states against a naive set.
 *
 * The source is included, not linked, so that the code for every kind of machine can be tried, and so that adversarial
 * states can be made by undoing the bijection: many states with the same home, at the end of the table, or with the
 * same image. */
#include "unit.h"

#include "store/table.c" // NOLINT: see above

static const struct {
    const char *name;
    const struct table_code *code;
} kinds[] = {
    {"plain", &code_plain},
#if defined __x86_64__
    {"avx2", &code_avx2},
#endif
};

static bool runs_here(size_t kind) { return kind == 0 || best_code() != &code_plain; }

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

static uint64_t entry_at(const struct table *t, uint64_t slot) {
    return t->narrow ? narrow_line(t, 0)[slot] : wide_line(t, 0)[slot];
}

/* The table is what its header says: lines fill from the left, and between a state and its home all lines are full. */
static void check_layout(const struct table *t) {
    uint64_t *full = calloc(t->lines + 1, sizeof *full); /* how many lines before this one are full */
    assert_int_equal(t->slots, t->lines * t->per_line);
    for (uint64_t line = 0; line < t->lines; line++) {
        uint32_t used = 0;
        while (used < t->per_line && entry_at(t, line * t->per_line + used)) used++;
        for (uint32_t i = used; i < t->per_line; i++) assert_true(entry_at(t, line * t->per_line + i) == 0);
        full[line + 1] = full[line] + (used == t->per_line);
    }
    for (uint64_t slot = 0; slot < t->slots; slot++) {
        uint64_t entry = entry_at(t, slot), line = slot / t->per_line;
        if (!entry) continue;
        uint64_t image = t->narrow ? narrow_image(t, line, (uint32_t)entry) : entry;
        uint64_t home = place_of(t, t->words, image).line;
        assert_true(home <= line);
        assert_true(full[line] - full[home] == line - home);
    }
    free(full);
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
        assert_true(slots[i] < t->slots);
        assert_true(table_state(t, slots[i], state));
        assert_memory_equal(state, s->states + (size_t)i * s->words, s->words * sizeof(word));
    }
    free(slots);
    free(state);
    check_layout(t);
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

/* ---- Ways to make states of so many bits after the mark ---- */

typedef void maker(word *s, uint32_t bits);

/* Only the mark and the bits stay. */
static void trim(word *s, uint32_t bits) {
    uint32_t words = bits / 64 + 1, last = bits % 64 + 1;
    if (last < 64) s[words - 1] &= (UINT64_C(1) << last) - 1;
    s[0] |= 1;
}

static void any(word *s, uint32_t bits) {
    for (uint32_t i = 0; i < bits / 64 + 1; i++) s[i] = random_word();
    trim(s, bits);
}

static void small(word *s, uint32_t bits) {
    for (uint32_t i = 0; i < bits / 64 + 1; i++) s[i] = random_below(bits < 64 ? 100000 : 100);
    trim(s, bits);
}

static void sparse(word *s, uint32_t bits) { /* a few bits set, as in real models */
    memset(s, 0, (bits / 64 + 1) * sizeof(word));
    for (int k = 0; k < 4; k++) {
        uint32_t b = random_below(bits + 1);
        s[b / 64] |= UINT64_C(1) << (b % 64);
    }
    trim(s, bits);
}

/* The state with this image: of `bits` bits for states of one word, else of 64, if there is one. */
static bool with_image(word *s, uint32_t bits, uint64_t image) {
    struct table t = {.bits = bits, .words = bits / 64 + 1};
    for (uint32_t i = 1; i < t.words; i++) s[i] = image >> i & 1; /* the last word has one bit at least */
    state_of(&t, t.words == 1 ? image << (64 - bits) | 1 : image, s);
    return (s[0] & 1) != 0;
}

static uint64_t top_image(uint32_t bits) { return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX; }

static void crowd(word *s, uint32_t bits) { /* a few places in the table, a few hundred at each */
    uint64_t place = top_image(bits) / 5 * random_below(5);
    while (!with_image(s, bits, place + random_below(bits < 64 ? 300 : 600))) {}
}

static void end(word *s, uint32_t bits) {
    while (!with_image(s, bits, top_image(bits) - random_below(bits < 64 ? 400 : 800))) {}
}

static void beginning(word *s, uint32_t bits) {
    while (!with_image(s, bits, random_below(bits < 64 ? 400 : 800))) {}
}

static void same_image(word *s, uint32_t bits) { /* words that differ only in what the image hides */
    struct table t = {.bits = bits, .words = bits / 64 + 1};
    for (uint32_t i = 1; i < t.words; i++) s[i] = 0;
    s[0] = 77;
    uint64_t image = image_of(&t, t.words, s);
    for (uint32_t i = 1; i < t.words; i++) s[i] = random_below(i == 1 && bits % 64 > 12 ? 1000 : 2);
    state_of(&t, image, s);
    assert_true(image_of(&t, t.words, s) == image);
}

/* ---- Random runs ---- */

static const uint32_t all_bits[] = {1,  2,  5,  8,  9,  10, 13, 16, 20, 27,  33,  35,  36,  37,
                                    41, 45, 53, 58, 61, 62, 63, 64, 90, 127, 128, 150, 300, 575};

static bool was_narrow, was_wide;

static void run(size_t kind, uint32_t bits, uint32_t total, uint32_t batch, maker *make) {
    struct table t;
    struct set s;
    uint32_t words = bits / 64 + 1;
    word *states = malloc((size_t)batch * words * sizeof(word));
    assert_true(table_init(&t, bits, UINT64_C(1) << 32));
    assert_int_equal(t.words, words);
    t.code = kinds[kind].code;
    set_init(&s, words, total + batch);
    check_same(&t, &s);
    for (uint32_t done = 0, round = 0; done < total; round++) {
        uint32_t n = 1 + random_below(batch);
        for (uint32_t i = 0; i < n; i++) {
            word *state = states + (size_t)i * words;
            uint32_t again = random_below(10);
            if (i && again == 0) memcpy(state, states + (size_t)random_below(i) * words, words * sizeof(word));
            else if (s.count && again == 1)
                memcpy(state, s.states + (size_t)random_below(s.count) * words, words * sizeof(word));
            else make(state, bits);
        }
        assert_int_equal(insert_both(&t, &s, states, n), n);
        done += n;
        if (round % (total / batch / 2 + 1) == 0) check_same(&t, &s);
    }
    check_same(&t, &s);
    for (uint32_t i = 0; i < 2000; i++) { /* states that are there or not */
        uint64_t slot;
        (i % 2 ? make : any)(states, bits);
        table_find(&t, states, 1, &slot);
        assert_int_equal(slot != TABLE_NONE, set_has(&s, states));
    }
    if (t.narrow) was_narrow = true;
    else was_wide = true;
    table_fini(&t);
    set_fini(&s);
    free(states);
}

static void each_length(uint64_t seed, uint32_t total, uint32_t batch, maker *make, uint32_t least_bits) {
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(all_bits) && runs_here(kind); i++) {
            if (all_bits[i] < least_bits) continue;
            random_start(seed + i);
            run(kind, all_bits[i], total, batch, make);
        }
}

static void random_states(void **unused) {
    (void)unused;
    was_narrow = was_wide = false;
    each_length(1, 20000, 1000, any, 1);
    each_length(2, 1000, 1, any, 1);
    each_length(3, 5000, 3, any, 1);
    assert_true(was_narrow && was_wide);
}

static void small_states(void **unused) {
    (void)unused;
    each_length(4, 20000, 500, small, 5);
    each_length(5, 20000, 500, sparse, 5);
}

static void crowded_states(void **unused) {
    (void)unused;
    each_length(6, 5000, 200, crowd, 13);
}

static void ends(void **unused) {
    (void)unused;
    each_length(7, 3000, 100, end, 13);
    each_length(8, 3000, 100, beginning, 13);
}

static void equal_images(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(all_bits) && runs_here(kind); i++) {
            if (all_bits[i] < 65) continue;
            random_start(9 + i);
            run(kind, all_bits[i], 3000, 100, same_image);
        }
}

/* All states that there are, for few bits. */
static void all_states(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (uint32_t bits = 1; bits <= 17 && runs_here(kind); bits++) {
            struct table t;
            struct set s;
            assert_true(table_init(&t, bits, UINT64_C(1) << 32));
            t.code = kinds[kind].code;
            set_init(&s, 1, 1 << bits);
            word *states = malloc(sizeof(word) << bits);
            for (uint32_t i = 0; i < UINT32_C(1) << bits; i++) states[i] = (word)i << 1 | 1;
            assert_int_equal(insert_both(&t, &s, states, UINT32_C(1) << bits), UINT32_C(1) << bits);
            assert_int_equal(t.count, UINT32_C(1) << bits);
            check_same(&t, &s);
            assert_int_equal(insert_both(&t, &s, states, UINT32_C(1) << bits), UINT32_C(1) << bits);
            assert_int_equal(t.count, UINT32_C(1) << bits);
            free(states);
            table_fini(&t);
            set_fini(&s);
        }
}

/* ---- The bijection, and narrow entries ---- */

static void images_are_a_bijection(void **unused) {
    word state[9], back[9];
    (void)unused;
    random_start(10);
    for (size_t i = 0; i < COUNT(all_bits); i++) {
        struct table t = {.bits = all_bits[i], .words = all_bits[i] / 64 + 1};
        for (int k = 0; k < 10000; k++) {
            (k % 3 ? any : sparse)(state, t.bits);
            uint64_t image = image_of(&t, t.words, state);
            assert_true(image != 0);
            memcpy(back, state, sizeof back);
            back[0] = 0;
            state_of(&t, image, back);
            assert_memory_equal(back, state, t.words * sizeof(word));
        }
    }
}

/* For all numbers of lines that a table may have, powers of two or not: slot and line give the image back, and two
 * states never look the same. */
static void narrow_entries(void **unused) {
    uint32_t tried = 0;
    (void)unused;
    random_start(11);
    for (int i = 0; i < 200000; i++) {
        struct table t = {.bits = 10 + random_below(53), .words = 1};
        uint64_t homes = FIRST_HOMES + (random_word() >> (34 + random_below(20)));
        if (i % 4 == 0) homes = UINT64_C(1) << (9 + random_below(22));
        if (!narrow_enough(&t, 63 - (unsigned)__builtin_clzll(homes))) continue;
        if (t.bits < 63 - (unsigned)__builtin_clzll(homes) + 2) continue; /* then there are fewer states than lines */
        set_numbers(&t, homes, true);
        uint64_t most = (UINT64_C(1) << t.bits) - 1, number = random_word() & most;
        if (i % 5 == 0) number = most - random_below(3);
        if (i % 5 == 1) number = random_below(3);
        uint64_t image = number << (64 - t.bits) | 1, next = (number + 1) << (64 - t.bits) | 1;
        struct place p = place_of(&t, 1, image);
        assert_true(p.line < homes);
        unsigned distance = random_below(MAX_DISTANCE);
        uint32_t entry = narrow_entry(&t, p, distance);
        assert_true(entry != 0);
        assert_true(narrow_image(&t, p.line + distance, entry) == image);
        assert_int_equal(entry, narrow_entry(&t, p, 0) + distance); /* as the search counts on */
        if (number < most) {
            struct place q = place_of(&t, 1, next);
            assert_true(q.line > p.line || narrow_entry(&t, q, distance) > entry);
        }
        tried++;
    }
    assert_true(tried > 50000);
}

/* ---- Growing ---- */

/* States of the end that need more lines than there are after the last home: the table grows until they spread. */
static void overflowing_end(void **unused) {
    static const uint32_t bits[] = {24, 30, 36, 40, 50, 60, 63, 64, 127, 191};
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(bits) && runs_here(kind); i++)
            for (int at_end = 0; at_end < 2; at_end++) {
                struct table t;
                struct set s;
                word state[9];
                uint64_t stride = top_image(bits[i]) >> 16;
                random_start(12);
                assert_true(table_init(&t, bits[i], UINT64_C(1) << 32));
                t.code = kinds[kind].code;
                set_init(&s, t.words, 2000);
                for (uint64_t k = 0; s.count < 1500; k++)
                    if (with_image(state, bits[i], at_end ? top_image(bits[i]) - k * stride : k * stride))
                        assert_int_equal(insert_both(&t, &s, state, 1), 1);
                check_same(&t, &s);
                table_fini(&t);
                set_fini(&s);
            }
}

/* With little memory the table says how far it came, keeps what it has, and still knows it. */
static void full_table(void **unused) {
    static const uint32_t bits[] = {17, 24, 36, 45, 63, 64, 127, 191, 575};
    bool odd = false;
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(bits) && runs_here(kind); i++)
            for (uint32_t kib = 30; kib <= 800; kib = kib * 2 + 41) {
                uint32_t words = bits[i] / 64 + 1, batch = 700, rounds = 0, taken;
                struct table t;
                struct set s;
                word *states = malloc((size_t)batch * words * sizeof(word));
                random_start(100 * i + kib);
                uint64_t most = kib * UINT64_C(1024);
                assert_true(table_init(&t, bits[i], most));
                t.code = kinds[kind].code;
                uint64_t least = table_bytes(&t);
                set_init(&s, words, 400000);
                do {
                    for (uint32_t k = 0; k < batch; k++) any(states + (size_t)k * words, bits[i]);
                    taken = insert_both(&t, &s, states, batch);
                    rounds++;
                } while (taken == batch && rounds < 600);
                assert_true(table_bytes(&t) <= (most > least ? most : least));
                check_same(&t, &s);
                if (t.homes & (t.homes - 1)) odd = true;
                if (taken < batch) { /* else there are not enough states of so few bits */
                    /* It was not given up too early: growth in small steps uses most of what is allowed. */
                    if (most > 3 * least) assert_true(s.count > most / 64 / words * t.per_line * 6 / 10);
                    /* What is there can be inserted again; nothing else can. */
                    assert_int_equal(insert_both(&t, &s, s.states, s.count), s.count);
                    do any(states, bits[i]);
                    while (set_has(&s, states));
                    assert_int_equal(insert_both(&t, &s, states, 1), 0);
                    /* A new state between old ones: looked at are those before it. */
                    memcpy(states + words, states, words * sizeof(word));
                    memcpy(states, s.states, words * sizeof(word));
                    assert_int_equal(insert_both(&t, &s, states, 2), 1);
                    check_same(&t, &s);
                }
                table_fini(&t);
                set_fini(&s);
                free(states);
            }
    assert_true(odd); /* some of them had a number of lines that is not a power of two */
}

/* So many states with the same home that no format has room for them near it: the table may be full early, but it must
 * say so. Real states do not behave like that. */
static void hopeless_crowd(void **unused) {
    static const uint32_t bits[] = {30, 40, 60, 127};
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(bits) && runs_here(kind); i++) {
            struct table t;
            word state[9];
            uint32_t fresh, fresh_count = 0, count = 0, taken = 1;
            random_start(13);
            assert_true(table_init(&t, bits[i], UINT64_C(16) << 20));
            t.code = kinds[kind].code;
            for (uint64_t k = 0; count < 20000 && taken == 1; k++) {
                if (!with_image(state, bits[i], top_image(bits[i]) / 2 + k)) continue;
                taken = table_insert(&t, state, 1, &fresh, &fresh_count);
                count += fresh_count;
                assert_int_equal(fresh_count, taken);
            }
            assert_true(table_bytes(&t) <= t.max_bytes);
            table_fini(&t);
        }
}

/* ---- States as models have them: the table must not grow more than their number asks for ---- */

/* State number k of a family. */
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

static void families(void **unused) {
    static const uint32_t bits[] = {24, 27, 30, 33, 36, 44, 56, 62, 63};
    enum { BATCH = 1000 };
    (void)unused;
    for (int family = 0; family < 8; family++)
        for (size_t i = 0; i < COUNT(bits); i++) {
            struct table t;
            word states[BATCH];
            uint32_t fresh[BATCH], fresh_count;
            assert_true(table_init(&t, bits[i], UINT64_C(1) << 32));
            for (uint64_t k = 0; k < 40000; k += BATCH) {
                for (uint64_t j = 0; j < BATCH; j++) {
                    states[j] = family_state(family, bits[i], k + j) << 1 | 1;
                    trim(states + j, bits[i]);
                }
                assert_int_equal(table_insert(&t, states, BATCH, fresh, &fresh_count), BATCH);
            }
            if (table_bytes(&t) > 64 * t.count + 100000)
                fail_msg("family %d, %u bits: %llu bytes for %llu states", family, bits[i],
                         (unsigned long long)table_bytes(&t), (unsigned long long)t.count);
            check_layout(&t);
            table_fini(&t);
        }
}

/* ---- Batches ---- */

static void empty_batch(void **unused) {
    struct table t;
    word state = 1;
    uint32_t fresh[1], fresh_count = 9;
    uint64_t slot = 5;
    (void)unused;
    assert_true(table_init(&t, 10, 1 << 20));
    assert_int_equal(table_insert(&t, &state, 0, fresh, &fresh_count), 0);
    assert_int_equal(fresh_count, 0);
    table_find(&t, &state, 0, &slot);
    assert_int_equal(slot, 5);
    table_find(&t, &state, 1, &slot);
    assert_true(slot == TABLE_NONE);
    table_fini(&t);
    /* A model without variables has one state. */
    assert_true(table_init(&t, 0, 1 << 20));
    assert_int_equal(table_insert(&t, &state, 1, fresh, &fresh_count), 1);
    assert_int_equal(fresh_count, 1);
    table_find(&t, &state, 1, &slot);
    assert_true(table_state(&t, slot, &state) && state == 1);
    table_fini(&t);
}

/* One batch with every state several times, in which the table grows and changes its format. */
static void duplicates_in_a_batch(void **unused) {
    static const uint32_t bits[] = {16, 30, 36, 63, 127, 191, 575};
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(bits) && runs_here(kind); i++) {
            uint32_t words = bits[i] / 64 + 1, n = 30000;
            struct table t;
            struct set s;
            word *states = malloc((size_t)n * words * sizeof(word));
            random_start(200 + i);
            for (uint32_t k = 0; k < n; k++) {
                if (k < 3 || random_chance(60)) any(states + (size_t)k * words, bits[i]);
                else memcpy(states + (size_t)k * words, states + (size_t)random_below(k) * words, words * sizeof(word));
            }
            assert_true(table_init(&t, bits[i], UINT64_C(1) << 32));
            t.code = kinds[kind].code;
            set_init(&s, words, n);
            assert_int_equal(insert_both(&t, &s, states, n), n);
            check_same(&t, &s);
            table_fini(&t);
            set_fini(&s);
            free(states);
        }
}

/* Where growth goes in smaller steps than doubling: no state may be lost there either. */
static void large_table(void **unused) {
    static const uint32_t bits[] = {63, 36};
    static const uint64_t totals[] = {3300000, 6500000};
    enum { BATCH = 4096 };
    static word states[BATCH];
    static uint32_t fresh[BATCH];
    static uint64_t slots[BATCH];
    (void)unused;
    for (size_t b = 0; b < (SANITIZED ? 1 : COUNT(bits)); b++) {
        struct table t;
        uint64_t total = 0;
        uint32_t fresh_count;
        assert_true(table_init(&t, bits[b], UINT64_C(1) << 32));
        for (uint64_t n = 0; n < totals[b]; n += BATCH) {
            for (uint64_t i = 0; i < BATCH; i++) states[i] = (n + i) * 6571 << 1 | 1;
            assert_int_equal(table_insert(&t, states, BATCH, fresh, &fresh_count), BATCH);
            assert_int_equal(fresh_count, BATCH);
            total += BATCH;
        }
        assert_int_equal(t.count, total);
        assert_true(t.homes > SMALL_HOMES);
        for (uint64_t n = 0; n < total; n += BATCH) {
            for (uint64_t i = 0; i < BATCH; i++) states[i] = (n + i) * 6571 << 1 | 1;
            table_find(&t, states, BATCH, slots);
            for (uint32_t i = 0; i < BATCH; i++) assert_true(slots[i] != TABLE_NONE);
            for (uint64_t i = 0; i < BATCH; i++) states[i] = ((n + i) * 6571 + 1) << 1 | 1;
            table_find(&t, states, BATCH, slots);
            for (uint32_t i = 0; i < BATCH; i++) assert_true(slots[i] == TABLE_NONE);
        }
        check_layout(&t);
        table_fini(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_a_bijection),
        cmocka_unit_test(narrow_entries),
        cmocka_unit_test(empty_batch),
        cmocka_unit_test(all_states),
        cmocka_unit_test(random_states),
        cmocka_unit_test(small_states),
        cmocka_unit_test(crowded_states),
        cmocka_unit_test(ends),
        cmocka_unit_test(equal_images),
        cmocka_unit_test(overflowing_end),
        cmocka_unit_test(full_table),
        cmocka_unit_test(hopeless_crowd),
        cmocka_unit_test(families),
        cmocka_unit_test(duplicates_in_a_batch),
        cmocka_unit_test(large_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
