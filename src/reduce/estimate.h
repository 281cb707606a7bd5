/* estimate.h: what would stubborn sets leave out? A sample tells, before anything is searched, or after a search
 * without them.
 *
 * The sample is the first states of a breadth-first search of the reduced system: a count, so that it is the same on
 * every machine. In each, the transitions that are fired are compared with those that are enabled.
 */
#ifndef REDUCE_ESTIMATE_H
#define REDUCE_ESTIMATE_H

#include "ts/ts.h"

struct reduction_estimate {
    uint64_t states; /* in the sample */
    uint64_t enabled, fired;
    bool whole; /* the sample is the whole reduced state space */
};

/* Of a system with stubborn sets. With a state where the model fails, the sample ends. */
struct reduction_estimate reduction_estimate(struct ts *ts, uint32_t most);

/* Are so many transitions left out that it pays? */
static inline bool reduction_pays(const struct reduction_estimate *e) {
    return 4 * e->fired <= 3 * e->enabled && e->fired;
}

#endif
