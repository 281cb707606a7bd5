/* needs.h: what one component of a network contributes to the obligations of an action.
 *
 * Let a be an action of component i, which is in its local state x. needs(i, x, a) is a set of actions of i that the
 * stubborn set must contain beside a
 *
 *     a disabled in x   if i is the component that is chosen to keep a disabled (Theorem 9, part 1 of FAIR)
 *     a enabled in x    if a is enabled in the network: for every component i of a (part 2)
 *
 * FAIR takes all actions that are enabled in x, in both cases. That is what needs are without refinement. Refined, they
 * are a part of these, found by leaving out one action after the other as long as the following remains true. An
 * "outside" path is one of component i alone whose labels are neither a nor in needs(i, x, a).
 *
 *     a disabled in x   no outside path leads from x to a state where a is enabled
 *     a enabled in x    in every state y that an outside path leads to from x, for every outside b that is enabled
 *                       in y:
 *                       1. if y -a[r]-> y' and y -b[q]-> z, then there is w such that y' -b[q]-> w and z -a[r]-> w;
 *                       2. if y -b[q]-> z -a[r]-> w, then y -a[r]->
 *                       where a[r] is number r of the edges of y that are labelled with a.
 *
 * So a fifo's put and take do not need each other when both are enabled; in an empty fifo take needs put; what can
 * never be enabled again needs nothing.
 *
 * Why this is right: let A be a set that contains, for each of its members a, needs(i, x_i, a) for every i of a if a is
 * enabled in s = (x_1, ..., x_m), and for one i that disables a otherwise. Let s -a_1 ... a_n-> s_n, none of the a_j in
 * A; so what any component does on the way is an outside path of it, for each a in A.
 *
 *     a disabled   i still disables a in s_n. Thus D1 and D2 hold.
 *     D2           if s -a-> s', there is s'_k such that s' -a_1 ... a_k-> s'_k and s_k -a-> s'_k, by induction on k:
 *                  components that take part in both a and a_k+1 get there by 1.; those that take part in one of them
 *                  make that move, and the others do not move at all.
 *     D1           let s_k -a[r]-> t, where r stands for the choices of all components of a. a[r] is enabled in s_k-1:
 *                  by 2. in the components that also take part in a_k, and because the others have not moved. By 1., as
 *                  above, a[r] and a_k lead from s_k-1 in either order to the same state, which is t, since a[r]
 *                  with the same choices leads to one state only. So from s_k-1 -a_k-> s_k -a-> t follows
 *                  s_k-1 -a a_k-> t, and by induction s -a a_1 ... a_n-> s'_n from s -a_1 ... a_n a-> s'_n.
 *
 * All this is even true of transitions, that is, of actions with the same choices before and after: what audits and
 * certificates rely on.
 */
#ifndef REDUCE_NET_NEEDS_H
#define REDUCE_NET_NEEDS_H

#include "net/plan.h"

struct needs_component {
    uint32_t *first; /* index in `list` by state, or by state and local number of the action; one more at the end */
    uint32_t *list;  /* actions */
    uint32_t stride; /* entries of `first` for a state */
    bool refined;
};

struct needs {
    uint32_t count;
    struct needs_component *component;
};

/* `refined`, by component: whether they are; but those that are too large are not. NULL: none is. */
struct needs *needs_new(const struct plan *p, const bool *refined);
void needs_free(struct needs *n);

static inline const uint32_t *needs_of(const struct needs *n, uint32_t component, uint32_t state, uint32_t local,
                                       uint32_t *count) {
    const struct needs_component *c = &n->component[component];
    size_t at = (size_t)state * c->stride + (c->refined ? local : 0);
    *count = c->first[at + 1] - c->first[at];
    return c->list + c->first[at];
}

#endif
