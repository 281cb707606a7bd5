/* build_lts.h: the state space of a system with actions, full or reduced, as a labelled transition system.
 *
 * A label is what an observer sees: hidden actions become tau. The alphabet is all other actions that the system knows,
 * also those that never occur. Repeated edges are dropped. Of a system whose bad states are ERROR in disguises
 * (ts->whole_counts), these become one state, `error`, and the legal terminal state becomes `end`.
 *
 * With stubborn sets that preserve traces or more, D1, D2, V (or C2) and D0V hold in every state by themselves. SV is
 * seen to afterwards (FAIR Theorem 11 and Section 9): if from every state of the reduced LTS a deadlock or an
 * occurrence of a visible action can be reached, it holds. If not, there are unproductive terminal components: strong
 * components that cannot be left and have only invisible edges. In the first state of each that does not have all
 * visible actions in the stubborn sets of its states, the stubborn set is widened by what those that are missing
 * oblige, and the search goes on, until there is no such component left. Then SV holds: a terminal component that has a
 * visible edge has all visible actions in the stubborn set of its tail, by V; one without edges, by D0V; and the others
 * were seen to. Actions are not frozen, so that an unproductive component may be copied on the way.
 *
 * Hand-written obligations, which preserve deadlocks, are audited on a sample of the states; wrong ones make no LTS.
 */
#ifndef SEARCH_BUILD_LTS_H
#define SEARCH_BUILD_LTS_H

#include "lts/lts.h"
#include "search/space.h"

struct build_report {
    uint64_t states, edges; /* that were found; a state with a widened set counts with all its edges */
    uint64_t terminals;
    bool progressing;    /* the reduced LTS was always may-progressing at once */
    uint32_t rounds;     /* of looking for unproductive components and going on */
    uint64_t expansions; /* states whose sets were widened */
    bool by_hand;        /* the rules were hand-written */
    bool trusted;        /* they were not audited, because of means->no_audit */
    uint64_t audited, checks;
};

/* False: *why says why not. */
bool build_lts(struct ts *ts, struct ts_worker *w, const struct limits *limits, const struct means *means,
               const struct ticker *ticker, struct lts *out, struct build_report *report, struct problem *why);

/* One state of what build_lts would build. */
struct build_inspection {
    uint64_t number; /* which: to be set */
    word *state;     /* room for it */
    uint64_t states; /* how many there are; if not more than `number`, nothing else is known */
    bool widened;    /* for SV, by what the actions with wanted[a] oblige: 0 stands for a legal end */
    bool *wanted;    /* room for ts->actions */
};

bool build_inspect(struct ts *ts, struct ts_worker *w, const struct limits *limits, const struct means *means,
                   const struct ticker *ticker, struct build_inspection *inspection, struct problem *why);

#endif
