/* naive_ltl.h: does a graph have an execution that violates a formula? By the book, without automata of the library: a
 * node is a state together with a guess, of every temporal subformula, whether it holds next. */
#ifndef UNIT_NAIVE_LTL_H
#define UNIT_NAIVE_LTL_H

#include "graph.h"
#include "words.h"

enum { MOST_TEMPORAL = 7 };

int naive_temporal(const struct tree *t); /* how many temporal operators it has: at most MOST_TEMPORAL, please */
bool naive_violated(const struct graph *g, const struct tree *t);
/* Only by executions of fair choice. Of another graph, g may have copies of each state: below[s] is that of which s is
 * one (NULL: s itself). In each state of that one which comes infinitely often, each of its first `transitions`
 * transitions that leads somewhere must be taken infinitely often. */
bool naive_violated_fairly(const struct graph *g, const uint32_t *below, uint32_t transitions, const struct tree *t);

struct tree *tree_new(char op, struct tree *left, struct tree *right);
struct tree *tree_proposition(int p);
struct tree *tree_copy(const struct tree *t);

#endif
