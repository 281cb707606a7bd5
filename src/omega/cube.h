/* cube.h: labels: conjunctions of literals over at most 64 propositions, and unions of them.
 *
 * A valuation is a word: bit p tells whether proposition p holds. A cube stands for the valuations that agree with
 * `value` on `care`; always value == (value & care). {0, 0} is "true"; no cube is "false", which is an empty union.
 */
#ifndef OMEGA_CUBE_H
#define OMEGA_CUBE_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_PROPOSITIONS = 64 };

struct cube {
    uint64_t care;  /* the propositions that matter */
    uint64_t value; /* those of them that must hold; the others must not */
};

static inline bool cube_has(struct cube c, uint64_t valuation) { return ((valuation ^ c.value) & c.care) == 0; }

/* Is there a valuation in both? */
static inline bool cube_meets(struct cube a, struct cube b) { return ((a.value ^ b.value) & a.care & b.care) == 0; }

/* What both have in common; only if they meet. */
static inline struct cube cube_and(struct cube a, struct cube b) {
    return (struct cube){a.care | b.care, a.value | b.value};
}

static inline bool cube_within(struct cube a, struct cube b) {
    return (b.care & ~a.care) == 0 && ((a.value ^ b.value) & b.care) == 0;
}

/* All propositions below `count`. */
static inline uint64_t propositions_mask(uint32_t count) {
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* The only valuation that it has. */
static inline struct cube cube_of(uint64_t valuation, uint32_t propositions) {
    uint64_t all = propositions_mask(propositions);
    return (struct cube){all, valuation & all};
}

/* Is every valuation of c in one of the n cubes? The work is exponential at worst, and then it is given up with
 * `false`; so `true` can be relied on, `false` only for labels of reasonable size. */
bool cube_covered(struct cube c, const struct cube *of, uint32_t n);

/* A union of cubes. */
struct cubes {
    struct cube *at;
    uint32_t count, room;
};
void cubes_add(struct cubes *u, struct cube c);
void cubes_fini(struct cubes *u);
/* Fewer and shorter cubes, the same union: each is as short as it can be, and none is superfluous, unless
 * there are very many. */
void cubes_simplify(struct cubes *u);
/* What c has and the n cubes have not, as disjoint cubes that are added to u. */
void cubes_add_rest(struct cubes *u, struct cube c, const struct cube *of, uint32_t n);

#endif
