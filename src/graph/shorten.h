/* shorten.h: makes an execution shorter that a depth-first or random search has found.
 *
 * The result is a shortest execution from its first to its last state through states of the given one, by any
 * transitions that lead from one of them to another. So there are no loops in it, and no detours that end where one
 * step would have led. Every state but the last is expanded once.
 */
#ifndef GRAPH_SHORTEN_H
#define GRAPH_SHORTEN_H

#include <signal.h>

#include "ts/trace.h"

/* The trace must not have a cycle. States whose expansion fails keep the step that the trace makes there. Once
 * *interrupted (which may be NULL) is set, the trace stays as it is: long, and right. */
void trace_shorten(struct trace *t, struct ts *ts, struct ts_worker *w, const volatile sig_atomic_t *interrupted);

#endif
