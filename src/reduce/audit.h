/* audit.h: do hand-written rules keep what they promise? Local checks of one state of the unreduced system.
 *
 * Obligations. Let U be what the rules force into a stubborn set of s together with t. By STOP's D1 and D2, for
 * every word of transitions outside U that leads from s to some x:
 *     t disabled in s:  t is disabled in x                                                          (D1)
 *     t enabled in s:   t is enabled in x                                                           (D2)
 *                       the same word is possible after t, and leads to where t leads from x        (D1)
 * If the model has check_state, it is taken as an imaginary transition that must not be lost (STOP Section VI): if x is
 * bad and s is not, the state that t leads to from x is bad, too. It is enough to check this of the t that U was
 * made from: for the other members, the set that they force is a part of U.
 *
 * Symmetry. s and its representative r must have successors with the same representatives, and the checks must
 * answer the same on s and r. That the representative of r is r is not needed; if it is not, reduction is lost, not
 * soundness.
 *
 * Observable. A transition of which the model says that it is not observable is not seen when it occurs in s, and what
 * is seen of the others is the same before and after it.
 *
 * Changes. A transition that occurs in s changes no proposition that the model says it does not change (CHANGES).
 */
#ifndef REDUCE_AUDIT_H
#define REDUCE_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ts/ts.h"

enum audit_fault {
    AUDIT_FINE,
    AUDIT_D1_ENABLED,     /* t was disabled and became enabled by outside transitions */
    AUDIT_D2,             /* t was enabled and was disabled by outside transitions */
    AUDIT_D1_DISABLES,    /* t disables an outside transition */
    AUDIT_D1_DIFFERS,     /* t and the outside transitions do not commute */
    AUDIT_CHECK_LOST,     /* after t, a bad state is not reached that was reached before it */
    AUDIT_SUCCESSORS,     /* successors of s and of its representative are not symmetric */
    AUDIT_CHECK_DIFFERS,  /* a check answers differently on s and on its representative */
    AUDIT_NOT_IDEMPOTENT, /* advice: the representative of the representative is another state */
    AUDIT_CHANGES,        /* a transition changes a proposition that it is said not to change */
    AUDIT_SEEN,           /* a transition that is said not to be observable is seen */
    AUDIT_SEEN_OF_OTHER,  /* ... or it changes what is seen of another one */
    AUDIT_MODEL,          /* model code failed: see `fault` */
};

const char *audit_text(enum audit_fault fault);

struct audit_finding {
    enum audit_fault fault;
    uint32_t transition; /* t */
    uint32_t other;      /* the outside transition that t disables, or the label of the successor, or TS_NONE */
    bool *set;           /* U, by transition */
    uint32_t *outside;   /* the outside word; AUDIT_MODEL: the word from s to where model code failed */
    uint32_t outside_count;
    const char *what; /* the check that differs, or the proposition that is changed */
    struct ts_fault model;
};

struct audit;

/* Whatever reduction `ts` was opened with is not used; it is faster without one. `most` bounds the outside states that
 * are looked at for each pair of state and transition. */
struct audit *audit_new(struct ts *ts, struct ts_worker *w, uint32_t most);
void audit_free(struct audit *a);

/* From now on: fewer outside states than audit_new has allowed; of the checks, which must be symmetric: a union of
 * TS_BAD, TS_MAY, TS_MUST and AUDIT_DEADLOCK (all if it is not called). */
enum { AUDIT_DEADLOCK = 128 };
void audit_bound(struct audit *a, uint32_t most);
void audit_ask(struct audit *a, unsigned checks);

/* What was done so far: how often a transition was tried, and how many conditions of states and outside states were
 * looked at. */
struct audit_effort {
    uint64_t tries, checks;
};
struct audit_effort audit_effort(const struct audit *a);

/* False: *finding says what is wrong; it is valid until the next call. Sets *cut if `most` was reached. */
bool audit_obligations(struct audit *a, const word *s, struct audit_finding *finding, bool *cut);
bool audit_symmetry(struct audit *a, const word *s, struct audit_finding *finding, bool *advice);

/* The same, but it is enough if s and its representative may be symmetric, as far as likeness.h can tell: then the map
 * may give symmetric states different representatives, which sets *advice. */
bool audit_symmetry_kindly(struct audit *a, const word *s, struct audit_finding *finding, bool *advice);

bool audit_changes(struct audit *a, const word *s, struct audit_finding *finding);
bool audit_observable(struct audit *a, const word *s, struct audit_finding *finding); /* if ts->observable_known */
bool audit_knows_changes(const struct ts *ts);                                        /* of some proposition */

/* The same conditions for all members of a set that is given, instead of for what the rules force: is it a stubborn set
 * of s? `with_check`: check_state counts, as above. */
bool audit_set(struct audit *a, const word *s, const bool *set, bool with_check, struct audit_finding *finding,
               bool *cut);

#endif
