/* sketch.h: a quick division of states by weak, which may be too coarse.
 *
 * Each state has a number, and in every round a new one that depends on the old one and on what the state gets to: on
 * the set of numbers that it gets to by tau*, and, for each label, by tau* label tau*. Of such a set only a sketch is
 * made, a few words of bits: a number sets a bit that its hash tells, and the union of sets is the `or` of the bits; a
 * set with a label has its bits rotated by as many places as the label says. So a round takes time in proportion to the
 * edges, however many states are reached. Equal sets have equal sketches: states that are related never get apart.
 * States that are not may stay together if the bits of what they differ in are taken by others; every round has new
 * hashes.
 */
#ifndef MINIMIZE_SKETCH_H
#define MINIMIZE_SKETCH_H

#include "base/effort.h"
#include "lts/lts.h"

/* By state, a number below `parts`, each of which occurs; to be freed. Tau edges must lead to lower numbers. If the
 * effort is over, it is some division that is not too fine. */
uint32_t *sketch_weakly(const struct lts *l, struct effort *effort, uint32_t *parts);

#endif
