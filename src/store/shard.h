/* shard.h: a set of numbers of a fixed length that are spread evenly, in little more space than they need.
 *
 * The numbers, `bits` bits long, are images of states under a bijection that scatters them (table.h); here they are
 * fractions, that is, at the high end of a word. An image times the number of home lines is a line, the image's home,
 * and a fraction that tells it from others with the same home. Only this fraction is stored, the remainder, and how
 * many lines from its home the image is. A line is as long as a cache line. An image is in its home line or, if that is
 * full, in the next one that is not. A search compares a whole line at once and ends at a line with an empty slot.
 *
 *     entry: | remainder | distance + 1 |      4 bits for the distance; 0 is an empty slot
 *     line:  | low 32 bits of each entry | the rest of each entry |      slots fill from the left
 *
 * The more homes there are, the shorter are the entries. There are lines for entries of 64, 48, 40 and 32 bits, with 8,
 * 10, 12 and 16 slots; a shard that grows changes to shorter ones by itself.
 *
 * Scaling keeps the order of homes, so that a shard grows in place, by any factor, in one pass from its end to its
 * beginning. A slot number is valid until then. Searches may overlap with each other, not with insertions.
 */
#ifndef STORE_SHARD_H
#define STORE_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

#define SHARD_NONE UINT64_MAX

struct shard {
    struct region memory;
    unsigned bits;       /* of an image */
    unsigned per_line;   /* slots: 8, 10, 12 or 16 */
    uint64_t homes;      /* lines that are homes; a few more follow for what does not fit there */
    uint64_t lines;      /* all of them */
    uint64_t count;      /* images */
    uint64_t limit;      /* grow when count would pass this */
    uint64_t dense_from; /* homes: from here on memory counts more than time */
    bool lost;           /* images had no room when it grew: nothing can be inserted any more */
    struct budget *budget;
    unsigned remainder_bits;
    uint64_t quotient, rest;       /* of 2^bits divided by homes */
    uint64_t reciprocal;           /* 2^64 / homes */
    const struct shard_code *code; /* the fastest that this machine can run */
};

/* `first_lines`, 8 or more, is where it begins. `bits` is 1 to 63. False: no memory. */
bool shard_init(struct shard *s, unsigned bits, uint64_t first_lines, uint64_t dense_from, struct budget *budget);
void shard_fini(struct shard *s);

/* Inserts n images in order. fresh[0], fresh[1], ... are set to the indices of those that were not there before, and
 * *fresh_count to their number. Returns how many were looked at: fewer than n if the shard is full and may not grow. */
uint32_t shard_insert(struct shard *s, const uint64_t *images, uint32_t n, uint32_t *fresh, uint32_t *fresh_count);

/* Whether n images can be inserted before it grows; and to grow now if it soon would. Several shards that are filled
 * evenly can grow at the same time in this way, each by a thread of its own. */
static inline bool shard_has_room(const struct shard *s, uint64_t n) { return s->count + n <= s->limit; }
void shard_make_room(struct shard *s);

/* The slot of an image, or SHARD_NONE. */
uint64_t shard_find(const struct shard *s, uint64_t image);
/* The same for n images, which are replaced by their slots. */
void shard_find_all(const struct shard *s, uint32_t n, uint64_t *slots);
void shard_prefetch(const struct shard *s, uint64_t image);

/* Whether this slot holds an image, and which. */
bool shard_image(const struct shard *s, uint64_t slot, uint64_t *image);

static inline uint64_t shard_slots(const struct shard *s) { return s->lines * s->per_line; }
static inline uint64_t shard_bytes(const struct shard *s) { return s->lines * 64; }

#endif
