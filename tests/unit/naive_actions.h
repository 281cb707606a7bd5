/* naive_actions.h: does a system have an execution that violates a formula about actions? By the book: its states,
 * together with what has occurred, are a graph for naive_ltl.h. Unreduced.
 *
 * p0, p1 are momentary: a and b have just occurred. p2 is a fluent from a to b, p3 from b to a or c. Actions that the
 * formula names and the system has not are free. */
#ifndef UNIT_NAIVE_ACTIONS_H
#define UNIT_NAIVE_ACTIONS_H

#include "naive_ltl.h"

struct meaning {
    struct ts_fluent fluents[4];
    uint32_t named; /* by the formula: bit 0: a, bit 1: b, bit 2: c */
};

/* Two fluents hold initially, or do not. */
void meaning_set(struct meaning *m, bool p2, bool p3);

/* The system's states have one word. False: it is too large. */
bool naive_actions_violated(struct ts *ts, struct ts_worker *w, struct meaning *m, const struct tree *t,
                            bool *violated);

#endif
