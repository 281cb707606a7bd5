/* effort.h: how much memory a comparison may take, and whether somebody has asked it to stop.
 *
 * Subset constructions can take more than any machine has. Whoever grows a table says so with effort_take; the loops ask
 * effort_over now and then, and give up with a problem when it is.
 */
#ifndef LTS_EFFORT_H
#define LTS_EFFORT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"

struct effort {
    uint64_t bytes;                           /* taken so far */
    uint64_t most;                            /* bytes; 0: as many as there are */
    const volatile sig_atomic_t *interrupted; /* or NULL */
    bool exceeded;                            /* it has been too much once: no answer is complete any more */
};

static inline void effort_take(struct effort *e, uint64_t bytes) {
    e->bytes += bytes;
    if (e->most && e->bytes > e->most) e->exceeded = true;
}
static inline void effort_give_back(struct effort *e, uint64_t bytes) { e->bytes -= bytes; }
static inline bool effort_over(const struct effort *e) { return e->exceeded || (e->interrupted && *e->interrupted); }

/* Says why it is over; returns false. */
static inline bool effort_problem(const struct effort *e, struct problem *why) {
    if (e->interrupted && *e->interrupted)
        return problem_set(why, EXIT_INCONCLUSIVE, "interrupted before the comparison was decided");
    return problem_set(why, EXIT_INCONCLUSIVE,
                       "the comparison takes more than %llu MiB: the sets of states that a trace can lead to are too "
                       "many\nGive it more with --max-memory, or compare smaller systems",
                       (unsigned long long)(e->most >> 20));
}

#endif
