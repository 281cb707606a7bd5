/* Files that are not complete: they have no name, or one of their own, and leave nothing behind. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/interim.h"
#include "base/memory.h"
#include "base/text.h"

static char folder[] = "/tmp/onager-interim-XXXXXX";
static char *place;

static uint32_t files_there(void) {
    char *names[100];
    int n = files_list_oldest_first(folder, names, 100);
    for (int i = 0; i < n; i++) free(names[i]);
    return (uint32_t)n;
}

static void begin(struct interim *i, enum interim_kind kind, const char *text) {
    assert_true(interim_open(i, place, NULL, kind));
    assert_true(files_write_all(i->fd, text, strlen(text)));
}

static void expect(const char *wanted) {
    char *text = files_read(place, NULL);
    if (wanted) assert_string_equal(text, wanted);
    else assert_null(text);
    free(text);
}

static const enum interim_kind kinds[] = {INTERIM_NAMELESS, INTERIM_NAMED};

/* What was there stays until the new file takes its place, and nothing else appears. */
static void takes_its_place(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        struct interim i;
        begin(&i, kinds[k], "one");
        expect(NULL);
        assert_true(kinds[k] != INTERIM_NAMED || (i.name && access(i.name, F_OK) == 0));
        assert_true(interim_place(&i));
        expect("one");
        begin(&i, kinds[k], "two");
        expect("one");
        interim_drop(&i);
        expect("one");
        begin(&i, kinds[k], "three");
        assert_true(interim_place(&i));
        expect("three");
        assert_int_equal(files_there(), 1);
        unlink(place);
    }
}

/* A hundred at a time do not meet, although there is room for a few in the process's list. */
static void many_at_a_time(void **unused) {
    enum { MANY = 50 };
    static struct interim all[2 * MANY];
    (void)unused;
    for (int n = 0; n < 2 * MANY; n++) begin(&all[n], kinds[n % 2], "x");
    assert_true(files_there() >= MANY && files_there() <= 2 * MANY);
    for (int n = 0; n < 2 * MANY; n++) {
        if (n % 3) interim_drop(&all[n]);
        else assert_true(interim_place(&all[n]));
    }
    expect("x");
    assert_int_equal(files_there(), 1);
    unlink(place);
}

/* The place has become a folder: the old is as it was, and nothing is left. */
static void place_is_taken(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        struct interim i;
        begin(&i, kinds[k], "x");
        assert_int_equal(mkdir(place, 0700), 0);
        assert_false(interim_place(&i));
        assert_int_equal(errno, EISDIR);
        assert_int_equal(files_there(), 1);
        assert_int_equal(rmdir(place), 0);
        assert_int_equal(files_there(), 0);
    }
}

static void no_such_folder(void **unused) {
    struct interim i;
    char *nowhere = text_format("%s/no/such", folder);
    (void)unused;
    for (int k = 0; k < 2; k++) {
        assert_false(interim_open(&i, nowhere, NULL, kinds[k]));
        assert_int_equal(errno, ENOENT);
    }
    free(nowhere);
}

static void on_end(int number) {
    interim_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void write_till_killed(enum interim_kind kind) {
    signal(SIGTERM, on_end);
    for (;;) {
        struct interim i;
        begin(&i, kind, "half");
        if (!interim_place(&i)) _exit(1);
        begin(&i, kind, "nothing");
        interim_drop(&i);
    }
}

/* A signal at any moment leaves the whole file, and no other. */
static void signals(void **unused) {
    (void)unused;
    for (int round = 0; round < 60; round++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) write_till_killed(kinds[round % 2]);
        while (access(place, F_OK) != 0) usleep(100);
        usleep((useconds_t)(round * 37 % 1000));
        int status;
        kill(child, SIGTERM);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        expect("half");
        if (files_there() != 1) fail_msg("round %d left %u files", round, files_there());
        unlink(place);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_its_place), cmocka_unit_test(many_at_a_time), cmocka_unit_test(place_is_taken),
        cmocka_unit_test(no_such_folder),  cmocka_unit_test(signals),
    };
    if (!mkdtemp(folder)) return 1;
    place = text_format("%s/place", folder);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    free(place);
    return status;
}
