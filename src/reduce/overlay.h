/* overlay.h: systems that lie over another one: what they do not do themselves, that one does. */
#ifndef REDUCE_OVERLAY_H
#define REDUCE_OVERLAY_H

#include "ts/ts.h"

/* The first member of the struct of such a system, */
struct overlay {
    struct ts ts;
    struct ts *base;
};

/* ... and of its workers. */
struct overlay_worker {
    struct overlay *x;
    struct ts_worker *base;
};

static inline struct overlay *overlay_of(const struct ts *ts) { return (struct overlay *)(void *)(uintptr_t)ts; }
static inline struct overlay_worker *overlay_worker_of(struct ts_worker *w) {
    return (struct overlay_worker *)(void *)w;
}

/* The calls on the base: all but close, worker_new, worker_free, expand and stubborn_set, which are NULL. */
struct ts_ops overlay_ops(void);

#endif
