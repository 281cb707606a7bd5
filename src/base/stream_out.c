/* Writing: packed bytes go through `packed` to the file. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/stream.h"

enum { PACKED = 1 << 17, GZIP_ONLY = 15 + 16, GZIP_MEMORY = 8 };

struct stream_out {
    struct new_file file;
    const char *path; /* for messages */
    bool standard, failed;
    int error; /* errno */
    enum packing packing;
    z_stream gzip;
    ZSTD_CCtx *zstd;
    unsigned char packed[PACKED];
};

static bool begin_packing(struct stream_out *s) {
    if (s->packing == PACKED_GZIP)
        return deflateInit2(&s->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_ONLY, GZIP_MEMORY, Z_DEFAULT_STRATEGY) ==
               Z_OK;
    if (s->packing == PACKED_ZSTD)
        return (s->zstd = ZSTD_createCCtx()) != NULL &&
               !ZSTD_isError(ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_checksumFlag, 1));
    return true;
}

struct stream_out *stream_begin(const char *path, enum packing packing, struct problem *why) {
    bool standard = strcmp(path, "-") == 0;
    if (standard && fflush(stdout) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "cannot write standard output: %s", strerror(errno)), NULL;
    struct stream_out *s = memory_get(sizeof *s);
    memset(s, 0, offsetof(struct stream_out, packed));
    s->file.fd = STDOUT_FILENO;
    s->path = standard ? "standard output" : path;
    s->standard = standard;
    s->packing = packing;
    if (!begin_packing(s)) problem_set(why, EXIT_INTERNAL, "%s: no memory to pack it", s->path);
    else if (standard || files_begin(&s->file, path, why)) return s;
    if (packing == PACKED_GZIP) deflateEnd(&s->gzip);
    ZSTD_freeCCtx(s->zstd);
    free(s);
    return NULL;
}

static bool raw_write(struct stream_out *s, const void *data, size_t size) {
    if (!s->failed && size > 0 && !files_write_all(s->file.fd, data, size)) {
        s->failed = true;
        s->error = errno;
    }
    return !s->failed;
}

static void pack_gzip(struct stream_out *s, const char *data, size_t size, bool last) {
    s->gzip.next_in = (unsigned char *)(uintptr_t)data;
    s->gzip.avail_in = (uInt)size;
    do {
        s->gzip.next_out = s->packed;
        s->gzip.avail_out = PACKED;
        deflate(&s->gzip, last ? Z_FINISH : Z_NO_FLUSH);
        raw_write(s, s->packed, PACKED - s->gzip.avail_out);
    } while (s->gzip.avail_out == 0 && !s->failed);
    assert(s->failed || s->gzip.avail_in == 0);
}

static void pack_zstd(struct stream_out *s, const char *data, size_t size, bool last) {
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {s->packed, PACKED, 0};
        left = ZSTD_compressStream2(s->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) s->failed = true, s->error = ENOMEM;
        else raw_write(s, s->packed, out.pos);
    } while (!s->failed && (in.pos < in.size || (last && left > 0)));
}

static bool write_some(struct stream_out *s, const char *data, size_t size, bool last) {
    if (s->failed) return false;
    if (s->packing == PACKED_GZIP) pack_gzip(s, data, size, last);
    else if (s->packing == PACKED_ZSTD) pack_zstd(s, data, size, last);
    else raw_write(s, data, size);
    return !s->failed;
}

bool stream_write(struct stream_out *s, const char *data, size_t size) {
    enum { MOST = 1 << 30 }; /* what a uInt can say */
    for (; size > MOST; data += MOST, size -= MOST)
        if (!write_some(s, data, MOST, false)) return false;
    return write_some(s, data, size, false);
}

bool stream_finish(struct stream_out *s, bool good, struct problem *why) {
    if (good && !write_some(s, "", 0, true))
        good = problem_set(why, EXIT_BAD_INPUT, "cannot write %s: %s", s->path, strerror(s->error));
    if (!s->standard) good = files_finish(&s->file, good, why);
    if (s->packing == PACKED_GZIP) deflateEnd(&s->gzip);
    ZSTD_freeCCtx(s->zstd);
    free(s);
    return good;
}
