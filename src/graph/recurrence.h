/* recurrence.h: can a transition occur infinitely often while some others do not (graph.h)? An edge of it is looked for
 * inside a strong component of the edges that are not excluded (STOP Theorem 6).
 *
 *     recurrence_edges.c   with kept edges (edges.h): components on arrays (components_edges.h). Which edges are
 *                          excluded,
 *                          and which are of the transition, is found by all threads, which expand states again
 *                          (sweep.h).
 *     recurrence.c         without: all threads mark states that are on no cycle (backward.h); one thread searches the
 *                          rest, and expands them again as it goes (components.h).
 *
 * What is shown is the same: the first such edge in the order of states, and a shortest way back.
 */
#ifndef GRAPH_RECURRENCE_H
#define GRAPH_RECURRENCE_H

#include "base/bitmap.h"
#include "graph/graph.h"
#include "graph/space.h"

/* As struct graph_ops says. *marked: marks of a search that was saved, by slot, or empty; it is empty then. */
MUST_BE_USED enum outcome recurrence_find(struct space *s, const struct recurrence *q, struct bitmap *marked,
                                          struct trace *t, struct stop *stop);

/* ---- Within ---- */

struct recurring {
    struct space *s;
    const struct recurrence *q;
    struct trace *t;
    struct stop *stop;
};

enum recurs {
    RECURS_NOT,
    RECURS,          /* it does; the execution is on the trace, or *stop says why not */
    RECURS_GIVEN_UP, /* *stop says why */
    RECURS_UNKNOWN   /* to be found out without kept edges: there are none; or there is an execution, but to show it
                      * needs states in the order of levels, and bringing them into it gives up kept edges */
};

enum recurs recurrence_kept(const struct recurring *o);

#endif
