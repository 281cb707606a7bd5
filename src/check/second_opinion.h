/* second_opinion.h: second opinions on what a reduced state space seems to show.
 *
 * With stubborn sets, that no progress state is reachable from some state was seen in the reduced space only. That no
 * terminal state is reachable carries over to the full space (STOP Theorem 1), the rest does not unless the model is
 * always may-terminating. So the full space after the state is searched.
 */
#ifndef CHECK_SECOND_OPINION_H
#define CHECK_SECOND_OPINION_H

#include "explore/bfs.h"
#include "graph/graph.h"

enum opinion {
    OPINION_CONFIRMED, /* no goal is reachable in the full space */
    OPINION_REFUTED,   /* a state of one of the classes is */
    OPINION_TERMINAL,  /* a terminal state is, and terminal states are goals */
    OPINION_NONE,      /* the search was given up */
};

enum opinion opinion_on(struct space *reduced, const word *state, const struct bfs_goals *goals);

/* The same without the symmetry map, in at most so many states. */
enum opinion opinion_without_map(struct space *reduced, const word *state, const struct bfs_goals *goals,
                                 uint64_t most);

/* Whether a terminal state can be reached in the space that `s` is, or is a part of: the search is depth-first, which
 * tends to find one soon. CONFIRMED: none; TERMINAL; or NONE. */
enum opinion opinion_on_end(struct space *s, const word *state);

/* Looks for an unmarked node on which the opinion is CONFIRMED; `s` has the limits. If there is one, then in a
 * component of the reduced space that cannot be left, so it is enough to ask about one state of each of these.
 * GIVEN_UP, and *stop: also if there is none but one on which there was no opinion. */
enum outcome opinion_search(struct state_graph *g, struct space *s, const struct backward *q,
                            const struct bfs_goals *goals, uint64_t *node, struct stop *stop);

#endif
