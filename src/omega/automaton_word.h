/* automaton_word.h: does an automaton accept a single sequence of valuations? By the definitions of automaton.h, on the
 * graph of positions and states: nothing is shared with products and searches, of whose results it is a second
 * opinion. */
#ifndef OMEGA_AUTOMATON_WORD_H
#define OMEGA_AUTOMATON_WORD_H

#include "omega/automaton.h"

/* P[0] ... P[n-1] (P[cycle] ... P[n-1])^omega if cycle < n; else the finite sequence P[0] ... P[n-1]. A testing
 * automaton does not accept the empty one, as it begins with the first valuation. */
bool automaton_word_ba(const struct ba *a, const uint64_t *valuations, uint64_t n, uint64_t cycle);
bool automaton_word_ta(const struct ta *a, const uint64_t *valuations, uint64_t n, uint64_t cycle);

#endif
