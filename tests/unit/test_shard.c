/* A shard against a naive set.
 *
 * The source is included, not linked, so that the code for every kind of machine can be tried, and its arithmetic with
 * numbers of lines that would take too much memory. */
#include <stdatomic.h>

#include "unit.h"

#include "store/shard.c" // NOLINT: see above

static const struct {
    const char *name;
    const struct shard_code *code;
} kinds[] = {
    {"plain", &code_plain},
#if defined __x86_64__
    {"avx2", &code_avx2},
#endif
};

static bool runs_here(size_t kind) { return kind == 0 || best_code() != &code_plain; }

/* ---- A naive set of images: their lowest bit is 0, so that 1 can mark a place that is taken ---- */

struct set {
    uint64_t *places, *list; /* hashed; in the order of insertion */
    uint32_t count, room;    /* room is a power of two */
};

static void set_init(struct set *s, uint32_t most) {
    *s = (struct set){.room = 1024};
    while (s->room < 2 * most) s->room *= 2;
    s->places = calloc(s->room, sizeof *s->places);
    s->list = malloc(s->room * sizeof *s->list);
}

static void set_fini(struct set *s) {
    free(s->places);
    free(s->list);
}

static uint64_t *set_place(const struct set *s, uint64_t image) {
    uint64_t at = ((image >> 32 ^ image) * UINT64_C(0x2545f4914f6cdd1d)) >> 32;
    for (;; at++)
        if (!s->places[at % s->room] || s->places[at % s->room] == (image | 1)) return &s->places[at % s->room];
}

static bool set_has(const struct set *s, uint64_t image) { return *set_place(s, image) != 0; }

/* Whether it is new. */
static bool set_add(struct set *s, uint64_t image) {
    if (set_has(s, image)) return false;
    assert_true(s->count < s->room / 2);
    *set_place(s, image) = image | 1;
    s->list[s->count++] = image;
    return true;
}

/* ---- Comparing ---- */

static uint64_t home_of(const struct shard *s, uint64_t image) {
    return (uint64_t)(((unsigned __int128)(image >> (64 - s->bits)) * s->homes) >> s->bits);
}

/* The shard is what its header says: lines fill from the left, and from an image's home to its line all are full. */
static void check_layout(const struct shard *s) {
    uint64_t *full = calloc(s->lines + 1, sizeof *full), image; /* how many lines before this one are full */
    for (uint64_t line = 0; line < s->lines; line++) {
        unsigned used = 0;
        while (used < s->per_line && shard_image(s, line * s->per_line + used, &image)) used++;
        full[line + 1] = full[line] + (used == s->per_line);
        for (unsigned i = used; i < s->per_line; i++) assert_false(shard_image(s, line * s->per_line + i, &image));
    }
    for (uint64_t slot = 0; slot < shard_slots(s); slot++) {
        if (!shard_image(s, slot, &image)) continue;
        uint64_t home = home_of(s, image), line = slot / s->per_line;
        assert_true(home <= line);
        assert_true(full[line] - full[home] == line - home);
    }
    free(full);
}

/* Shard and set have the same members; every slot is found again by its image; no neighbour is taken for a member. */
static void check_same(const struct shard *s, const struct set *set) {
    uint64_t members = 0, image, unit = UINT64_C(1) << (64 - s->bits);
    assert_int_equal(s->count, set->count);
    for (uint64_t slot = 0; slot < shard_slots(s); slot++) {
        if (!shard_image(s, slot, &image)) continue;
        members++;
        assert_true(set_has(set, image));
        assert_int_equal(shard_find(s, image), slot);
    }
    assert_int_equal(members, set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        uint64_t slot = shard_find(s, set->list[i]), neighbour = set->list[i] + unit;
        assert_true(slot < shard_slots(s));
        assert_true(shard_image(s, slot, &image) && image == set->list[i]);
        if (!set_has(set, neighbour)) assert_true(shard_find(s, neighbour) == SHARD_NONE);
    }
    check_layout(s);
}

/* Inserts a batch into both; the answers must agree. Returns how many the shard took. */
static uint32_t insert_both(struct shard *s, struct set *set, const uint64_t *images, uint32_t n) {
    uint32_t *fresh = malloc((n + 1) * sizeof *fresh), fresh_count = 12345, naive = 0;
    uint32_t taken = shard_insert(s, images, n, fresh, &fresh_count);
    assert_in_range(taken, 0, n);
    for (uint32_t i = 0; i < taken; i++) {
        if (!set_add(set, images[i])) continue;
        assert_true(naive < fresh_count);
        assert_int_equal(fresh[naive++], i);
    }
    assert_int_equal(naive, fresh_count);
    free(fresh);
    return taken;
}

