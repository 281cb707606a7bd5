/* bottom.h: the terminal strong components of a complete state space, those that cannot be left, and which actions
 * occur in them. Under fair choice every execution ends up in one of them and does all that occurs there again and
 * again; so tests of progress by actions (struct ts_progress) are about them.
 */
#ifndef GRAPH_BOTTOM_H
#define GRAPH_BOTTOM_H

#include "graph/graph.h"
#include "graph/space.h"

#define TERMINAL_NONE NO_NODE

struct terminal_sets {
    struct terminal_set {
        uint64_t first;         /* its nearest node */
        uint64_t *actions;      /* those that occur: one bit each */
        struct node_set states; /* until terminal_fini */
        const struct terminal_own *own;
        uint64_t component; /* as `own` has it */
    } * at;                 /* those in which something occurs, in the order of their first nodes */
    uint64_t count;
    uint64_t dead;            /* the nearest node without successors; TERMINAL_NONE: there is none */
    struct terminal_own *own; /* the components of the space */
};

/* By all threads; what comes out does not depend on how many there are. False: *stop says why it was given up. */
bool terminal_run(struct terminal_sets *t, struct space *s, struct stop *stop);
void terminal_fini(struct terminal_sets *t);

/* Where a test fails: the least number of a state from which it has failed for ever, or TERMINAL_NONE. *set is the
 * component, or NULL if that is a state without successors. */
uint64_t terminal_failure(const struct terminal_sets *t, const struct ts *ts, const struct ts_progress *test,
                          const struct terminal_set **set);

/* Whether a test fails in a component. */
bool terminal_fails(const struct terminal_set *set, const struct ts *ts, const struct ts_progress *test);

/* Whether an action does not occur in one of the components. */
bool terminal_lacks(const struct terminal_sets *t, uint32_t action);

#endif
