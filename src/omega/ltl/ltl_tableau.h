/* ltl_tableau.h: from a formula to a Büchi automaton with many acceptance sets on edges.
 *
 * A state is a set of formulas that must all hold from here on. What a formula asks of now and of later is a
 * disjunction of terms (label, formulas of the next state), found by expanding it: a U b = b | (a & X(a U b)), and so
 * on. The edges of a state combine one term of each of its formulas. There is one acceptance set for each formula f =
 * a U b or F b: the edges after which f is not in the next state, or with which f could be fulfilled at once without
 * asking for more than the next state has anyway. This is the construction of Gastin and Oddoux (Fast LTL to Büchi
 * automata translation, CAV 2001), without the alternating automaton being built first. Terms that ask for more than
 * others are left out there and here; states with the same edges are one.
 */
#ifndef OMEGA_LTL_LTL_TABLEAU_H
#define OMEGA_LTL_LTL_TABLEAU_H

#include "omega/automaton.h"
#include "omega/ltl/ltl_formula.h"

/* The formula is in negation normal form. `split`: disjunctions that must hold next become different edges, which makes
 * other automata, sometimes smaller ones. False: the automaton would be too large, or it would take more work than is
 * allowed: 1 is very little, 1000 some seconds. */
bool ltl_tableau(struct ltl *l, uint32_t formula, bool split, uint64_t work, struct ba *out, struct problem *why);

#endif
