/* infinite_occurrence.h: infinite occurrence (STOP Theorem 6), what its two ways share. An edge of the transition is
 * looked for inside a strong component of the edges that are not excluded.
 *
 *     infinite_occurrence_edges.c   with kept edges (edges.h): components on arrays (components_edges.h). Which edges
 *                                   are excluded, and which are of the transition, is found by all threads, which expand
 *                                   states again (sweep.h).
 *     infinite_occurrence.c         without: all threads mark states that are on no cycle (backward.h); one thread
 *                                   searches the rest, and expands them again as it goes (components.h).
 *
 * What is shown is the same: the first such edge in the order of states, and a shortest way back.
 */
#ifndef CHECK_INFINITE_OCCURRENCE_H
#define CHECK_INFINITE_OCCURRENCE_H

#include "check/answer.h"

#define OCCURRENCE_PHASE "infinite occurrence"

enum occurrence {
    OCCURRENCE_NONE,     /* there is no such execution */
    OCCURRENCE_ANSWERED, /* there is one, or the check had to stop */
    OCCURRENCE_UNKNOWN   /* to be found out without kept edges: there are none; or there is an execution, but to show it
                          * needs states in the order of levels, and bringing them into it gives up kept edges */
};

enum occurrence occurrence_kept(struct check *c);

/* The execution is on the trace, or c->stop says why it is not. */
void occurrence_answer(struct check *c);

#endif
