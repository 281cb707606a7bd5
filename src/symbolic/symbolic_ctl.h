/* symbolic_ctl.h: computation tree logic by decision diagrams. */
#ifndef SYMBOLIC_SYMBOLIC_CTL_H
#define SYMBOLIC_SYMBOLIC_CTL_H

#include "graph/graph.h"
#include "graph/space.h"
#include "omega/ctl/ctl.h"
#include "symbolic/system.h"

/* As struct graph_ops says. */
MUST_BE_USED enum outcome symbolic_ctl(struct state_graph *g, struct symbolic *s, const struct ctl *f, struct trace *t,
                                       struct stop *stop);

#endif