static void start(struct shard *s, size_t kind, unsigned bits, uint64_t lines, struct budget *b, uint64_t bytes) {
    budget_init(b, bytes);
    assert_true(shard_init(s, bits, lines, UINT64_C(1) << 16, b));
    s->code = kinds[kind].code;
}

/* The budget knows what the shard has. */
static void check_budget(const struct shard *s) {
    assert_true(shard_bytes(s) <= s->memory.size);
    assert_int_equal(s->memory.size + s->budget->left, s->budget->total);
}

/* ---- Ways to make images: k is the how-many-eth ---- */

typedef uint64_t maker(unsigned bits, uint64_t k);

static uint64_t image(unsigned bits, uint64_t number) { return number << (64 - bits); }
static uint64_t any(unsigned bits, uint64_t k) { return (void)k, image(bits, random_word()); }
static uint64_t consecutive(unsigned bits, uint64_t k) { return image(bits, 77 + k % 110); }
static uint64_t last(unsigned bits, uint64_t k) { return image(bits, UINT64_MAX - k % 110); }
static uint64_t first(unsigned bits, uint64_t k) { return image(bits, k % 110); }

/* In a few places of the shard, a hundred at each. */
static uint64_t crowd(unsigned bits, uint64_t k) {
    (void)k;
    return image(bits, random_below(5) * ((UINT64_C(1) << bits) / 5) + random_below(100));
}

static uint64_t equal_low(unsigned bits, uint64_t k) { /* the low half is the same for all */
    (void)k;
    return image(bits,
                 random_word() << (bits / 2) | (UINT64_C(0x5555555555555555) & ((UINT64_C(1) << (bits / 2)) - 1)));
}

static uint64_t steps(unsigned bits, uint64_t k) { /* evenly: as crowded everywhere as can be */
    return image(bits, bits > 20 ? k << (bits - 20) | k % 3 : k);
}

static maker *const makers[] = {any, consecutive, last, first, crowd, equal_low, steps};

/* ---- Random sets ---- */

static bool changed[COUNT(kinds)][17][17]; /* from one format to another */

static void run(size_t kind, unsigned bits, uint32_t total, uint32_t batch, maker *make) {
    struct shard s;
    struct set set;
    struct budget budget;
    uint64_t *images = malloc(batch * sizeof *images), made = 0;
    start(&s, kind, bits, 8 + random_below(90), &budget, UINT64_C(1) << 32);
    set_init(&set, total + batch);
    check_same(&s, &set);
    for (uint32_t done = 0, round = 0; done < total; round++) {
        uint32_t n = 1 + random_below(batch);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t again = random_below(10);
            if (i && again == 0) images[i] = images[random_below(i)];
            else if (set.count && again == 1) images[i] = set.list[random_below(set.count)];
            else images[i] = make(bits, made++);
        }
        unsigned before = s.per_line;
        assert_int_equal(insert_both(&s, &set, images, n), n);
        changed[kind][before][s.per_line] = true;
        done += n;
        if (round % (total / batch / 2 + 1) == 0) check_same(&s, &set);
    }
    check_same(&s, &set);
    check_budget(&s);
    shard_fini(&s);
    set_fini(&set);
    free(images);
}

static void random_sets(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (unsigned bits = 1; bits < 64 && runs_here(kind); bits++)
            for (size_t m = 0; m < COUNT(makers); m++) {
                random_start(bits * 100 + m);
                run(kind, bits, 50, 5, makers[m]);
                run(kind, bits, 500, 40, makers[m]);
                if (bits % (FEWER ? 9 : 4)) continue;
                run(kind, bits, 3000, 700, makers[m]);
                if (makers[m] == any || makers[m] == steps) run(kind, bits, 20000, 3000, makers[m]);
            }
    for (size_t kind = 0; kind < COUNT(kinds); kind++) {
        const bool(*c)[17] = changed[kind];
        if (runs_here(kind)) assert_true(c[8][8] && c[8][10] && c[10][12] && c[12][16] && c[16][16]);
    }
}

