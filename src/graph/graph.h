/* graph.h: the complete state graph that an engine has left, and what can be asked of it: the upper of two layers.
 * Nobody above expands states or knows where they are kept.
 *
 * An engine answers these questions in its own way: a table of functions. explicit.h has those of states in a table,
 * with edges in memory or without. Below them is one sweep over all states (sweep.h), for who has to see each of them.
 *
 * A node has a number, NO_NODE means none. Only the graph knows what it means; of several nodes that are found, the
 * one that is told is a nearest to the initial state. Numbers may change with the next question that tells some. What
 * was found about many nodes is kept by the graph (struct marks), or is a set that can be asked about a state (struct
 * node_set).
 *
 * Answers are exact, and the same for any number of threads. OUTCOME_GIVEN_UP: *stop says why. A bool says whether
 * something was done; if not, *stop says why. One question is asked at a time, by the thread that made the graph.
 */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/outcome.h"
#include "ts/trace.h"
#include "ts/ts.h"

#define NO_NODE UINT64_MAX

struct stop;
struct marks;
struct terminal_sets;
struct ctl;

/* Some nodes. `has` may be asked about any state of the system. */
struct node_set {
    bool (*has)(const void *context, const word *state);
    const void *context;
};

enum backward_kind {
    BACKWARD_SOME, /* a node is marked if it is a target, or some successor is marked: a target can be reached */
    BACKWARD_ALL,  /* ... or has successors, and all are marked: a target will be reached */
};

/* The least marking by such a rule. */
struct backward {
    enum backward_kind kind;
    uint32_t target; /* classes of states that are targets; may be 0 */
    bool terminal_is_target;
    const char *phase;        /* for the progress line */
    struct marks *marks;      /* the graph's. Before: marks that are right, of a search that was saved; or NULL */
    struct node_set unmarked; /* after the question, until graph_forget */
};

/* Strong components that cannot be left. */
struct bottom_nodes {
    struct numbers first;   /* in each of these components: the nearest node that was asked for, if any; ascending */
    struct node_set inside; /* all nodes of all of them, until bottom_nodes_fini */
    struct bottom_inside *own;
    void (*fini)(struct bottom_inside *own);
};

/* Infinitely many occurrences of a transition, though none of some others. */
struct recurrence {
    uint32_t transition;
    const bool *excluded; /* by transition */
    const char *phase;
    struct marks *marks; /* as above: nodes from which every execution without excluded transitions ends */
};

/* Which cycles may be shown; one of the two is set. */
struct shortest_lasso {
    /* BACKWARD_ALL: of unmarked nodes. BACKWARD_SOME: the same, in a strong component that cannot be left; a self-loop
     * only if there is nothing else in the component. */
    const struct backward *unmarked;
    /* Or: in one of these strong components, of those with failed[i]. */
    const struct terminal_sets *sets;
    const bool *failed;
};

struct state_graph;

struct graph_ops {
    /* Marks nodes. FOUND: some are not marked. */
    enum outcome (*backward)(struct state_graph *g, struct backward *q, struct stop *stop);
    void (*forget)(struct marks *marks);
    /* A nearest node that is not marked: there must be one. */
    bool (*nearest)(struct state_graph *g, struct backward *q, uint64_t *node, struct stop *stop);

    /* Components that cannot be left, with the actions that occur in each (bottom.h). `t` is filled in. */
    bool (*bottoms)(struct state_graph *g, struct terminal_sets *t, struct stop *stop);
    /* The same without actions: for each component, the nearest node that is unmarked, or any if q is NULL. */
    bool (*bottom_nodes)(struct state_graph *g, const struct backward *q, const char *phase, struct bottom_nodes *b,
                         struct stop *stop);

    bool (*state)(struct state_graph *g, uint64_t node, word *state);
    /* A shortest execution to a node; the trace is empty before. */
    bool (*way)(struct state_graph *g, uint64_t node, struct trace *t, struct stop *stop);
    /* On from the last state of the trace, through these nodes (NULL: all), by the lowest-numbered transition, to a
     * state that comes again (then there is a cycle) or from where there is no such transition. `moving`: by the lowest
     * that changes the state, if there is one. */
    bool (*walk_on)(struct state_graph *g, const struct node_set *through, bool moving, struct trace *t,
                    struct stop *stop);

    /* FOUND: there is such an execution. If *stop is STOP_DONE, the trace is a shortest one to where it begins to go
     * round, and a shortest round; else *stop says why it cannot be shown. */
    enum outcome (*recurrence)(struct state_graph *g, struct recurrence *q, struct trace *t, struct stop *stop);
    /* A cycle with as few edges as possible, and of those one that is nearest, and a shortest execution to it, with its
     * point of no return. The trace is empty before. GIVEN_UP: nothing is known, and it is to be released. */
    enum outcome (*shortest)(struct state_graph *g, const struct shortest_lasso *q, struct trace *t, struct stop *stop);

    /* Does a formula of computation tree logic hold in the initial state, which is all of the trace? FOUND: no; the
     * trace goes on as far as an execution can show why. */
    enum outcome (*ctl)(struct state_graph *g, const struct ctl *f, struct trace *t, struct stop *stop);
};

struct state_graph {
    const struct graph_ops *ops;
    struct ts *ts;
    struct ts_worker *worker;
    void *own; /* the engine's */
};

MUST_BE_USED static inline enum outcome graph_backward(struct state_graph *g, struct backward *q, struct stop *stop) {
    return g->ops->backward(g, q, stop);
}

static inline void graph_forget(struct state_graph *g, struct marks *marks) {
    if (marks) g->ops->forget(marks);
}

MUST_BE_USED static inline bool graph_nearest(struct state_graph *g, struct backward *q, uint64_t *node,
                                              struct stop *stop) {
    return g->ops->nearest(g, q, node, stop);
}

MUST_BE_USED static inline bool graph_bottoms(struct state_graph *g, struct terminal_sets *t, struct stop *stop) {
    return g->ops->bottoms(g, t, stop);
}

MUST_BE_USED static inline bool graph_bottom_nodes(struct state_graph *g, const struct backward *q, const char *phase,
                                                   struct bottom_nodes *b, struct stop *stop) {
    return g->ops->bottom_nodes(g, q, phase, b, stop);
}

static inline void bottom_nodes_fini(struct bottom_nodes *b) {
    numbers_fini(&b->first);
    if (b->own) b->fini(b->own);
}

MUST_BE_USED static inline bool graph_state(struct state_graph *g, uint64_t node, word *state) {
    return g->ops->state(g, node, state);
}

MUST_BE_USED static inline bool graph_way(struct state_graph *g, uint64_t node, struct trace *t, struct stop *stop) {
    return g->ops->way(g, node, t, stop);
}

MUST_BE_USED static inline bool graph_walk_on(struct state_graph *g, const struct node_set *through, bool moving,
                                              struct trace *t, struct stop *stop) {
    return g->ops->walk_on(g, through, moving, t, stop);
}

MUST_BE_USED static inline enum outcome graph_recurrence(struct state_graph *g, struct recurrence *q, struct trace *t,
                                                         struct stop *stop) {
    return g->ops->recurrence(g, q, t, stop);
}

MUST_BE_USED static inline enum outcome graph_shortest(struct state_graph *g, const struct shortest_lasso *q,
                                                       struct trace *t, struct stop *stop) {
    return g->ops->shortest(g, q, t, stop);
}

MUST_BE_USED static inline enum outcome graph_ctl(struct state_graph *g, const struct ctl *f, struct trace *t,
                                                  struct stop *stop) {
    return g->ops->ctl(g, f, t, stop);
}

#endif
