/* property.h: what can be checked, and which answer a reduction justifies.
 *
 * A violation that is found is one, whatever the reduction: every edge of a reduced state space is a real one. That
 * nothing was found proves something only if the reduction preserves the property (STOP Theorems 1 and 3 to 6, ASSET
 * Section V; reduce/net/stubborn.h, reduce/guided_ts.h on progress). property_gap knows when it does not.
 */
#ifndef PROP_PROPERTY_H
#define PROP_PROPERTY_H

#include <stdbool.h>

#include "ts/ts.h"

enum property {
    PROP_NONE = 0,
    PROP_SAFETY = 1,       /* no reachable state is bad */
    PROP_DEADLOCK = 2,     /* every reachable terminal state is legal */
    PROP_MODEL_ERROR = 4,  /* the model never calls model_error */
    PROP_MAY = 8,          /* from every reachable state a may-progress state is reachable */
    PROP_MUST = 16,        /* every cycle contains a must-progress state */
    PROP_INFINITE = 32,    /* no execution has t infinitely often and each of U finitely often */
    PROP_TERMINATION = 64, /* from every reachable state a terminal state is reachable: always may-terminating */
    PROP_PROGRESS = 128,   /* every test of progress by actions passes: see struct ts_progress */
    PROP_LTL = 256,        /* every execution satisfies a formula of linear temporal logic */
    PROP_AUTOMATON = 512,  /* no execution is accepted by a given automaton */
    PROP_TESTER = 1024,    /* a tester process finds nothing illegal: see lts/tester.h */
    PROP_COUNT = 11,
    PROP_SAVED = 9, /* the first so many are told in checkpoints and certificates; the others cannot be in them */
};

const char *property_name(enum property p);     /* for JSON: "safety", ... */
const char *property_headline(enum property p); /* for people: "Safety error", ... */

/* Why "no violation was found" does not mean that all `checked` properties (a union) hold; NULL if it does.
 * `terminating`: it was checked that the model is always may-terminating. */
const char *property_gap(unsigned checked, const struct reduction *r, bool terminating, bool symmetric_progress);

/* Whether a run with these checks must find out whether the model is always may-terminating. */
bool property_needs_termination(unsigned checked, const struct reduction *r);

/* Whether model errors are covered only if it is: they are an imaginary transition, as bad states are (STOP Theorem 4).
 * They need no asking, so a model that is not loses what is said about them, and nothing else. */
bool property_errors_need_termination(unsigned checked, const struct reduction *r);

/* Why a violation of p that was found in the symmetry-reduced space might not be one; NULL if it is. */
const char *property_doubt(enum property p, const struct reduction *r, bool symmetric_progress);

#endif
