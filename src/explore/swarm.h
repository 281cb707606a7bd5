/* swarm.h: random search, for models whose state space is too big to be built (Holzmann, Joshi, Groce: Swarm
 * verification, 2008).
 *
 * Every thread does, one after another, random walks from the initial state and depth-first searches with a small
 * memory of their own (store/bitstate.h), each with another seed, another order of successors and another bound on
 * depth, and for more and more states. It looks for what can be seen in single states: bad states, illegal deadlocks,
 * model errors, and mistakes of model code. The first one ends it. Nothing else does, but a limit: that nothing was
 * found proves nothing, however long it took.
 *
 * A set that all threads share counts the different states that were visited. It is approximate, and so is the count.
 * Visits are counted with repetitions; a state is visited when its successors are made.
 *
 * With one thread, the result depends on the seed alone, unless a limit on time or memory ends it. With more threads,
 * which of several errors is found first is a matter of luck.
 *
 * Memory: an eighth of limits.max_memory, but at most 64 MiB, for the shared set, which is enough to count 10^9 states;
 * all threads together at most an eighth for their own sets, and at most an eighth for their stacks.
 */
#ifndef EXPLORE_SWARM_H
#define EXPLORE_SWARM_H

#include "explore/bfs.h"
#include "ts/trace.h"

struct swarm_options {
    unsigned threads;     /* 0: one */
    uint64_t seed;        /* any number */
    uint64_t depth;       /* no execution has more steps; 0: 2^20. Memory may be a tighter bound */
    struct limits limits; /* max_states: visits of all threads together */
    struct bfs_goals goals;
    struct ticker ticker;
};

struct swarm_result {
    struct stop stop; /* never STOP_DONE. STOP_LIMIT: `reason`; else the trace leads to it, and `state` is its last */
    unsigned threads; /* that ran */
    uint64_t visited; /* states, with repetitions */
    uint64_t edges;   /* transitions fired */
    uint64_t terminals;
    uint64_t walks, searches;
    uint64_t deepest; /* steps of the longest execution */
    double distinct;  /* an estimate of the different states that were visited */
    /* Good and Turing's estimate of how much of what such a search visits has been visited: the share of the newer
     * visits (at least a half of all) that were to known states. It says nothing about states that random search hardly
     * ever gets to, so the share of the reachable states may be much smaller. */
    double coverage;
    /* Who has found it: */
    unsigned finder;     /* the thread */
    uint64_t finder_run; /* its how-many-th walk or search, from 0 */
    bool found_by_walk;
};

/* Searches from `start`. If an error is found, the execution to it, shortened, is added to the empty trace; `w` serves
 * to shorten it, and must be a worker of the calling thread. */
void swarm_run(struct swarm_result *r, struct trace *t, struct ts *ts, struct ts_worker *w, const word *start,
               const struct swarm_options *o);

#endif