/* Every number there is. */
static void all_images(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (unsigned bits = 1; bits <= 14 && runs_here(kind); bits++) {
            struct shard s;
            struct set set;
            struct budget budget;
            start(&s, kind, bits, 64, &budget, UINT64_C(1) << 32);
            set_init(&set, 1u << bits);
            for (uint64_t k = 0; k < UINT64_C(1) << bits; k++) {
                uint64_t one = image(bits, k * 40503); /* odd: in another order */
                assert_int_equal(insert_both(&s, &set, &one, 1), 1);
            }
            assert_int_equal(set.count, 1u << bits);
            check_same(&s, &set);
            shard_fini(&s);
            set_fini(&set);
        }
}

/* ---- Arithmetic ---- */

/* For all numbers of homes that a shard may have: line and entry give the image back, fit into a slot, and are in the
 * order of the images. */
static void arithmetic(void **unused) {
    (void)unused;
    random_start(11);
    for (int i = 0; i < 400000; i++) {
        struct shard s = {.bits = 1 + random_below(63)};
        uint64_t homes = 8 + (random_word() >> (34 + random_below(27)));
        if (i % 4 == 0) homes = UINT64_C(1) << (3 + random_below(28));
        if (i % 8 == 1) homes = (UINT64_C(1) << (4 + random_below(27))) - 1;
        set_numbers(&s, homes);
        uint64_t most = (UINT64_C(1) << s.bits) - 1, number = random_word() & most;
        if (i % 5 == 0) number = most - random_below((uint32_t)(most < 3 ? most : 3));
        if (i % 5 == 1) number = random_below(3) & most;
        struct place p = place_of(&s, image(s.bits, number));
        unsigned distance = random_below(MAX_DISTANCE + 1);
        assert_int_equal(p.line, home_of(&s, image(s.bits, number)));
        assert_true(p.line < homes);
        assert_true(image_at(&s, p.line + distance, p.entry + distance) == image(s.bits, number));
        unsigned width = s.per_line == 16 ? 32 : s.per_line == 12 ? 40 : s.per_line == 10 ? 48 : 64;
        assert_true(width == 64 || p.entry >> width == 0);
        assert_int_equal(p.entry % 16, 1);
        if (number == most) continue;
        struct place q = place_of(&s, image(s.bits, number + 1));
        assert_true(q.line > p.line || (q.line == p.line && q.entry > p.entry));
    }
}

/* ---- Growing ---- */

/* More images of one home than lines near it can hold, long before the shard is full: it grows until they spread. */
static void forced_growth(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (unsigned bits = 24; bits < 64 && runs_here(kind); bits++)
            for (int where = 0; where < 3; where++) {
                struct shard s;
                struct set set;
                struct budget budget;
                start(&s, kind, bits, 64, &budget, UINT64_C(1) << 26);
                uint64_t most = 15 * s.per_line, home = where == 0 ? 0 : where == 1 ? 31 : 63;
                set_init(&set, 2000);
                for (uint64_t k = 0; k < most + 30; k++) {
                    uint64_t one = image(bits, (home << 10 | k) << (bits - 16));
                    assert_int_equal(insert_both(&s, &set, &one, 1), 1);
                    assert_int_equal(s.homes > 64, k >= most);
                }
                check_same(&s, &set);
                shard_fini(&s);
                set_fini(&set);
            }
}

/* It grows when asked to if it soon must, and not before; nothing is lost. Without memory it does not, and goes on. */
static void growing_in_time(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (int enough = 0; enough < 2 && runs_here(kind); enough++) {
            struct shard s;
            struct set set;
            struct budget budget;
            random_start(40 + (uint64_t)enough);
            start(&s, kind, 40, 64, &budget, 1 << 20);
            if (!enough) atomic_store(&budget.left, 0);
            set_init(&set, 2000);
            uint64_t homes = s.homes, limit = s.limit;
            while (s.count < limit) {
                uint64_t one = any(40, 0);
                bool soon = s.count + limit / 16 > limit;
                if (s.limit == limit) assert_int_equal(shard_has_room(&s, limit / 16), !soon);
                shard_make_room(&s);
                assert_int_equal(s.homes > homes, soon && enough);
                if (s.homes > homes) break;
                assert_int_equal(insert_both(&s, &set, &one, 1), 1);
            }
            check_same(&s, &set);
            uint64_t one = any(40, 0);
            s.lost = true; /* which shard_make_room does not tell, but the next insertion does */
            assert_int_equal(insert_both(&s, &set, &one, 1), 0);
            shard_fini(&s);
            set_fini(&set);
        }
}

