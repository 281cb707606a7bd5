/* tester.h: tester processes: what a system must not do, as a process that runs beside it.
 *
 * Paper FLY: A. Valmari, On-the-fly Verification with Stubborn Sets (Definition 3.1). A tester is an LTS whose alphabet
 * is the visible actions: whenever the system does one of them, the tester does it too, and what it does not offer
 * cannot occur. It does not notice the other, invisible actions of the system, and may do tau by itself. Its states
 * have kinds, a set for each state, which tell what is illegal (Theorem 3.3):
 *
 *   TESTER_REJECT     that the tester gets here: illegal trace
 *   TESTER_DEADLOCK   that nothing can occur any more while it is here: illegal stable failure
 *   TESTER_LIVELOCK   that the system does nothing but invisible actions for ever while it is here: illegal divergence
 *   TESTER_INFINITE   that the tester is here infinitely often, and goes on each time: illegal infinite trace
 *
 * A tester is well-formed if it cannot do tau for ever, and no deadlock monitor has a tau. The numbers of kinds are
 * those of enum accept in omega/automaton.h, which has the same four for automata.
 *
 * A tester that was made of a specification (canonical_tester.h) sees more: every action of the system that is not
 * hidden, and END and ERROR, as if the system did an action of its own there for ever.
 */
#ifndef LTS_TESTER_H
#define LTS_TESTER_H

#include "base/problem.h"
#include "lts/lts.h"

enum tester_kind { TESTER_INFINITE = 1, TESTER_REJECT = 2, TESTER_DEADLOCK = 4, TESTER_LIVELOCK = 8 };

struct tester {
    char *name;
    struct lts lts;    /* all states can be reached */
    uint8_t *kinds;    /* of each state, a union of enum tester_kind */
    char **state_name; /* of each state */
    /* Labels, LTS_TAU unless set after tester_init. */
    uint32_t other;      /* stands for each action that the alphabet has not; LTS_TAU: these are invisible */
    uint32_t end, error; /* what the system does in END and in ERROR; LTS_TAU: nothing */
    const char *refines; /* the name of the relation, if it was made of a specification, whose name it has */
};

/* Makes a tester of an LTS, which is taken over. `kinds` and `names` are by state of it and stay the caller's; a state
 * without a name (NULL) gets one that tells the way to it. States that cannot be reached are dropped; the error state
 * of the LTS, if there is one, rejects. */
void tester_init(struct tester *t, const char *name, struct lts *lts, const uint8_t *kinds, char *const *names);
void tester_fini(struct tester *t);

/* False: `why` tells which states break a rule. `where` begins the message: "FILE:LINE:COLUMN" or a file. */
bool tester_well_formed(const struct tester *t, const char *where, struct problem *why);

/* The kinds that occur. */
unsigned tester_kinds(const struct tester *t);

/* What the tester sees of an action of this name that is not hidden: a label, or LTS_TAU. */
uint32_t tester_sees(const struct tester *t, const char *action);

/* For each state, whether something illegal may still be found from there on; to be freed. */
bool *tester_hopes(const struct tester *t);

/* The edges of state s with this label: from the result to *end - 1. */
const struct lts_edge *tester_next(const struct tester *t, uint32_t s, uint32_t label, const struct lts_edge **end);

#endif
