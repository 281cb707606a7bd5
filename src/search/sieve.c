#include "search/sieve.h"

#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

enum { RECENT_BITS = 15 }; /* of the number of places */

INLINE uint64_t place_of(uint64_t x) { return x * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS); }

void sieve_init(struct sieve *v) {
    v->recent = memory_get_lines(sizeof(uint64_t) << RECENT_BITS);
    v->recent[place_of(0)] = 1; /* what is at a place at first does not belong there, so that nothing is taken for it */
}

void sieve_fini(struct sieve *v) { free(v->recent); }

/* Those that are not at their places, and their indices. */
static uint32_t leave_out_recent(struct sieve *v, const uint64_t *all, uint32_t n, uint64_t *out, uint32_t *indices) {
    uint64_t *recent = v->recent;
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t x = all[i], *at = &recent[place_of(x)];
        bool known = *at == x;
        *at = x;
        out[left] = x;
        indices[left] = i;
        left += !known;
    }
    return left;
}

uint32_t sieve_run(struct sieve *v, const struct store *s, const word *states, const uint64_t *keys, bool in_order,
                   uint32_t n, uint64_t *images, uint32_t *indices) {
    const struct store_mixer mixer = store_mixer(s);
    const uint64_t *all = keys ? keys : states;
    uint32_t left = n;
    if (in_order) left = leave_out_recent(v, all, n, images, indices);
    else
        for (uint32_t i = 0; i < n; i++) images[i] = all[i], indices[i] = i;
    if (keys)
        for (uint32_t i = 0; i < left; i++) images[i] = store_image(mixer, images[i]);
    else
        for (uint32_t i = 0; i < left; i++) images[i] = store_state_image(mixer, images[i]);
    return left;
}
