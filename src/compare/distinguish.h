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

/* What edges of the divided LTS mean, if not what they say. */
struct distinguish_by {
    bool after_tau; /* strong: an edge labelled a is tau* a */
    uint32_t loop; /* weak: an edge with this label is invisible steps without end, in place. LTS_TAU: there are none */
};

/* Makes f->root true of state `yes` and false of `no`, which are in different parts. If the division is coarse, it may
 * be wrong. False: more than d->most_work would have to be done, or the effort is over. */
bool distinguish(struct division *d, const struct distinguish_by *by, uint32_t yes, uint32_t no, struct formula *f);

#endif
