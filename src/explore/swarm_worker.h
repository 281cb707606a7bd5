/* swarm_worker.h: what the threads of a random search share, and one of them. Only swarm.c and swarm_worker.c need it.
 * A thread runs walks and searches until `ended` is set; what it has counted may be read while it runs. */
#ifndef EXPLORE_SWARM_WORKER_H
#define EXPLORE_SWARM_WORKER_H

#include <pthread.h>

#include "explore/swarm.h"
#include "store/bitstate.h"

struct swarm {
    struct ts *ts;
    const word *start;
    const struct swarm_options *o;
    uint64_t depth;        /* the most steps of an execution */
    uint64_t most_states;  /* that a search may visit: its own memory is made for so many */
    uint64_t most_waiting; /* successors on the stack of a search */
    struct bitstate seen;  /* by all threads */

    int ended; /* atomic: all threads shall stop */
    /* What follows is written under the lock. */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a thread has ended */
    unsigned running;
    struct swarm_result *result;
    struct trace *trace;
};

/* Written by one thread; any thread may read them, by COUNTED. */
struct swarm_counts {
    uint64_t visited, fresh, edges, terminals, walks, searches, deepest;
};
#define COUNTED(counts, member) __atomic_load_n(&(counts)->member, __ATOMIC_RELAXED)

struct swarm_worker {
    struct swarm_counts counts;
    struct swarm *s;
    unsigned number;
    pthread_t thread;
    uint64_t quota;           /* visits; 0: no limit */
    struct swarm_counts mark; /* what the counts were when half of the visits, or fewer, had been done */
    struct swarm_counts next_mark;

    struct ts_worker *worker; /* from here on: the thread's own business */
    struct bitstate_tally tally;
    uint64_t random;
    uint64_t run; /* walks and searches so far */
    bool walking;
    struct ts_batch batch, found;
    uint32_t successors; /* in the batch */
    uint32_t *order;     /* of them */
    uint64_t *hashes;
    struct trace path;     /* from the initial state to where it is */
    struct trace waiting;  /* searches: successors that are still to be visited, with their transitions */
    struct numbers frames; /* searches: for each state of the path, where its successors begin in `waiting` */
};

/* What each thread runs; `context` is its swarm_worker, of which the first group has been filled in. */
void *swarm_work(void *context);

/* Ends the search, if it has not ended already; true: it had not. */
bool swarm_end(struct swarm *s, const struct stop *stop);

#endif
