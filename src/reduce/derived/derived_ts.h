/* derived_ts.h: a system whose states are expanded by stubborn sets for which nobody has written rules: they are
 * derived from its code (derive/derived.h, reduce/derived/sets.h).
 *
 * Terminal states are preserved. In a model that is always may-terminating, so is whether a bad state or an error is
 * reachable, and the other properties of STOP (prop/property.h). In each state that is expanded, every transition that
 * would raise an error is found, whether it is in the set or not.
 *
 * With a base that has symmetry, successors are representatives. One that is not reachable itself may have values that
 * cannot stand together: then it is expanded by all transitions.
 */
#ifndef REDUCE_DERIVED_DERIVED_TS_H
#define REDUCE_DERIVED_DERIVED_TS_H

#include "base/effort.h"
#include "ts/ts.h"

enum derived_ts_goal {
    DERIVED_TS_DEADLOCKS, /* terminal states; and all else but bad states, if the model is always may-terminating */
    DERIVED_TS_ENDS,      /* bad states, too, if the model is always may-terminating */
    DERIVED_TS_ENDLESS,   /* bad states and errors, in any case */
    DERIVED_TS_BOTH,      /* as DERIVED_TS_ENDS, by sets of written rules where these are smaller: the base has some */
    DERIVED_TS_WATCHED    /* all: nothing is left out. For guided.h, which makes sets of ts->derived: it is also told
                           * which transitions may change which propositions, and may be seen */
};

/* Takes `base` over, also if that fails: it is open without stubborn sets, and can be read (ops->read). To be closed as
 * any other, by the thread that has opened it. NULL: it cannot be read, or the effort was over before; `why` tells. */
struct ts *derived_ts_open(struct ts *base, enum derived_ts_goal goal, struct effort *effort, struct problem *why);

/* Of any system: is it proved, without a search, that no reachable state is bad? */
bool derived_ts_proves_good(const struct ts *ts);

#endif
