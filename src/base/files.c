#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

enum { MOST_PIPED = 64 << 20 }; /* bytes that are taken from what is no file, and may never end */

/* The whole text, and how long it is. Not more than a zero byte, or than `most` bytes: what follows is not wanted. */
static char *read_whole(int fd, size_t most, size_t *length) {
    size_t size = 0, room = 16384;
    char *text = memory_get(room + 1);
    if (lseek(fd, 0, SEEK_SET) < 0 && errno != ESPIPE) {}
    for (ssize_t n; size <= most && (n = read(fd, text + size, room - size)) != 0;) {
        if (n < 0) return free(text), NULL; /* EINTR, too: who waits for a pipe wants to be able to end it */
        size += (size_t)n;
        if (memchr(text + size - n, 0, (size_t)n)) break;
        if (size == room) text = memory_resize(text, (room *= 2) + 1);
    }
    text[size] = 0;
    *length = size;
    return text;
}

char *files_read_fd(int fd) {
    size_t length;
    return read_whole(fd, SIZE_MAX, &length);
}

/* A device is not read: /dev/zero has no end. A terminal is: somebody types the text. */
static bool may_be_read(int fd, const char *path, size_t *most, struct problem *why) {
    struct stat info;
    *most = SIZE_MAX;
    if (fstat(fd, &info) != 0 || S_ISREG(info.st_mode)) return true;
    *most = MOST_PIPED;
    if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || S_ISDIR(info.st_mode) || isatty(fd)) return true;
    return problem_set(why, EXIT_BAD_INPUT, "cannot read %s: it is not a regular file", path);
}

static bool cannot_read(const char *path, struct problem *why) {
    if (errno == EINTR) return problem_set(why, EXIT_INCONCLUSIVE, "interrupted: reading %s was not completed", path);
    return problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
}

static char *read_text(int fd, const char *path, struct problem *why) {
    size_t length = 0, most;
    if (!may_be_read(fd, path, &most, why)) return NULL;
    char *text = read_whole(fd, most, &length);
    if (!text) return cannot_read(path, why), NULL;
    if (strlen(text) < length)
        problem_set(why, EXIT_BAD_INPUT, "%s: there is a zero byte in it, so it is not a text", path);
    else if (length > most)
        problem_set(why, EXIT_BAD_INPUT, "%s: what comes from a pipe must not be longer than %d MiB", path,
                    MOST_PIPED >> 20);
    else return text;
    return free(text), NULL;
}

char *files_read(const char *path, struct problem *why) {
    struct problem ignored = {0}, *problem = why ? why : &ignored;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = fd >= 0 ? read_text(fd, path, problem) : (cannot_read(path, problem), NULL);
    if (fd >= 0) close(fd);
    problem_fini(&ignored);
    return text;
}

bool files_write_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/* ---- New files ---- */

static bool cannot_write(const char *path, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
}

/* Whether it is a file, or nothing yet, so that a new file can take its place. */
static bool is_ordinary(const char *path, bool exists, struct stat *old) {
    return exists ? S_ISREG(old->st_mode) && access(path, W_OK) == 0 : lstat(path, old) != 0 && *path;
}

/* Whether writing to `path`, such as /dev/stdout, is writing to where standard output goes. */
static bool is_standard_output(const struct stat *target) {
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == target->st_dev && out.st_ino == target->st_ino;
}

bool files_begin(struct new_file *f, const char *path, struct problem *why) {
    struct stat old;
    char *real = realpath(path, NULL);
    bool exists = stat(path, &old) == 0, standard = exists && is_standard_output(&old);
    *f = (struct new_file){.fd = -1, .path = real ? real : memory_copy_string(path)};
    if (standard && fflush(stdout) == 0) f->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    f->beside = !standard && is_ordinary(path, exists, &old) &&
                interim_open(&f->interim, f->path, exists ? &old : NULL, INTERIM_NAMELESS);
    if (f->beside) f->fd = f->interim.fd;
    else if (!standard) f->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (f->fd >= 0) return true;
    cannot_write(path, why);
    free(f->path);
    return false;
}

bool files_can_begin(const char *path, struct problem *why) {
    struct interim i;
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && S_ISFIFO(old.st_mode)) return true;
    if (is_ordinary(path, exists, &old) && interim_open(&i, path, exists ? &old : NULL, INTERIM_NAMELESS))
        return interim_drop(&i), true;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return cannot_write(path, why);
    char *made = exists ? NULL : realpath(path, NULL); /* a link may have led to it */
    if (made) unlink(made);
    free(made);
    close(fd);
    return true;
}

bool files_write_new(const char *path, const char *data, size_t size, struct problem *why) {
    struct new_file f;
    if (!files_begin(&f, path, why)) return false;
    bool good = files_write_all(f.fd, data, size) || cannot_write(path, why);
    return files_finish(&f, good, why);
}

bool files_finish(struct new_file *f, bool good, struct problem *why) {
    if (f->beside && !good) interim_drop(&f->interim);
    else if (f->beside ? !interim_place(&f->interim) : close(f->fd) != 0 && good) good = cannot_write(f->path, why);
    free(f->path);
    return good;
}

static bool is_program(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *files_find_program(const char *name) {
    if (strchr(name, '/')) return is_program(name) ? memory_copy_string(name) : NULL;
    const char *at = getenv("PATH");
    if (!at) at = "/usr/local/bin:/usr/bin:/bin";
    while (*at) {
        size_t n = strcspn(at, ":");
        char *path = text_format("%.*s/%s", (int)n, at, name);
        if (is_program(path)) return path;
        free(path);
        at += n + (at[n] == ':');
    }
    return NULL;
}

static bool make_folder(const char *path) { return mkdir(path, 0700) == 0 || errno == EEXIST; }

char *files_cache_folder(void) {
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *base;
    if (xdg && *xdg) base = memory_copy_string(xdg);
    else if (home && *home) base = text_format("%s/.cache", home);
    else return NULL;
    char *folder = text_format("%s/onager", base);
    bool made = (make_folder(base), make_folder(folder)) && access(folder, R_OK | X_OK) == 0;
    free(base);
    if (made) return folder;
    free(folder);
    return NULL;
}

const char *files_temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

bool files_have_room(const char *folder, size_t bytes) {
    char *path = text_format("%s/onager-XXXXXX", folder), *zeroes = memory_get_zeroed(bytes);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) unlink(path);
    bool room = fd >= 0 && files_write_all(fd, zeroes, bytes);
    int error = errno;
    if (fd >= 0) close(fd);
    free(zeroes);
    free(path);
    errno = error;
    return room;
}

struct entry {
    char *name;
    time_t changed;
};

static int by_age(const void *a, const void *b) {
    time_t x = ((const struct entry *)a)->changed, y = ((const struct entry *)b)->changed;
    return (x > y) - (x < y);
}

int files_list_oldest_first(const char *folder, char **names, int room) {
    DIR *d = opendir(folder);
    if (!d) return 0;
    struct entry *entries = memory_get((size_t)room * sizeof *entries);
    int n = 0;
    for (struct dirent *e; n < room && (e = readdir(d));) {
        struct stat info;
        if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &info, 0) != 0) continue;
        entries[n++] = (struct entry){memory_copy_string(e->d_name), info.st_mtime};
    }
    closedir(d);
    qsort(entries, (size_t)n, sizeof *entries, by_age);
    for (int i = 0; i < n; i++) names[i] = entries[i].name;
    free(entries);
    return n;
}
