/* contest.h: a comparison under way, and the families of relations that it may be about. For compare*.c alone. */
#ifndef COMPARE_CONTEST_H
#define COMPARE_CONTEST_H

#include "minimize/trace_sets.h"
#include "compare/compare.h"
#include "compare/pairs.h"

struct contest {
    struct joint given; /* both sides as they were given; */
    uint32_t tau;       /* but if tau is a label like others, this one stands for it. Else LTS_TAU */
    struct joint small; /* related states merged, in a way that the relation does not see */
    struct effort effort;
    struct after after; /* of `small` */
    const struct comparison_question *question;
    enum lts_relation relation; /* that question's, or what it means by it as a preorder */
    const struct relation_row *row;
    uint64_t confirming; /* so much work may be done to confirm a formula; it is known that less is enough */
};

/* Does `side` have a behaviour, after a trace shorter than `before`, that the other lacks? If so, fills in the witness.
 * Given up: the effort is over. */
enum outcome contest_aims(struct contest *c, int side, uint32_t before, struct comparison *out);
enum outcome contest_tree(struct contest *c, int side, uint32_t before, struct comparison *out);
enum outcome contest_fair(struct contest *c, int side, uint32_t before, struct comparison *out);

/* Finds out->lone, a trace that side 0 has and side 1 has not, or with two `sides` also the other way round, unless
 * that is more work than `most`; but a little is always done. */
void contest_lone_trace(const struct contest *c, int sides, uint64_t most, struct comparison *out);

/* Decide everything: do the two differ? */
enum outcome contest_bisimulation(struct contest *c, struct comparison *out);
enum outcome contest_simulation(struct contest *c, struct comparison *out);

#endif
