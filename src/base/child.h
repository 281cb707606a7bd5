/* child.h: another program, run to its end with files for what it reads and writes. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

/* The process, for another thread that may want to end it. */
struct child {
    pthread_mutex_t lock;
    pid_t process; /* 0: there is none */
    bool unwanted;
};

void child_init(struct child *c);
void child_fini(struct child *c);
void child_end(struct child *c); /* asks it to end, now or when it begins */

/* Runs args[0], whose arguments end with NULL. `c` may be NULL. False: it cannot be run. *status: as of waitpid. */
bool child_run(char *const *args, int in, int out, int messages, struct child *c, int *status);

#endif
