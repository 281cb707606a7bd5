/* trail.h: all states in the order in which they were found.
 *
 * It is the queue of a breadth-first search, of which nothing is thrown away: reading it again tells the way back from
 * a state to the initial state, and reading it backwards is a good order for backward questions. The number of a state
 * is its position here.
 *
 * Beyond a small amount the states are not in memory but in a file without a name, which disappears with the process.
 * If that file cannot be written, because the disk is full, say, they stay in memory.
 *
 *     | part 0 | part 1 | part 2 | part 3 | ...      PART_STATES states each; full ones are written out, oldest first
 *       file     file     memory   memory
 */
#ifndef STORE_TRAIL_H
#define STORE_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

struct trail {
    uint32_t words;
    uint64_t count;         /* states */
    word **parts;           /* NULL: in the file */
    uint64_t part_count, part_room;
    uint64_t first_kept;    /* parts below this are in the file */
    uint64_t keep;          /* how many parts may be in memory */
    uint32_t part_states;
    int file;               /* -1: none yet, -2: none to be had */
    word *window;           /* the part of the file that was read last */
    uint64_t window_part;   /* UINT64_MAX: none */
};

void trail_init(struct trail *t, uint32_t words);
void trail_fini(struct trail *t);

void trail_add(struct trail *t, const word *state);

/* Up to `most` consecutive states from number `at` on: *count of them. The pointer is valid until the next call on this
 * trail. NULL: the file could not be read. */
const word *trail_read(struct trail *t, uint64_t at, uint32_t most, uint32_t *count);

uint64_t trail_bytes(const struct trail *t); /* in memory */

/* A trail of single words (words = 1) as a sequence that is written and read a run at a time, forward or backward. */
void trail_add_words(struct trail *t, const word *from, uint64_t n);

struct trail_cursor {
    struct trail *t;
    uint64_t at; /* number of the next word (forward), or of the word after the previous one (backward) */
};

void trail_cursor_init(struct trail_cursor *c, struct trail *t);
void trail_cursor_init_end(struct trail_cursor *c, struct trail *t);
bool trail_next_words(struct trail_cursor *c, word *to, uint64_t n);     /* false: cannot be read */
bool trail_previous_words(struct trail_cursor *c, word *to, uint64_t n); /* the n words before, in their order */

#endif
