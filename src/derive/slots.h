/* slots.h: sets of values of variables, as bits; and which values can stand together.
 *
 * Each value of a narrow variable has a slot, a bit in vectors of `words` words. A vector stands for a set of states:
 * those whose values are all in it. A variable with at most 64 values has a field inside one word; a larger one has
 * words of its own. Wide variables (derive/source.h) have no slots: nothing is said of their values.
 *
 * Pairs: a symmetric matrix over slots. Every reachable state has values of which any two are a pair.
 */
#ifndef DERIVE_SLOTS_H
#define DERIVE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "derive/source.h"

/* Where the slots of a variable are. */
struct slot_range {
    uint32_t first; /* slot of value 0 */
    uint32_t count; /* 0: the variable is wide */
    uint32_t word, words;
};

struct slots {
    uint32_t variables, count, words;
    struct slot_range *of;
    uint32_t *owner; /* of each bit: the variable; UINT32_MAX: none */
    uint64_t *used;  /* all slots */
    /* Of each word, for its fields: the highest bits, and all others. */
    uint64_t *highest, *lower;
};

void slots_init(struct slots *s, const struct source *source);
void slots_fini(struct slots *s);

static inline bool slot_in(const uint64_t *set, uint32_t slot) { return set[slot / 64] >> (slot % 64) & 1; }
static inline void slot_add(uint64_t *set, uint32_t slot) { set[slot / 64] |= UINT64_C(1) << (slot % 64); }
static inline void slot_remove(uint64_t *set, uint32_t slot) { set[slot / 64] &= ~(UINT64_C(1) << (slot % 64)); }

/* The bits of variable x in its k-th word. */
static inline uint64_t slots_mask(const struct slots *s, uint32_t x, uint32_t k) {
    const struct slot_range *r = &s->of[x];
    uint32_t left = r->count - 64 * k;
    if (r->words > 1) return left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    return (r->count == 64 ? UINT64_MAX : (UINT64_C(1) << r->count) - 1) << (r->first % 64);
}

/* Does `set` have a value of variable x at all? */
static inline bool slots_some(const struct slots *s, uint32_t x, const uint64_t *set) {
    for (uint32_t k = 0; k < s->of[x].words; k++)
        if (set[s->of[x].word + k] & slots_mask(s, x, k)) return true;
    return s->of[x].count == 0;
}

/* Do a and b have a value in common of each variable whose slots are in word w? Variables with more than 64 values are
 * not looked at. *without: a bit of one that has none. */
static inline bool slots_meet_word(const struct slots *s, const uint64_t *a, const uint64_t *b, uint32_t w,
                                   uint64_t *without) {
    uint64_t both = a[w] & b[w];
    /* The carry of the sum arrives in the highest bit of each field in which some lower bit is set. */
    *without = s->highest[w] & ~(((both & s->lower[w]) + s->lower[w]) | both);
    return *without == 0;
}

/* The same of all variables. */
bool slots_meet(const struct slots *s, const uint64_t *a, const uint64_t *b);

/* ---- Pairs ---- */

struct value_pairs {
    const struct slots *slots;
    uint64_t
        *row; /* of slot g from word g * slots->words on: what it can stand together with; itself: it is possible */
    uint64_t *possible; /* all slots that are */
    bool grown;         /* since it was last set to false */
};

void value_pairs_init(struct value_pairs *p, const struct slots *slots);
void value_pairs_fini(struct value_pairs *p);

static inline const uint64_t *value_pairs_row(const struct value_pairs *p, uint32_t slot) {
    return p->row + (uint64_t)slot * p->slots->words;
}
void value_pairs_add(struct value_pairs *p, uint32_t a, uint32_t b);
void value_pairs_add_state(struct value_pairs *p, const struct source *source, const uint64_t *state);
void value_pairs_add_all(struct value_pairs *p);

/* Each of the `count` slots `stored`, which are values of different variables, comes to stand together with the others
 * and with all values in `left` of the variables that are not stored to. */
void value_pairs_add_store(struct value_pairs *p, const uint32_t *stored, uint32_t count, const uint64_t *left);

/* Makes `set` smaller: what no state with possible pairs in it has, goes. False: there is no such state. */
bool value_pairs_narrow(const struct value_pairs *p, uint64_t *set);

/* Stores a value of fewer than 64 bits in a packed state. */
static inline void source_set(const struct source_variable *x, uint64_t *state, uint64_t value) {
    uint32_t w = x->first / 64, shift = x->first % 64;
    uint64_t mask = (UINT64_C(1) << x->bits) - 1;
    state[w] = (state[w] & ~(mask << shift)) | value << shift;
    if (shift + x->bits > 64) state[w + 1] = (state[w + 1] & ~(mask >> (64 - shift))) | value >> (64 - shift);
}

#endif
