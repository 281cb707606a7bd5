/* verify.h: is a certificate right? An answer that does not rest on the search.
 *
 * The certificate has a set of states. Verified is, with nothing but calls on single states of the unreduced model:
 *
 *     start        the initial state is in the set (with symmetry: its representative)
 *     closure      for each state, whatever a transition leads to (its representative) is in the set; with stubborn
 *                  sets: whatever a transition of the state's stubborn set leads to
 *     stubborn     the stubborn set of the state has what its members oblige; it has an enabled member unless nothing
 *                  is enabled; D1 and D2 hold for it (reduce/audit.h), and no bad state is lost
 *     safety       check_state finds nothing wrong in any state, check_deadlock in no terminal one; no transition
 *                  that was fired fails
 *     progress     may, termination: a state is a target or has a successor of smaller rank; must: it is a target, or
 *                  has successors and all of them are of smaller rank; infinite occurrence: no transition but the
 *                  excluded ones leads to a higher rank, and the one in question leads to a smaller rank
 *     the claim    there are as many states, edges and terminal states as it says; the reduction justifies it
 *                  (prop/property.h); every state is there once
 *
 * States that cannot be reached may be in the set: what is claimed holds for them, too, and the claim is about the set.
 *
 * Taken for granted: the theorem that such sets are enough; that the model's functions are functions; and with
 * symmetry, that the map leads to symmetric states (`onager audit` looks into that).
 *
 * This room shares nothing with graph, explore and check but what lies below all: the interface of models, the
 * archive, the properties and the audit.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <signal.h>

#include "verify/claim.h"

enum verify_end {
    VERIFY_VERIFIED,
    VERIFY_REFUTED, /* `message`, and perhaps `state` */
    VERIFY_CUT,     /* nothing is wrong, but transitions outside of `cut` stubborn sets were not followed to the end */
};

struct verification {
    enum verify_end end;
    char *message; /* a clause without a full stop; NULL if verified */
    word *state;   /* where it is wrong; NULL: nowhere in particular */
    uint64_t cut;
};

struct verify_limits {
    uint32_t outside; /* states that are looked at beside a stubborn set */
    const volatile sig_atomic_t *interrupted;
};

/* `ts` must be open without reductions, with the parameters of the claim. False: the certificate could not be judged: a
 * damaged file, one of another model, no memory, an interruption; why. */
bool verify_run(struct verification *result, struct claim *c, struct ts *ts, struct ts_worker *w,
                const struct verify_limits *limits, struct problem *why);
void verification_fini(struct verification *v);

#endif
