/* archive_format.h: what archive_writer.c and archive_reader.c must agree on: the layout of an archive. Numbers are in
 * the byte order of the machine; the header tells which that is. */
#ifndef STORE_ARCHIVE_FORMAT_H
#define STORE_ARCHIVE_FORMAT_H

#include <stdint.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "store/archive.h"

enum { BLOCK_BYTES = 1 << 20, STORED_BYTES = ZSTD_COMPRESSBOUND(BLOCK_BYTES) };

static const char archive_magic[8] = {'\x8f', 'O', 'N', 'A', 'G', 'E', 'R', '\n'};
#define ORDER_MARK UINT32_C(0x01020304)

struct archive_header {
    char magic[8];
    uint32_t order;   /* ORDER_MARK */
    uint32_t version; /* ARCHIVE_VERSION */
    char kind[ARCHIVE_KIND];
    uint64_t seal; /* of what is above */
};

enum record_type { RECORD_SECTION = 1, RECORD_BLOCK = 2, RECORD_END = 3 };

/* Before each record's content. */
struct record_head {
    uint32_t type;
    uint32_t section;  /* number of sections that have begun */
    uint32_t raw;      /* bytes of the stream (block), or of what follows */
    uint32_t stored;   /* bytes that follow */
    uint64_t checksum; /* of the bytes that follow */
    uint64_t seal;     /* of what is above, seeded with the seal before it */
};

/* The content of the last record. */
struct archive_end {
    uint64_t sections, blocks, bytes; /* bytes: of all streams */
};

_Static_assert(sizeof(struct archive_header) == 40 && sizeof(struct record_head) == 32 &&
                   sizeof(struct archive_end) == 24,
               "these are written as they are");

static inline uint64_t header_seal(const struct archive_header *h) {
    return XXH3_64bits(h, offsetof(struct archive_header, seal));
}

static inline uint64_t head_seal(const struct record_head *h, uint64_t before) {
    return XXH3_64bits_withSeed(h, offsetof(struct record_head, seal), before);
}

#endif
