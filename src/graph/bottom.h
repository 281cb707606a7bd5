/* bottom.h: the terminal strong components of a complete state space, those that cannot be left, and which actions
 * occur in them. Under fair choice every execution ends up in one of them and does all that occurs there again and
 * again; so tests of progress by actions (struct ts_progress) are about them.
 */
#ifndef GRAPH_BOTTOM_H
#define GRAPH_BOTTOM_H

#include "graph/components.h"

#define TERMINAL_NONE UINT64_MAX

struct terminal_sets {
    struct scc components;
    struct terminal_set {
        uint64_t component; /* as in `components` */
        uint64_t first;     /* the least number of a state of it */
        uint64_t *actions;  /* those that occur: one bit each */
    } * at;                 /* those in which something occurs, in the order of their first states */
    uint64_t count;
    uint64_t dead; /* the least number of a state without successors; TERMINAL_NONE: there is none */
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
