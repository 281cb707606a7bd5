/* effort.h: how much time and memory minimising or comparing may take, and whether somebody has asked it to stop.
 *
 * Subset constructions can take more than any machine has. Whoever grows such a table says so with effort_take. Loops
 * ask effort_over, each time round if a round is short, or effort_look if it may be long, and end when it is. What they
 * have then is not complete, perhaps wrong: whoever has begun asks effort_over once more, and says effort_problem
 * instead of using it. Once over, it stays so.
 *
 * Everywhere, NULL is an effort without limits.
 */
#ifndef BASE_EFFORT_H
#define BASE_EFFORT_H

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/outcome.h"
#include "base/problem.h"

enum effort_end {
    EFFORT_GOES_ON,
    EFFORT_INTERRUPTED,
    EFFORT_LATE,
    EFFORT_TABLES, /* those that effort_take knows of are too large */
    EFFORT_MEMORY, /* the program has become too large otherwise */
    EFFORT_WORK,   /* so much was not to be done */
};

struct effort {
    uint64_t bytes;                           /* of tables, taken so far, and of what was there before */
    uint64_t most;                            /* bytes of the whole process; 0: as many as there are */
    double deadline;                          /* by clock_seconds; 0: none */
    double seconds;                           /* that it was away in the beginning, for the message */
    const volatile sig_atomic_t *interrupted; /* or NULL */
    uint64_t work, most_work;                 /* by effort_work; at most so much, 0: any */
    enum effort_end over;
    unsigned asked;   /* how often */
    double next_look; /* at memory */
};

/* Now, really. */
bool effort_look(struct effort *e);

/* Is it late, or interrupted? May be asked by handlers of signals. */
bool effort_is_called_off(const struct effort *e);

/* Costs next to nothing: looks now and then. */
static inline bool effort_over(struct effort *e) {
    if (!e) return false;
    return e->over || (++e->asked % 64 == 0 && effort_look(e));
}

static inline void effort_take(struct effort *e, uint64_t bytes) {
    if (!e) return;
    e->bytes += bytes;
    if (e->most && e->bytes > e->most && !e->over) e->over = EFFORT_TABLES;
}
static inline void effort_give_back(struct effort *e, uint64_t bytes) {
    if (!e) return;
    assert(bytes <= e->bytes);
    e->bytes -= bytes;
}

/* So many states or edges are looked at, of which nobody has to know the last: for what is not needed. */
static inline void effort_work(struct effort *e, uint64_t units) {
    if (!e) return;
    e->work += units;
    if (e->most_work && e->work > e->most_work && !e->over) e->over = EFFORT_WORK;
}

/* About to allocate so much at once, for a while: false, and over, if that is too much. */
bool effort_allows(struct effort *e, uint64_t bytes);

/* Says why it is over, and what was being done ("the comparison"); returns false. */
bool effort_problem(const struct effort *e, const char *what, struct problem *why);

#endif
