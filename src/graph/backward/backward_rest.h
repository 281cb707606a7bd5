/* backward_rest.h: the end of a backward search: the reversed edges of what is not decided yet, in memory, and the rest
 * in linear time.
 *
 * States are known here by any numbers below `size`: slots, or numbers of the space. The caller has records of the
 * undecided states with their successors, and can go through them as often as asked.
 */
#ifndef GRAPH_BACKWARD_BACKWARD_REST_H
#define GRAPH_BACKWARD_BACKWARD_REST_H

#include "graph/backward/backward.h"
#include "graph/backward/backward_pile.h"

struct undecided {
    const struct fixpoint *f;
    struct bitmap *marked; /* what is known so far; by number below `size` */
    uint64_t size;
    uint64_t count; /* undecided states */
    /* Visits all of them. False: the source has failed, and has set the *stop of its caller. */
    bool (*each)(void *source, pile_visit *visit, void *context);
    void *source;
};

/* Whether a state with these successors, which is no target, can be marked. */
static inline bool undecided_can_mark(const struct fixpoint *f, const struct bitmap *marked, const uint64_t *successors,
                                      uint32_t count) {
    bool some = f->kind == BACKWARD_SOME;
    if (count == 0) return f->terminal_is_target;
    for (uint32_t i = 0; i < count; i++)
        if (bitmap_has(marked, successors[i]) == some) return some;
    return !some;
}

/* Whether the graph of `count` states, with as many edges a state as the average, fits well into the memory that there
 * is. */
bool undecided_fits(const struct space *s, uint64_t count);

/* Marks what can be marked, and takes it off u->count. False: *stop says why it was given up. */
bool undecided_finish(struct undecided *u, struct stop *stop);

#endif
