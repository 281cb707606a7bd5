/* New files: until they are finished, what was there before stays. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"

static char folder[] = "/tmp/onager-files-XXXXXX";

static char *path_of(const char *name) { return text_format("%s/%s", folder, name); }

static void write_it(const char *path, const char *text, bool good) {
    struct new_file f;
    struct problem why = {0};
    assert_true(files_begin(&f, path, &why));
    assert_true(files_write_all(f.fd, text, strlen(text)));
    assert_int_equal(files_finish(&f, good, &why), good);
    problem_fini(&why);
}

static void expect_text(const char *path, const char *wanted) {
    char *text = files_read(path, NULL);
    if (wanted) assert_string_equal(text, wanted);
    else assert_null(text);
    free(text);
}

static uint32_t files_there(void) {
    char *names[20];
    int n = files_list_oldest_first(folder, names, 20);
    for (int i = 0; i < n; i++) free(names[i]);
    return (uint32_t)n;
}

static void test_old_stays(void **state) {
    char *path = path_of("a"), *link = path_of("link");
    struct stat info;
    (void)state;
    write_it(path, "nothing", false);
    expect_text(path, NULL);
    write_it(path, "old", true);
    expect_text(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    write_it(path, "half of", false);
    expect_text(path, "old");
    write_it(path, "new", true);
    expect_text(path, "new");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(symlink("a", link), 0);
    write_it(link, "through a link", true);
    expect_text(path, "through a link");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(files_there(), 2);
    unlink(path);
    unlink(link);
    free(path);
    free(link);
}

static void test_mode_is_that_of_others(void **state) {
    char *path = path_of("b");
    struct stat info;
    mode_t old = umask(027);
    (void)state;
    write_it(path, "x", true);
    umask(old);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    unlink(path);
    free(path);
}

static void test_what_is_no_file(void **state) {
    char *nowhere = path_of("no/such/place");
    struct new_file f;
    struct problem why = {0}, other = {0};
    (void)state;
    write_it("/dev/null", "x", true);
    assert_false(files_begin(&f, nowhere, &why));
    assert_non_null(strstr(why.text, "no/such/place: No such file"));
    assert_false(files_begin(&f, folder, &other));
    assert_non_null(strstr(other.text, "directory"));
    problem_fini(&why);
    problem_fini(&other);
    free(nowhere);
}

static void test_trying_leaves_nothing(void **state) {
    char *path = path_of("c"), *link = path_of("dangling"), *nowhere = path_of("no/such/place");
    struct problem why = {0};
    (void)state;
    assert_true(files_can_begin(path, &why));
    assert_int_equal(files_there(), 0);
    assert_int_equal(symlink("d", link), 0);
    assert_true(files_can_begin(link, &why));
    expect_text(link, NULL);
    assert_true(files_write_new(path, "old", 3, &why));
    assert_true(files_can_begin(path, &why));
    expect_text(path, "old");
    assert_true(files_can_begin("/dev/null", &why));
    assert_false(files_can_begin(nowhere, &why));
    assert_non_null(strstr(why.text, "no/such/place: No such file"));
    problem_fini(&why);
    unlink(path);
    unlink(link);
    free(path);
    free(link);
    free(nowhere);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_old_stays), cmocka_unit_test(test_mode_is_that_of_others),
                                       cmocka_unit_test(test_what_is_no_file),
                                       cmocka_unit_test(test_trying_leaves_nothing)};
    if (!mkdtemp(folder)) return 1;
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return status;
}
