/* choose_reduction.h: stubborn sets for those who did not ask for them by name: --reduce auto, and what is said after a
 * long search without them.
 *
 * Both look at a sample of states (reduce/estimate.h), whose size is a count: so what is chosen and said depends on the
 * model and the options alone.
 */
#ifndef CLI_OPTIONS_CHOOSE_REDUCTION_H
#define CLI_OPTIONS_CHOOSE_REDUCTION_H

#include "cli/options/options.h"
#include "ts/ts.h"

/* Opens the model as `o` says. */
typedef struct ts *model_opener(const struct options *o, struct problem *why);

/* --reduce auto: *ts is open without stubborn sets, for these checks. If such sets preserve all that is checked, and a
 * sample shows that they pay, it is opened again with them, and *o changed. Returns what was chosen and why; to be
 * freed. *ts is NULL if the model could not be opened again: `why`. */
char *choose_reduction(struct options *o, struct ts **ts, unsigned checks, model_opener *open, struct problem *why);

/* After a search without stubborn sets, when the model is closed: what they would have left out, in one line, to be
 * freed. NULL: there is nothing worth saying, or it would take longer than a tenth of the time so far and some seconds
 * (--time: than that). */
char *suggest_reduction(const struct options *o, unsigned checks, model_opener *open);

#endif
