/* trail.h: all states in the order in which they were found.
 *
 * It is the queue of a breadth-first search, of which nothing is thrown away: reading it again tells the way back from
 * a state to the initial state, and reading it backwards is a good order for backward questions. The number of a state
 * is its position here.
 *
 * Beyond a small amount the states are not in memory but in a file without a name, which disappears with the process.
 * If that file cannot be written, because the disk is full, say, they stay in memory.
 *
 *     | part 0 | part 1 | part 2 | part 3 | ...      part_items states each; full ones are written out, oldest first
 *       file     file     memory   memory
 */
#ifndef STORE_TRAIL_H
#define STORE_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

struct trail {
    uint32_t item_bytes; /* of a state */
    uint64_t count;      /* states */
    char **parts;        /* NULL: in the file */
    uint64_t part_count, part_room;
    uint64_t first_kept;  /* parts below this are in the file */
    uint64_t keep;        /* how many parts may be in memory */
    uint32_t part_items;  /* states in a part */
    int file;             /* -1: none yet, -2: none to be had */
    char *window;         /* the part of the file that was read last */
    uint64_t window_part; /* UINT64_MAX: none */
};

/* `keep_bytes` of the newest states may stay in memory. */
void trail_init(struct trail *t, uint32_t words);
void trail_init_items(struct trail *t, uint32_t item_bytes, uint64_t keep_bytes);
void trail_fini(struct trail *t);

void trail_add(struct trail *t, const word *state);

/* Up to `most` consecutive states from number `at` on: *count of them. The pointer is valid until the next call on this
 * trail. NULL: the file could not be read. */
const void *trail_read(struct trail *t, uint64_t at, uint32_t most, uint32_t *count);

uint64_t trail_bytes(const struct trail *t); /* in memory */

/* A trail of items of any size as a sequence that is written and read a run at a time. */
void trail_add_run(struct trail *t, const void *items, uint64_t n);

struct trail_cursor {
    struct trail *t;
    uint64_t at;         /* number of the next item */
    const char *part;    /* the part that was read last, of which */
    uint64_t first, end; /* these items are */
};

void trail_cursor_init(struct trail_cursor *c, struct trail *t);
/* The next n items: where they are, if they are together; else they are copied to *spare, which is made large enough
 * (to be freed in the end). NULL: cannot be read. Valid until the next call. */
struct trail_spare {
    void *memory;
    size_t bytes;
};
const void *trail_next_far(struct trail_cursor *c, uint64_t n, struct trail_spare *spare);

static inline const void *trail_next(struct trail_cursor *c, uint64_t n, struct trail_spare *spare) {
    if (c->at < c->first || c->at + n > c->end) return trail_next_far(c, n, spare);
    c->at += n;
    return c->part + (c->at - n - c->first) * c->t->item_bytes;
}

#endif
