/* backward.h: backward questions about a complete state space.
 *
 * A state is marked if it is a target, or if
 *     BACKWARD_SOME   some successor is marked:  marked = "a target can be reached"   (may progress, termination)
 *     BACKWARD_ALL    all successors are marked: marked = "a target will be reached"  (must progress)
 * A terminal state is marked if it is a target or if terminal states count as targets. The least such marking is
 * computed exactly.
 *
 * How: the states are swept in reverse breadth-first order, each marked if it can be; many find a marked successor
 * among those swept before. If the edges are in memory (edges.h), they are swept again and again (backward_edges.h).
 * Else, what could not be marked is written to a file with the slots of its successors, and this file is swept again
 * and again, each time leaving less. If little is marked in a sweep, the reversed edges of what is left are put in
 * memory, if they fit, and the rest is done in linear time (backward_rest.h).
 */
#ifndef GRAPH_BACKWARD_BACKWARD_H
#define GRAPH_BACKWARD_BACKWARD_H

#include "base/bitmap.h"
#include "graph/graph.h"
#include "graph/space.h"

struct fixpoint {
    enum backward_kind kind;
    uint32_t target; /* classes that are targets; may be 0 */
    bool terminal_is_target;
    const bool *excluded;    /* for each transition: as if it did not exist; NULL: none is */
    const char *phase;       /* for the progress line */
    struct bitmap marked;    /* by slot; the result, unless nothing is unmarked. May be given: marks that are right */
    uint64_t unmarked;       /* how many states are not marked in the end */
    uint64_t first_unmarked; /* the number of the first of them, if any */
};

/* f->kind, target, terminal_is_target and phase must be set. False: *stop says why it was given up. */
bool fixpoint_run(struct fixpoint *f, struct space *s, struct stop *stop);
/* Sets f->first_unmarked again, after the numbers of states have changed. */
bool fixpoint_renumber(struct fixpoint *f, struct space *s, struct stop *stop);
void fixpoint_fini(struct fixpoint *f);

/* Whether a slot is not marked. */
bool fixpoint_unmarked(const struct fixpoint *f, uint64_t slot);

#endif
