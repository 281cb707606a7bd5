/* space.h: a state space: what a search has found so far, and when it must stop.
 *
 * States are known by their numbers, which are their positions on the trail, in breadth-first order, or in depth-first
 * order until relevel.h changes that: number 0 is the initial state. After the search, while nothing is inserted any
 * more, they are known by their slots in the table too; questions about the whole space keep their marks by slot.
 */
#ifndef GRAPH_SPACE_H
#define GRAPH_SPACE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bitmap.h"
#include "base/memory.h"
#include "base/outcome.h"
#include "base/team.h"
#include "graph/edges.h"
#include "store/store.h"
#include "store/trail.h"
#include "ts/ts.h"

/* When to give up. */
struct limits {
    uint64_t max_states;                      /* 0: none */
    uint64_t max_memory;                      /* bytes of the whole process */
    double deadline;                          /* by clock_seconds; 0: none */
    const volatile sig_atomic_t *interrupted; /* may be NULL */
};

/* Is time over, or has somebody interrupted? */
bool limits_over(const struct limits *l);

struct space;

/* Called a few times a second during long work, for the progress line. `done` of `all` states of the phase. */
struct ticker {
    void (*tick)(void *context, const struct space *space, const char *phase, uint64_t done, uint64_t all);
    void *context;
};

/* Called between two pieces of work when `next` is over, and when a search is given up, so that it can go on later:
 * `expanded` and `level_end` as in struct position of checkpoint.h; `marked` are the marks of a backward search, or
 * NULL. */
struct saver {
    void (*save)(void *context, struct space *s, uint64_t expanded, uint64_t level_end, const struct bitmap *marked);
    void *context;
    double next; /* by clock_seconds */
};

/* How to search. */
struct means {
    unsigned threads; /* 0: one */
    struct store_options store;
    bool deep;              /* the search is depth-first: its stacks need memory, too */
    const char *checkpoint; /* a folder to save the search in now and then, or NULL */
    bool resume;            /* go on with what is saved there */
    double every;           /* seconds between */
    bool no_audit;          /* build_lts.h: trust hand-written rules */
};

/* What belongs to one thread. */
struct member {
    struct ts_worker *worker;
    struct store_view view;
};

struct space {
    struct ts *ts;
    struct ts_worker *worker; /* of members[0], which is the caller's thread */
    struct limits limits;
    struct ticker ticker;
    struct team team;
    struct member *members; /* one for each member of the team */
    struct store store;
    struct trail trail;     /* the keys of the states; of a store that does not give back, the states */
    struct edges edge_list; /* successors of all states, if they are kept: see edges.h */
    uint64_t layout_from;   /* so many states, and keys of long ones may change: see layout.h */
    bool edges_kept;        /* may be set before the search: questions will follow that need the edges */
    bool edges_needed;      /* the same: without them there is no answer; the search ends if they are given up */
    struct numbers levels;  /* number of the first state of each breadth-first level; none: depth-first order */
    uint64_t deepest;       /* depth-first search: the longest way that it was on, in edges */
    uint64_t states, edges, terminals;
    uint8_t *fired;     /* may be set before the search: of each transition, whether it has occurred. NULL: not asked */
    struct saver saver; /* save is NULL: nothing is saved */
    bool save_due;
    double next_tick;
    const char *last_phase;     /* that space_must_stop was called in */
    double last_clock;          /* when it read the clock last */
    unsigned calls_a_clock;     /* so many calls are made between two readings, as they take more or less time; */
    unsigned calls_until_clock; /* ... until the next one: who calls it seldom may make it fewer */
};

enum stop_kind {
    STOP_DONE,      /* everything was looked at */
    STOP_BAD_STATE, /* `state` is bad */
    STOP_DEADLOCK,  /* `state` is terminal and must not be */
    STOP_STUCK,     /* `state` is terminal and no progress state: see terminal_error.h */
    STOP_FAULT,     /* model code failed in `state` */
    STOP_LIMIT,     /* `reason` */
    STOP_TRAP,      /* no terminal state can be reached any more: see dfs.h, which also tells where */
};

struct stop {
    enum stop_kind kind;
    uint64_t state;
    struct ts_fault fault;
    const char *reason;
};

/* `worker` is the caller's; the other threads make their own. */
bool space_init(struct space *s, struct ts *ts, struct ts_worker *worker, const struct limits *limits,
                const struct means *means, struct problem *why);
void space_fini(struct space *s);

/* The states of n items of the trail, for one member of the team. */
void space_states(struct space *s, unsigned member, const word *items, uint32_t n, word *states);
uint32_t space_item_words(const struct space *s); /* of an item of the trail */

/* The state with this number, asked by the caller's thread. False: the file of states could not be read. */
bool space_state(struct space *s, uint64_t number, word *state);

/* The same as store_insert, for the caller's thread; and adding a state to the trail that is in the store. */
uint32_t space_insert(struct space *s, const word *states, uint32_t n, uint32_t *fresh, uint32_t *fresh_count);
void space_add(struct space *s, const word *state);
void space_add_to(struct space *s, struct trail *trail, const word *state); /* to another such trail */

/* Slots of states, asked by the caller's thread: see store_find. */
void space_find(struct space *s, const word *states, uint32_t n, uint64_t *slots);
uint64_t space_depth(const struct space *s);
/* The number of a state that is there, looked for in all of them: slow. NONE: it is not there after all. */
enum outcome space_number(struct space *s, const word *state, uint64_t *number, struct stop *stop);

/* Memory for what is not the store, such as questions about the whole space: false if the limit does not allow it. */
bool space_get(const struct space *s, struct region *r, size_t bytes);
bool space_get_bits(const struct space *s, struct bitmap *b, uint64_t size);

/* To be called now and then, every few hundred states. True if a limit was reached: then *stop says which. */
bool space_must_stop(struct space *s, const char *phase, uint64_t done, uint64_t all, struct stop *stop);

/* The same where something was found, which is worth showing even if a limit was passed by then: only an interruption
 * counts. */
bool space_interrupted(struct space *s, const char *phase, uint64_t done, uint64_t all, struct stop *stop);

/* Saves the search if somebody wants that. To be called when save_due is set, and before giving up. */
void space_save(struct space *s, uint64_t expanded, uint64_t level_end, const struct bitmap *marked);

/* A walk over all states by the caller's thread, a batch at a time, forward or backward. The batch is the walk's own
 * copy. */
struct walk {
    struct space *space;
    bool backward;
    uint64_t at;    /* forward: next number; backward: the number after the next batch */
    uint64_t first; /* number of the first state of the batch */
    uint32_t count; /* states in the batch */
    uint32_t most;
    bool failed; /* the file of states could not be read */
    word *states;
};

void walk_init(struct walk *w, struct space *s, bool backward, uint64_t from, uint32_t most);
/* True: there is a batch. False: all were seen, or the walk has failed: that walk_fini tells, and *stop says why. */
bool walk_next(struct walk *w, struct stop *stop);
/* False: it has failed, so not all states were seen that should have been. */
MUST_BE_USED bool walk_fini(struct walk *w);

#endif
