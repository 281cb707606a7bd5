/* trace_inclusion.h: is every trace of a state r a trace of a set A? Answers are kept, so that many questions share
 * their work.
 *
 * The nodes are (r, A) themselves: after a trace, a state that r may be in, and the set that A has become. Traces are
 * lacking iff a node can be reached where r has a visible edge and A has not. Of a question with the answer yes, every
 * node that was looked at is known to be good; of one with the answer no, the nodes on the way are known to be bad.
 *
 * What is good for A is good for larger sets, and what is bad for A is bad for smaller ones. In the same question, a
 * node need not be looked at if one with the same state and a smaller set is: what is lacking from the former, by some
 * trace, is lacking from the latter by the same.
 */
#ifndef COMPARE_TRACE_INCLUSION_H
#define COMPARE_TRACE_INCLUSION_H

#include "minimize/trace_sets.h"
#include "algo/pair_table.h"

struct inclusion {
    const struct joint *j;
    struct after *after;
    struct inclusion_node {
        uint32_t state, set;
        uint32_t parent, label; /* in the question at hand: whence it was found; its own parent where that began */
        uint32_t question;      /* in which it was last looked at */
        uint32_t next;          /* another node with the same state, or UINT32_MAX */
        uint8_t known;          /* enum in trace_inclusion.c */
    } * node;
    uint32_t count;
    uint64_t room;
    uint32_t *queue;
    uint32_t *head; /* by state: its latest node, or UINT32_MAX */
    struct twins by_pair;
    uint32_t question;
};

void inclusion_init(struct inclusion *in, const struct joint *j, struct after *after);
void inclusion_fini(struct inclusion *in);

/* Has r a trace that the set has not? Given up: the effort is over. */
enum outcome inclusion_fails(struct inclusion *in, uint32_t r, uint32_t set);

/* After FOUND: a shortest such trace; to be freed. NULL: the effort is over. */
uint32_t *inclusion_gap(struct inclusion *in, uint32_t r, uint32_t set, uint32_t *length);

#endif
