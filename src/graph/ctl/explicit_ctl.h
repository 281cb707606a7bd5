/* explicit_ctl.h: computation tree logic on states in a table. Sets are bits, by numbers of states; edges are put into
 * arrays, backward, once: 4 bytes an edge, and 8 a state. Each operator takes one look at each edge. */
#ifndef GRAPH_CTL_EXPLICIT_CTL_H
#define GRAPH_CTL_EXPLICIT_CTL_H

#include "graph/graph.h"
#include "graph/space.h"
#include "omega/ctl/ctl.h"

/* As struct graph_ops says. States are in the order of levels. */
MUST_BE_USED enum outcome explicit_ctl(struct state_graph *g, struct space *s, const struct ctl *f, struct trace *t,
                                       struct stop *stop);

#endif
