/* readings.h: all that the units of a model do, in states whose values may stand together as far as is known.
 *
 * Each unit has a read tree. It is grown together with the pairs of values: only values that are possible so far are
 * tried, and what transitions store makes more pairs possible, until nothing changes. In the end every reachable state
 * has possible pairs only, and a way through each tree.
 *
 * A tree with too many points is made again with points merged that have the same future. Then what is known at a point
 * is a set of states, the hull of all ways to it, rather than one value for each variable that was read. With too many
 * points even so, the unit's root is a LEAF_UNKNOWN: it may do anything. Budgets are counts.
 */
#ifndef DERIVE_READINGS_H
#define DERIVE_READINGS_H

#include "derive/slots.h"

struct readings_budget {
    uint32_t tree;   /* points of a unit's tree */
    uint32_t merged; /* ... and of its merged points */
    uint32_t wide;   /* bits of wide variables whose values are tried one by one */
};
#define READINGS_BUDGET ((struct readings_budget){.tree = 4096, .merged = 1 << 18, .wide = 16})

struct reading {
    struct point_view at;
    point point;
    uint32_t *next; /* POINT_READ: by value, the reading after it; READING_NONE: such a state is impossible */
    uint32_t values;
    uint64_t *hull; /* merged points only: all states in which the unit gets here are in it */
};
enum { READING_NONE = UINT32_MAX };

struct readings {
    struct source *source;
    struct readings_budget budget;
    struct slots slots;
    struct value_pairs pairs;
    struct reading *at;
    uint32_t count, room;
    uint32_t *root;  /* of each unit */
    bool *merged;    /* ... are its points merged? */
    uint32_t rounds; /* until nothing changed */
    uint32_t points; /* made in all, given-up trees included */
};

void readings_init(struct readings *r, struct source *source, struct readings_budget budget);
void readings_fini(struct readings *r);

#endif
