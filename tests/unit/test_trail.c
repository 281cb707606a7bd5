/* The trail: states come back in the order in which they went in, from memory and from the file. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/trail.h"

/* State number i. */
static void make(word *state, uint32_t words, uint64_t i) {
    for (uint32_t k = 0; k < words; k++) state[k] = (i * words + k) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static void expect(const word *states, uint32_t words, uint64_t first, uint32_t count) {
    word *state = malloc(words * sizeof(word));
    for (uint32_t i = 0; i < count; i++) {
        make(state, words, first + i);
        if (memcmp(states + (size_t)i * words, state, words * sizeof(word)) != 0)
            fail_msg("state %llu is another", (unsigned long long)(first + i));
    }
    free(state);
}

static uint32_t words_of(const struct trail *t) { return t->item_bytes / (uint32_t)sizeof(word); }

/* `part_states` and `keep` of 0 leave the trail as it is. */
static void start(struct trail *t, uint32_t words, uint32_t part_states, uint64_t keep) {
    trail_init(t, words);
    if (part_states) t->part_items = part_states;
    if (keep) t->keep = keep;
}

static void add_up_to(struct trail *t, uint64_t count) {
    word *state = malloc(t->item_bytes);
    while (t->count < count) {
        make(state, words_of(t), t->count);
        trail_add(t, state);
    }
    free(state);
}

static void read_forward(struct trail *t, uint32_t most) {
    uint32_t count;
    for (uint64_t at = 0; at < t->count; at += count) {
        const word *states = trail_read(t, at, most, &count);
        assert_non_null(states);
        assert_in_range(count, 1, most);
        expect(states, words_of(t), at, count);
    }
}

static void read_backward(struct trail *t, uint32_t most) {
    uint32_t count;
    for (uint64_t end = t->count, at; end > 0; end = at) {
        at = end > most ? end - most : 0;
        for (uint64_t next = at; next < end; next += count) { /* it may lie in several parts */
            const word *states = trail_read(t, next, (uint32_t)(end - next), &count);
            assert_non_null(states);
            assert_in_range(count, 1, end - next);
            expect(states, words_of(t), next, count);
        }
    }
}

static void read_anywhere(struct trail *t, int times) {
    uint32_t count;
    for (int i = 0; i < times; i++) {
        uint64_t at = random_word() % t->count;
        const word *states = trail_read(t, at, 1 + random_below(5), &count);
        assert_non_null(states);
        assert_in_range(count, 1, 5);
        expect(states, words_of(t), at, count);
    }
}

/* Small parts, so that all of it happens often; reading while it grows, as a search does. */
static void small_parts(void **unused) {
    (void)unused;
    for (uint32_t words = 1; words <= 9; words += 4)
        for (uint32_t part = 1; part <= 64; part += 7)
            for (uint64_t keep = 2; keep <= 8; keep += 3) {
                struct trail t;
                random_start(words * 10000 + part * 10 + keep);
                start(&t, words, part, keep);
                for (uint64_t n = 1; n < 1500; n += 1 + random_below(200)) {
                    add_up_to(&t, n);
                    assert_int_equal(t.count, n);
                    assert_true(trail_bytes(&t) <= (keep + 2) * part * words * sizeof(word));
                    read_anywhere(&t, 5);
                }
                read_forward(&t, 10);
                read_backward(&t, 3);
                read_anywhere(&t, 100);
                assert_true(t.file >= 0);
                trail_fini(&t);
            }
}

/* As it is used: tens of megabytes, of which a part is in the file. */
static void real_parts(void **unused) {
    static const uint32_t lengths[] = {1, 3, 9};
    (void)unused;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct trail t;
        random_start(i);
        start(&t, lengths[i], 0, 0);
        uint64_t states = (UINT64_C(40) << 20) / (lengths[i] * sizeof(word)) + 17;
        add_up_to(&t, states);
        assert_true(trail_bytes(&t) < UINT64_C(20) << 20);
        assert_true(t.first_kept > 0);
        read_forward(&t, 1000);
        read_backward(&t, 1000);
        read_anywhere(&t, 200);
        trail_fini(&t);
    }
}

