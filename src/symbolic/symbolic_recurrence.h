/* symbolic_recurrence.h: infinite occurrence, by decision diagrams: a transition infinitely often, some others finitely
 * often. The greatest set of states from each of which, without the others, a step of the transition back into the set
 * can be reached (Emerson, Lei, 1986) is not empty if and only if there is such an execution. */
#ifndef SYMBOLIC_SYMBOLIC_RECURRENCE_H
#define SYMBOLIC_SYMBOLIC_RECURRENCE_H

#include "graph/graph.h"
#include "graph/space.h"
#include "symbolic/system.h"

/* As struct graph_ops says. */
MUST_BE_USED enum outcome symbolic_recurrence(struct symbolic *s, struct ts_worker *w, const struct recurrence *q,
                                              struct trace *t, struct stop *stop);

#endif
