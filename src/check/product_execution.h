/* product_execution.h: executions of a product as executions of the model, with what holds in them. */
#ifndef CHECK_PRODUCT_EXECUTION_H
#define CHECK_PRODUCT_EXECUTION_H

#include "omega/hoa/hoa.h"
#include "omega/ltl/ltl_formula.h"
#include "explore/cycles.h"
#include "ts/trace.h"

/* Makes the execution of the model, with notes, that `lasso` is. An execution that has ended has no cycle. `w` is a
 * worker of the model. False: the model failed. */
bool ltl_trace(struct trace *t, const struct trace *lasso, struct emptiness *x, struct ts_worker *w,
               struct problem *why);

/* Does the execution of the model end? */
bool ltl_trace_ended(const struct trace *lasso, const struct emptiness *x);

/* What executions are held against: a formula, which must not hold, or an automaton, which must accept. */
struct ltl_claim {
    const struct ltl *ltl;
    uint32_t formula;
    const struct hoa *given; /* NULL: it is the formula */
};

/* Replays it on the model, and evaluates the claim on it, by definition. */
bool ltl_trace_believe(struct trace *t, const struct trace *lasso, struct emptiness *x, struct ts_worker *w,
                       const struct ltl_claim *claim, struct problem *why);

#endif
