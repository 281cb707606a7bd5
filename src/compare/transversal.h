/* transversal.h: minimal transversals of a family of sets: the sets that meet every set of the family, and of which no
 * element can be left out. Of an empty family, that is the empty set; of one with the empty set in it, there is none.
 * Elements are 0, 1, ..., and a set is a row of bits.
 */
#ifndef COMPARE_TRANSVERSAL_H
#define COMPARE_TRANSVERSAL_H

#include "base/effort.h"

struct family {
    uint64_t *bits; /* of set i: from i * words on */
    uint32_t count, room, words;
};

void family_init(struct family *f, uint32_t elements);
void family_fini(struct family *f);
uint64_t *family_add(struct family *f); /* an empty set, valid until the next one is added */

static inline const uint64_t *family_set(const struct family *f, uint32_t i) {
    return f->bits + (uint64_t)i * f->words;
}
static inline bool set_has(const uint64_t *set, uint32_t element) { return set[element / 64] >> element % 64 & 1; }
static inline void set_put(uint64_t *set, uint32_t element) { set[element / 64] |= UINT64_C(1) << element % 64; }

/* Leaves only the sets that contain no other one, each once: the transversals stay the same. */
void family_minimise(struct family *f);

/* `out` is not initialised before, and is to be freed in any case. False: there are more than `most` on the way, or the
 * effort, which may be NULL, is over. */
bool family_transversals(const struct family *f, uint32_t most, struct effort *effort, struct family *out);

#endif
