/* naive_automaton.h: does an automaton accept an execution of a graph? By the book: all pairs are built, and cycles are
 * looked for with the matrix of what reaches what. Nothing of src/explore is used. */
#ifndef UNIT_NAIVE_AUTOMATON_H
#define UNIT_NAIVE_AUTOMATON_H

#include "omega/hoa/hoa.h"
#include "graph.h"

/* Which propositions hold where. By states: g->values. By actions: after transition t those of begins[t], and those of
 * before that are neither momentary nor in ends[t]; to begin with, initially. */
struct naive_actions {
    uint64_t begins[8], ends[8], momentary, initially;
};

/* `actions`: NULL: by states. An execution that ends is a finite sequence. */
bool naive_accepted(const struct graph *g, const struct naive_actions *actions, const struct hoa *h);

#endif
