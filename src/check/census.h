/* census.h: full counts: the size of the whole state space and every kind of error in it, even if the check has
 * stopped at the first one.
 *
 * People who compose processes want to know the size of the result, and every kind of error that it has, also if the
 * search for the first error could end early. So when something was found, a system that asks for it (ts.h,
 * whole_counts) is explored once more, to its end, unless that is far away.
 *
 * Bad states of such a system are one sink, ERROR, in disguises: they are not counted as states.
 */
#ifndef CHECK_CENSUS_H
#define CHECK_CENSUS_H

#include "graph/bottom.h"
#include "graph/trace.h"

enum { CENSUS_STATES = 1000000 }; /* no more is explored for a census alone */

struct census {
    bool whole; /* the counts are right, and so is what follows */
    uint64_t states, edges, terminals, depth;
    bool has_error, has_deadlock;
    struct trace error, deadlock; /* a shortest execution to each */
    char *error_message;
    bool judged;           /* progress: not if there are errors, or too many states */
    uint32_t *failed;      /* tests of ts->progress that fail */
    uint32_t failed_count; /* of them */
    uint32_t *rare;        /* actions that are not sure to occur again and again; not known with stubborn sets */
    uint32_t rare_count;
};

/* Explores the whole space, if it has at most CENSUS_STATES states, within the limits. */
void census_take(struct census *n, struct ts *ts, struct ts_worker *w, const struct limits *limits,
                 const struct means *means);
/* Judges progress by the terminal components of a complete space. */
void census_judge(struct census *n, const struct ts *ts, const struct terminal_sets *t);
void census_fini(struct census *n);

#endif
