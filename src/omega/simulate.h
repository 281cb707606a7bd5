/* simulate.h: which state of a Büchi automaton can do all that another one can, and what that allows to leave out.
 *
 * Direct simulation: t simulates s if t accepts finitely and at deadlocks wherever s does, and for each edge of s and
 * each valuation that it has, t has an edge for that valuation, with at least the same marks, to a state that
 * simulates the target. A state with finite acceptance simulates all. Loose simulation is the same, but asks for marks
 * only where both edges stay inside their strong components: other edges are taken only finitely often. It tells only
 * that all that s accepts t accepts, too; direct simulation allows more (see simplify.h).
 */
#ifndef OMEGA_SIMULATE_H
#define OMEGA_SIMULATE_H

#include <stddef.h>

#include "algo/components.h"
#include "omega/automaton.h"

struct relation {
    uint32_t states;
    bool *has; /* [s * states + t]: t simulates s */
};

static inline bool relation_has(const struct relation *r, uint32_t s, uint32_t t) {
    return r->has[(size_t)s * r->states + t];
}
static inline bool relation_both(const struct relation *r, uint32_t s, uint32_t t) {
    return relation_has(r, s, t) && relation_has(r, t, s);
}
void relation_fini(struct relation *r);

void simulate_direct(const struct ba *a, struct relation *r);
void simulate_loosely(const struct ba *a, const struct components *c, struct relation *r);
/* Direct simulation of the reversed automaton: t can be reached by all histories by which s can, with the same marks.
 * The relation holds only between states with the same acceptance. */
void simulate_backward(const struct ba *a, struct relation *r);

/* Beyond so many states the relation is too expensive. */
enum { MOST_SIMULATED = 600 };

#endif
