/* lasso.h: from what a search of the product has found to an execution.
 *
 * The cycle is a shortest one of those within the states that were found, or, with fairness, the one that was found;
 * the way there is a shortest one through states that the search has met. Both are executions of the product.
 */
#ifndef EXPLORE_LASSO_H
#define EXPLORE_LASSO_H

#include "explore/cycles.h"
#include "ts/trace.h"

/* The trace begins in the root of the product. False: *stop says why not. */
bool lasso_find(struct emptiness *x, struct trace *t, struct stop *stop);

/* The way from the root to one of these states. `states` are of the product. */
bool lasso_way(struct emptiness *x, const word *states, uint32_t count, struct trace *t, struct stop *stop);

#endif
