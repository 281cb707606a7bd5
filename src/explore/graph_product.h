/* graph_product.h: is there an execution that a Büchi automaton accepts? Asked of the complete graph of the model.
 *
 * The graph of the model is built first, breadth-first, by all threads, with its edges in memory (graph/edges.h). Then
 * a state of the product is a pair of numbers (state of the model, state of the automaton), which are a bit in a
 * bitmap: the product costs neither model code nor a table of states. Each state of the model is valuated once.
 *
 *     reach       the states of the product, breadth-first, by all threads. The same states, edges and depth as
 *                 cycles.h's levels has. A state that accepts whatever follows ends it
 *     components  of the product, where the automaton is in a strong component of its own that has an accepting state:
 *                 nowhere else is an accepted cycle
 *
 * What is found is the same for any number of threads: where the order matters, the product is gone through again in
 * the order of one thread.
 */
#ifndef EXPLORE_GRAPH_PRODUCT_H
#define EXPLORE_GRAPH_PRODUCT_H

#include "explore/cycles.h"

/* Can it be asked so of an automaton whose propositions are about states? It must have at most 64 states and few
 * propositions; edges count by state; stores must be exact. */
bool graph_product_suits(const struct ba *a, const struct ts *model, const struct store_options *store);

/* `model` is a space of p->base that is empty. What is found, and counts, are told in x as by the searches of cycles.h;
 * the states that an execution needs are put into x->s.
 *
 * Given up, with STOP_LIMIT in x->stop: time is over, or somebody has interrupted. With STOP_DONE: it cannot be done
 * so, for lack of memory or because model code failed, perhaps where the automaton never looks; another search may
 * do. */
enum outcome graph_product_search(struct emptiness *x, struct space *model);

#endif
