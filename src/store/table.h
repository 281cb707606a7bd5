/* table.h: the exact set of states that have been found.
 *
 * Nothing is lost by storing a state as its image under a bijection that scatters states evenly. The high bits of the
 * image, scaled to the number of lines, say where the state belongs: that is its home line. A line is as long as a
 * cache line. A state is in its home line or, if that is full, in the next one that is not. A search compares a
 * whole line at once and ends at a line with an empty slot.
 *
 *     wide lines, 8 slots of 64 bits:     | image | image | image | 0 | ...          0: empty; slots fill from the left
 *     narrow lines, 16 slots of 32 bits:  | remainder, distance + 1 | ... | 0 |
 *
 * A state of one word begins in wide lines. When there are so many lines that the line number says enough about the
 * image, the lines are rewritten as narrow ones, in place: a slot then holds only what the home does not tell, and
 * 6 bits for how far from its home the state is. The image can still be computed from slot and line.
 *
 * In states of several words, a hash of the others is added to the first word before it is scattered; the others
 * stand in a region of their own, at the same slot number. Their lines are always wide.
 *
 * Scaling keeps the order of homes, so that the table grows in place, by any factor, in one pass from its end to its
 * beginning. A slot number is valid until the table grows. Searches may overlap with each other, not with insertions.
 */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

#define TABLE_NONE UINT64_MAX

struct table {
    struct region lines_region;
    struct region rests; /* words - 1 words for each slot */
    uint32_t words;      /* of a state */
    uint32_t bits;       /* of a state, without the mark */
    bool narrow;
    uint32_t per_line;            /* slots: 8 or 16 */
    uint64_t homes;               /* lines that are homes; a few more follow for what does not fit there */
    uint64_t lines;               /* all of them */
    uint64_t slots;               /* in all lines: slot numbers are below this */
    uint64_t count;               /* states */
    uint64_t limit;               /* grow when count would pass this */
    uint64_t max_bytes;           /* never use more */
    unsigned home_bits;           /* floor(log2(homes)) */
    uint64_t quotient, remainder; /* of 2^bits divided by homes */
    uint64_t *keys;               /* of the batch at hand */
    uint32_t key_room;
    const struct table_code *code; /* the fastest that this machine can run */
};

/* For states of `bits` bits after the mark. False: no memory. */
bool table_init(struct table *t, uint32_t bits, uint64_t max_bytes);
void table_fini(struct table *t);

/* Inserts the n states in order. fresh[0], fresh[1], ... are set to the indices of those that were not there before,
 * and *fresh_count to their number. Returns how many were looked at: fewer than n if the table is full and may not
 * grow. */
uint32_t table_insert(struct table *t, const word *states, uint32_t n, uint32_t *fresh, uint32_t *fresh_count);

/* slots[i] is set to the slot of states[i], or TABLE_NONE. */
void table_find(struct table *t, const word *states, uint32_t n, uint64_t *slots);

/* Whether this slot holds a state, and which. For tests and for walking over all states in no useful order. */
bool table_state(const struct table *t, uint64_t slot, word *state);

uint64_t table_bytes(const struct table *t); /* in use */

#endif
