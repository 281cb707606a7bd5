/* relevel.h: brings the states of a complete space into breadth-first order.
 *
 * After a depth-first search, the trail is in the order of entering. That is good enough for asking questions about
 * the space, but not for answering them with a shortest execution: trace_to needs levels. So the known states are
 * walked again, breadth-first, with one bit a slot, and the trail is replaced. It becomes what a breadth-first search
 * would have left. That takes as long as building the space did, and is done only if there is something to show.
 */
#ifndef GRAPH_RELEVEL_H
#define GRAPH_RELEVEL_H

#include "graph/space.h"

/* *number, if that is not NULL: of a state; it is replaced by its new number. Nothing is done if the space has levels
 * already. Kept edges are given up, because they were in the order of the trail. False: *stop says why; then the space
 * is as it was. */
bool space_relevel(struct space *s, uint64_t *number, struct stop *stop);

#endif
