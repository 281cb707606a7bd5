/* explain.h: which condition asks for which action of a stubborn set of a network: ts/stubborn_units.h, of one
 * state. */
#ifndef REDUCE_NET_EXPLAIN_H
#define REDUCE_NET_EXPLAIN_H

#include "reduce/net/stubborn.h"
#include "ts/stubborn_units.h"

/* Units are actions. `tau` of a component is called tau(NAME), and the action that would be enabled in END is END. */
void explain_action(const struct stubborn *s, const uint32_t *locals, uint32_t action, struct ts_unit *out);
void explain_obliged(struct stubborn_search *d, const uint32_t *locals, uint32_t action, const bool *set,
                     struct ts_obligation *list, uint32_t *count, uint32_t *disabler);

#endif
