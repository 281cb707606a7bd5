/* target.h: targets that must be reachable from every state, or must be reached: what may progress, must progress and
 * termination have in common. The targets are those of the row: classes of states, and terminal states if they count.
 * A violation is an execution to a state from which no target can (need) be reached, and on from there.
 *
 * With stubborn sets, that a target cannot be reached was seen in the reduced space only, and second opinions decide.
 */
#ifndef CHECK_PROPERTY_TARGET_H
#define CHECK_PROPERTY_TARGET_H

#include "check/answer.h"
#include "graph/backward.h"

/* Backward from the targets of the property, by the rule of its rank: RANK_SOME or RANK_ALL. */
struct fixpoint target_question(const struct check *c, const struct property_row *row, const char *phase);

/* True: all states are fine, or what was found is none in the full space; else the answer is set. */
bool target_ask(struct check *c, enum property property, const char *phase);

/* ---- For what a search has found on the fly ---- */

/* Continues the trace through allowed states to a cycle or to where there is none. False: the answer is set. */
bool target_walk_on(struct check *c, trace_allowed *allowed, const void *context);
/* After the point of no return of the trace no goal is reachable in the full space: moves it to where that began. */
void target_sharpen(struct check *c, const struct bfs_goals *goals);
void target_answer(struct check *c, enum property property); /* violated, as the trace shows */
/* The trace has a point of no return, after which a target seems to be out of reach: sets the answer. */
void target_lost(struct check *c, enum property property);

#endif
