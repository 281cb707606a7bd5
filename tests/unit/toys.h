/* toys.h: small concurrent systems, made by chance, as explicit graphs (graph.h), with obligations that are derived
 * from the graph by the book.
 *
 * A toy has processes with a few locations and shared variables of one bit. A transition moves one process, or two at a
 * time, may wait for a value, and may store one. Propositions are about locations and variables.
 */
#ifndef UNIT_TOYS_H
#define UNIT_TOYS_H

#include "graph.h"

struct toy_chance {
    uint32_t processes, locations, variables, transitions; /* at most; at least 2, 2, 0, half of it */
    uint32_t propositions;                                 /* exactly */
    uint32_t states;                                       /* at most; more than a sixth of it */
    uint32_t (*below)(uint32_t n);                         /* the random numbers of the test: 0 to n - 1 */
};

/* With values, obligations, and which transitions change which propositions. */
void toy_random(struct graph *g, const struct toy_chance *chance);

/* Of any graph. t obliges u in s if, in some state that is reachable from s (`anywhere`: in any state)
 *     t enabled in s    both are enabled, and they do not commute, or one of them disables the other
 *     t disabled in s   t is disabled, and u enables it
 * A closed set then satisfies D1 and D2 for each of its members, whatever happens outside. */
void graph_derive_obligations(struct graph *g, bool anywhere);

/* Which transitions change which of so many propositions anywhere. */
void graph_derive_changes(struct graph *g, uint32_t propositions);

#endif
