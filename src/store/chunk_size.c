#include "store/chunk_size.h"

#include "store/sieve.h"

enum { LARGE_PART = 8 }; /* of the memory may be in the hands of all threads, if their chunks are large */

/* Of one chunk, and of a thread, if half of the transitions are enabled. */
static uint64_t bytes_of_chunk(const struct ts *ts, uint32_t sources) {
    return (uint64_t)sources * ts->transitions * (2 * ts->words * sizeof(word) + 40) / 2;
}
static uint64_t bytes_of_workshop(const struct ts *ts, uint32_t sources) {
    return (uint64_t)sources * ts->transitions * 40 / 2 + SIEVE_BYTES;
}

uint32_t chunk_sources(const struct ts *ts, unsigned threads, uint64_t max_memory) {
    uint32_t batch = ts_batch_states(ts), batches = threads > 1 ? CHUNK_BATCHES : ALONE_BATCHES;
    uint64_t most = max_memory / LARGE_PART / threads / CHUNKS_EACH;
    while (batches > 1 && (ts->words > 1 || (uint64_t)batches * batch * ts->transitions > CHUNK_EDGES ||
                           bytes_of_chunk(ts, batches * batch) > most))
        batches /= 2;
    return batches * batch;
}

uint64_t chunk_bytes(const struct ts *ts, unsigned threads, uint64_t max_memory) {
    if (threads == 0) threads = 1;
    uint32_t sources = chunk_sources(ts, threads, max_memory);
    uint64_t chunks = threads > 1 ? CHUNKS_EACH : 1;
    return threads * (chunks * bytes_of_chunk(ts, sources) + bytes_of_workshop(ts, sources));
}
