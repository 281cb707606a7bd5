/* typical.h: a typical execution (ASSET's "only_typical"): in every state the lowest-numbered enabled transition,
 * until a state comes again or nothing is enabled. */
#ifndef SEARCH_TYPICAL_H
#define SEARCH_TYPICAL_H

#include "search/trace.h"

/* On a fault the trace ends where it happened. False: no memory was left, and it does not end where the trace does. */
MUST_BE_USED bool typical_run(struct trace *t, struct ts *ts, struct ts_worker *w, struct ts_fault *fault);

#endif
