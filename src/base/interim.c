#include "base/interim.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"

enum {
    NOTES = 8,   /* more files than are written at a time */
    TRIES = 100, /* names; one that is taken is one in a million million */
};

/* Names that a signal must remove. A handler reads them; only whoever noted one strikes it. */
static _Atomic(char *) notes[NOTES];

/* More than there is room for are not removed by a signal; they are by everything else. */
static int note(char *name) {
    for (int k = 0; k < NOTES; k++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&notes[k], &none, name)) return k;
    }
    return -1;
}

static void strike(struct interim *i) {
    if (i->noted >= 0) atomic_store(&notes[i->noted], NULL);
    i->noted = -1;
    free(i->name);
    i->name = NULL;
}

void interim_remove_all(void) {
    for (int k = 0; k < NOTES; k++) {
        char *name = atomic_exchange(&notes[k], NULL);
        if (name) unlink(name);
    }
}

/* A name is noted if and only if there is a file of that name that is ours: no signal may come between. */
static void hold_signals(sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

static void release_signals(const sigset_t *before) {
    int error = errno;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

/* ---- Names ---- */

static char *choose_name(const char *place) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char suffix[9] = "";
    unsigned char random[8];
    if (getrandom(random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        uint64_t other = (uint64_t)(clock_seconds() * 1e9) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)getpid();
        memcpy(random, &other, sizeof random);
    }
    for (int k = 0; k < 8; k++) suffix[k] = letters[random[k] % (sizeof letters - 1)];
    return text_format("%s.%s", place, suffix);
}

/* Makes the file of this name, which must not be there yet. errno says why not. */
typedef bool maker(struct interim *i, const char *name, mode_t mode);

static bool make_file(struct interim *i, const char *name, mode_t mode) {
    i->fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    return i->fd >= 0;
}

/* Gives a name to what has none. The mode is what it has already. */
static bool make_link(struct interim *i, const char *name, mode_t mode) {
    char self[64];
    (void)mode;
    snprintf(self, sizeof self, "/proc/self/fd/%d", i->fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Chooses names until one is free. */
static bool find_name(struct interim *i, mode_t mode, maker *make) {
    for (int tries = 0; tries < TRIES; tries++) {
        sigset_t before;
        char *name = choose_name(i->place);
        hold_signals(&before);
        assert(!i->name);
        if (make(i, name, mode)) {
            i->name = name;
            i->noted = note(name);
        }
        release_signals(&before);
        if (i->name) return true;
        free(name);
        if (errno != EEXIST) return false;
    }
    return false;
}

/* ---- The interface ---- */

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? text_format("%.*s", slash == path ? 1 : (int)(slash - path), path) : memory_copy_string(".");
}

/* Without /proc it would never get a name. */
static bool make_nameless(struct interim *i, mode_t mode) {
    if (access("/proc/self/fd", X_OK) != 0) return false;
    char *folder = folder_of(i->place);
    i->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    free(folder);
    return i->fd >= 0;
}

bool interim_open(struct interim *i, const char *place, const struct stat *old, enum interim_kind kind) {
    mode_t mode = old ? old->st_mode & 0777 : 0666;
    *i = (struct interim){.fd = -1, .place = memory_copy_string(place), .noted = -1};
    bool open = kind == INTERIM_NAMELESS && make_nameless(i, mode);
    if (!open) open = find_name(i, mode, make_file);
    if (open && (!old || fchmod(i->fd, mode) == 0)) return true;
    int error = errno;
    interim_drop(i);
    errno = error;
    return false;
}

bool interim_place(struct interim *i) {
    sigset_t before;
    bool good = i->name || find_name(i, 0, make_link);
    if (good) {
        good = close(i->fd) == 0;
        i->fd = -1;
    }
    hold_signals(&before);
    assert(!good || (i->name && i->fd < 0)); /* closed, so that all of it is written, and with a name to change */
    good = good && rename(i->name, i->place) == 0;
    if (good) strike(i);
    release_signals(&before);
    int error = errno;
    interim_drop(i);
    errno = error;
    return good;
}

void interim_drop(struct interim *i) {
    if (i->fd >= 0) close(i->fd);
    if (i->name) unlink(i->name);
    strike(i);
    free(i->place);
    *i = (struct interim){.fd = -1, .noted = -1};
}