/* All lines near a home are full, but of images that can move on: nothing needs to grow. */
static void making_room(void **unused) {
    enum { HOME = 20, FULL = 40 };
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (unsigned bits = 24; bits < 64 && runs_here(kind); bits++) {
            struct shard s;
            struct set set;
            struct budget budget;
            start(&s, kind, bits, 128, &budget, UINT64_C(1) << 26);
            set_init(&set, 2000);
            unsigned unit = bits - 7 - 8; /* up to 256 images with the same home */
            for (uint64_t k = 0; k < FULL * s.per_line; k++) {
                uint64_t one = image(bits, (HOME + 1 + k / s.per_line) << (bits - 7) | k % s.per_line << unit);
                assert_int_equal(insert_both(&s, &set, &one, 1), 1);
            }
            for (uint64_t k = 0; k < 9 * s.per_line; k++) {
                uint64_t one = image(bits, (uint64_t)HOME << (bits - 7) | k << unit);
                assert_int_equal(insert_both(&s, &set, &one, 1), 1);
            }
            assert_int_equal(s.homes, 128);
            check_same(&s, &set);
            shard_fini(&s);
            set_fini(&set);
        }
}

/* A full shard knows what it has, takes it again, and takes nothing else. */
static void check_full(struct shard *s, struct set *set) {
    uint64_t two[2];
    check_same(s, set);
    assert_int_equal(insert_both(s, set, set->list, set->count), set->count);
    do two[1] = any(s->bits, 0);
    while (set_has(set, two[1]));
    two[0] = set->list[0];
    assert_int_equal(insert_both(s, set, &two[1], 1), 0);
    assert_int_equal(insert_both(s, set, two, 2), 1);
    check_same(s, set);
}

/* With little memory, the shard uses nearly all of it, says how far it came, and loses nothing. */
static void little_memory(void **unused) {
    static const unsigned all_bits[] = {17, 24, 31, 36, 40, 45, 50, 53, 58, 62, 63};
    enum { BATCH = 700 };
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(all_bits) && runs_here(kind); i++)
            for (uint64_t kib = 10; kib <= (FEWER ? 100 : 500); kib = kib * 3 / 2 + 1) {
                struct shard s;
                struct set set;
                struct budget budget;
                uint64_t images[BATCH];
                uint32_t taken = BATCH;
                random_start(100 * i + kib);
                start(&s, kind, all_bits[i], 64, &budget, kib * 1024);
                set_init(&set, (uint32_t)kib * 256 + BATCH);
                for (int rounds = 0; taken == BATCH && rounds < 2000; rounds++) {
                    for (uint32_t k = 0; k < BATCH; k++) images[k] = any(all_bits[i], 0);
                    taken = insert_both(&s, &set, images, BATCH);
                }
                check_budget(&s);
                if (taken == BATCH) assert_true(all_bits[i] == 17); /* there are too few images to fill it */
                else check_full(&s, &set);
                uint64_t slots = kib * 1024 / 64 * s.per_line;
                if (taken < BATCH && kib > 20) assert_true(set.count > slots / 100 * 86);
                shard_fini(&s);
                set_fini(&set);
            }
}

/* So many images with the same home that no number of homes tells them apart: the shard is full early, and says so. */
static void hopeless_crowd(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (unsigned bits = 35; bits < 64 && runs_here(kind); bits++) {
            struct shard s;
            struct set set;
            struct budget budget;
            uint64_t one, k = 0, middle = UINT64_C(1) << (bits - 1);
            start(&s, kind, bits, 64, &budget, UINT64_C(1) << 20);
            set_init(&set, 2000);
            do one = image(bits, middle + k++);
            while (insert_both(&s, &set, &one, 1) == 1 && k < 1000);
            assert_in_range(set.count, 15 * 8, 15 * 16);
            check_same(&s, &set);
            check_budget(&s);
            assert_int_equal(insert_both(&s, &set, set.list, set.count), set.count);
            shard_fini(&s);
            set_fini(&set);
        }
}

/* Shards that take turns until their common budget is used up. */
static void common_budget(void **unused) {
    struct shard s[5];
    struct set sets[COUNT(s)];
    struct budget budget;
    uint32_t full = 0;
    uint64_t bytes = 0;
    (void)unused;
    random_start(5);
    budget_init(&budget, 300000);
    for (size_t i = 0; i < COUNT(s); i++) {
        assert_true(shard_init(&s[i], 20 + 10 * (unsigned)i, 64 + 8 * i, 1 << 16, &budget));
        set_init(&sets[i], 100000);
    }
    for (uint32_t i = 0; full < 200; i++) {
        uint64_t one = any(s[i % COUNT(s)].bits, 0);
        if (insert_both(&s[i % COUNT(s)], &sets[i % COUNT(s)], &one, 1) < 1) full++;
    }
    for (size_t i = 0; i < COUNT(s); i++) {
        check_same(&s[i], &sets[i]);
        bytes += s[i].memory.size;
        shard_fini(&s[i]);
        set_fini(&sets[i]);
    }
    assert_int_equal(bytes + budget.left, budget.total);
    /* Not even the first lines: nothing is taken from the budget. */
    budget_init(&budget, 5000);
    assert_false(shard_init(&s[0], 30, 64, 1 << 16, &budget));
    assert_int_equal(budget.left, 5000);
}

