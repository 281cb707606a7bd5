/* determinize.h: a deterministic LTS with the same traces.
 *
 * A state of the result is a set of states of the given LTS, after the same trace. There are no special states;
 * instead, sets that contain `end` or `error` have an edge of a label of its own, one of these: to the set of that
 * state alone.
 */
#ifndef MINIMIZE_DETERMINIZE_H
#define MINIMIZE_DETERMINIZE_H

#include "base/problem.h"
#include "base/effort.h"
#include "lts/lts.h"

/* The last two labels of the result. */
#define DETERMINIZE_END "\nend"
#define DETERMINIZE_ERROR "\nerror"

/* False: there is not enough memory, or the effort is over. */
bool lts_determinize(const struct lts *l, struct effort *effort, struct lts *out, struct problem *why);

#endif
