/* ltl_word.h: formulas on single infinite words, by their definition. No automaton is used: it is a second opinion on
 * what automata have found. */
#ifndef OMEGA_LTL_LTL_WORD_H
#define OMEGA_LTL_LTL_WORD_H

#include "omega/ltl/ltl_formula.h"

/* Does the word P[0] ... P[n-1] (P[cycle] ... P[n-1])^omega satisfy the formula? cycle < n. */
bool ltl_word_satisfies(const struct ltl *l, uint32_t formula, const uint64_t *valuations, uint64_t n, uint64_t cycle);

#endif
