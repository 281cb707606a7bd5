/* relation.h: the relations by which LTSs are compared and minimised: one table, of which the command line, comparing,
 * minimising, testers and reports are all fed. doc/COMPARE.md defines them, and draws which implies which.
 *
 * Divergence is what can go on invisibly for ever. Branching-div and weak-div keep apart who can do so without changing
 * anything and who cannot. CFFD is stable failures, divergence traces and infinite traces; on finite LTSs the last
 * follow from the others.
 */
#ifndef LTS_RELATION_H
#define LTS_RELATION_H

#include <stdbool.h>

#include "base/problem.h"

enum lts_relation {
    RELATION_STRONG,
    RELATION_BRANCHING,
    RELATION_BRANCHING_DIV,
    RELATION_WEAK,
    RELATION_WEAK_DIV,
    RELATION_COUPLED_SIMULATION,
    RELATION_READY_SIMULATION,
    RELATION_SIMULATION,
    RELATION_WEAK_SIMULATION,
    RELATION_TAUSTAR,
    RELATION_TRACE,
    RELATION_STRONG_TRACE,
    RELATION_STRONG_FAILURES,
    RELATION_ORDINARY_FAILURES,
    RELATION_STABLE_FAILURES,
    RELATION_CSP_STABLE_FAILURES,
    RELATION_CFFD,
    RELATION_NDFD,
    RELATION_FAILURES_DIVERGENCES,
    RELATION_TREE_FAILURES,
    RELATION_FAIR_TESTING,
    RELATIONS /* how many there are */
};

/* All names in the order of the enumeration, with spaces between, as text_choice wants them. */
#define RELATION_NAMES                                                                                                 \
    "strong branching branching-div weak weak-div coupled-simulation ready-simulation simulation weak-simulation "     \
    "taustar trace strong-trace strong-failures ordinary-failures stable-failures csp-stable-failures cffd ndfd "      \
    "failures-divergences tree-failures fair-testing"

/* How it is decided. */
enum relation_family { FAMILY_BISIMULATION, FAMILY_SIMULATION, FAMILY_LINEAR, FAMILY_TREE, FAMILY_FAIR };

/* What it sees of invisible steps. */
enum relation_tau {
    TAU_IS_A_LABEL, /* like others */
    TAU_MAY_LOOP,   /* only what they lead to, and whether they can go on for ever */
    TAU_VANISHES,   /* only what they lead to */
};

/* FAMILY_LINEAR: what counts after a trace. */
struct linear_aims {
    bool traces, failures, divergences;
    bool catastrophic; /* nothing counts after the other side may have diverged */
    bool hiding;       /* failures do not count where the other side may diverge */
};

/* Of what the minimised LTS is the one with the fewest states, and then the fewest edges. */
enum relation_least {
    LEAST_OF_ALL,
    LEAST_DETERMINISTIC, /* of the deterministic ones */
    LEAST_WITHOUT_TAU,   /* of those without invisible edges */
    LEAST_OF_NONE,       /* it is smaller, and equivalent */
};

struct relation_row {
    const char *name;
    const char *adjective; /* "A and B are ..." */
    const char *aliases;   /* names that other tools and papers use, with spaces between; "" */
    enum relation_family family;
    enum relation_tau tau;
    enum lts_relation preorder; /* what --preorder means by this name; RELATIONS: no preorder belongs to it */
    enum relation_least least;
    struct linear_aims aims;
};

const struct relation_row *relation_row(enum lts_relation r);
const char *relation_name(enum lts_relation r);

/* By its name or an alias. RELATIONS: there is none. */
enum lts_relation relation_find(const char *name);

/* The same; false: `why` says that option --`option` cannot have this value, which may be meant, and that there are
 * `all`, a list. */
bool relation_parse(const char *option, const char *name, const char *all, enum lts_relation *r, struct problem *why);

/* Can a tester tell that a system is not below a specification? (canonical.h) */
bool relation_has_testers(enum lts_relation r);

#endif
