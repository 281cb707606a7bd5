#include "model/c/c_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"

enum { MOST_ENTRIES = 512 };

struct seal {
    char kind[16];
    XXH128_hash_t key, hash; /* the hash is of the library and of the key */
    uint64_t size;           /* of the library */
};

static const char kind[16] = "onager library1";

static struct seal seal_of(XXH128_hash_t key, const char *library, size_t size) {
    struct seal s;
    memset(&s, 0, sizeof s);
    memcpy(s.kind, kind, sizeof kind);
    s.key = key;
    s.size = size;
    s.hash = XXH3_128bits_withSeed(library, size, key.low64 ^ key.high64);
    return s;
}

/* ---- The folder ---- */

/* What is wrong with it; NULL: nothing. */
static const char *wrong_with(const struct stat *info) {
    if (info->st_uid != geteuid()) return "belongs to another user";
    if (info->st_mode & (S_IWGRP | S_IWOTH)) return "can be written by other users";
    return NULL;
}

void c_cache_open(struct c_cache *cache, FILE *warnings) {
    struct stat info;
    char *path = files_cache_folder();
    cache->folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (cache->folder >= 0 && fstat(cache->folder, &info) != 0) c_cache_close(cache);
    const char *wrong = cache->folder >= 0 ? wrong_with(&info) : NULL;
    if (wrong && warnings)
        fprintf(warnings,
                "onager: warning: compiled models are not kept, since their folder %s %s: make it your "
                "own and not writable for others (chown, chmod go-w), remove it, or let XDG_CACHE_HOME "
                "name another one\n",
                path, wrong);
    if (wrong) c_cache_close(cache);
    free(path);
}

void c_cache_close(struct c_cache *cache) {
    if (cache->folder >= 0) close(cache->folder);
    cache->folder = -1;
}

/* ---- Entries ---- */

static char *name_of(XXH128_hash_t key) {
    return text_format("%016llx%016llx.so", (unsigned long long)key.high64, (unsigned long long)key.low64);
}

static bool is_sealed(const struct bytes *entry, XXH128_hash_t key) {
    struct seal found, right;
    if (entry->size < sizeof found) return false;
    memcpy(&found, entry->at + entry->size - sizeof found, sizeof found);
    right = seal_of(key, entry->at, entry->size - sizeof found);
    return memcmp(&found, &right, sizeof found) == 0;
}

bool c_cache_get(const struct c_cache *cache, XXH128_hash_t key, struct bytes *library) {
    struct stat info;
    if (cache->folder < 0) return false;
    char *name = name_of(key);
    int fd = openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    free(name);
    if (fd < 0) return false;
    bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && !wrong_with(&info) && bytes_read_fd(library, fd);
    close(fd);
    if (good && is_sealed(library, key)) return library->size -= sizeof(struct seal), true;
    if (good) bytes_fini(library);
    return false;
}

static void prune(const struct c_cache *cache) {
    char *names[4 * MOST_ENTRIES], folder[32];
    snprintf(folder, sizeof folder, "/proc/self/fd/%d", cache->folder);
    int n = files_list_oldest_first(folder, names, 4 * MOST_ENTRIES);
    for (int i = 0; i < n; i++) {
        if (n > MOST_ENTRIES && i < n / 2) unlinkat(cache->folder, names[i], 0);
        free(names[i]);
    }
}

void c_cache_put(const struct c_cache *cache, XXH128_hash_t key, const struct bytes *library) {
    if (cache->folder < 0) return;
    prune(cache);
    struct seal seal = seal_of(key, library->at, library->size);
    char *name = name_of(key), *interim = text_format("%s.%ld.tmp", name, (long)gettid());
    unlinkat(cache->folder, interim, 0); /* of one that had our number before */
    int fd = openat(cache->folder, interim, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) {
        bool good =
            files_write_all(fd, library->at, library->size) && files_write_all(fd, (const char *)&seal, sizeof seal);
        good &= close(fd) == 0;
        if (!good || renameat(cache->folder, interim, cache->folder, name) != 0) unlinkat(cache->folder, interim, 0);
    }
    free(interim);
    free(name);
}
