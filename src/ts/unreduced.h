/* unreduced.h: a transition system as if it had been opened without stubborn sets. It fires every transition of a
 * state, one at a time: slow, for second opinions on small parts of the state space. Symmetry stays as it is, unless
 * ts.reduction.symmetry is unset after ts_full_init. */
#ifndef TS_UNREDUCED_H
#define TS_UNREDUCED_H

#include "ts/ts.h"

struct ts_full {
    struct ts ts; /* to be used like any other; its workers are made from those of `base` */
    struct ts *base;
    struct ts_ops ops;
};

void ts_full_init(struct ts_full *f, struct ts *base);

/* A worker of the full system that works through a worker of the base, which stays the caller's. To be freed with
 * free(), or as others are. */
struct ts_worker *ts_full_worker(struct ts_full *f, struct ts_worker *base);

#endif
