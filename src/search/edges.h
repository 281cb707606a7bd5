/* edges.h: the successors of all states of a space, in a file, for questions that are asked after the search.
 *
 * A search that knows that such questions will come writes the keys of the successors of every state to a file while
 * it has them. If that file becomes too large, it is given up: then states have to be expanded again.
 *
 * A record of the file is: the keys, in order, then their number; so it can be read from its end.
 */
#ifndef SEARCH_EDGES_H
#define SEARCH_EDGES_H

#include "search/space.h"

/* Notes the successors of a batch that was expanded, by their keys. */
void edges_note(struct space *s, const struct ts_batch *batch, const uint64_t *keys);

/* Reads the file backwards: the successors of the last state come first. */
struct edges_back {
    struct trail_cursor at;
    struct trail_spare spare;
};

void edges_back_init(struct edges_back *b, struct space *s);
void edges_back_fini(struct edges_back *b);
/* The keys of the next record, valid until the next call. NULL: the file cannot be read. */
const uint64_t *edges_back_next(struct edges_back *b, uint32_t *count);

#endif
