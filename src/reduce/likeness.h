/* likeness.h: can two states be symmetric at all?
 *
 * A symmetry of a model maps states one to one, and successors to successors. So symmetric states have equally many
 * different successors, these again, and so on, and the checks answer the same on them. If that is not so within a few
 * steps, the states are not symmetric, whatever the symmetries are. It need not be known which state represents which:
 * a map that gives symmetric states different representatives loses some reduction, but is right.
 */
#ifndef REDUCE_LIKENESS_H
#define REDUCE_LIKENESS_H

#include "ts/ts.h"

enum likeness { ALIKE, UNLIKE, LIKENESS_UNKNOWN /* model code failed */ };

/* `checks`: see audit_ask. */
enum likeness likeness(struct ts *ts, struct ts_worker *w, const word *a, const word *b, unsigned checks);

/* What the symmetry map comes to when it is applied again and again, so that maps that need several passes are seen to
 * the end: a fixed point, or the least state of a cycle, or where it is given up. `in` and `out` may be the same. */
bool representative_at_last(struct ts *ts, struct ts_worker *w, const word *in, word *out, struct ts_fault *fault);

#endif
