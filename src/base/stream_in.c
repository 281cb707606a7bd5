/* Reading: bytes come into `raw`, and from there, unpacked, to the reader. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/stream.h"

enum { RAW = 1 << 17, MAGIC = 4, GZIP_ONLY = 15 + 16 };

static const char *const packer[] = {"", "gzip", "zstd"}, *const suffix[] = {"", ".gz", ".zst"};

struct stream_in {
    int fd;
    const char *path;            /* for messages */
    bool standard, named, known; /* known: the first bytes have told how it is packed */
    enum packing promised, packing;
    bool ended;     /* of the raw bytes */
    bool in_member; /* the packed data are not at the end of a part */
    size_t at, size;
    z_stream gzip;
    ZSTD_DCtx *zstd;
    unsigned char raw[RAW];
};

struct stream_in *stream_open(const char *path, bool named, struct problem *why) {
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        if (errno != EINTR) problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    struct stream_in *s = memory_get(sizeof *s);
    memset(s, 0, offsetof(struct stream_in, raw));
    s->fd = fd;
    s->path = standard ? "standard input" : path;
    s->standard = standard;
    s->named = named && !standard;
    s->promised = suffix_type(path).packing;
    return s;
}

void stream_close(struct stream_in *s) {
    if (!s) return;
    if (!s->standard) close(s->fd);
    if (s->packing == PACKED_GZIP) inflateEnd(&s->gzip);
    ZSTD_freeDCtx(s->zstd);
    free(s);
}

static ssize_t read_raw(struct stream_in *s, void *to, size_t room, struct problem *why) {
    ssize_t n = read(s->fd, to, room);
    if (n < 0 && errno == EINTR) return STREAM_AGAIN;
    if (n < 0) return problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", s->path, strerror(errno)), STREAM_FAILED;
    s->ended = n == 0;
    return n;
}

/* More raw bytes, behind those that are left. */
static ssize_t fill(struct stream_in *s, struct problem *why) {
    memmove(s->raw, s->raw + s->at, s->size -= s->at);
    s->at = 0;
    assert(s->size < RAW); /* or nothing could be read, which is taken for the end */
    ssize_t n = read_raw(s, s->raw + s->size, RAW - s->size, why);
    if (n > 0) s->size += (size_t)n;
    return n;
}

static enum packing packing_of(const unsigned char *raw, size_t size) {
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    if (size >= sizeof gzip && memcmp(raw, gzip, sizeof gzip) == 0) return PACKED_GZIP;
    return size >= sizeof zstd && memcmp(raw, zstd, sizeof zstd) == 0 ? PACKED_ZSTD : PACKED_NOT;
}

static bool begin_unpacking(struct stream_in *s, struct problem *why) {
    bool good = true;
    if (s->packing == PACKED_GZIP) good = inflateInit2(&s->gzip, GZIP_ONLY) == Z_OK;
    if (s->packing == PACKED_ZSTD) good = (s->zstd = ZSTD_createDCtx()) != NULL;
    return good || problem_set(why, EXIT_INTERNAL, "%s: no memory to unpack it", s->path);
}

/* The first bytes. */
static ssize_t find_out(struct stream_in *s, struct problem *why) {
    while (s->size < MAGIC && !s->ended) {
        ssize_t n = fill(s, why);
        if (n < 0) return n;
    }
    enum packing found = packing_of(s->raw, s->size);
    if (s->named && found != s->promised) {
        if (s->promised == PACKED_NOT)
            problem_set(why, EXIT_BAD_INPUT, "%s is packed by %s: call it %s%s, or unpack it", s->path, packer[found],
                        s->path, suffix[found]);
        else
            problem_set(why, EXIT_BAD_INPUT, "%s: its name says that it is packed by %s, but it is %s", s->path,
                        packer[s->promised], s->size == 0 ? "empty" : "not");
        return STREAM_FAILED;
    }
    s->packing = found;
    s->known = true;
    return begin_unpacking(s, why) ? 1 : STREAM_FAILED;
}

static ssize_t damaged(struct stream_in *s, const char *how, struct problem *why) {
    problem_set(why, EXIT_BAD_INPUT, "%s: what %s has packed is damaged: %s", s->path, packer[s->packing],
                how ? how : "not its format");
    return STREAM_FAILED;
}

/* Unpacks some of the raw bytes; how many came out, which may be none. */
static ssize_t unpack_gzip(struct stream_in *s, char *buffer, size_t room, struct problem *why) {
    if (!s->in_member && inflateReset(&s->gzip) != Z_OK) return damaged(s, NULL, why);
    s->in_member = true;
    s->gzip.next_in = s->raw + s->at;
    s->gzip.avail_in = (uInt)(s->size - s->at);
    s->gzip.next_out = (unsigned char *)buffer;
    s->gzip.avail_out = (uInt)room;
    int state = inflate(&s->gzip, Z_NO_FLUSH);
    s->at = s->size - s->gzip.avail_in;
    if (state == Z_STREAM_END) s->in_member = false;
    else if (state != Z_OK && state != Z_BUF_ERROR) return damaged(s, s->gzip.msg, why);
    return (ssize_t)(room - s->gzip.avail_out);
}

static ssize_t unpack_zstd(struct stream_in *s, char *buffer, size_t room, struct problem *why) {
    ZSTD_inBuffer in = {s->raw, s->size, s->at};
    ZSTD_outBuffer out = {buffer, room, 0};
    size_t left = ZSTD_decompressStream(s->zstd, &out, &in);
    s->at = in.pos;
    if (ZSTD_isError(left)) return damaged(s, ZSTD_getErrorName(left), why);
    s->in_member = left != 0;
    return (ssize_t)out.pos;
}

static ssize_t copy(struct stream_in *s, char *buffer, size_t room) {
    assert(s->at <= s->size && s->size <= RAW);
    size_t n = s->size - s->at < room ? s->size - s->at : room;
    memcpy(buffer, s->raw + s->at, n);
    s->at += n;
    return (ssize_t)n;
}

/* Zstd may have more to say when all raw bytes are in. */
static bool may_have_more(const struct stream_in *s) { return s->at < s->size || (s->in_member && s->packing); }

static ssize_t read_packed(struct stream_in *s, char *buffer, size_t room, struct problem *why) {
    for (;;) {
        ssize_t n = 0;
        if (s->packing == PACKED_NOT) n = copy(s, buffer, room);
        else if (may_have_more(s)) n = (s->packing == PACKED_GZIP ? unpack_gzip : unpack_zstd)(s, buffer, room, why);
        if (n != 0) return n;
        if (s->at < s->size) continue;
        if (s->ended && s->in_member)
            return problem_set(why, EXIT_BAD_INPUT, "%s is cut off: what %s has packed does not go to its end", s->path,
                               packer[s->packing]),
                   STREAM_FAILED;
        if (s->ended) return STREAM_END;
        if (s->packing == PACKED_NOT) return read_raw(s, buffer, room, why);
        n = fill(s, why);
        if (n < 0) return n;
    }
}

ssize_t stream_read(struct stream_in *s, char *buffer, size_t room, struct problem *why) {
    if (room > INT32_MAX) room = INT32_MAX;
    if (!s->known) {
        ssize_t n = find_out(s, why);
        if (n < 0) return n;
    }
    return read_packed(s, buffer, room, why);
}
