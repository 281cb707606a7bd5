/* Archives: what is written is read; whatever happens to the file is noticed; a write that fails changes nothing. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/problem.h"
#include "base/text.h"
#include "store/archive.h"

static char folder[64]; /* in memory if possible: a disk that all tests share makes every file wait */

static char *file(const char *name) { return text_format("%s/%s", folder, name); }

/* The bytes of a file, read without the code under test. */
static unsigned char *slurp(const char *path, size_t *size) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    unsigned char *bytes = malloc(8 << 20);
    *size = fread(bytes, 1, 8 << 20, in);
    fclose(in);
    return bytes;
}

static void spill(const char *path, const unsigned char *bytes, size_t size) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static bool there(const char *path) { return access(path, F_OK) == 0; }

/* ---- A small archive, and reading it suspiciously ---- */

static const char *const contents[] = {"the first section", "",
                                       "and the last one, a little longer: aaaaaaaaaaaaaaaaaaaaa"};
static const char *const names[] = {"one", "two", "three"};

static void write_small(const char *path) {
    struct problem why = {0};
    struct archive_writer *w = archive_create(path, ARCHIVE_STATES, &why);
    assert_non_null(w);
    for (int i = 0; i < 3; i++) {
        assert_true(archive_section(w, names[i]));
        assert_true(archive_write(w, contents[i], strlen(contents[i])));
    }
    assert_true(archive_commit(w, NULL, &why));
}

/* True if everything was read and accepted. What is handed out must be right even if what follows it is not. */
static bool read_small(const char *path) {
    struct problem why = {0};
    struct archive_reader *r = archive_open(path, ARCHIVE_STATES, &why);
    bool good = r != NULL;
    for (int i = 0; good && i < 3; i++) {
        char text[100];
        size_t count = 0;
        good = archive_enter(r, names[i], &why) && archive_read(r, text, sizeof text, &count, &why);
        assert_memory_equal(text, contents[i], count);
        if (good) assert_int_equal(count, strlen(contents[i]));
    }
    good = good && archive_finish(r, NULL, &why);
    archive_close(r);
    assert_int_equal(good, why.status == 0);
    if (!good) assert_non_null(strstr(why.text, path));
    problem_fini(&why);
    return good;
}

static void every_flipped_bit(void **unused) {
    char *path = file("flipped");
    size_t size;
    (void)unused;
    write_small(path);
    assert_true(read_small(path));
    unsigned char *bytes = slurp(path, &size);
    assert_in_range(size, 200, 1000);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        spill(path, bytes, size);
        if (read_small(path)) fail_msg("bit %zu of byte %zu may be flipped", bit % 8, bit / 8);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    spill(path, bytes, size);
    assert_true(read_small(path));
    free(bytes);
    free(path);
}

static void every_length(void **unused) {
    char *path = file("cut");
    size_t size;
    (void)unused;
    write_small(path);
    unsigned char *bytes = slurp(path, &size);
    for (size_t n = 0; n < size; n++) {
        spill(path, bytes, n);
        assert_false(read_small(path));
    }
    bytes[size] = 0;
    spill(path, bytes, size + 1);
    assert_false(read_small(path));
    free(bytes);
    free(path);
}

/* Bytes overwritten, pieces moved, doubled, left out: several at a time. */
static void random_damage(void **unused) {
    char *path = file("fuzz");
    size_t size;
    (void)unused;
    write_small(path);
    unsigned char *bytes = slurp(path, &size), *damaged = malloc(2 * size);
    for (uint64_t i = 0; i < ROUNDS(4000); i++) {
        random_start(i);
        size_t n = size, from = random_below((uint32_t)size), to = random_below((uint32_t)size);
        size_t most = size - (from > to ? from : to), some = random_below((uint32_t)most) + 1;
        memcpy(damaged, bytes, size);
        switch (random_below(4)) {
        case 0: memmove(damaged + to, damaged + from, some); break;
        case 1:
            memmove(damaged + from, damaged + from + some, size - from - some);
            n -= some;
            break;
        case 2:
            memmove(damaged + from + some, damaged + from, size - from);
            n += some;
            break;
        default:
            for (size_t k = 0; k < some; k++) damaged[from + k] = (unsigned char)random_word();
        }
        spill(path, damaged, n);
        assert_int_equal(read_small(path), n == size && memcmp(damaged, bytes, size) == 0);
    }
    free(damaged);
    free(bytes);
    free(path);
}