/* A state that is longer than a part is meant to be. */
static void long_states(void **unused) {
    struct trail t;
    (void)unused;
    start(&t, 300000, 0, 0);
    add_up_to(&t, 12);
    read_forward(&t, 5);
    read_backward(&t, 1);
    trail_fini(&t);
}

static void reading_stops_at_the_end(void **unused) {
    struct trail t;
    uint32_t count;
    (void)unused;
    start(&t, 2, 10, 2);
    add_up_to(&t, 57);
    assert_non_null(trail_read(&t, 50, 100, &count));
    assert_int_equal(count, 7);
    assert_non_null(trail_read(&t, 45, 100, &count));
    assert_int_equal(count, 5);
    trail_fini(&t);
}

/* The file has no name: nothing is left in the folder, even while it is in use. */
static void file_without_a_name(void **unused) {
    struct trail t;
    char folder[] = "/tmp/onager-unit-XXXXXX", path[64];
    (void)unused;
    assert_non_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    start(&t, 1, 16, 2);
    add_up_to(&t, 1000);
    assert_true(t.file >= 0);
    struct stat file, place;
    assert_int_equal(fstat(t.file, &file), 0);
    assert_int_equal(stat(folder, &place), 0);
    assert_int_equal(file.st_dev, place.st_dev);
    assert_int_equal(file.st_nlink, 0);
    assert_int_equal(fcntl(t.file, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    snprintf(path, sizeof path, "%s", folder);
    assert_int_equal(rmdir(path), 0); /* so it is empty */
    read_forward(&t, 7);
    trail_fini(&t);
    unsetenv("TMPDIR");
}

/* A folder that cannot be used: another one is. */
static void wrong_folder(void **unused) {
    static const char *const folders[] = {"/dev/null/x", "/no/such/folder", "", "/proc"};
    (void)unused;
    for (size_t i = 0; i < COUNT(folders); i++) {
        struct trail t;
        setenv("TMPDIR", folders[i], 1);
        start(&t, 1, 16, 2);
        add_up_to(&t, 1000);
        read_forward(&t, 7);
        read_backward(&t, 5);
        trail_fini(&t);
    }
    unsetenv("TMPDIR");
}

/* Sets a limit of the process for the time of a call. */
static void limited(int what, rlim_t limit, void (*run)(void)) {
    struct rlimit old, now;
    assert_int_equal(getrlimit(what, &old), 0);
    now = old;
    now.rlim_cur = limit;
    assert_int_equal(setrlimit(what, &now), 0);
    run();
    assert_int_equal(setrlimit(what, &old), 0);
}

static struct trail limited_trail;
static void fill(void) {
    start(&limited_trail, 1, 16, 2);
    add_up_to(&limited_trail, 2000);
}

/* No file can be opened at all: the states stay in memory. */
static void no_file(void **unused) {
    (void)unused;
    limited(RLIMIT_NOFILE, 3, fill);
    assert_true(limited_trail.file < 0);
    assert_int_equal(limited_trail.first_kept, 0);
    assert_true(trail_bytes(&limited_trail) >= 2000 * sizeof(word));
    read_forward(&limited_trail, 7);
    read_backward(&limited_trail, 5);
    trail_fini(&limited_trail);
}

/* The disk is full from the beginning, or after some parts, or in the middle of one. */
static void full_disk(void **unused) {
    static const rlim_t limits[] = {0, 1, 16 * 8, 16 * 8 * 5, 16 * 8 * 5 + 3, 16 * 8 * 100};
    (void)unused;
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < COUNT(limits); i++) {
        limited(RLIMIT_FSIZE, limits[i], fill);
        assert_int_equal(limited_trail.first_kept, limits[i] / (16 * 8));
        read_forward(&limited_trail, 7);
        read_backward(&limited_trail, 5);
        add_up_to(&limited_trail, 3000);
        read_forward(&limited_trail, 16);
        trail_fini(&limited_trail);
    }
    signal(SIGXFSZ, SIG_DFL);
}

/* The file gets lost: said, not survived with wrong states. */
static void broken_file(void **unused) {
    struct trail t;
    uint32_t count;
    (void)unused;
    start(&t, 1, 16, 2);
    add_up_to(&t, 1000);
    assert_int_equal(ftruncate(t.file, 16 * 8 * 3 + 40), 0);
    assert_non_null(trail_read(&t, 16, 1, &count));
    assert_null(trail_read(&t, 16 * 3, 1, &count));
    assert_null(trail_read(&t, 16 * 10, 1, &count));
    const word *states = trail_read(&t, 20, 1, &count);
    assert_non_null(states);
    expect(states, 1, 20, 1);
    states = trail_read(&t, 999, 1, &count);
    assert_non_null(states);
    expect(states, 1, 999, 1);
    trail_fini(&t);
}

/* ---- Runs of items of any size ---- */

/* Item number i: its bytes follow from i. */
static void make_items(unsigned char *to, uint32_t bytes, uint64_t first, uint64_t n) {
    for (uint64_t i = 0; i < n * bytes; i++) to[i] = (unsigned char)((first * bytes + i) * 2654435761u >> 13);
}

/* Runs of random lengths, none included, are written; then read forward and backward in runs of other lengths. */
static void runs(void **unused) {
    static const uint32_t sizes[] = {1, 4, 8, 12, 24};
    unsigned char buffer[24 * 300], expected[24 * 300];
    (void)unused;
    for (size_t k = 0; k < COUNT(sizes); k++)
        for (uint32_t part = 1; part <= 100; part += 33)
            for (uint64_t keep = 2; keep <= 12; keep += 5) {
                struct trail t;
                struct trail_cursor c;
                struct trail_spare spare = {0};
                uint32_t bytes = sizes[k];
                uint64_t total = 0;
                random_start(1000 * k + part + keep);
                trail_init_items(&t, bytes, 0);
                t.part_items = part;
                t.keep = keep;
                for (int i = 0; i < 60; i++) {
                    uint64_t n = random_below(i % 3 ? 20 : 300);
                    make_items(buffer, bytes, total, n);
                    trail_add_run(&t, buffer, n);
                    total += n;
                    assert_int_equal(t.count, total);
                }
                trail_cursor_init(&c, &t);
                for (uint64_t at = 0, n; at < total; at += n) {
                    n = random_below(random_chance(50) ? 5 : 300);
                    if (n > total - at) n = total - at;
                    const void *items = trail_next(&c, n, &spare);
                    assert_true(items || n == 0);
                    make_items(expected, bytes, at, n);
                    if (n) assert_memory_equal(items, expected, n * bytes);
                }
                assert_null(trail_next(&c, 1, &spare));
                free(spare.memory);
                trail_fini(&t);
            }
}

/* Runs from a file that has lost its end. */
static void broken_runs(void **unused) {
    struct trail t;
    struct trail_cursor c;
    struct trail_spare spare = {0};
    unsigned char buffer[4 * 300];
    (void)unused;
    trail_init_items(&t, 4, 0);
    t.part_items = 16;
    t.keep = 2;
    make_items(buffer, 4, 0, 300);
    trail_add_run(&t, buffer, 300);
    assert_int_equal(ftruncate(t.file, 100), 0);
    trail_cursor_init(&c, &t);
    assert_non_null(trail_next(&c, 16, &spare));
    assert_null(trail_next(&c, 16, &spare));
    free(spare.memory);
    trail_fini(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_parts),
        cmocka_unit_test(real_parts),
        cmocka_unit_test(long_states),
        cmocka_unit_test(reading_stops_at_the_end),
        cmocka_unit_test(file_without_a_name),
        cmocka_unit_test(wrong_folder),
        cmocka_unit_test(no_file),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(broken_file),
        cmocka_unit_test(runs),
        cmocka_unit_test(broken_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
