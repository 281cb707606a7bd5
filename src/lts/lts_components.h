/* lts_components.h: strong components of an LTS, by all edges or by invisible ones; cycles of invisible edges, and an
 * order of the states by them. All results are to be freed. */
#ifndef LTS_LTS_COMPONENTS_H
#define LTS_LTS_COMPONENTS_H

#include "lts/lts.h"

enum lts_edges { LTS_ALL_EDGES, LTS_TAU_EDGES };

/* The component of each state, from 0 on, so that none of these edges leads to a higher number. NULL: the effort is
 * over. */
uint32_t *lts_components(const struct lts *l, enum lts_edges edges, struct effort *effort, uint32_t *count);

/* Those of tau edges. `divergent`, if it is not NULL, gets an array that says which of them have a tau edge inside. */
uint32_t *tau_components(const struct lts *l, uint32_t *count, uint8_t **divergent);

/* For each state, whether it is on a cycle of tau edges. */
bool *tau_cycles(const struct lts *l);

/* A numbering of the states: a tau edge leads to a lower number, unless it is on a cycle. */
uint32_t *tau_order(const struct lts *l);

/* The states in that order. */
uint32_t *tau_targets_first(const struct lts *l);

#endif
