/* property.h: what can be checked, and which answer a reduction justifies.
 *
 * list.h has the properties, a row for each. They are numbered in its order, so that a set of them is a union of bits.
 *
 * A violation that is found is one, whatever the reduction: every edge of a reduced state space is a real one. That
 * nothing was found proves something only if the reduction preserves the property (STOP Theorems 1 and 3 to 6, ASSET
 * Section V; reduce/net/stubborn.h, reduce/guided_ts.h on progress). property_gap knows when it does not.
 */
#ifndef PROP_PROPERTY_H
#define PROP_PROPERTY_H

#include <stdbool.h>

#include "prop/list.h"
#include "ts/ts.h"

enum property_number {
#define PROPERTY_NUMBER(id, ...) PROPERTY_##id,
    PROPERTIES(PROPERTY_NUMBER) PROP_COUNT
#undef PROPERTY_NUMBER
};

enum property {
    PROP_NONE = 0,
#define PROPERTY_BIT(id, ...) PROP_##id = 1 << PROPERTY_##id,
    PROPERTIES(PROPERTY_BIT)
#undef PROPERTY_BIT
};

/* When it is asked. */
enum property_when {
    ON_THE_FLY, /* while states are found */
    AFTER,      /* when all are there */
    WATCHED,    /* of a product of the model and a watcher, by itself */
};

enum property_needs {
    NEEDS_FUNCTION = 1,  /* of the model, which `feature` names */
    NEEDS_TESTS = 2,     /* ts->progress */
    NEEDS_EDGES = 4,     /* kept edges are of use to it */
    NEEDS_EDGES_BFS = 8, /* ... after a breadth-first search only: depth-first, it is found on the fly, or brings states
                          * into the order of levels, which gives edges up */
    DFS_FINDS = 16,      /* depth-first, it is found on the fly */
};

/* What certifies it: something that can be checked in each state. */
enum property_rank {
    RANK_NOTHING,    /* it is about single states and edges */
    RANK_SOME,       /* a state is a target, or has a successor of smaller rank */
    RANK_ALL,        /* ... or has successors, and all are of smaller rank */
    RANK_COMPONENTS, /* no edge leads to a higher rank, and edges of the transition in question lead to smaller ones */
    RANK_UNKNOWN,    /* there are no certificates */
};

/* Are terminal states targets? */
enum property_ends { ENDS_DO_NOT, ENDS_COUNT, ENDS_UNLESS_TOLD /* --terminal-not-may, --terminal-not-must */ };

enum property_saved {
    SAVED_ALWAYS, /* checkpoints and certificates tell whether it was asked */
    SAVED_ASKED,  /* they tell that it was, if so: then there are older ones that do not know it */
    NOT_SAVED,    /* it cannot be in them */
};

/* When does "nothing was found in the reduced state space" mean that a property holds? These together: */
enum property_kept {
    KEPT = 0,
    IF_ENDS = 1,          /* the model is always may-terminating; a check finds that out */
    OR_SAFE_SETS = 2,     /* ... or the sets know what is bad: PRESERVE_SAFETY */
    OR_UNSAID = 4,        /* ... or else nothing is said about it, and the rest of the answer stands */
    IF_PROGRESS_SETS = 8, /* the sets preserve progress; then the other conditions fall away */
    IF_SAME = 16, /* the model says that symmetric states are the same in it; else, violations are in doubt too */
    LOST = 32,    /* never */
    IF_SHOWN_TO_END = 64, /* the model is always may-terminating; but one that is not is no violation */
};

struct property_row {
    enum property id;
    const char *name;     /* in JSON and files */
    const char *headline; /* for people */
    const char *plural;   /* "there are no certificates for ..." */
    enum property_when when;
    unsigned feature; /* enum ts_feature: of models without it, it is not asked; 0: none */
    unsigned needs;   /* enum property_needs */
    enum property_rank rank;
    unsigned target; /* of ranks: TS_MAY, ...: states of these classes are targets */
    enum property_ends ends;
    enum property_saved saved;
    unsigned stubborn, symmetry; /* enum property_kept: by the reductions of these names */
    /* What to say if nothing was found, and it does not hold for that; NULL: what there is to say about IF_ENDS. And
     * of a violation, if it is IF_SAME, and they are not. */
    const char *stubborn_gap, *symmetry_gap, *symmetry_doubt;
};

extern const struct property_row property_table[]; /* the last one has no name */

/* Does the model bring it with it: a function that answers it, tests, or code that may fail so? */
bool property_of_model(const struct property_row *row, const struct ts *ts);

/* Are terminal states targets, if these options were given or not? */
bool property_counts_ends(const struct property_row *row, bool terminal_not_may, bool terminal_not_must);

/* Of one property, not of a union. */
const struct property_row *property_row(enum property p);
const char *property_name(enum property p);
const char *property_headline(enum property p);
/* How the option is called that asks for it, without dashes; NULL: no text says what it is about. */
const char *property_option(enum property p);

/* What an option says about a property. */
enum property_use {
    USE_OFF, /* it is not asked, though the model has what it takes */
    USE_ON,  /* it is asked */
    USE_ASK, /* it is asked of what the text after the option names */
    USE_HOW, /* in which way: a flag */
    USE_OF,  /* the same: a text */
};

/* ---- Reductions ---- */

/* Of which properties the model says that symmetric states are the same in them: a union, for the next. */
unsigned property_symmetric(const struct ts *ts);

/* Why "no violation was found" does not mean that all `checked` properties (a union) hold; NULL if it does.
 * `terminating`: it was checked that the model is always may-terminating. */
const char *property_gap(unsigned checked, const struct reduction *r, bool terminating, unsigned symmetric);

/* Whether a run with these checks must find out whether the model is always may-terminating. */
bool property_needs_termination(unsigned checked, const struct reduction *r);

/* Whether some of them are covered only if it is, and a model that is not is no violation: model errors, which are an
 * imaginary transition, as bad states are (STOP Theorem 4), and nothing is said about them then (OR_UNSAID); and what
 * is IF_SHOWN_TO_END, about which the answer is inconclusive then. */
bool property_wants_termination(unsigned checked, const struct reduction *r);
/* Those of the former kind. */
unsigned property_unsaid(unsigned checked, const struct reduction *r);

/* Why a violation of p that was found in the symmetry-reduced space might not be one; NULL if it is. */
const char *property_doubt(enum property p, const struct reduction *r, unsigned symmetric);

#endif
