/* intersection.h: Büchi automata compared: intersection, emptiness, inclusion. */
#ifndef OMEGA_INTERSECTION_H
#define OMEGA_INTERSECTION_H

#include "omega/automaton.h"
#include "base/problem.h"

/* The infinite sequences that both accept. Propositions are matched by name. Finite and deadlock acceptance are
 * ignored: remove the former first (convert.h). False: more acceptance sets, propositions or states than possible. */
bool ba_product(const struct ba *a, const struct ba *b, struct ba *out, struct problem *why);

/* Is there no infinite sequence that it accepts? (Finite acceptance counts, deadlock acceptance does not.) */
bool ba_accepts_no_infinite(const struct ba *a);

/* Does b accept all infinite sequences that a accepts? Neither may have finite acceptance. On words of which both are
 * made: exponential in the states of b, which may be at most 64. *answer is set only if the result is true; false: too
 * large, or too many propositions. If the answer is no, `word` is a sequence that a accepts and b does not (sequence.h;
 * initialised before; NULL: it is not wanted). */
struct sequence;
bool ba_included(const struct ba *a, const struct ba *b, bool *answer, struct sequence *word, struct problem *why);

/* The same for finite sequences and deadlock acceptance; `word` is a shortest one. */
bool ba_finite_included(const struct ba *a, const struct ba *b, bool *answer, struct sequence *word,
                        struct problem *why);

/* From state s, is the infinite sequence accepted that has this valuation for ever? That is how a run that ends in a
 * deadlock of the system is judged (doc/LTL.md). */
bool ba_accepts_constant(const struct ba *a, uint32_t s, uint64_t valuation);

/* Makes that explicit: deadlock acceptance such that a finite sequence P0 ... Pn is accepted if P0 ... Pn Pn Pn ... is.
 * There may be one more state. */
void ba_extend_deadlocks(const struct ba *a, struct ba *out);

#endif
