/* stubborn.h: stubborn sets of networks, from the components alone.
 *
 * FAIR Theorem 9 with the needs of needs.h tells which actions an action obliges:
 *
 *     disabled   the needs of one component that disables it, any
 *     enabled    the needs of all components that take part in it
 *
 * and what is to be preserved adds:
 *
 *     V    deadlock traces, traces, fair testing   visible and enabled: all visible actions
 *     C2   tree failures                           visible and enabled: all enabled and all visible actions
 *     E    all but deadlocks (with PROGRESS, below, these, too), if the network can err: enabled: all actions that may
 *          err somewhere. Enabled, and about to err in some component: all enabled actions.
 *
 * A set that is closed under this satisfies D1 and D2 (needs.h). Which closed set is used:
 *
 *     D0   deadlocks, safety, deadlock traces: one with an enabled action, if there is any
 *     D0V  the others (not with PROGRESS): a part of the closure of the visible and the erring actions, with an enabled
 *          action if there is one in all of that closure. (With D1, D2, V: FAIR Section 9. SV is not for a single state
 *          to decide.)
 *
 * PROGRESS (reduction.progress). Visible is then what the tests of progress name (ts.h), and all of it is in every set,
 * beside D0, D1, D2 and E; so V holds, too. A test fails in the reduced system iff it fails in the full one:
 *
 *     The reduced system has, from each of its states, the traces of the full one: of an execution a_1 ... a_n with a
 *     visible action, the first a_k that is in the set is moved forward (D1), which changes no trace (V), and n gets
 *     smaller. Deadlocks it has in common with it (D0).
 *     Full to reduced. Let B be a component of the full system that cannot be left and where the test fails, and
 *     s -a_1 ... a_n-> b in B, s reduced, n as small as can be. If n = 0, all that is reachable from s is in B, and so
 *     is a component of the reduced system that cannot be left; its traces are those of the states of B. If n > 0, no
 *     a_i is in the set of s, nor of any state that is reachable from s: an enabled t of the set leads to s' with
 *     s' -a_1 ... a_n-> b' and b -t-> b' (D2), also in B. So there is such a t (D0: if b is a deadlock, some a_i is in
 *     the set), no a_i is visible, and what is reachable from s in the reduced system does nothing visible that is not
 *     done in B. A component of it that cannot be left has the traces of s, thus all visible actions of B.
 *     Reduced to full. Let R be a component of the reduced system that cannot be left and where the test fails. From a
 *     state of R, the full system has the same traces: the actions that R lacks do not occur any more. Let C be a
 *     component of the full system that cannot be left, reachable from there. By the above, with `when` as what is
 *     asked for: if `when` did not occur in C, a component without it could be reached in the reduced system from R.
 *
 * ERROR. When a component errs, the network stops; so D1 and D2 do not follow from the components alone. Let U be the
 * same network where nothing stops: a component that has erred has no moves, and others go on.
 *
 *     Without E, the sets satisfy D1 and D2 in U. Deadlocks are preserved all the same: one that is reachable is a
 *     deadlock of U where no component has erred, so none errs on the way to it, in whatever order (FAIR Theorem 1). If
 *     no ERROR is found, the reduced space is also one of U; if it is always may-terminating then so is U (STOP Theorem
 *     3), and from a state of U where a component has erred, a terminal state where it has could be reached, and
 *     would be in the reduced space. So no ERROR is reachable.
 *     With E, the sets satisfy D1 and D2 in the network itself. Let s -a_1 ... a_n-> s_n with no a_j in the set A, and
 *     a in A be enabled in s. No a_j may err anywhere, since all such actions are in A. If a errs in s by some choice,
 *     all that is enabled is in A, and n = 0. Else it does not err in any s_j: where a component that errs by a has
 *     moved, condition 2 of needs.h gives the same choice of a in s, and condition 1 says that a_1 ... a_j lead the
 *     component from there to its error state: so it was there before, or an a_k errs. So nothing stops, and the
 *     proof of needs.h applies. By D0, ERROR is preserved like any other state without moves. With V, so are the traces
 *     that lead to it (FAIR Theorem 1).
 *
 * END is a state without moves; merging such states does not matter to D0, D1 and D2. Where visible actions count,
 * having ended is one of them: as if all components that can end did something together in END (plan.h, ender).
 *
 * Priority changes what is enabled by what happens elsewhere: there is no reduction for networks with it.
 */
#ifndef REDUCE_NET_STUBBORN_H
#define REDUCE_NET_STUBBORN_H

#include "reduce/net/needs.h"
#include "net/plan.h"

/* Vertices that stand for many actions: obliged together. */
enum {
    ALL_VISIBLE, /* those, and what may err */
    ALL_ERRING,
    ALL_ENABLED,
    PSEUDOS,
};

struct stubborn {
    const struct plan *plan;
    struct needs *needs;
    struct reduction reduction;
    bool obeys_v, obeys_c2, obeys_e, starts_visible;
    uint32_t vertices; /* actions, then the pseudo-actions */
    bool *visible;     /* by action */
    uint32_t *watched; /* visible actions and those that may err, in the order of scanning */
    uint32_t watched_count;
    uint32_t *erring;
    uint32_t erring_count;
};

/* NULL: there is no reduction for this network. */
struct stubborn *stubborn_new(const struct plan *p, struct reduction reduction, struct problem *why);
void stubborn_free(struct stubborn *s);

/* What one thread needs. */
struct stubborn_search;
struct stubborn_search *stubborn_search_new(const struct stubborn *s);
void stubborn_search_free(struct stubborn_search *d);

/* Finds a stubborn set of the state with these local states, which is neither ERROR nor END. Returns its enabled
 * actions. The answers are valid until the next call. */
const uint32_t *stubborn_choose(struct stubborn_search *d, const uint32_t *locals, uint32_t *count);
/* The same of the closure of the actions of `wanted`: all that they oblige, directly or not. */
const uint32_t *stubborn_close(struct stubborn_search *d, const uint32_t *locals, const uint32_t *wanted,
                               uint32_t wanted_count, uint32_t *count);

/* From now on, sets are those of the network without the actions a with frozen[a], which stays the caller's; NULL:
 * none is frozen. What an action obliges in the network obliges it there, as far as it exists: an outside path of
 * that network is one of this network, too, where the frozen actions count as obliged. */
void stubborn_freeze(struct stubborn_search *d, const bool *frozen);

/* All members of the set that was found last, enabled or not. */
const uint32_t *stubborn_members(struct stubborn_search *d, uint32_t *count);

/* What one action obliges, itself excluded. Disabled actions are left to the component that obliges least. */
const uint32_t *stubborn_obligations(struct stubborn_search *d, const uint32_t *locals, uint32_t action,
                                     uint32_t *count);

#endif
