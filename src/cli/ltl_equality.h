/* ltl_equality.h: onager ltl A --equals B: do they accept the same? */
#ifndef CLI_LTL_EQUALITY_H
#define CLI_LTL_EQUALITY_H

#include "cli/ltl_subject.h"

/* Tells it on standard output. The exit status: EXIT_HOLDS: they accept the same; EXIT_VIOLATED: they do not; else
 * `why`. */
int ltl_equals(struct subject *first, struct subject *second, struct problem *why);

#endif
