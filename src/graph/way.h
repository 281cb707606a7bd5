/* way.h: executions through a complete state space: to a state, and on from where one ends. */
#ifndef GRAPH_WAY_H
#define GRAPH_WAY_H

#include "graph/graph.h"
#include "graph/space.h"

/* A shortest execution to state number `target`: every state on it is the first that leads to the next. Nothing
 * about it was stored: the levels before the target are expanded again, nearest first. False: *stop says why. */
bool trace_to(struct trace *t, struct space *s, uint64_t target, struct stop *stop);

/* Continues from the last state of the trace by the lowest-numbered transition of the unreduced system that leads to a
 * state of the space in `through` (NULL: to any), to the first state that comes twice (then there is a cycle) or that
 * has no such transition. `moving`: by the lowest that changes the state, if there is one. */
bool trace_walk_on(struct trace *t, struct space *s, const struct node_set *through, bool moving, struct stop *stop);

/* The same of a system whose states are not in the space, which only says how: `known` has all of them. */
bool trace_walk_known(struct trace *t, struct space *s, const struct node_set *known, const struct node_set *through,
                      bool moving, struct stop *stop);

#endif
