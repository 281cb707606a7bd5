/* team.h: threads that work on numbered tasks together.
 *
 * team_run does tasks 0, 1, ..., and comes back when all are done. Each member has a share of consecutive tasks, the
 * same one in all runs with as many tasks, so that it finds in its caches what it left there; it does them in order,
 * and then helps the next member with what is left. The caller is member 0 and works too. Between runs the others wait:
 * a short while for the next run, then asleep.
 *
 * What was written before a run is seen by its tasks, and what they write is seen after it. A team does one run at a
 * time, for one caller: a task must not start another run of the same team.
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bell.h"

/* Does task number `task` as member number `member`. */
typedef void team_task(void *context, unsigned member, uint32_t task);

struct team {
    unsigned size; /* members, the caller included */
    pthread_t *threads;
    struct team_member *members;
    team_task *task;
    void *context;
    uint32_t tasks;
    bool each;         /* every member does one task: its own number */
    struct bell round; /* changes when a run begins */
    struct bell busy;  /* members at work */
    bool ending;
};

/* A team of `size` members, or of as many as the system gives. */
void team_init(struct team *t, unsigned size);
void team_fini(struct team *t);

void team_run(struct team *t, uint32_t tasks, team_task *task, void *context);

/* Every member does one task: its own number. For what belongs to a thread. */
void team_each(struct team *t, team_task *task, void *context);

unsigned team_cores(void); /* processors that this process may use */

/* The same, if it sees so many, but may use only a share of their time: "QUOTA PERIOD", as Linux says it in a control
 * group's cpu.max. Threads that wait for each other must not be more than that. */
unsigned team_cores_within(const char *quota, unsigned cores);

#endif
