/* prepare.h: the automaton for a search, of one that was given in a file.
 *
 * It accepts the same sequences, is as small as simplify.h makes it, and is of the kind that the algorithm needs:
 * testing automata become Büchi automata (TA, Theorem 4.2) for searches of these, and Büchi automata that are
 * stuttering-insensitive, which is decided, become testing automata (Theorem 4.1) for ONE-PASS. */
#ifndef OMEGA_PREPARE_H
#define OMEGA_PREPARE_H

#include "omega/hoa/hoa.h"

/* `testing`: which of the two is wanted, and made. False: it is impossible, or too large. */
bool given_automaton(const struct hoa *h, bool testing, struct ba *ba, struct ta *ta, struct problem *why);

/* What it accepts before it has read anything: a union of ACCEPT_FINITE and ACCEPT_DEADLOCK. Testing automata begin
 * with the first valuation, and conversions need not keep it. */
uint8_t given_accepts_nothing(const struct hoa *h);

#endif
