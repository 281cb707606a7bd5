/* canonical_tester.h: a specification becomes a tester (tester.h), which finds an error in a system iff the system is
 * not below the specification in a preorder of compare.h.
 *
 * FLY Section 3; E. Brinksma, A Theory for the Derivation of Tests. The tester is deterministic but for its taus: after
 * a trace w it is in Q, the set of states that the specification may be in after w. Which states there are, and what
 * they find:
 *
 *     Q          livelock monitor if the specification cannot diverge after w
 *     needs X    deadlock monitor, by tau from Q. X is a minimal set of labels such that every stable state in Q has
 *                one of them (transversal.h): what is stable and refuses all of X is an illegal stable failure, and
 *                every illegal one refuses such an X. A label of X leads to PASS. If X is all that Q can do, the only
 *                such set, and all else is rejected, then Q itself is the deadlock monitor.
 *     REJECT     reject state, after a trace that the specification has not
 *     LOST       the same where traces do not count: then a stable state is illegal by any X, also the empty one
 *     PASS       from here on, nothing is illegal
 *
 *     relation                 REJECT   needs X        livelock   PASS
 *     trace                    yes
 *     stable-failures                   yes
 *     csp-stable-failures      yes      yes
 *     cffd                     yes      yes            yes
 *     ndfd                     yes      yes*           yes
 *     failures-divergences     yes      yes            yes        where the specification may diverge
 *
 * (*) only if the specification cannot diverge after w: one that may diverge may do nothing for ever, and NDFD (STOP
 * Section III) does not tell whether it is stable then. That traces which the specification has not are rejected where
 * failures and divergences count follows from these: in a finite system, after each trace something is stable, or
 * diverges, and the specification can do neither after a trace that it has not.
 *
 * States that find the same are one (bisimilarity, with kinds): the product with a system is smaller then.
 *
 * END and ERROR are marked by labels, as in union.h. A Q with taus has no edge by END to REJECT that finds more than
 * `needs X` does: if Q cannot do END, no X has it, so what has ended refuses X.
 */
#ifndef COMPARE_CANONICAL_TESTER_H
#define COMPARE_CANONICAL_TESTER_H

#include "lts/relation.h"
#include "lts/tester.h"

/* The names of the relations, as a list for people: those that relation_has_testers. */
#define CANONICAL_NAMES "trace, stable-failures, csp-stable-failures, cffd, ndfd or failures-divergences"

/* The relation of that name. False: there is none that testers can tell; `why` tells. */
bool canonical_relation(const char *name, enum lts_relation *relation, struct problem *why);

struct canonical_question {
    const struct lts *spec;
    const char *name; /* of the specification, and so of the tester */
    enum lts_relation relation;
    bool whole;               /* it sees every action, END and ERROR; else END and ERROR are like STOP, and all that it
                                 sees is its alphabet: that of the specification, and */
    const struct names *more; /* these; or NULL */
    struct effort *effort;    /* or NULL */
};

/* False: it would be too large, and `why` tells. */
bool canonical_tester(const struct canonical_question *q, struct tester *out, struct problem *why);

#endif
