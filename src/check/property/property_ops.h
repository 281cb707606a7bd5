/* property_ops.h: how the properties of prop/list.h are asked: the same rows, with functions. A file of this folder for
 * each that is asked when all states are there; it defines `ops_ID`. What is found on the fly is asked of the search
 * (check.c), and what is watched has a check of its own (ltl_check.h, tester_check.h): these have no functions.
 *
 * What is not here follows from the row: what certifies the property, what executions must show without symmetry, what
 * is saved, when an answer counts.
 */
#ifndef CHECK_PROPERTY_PROPERTY_OPS_H
#define CHECK_PROPERTY_PROPERTY_OPS_H

#include "check/answer.h"

struct property_ops {
    /* What the texts q->what and q->besides of this property mean for the model; to be called if it is asked. NULL: it
     * has none. False: they make no sense. */
    bool (*options)(struct questions *q, struct ts *ts, struct ts_worker *w, struct problem *why);
    /* True: nothing was found, and the check goes on; else the answer is set. NULL: it is not asked so. */
    bool (*ask)(struct check *c);
};

const struct property_ops *property_ops(const struct property_row *row);

#endif
