/* continuation.h: how an execution goes on after a point of no return: into a part of the system that cannot be left.
 *
 * What comes after the point of no return is to show why there is none: the steps that close the last ways, not a loop
 * before them. So the continuation leads into a bottom strong component of the unreduced system, or to a terminal
 * state, and, if it has more than one state, ends in a cycle there that is more than a self-loop. A continuation that
 * does so already is left as it is; else it is replaced by a shortest way into the nearest such component, and then by
 * the lowest-numbered transitions that change the state, until a state comes again.
 */
#ifndef CHECK_CONTINUATION_H
#define CHECK_CONTINUATION_H

#include "graph/space.h"
#include "ts/trace.h"

enum bottom {
    BOTTOM_REACHED, /* the trace ends there, now or already */
    BOTTOM_UNKNOWN, /* more than BOTTOM_STATES states follow, or another limit, or model code fails there: the trace is
                     * left as it is */
};

enum { BOTTOM_STATES = 1000000 };

/* The trace has a point of no return, and goes on after it. `s` says which system it is, which worker serves, and
 * within which limits. */
enum bottom bottom_lead(struct trace *t, const struct space *s);

#endif
