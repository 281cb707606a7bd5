/* origins.h: how the states were found that are not expanded yet, a byte each (ts.h says what that is good for).
 *
 * A queue beside the trail, whose states have numbers: what is expanded leaves it in front, and what is new comes in at
 * its end. States that were found before it began have origin 0, which means that nothing is known. Where that would
 * take too much memory, all that is in it is forgotten: nothing but time depends on it.
 */
#ifndef EXPLORE_ORIGINS_H
#define EXPLORE_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>

struct origins {
    uint8_t *bytes; /* a ring: that of state number i is at i % room; NULL: they are not kept */
    uint64_t room;  /* a power of two */
    uint64_t most;  /* that it may become */
    uint64_t begin; /* number of the first state */
    uint64_t end;   /* ... and after the last one */
};

/* From this number on. In a good many bytes at least, and at most in so many. */
void origins_init(struct origins *o, uint64_t first, uint64_t most_bytes);
void origins_fini(struct origins *o);

void origins_add(struct origins *o, const uint8_t *origins, uint32_t n);

/* Takes those of n states, of which the first are in front, and copies the following ones too, as far as they belong
 * together with the last: `out` has room for TS_MOST_SIBLINGS more. */
void origins_take(struct origins *o, uint64_t first, uint32_t n, uint8_t *out);

#endif
