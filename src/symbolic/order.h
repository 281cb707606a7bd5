/* order.h: in which order decision diagrams have the variables.
 *
 * What a transition reads and stores together should be near each other. Supports are the sets of variables that are
 * used together. An order is good if supports span few levels, and if what is far up is not used below: the measure
 * adds, for each support, its span times the part of all levels that its highest level has below it. Candidates are
 *
 *     force         FORCE (Aloul, Markov, Sakallah, 2003): variables move to the centres of their supports, from
 *                   several beginnings; then single variables move while the measure falls
 *     processes     a[0], b[0], ..., a[1], b[1], ...: elements of arrays of the same length go together by their index;
 *                   other variables are at the top, in the middle, or at the bottom
 */
#ifndef SYMBOLIC_ORDER_H
#define SYMBOLIC_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct supports {
    uint32_t variables;
    uint32_t *member; /* of all supports, one after the other */
    uint32_t *first;  /* where each begins; one more than there are supports */
    uint32_t count;
};

enum order_of_levels {
    LEVELS_AUTO, /* the best by the measure */
    LEVELS_DECLARED,
    LEVELS_FORCE,
    LEVELS_PROCESSES_TOP,
    LEVELS_PROCESSES_MIDDLE,
    LEVELS_PROCESSES_BOTTOM,
    LEVELS_SHUFFLED, /* for tests: by `seed` */
};

/* order[level] becomes a variable. `names` are those of the variables. */
const char *order_levels(const struct supports *s, const char *const *names, enum order_of_levels which, uint64_t seed,
                         uint32_t *order);

double order_cost(const struct supports *s, const uint32_t *order);

#endif
