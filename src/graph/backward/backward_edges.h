/* backward_edges.h: a fixpoint (backward.h) over edges that are kept in memory (edges.h).
 *
 * Marks are by number, and states are swept in the reverse of the order in which they were found. That states are near
 * their successors in this order makes a sweep cheap: what it reads of the marks is in the cache. Each sweep looks at
 * what is left; if one marks little, the reversed edges of what is left decide the rest.
 */
#ifndef GRAPH_BACKWARD_BACKWARD_EDGES_H
#define GRAPH_BACKWARD_BACKWARD_EDGES_H

#include "graph/backward/backward.h"

/* The same as fixpoint_run. The edges must be settled. */
bool numbered_run(struct fixpoint *f, struct space *s, struct stop *stop);

#endif
