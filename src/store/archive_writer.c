#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/interim.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/archive_format.h"

enum { LEVEL = 3 }; /* of compression: states shrink well, and faster than a disk writes */

struct archive_writer {
    char *path;
    struct interim file;
    int error; /* errno of the first failure; nothing is written after it */
    uint64_t seal;
    struct archive_end sum;
    char *block; /* what is not yet compressed of the section */
    size_t filled;
    char *stored;
    ZSTD_CCtx *compressor;
};

/* ---- The file ---- */

static bool put(struct archive_writer *w, const void *data, size_t size) {
    if (w->error) return false;
    errno = EIO; /* a write of nothing does not say why */
    if (!files_write_all(w->file.fd, data, size)) w->error = errno;
    return !w->error;
}

/* The folder must remember the new name, too. Some file systems have nothing to bring to the disk. */
static int sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? text_format("%.*s", slash == path ? 1 : (int)(slash - path), path) : memory_copy_string(".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error = 0;
    free(folder);
    if (fd < 0) return errno;
    if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
    close(fd);
    return error;
}

/* ---- Records ---- */

static bool put_record(struct archive_writer *w, enum record_type type, const void *data, size_t stored, size_t raw) {
    assert(stored <= STORED_BYTES && raw <= BLOCK_BYTES); /* as sizes_fit of the reader wants it */
    struct record_head head = {
        .type = type,
        .section = (uint32_t)w->sum.sections,
        .raw = (uint32_t)raw,
        .stored = (uint32_t)stored,
        .checksum = XXH3_64bits(data, stored),
    };
    head.seal = w->seal = head_seal(&head, w->seal);
    return put(w, &head, sizeof head) && put(w, data, stored);
}

static bool put_block(struct archive_writer *w) {
    if (w->error || !w->filled) return !w->error;
    size_t stored = ZSTD_compress2(w->compressor, w->stored, STORED_BYTES, w->block, w->filled);
    if (ZSTD_isError(stored)) return w->error = ENOMEM, false; /* the only reason that is left */
    w->sum.blocks++;
    w->sum.bytes += w->filled;
    bool good = put_record(w, RECORD_BLOCK, w->stored, stored, w->filled);
    w->filled = 0;
    return good;
}

/* ---- The interface ---- */

static void free_writer(struct archive_writer *w) {
    interim_drop(&w->file);
    ZSTD_freeCCtx(w->compressor);
    free(w->block);
    free(w->stored);
    free(w->path);
    free(w);
}

/* Where a new archive shall be: what is renamed to a link, a device or a pipe would replace that itself. `old` is what
 * is there. NULL: why. */
static char *place_of(const char *path, struct stat *old, bool *exists, struct problem *why) {
    char *place = NULL;
    *exists = lstat(path, old) == 0;
    if (!*exists) return memory_copy_string(path);
    if (stat(path, old) != 0 || (S_ISREG(old->st_mode) && !(place = realpath(path, NULL))))
        problem_set(why, EXIT_BAD_INPUT, "cannot write %s, which is a link: %s", path, strerror(errno));
    else if (!place) problem_set(why, EXIT_BAD_INPUT, "cannot write %s: it is there, and not a regular file", path);
    return place;
}

struct archive_writer *archive_create(const char *path, const char *kind, struct problem *why) {
    struct archive_header header = {.order = ORDER_MARK, .version = ARCHIVE_VERSION};
    struct stat old;
    bool exists;
    assert(strlen(kind) < ARCHIVE_KIND);
    char *place = place_of(path, &old, &exists, why);
    if (!place) return NULL;
    struct archive_writer *w = memory_get_zeroed(sizeof *w);
    w->path = place;
    if (!interim_open(&w->file, place, exists ? &old : NULL, INTERIM_NAMELESS)) {
        problem_set(why, EXIT_BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
        return free_writer(w), NULL;
    }
    w->block = memory_get(BLOCK_BYTES);
    w->stored = memory_get(STORED_BYTES);
    w->compressor = ZSTD_createCCtx();
    if (!w->compressor || ZSTD_isError(ZSTD_CCtx_setParameter(w->compressor, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->compressor, ZSTD_c_checksumFlag, 1)))
        w->error = ENOMEM;
    memcpy(header.magic, archive_magic, sizeof header.magic);
    strncpy(header.kind, kind, sizeof header.kind - 1);
    header.seal = w->seal = header_seal(&header);
    put(w, &header, sizeof header);
    return w;
}

bool archive_section(struct archive_writer *w, const char *name) {
    if (!put_block(w)) return false;
    assert(strlen(name) < ARCHIVE_NAME);
    w->sum.sections++;
    return put_record(w, RECORD_SECTION, name, strnlen(name, ARCHIVE_NAME - 1), strnlen(name, ARCHIVE_NAME - 1));
}

bool archive_write(struct archive_writer *w, const void *data, size_t size) {
    for (const char *from = data; size > 0 && !w->error;) {
        assert(w->filled < BLOCK_BYTES); /* a full block was written at once */
        size_t some = BLOCK_BYTES - w->filled < size ? BLOCK_BYTES - w->filled : size;
        memcpy(w->block + w->filled, from, some);
        w->filled += some;
        from += some;
        size -= some;
        if (w->filled == BLOCK_BYTES) put_block(w);
    }
    return !w->error;
}

bool archive_write_number(struct archive_writer *w, uint64_t number) {
    return archive_write(w, &number, sizeof number);
}

bool archive_write_text(struct archive_writer *w, const char *text) {
    return archive_write_number(w, strlen(text)) && archive_write(w, text, strlen(text));
}

bool archive_commit(struct archive_writer *w, uint64_t *seal, struct problem *why) {
    put_block(w);
    put_record(w, RECORD_END, &w->sum, sizeof w->sum, sizeof w->sum);
    if (!w->error && fsync(w->file.fd) != 0) w->error = errno;
    if (!w->error && !interim_place(&w->file)) w->error = errno;
    if (!w->error) w->error = sync_folder(w->path);
    if (w->error) problem_set(why, EXIT_BAD_INPUT, "cannot write %s: %s", w->path, strerror(w->error));
    bool good = !w->error;
    if (good && seal) *seal = w->seal;
    free_writer(w);
    return good;
}

void archive_abandon(struct archive_writer *w) {
    if (w) free_writer(w);
}
