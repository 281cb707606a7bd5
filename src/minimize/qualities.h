/* qualities.h: what `property`, `minimal` and `deterministic` do to an LTS. */
#ifndef MINIMIZE_QUALITIES_H
#define MINIMIZE_QUALITIES_H

#include "base/problem.h"
#include "base/effort.h"
#include "lts/lts.h"
#include "ts/ts.h"

/* A state with two edges of the same label, or with an invisible one, unless it is to ERROR; LTS_NONE: there is
 * none. */
uint32_t transform_nondeterminism(const struct lts *l);

/* Every label that a state lacks leads to ERROR. END is a state like others afterwards: the process allows no more. */
void transform_complete(const struct lts *l, struct lts *out);

/* The least deterministic LTS without invisible edges that has the same traces. It is in ERROR where the given one may
 * be there, and at its end where the given one can do nothing but get to its end. False: more than max_states states,
 * or no memory, which `why` says. */
bool transform_determinize(const struct lts *l, uint32_t max_states, struct effort *effort, struct lts *out,
                           struct problem *why);

/* All of this: what a composite is made when others use it. `qualities`: enum ts_quality. Unless it is good, `l` is as
 * it was. The effort may be NULL. */
bool transform_qualify(unsigned qualities, uint32_t max_states, struct effort *effort, struct lts *l,
                       struct problem *why);

/* The least LTS that is observation equivalent (weakly bisimilar). False: no memory, or the effort is over. */
bool transform_minimize(const struct lts *l, struct effort *effort, struct lts *out, struct problem *why);

#endif
