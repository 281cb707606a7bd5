/* sweep.h: the states of a space once more, in batches, by all threads. This is where states are expanded again after a
 * search: whoever wants to know something of many states says what, and gets it here.
 *
 * A sweep goes through positions next, next + 1, ..., end - 1. Position i stands for the state with number i; backward,
 * for number end - 1 - i; or for number pick(i). It goes in rounds. In a round, each thread has pieces of consecutive
 * positions. What it wants of these is put in a batch; when that is full, or the piece is over, states are expanded
 * together, what they lead to is looked up together, and `take` gets the batch.
 *
 *     wants   this number?                       cheap: nothing but the number is known
 *     suits   this state?                        its slot, its classes and the state itself are known
 *     take    a batch, by any thread             at the same time as other batches
 *     put     a batch, by the caller's thread    one after the other, in the order of positions
 *
 * States can also be those of another trail, such as the queue of a breadth-first search (relevel.h).
 *
 * With kept edges (edges.h), edges come in the order in which they were kept; that there are as many is checked.
 *
 * One round after the other is the caller's to begin, so that it can end early, or save what it has between two rounds.
 * Limits are looked at between two batches. If model code fails, *stop tells of the first state in the order of
 * positions where it does, whatever the number of threads.
 */
#ifndef GRAPH_SWEEP_H
#define GRAPH_SWEEP_H

#include "graph/space.h"

/* What is wanted of each state. */
enum {
    SWEEP_STATES = 1, /* the state */
    SWEEP_SLOTS = 2,  /* its slot */
    SWEEP_EDGES = 4,  /* its successors */
    SWEEP_LABELS = 8, /* ... and by which transitions they are reached */
};

/* As what the successors are wanted. Those that are no states of the space have neither slots nor numbers: the sweep is
 * given up. */
enum sweep_to {
    SWEEP_TO_STATES, /* they are in the batch anyway */
    SWEEP_TO_KEYS,   /* also before the store is settled */
    SWEEP_TO_SLOTS,
    SWEEP_TO_NUMBERS, /* `numbers` must be there */
};

/* Some states, in the order of their positions. What was not wanted is NULL, or means nothing. */
struct sweep_batch {
    uint32_t count;
    const uint64_t *positions, *numbers, *slots;
    const word *states;
    const uint8_t *classes;
    const struct ts_batch *edges; /* those of state i: from sweep_begin(x, i) to edges->ends[i] */
    const uint64_t *to;           /* of each edge: the key, slot or number of its successor */
    void *room;                   /* `room` bytes for each state, for what `take` leaves to `put` */
};

static inline uint32_t sweep_begin(const struct sweep_batch *x, uint32_t i) { return i ? x->edges->ends[i - 1] : 0; }
static inline uint32_t sweep_end(const struct sweep_batch *x, uint32_t i) { return x->edges->ends[i]; }

/* A state before it is in a batch. */
struct sweep_state {
    uint64_t number, slot;
    const word *state;
    uint8_t classes;
};

struct sweep {
    struct space *s; /* exact, unless neither slots nor successors as slots or numbers are wanted; its edges are settled
                      * or dropped */
    const char *phase; /* for the progress line */
    void *context;
    unsigned need;    /* SWEEP_STATES | ... */
    unsigned classes; /* that are computed */
    enum sweep_to to;
    const struct region *numbers; /* SWEEP_TO_NUMBERS: see sweep_number_slots */
    size_t room;
    uint32_t most; /* states in a batch; 0: as many as are good */
    bool backward;
    uint64_t (*pick)(const void *context, uint64_t i);
    struct trail *trail; /* NULL: the space's; else numbers are places on this one, and `put` may add to it */
    uint64_t next, end;
    bool showing; /* something was found, and it is worth showing even beyond a limit: only interruptions end it */
    /* All may be NULL. False of `put`: the sweep ends there. */
    bool (*wants)(const void *context, uint64_t number);
    bool (*suits)(void *context, unsigned member, const struct sweep_state *x);
    void (*take)(void *context, unsigned member, const struct sweep_batch *x);
    bool (*put)(void *context, const struct sweep_batch *x);

    uint64_t expanded; /* states, so far */
    struct sweep_work *work;
};

/* Everything up to `put` must be set, and what is wanted of the rest; `end` 0 is the number of states. */
void sweep_init(struct sweep *w);
void sweep_fini(struct sweep *w);

/* Another sweep with the same questions: positions from `next` to `end`. */
static inline void sweep_again(struct sweep *w, uint64_t next, uint64_t end) { w->next = next, w->end = end; }

/* Some more states. */
enum sweep_end {
    SWEEP_MORE = 2, /* there may be more */
    SWEEP_OVER,     /* all were seen before: there was nothing to do */
    SWEEP_GIVEN_UP, /* *stop says why; if it is STOP_DONE, `put` has ended it */
};
enum sweep_end sweep_next(struct sweep *w, struct stop *stop);
/* All that are left. False: given up. */
MUST_BE_USED bool sweep_all(struct sweep *w, struct stop *stop);

/* To be called by `take` when it ran model code for state i of the batch, and that failed: now the batch ends before
 * it. */
void sweep_fault(struct sweep *w, const struct sweep_batch *x, uint32_t i, const struct ts_fault *fault);

/* One state, expanded by the caller's thread: a batch of its own, until the next call of any of these. NULL: *stop says
 * what is wrong. */
const struct sweep_batch *sweep_one(struct sweep *w, uint64_t number, struct stop *stop);

/* The number of the state at each slot, as uint32_t: *numbers, which is empty before. Fewer than 2^32 - 1 states.
 * False: *stop says why. */
MUST_BE_USED bool sweep_number_slots(struct space *s, struct region *numbers, const char *phase, struct stop *stop);

#endif
