/* difference.h: do two automata accept the same? If not, a sequence that one of them accepts.
 *
 * What a accepts and b does not is looked for, in this order:
 *   - in the product of a with an automaton for the complement of b, if there is one: of a formula, that of its
 *     negation; of a deterministic automaton, complement.h;
 *   - nowhere, if b simulates a (simulate.h);
 *   - on what words do to all states (ba_included), which is exponential: at most 64 states of b.
 * Finite sequences are compared by deadlock acceptance, on sets of states.
 */
#ifndef OMEGA_DIFFERENCE_H
#define OMEGA_DIFFERENCE_H

#include "omega/automaton.h"
#include "omega/sequence.h"
#include "base/outcome.h"
#include "base/problem.h"

struct language {
    const struct ba *ba;         /* without finite acceptance (convert.h) */
    const struct ba *complement; /* the infinite sequences that it does not accept; NULL: not known */
};

/* Both, and their complements, have the same propositions in the same order (ba_read_as). FOUND: `out`, empty before,
 * is accepted by the first if *first, else by the second, and not by the other; NONE: they accept the same;
 * GIVEN_UP: `why`. `finite`: of finite sequences, too. */
MUST_BE_USED enum outcome language_difference(const struct language *a, const struct language *b, bool finite,
                                              struct sequence *out, bool *first, struct problem *why);

/* The same automaton, which reads other propositions, too: its own must be among them. */
void ba_read_as(const struct ba *a, const struct names *propositions, struct ba *out);

#endif
