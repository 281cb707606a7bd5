/* rules_held.h: written rules, held against what is proved of the model's code.
 *
 * In each state of a sample and for each transition t that is enabled there, the closure of t under the rules is
 *
 *     looser     if the facts do not prove that it is stubborn: t may not accord with something outside, or something
 *                outside may enable a member. That need not be wrong, as facts may not tell all: `onager audit` tries
 *                it out
 *     stricter   if the facts prove that a smaller set with t, without some other enabled transition, is stubborn
 */
#ifndef REDUCE_DERIVED_RULES_HELD_H
#define REDUCE_DERIVED_RULES_HELD_H

#include "base/effort.h"
#include "ts/ts.h"

struct rules_held {
    uint32_t states;             /* in the sample: the first ones of a breadth-first search */
    uint32_t *looser, *stricter; /* by transition: in how many states */
};

/* The system has TS_OBLIGATIONS, and is open without reductions. False: its code cannot be read, or fails, or
 * the effort is over. */
bool rules_held_against_facts(struct ts *ts, uint32_t most, struct effort *effort, struct rules_held *r);
void rules_held_fini(struct rules_held *r);

#endif
