/* crowd.h: whether threads that take turns are in each other's way, and one of them should go on alone for a while.
 *
 * A thread that waits long for another one takes naps (team_rest). That happens where other programs use processors:
 * whoever has the turn may not be running, and who wakes up may have to wait for a processor. If that takes half of the
 * time of a thread, one alone is not much slower, and often faster. After a tenth of a second all of them try again.
 *
 * crowd_rest may be called by all threads at a time, the others by one at a time.
 */
#ifndef SEARCH_CROWD_H
#define SEARCH_CROWD_H

#include <stdatomic.h>
#include <stdbool.h>

struct crowd {
    atomic_uint asleep; /* microseconds of all threads, since */
    double since;       /* ... this time, by clock_seconds: when threads began to work together, or later */
    double alone_till;  /* 0: all threads are at work, or should be */
};

/* Threads begin to work together. */
void crowd_begin(struct crowd *c);

/* As team_rest. */
void crowd_rest(struct crowd *c, unsigned *times);

/* While they work together, now and then: whether one should go on alone. */
bool crowd_is_dense(struct crowd *c);

/* While one is alone: whether it is to be so for a while longer. */
bool crowd_lasts(struct crowd *c);

#endif
