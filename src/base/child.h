/* child.h: another program, run to its end with files for what it reads and writes. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Who may want it to end before it does by itself. It then runs in a process group of its own, and all of that group is
 * ended: a compiler's driver has children that do the work. They are asked first (SIGTERM), so that they can remove
 * their files, and killed if that does not help within a moment. */
struct child {
    atomic_bool unwanted;                     /* said by another thread, before or while it runs */
    const volatile sig_atomic_t *interrupted; /* set by a signal handler; or NULL */
    double deadline;                          /* by clock_seconds; 0: none */
};

void child_init(struct child *c);
void child_fini(struct child *c);
void child_end(struct child *c); /* it is unwanted from now on */
bool child_is_unwanted(const struct child *c);
bool child_is_late(const struct child *c); /* past its deadline; it is then unwanted, too */

/* Runs args[0], whose arguments end with NULL. `c` may be NULL: then it stays in our group. False: it cannot be run.
 * *status: as of waitpid. */
bool child_run(char *const *args, int in, int out, int messages, struct child *c, int *status);

#endif
