#include "search/sieve.h"

#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

enum { RECENT_BITS = 15 }; /* of the number of images in the cache */

void sieve_init(struct sieve *v) { v->recent = memory_get_lines(sizeof(uint64_t) << RECENT_BITS); }
void sieve_fini(struct sieve *v) { free(v->recent); }

/* Which of `states` and `keys` is NULL, and `in_order`, are known to the compiler. */
INLINE uint32_t run(struct sieve *v, const struct store *s, const word *states, const uint64_t *keys, bool in_order,
                    uint32_t n, uint64_t *images, uint32_t *indices) {
    const struct store_mixer mixer = store_mixer(s);
    uint64_t *recent = v->recent;
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t image = keys ? store_image(mixer, keys[i]) : store_state_image(mixer, states[i]);
        uint64_t *at = &recent[image >> (64 - RECENT_BITS)];
        bool known = in_order && *at == ~image;
        if (in_order) *at = ~image;
        images[left] = image;
        indices[left] = i;
        left += !known;
    }
    return left;
}

uint32_t sieve_run(struct sieve *v, const struct store *s, const word *states, const uint64_t *keys, bool in_order,
                   uint32_t n, uint64_t *images, uint32_t *indices) {
    if (!in_order) return run(v, s, states, keys, false, n, images, indices);
    return keys ? run(v, s, NULL, keys, true, n, images, indices) : run(v, s, states, NULL, true, n, images, indices);
}
