/* sweep.h: states of a complete space, expanded once more by all threads.
 *
 * Kept edges (edges.h) tell where they lead, and no more. Who wants to know more, such as by which transition, has
 * those states expanded again that may matter. Their edges come in the order in which they were kept; that there are as
 * many is checked. Without kept edges, it is the way to see the edges at all.
 */
#ifndef GRAPH_SWEEP_H
#define GRAPH_SWEEP_H

#include "graph/space.h"

/* A state that was expanded. */
struct again_state {
    uint64_t number;
    const word *state;
    const struct ts_batch *batch; /* its edges are those from `begin` to `end` in there */
    uint32_t begin, end;
    uint64_t slot;            /* if slots are wanted: of the state, */
    const uint64_t *to_slots; /* ... and of all successors in the batch */
};

struct again {
    struct space *s; /* exact; its edges are settled, if they are kept */
    const char *phase;
    void *context;
    /* Whether the state with this number is to be expanded; and when the state itself is at hand. NULL: any is. */
    bool (*wants)(const void *context, uint64_t number);
    bool (*suits)(const void *context, const word *state);
    /* Called for each, by all threads at a time; `member` is the one that calls. */
    void (*take)(void *context, unsigned member, const struct again_state *x);
    bool slot, to_slots; /* those that are wanted */
    uint64_t next;       /* states before this one have been looked at */
    uint64_t expanded;   /* of them, so many */
    /* Its own: */
    struct again_hand *hands; /* by thread */
    const uint64_t *items;    /* the states at hand, as they are on the trail */
    uint32_t count;
};

/* Everything up to `take` must be set, and what is wanted of the rest. */
void again_init(struct again *a);
void again_fini(struct again *a);

/* Looks at some more states, in the order of their numbers. */
enum again_end {
    AGAIN_MORE = 2, /* there may be more */
    AGAIN_OVER,     /* all were looked at before: there was nothing to do */
    AGAIN_GIVEN_UP, /* *stop says why */
};
enum again_end again_next(struct again *a, struct stop *stop);
/* At all that are left. False: given up. */
MUST_BE_USED bool again_all(struct again *a, struct stop *stop);

/* One state whose edges are kept, expanded by the caller's thread: a batch of its own, until the next call. NULL: *stop
 * says what is wrong. */
const struct ts_batch *again_one(struct again *a, uint64_t number, struct stop *stop);

#endif
