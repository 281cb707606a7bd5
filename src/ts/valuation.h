/* valuation.h: which propositions hold in states of a model. There are those that it declares (ts.h), and, if it has
 * these functions, `must_progress` and `may_progress`, which hold where the functions say so; a declared proposition
 * with one of these names wins. Terminal states are nothing special here. */
#ifndef TS_VALUATION_H
#define TS_VALUATION_H

#include "ts/ts.h"

/* Are there any that formulas could speak of? */
bool valuation_any(const struct ts *ts);
/* The number of the one with this name; TS_NONE: there is none. Numbers from ts->propositions on are not declared. */
uint32_t valuation_find(const struct ts *ts, const char *name);
/* Says that there is none with this name, and what there is; returns false. */
bool valuation_lacks(const struct ts *ts, const char *name, struct problem *why);
uint32_t valuation_of_class(const struct ts *ts, unsigned class); /* of TS_MUST or TS_MAY itself */
const char *valuation_name(const struct ts *ts, uint32_t number);

/* As ops->valuate, for both kinds. */
bool valuation_get(struct ts *ts, struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                   uint32_t wanted_count, uint64_t *out, struct ts_fault *fault);

/* As ops->classify, and TS_NAMED as well. */
uint32_t valuation_classify(struct ts *ts, struct ts_worker *w, struct ts_batch *batch);

/* Does the model say that symmetric states agree in it? */
bool valuation_symmetric(const struct ts *ts, uint32_t number);

#endif
