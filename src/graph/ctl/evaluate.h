/* evaluate.h: formulas of computation tree logic on a complete state graph, and executions that show why.
 *
 * The graph brings sets of nodes, each with a number, and operations on them. Each node of the formula becomes a set:
 * the states where it holds. Why it holds, or does not, in the initial state is shown as far as an execution can: a way
 * to a state, or a cycle, and on from there for what is inside. What is true of all executions has nothing to show.
 */
#ifndef GRAPH_CTL_EVALUATE_H
#define GRAPH_CTL_EVALUATE_H

#include "graph/graph.h"
#include "omega/ctl/ctl.h"

/* Set i is made by one call, which may use sets with smaller numbers. False: given up; *stop says why. */
struct ctl_sets {
    bool (*all)(void *context, uint32_t i);
    bool (*proposition)(void *context, uint32_t i, uint32_t number); /* as valuation_find numbers it */
    bool (*complement)(void *context, uint32_t i, uint32_t a);
    bool (*unite)(void *context, uint32_t i, uint32_t a, uint32_t b);
    /* Those with a successor in a, or that are terminal and in a. */
    bool (*before)(void *context, uint32_t i, uint32_t a);
    /* Those in b, or in a and from where b can be reached through a. */
    bool (*until)(void *context, uint32_t i, uint32_t a, uint32_t b);
    /* Those from where an execution stays in a. */
    bool (*always)(void *context, uint32_t i, uint32_t a);
    bool (*has)(const void *context, uint32_t i, const word *state);
    /* Goes on from the last state of the trace, which is in the set that until made of a and b, to b, by a shortest way
     * through a; by the first transitions in the order of firing. */
    bool (*follow)(void *context, uint32_t a, uint32_t b, struct trace *t);
    void *context;
};

/* Holds it in the initial state? FOUND: no; the trace, which has the initial state, shows what can be shown. NONE:
 * yes. */
MUST_BE_USED enum outcome ctl_evaluate(struct state_graph *g, const struct ctl *f, const struct ctl_sets *sets,
                                       struct trace *t, struct stop *stop);

#endif
