/* bfs.h: breadth-first construction of a state space, with what can be decided on the fly.
 *
 * States are expanded in the order in which they were found, so that the first bad state, illegal deadlock or model
 * error is reached by a shortest execution. Work goes in batches (expand many states, look up all their successors),
 * but the result, counts included, is that of one state at a time: when something is found, what the batch did
 * beyond that point is not counted.
 */
#ifndef EXPLORE_BFS_H
#define EXPLORE_BFS_H

#include "graph/space.h"

struct bfs_goals {
    bool check_deadlock; /* ask check_deadlock of terminal states */
    bool any_terminal;   /* stop at any terminal state (as a deadlock) */
    uint32_t classes;    /* stop at states of these classes: TS_BAD, ... */
    uint32_t at_ends;    /* stop at terminal states that lack one of these: TS_MAY, TS_MUST */
};

/* Explores from `start`. *stop says how it ended. */
void bfs_run(struct space *s, const word *start, const struct bfs_goals *goals, struct stop *stop);

/* Goes on with a search that was saved: all states below `expanded` were expanded; `level_end` is the first state after
 * the level that is being expanded. If edges are kept, the former are expanded once more. */
void bfs_resume(struct space *s, uint64_t expanded, uint64_t level_end, const struct bfs_goals *goals,
                struct stop *stop);

#endif
