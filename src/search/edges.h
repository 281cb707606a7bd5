/* edges.h: the successors of the states of a complete space, for questions that are asked after the search.
 *
 * A search that knows that such questions will come writes the successors of every state to a file while it has
 * them; if that file became too large, or there is none, the states are expanded again.
 *
 * A record of the file is: the successors, as packed states, in order, then their number; so it can be read from its
 * end.
 */
#ifndef SEARCH_EDGES_H
#define SEARCH_EDGES_H

#include "search/space.h"

/* Notes the successors of a batch that was expanded. */
void edges_note(struct space *s, const struct ts_batch *batch);

/* Successors of the states of a batch, as slots. */
struct successors {
    struct space *space;
    struct ts_batch batch;    /* for expanding again */
    struct trail_cursor back; /* for reading the file backwards */
    struct trail_spare spare;
    word *sources; /* the wanted states of the batch, close together */
    word *states;  /* successors from the file */
    uint64_t room; /* of `states` and `slots`, in states */
    uint64_t *slots;
    uint32_t count;            /* of all successors */
    uint32_t *begins, *counts; /* of each state of the batch: where its successors are in `slots` */
};

void successors_init(struct successors *n, struct space *s, uint32_t most);
void successors_fini(struct successors *n);

/* For the wanted states of a batch of a backward walk, which must take the batches in turn from the end. False:
 * *stop. */
bool successors_before(struct successors *n, const struct walk *walk, const bool *wanted, struct stop *stop);

#endif
