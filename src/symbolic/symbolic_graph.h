/* symbolic_graph.h: the graph of a system of decision diagrams, behind the questions of graph.h.
 *
 * A node is the number of a state that was told; the states that were are kept. Executions are those that the graph of
 * a breadth-first search tells: shortest, and by the first transition in the order of firing. What is not answered here
 * (bottom components, shortest cycles) is given up, with a reason; options refuse it before.
 */
#ifndef SYMBOLIC_SYMBOLIC_GRAPH_H
#define SYMBOLIC_SYMBOLIC_GRAPH_H

#include "graph/graph.h"
#include "graph/space.h"
#include "symbolic/system.h"

struct symbolic_graph {
    struct symbolic *s;
    struct space *space; /* says which worker serves, and within which limits; it has no states */
    word *told;          /* states */
    uint64_t count, room;
};

void symbolic_graph_init(struct state_graph *g, struct symbolic_graph *own, struct symbolic *s, struct space *space);
void symbolic_graph_fini(struct symbolic_graph *own);

/* The states of a class of ts.h, TS_MAY, TS_MUST or TS_NAMED, among some. OUTCOME_GIVEN_UP: it is not known of some. */
MUST_BE_USED enum outcome symbolic_class(struct symbolic *s, unsigned classes, mdd among, mdd *found,
                                         struct stop *stop);

/* Those of `within` from where an execution stays there: the greatest set of which each member is terminal or has a
 * successor in it. */
mdd symbolic_staying(struct symbolic *s, mdd within, mdd terminal);

/* A shortest execution from the initial state to one of the set; the trace is empty before. NONE: none is reached. */
MUST_BE_USED enum outcome symbolic_lead(struct symbolic *s, struct ts_worker *w, mdd set, struct trace *t,
                                        struct stop *stop);

#endif
