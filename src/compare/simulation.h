/* simulation.h: is a state simulated by another, by every single step (strong) or up to tau edges (weak)?
 *
 * The greatest simulation, on the pairs that the question leads to. A pair is removed in the round after all those are
 * removed that could answer one of its steps; the rounds give a formula without negation that is true of the first
 * state and false of the second.
 */
#ifndef COMPARE_SIMULATION_H
#define COMPARE_SIMULATION_H

#include "minimize/trace_sets.h"
#include "compare/hml.h"
#include "algo/pair_table.h"

struct simulation {
    const struct joint *j;
    struct after *after;
    bool weak;
    struct simulation_pair {
        uint32_t left, right; /* is left simulated by right? */
        uint32_t removed;     /* in which round; 0: not yet */
        uint32_t formula;     /* FORMULA_TRUE: not made yet */
    } * pair;
    uint32_t count;
    uint64_t room;
    struct twins by_states;
    uint32_t rounds;
};

/* j is reduced by strong; or by branching, for weak. */
void simulation_init(struct simulation *sim, const struct joint *j, struct after *after, bool weak);
void simulation_fini(struct simulation *sim);

/* Is the first root not simulated by the second? Given up: the effort is over. */
enum outcome simulation_fails(struct simulation *sim);

/* After FOUND. False: it would be too deep to be of use. */
bool simulation_formula(struct simulation *sim, struct formula *f);

#endif
