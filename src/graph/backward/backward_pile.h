/* backward_pile.h: states that backward search has not decided yet, with their successors, in a file.
 *
 * A sequence of records "slot, number of successors, their slots". Numbers take 32 bits if all slots fit.
 */
#ifndef GRAPH_BACKWARD_BACKWARD_PILE_H
#define GRAPH_BACKWARD_BACKWARD_PILE_H

#include "base/bitmap.h"
#include "graph/space.h"

struct pile {
    struct trail file;
    bool wide;
    uint64_t records; /* some may have been decided since they were written */
};

/* `share`: how many piles there will be at a time. */
void pile_init(struct pile *p, const struct space *s, unsigned share);
void pile_fini(struct pile *p);
void pile_add(struct pile *p, uint64_t slot, const uint64_t *successors, uint32_t count);

typedef void pile_visit(void *context, uint64_t slot, const uint64_t *next, uint32_t count);

/* Calls visit for every record whose state is not in `decided`, which may change meanwhile. Every now and then asks
 * `stop`, which may be NULL, whether to stop. False: the file could not be read. */
bool pile_each(struct pile *p, const struct bitmap *decided, pile_visit *visit, bool (*stop)(void *context),
               void *context);

#endif
