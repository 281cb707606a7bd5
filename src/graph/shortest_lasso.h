/* shortest_lasso.h: executions whose cycle is as short as possible, and that get there by the shortest way
 * (shortest_cycle.h), as struct graph_ops says. The space is complete, in breadth-first order, with its edges in
 * memory.
 */
#ifndef GRAPH_SHORTEST_LASSO_H
#define GRAPH_SHORTEST_LASSO_H

#include "graph/backward/backward.h"
#include "graph/graph.h"

/* `unmarked`: the same states as those that f has not marked. */
MUST_BE_USED enum outcome shortest_unmarked(struct space *s, const struct fixpoint *f, const struct node_set *unmarked,
                                            struct trace *t, struct stop *stop);
/* `failed`: of each of the sets. */
MUST_BE_USED enum outcome shortest_in_sets(struct space *s, const struct terminal_sets *sets, const bool *failed,
                                           struct trace *t, struct stop *stop);

#endif
