/* distinguish.h: a formula that tells two states apart that are not bisimilar.
 *
 * A division has got the two apart (division.h): in that round, one had an element in its signature that the other had
 * not, or the other way round. That an edge with this label leads to this part, and to none that the other has with the
 * label, is the formula; parts are told apart in the same way, by what happened in earlier rounds. So it is as deep as
 * there were rounds. Cleaveland reads formulas from divisions.
 */
#ifndef COMPARE_DISTINGUISH_H
#define COMPARE_DISTINGUISH_H

#include "minimize/division.h"
#include "compare/hml.h"

/* Makes f->root true of state `yes` and false of `no`, which are in different parts. If the division is coarse, it may
 * be wrong. False: more than d->most_work would have to be done, or the effort is over. */
bool distinguish(struct division *d, uint32_t yes, uint32_t no, struct formula *f);

#endif