/* ---- Long streams ---- */

static void fill(unsigned char *data, size_t n, uint64_t from) {
    for (size_t i = 0; i < n; i++) data[i] = (unsigned char)((from + i) * 2654435761u >> (from + i < 1500000 ? 24 : 3));
}

/* More than one block, in pieces that do not fit the blocks. Where blocks are exchanged, or come from an archive of the
 * same shape, it is noticed. */
static void long_streams(void **unused) {
    enum { SIZE = 3500000 };
    char *path = file("long");
    struct problem why = {0};
    unsigned char *data = malloc(SIZE), *back = malloc(SIZE);
    uint64_t seal, seal_again;
    size_t count;
    (void)unused;
    fill(data, SIZE, 0);
    struct archive_writer *w = archive_create(path, ARCHIVE_CERTIFICATE, &why);
    assert_non_null(w);
    archive_section(w, "numbers");
    archive_write_number(w, UINT64_C(0x0123456789abcdef));
    archive_write_text(w, "text with \n and such");
    archive_section(w, "long");
    random_start(5);
    for (size_t at = 0, n; at < SIZE; at += n) {
        n = random_below(700000);
        if (n > SIZE - at) n = SIZE - at;
        assert_true(archive_write(w, data + at, n));
    }
    assert_false(there(path));
    assert_true(archive_commit(w, &seal, &why));

    uint64_t number;
    struct archive_reader *r = archive_open(path, ARCHIVE_CERTIFICATE, &why);
    assert_non_null(r);
    assert_true(archive_enter(r, "numbers", &why));
    assert_true(archive_get_number(r, &number, &why));
    assert_true(number == UINT64_C(0x0123456789abcdef));
    char *text = archive_get_text(r, 20, &why);
    assert_string_equal(text, "text with \n and such");
    free(text);
    assert_true(archive_enter(r, "long", &why));
    for (size_t at = 0; at < SIZE; at += count) {
        assert_true(archive_read(r, back + at, 1 + random_below(600000), &count, &why) && count > 0);
        assert_true(at + count <= SIZE);
    }
    assert_memory_equal(back, data, SIZE);
    assert_true(archive_read(r, back, 10, &count, &why));
    assert_int_equal(count, 0);
    assert_true(archive_finish(r, &seal_again, &why));
    assert_true(seal == seal_again);
    archive_close(r);
    free(data);
    free(back);
    free(path);
}

/* ---- Wrong use of a right file ---- */

static void expect_problem(struct problem *why, const char *text) {
    assert_int_equal(why->status, EXIT_BAD_INPUT);
    if (!strstr(why->text, text)) fail_msg("'%s' does not say '%s'", why->text, text);
    problem_fini(why);
}

static void other_files(void **unused) {
    char *path = file("other"), *none = file("none");
    struct problem why = {0};
    size_t size;
    (void)unused;
    assert_null(archive_open(none, ARCHIVE_STATES, &why));
    expect_problem(&why, "No such file");
    assert_null(archive_open(folder, ARCHIVE_STATES, &why));
    expect_problem(&why, "not a regular file");
    spill(path, (const unsigned char *)"hello", 5);
    assert_null(archive_open(path, ARCHIVE_STATES, &why));
    expect_problem(&why, "not a file that onager has written");
    write_small(path);
    assert_null(archive_open(path, ARCHIVE_CERTIFICATE, &why));
    expect_problem(&why, "of kind 'states', not 'certificate'");
    struct archive_reader *r = archive_open(path, ARCHIVE_STATES, &why);
    assert_false(archive_enter(r, "two", &why));
    expect_problem(&why, "no section 'two'");
    archive_close(r);
    r = archive_open(path, ARCHIVE_STATES, &why);
    assert_true(archive_enter(r, "one", &why));
    assert_false(archive_enter(r, "two", &why)); /* what is in `one` was not read */
    expect_problem(&why, "longer than it should be");
    archive_close(r);
    r = archive_open(path, ARCHIVE_STATES, &why);
    char text[100];
    assert_true(archive_enter(r, "one", &why));
    assert_false(archive_get(r, text, 18, &why));
    expect_problem(&why, "shorter than it should be");
    archive_close(r);
    r = archive_open(path, ARCHIVE_STATES, &why);
    assert_true(archive_enter(r, "one", &why));
    assert_null(archive_get_text(r, 1000, &why)); /* "the firs" is a very long text */
    expect_problem(&why, "longer than it should be");
    archive_close(r);

    /* The order of bytes is told from damage. */
    unsigned char *bytes = slurp(path, &size), swap[4];
    memcpy(swap, bytes + 8, 4);
    for (int i = 0; i < 4; i++) bytes[8 + i] = swap[3 - i];
    spill(path, bytes, size);
    assert_null(archive_open(path, ARCHIVE_STATES, &why));
    expect_problem(&why, "other byte order");
    free(bytes);
    free(none);
    free(path);
}

