#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "store/archive_format.h"

struct archive_reader {
    char *path;
    int fd;
    uint64_t offset; /* in the file, of the record at hand; for messages */
    uint64_t seal;
    struct archive_end sum; /* of what was read */
    struct record_head head;
    bool waiting; /* the record at hand is not a block, and was not asked for yet */
    char name[ARCHIVE_NAME];
    char *block; /* of which `taken` bytes were handed out */
    size_t filled, taken;
    char *stored;
    ZSTD_DCtx *decompressor;
};

/* ---- The file ---- */

/* As much as there is, up to `size`; SIZE_MAX: an error, in errno. */
static size_t take(int fd, void *data, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(fd, (char *)data + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return SIZE_MAX;
        if (n == 0) break;
        done += (size_t)n;
    }
    return done;
}

static bool damaged(const struct archive_reader *r, const char *how, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "%s is damaged: %s (at byte %llu); it must be made anew", r->path, how,
                       (unsigned long long)r->offset);
}

static bool take_all(struct archive_reader *r, void *data, size_t size, struct problem *why) {
    size_t n = take(r->fd, data, size);
    if (n == size) return true;
    if (n == SIZE_MAX) return problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", r->path, strerror(errno));
    return damaged(r, "its end is missing", why);
}

static bool take_header(struct archive_reader *r, const char *kind, struct problem *why) {
    struct archive_header header;
    size_t n = take(r->fd, &header, sizeof header);
    if (n == SIZE_MAX) return problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", r->path, strerror(errno));
    if (n < sizeof header.magic || memcmp(header.magic, archive_magic, sizeof header.magic) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s is not a file that onager has written", r->path);
    if (n < sizeof header) return damaged(r, "its end is missing", why);
    if (header.order == __builtin_bswap32(ORDER_MARK))
        return problem_set(why, EXIT_BAD_INPUT, "%s was written by a machine with the other byte order", r->path);
    if (header.order != ORDER_MARK || header.seal != header_seal(&header))
        return damaged(r, "the checksum of its header is wrong", why);
    if (header.version != ARCHIVE_VERSION)
        return problem_set(why, EXIT_BAD_INPUT, "%s has format %u; this version of onager reads format %d", r->path,
                           header.version, ARCHIVE_VERSION);
    header.kind[sizeof header.kind - 1] = 0;
    if (strcmp(header.kind, kind) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s is a file of kind '%s', not '%s'", r->path, header.kind, kind);
    r->seal = header.seal;
    r->offset = sizeof header;
    return true;
}

/* ---- Records ---- */

/* Sizes are believed only after the seal was compared, and even then only within bounds. */
static bool sizes_fit(const struct record_head *h) {
    switch (h->type) {
    case RECORD_SECTION: return h->stored < ARCHIVE_NAME && h->raw == h->stored;
    case RECORD_BLOCK: return h->stored <= STORED_BYTES && h->raw > 0 && h->raw <= BLOCK_BYTES;
    case RECORD_END: return h->stored == sizeof(struct archive_end) && h->raw == h->stored;
    default: return false;
    }
}

static bool unpack_block(struct archive_reader *r, struct problem *why) {
    size_t n = ZSTD_decompressDCtx(r->decompressor, r->block, r->head.raw, r->stored, r->head.stored);
    if (ZSTD_isError(n)) return damaged(r, ZSTD_getErrorName(n), why);
    if (n != r->head.raw) return damaged(r, "a block has another size than it should", why);
    r->filled = n;
    r->taken = 0;
    r->sum.blocks++;
    r->sum.bytes += n;
    return true;
}

/* Reads and checks the next record. */
static bool take_record(struct archive_reader *r, struct problem *why) {
    struct record_head *h = &r->head;
    assert(r->taken == r->filled && !r->waiting); /* nothing that was read is passed over */
    if (!take_all(r, h, sizeof *h, why)) return false;
    if (h->seal != head_seal(h, r->seal)) return damaged(r, "a checksum is wrong", why);
    r->seal = h->seal;
    if (!sizes_fit(h)) return damaged(r, "a size is impossible", why);
    if (!take_all(r, r->stored, h->stored, why)) return false;
    if (h->checksum != XXH3_64bits(r->stored, h->stored)) return damaged(r, "a checksum is wrong", why);
    if (h->type == RECORD_SECTION) r->sum.sections++;
    if (h->section != r->sum.sections) return damaged(r, "a section is out of order", why);
    if (h->type == RECORD_BLOCK && !unpack_block(r, why)) return false;
    if (h->type == RECORD_SECTION) {
        memcpy(r->name, r->stored, h->stored);
        r->name[h->stored] = 0;
    }
    r->waiting = h->type != RECORD_BLOCK;
    r->offset += sizeof *h + h->stored;
    return true;
}

/* Goes on to the end of the section; there must be nothing left of it. */
static bool end_section(struct archive_reader *r, struct problem *why) {
    if (r->taken < r->filled) return damaged(r, "a section is longer than it should be", why);
    if (!r->waiting && !take_record(r, why)) return false;
    return r->waiting || damaged(r, "a section is longer than it should be", why);
}

/* ---- The interface ---- */

struct archive_reader *archive_open(const char *path, const char *kind, struct problem *why) {
    struct archive_reader *r = memory_get_zeroed(sizeof *r);
    struct stat info;
    r->path = memory_copy_string(path);
    r->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe that nobody writes is no reason to wait */
    r->block = memory_get(BLOCK_BYTES);
    r->stored = memory_get(STORED_BYTES);
    r->decompressor = ZSTD_createDCtx();
    if (r->fd < 0) problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    else if (fstat(r->fd, &info) == 0 && !S_ISREG(info.st_mode))
        problem_set(why, EXIT_BAD_INPUT, "cannot read %s: it is not a regular file", path);
    else if (!r->decompressor) problem_set(why, EXIT_INCONCLUSIVE, "no memory to read %s", path);
    else if (take_header(r, kind, why)) return r;
    archive_close(r);
    return NULL;
}

void archive_close(struct archive_reader *r) {
    if (!r) return;
    if (r->fd >= 0) close(r->fd);
    ZSTD_freeDCtx(r->decompressor);
    free(r->block);
    free(r->stored);
    free(r->path);
    free(r);
}

bool archive_enter(struct archive_reader *r, const char *name, struct problem *why) {
    if (!end_section(r, why)) return false;
    if (r->head.type != RECORD_SECTION || strcmp(r->name, name) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s has no section '%s' where one should be", r->path, name);
    r->waiting = false;
    return true;
}

bool archive_read(struct archive_reader *r, void *data, size_t most, size_t *count, struct problem *why) {
    *count = 0;
    while (*count < most) {
        if (r->taken == r->filled) {
            if (r->waiting) break;
            if (!take_record(r, why)) return false;
            continue;
        }
        assert(r->taken < r->filled && r->filled <= BLOCK_BYTES);
        size_t some = r->filled - r->taken < most - *count ? r->filled - r->taken : most - *count;
        memcpy((char *)data + *count, r->block + r->taken, some);
        r->taken += some;
        *count += some;
    }
    return true;
}

bool archive_get(struct archive_reader *r, void *data, size_t size, struct problem *why) {
    size_t count;
    if (!archive_read(r, data, size, &count, why)) return false;
    return count == size || damaged(r, "a section is shorter than it should be", why);
}

bool archive_get_number(struct archive_reader *r, uint64_t *number, struct problem *why) {
    return archive_get(r, number, sizeof *number, why);
}

char *archive_get_text(struct archive_reader *r, size_t most, struct problem *why) {
    uint64_t size = 0;
    if (!archive_get_number(r, &size, why)) return NULL;
    if (size > most) return damaged(r, "a text is longer than it should be", why), NULL;
    char *text = memory_get(size + 1);
    text[size] = 0;
    if (archive_get(r, text, size, why)) return text;
    free(text);
    return NULL;
}

bool archive_finish(struct archive_reader *r, uint64_t *seal, struct problem *why) {
    char more;
    if (!end_section(r, why)) return false;
    assert(r->waiting);
    if (r->head.type != RECORD_END) return damaged(r, "there is a section too many", why);
    if (memcmp(r->stored, &r->sum, sizeof r->sum) != 0) return damaged(r, "its parts are not as many as it says", why);
    size_t n = take(r->fd, &more, 1);
    if (n == SIZE_MAX) return problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", r->path, strerror(errno));
    if (n > 0) return damaged(r, "something follows its end", why);
    if (seal) *seal = r->seal;
    return true;
}
