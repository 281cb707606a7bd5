/* acceptance_sets.h: other acceptance sets for the same language. */
#ifndef OMEGA_ACCEPTANCE_SETS_H
#define OMEGA_ACCEPTANCE_SETS_H

#include "omega/automaton.h"

/* Leaves out, in each strong component, sets that are implied by others, and renumbers the rest; not for by_state. */
void ba_fewer_sets(const struct ba *a, struct ba *out);

/* For by_state: gives infinite acceptance to all states of accepting components that are on no cycle without accepting
 * states (`more`), or takes it from states without which every accepting cycle still has one. */
void ba_change_acceptance(const struct ba *a, bool more, struct ba *out);

#endif
