/* pairs.h: all pairs (s, B): a state that one side may be in after a trace, and all those that the other may be in.
 *
 * What the linear-time relations ask (traces, failures, divergences, tree failures, fair testing) is asked of every
 * such pair. The search goes by length of the trace, so the first pair that fails has a shortest trace. A pair is left
 * out if nothing new can come of it:
 *
 *   - s is in B: whatever s may do, the other side may do too, now and later;
 *   - (s, B') has been seen with B' a subset of B. All the questions are monotone: they ask that some member of B, or
 *   of
 *     what B becomes, is as s is. So if (s, B) fails by some continuation, then (s, B') fails by the same one, and its
 *     trace is not longer.
 */
#ifndef COMPARE_PAIRS_H
#define COMPARE_PAIRS_H

#include "minimize/trace_sets.h"
#include "algo/pair_table.h"

enum pair_answer {
    PAIR_GOES_ON,
    PAIR_IS_FINE, /* and so is everything that comes of it */
    PAIR_FAILS,
};

struct pairs {
    const struct joint *j;
    struct after *after;
    struct pair {
        uint32_t state, set;
        uint32_t parent, label; /* how it was found; the root is its own parent */
        uint32_t next;          /* another pair of the same state, or UINT32_MAX */
    } * pair;
    uint32_t count;
    uint64_t room;
    uint32_t *head; /* by state: its latest pair, or UINT32_MAX */
    struct twins by_pair;
    uint32_t depth; /* length of the traces that are being looked at */
};

typedef enum pair_answer pair_visit(void *context, uint32_t state, uint32_t set);

void pairs_init(struct pairs *p, const struct joint *j, struct after *after);
void pairs_fini(struct pairs *p);

/* Looks at the pairs of `side` against the other, with traces shorter than `before`, for one that fails, which *failing
 * becomes. Given up: the effort is over. */
enum outcome pairs_search(struct pairs *p, int side, uint32_t before, pair_visit *visit, void *context,
                          uint32_t *failing);

/* The trace to a pair, as labels; to be freed. */
uint32_t *pairs_trace(const struct pairs *p, uint32_t pair, uint32_t *length);

#endif
