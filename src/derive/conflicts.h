/* conflicts.h: when do two transitions not accord? */
#ifndef DERIVE_CONFLICTS_H
#define DERIVE_CONFLICTS_H

#include "base/effort.h"
#include "derive/cubes.h"
#include "derive/diagram.h"

/* What takes part: a diagram, and the variables that it, and the values that it stores, depend on. */
struct party {
    uint32_t root;
    const bool *reads;
};

/* Puts conditions into `out` that together cover all possible states in which t and u are both enabled, but one
 * disables the other or the two orders end differently. With more than `cubes` of them, their hull; after `steps`
 * steps, or when the effort is over, all states. */
void conflicts_find(const struct diagram *d, const struct value_pairs *pairs, const struct party *t,
                    const struct party *u, uint32_t cubes, uint32_t steps, struct effort *effort,
                    struct cube_list *out);

#endif
