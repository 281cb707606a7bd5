/* c_errors.h: what a C compiler says about a model, as far as a modeller needs it. */
#ifndef MODEL_C_C_ERRORS_H
#define MODEL_C_C_ERRORS_H

#include "base/problem.h"

/* Describes why the model at `path` does not compile, by what was said, which is not empty: a rule of onager.h that it
 * breaks in a line; else the compiler's words, but not what only follows from the first ones. Returns false. */
bool c_errors_explain(const char *path, const char *output, struct problem *why);

#endif
