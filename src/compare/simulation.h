/* simulation.h: is a state simulated by another? Of four kinds:
 *
 *   SIMULATION_STRONG   by every single step, tau included
 *   SIMULATION_READY    the same, between states that have the same labels
 *   SIMULATION_WEAK     up to tau edges
 *   SIMULATION_COUPLED  the same, and where s is simulated by r, tau edges alone lead from r to some r' that is
 *                       simulated by s
 *
 * The greatest such relation, on the pairs that the question leads to. A pair is removed in the round after all those
 * are removed that could answer one of its steps, or couple it; the rounds give a formula that is true of the first
 * state and false of the second. It has no negation but where kinds ask for more than steps: of a label that only the
 * second has, or of what is true of all r'.
 *
 * Coupled: of the r', those without tau edges are enough. If tau edges lead from q to r, then r is simulated by q.
 */
#ifndef COMPARE_SIMULATION_H
#define COMPARE_SIMULATION_H

#include "minimize/trace_sets.h"
#include "compare/hml.h"
#include "algo/pair_table.h"

enum simulation_kind { SIMULATION_STRONG, SIMULATION_READY, SIMULATION_WEAK, SIMULATION_COUPLED };

struct simulation {
    const struct joint *j;
    struct after *after;
    enum simulation_kind kind;
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

/* j is reduced by strong; or by branching, for weak and coupled. */
void simulation_init(struct simulation *sim, const struct joint *j, struct after *after, enum simulation_kind kind);
void simulation_fini(struct simulation *sim);

/* Is the root of this side not simulated by the other? Given up: the effort is over. To be asked once. */
enum outcome simulation_fails(struct simulation *sim, int side);

/* After FOUND. False: it would be too deep to be of use. */
bool simulation_formula(struct simulation *sim, struct formula *f);

#endif
