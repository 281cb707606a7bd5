/* stutter.h: can an automaton see stuttering? Decided, not guessed.
 *
 * A language is stuttering-insensitive if sequences that differ only in how often in a row each valuation comes are
 * either all in it or none is (TA 2.1). Two constructions (Etessami, Stutter-invariant languages, omega-automata, and
 * temporal logic, CAV 1999; Michaud and Duret-Lutz, Practical stutter-invariance checks for omega-regular languages,
 * SPIN 2015):
 *
 *   shorter (cl): accepts all that one gets by leaving out repetitions from what a accepts: for q -v-> q' -v-> q''
 *                 there is an edge q -v-> q'' with the marks of both.
 *   longer (sl):  accepts all that one gets by adding repetitions: it remembers the last valuation, and may stay where
 *                 it is on reading the same again, unmarked.
 */
#ifndef OMEGA_STUTTER_H
#define OMEGA_STUTTER_H

#include "omega/automaton.h"
#include "base/problem.h"

/* Idle positions. Propositions in `momentary` hold just after something has occurred, and at no other time. So a
 * position where nothing of interest has occurred is not a repetition of the one before it: the momentary ones are
 * false, and only the others are as they were. `idle_insensitive` is about how often such positions come in a row:
 * `shorter` leaves out idle positions instead of repetitions: for q -v-> q' -v without momentary-> q'' there is an edge
 * q -v-> q''. `longer` may stay where it is on reading the last valuation without momentary ones. With momentary == 0,
 * an idle position is a repetition. */

/* Both accept at least what a accepts; also for finite sequences. a must not have finite acceptance. False: too
 * large. */
bool stutter_shorter(const struct ba *a, struct ba *out, struct problem *why);
bool stutter_shorter_idle(const struct ba *a, uint64_t momentary, struct ba *out, struct problem *why);
bool stutter_longer(const struct ba *a, struct ba *out, struct problem *why);
bool stutter_longer_idle(const struct ba *a, uint64_t momentary, struct ba *out, struct problem *why);

/* With the complement at hand. Two sequences that are equal up to stuttering have the same shortest form; so there are
 * two of them, one accepted and one not, if and only if `shorter` of both automata have a sequence in common. So it is
 * with idle positions: sequences that differ in these only have the same shortest form, too. The first position always
 * counts: nothing comes before it. Infinite sequences only. */
bool stutter_idle_insensitive_pair(const struct ba *a, const struct ba *complement, uint64_t momentary, bool *answer,
                                   struct problem *why);

/* Without: `shorter` and `longer` must accept no more than a does, for infinite and finite sequences. That is
 * expensive: false with EXIT_INCONCLUSIVE if it is too large. */
bool stutter_insensitive(const struct ba *a, bool *answer, struct problem *why);
bool stutter_idle_insensitive(const struct ba *a, uint64_t momentary, bool *answer, struct problem *why);

#endif
