/* simplify.h: smaller Büchi and testing automata that accept the same.
 *
 * In rounds, until nothing becomes smaller:
 *  - what is of no use goes (trim.h);
 *  - states that simulate each other directly, forward or backward, are merged; edges that another edge of the same
 *    state outdoes are left out (Somenzi and Bloem; Bustan and Grumberg);
 *  - loose simulation (simulate.h) of states in different components: where both accept the same, the one that is
 *    further down replaces the other; an edge is left out if another one for the same valuations leads out of the
 *    component to where at least as much is accepted;
 *  - acceptance sets that are implied by others, component by component, are left out.
 */
#ifndef OMEGA_SIMPLIFY_H
#define OMEGA_SIMPLIFY_H

#include "omega/automaton.h"
#include "base/problem.h"

/* Keeps the form of acceptance: by_state stays so, and sets do not become more. */
void ba_simplify(const struct ba *a, struct ba *out);

/* By states, and as small as we can make it: tries several orders of the acceptance sets. */
void ba_simplify_by_state(const struct ba *a, struct ba *out);

/* Trims, minimises, and merges what simulates each other. infinite_only: see trim.h. */
void ta_simplify(const struct ta *a, bool infinite_only, struct ta *out);

/* From one kind to the other, by way of valuations of states (convert.h: TA 4.1 and 4.2), and simplified. ta_from_ba
 * only if a is stuttering-insensitive. False: too large. */
bool ta_from_ba(const struct ba *a, struct ta *out, struct problem *why);
bool ba_from_ta(const struct ta *a, struct ba *out, struct problem *why);

/* Is a smaller than b: fewer states, then fewer arrows, then deterministic. */
bool ba_smaller(const struct ba *a, const struct ba *b);

#endif
