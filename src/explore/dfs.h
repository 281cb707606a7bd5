/* dfs.h: depth-first construction of a state space, with what can be decided on the fly: besides bad states, illegal
 * deadlocks and model errors, whether the model is always may-terminating (STOP Section V).
 *
 * The last is Tarjan's algorithm. When a component is complete, it is known whether a terminal state can be reached
 * from it: one of its states is terminal, or has an edge to a component that was complete before. If not, the search
 * ends there: no state of this component leads out of it, and none is terminal. So a terminal state can be reached from
 * every component that is complete, and nothing needs to be remembered about it; only states of components that are not
 * complete yet are in memory besides the table (state_stack.h).
 *
 * It is not an instance of algo/components_code.h because states have no numbers while they are being found: whether a
 * known state is open is looked up in the stack, successors that are known are dealt with together and not kept, and
 * no component is numbered.
 *
 * When termination is not asked for, only the states on the way from the initial state to the current one are.
 *
 * A state is entered, which is when it is counted, put on the trail, and looked at; its edges are counted then. Then
 * its successors are entered, in order, as far as they are not known. So the trail is in the order of entering. Nothing
 * is recursive: depth is limited by memory only.
 */
#ifndef EXPLORE_DFS_H
#define EXPLORE_DFS_H

#include "explore/bfs.h"
#include "store/state_stack.h"
#include "graph/trace.h"

struct dfs_goals {
    struct bfs_goals common;
    bool termination; /* stop at a component from which no terminal state can be reached: STOP_TRAP. An inexact store
                       * may hide one. */
};

/* Where a search ended: the execution on its stack. Not necessarily a shortest one. */
struct dfs_end {
    struct trace way; /* count = 0: nothing was found, or it cannot be told */
    uint64_t may_end; /* STOP_TRAP: of so many states at the beginning of `way` it is known that they may terminate */
    struct open trap; /* STOP_TRAP: the component, from `trap_begin` on; the way ends where it was entered */
    uint32_t trap_begin;
};

/* Explores from `start`. *stop says how it ended. */
void dfs_run(struct space *s, const word *start, const struct dfs_goals *goals, struct dfs_end *end, struct stop *stop);
void dfs_end_fini(struct dfs_end *end);

/* For trace_walk_on: whether a state belongs to the trap. */
bool dfs_in_trap(const void *end, const word *state, uint64_t slot);

#endif
