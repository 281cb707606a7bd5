/* tau_view.h: LTSs as relations see them that take invisible steps for something else. */
#ifndef MINIMIZE_TAU_VIEW_H
#define MINIMIZE_TAU_VIEW_H

#include "base/effort.h"
#include "lts/lts.h"

/* Tau edges get a visible label of their own, which is the last one, and is returned. */
uint32_t tau_show(struct lts *l);

/* The same for tau edges from a state to itself, of which exactly those states get one that `loops` marks. */
uint32_t tau_show_loops(struct lts *l, const bool *loops);

/* The way back: edges with the last label become tau edges, and the label is gone. */
void tau_hide_last(struct lts *l);

/* One edge s -a-> t for all s -tau*-> -a-> t, a visible, and no others. There must be no tau cycles. `end` and `error`
 * are no more: as in determinize.h, states that get to them by tau* have an edge to them with a label of its own, one
 * of the last two. If the effort is over, it has no edges. */
void tau_star(const struct lts *l, struct effort *effort, struct lts *out);

#endif
