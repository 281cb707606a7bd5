/* state_stack.h: the stack of open states of a depth-first search, and where on it a state is.
 *
 * A state is open from when it is entered until its strong component is complete; then it leaves, and with it all
 * states that came after it. So states leave in the reverse order of their coming, which is what the map from states to
 * positions lives on: a cell that was taken last is on nobody's way, and can be cleared without leaving a mark.
 *
 * The map is an array of 32-bit cells: 0, or in the low bits a position + 1, in the others a part of the state's hash.
 * What it is searched by is on the stack. It grows in place, by reading the stack again. So a state costs its words
 * and, when there are many, 6 to 8 bytes.
 */
#ifndef STORE_STATE_STACK_H
#define STORE_STATE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "ts/ts.h"

#define OPEN_NONE UINT32_MAX

struct open {
    struct region states; /* by position */
    struct region cells;
    uint32_t words;
    uint32_t count;         /* states */
    uint64_t cell_count;    /* 0: there is no map */
    unsigned position_bits; /* of a cell */
};

/* `mapped`: with a map. It grows as long as the whole process takes at most `max_bytes`. False: no memory. */
bool open_init(struct open *o, uint32_t words, bool mapped, uint64_t max_bytes);
void open_fini(struct open *o);

bool open_push(struct open *o, const word *state); /* a state that is not open; false: no memory */
void open_pop(struct open *o, uint32_t count);     /* until so many are left */

/* The position of a state, or OPEN_NONE. Only with a map. */
uint32_t open_find(const struct open *o, const word *state);
void open_prefetch(const struct open *o, const word *state); /* it will be looked for */

static inline const word *open_state(const struct open *o, uint32_t position) {
    return (const word *)(const void *)o->states.base + (size_t)position * o->words;
}

/* Room for `bytes` in a region that grows from time to time; false: no memory. */
bool open_room(struct region *r, size_t bytes);

#endif
