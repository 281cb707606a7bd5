/* network_ts.h: a network as a transition system, explored on the fly. See plan.h for states and transitions, and
 * stubborn.h for what reductions there are.
 *
 *     check_state      bad: the network is in ERROR. The message names the component that erred.
 *     check_deadlock   illegal: every state without moves but END and ERROR.
 *     actions          the labels of the network, but those that are hidden deeper inside, in their order; also those
 *                      that never occur
 *     variables        the components: in which of its states each is
 */
#ifndef MODEL_NETWORK_NETWORK_TS_H
#define MODEL_NETWORK_NETWORK_TS_H

#include "net/network.h"
#include "ts/ts.h"

/* The network is taken over, also if NULL is returned: then `why` says what is wrong. `path` is what the user calls the
 * system. */
struct ts *network_open(struct network *n, const char *path, struct reduction reduction, struct problem *why);

#endif
