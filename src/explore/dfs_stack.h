/* dfs_stack.h: the stack of a depth-first search of a product: the states on the way, and their successors that are
 * still to be looked at. */
#ifndef EXPLORE_DFS_STACK_H
#define EXPLORE_DFS_STACK_H

#include "explore/cycles.h"
#include "store/state_stack.h"

struct descent_frame {
    uint32_t position; /* on `open` */
    uint32_t left;     /* successors to come */
    uint32_t low;      /* for the search */
    uint8_t marks;     /* for the search */
};

struct descent {
    struct emptiness *x;
    struct ts_batch batch;
    struct open open;      /* states, with a map */
    struct region frames;  /* struct descent_frame */
    struct region pending; /* of each successor its words and one more, its kind; the next one is the last */
    uint64_t depth, pending_count, entered;
    word *next; /* the successor at hand */
};

bool descent_init(struct descent *d, struct emptiness *x); /* false: no memory, which is told in x->stop */
void descent_fini(struct descent *d);

static inline struct descent_frame *descent_at(const struct descent *d, uint64_t i) {
    return (struct descent_frame *)(void *)d->frames.base + i;
}
static inline struct descent_frame *descent_top(const struct descent *d) { return descent_at(d, d->depth - 1); }
static inline const word *descent_state(const struct descent *d, uint64_t i) {
    return open_state(&d->open, descent_at(d, i)->position);
}

/* Enters a state, which is not open: it and its successors are on the stack now. False: x->stop says why not. */
bool descent_enter(struct descent *d, const word *state);
/* The next successor of the top state, in d->next; false: there is none left. */
bool descent_next(struct descent *d, uint8_t *kind);
/* Removes the top frame, but not its state from `open`. */
static inline void descent_pop(struct descent *d) { d->depth--; }

/* Searches within searches. Both stacks are made, and outer->next is the initial state, which is in the store. */
bool descent_begin(struct descent *outer, struct descent *inner, struct emptiness *x);
/* Is there a way from `start` to a state on the outer stack? Flagged states are not entered; those that are entered,
 * other than `start`, are flagged. False: found (there is a cycle), or given up. */
bool descent_search_back(struct descent *outer, struct descent *inner, const word *start);
/* The cycle is among the states of the outer stack from `position` on, and those of the inner one. Returns false. */
bool descent_report(struct descent *outer, uint32_t position, const struct descent *inner);

/* Puts a state with or without the flag in the store. */
enum inserted {
    INSERTED_NEW = 2,
    INSERTED_BEFORE, /* it was there */
    INSERTED_NOT,    /* no memory: x->stop */
};
enum inserted emptiness_insert(struct emptiness *x, word *state, bool flag);
bool emptiness_known(struct emptiness *x, word *state, bool flag);
bool emptiness_no_memory(struct emptiness *x);                                              /* returns false */
bool emptiness_fault(struct emptiness *x, const word *state, const struct ts_fault *fault); /* returns false */

#endif
