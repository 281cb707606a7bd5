/* tester_execution.h: executions of a model that a tester finds illegal, and a second opinion on them.
 *
 * The opinion uses neither the product nor its searches: it replays the execution on the unreduced model, looks what is
 * seen of it, and runs the tester on that by FLY, Definition 3.2.
 */
#ifndef CHECK_TESTER_EXECUTION_H
#define CHECK_TESTER_EXECUTION_H

#include "watch/tester_product.h"
#include "ts/trace.h"

/* Makes the execution of the model that `lasso`, an execution of the product, is, with what is seen of it and the
 * states of the tester beside it. `w` is a worker of the model. */
void tester_trace(struct trace *t, const struct trace *lasso, struct tester_product *p, struct ts_worker *w);

/* Is it illegal in the way that `kind` tells? NO: `why` says why not. GIVEN_UP: *interrupted, which may be NULL, was
 * set before that was known. */
enum belief { BELIEF_YES = 2, BELIEF_NO, BELIEF_GIVEN_UP };
enum belief tester_trace_believe(struct trace *t, struct ts *ts, struct ts_worker *w, const struct tester *tester,
                                 enum tester_kind kind, const volatile sig_atomic_t *interrupted, struct problem *why);

#endif
