#include "store/sieve.h"

#include <assert.h>
#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

enum { REST_BITS = 32, REST_PLACE_BITS = 17, WHOLE_PLACE_BITS = 16 }; /* places: as many as are still quickly reached */

_Static_assert(sizeof(uint32_t) << REST_PLACE_BITS == SIEVE_BYTES &&
                   sizeof(uint64_t) << WHOLE_PLACE_BITS == SIEVE_BYTES,
               "as said in the header");

/* A key, shifted to the high end, times this: the high bits are a place that depends on all of it. Since the factor is
 * odd, the product is the key's alone, and has as many zeros at its low end as the shifted key. */
INLINE uint64_t spread_out(uint64_t high_key) { return high_key * UINT64_C(0x9e3779b97f4a7c15); }

/* What is at a place at first must not be taken for anything. The last bit of a rest is a zero at the low end. */
void sieve_init(struct sieve *v, const struct store *s) {
    *v = (struct sieve){.mixer = store_mixer(s)};
    if (s->key_bits < REST_PLACE_BITS + REST_BITS) {
        v->rests = memory_get_lines(sizeof *v->rests << REST_PLACE_BITS);
        for (uint32_t i = 0; i < 1u << REST_PLACE_BITS; i++) v->rests[i] = 1;
    } else {
        v->whole = memory_get_lines(sizeof *v->whole << WHOLE_PLACE_BITS);
        v->whole[0] = UINT64_MAX; /* which belongs to the last place; all other places are not that of zero */
    }
}

void sieve_fini(struct sieve *v) {
    free(v->rests);
    free(v->whole);
}

INLINE bool met(uint32_t *rests, uint64_t *whole, uint64_t product) {
    if (rests) {
        uint32_t *at = &rests[product >> (64 - REST_PLACE_BITS)];
        uint32_t rest = (uint32_t)(product >> (64 - REST_PLACE_BITS - REST_BITS));
        bool known = *at == rest;
        *at = rest;
        return known;
    }
    uint64_t *at = &whole[product >> (64 - WHOLE_PLACE_BITS)];
    bool known = *at == product;
    *at = product;
    return known;
}

/* Those that were not met, and their indices. */
INLINE uint32_t leave_out(uint32_t *rests, uint64_t *whole, struct store_mixer m, unsigned mark_bits,
                          const uint64_t *all, uint32_t n, uint64_t *out, uint32_t *indices) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert(mark_bits == 0 || (all[i] & 1)); /* a state is marked by its lowest bit, a key is not */
        bool known = met(rests, whole, spread_out(all[i] >> mark_bits << m.unused));
        out[left] = all[i];
        indices[left] = i;
        left += !known;
    }
    return left;
}

INLINE uint32_t run(struct sieve *v, unsigned mark_bits, const uint64_t *all, uint32_t n, uint64_t *images,
                    uint32_t *indices) {
    const struct store_mixer mixer = v->mixer;
    uint32_t left;
    if (v->rests) left = leave_out(v->rests, NULL, mixer, mark_bits, all, n, images, indices);
    else left = leave_out(NULL, v->whole, mixer, mark_bits, all, n, images, indices);
    for (uint32_t i = 0; i < left; i++) images[i] = store_image(mixer, images[i] >> mark_bits);
    return left;
}

uint32_t sieve_run(struct sieve *v, const word *states, const uint64_t *keys, uint32_t n, uint64_t *images,
                   uint32_t *indices) {
    return keys ? run(v, 0, keys, n, images, indices) : run(v, 1, states, n, images, indices);
}
