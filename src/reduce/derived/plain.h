/* plain.h: stubborn sets with one enabled transition, found by looking at few variables.
 *
 * From an enabled transition e, members are added that must be there: those that do not accord with e, and for each
 * disabled member whatever may change the value of a variable that disables it. A variable that only members write has
 * its value of now in all states that outsiders lead to; any other may have any value. As soon as a second enabled
 * member is needed, it is given up. So the set is a function of the values that were looked at, in the order of
 * looking: a trie for each e remembers what came out. It is asked for nearly all states, and few answers have to be
 * found.
 */
#ifndef REDUCE_DERIVED_PLAIN_H
#define REDUCE_DERIVED_PLAIN_H

#include "derive/derived.h"

struct plain;

struct plain_set {
    uint32_t transition, effect;
    bool whole; /* it has all imaginary transitions */
};

/* NULL: such sets are not worth looking for. */
struct plain *plain_new(const struct derived *d);
void plain_free(struct plain *p); /* may be NULL */

/* The first transition, in the order that the plain sets are looked for, that there is such a set of. It is a function
 * of the state. False: there is none. */
bool plain_find(struct plain *p, const uint64_t *state, struct plain_set *set);
/* The members of the set that was found in this state. */
void plain_members(struct plain *p, const uint64_t *state, const struct plain_set *set, bool *in);

/* Transitions that are tried, in this order. At first that is all of them, by increasing number. */
void plain_order(struct plain *p, const uint32_t *order, uint32_t count);
/* Is there such a set from transition e? */
bool plain_is_set(struct plain *p, const uint64_t *state, uint32_t e);

#endif
