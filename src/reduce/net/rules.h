/* rules.h: what an action obliges, computed from all components that take part in it together, when first asked.
 *
 * Let P be the components of action a, and x their local states. Components outside P are taken to allow everything. So
 * the components in P move together where an action belongs to several of them, and alone otherwise. A set N of
 * actions of P, a not among them, is good if, "outside" meaning neither in N nor a,
 *
 *     a disabled in x   no outside path of P leads from x to a state where a is enabled
 *     a enabled in x    in every state that an outside path of P leads to from x, a and every outside b that is enabled
 *                       in P satisfy conditions 1 and 2 of needs.h in all components that they share
 *
 * The proof of needs.h remains true word by word, with paths of P instead of paths of its members: what P does while
 * the network makes moves outside the stubborn set is an outside path of P.
 *
 * An enabled action obliges one good set, a disabled one any one out of several. They are made from sets that are good
 * for plain reasons, by leaving out one action after the other as long as the set remains good:
 *
 *     a enabled   all that is enabled in P (nothing outside can happen at all)
 *     a disabled  for each component i that disables a: its actions that are enabled in its local state (i cannot move
 *                 any more); and all its actions, where those that are enabled now in P are the first to be left out
 *                 (so what remains tends to be what happens last before a is enabled)
 *
 * Paths that lead to more than MOST_STATES states are not followed: then the set counts as not good. Actions with more
 * than MOST_JOINT states of P are left to needs.h; and when much work was done for one state of P, what is left stays
 * as it is. All this is so in every run, and for any number of threads.
 */
#ifndef REDUCE_NET_RULES_H
#define REDUCE_NET_RULES_H

#include "reduce/net/needs.h"
#include "net/plan.h"

/* The obligations of an action: enabled: all lists; disabled: any one of them. */
struct obliged {
    bool enabled;
    uint32_t count;
    struct obliged_list {
        const uint32_t *at;
        uint32_t count;
    } * list;
};

struct rules;

/* Whether an action has few enough joint states; 0: no; else how many. */
uint64_t rules_joint_states(const struct plan *p, uint32_t action);

struct rules *rules_new(const struct plan *p, const struct needs *needs);
void rules_free(struct rules *j);

/* Of an action when the components are in these local states. The lists stay as long as the rules do; out->list is
 * valid until the next call. */
void rules_obliged(struct rules *j, const uint32_t *locals, uint32_t action, struct obliged *out);

#endif
