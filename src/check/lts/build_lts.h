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
 * oblige, and the search goes on, until there is no such component left.
 *
 * Frozen actions. Let C be such a component, and F all actions in the stubborn sets of its states. The widening, and
 * the sets of all states that are found after it, are made as if the actions of F did not exist, so that C is not
 * copied. Each state x so has a set F(x) of frozen actions, that of the search that found it; A(x) satisfies D1, D2,
 * V (or C2) and D0V in the network without F(x). A state that was widened has two pairs of F and A. In general, F is
 * the union of A(c) and F(c) for all c in C.
 *
 * Why this is right. Transitions are deterministic, and D1 and D2 hold for transitions (reduce/net/needs.h). Say that x
 * may be frozen by F if, for every path R from x in the full LTS, what is left of R without its transitions in F is a
 * path from x, has the same trace, and its end can be reached invisibly from that of R.
 *
 *   1. Each c in C may be frozen by F. Let R start in c. If R has a transition in F(c), leave all of these out.
 *      Then, if R has one in A(c), let t be the first: by D1 there is an edge c -t-> c' in C, which is invisible, and
 *      R without t leads from c' to the same end. If it has none, take any edge t of C: by D2, R leads from c' to
 *      where t leads from its end. All of C can be visited in this way, again and again, and R gets shorter or stays
 *      what it is; so in the end it has nothing of F. By D2, it is also a path from c, to which C leads back. What
 *      was left out is all of R that is in F, and it was invisible.
 *   2. If s may be frozen by F, and Q is a path without F from s to x, then so may x: R after Q becomes, without its
 *      transitions in F, a path from s that begins with Q, and so passes x.
 *   3. By 1 and 2, every state x may be frozen by F(x), and those that were widened by both. The proofs of FAIR
 *      Lemmas 2 to 5 and 7 go on from a path of the full LTS that starts in a state x of the reduced one. Before D1
 *      or D2 is used in x, leave F(x) out of it: that does not change its trace, does not make it longer, and its end
 *      moves invisibly, which all of them allow. So FAIR Theorems 6 and 8 remain true, if SV says: for each visible
 *      a, a state x can be reached with a in A(x) or in F(x).
 *   4. SV holds when nothing is left to widen: a terminal component that has a visible edge has all visible
 *      actions that are not frozen in the stubborn set of its tail, by V; one without edges, by D0V; and the others
 *      were seen to.
 *
 * Hand-written obligations, which preserve deadlocks, are audited on a sample of the states; wrong ones make no LTS.
 */
#ifndef CHECK_LTS_BUILD_LTS_H
#define CHECK_LTS_BUILD_LTS_H

#include "lts/lts.h"
#include "graph/space.h"

struct build_report {
    uint64_t states, edges; /* that were found; a state with a widened set counts with all its edges */
    uint64_t terminals;
    bool progressing;    /* the reduced LTS was always may-progressing at once */
    uint32_t rounds;     /* of looking for unproductive components and going on */
    uint64_t expansions; /* states whose sets were widened */
    uint64_t frozen;     /* states that were found where actions were frozen */
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
    bool *frozen;    /* room for all units: which are frozen in it; to be zeroed */
    bool widened;    /* for SV, by what the actions with wanted[a] oblige: 0 stands for a legal end */
    bool *wanted;    /* room for ts->actions */
    bool *beyond;    /* room for all units: then, what was frozen there */
};

bool build_inspect(struct ts *ts, struct ts_worker *w, const struct limits *limits, const struct means *means,
                   const struct ticker *ticker, struct build_inspection *inspection, struct problem *why);

#endif
