/* convert.h: from one kind of automaton to another that accepts the same sequences.
 *
 *        ba  --- sba_from_ba -->  sba  --- ta_from_sba (TA 4.1) -->  ta      if it is stuttering-insensitive
 *            <-- ba_from_sba ---       <-- sba_from_ta (TA 4.2) ---
 *
 * Automata with valuations of states, and testing automata, may be exponentially larger in the number of propositions.
 * What would be too large is refused with a problem.
 */
#ifndef OMEGA_CONVERT_H
#define OMEGA_CONVERT_H

#include "omega/automaton.h"
#include "base/problem.h"

/* ---- Acceptance of Büchi automata ---- */

/* Many acceptance sets, or marks on edges, become acceptance by states. Copies of states have levels: level i waits for
 * an edge of set order[i], the last one accepts. `order` is a permutation of the sets, or NULL. */
void ba_degeneralise(const struct ba *a, const uint32_t *order, struct ba *out);

/* Theorem 2.1: the same without finite acceptance. What was accepted by it is now accepted by deadlock and infinite
 * acceptance. In an sba, this adds up to 2^propositions states, in a ba at most one. */
void ba_remove_finite(const struct ba *a, struct ba *out);
bool sba_remove_finite(const struct sba *a, struct sba *out, struct problem *why);
/* The same for testing automata, which the theorem is not about: TA 3.4 backward. One state is enough: it has all other
 * kinds of acceptance, and a loop for each change. */
bool ta_remove_finite(const struct ta *a, struct ta *out, struct problem *why);

/* ---- Between labels on edges and valuations of states ---- */

/* A state for each pair of a state of a and a valuation with which it is entered. */
bool sba_from_ba(const struct ba *a, struct sba *out, struct problem *why);
/* One more state, the initial one; labels are the valuations of what the edges lead to. */
void ba_from_sba(const struct sba *a, struct ba *out);

/* ---- Testing automata ---- */

/* Theorem 4.1. Only if a is stuttering-insensitive (see stutter.h); as many states as a has, deterministic if a is.
 *
 * One thing must be added to the proof in the paper. Take a sequence that does not change any more from P_k on, and
 * that a accepts by finite acceptance in a state s_m, m > k. The testing automaton stays in s_k, and never gets to
 * s_m. Hence finite acceptance is extended first to states from which it is reached while the valuation stays the
 * same. TA 2.3 gives this as a heuristic; here it is needed. */
void ta_from_sba(const struct sba *a, struct ta *out);
/* The intermediate automaton of Theorem 4.2: a state for each pair of a state of a and a valuation with which a can be
 * there, as far as they can be reached. */
bool ta_unfold(const struct ta *a, struct ta *out, struct problem *why);
/* Theorem 4.2 and Figure 1. */
bool sba_from_ta(const struct ta *a, struct sba *out, struct problem *why);

#endif
