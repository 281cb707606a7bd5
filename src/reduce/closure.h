/* closure.h: what the obligations of a model force into a stubborn set. */
#ifndef REDUCE_CLOSURE_H
#define REDUCE_CLOSURE_H

#include "ts/ts.h"

/* Adds to `set` (by transition) what its members oblige in s, directly or not. `list` and `stack` have room for every
 * transition each. */
bool closure_add(struct ts *ts, struct ts_worker *w, const word *s, bool *set, uint32_t *list, uint32_t *stack,
                 struct ts_fault *fault);

#endif
