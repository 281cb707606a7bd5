/* trace.h: is a counterexample one? */
#ifndef TRACE_H
#define TRACE_H

#include <jansson.h>

#include "expect.h"

/* NULL, or what is wrong with it. `shape` tells how values are stored. */
const char *trace_check(const json_t *trace, const struct options *o, unsigned shape, const struct expectation *x,
                        const struct naive_graph *g, const struct naive_graph *unreduced);

/* Is it what `onager run` must show: the lowest-numbered enabled transition first, to a cycle or a terminal state? */
const char *trace_check_typical(const json_t *trace, unsigned shape, const struct rm_model *m);

#endif
