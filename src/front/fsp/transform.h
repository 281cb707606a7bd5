/* transform.h: what `property`, `minimal` and `deterministic` do to an LTS. */
#ifndef FRONT_FSP_TRANSFORM_H
#define FRONT_FSP_TRANSFORM_H

#include "lts/lts.h"

/* A state with two edges of the same label, or with an invisible one, unless it is to ERROR; LTS_NONE: there is none. */
uint32_t transform_nondeterminism(const struct lts *l);

/* Every label that a state lacks leads to ERROR. END is a state like others afterwards: the process allows no more. */
void transform_complete(const struct lts *l, struct lts *out);

/* The least deterministic LTS without invisible edges that has the same traces, the same traces to ERROR, and ends where
 * it can only have ended. False: more than max_states states. */
bool transform_determinize(const struct lts *l, uint32_t max_states, struct lts *out);

/* Observational equivalence (weak bisimilarity): one state for each class. For LTSs that are not large. */
void transform_minimize(const struct lts *l, struct lts *out);

#endif
