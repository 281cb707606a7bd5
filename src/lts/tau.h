/* tau.h: what invisible edges alone do: cycles, and an order. */
#ifndef LTS_TAU_H
#define LTS_TAU_H

#include "lts/lts.h"

/* For each state, whether it is on a cycle of tau edges; to be freed. */
bool *tau_cycles(const struct lts *l);

/* A numbering of the states, to be freed: a tau edge leads to a lower number, unless it is on a cycle. */
uint32_t *tau_order(const struct lts *l);

#endif
