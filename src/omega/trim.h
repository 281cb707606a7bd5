/* trim.h: reductions that look at what can be reached (TA 2.3 and 3.4), and merging of bisimilar states.
 *
 * Each makes a new automaton that accepts the same sequences:
 *  - states that cannot be reached, or from which no acceptance is possible, are left out;
 *  - states with finite acceptance have no edges, and no other kind of acceptance, which would add nothing;
 *  - infinite acceptance is left only where a cycle makes it count.
 * An automaton that accepts nothing becomes one without states.
 */
#ifndef OMEGA_TRIM_H
#define OMEGA_TRIM_H

#include "algo/components.h"
#include "omega/automaton.h"

void ba_trim(const struct ba *a, struct ba *out);

/* If the automaton is stuttering-insensitive, stuttering just before a state with finite or deadlock acceptance is
 * ignored (TA 2.3, the last heuristic): that changes where it accepts, not what. */
void sba_trim(const struct sba *a, bool stuttering_insensitive, struct sba *out);

/* Also, a state that accepts whatever comes gets finite acceptance (TA 3.4). If finite sequences do not matter
 * (`infinite_only`), the state need not have deadlock acceptance for that; then finite sequences that end there may be
 * accepted that were not. */
void ta_trim(const struct ta *a, bool infinite_only, struct ta *out);

/* The same as TA 3.4 for Büchi automata with acceptance by states: gives finite acceptance to states from which every
 * infinite sequence is accepted, so far as one sees it: states that have infinite acceptance and, for every valuation,
 * an edge to another such state. A search may stop there. Finite sequences that end there are accepted then, as is
 * right if a deadlock repeats its valuation for ever (doc/LTL.md). */
void ba_accept_early(const struct ba *a, struct ba *out);

/* Merges states that are strongly bisimilar: same acceptance, same valuation (sba), the same edges to merged states. */
void sba_minimise(const struct sba *a, struct sba *out);
void ta_minimise(const struct ta *a, struct ta *out);

/* Gives a kind of acceptance to all states from which a state that has it is reached while the valuation stays the
 * same. For finite and deadlock acceptance of stuttering-insensitive automata, this changes nothing of what is
 * accepted. */
void sba_ignore_stuttering(const struct sba *a, uint8_t *accept, uint8_t kind);

/* Of each component: is there a run inside that is accepting in the infinite? */
bool *ba_accepting_components(const struct ba *a, const struct components *c);

#endif
