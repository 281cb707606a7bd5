/* sieve.h: the images of successors, without those that were met a short while ago.
 *
 * Most successors that a search meets are known, and most of these were met recently: they are in a small cache, and
 * need no further thought. It holds states of a word, or keys, each at a place of its own, which it shares with others.
 * Which place that is says something about the state, so that it suffices to keep the rest of it: half a word for keys
 * of up to 48 bits.
 */
#ifndef STORE_SIEVE_H
#define STORE_SIEVE_H

#include "store/store.h"

enum { SIEVE_BYTES = 1 << 19 }; /* that one takes */

struct sieve {
    struct store_mixer mixer;
    uint32_t *rests; /* NULL: the keys are too long; then */
    uint64_t *whole; /* ... all of them */
};

void sieve_init(struct sieve *v, const struct store *s); /* for what is to be inserted into the store */
void sieve_fini(struct sieve *v);

/* The images of n states, or of n keys (states is NULL then), that were not met recently, and their indices. Returns
 * how many they are. All that it was given before must come before them in the order of the search. Without keys,
 * states must be short: see store_has_short_states. */
uint32_t sieve_run(struct sieve *v, const word *states, const uint64_t *keys, uint32_t n, uint64_t *images,
                   uint32_t *indices);

#endif