/* ---- Writing that fails ---- */

/* Writes an archive that is too long for every limit below: to `device`, if there is one, where it meant a file. */
static bool write_long_to(const char *device, const char *path, struct problem *why) {
    int next = dup(STDIN_FILENO);
    close(next); /* so this is what is opened next */
    struct archive_writer *w = archive_create(path, ARCHIVE_STATES, why);
    if (!w) return false;
    int other = device ? open(device, O_RDWR) : -1;
    if (device) assert_true(other >= 0 && dup2(other, next) == next && close(other) == 0);
    unsigned char *data = malloc(1 << 20);
    random_start(1);
    archive_section(w, "random");
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < 1 << 20; k++) data[k] = (unsigned char)random_word();
        archive_write(w, data, 1 << 20);
    }
    free(data);
    return archive_commit(w, NULL, why);
}

static bool write_long(const char *path, struct problem *why) { return write_long_to(NULL, path, why); }

/* How many files have a name that begins so, and goes on with a dot. */
static uint32_t files_beside(const char *path) {
    char *names[200], *start = text_format("%s.", strrchr(path, '/') + 1);
    int n = files_list_oldest_first(folder, names, 200);
    uint32_t count = 0;
    for (int i = 0; i < n; i++) {
        count += strncmp(names[i], start, strlen(start)) == 0;
        free(names[i]);
    }
    free(start);
    return count;
}

/* The old archive is as it was, and nothing lies beside it. */
static void expect_old(const char *path) {
    assert_true(read_small(path));
    assert_int_equal(files_beside(path), 0);
}

static void full_disk(void **unused) {
    char *path = file("full");
    struct problem why = {0};
    (void)unused;
    write_small(path);
    assert_false(write_long_to("/dev/full", path, &why));
    expect_problem(&why, "No space left");
    expect_old(path);
    /* What can be written but not brought to the disk. */
    assert_false(write_long_to("/dev/null", path, &why));
    expect_problem(&why, "cannot write");
    expect_old(path);
    free(path);
}

/* The limit is met at every kind of place: in the header, in a head, in a block, in the last record. */
static void size_limit(void **unused) {
    char *path = file("limited");
    struct rlimit old, tiny;
    (void)unused;
    write_small(path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    for (rlim_t limit = 0; limit < 4 << 20; limit = limit * 3 / 2 + 7) {
        struct problem why = {0};
        tiny = (struct rlimit){limit, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &tiny);
        bool written = write_long(path, &why);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(written, limit > 3 << 20 && why.status == 0);
        if (written) break;
        expect_problem(&why, "File too large");
        expect_old(path);
    }
    assert_false(read_small(path)); /* at last it was long enough: now the other archive is there */
    free(path);
}

static void abandoned(void **unused) {
    char *path = file("abandoned"), *nowhere = file("no/such/folder");
    struct problem why = {0};
    (void)unused;
    write_small(path);
    struct archive_writer *w = archive_create(path, ARCHIVE_STATES, &why);
    archive_section(w, "one");
    archive_abandon(w);
    expect_old(path);
    assert_null(archive_create(nowhere, ARCHIVE_STATES, &why));
    expect_problem(&why, "No such file");
    free(nowhere);
    free(path);
}

/* Whatever lies beside stays: a file, a link to one, a pipe, which must not be waited for. */
static void neighbours(void **unused) {
    char *path = file("c"), *beside = file("c.new"), *precious = file("precious");
    struct stat info;
    size_t size;
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        spill(precious, (const unsigned char *)"precious", 8);
        if (kind == 0) spill(beside, (const unsigned char *)"precious", 8);
        if (kind == 1) assert_int_equal(symlink(precious, beside), 0);
        if (kind == 2) assert_int_equal(mkfifo(beside, 0600), 0);
        write_small(path);
        assert_true(read_small(path));
        assert_int_equal(lstat(beside, &info), 0);
        assert_true(kind == 0 ? S_ISREG(info.st_mode) : kind == 1 ? S_ISLNK(info.st_mode) : S_ISFIFO(info.st_mode));
        unsigned char *bytes = slurp(kind == 0 ? beside : precious, &size);
        assert_int_equal(size, 8);
        assert_memory_equal(bytes, "precious", 8);
        free(bytes);
        assert_int_equal(files_beside(path), 1);
        assert_int_equal(unlink(beside), 0);
    }
    free(precious);
    free(beside);
    free(path);
}

