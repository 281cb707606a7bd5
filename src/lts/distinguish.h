/* distinguish.h: a formula that tells two states apart that are not bisimilar.
 *
 * The states are divided again and again, by what their edges lead to in the division before, until the two are apart.
 * Parts make a tree, and the signature of a part (what its states had in common when it was made) says how it differs
 * from the other children of its parent: there is the formula. Blom and Orzan divide by signatures; Cleaveland reads
 * formulas from the divisions.
 */
#ifndef LTS_DISTINGUISH_H
#define LTS_DISTINGUISH_H

#include "lts/effort.h"
#include "lts/formula.h"
#include "lts/joint.h"

/* Makes f->root true of the first root of j and false of the second. j is reduced: for strong by strong, for
 * branching-div by branching-div, for branching and weak by branching. False: the formula would be too deep to be of
 * use. */
bool distinguish(const struct joint *j, enum lts_relation relation, struct effort *effort, struct formula *f);

#endif
