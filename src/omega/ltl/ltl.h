/* ltl.h: from formulas to automata. doc/LTL.md tells what formulas mean, also on runs that end in a deadlock.
 *
 *     formula --- simplified (ltl_simplify.h) --- tableau (ltl_tableau.h) --- smaller automaton (simplify.h)
 *             --- stuttering-insensitive? (stutter.h) --- testing automaton (convert.h)
 *
 * Bit p of the valuations that the automata read is proposition p of the formula's struct ltl.
 */
#ifndef OMEGA_LTL_LTL_H
#define OMEGA_LTL_LTL_H

#include "omega/automaton.h"
#include "omega/ltl/ltl_formula.h"

/* A Büchi automaton (by_state) for the infinite sequences that satisfy the formula, or, if `negated`, that do not. It
 * has no finite and no deadlock acceptance; for deadlocks see ba_accepts_constant and ba_extend_deadlocks in
 * intersection.h. */
bool ltl_to_ba(const struct ltl *l, uint32_t formula, bool negated, struct ba *out, struct problem *why);

/* Is the set of sequences that satisfy the formula stuttering-insensitive? `a` and `complement` are automata for it and
 * for its negation; either may be NULL and is made if needed. */
bool ltl_stutter_insensitive(const struct ltl *l, uint32_t formula, const struct ba *a, const struct ba *complement,
                             bool *answer, struct problem *why);
/* The same for idle positions (stutter.h), where the propositions of `momentary` do not hold. */
bool ltl_idle_insensitive(const struct ltl *l, uint32_t formula, uint64_t momentary, const struct ba *a,
                          const struct ba *complement, bool *answer, struct problem *why);

/* A testing automaton for a Büchi automaton that is stuttering-insensitive and has neither finite nor deadlock
 * acceptance. Its deadlock acceptance says that a run that ends repeats its last valuation for ever; so it is where its
 * livelock acceptance is, and may become finite acceptance together with that. */
bool ltl_to_ta(const struct ba *a, struct ta *out, struct problem *why);
/* Gives it to an automaton that has none of it yet. */
void ltl_extend_deadlocks(struct ta *a);

/* All that a search for runs that violate a formula may want to know. */
struct ltl_violations {
    struct ltl ltl; /* its propositions are the bits of valuations, in this order */
    uint32_t formula;
    struct ba ba; /* accepts what violates the formula; trimmed, so without states if nothing does */
    bool stutter_insensitive;
    bool has_testing; /* insensitive, and not too large */
    struct ta testing;
};
bool ltl_violations(const char *text, struct ltl_violations *out, struct problem *why);
void ltl_violations_fini(struct ltl_violations *v);

/* The simplified formula, as text; to be freed. NULL: too large. */
char *ltl_simplified_text(const struct ltl *l, uint32_t formula, bool negated);

#endif
