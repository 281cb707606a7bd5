/* inclusion.h: is every trace of state r a trace of state s? Answers are kept, so that many questions share their work.
 *
 * The nodes are (r, A): a state and the set that another state may be in after the same trace. Traces are lacking iff a
 * node can be reached where r has a visible edge and A has not. Of a question with the answer yes, every node that was
 * looked at is known to be good; of one with the answer no, the nodes on the way are known to be bad.
 */
#ifndef LTS_INCLUSION_H
#define LTS_INCLUSION_H

#include "lts/after.h"

struct inclusion {
    const struct joint *j;
    struct after *after;
    struct inclusion_node {
        uint32_t state, set;
        uint32_t parent, label; /* in the question at hand: whence it was found; its own parent where that began */
        uint32_t question;      /* in which it was last looked at */
        uint8_t known;          /* enum in inclusion.c */
    } * node;
    uint32_t count;
    uint64_t room;
    uint32_t *queue;
    uint64_t queue_room;
    uint32_t *table, mask;
    uint32_t question;
};

void inclusion_init(struct inclusion *in, const struct joint *j, struct after *after);
void inclusion_fini(struct inclusion *in);

bool inclusion_holds(struct inclusion *in, uint32_t r, uint32_t s);

/* A shortest trace of r that s does not have, or {NULL, 0} if there is none, which is no trace anyway; to be freed. */
uint32_t *inclusion_gap(struct inclusion *in, uint32_t r, uint32_t s, uint32_t *length);

#endif