/* A pipe that nobody writes is refused, not waited for. */
static void pipes(void **unused) {
    char *path = file("pipe");
    struct problem why = {0};
    (void)unused;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(archive_create(path, ARCHIVE_STATES, &why));
    expect_problem(&why, "not a regular file");
    assert_null(archive_open(path, ARCHIVE_STATES, &why));
    expect_problem(&why, "not a regular file");
    unlink(path);
    free(path);
}

/* Two at a time: both are written, and the last one is there. */
static void two_writers(void **unused) {
    char *path = file("two");
    struct problem why = {0};
    (void)unused;
    struct archive_writer *w = archive_create(path, ARCHIVE_STATES, &why);
    archive_section(w, "other");
    write_small(path);
    assert_true(read_small(path));
    assert_true(archive_commit(w, NULL, &why));
    assert_false(read_small(path));
    struct archive_reader *r = archive_open(path, ARCHIVE_STATES, &why);
    assert_true(archive_enter(r, "other", &why) && archive_finish(r, NULL, &why));
    archive_close(r);
    assert_int_equal(files_beside(path), 0);
    free(path);
}

/* ---- Kill -9 ---- */

/* Writes archive after archive; each says which it is. */
static void write_for_ever(const char *path) {
    for (uint64_t i = 1;; i++) {
        struct problem why = {0};
        struct archive_writer *w = archive_create(path, ARCHIVE_STATES, &why);
        if (!w) _exit(1);
        archive_section(w, "number");
        for (uint64_t k = 0; k < 200000; k++) archive_write_number(w, i);
        if (!archive_commit(w, NULL, &why)) _exit(1);
    }
}

static uint64_t read_number(const char *path) {
    struct problem why = {0};
    uint64_t number = 0, other;
    struct archive_reader *r = archive_open(path, ARCHIVE_STATES, &why);
    if (!r) return problem_fini(&why), 0;
    assert_true(archive_enter(r, "number", &why));
    assert_true(archive_get_number(r, &number, &why));
    for (uint64_t k = 1; k < 200000; k++) assert_true(archive_get_number(r, &other, &why) && other == number);
    assert_true(archive_finish(r, NULL, &why));
    archive_close(r);
    return number;
}

static void killed(void **unused) {
    char *path = file("killed");
    uint64_t most = 0;
    (void)unused;
    for (uint64_t i = 0; i < 40; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) write_for_ever(path);
        random_start(i);
        while (i == 0 && !there(path)) usleep(1000); /* one is completed, however slow the machine is */
        usleep(1000 + random_below(20000));
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); /* it did not end by itself */
        assert_true(!there(path) || read_number(path) > 0);
        if (there(path) && read_number(path) > most) most = read_number(path);
    }
    assert_true(most > 0);
    free(path);
}

static int make_folder(void **unused) {
    (void)unused;
    snprintf(folder, sizeof folder, "%s/onager-archive-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    return mkdtemp(folder) ? 0 : 1;
}
static int remove_folder(void **unused) {
    char *command = text_format("rm -rf '%s'", folder);
    int status = ((void)unused, system(command));
    free(command);
    return status;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_bit), cmocka_unit_test(every_length),
        cmocka_unit_test(random_damage),     cmocka_unit_test(long_streams),
        cmocka_unit_test(other_files),       cmocka_unit_test(full_disk),
        cmocka_unit_test(size_limit),        cmocka_unit_test(abandoned),
        cmocka_unit_test(neighbours),        cmocka_unit_test(pipes),
        cmocka_unit_test(two_writers),       cmocka_unit_test(killed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
