/* scout.h: a small breadth-first search beside another one that keeps no states of the model for an audit of its rules:
 * random search, and searches of products (sample.h).
 *
 * It is one of the same system, reduced in the same way, from the initial state, by one thread, and it is bounded by a
 * count of states, so that it finds the same states in every run. A limit on time does not count, for it is often what
 * has ended the other search. At a bad state (`classes`) it stops, since rules need not be right after it.
 */
#ifndef CHECK_AUDIT_SCOUT_H
#define CHECK_AUDIT_SCOUT_H

#include "graph/space.h"

enum { SCOUT_STATES = 4096 };

enum scouted {
    SCOUT_READY, /* there are states; perhaps fewer: it was interrupted, there is a bad one, or an error was raised */
    SCOUT_FAULT, /* model code crashed, or broke a rule, in a state that has a number: *stop */
    SCOUT_NO_MEMORY, /* nothing was done: *s is not to be used */
};

/* `limits` are those of the other search; `ticker` may be NULL. */
enum scouted scout_run(struct space *s, struct ts *ts, struct ts_worker *w, uint32_t classes,
                       const struct limits *limits, const struct ticker *ticker, struct stop *stop);

#endif