/* ---- Batches ---- */

static void empty_batch(void **unused) {
    struct shard s;
    struct budget budget;
    uint32_t fresh[1] = {7}, fresh_count = 9;
    uint64_t some = image(10, 5);
    (void)unused;
    start(&s, 0, 10, 64, &budget, 1 << 20);
    assert_int_equal(shard_insert(&s, &some, 0, fresh, &fresh_count), 0);
    assert_int_equal(fresh_count, 0);
    assert_int_equal(fresh[0], 7);
    assert_true(shard_find(&s, some) == SHARD_NONE);
    shard_fini(&s);
}

/* One batch with every image several times, in which the shard grows and changes its format. */
static void duplicates_in_a_batch(void **unused) {
    enum { N = 30000 };
    (void)unused;
    uint64_t *images = malloc(N * sizeof *images);
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (unsigned bits = 1; bits < 64 && runs_here(kind); bits += FEWER ? 8 : 3) {
            struct shard s;
            struct set set;
            struct budget budget;
            random_start(bits);
            for (uint32_t k = 0; k < N; k++)
                images[k] = k == 0 || random_chance(60) ? any(bits, 0) : images[random_below(k)];
            start(&s, kind, bits, 64, &budget, UINT64_C(1) << 30);
            set_init(&set, N);
            assert_int_equal(insert_both(&s, &set, images, N), N);
            assert_true(bits < 16 || s.homes > 1000);
            check_same(&s, &set);
            shard_fini(&s);
            set_fini(&set);
        }
    free(images);
}

/* Where growth goes in smaller steps than doubling; and the shard is never larger than its images ask for. */
static void large_shard(void **unused) {
    enum { BATCH = 4096, TOTAL = FEWER ? 300000 : 3300000 };
    static const unsigned bits[] = {36, 62};
    static uint64_t images[BATCH];
    static uint32_t fresh[BATCH];
    (void)unused;
    for (size_t b = 0; b < COUNT(bits); b++) {
        struct shard s;
        struct budget budget;
        uint32_t fresh_count;
        uint64_t changed_at = 0;                                              /* homes when the format changed */
        uint64_t number = UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits[b]) | 1; /* times k: all different, and even */
        start(&s, COUNT(kinds) - 1, bits[b], 64, &budget, UINT64_C(1) << 32);
        s.code = best_code();
        for (uint64_t n = 0; n < TOTAL; n += BATCH) {
            unsigned before = s.per_line;
            for (uint64_t i = 0; i < BATCH; i++) images[i] = image(bits[b], (n + i) * number);
            assert_int_equal(shard_insert(&s, images, BATCH, fresh, &fresh_count), BATCH);
            assert_int_equal(fresh_count, BATCH);
            uint64_t least = s.count * 64 / s.per_line; /* bytes: every slot taken */
            if (s.per_line != before) changed_at = s.homes;
            if (s.homes > s.dense_from / 2 && s.homes > changed_at)
                assert_true(shard_bytes(&s) < least * (s.homes > s.dense_from * 3 / 2 ? 155 : 205) / 100);
        }
        for (uint64_t n = 0; n < s.count; n++) {
            assert_true(shard_find(&s, image(bits[b], n * number)) < shard_slots(&s));
            assert_true(shard_find(&s, image(bits[b], (s.count + n) * number)) == SHARD_NONE);
        }
        check_layout(&s);
        shard_fini(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),    cmocka_unit_test(empty_batch),   cmocka_unit_test(random_sets),
        cmocka_unit_test(all_images),    cmocka_unit_test(forced_growth), cmocka_unit_test(growing_in_time),
        cmocka_unit_test(making_room),   cmocka_unit_test(little_memory), cmocka_unit_test(hopeless_crowd),
        cmocka_unit_test(common_budget), cmocka_unit_test(large_shard),   cmocka_unit_test(duplicates_in_a_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
