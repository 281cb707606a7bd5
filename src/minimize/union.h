/* union.h: two LTSs side by side in one, over one alphabet, so that their states can be compared.
 *
 * joint_init puts them together as they are: the states of the first keep their numbers, those of the second follow.
 * The labels are those of both, tau first. `end` and `error` states are marked by an edge to themselves with a label of
 * their own (END, ERROR), since they are no deadlocks; the joint LTS has no special states. That edge is all that
 * comparisons know of them.
 *
 * joint_reduce merges related states: a quotient. Each comparison asks for a relation that implies its own, so that the
 * answer stays the same. Only what can be reached from one of the roots is kept. By branching and branching-div, tau
 * edges that stay in a class disappear, and
 *
 *   - tau edges lead from higher to lower numbers: states without tau edges come first in a tau path;
 *   - by branching-div, `diverges` tells the classes that contain a tau cycle; by branching, it is false everywhere.
 *
 * By strong, tau edges are like others, and `diverges` is false everywhere.
 */
#ifndef MINIMIZE_UNION_H
#define MINIMIZE_UNION_H

#include "base/effort.h"
#include "lts/lts.h"
#include "lts/relation.h"

struct joint {
    struct lts lts;
    uint32_t root[2];
    bool *diverges; /* by state */
};

/* If the effort, which may be NULL, is over, it has no edges. */
void joint_init(struct joint *j, const struct lts *first, const struct lts *second, struct effort *effort);
/* If the effort is over, it is one state. */
void joint_reduce(struct joint *out, const struct joint *j, enum lts_relation by, struct effort *effort);
void joint_fini(struct joint *j);

/* No invisible step is possible, not even for ever in place. Not for strong. */
static inline bool joint_stable(const struct joint *j, uint32_t s) {
    const struct lts_edge *e = lts_begin(&j->lts, s);
    return !j->diverges[s] && (e == lts_end(&j->lts, s) || e->label != LTS_TAU);
}
static inline uint32_t joint_labels(const struct joint *j) { return j->lts.labels.count; }

#endif
