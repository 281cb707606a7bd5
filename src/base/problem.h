/* problem.h: why something could not be done.
 *
 * A function that can fail takes a `struct problem *` and returns false after describing the failure in it. Nothing in
 * the library prints or exits; main shows the text and ends with the status. A problem is written once: the first
 * description stands.
 */
#ifndef BASE_PROBLEM_H
#define BASE_PROBLEM_H

#include <stdbool.h>

/* The exit statuses of the program. */
enum exit_status {
    EXIT_HOLDS = 0,
    EXIT_VIOLATED = 1,
    EXIT_BAD_INPUT = 2,
    EXIT_INCONCLUSIVE = 3,
    EXIT_INTERNAL = 4,
};

struct problem {
    enum exit_status status; /* EXIT_HOLDS: no problem yet */
    char *text;              /* one or more lines, no newline at the end */
};

/* Describes a problem, printf-style; returns false, so that a caller can `return problem_set(...)`. */
bool problem_set(struct problem *why, enum exit_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void problem_fini(struct problem *why);

#endif
