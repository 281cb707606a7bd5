/* typical_execution.h: a typical execution (ASSET's "only_typical"): in every state the lowest-numbered enabled
 * transition, until a state comes again or nothing is enabled. */
#ifndef EXPLORE_TYPICAL_EXECUTION_H
#define EXPLORE_TYPICAL_EXECUTION_H

#include <signal.h>
#include <stdbool.h>

#include "ts/trace.h"

enum typical {
    TYPICAL_WHOLE,       /* or it ends where a fault happened */
    TYPICAL_INTERRUPTED, /* the execution goes on after the trace */
    TYPICAL_NO_MEMORY,   /* the same */
};

enum typical typical_run(struct trace *t, struct ts *ts, struct ts_worker *w, const volatile sig_atomic_t *interrupted,
                         struct ts_fault *fault);

#endif
