/* states.h: which number a state has: a plain hash table of numbers over an array of states, and nothing else. */
#ifndef VERIFY_STATES_H
#define VERIFY_STATES_H

#include "base/memory.h"
#include "ts/ts.h"

#define STATES_NONE UINT64_MAX

struct states {
    const word *all;
    uint32_t words; /* of a state */
    uint64_t mask;
    struct region places; /* uint32_t: 0, or 1 + the number of the state; its size is mask + 1 */
};

/* For n states, fewer than 2^32 - 1; none is in it yet. False: no memory. */
bool states_init(struct states *s, const word *all, uint64_t n, uint32_t words);
void states_fini(struct states *s);

/* Adds all[number]. False: it is there already. */
bool states_add(struct states *s, uint64_t number);
uint64_t states_find(const struct states *s, const word *state); /* its number, or STATES_NONE */

#endif
