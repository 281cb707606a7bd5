/* automaton_graph.h: what is left of an automaton if only its states and edges count: a graph in arrays, for
 * algo/components.h and algo/ways.h. To be released by digraph_fini. */
#ifndef OMEGA_AUTOMATON_GRAPH_H
#define OMEGA_AUTOMATON_GRAPH_H

#include "algo/digraph.h"
#include "omega/automaton.h"

struct digraph graph_of_ba(const struct ba *a);
struct digraph graph_of_sba(const struct sba *a); /* uses the arrays of the automaton */
struct digraph graph_of_ta(const struct ta *a);
struct digraph graph_of_stuttering(const struct sba *a); /* the edges between states with the same valuation */

#endif
