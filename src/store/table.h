/* table.h: the exact set of states that have been found.
 *
 * A state of one word is stored as mix(state), where mix is a bijection on words that scatters them evenly; mix(0) = 0,
 * and no packed state is 0, so that 0 marks an empty slot. In a longer state the first word is combined with a hash of
 * the others before it is mixed, which can be undone too, so nothing is lost and nothing is stored twice.
 *
 * The slots are kept sorted by their first word. The home of a state is its first word scaled to the number of slots, so
 * that homes are in the same order. A state stands at its home or as little after it as the order allows:
 *
 *     slot     0     1     2     3     4     5     6     7     8
 *     first  | 03 |     | 2a | 2e | 31 | 5c |     |     | 9f | ...      0: empty
 *     home     0           2    2    2    5                8
 *
 * A search starts at the home and ends at the first slot that is empty or larger: a few neighbouring slots even when nine
 * tenths are in use. Sorted slots also let the table grow in place, by any factor, in two sequential passes.
 *
 * A slot number is valid until the next insertion. Searches may overlap with each other, not with insertions.
 */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

#define TABLE_NONE UINT64_MAX

struct table {
    struct region region;
    uint32_t words;     /* of a state, and so of a slot */
    uint64_t homes;     /* slots that are homes; a few more follow for states that are pushed over the end */
    uint64_t slots;     /* all of them */
    uint64_t count;     /* states */
    uint64_t limit;     /* grow when count would pass this */
    uint64_t max_bytes; /* never use more */
    uint64_t *hashes;   /* first words of the batch at hand */
    uint32_t hash_room;
};

bool table_init(struct table *t, uint32_t words, uint64_t max_bytes); /* false: no memory */
void table_fini(struct table *t);

/* Inserts the n states in order. fresh[0], fresh[1], ... are set to the indices of those that were not there before, and
 * *fresh_count to their number. Returns how many were looked at: fewer than n if the table is full and may not grow. */
uint32_t table_insert(struct table *t, const word *states, uint32_t n, uint32_t *fresh, uint32_t *fresh_count);

/* slots[i] is set to the slot of states[i], or TABLE_NONE. */
void table_find(struct table *t, const word *states, uint32_t n, uint64_t *slots);

/* Whether this slot holds a state, and which. For tests and for walking over all states in no useful order. */
bool table_state(const struct table *t, uint64_t slot, word *state);

/* Bytes in use. */
uint64_t table_bytes(const struct table *t);

#endif
