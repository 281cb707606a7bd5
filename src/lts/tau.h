/* tau.h: what invisible edges alone do: cycles, and an order. */
#ifndef LTS_TAU_H
#define LTS_TAU_H

#include "lts/lts.h"

/* The strong components of the tau edges, one number for each state; to be freed. Tau edges between components lead to
 * lower numbers. `divergent`, if it is not NULL, gets an array, to be freed, that says which components have a tau edge
 * inside. */
uint32_t *tau_components(const struct lts *l, uint32_t *components, uint8_t **divergent);

/* For each state, whether it is on a cycle of tau edges; to be freed. */
bool *tau_cycles(const struct lts *l);

/* A numbering of the states, to be freed: a tau edge leads to a lower number, unless it is on a cycle. */
uint32_t *tau_order(const struct lts *l);

#endif
