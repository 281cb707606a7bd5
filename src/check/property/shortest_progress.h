/* shortest_progress.h: counterexamples of progress whose cycle is as short as possible, and that get there by the
 * shortest way (shortest_cycle.h).
 *
 *     must progress                  a cycle of states from which must progress can be avoided for ever
 *     may progress, termination      a cycle in a strong component that cannot be left and has no progress in it; a
 *                                    self-loop only if there is nothing else in the component (continuation.h)
 *     progress by actions            a cycle in a strong component that cannot be left, and in which the test fails
 *
 * The space is complete, without reductions. NONE: there is no such cycle. GIVEN_UP: c->stop says why, and any
 * execution may be shown instead.
 */
#ifndef CHECK_SHORTEST_PROGRESS_H
#define CHECK_SHORTEST_PROGRESS_H

#include "graph/backward.h"
#include "check/answer.h"
#include "graph/bottom.h"

/* The trace of the answer becomes the execution, with its point of no return; it was not replayed yet. */
MUST_BE_USED enum outcome shortest_progress(struct check *c, const struct fixpoint *f);
/* `failed`: of each of the sets. */
MUST_BE_USED enum outcome shortest_in_sets(struct check *c, const struct terminal_sets *t, const bool *failed);

#endif
