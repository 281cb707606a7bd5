/* rings.h: the distance of states to a set: ring k has the reached states from which k steps lead there, and fewer do
 * not. So a shortest way there goes from ring to ring, down to ring 0. */
#ifndef SYMBOLIC_RINGS_H
#define SYMBOLIC_RINGS_H

#include "graph/graph.h"
#include "graph/space.h"
#include "symbolic/system.h"

struct rings {
    struct symbolic *s;
    mdd left, from; /* roots: what is in no ring yet; where the way is to begin */
    mdd **ring;     /* each a root */
    uint32_t count, room;
};

/* From `target`, by the way `back`, within a set, until a ring has a state of `from`. The last ring has one, if
 * there is any way; else the result is OUTCOME_NONE. */
MUST_BE_USED enum outcome rings_init(struct rings *r, struct symbolic *s, const struct way *back, mdd target,
                                     mdd within, mdd from);
void rings_fini(struct rings *r);

/* Goes on from the last state of the trace, which is in the last ring, to ring 0: by the first transition, in the order
 * of firing, that leads to the next ring. So the execution is the one that a breadth-first search finds first.
 * `excluded`, by transition, may be NULL. False: *stop says why. */
bool rings_follow(const struct rings *r, struct ts_worker *w, const bool *excluded, struct trace *t, struct stop *stop);

#endif
