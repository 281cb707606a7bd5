/* chunk_size.h: how many states a search takes in hand at a time, and the memory for that. */
#ifndef STORE_CHUNK_SIZE_H
#define STORE_CHUNK_SIZE_H

#include "ts/ts.h"

enum {
    CHUNKS_EACH = 3, /* chunks that a thread has in hand, if there are several, so that it need not wait for others */
    CHUNK_BATCHES = 32,    /* batches in a large chunk of short states: what is met twice is often met near by, and the
                         * thread that has both knows that */
    ALONE_BATCHES = 4,     /* the same, if there is one thread, which has both in any case */
    CHUNK_EDGES = 1 << 17, /* that there is room for in a chunk of several batches, at most */
};

/* Sources of a large chunk. Where there is little memory, no chunk is large. */
uint32_t chunk_sources(const struct ts *ts, unsigned threads, uint64_t max_memory);

/* About what all chunks of a search by so many threads take. There is room for all transitions to be enabled
 * everywhere; that half of it is used is a guess. */
uint64_t chunk_bytes(const struct ts *ts, unsigned threads, uint64_t max_memory);

#endif
