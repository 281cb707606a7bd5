/* c_errors.h: what a C compiler says about a model, as far as a modeller needs it. */
#ifndef MODEL_C_C_ERRORS_H
#define MODEL_C_C_ERRORS_H

#include "base/child.h"
#include "base/problem.h"
#include "code/c_command.h"

/* Describes why the model at `path` does not compile, by what was said, which is not empty: a rule of onager.h that it
 * breaks in a line; else the compiler's words, but not what only follows from the first ones. Returns false. */
bool c_errors_explain(const char *path, const char *output, struct problem *why);

/* Says that it was ended, and why: it was unwanted (base/child.h). Returns false. */
bool c_errors_ended(const char *path, const struct child *child, struct problem *why);

/* Has it done what it should? `messages` is what it said, `status` how it ended. False: *why. */
bool c_errors_none(const char *path, const struct command *c, const struct child *child, const char *messages,
                   int status, struct problem *why);
/* The same if it said it had, and there is no file. Returns false. */
bool c_errors_nothing_made(const struct command *c, struct problem *why);
bool c_errors_cannot_run(const struct command *c, struct problem *why); /* errno says why not; returns false */

#endif
