/* components_parallel.h: strong components of a complete state space whose edges are in memory (edges.h), by all
 * threads.
 *
 * Why not the search of algo/components_code.h: depth-first search is one thread's work.
 *
 * A state that is in no component yet is live, and has a colour: the least number of a live state that it is known to
 * reach; at first, its own. In sweeps over all states, down and up by turns, each live state takes the least colour of
 * its live successors, or what that one has as its colour, if it is less than its own. One without live successors but
 * itself is a component on its own. When no colour changes any more, a state that still has its own number as its
 * colour is a root: it reaches nothing less. What is reachable from it along states of its colour, and so reaches it
 * too, is its component. Then whoever is still live begins with its own number again.
 *
 * Numbers are those of a search, which finds what can be reached from a component mostly after it. So most components
 * have roots in the first round. (Greatest numbers would do as well for the theory, but then a component gets its root
 * after all that can be reached from it.)
 *
 * Who writes to a state in a sweep is the thread that has it, and colours only decrease; so others may read an old or a
 * new one. States are claimed for their components by compare-and-swap. What comes out does not depend on any of this.
 */
#ifndef GRAPH_COMPONENTS_PARALLEL_H
#define GRAPH_COMPONENTS_PARALLEL_H

#include "graph/space.h"

/* When it is better to leave the rest to a search by one thread. */
struct colours_effort {
    double sweeps;  /* more states would be looked at than in so many sweeps over all of them, for each thread */
    uint64_t least; /* fewer than these are live */
};

struct colours {
    struct space *s;
    const struct bitmap *edges; /* by the edge's place among the targets: those that count; NULL: all do */
    uint32_t *of;               /* by number; the result: 1 + the least number of the component, or 0: not found */
    struct colours_effort effort;
    const char *phase;
};

/* k->of must be all 0. Besides, four bytes a state are needed while this runs; if they are not there, nothing is found.
 * False: *stop says why it was given up. */
bool colours_run(const struct colours *k, struct stop *stop);

#endif
