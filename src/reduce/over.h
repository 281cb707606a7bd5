/* over.h: systems that lie over another one: what they do not do themselves, that one does. */
#ifndef REDUCE_OVER_H
#define REDUCE_OVER_H

#include "ts/ts.h"

/* The first member of the struct of such a system, */
struct over {
    struct ts ts;
    struct ts *base;
};

/* ... and of its workers. */
struct over_worker {
    struct over *x;
    struct ts_worker *base;
};

static inline struct over *over_of(const struct ts *ts) { return (struct over *)(void *)(uintptr_t)ts; }
static inline struct over_worker *over_worker_of(struct ts_worker *w) { return (struct over_worker *)(void *)w; }

/* The calls on the base: all but close, worker_new, worker_free, expand and stubborn_set, which are NULL. */
struct ts_ops over_ops(void);

#endif
