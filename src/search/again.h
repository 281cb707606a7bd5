/* again.h: states of a complete space, expanded once more by all threads.
 *
 * Kept edges (edges.h) tell where they lead, and no more. Who wants to know more, such as by which transition, has
 * those states expanded again that may matter. Their edges come in the order in which they were kept; that there are as
 * many is checked.
 */
#ifndef SEARCH_AGAIN_H
#define SEARCH_AGAIN_H

#include "search/space.h"

struct again {
    struct space *s; /* its edges are settled */
    const char *phase;
    void *context;
    /* Whether the state with this number is to be expanded; and when the state itself is at hand, or NULL: any is. */
    bool (*wants)(const void *context, uint64_t number);
    bool (*suits)(const void *context, const word *state);
    /* The edges of a state: number `first` of the batch and those after it, as many as are kept. Called by all threads
     * at a time; `member` is the one that calls. */
    void (*take)(void *context, unsigned member, uint64_t number, const struct ts_batch *batch, uint32_t first);
    uint64_t next;     /* states before this one have been looked at */
    uint64_t expanded; /* of them, so many */
    /* Its own: */
    struct again_hand *hands; /* by thread */
    const uint64_t *items;    /* the states at hand, as they are on the trail */
    uint32_t count;
};

/* Everything up to `take` must be set, `suits` if it is wanted. */
void again_init(struct again *a);
void again_fini(struct again *a);

/* Looks at some more states, in the order of their numbers. False: all were looked at, or *stop says what is wrong. */
bool again_next(struct again *a, struct stop *stop);

/* One state, expanded by the caller's thread: a batch of its own, until the next call. NULL: *stop says what is
 * wrong. */
const struct ts_batch *again_one(struct again *a, uint64_t number, struct stop *stop);

#endif
