/* fair_execution.h: is an execution of a model fair? By the definitions, by firing transitions, without any product: a
 * second opinion on what fair_cycle.h has found.
 */
#ifndef GRAPH_FAIR_FAIR_EXECUTION_H
#define GRAPH_FAIR_FAIR_EXECUTION_H

#include "graph/fair/fair_cycle.h"
#include "ts/trace.h"

/* What is wrong with the execution, which must replay; NULL: it goes on for ever and is fair, or it ends in a state
 * where nothing is enabled, which is fair. Free actions, those of the notes, are always enabled; no set has them. */
const char *fair_trace_wrong(const struct trace *t, const struct fair *f, struct ts *ts, struct ts_worker *w);

/* Can nothing be fired in the last state? */
bool fair_trace_ends(const struct trace *t, struct ts *ts, struct ts_worker *w);

#endif
