/* complement.h: automata for what deterministic automata do not accept. They have at most twice as many states, and one
 * more.
 *
 * A deterministic automaton has one run at most. What it does not accept in the infinite has a run that gets stuck, or
 * that is in infinite acceptance states only finitely often: a second copy of the other states, entered at any time and
 * never left, accepts just that.
 */
#ifndef OMEGA_COMPLEMENT_H
#define OMEGA_COMPLEMENT_H

#include "omega/automaton.h"

/* The infinite sequences that a does not accept. a is by_state and has no finite acceptance. False: it is not
 * deterministic, or has several initial states. */
bool ba_complement(const struct ba *a, struct ba *out);

/* All that a does not accept: where it livelocks or deadlocks, too. False: it is not deterministic, or has more than 12
 * propositions: the changes for which there is no edge are edges now. */
bool ta_complement(const struct ta *a, struct ta *out);

#endif
