/* automaton_graph.h: what all kinds of automata need of graphs. Nodes are 0 to n-1; the edges of node s lead to target[first[s]]
 * to target[first[s + 1] - 1]. */
#ifndef OMEGA_AUTOMATON_GRAPH_H
#define OMEGA_AUTOMATON_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "omega/automaton.h"

struct graph {
    uint32_t nodes;
    const uint32_t *first, *target;
    uint32_t *own_first, *own_target; /* to be freed, or NULL */
};

/* Graphs of automata; those of ba and ta are copies. */
struct graph graph_of_ba(const struct ba *a);
struct graph graph_of_sba(const struct sba *a);
struct graph graph_of_ta(const struct ta *a);
struct graph graph_of_stuttering(const struct sba *a); /* the edges between states with the same valuation */
void graph_done(struct graph *g);

/* Strong components, numbered so that an edge never leads to a higher one. */
struct components {
    uint32_t count;
    uint32_t *of; /* the component of each node */
    bool *cyclic; /* of each component: is there an edge inside? */
};
void components_find(struct components *c, const struct graph *g);
void components_fini(struct components *c);

/* Extends a set of nodes by all that can be reached from it, or from which it can be reached. */
void graph_reach(const struct graph *g, bool *set);
void graph_reach_back(const struct graph *g, bool *set);

#endif
