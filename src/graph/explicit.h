/* explicit.h: the graph of states in a table, as a space has it after a search: the questions of graph.h, answered by
 * sweeps (sweep.h), and by work on arrays where edges are kept (edges.h).
 *
 * A node is the number of a state. Where a nearest node is to be told, states are brought into breadth-first order
 * first, if they are in another one (relevel.h): then numbers change.
 */
#ifndef GRAPH_EXPLICIT_H
#define GRAPH_EXPLICIT_H

#include "base/bitmap.h"
#include "graph/graph.h"
#include "graph/space.h"

/* The graph of a space, which may still be empty: it is complete when questions are asked, but for `state` and `way`.
 * Nothing is to be released. */
void explicit_graph_init(struct state_graph *g, struct space *s);

/* The marks of a backward search that was saved (a bit for each slot), which become the graph's: *marked is empty then.
 * NULL if there are none. */
struct marks *explicit_marks(struct space *s, struct bitmap *marked);

#endif
