/* c_symbols.h: what a compiled model must not use: functions whose answers are not the same each time, that leave
 * something behind, or that take the program away from under us; and variables of threads. */
#ifndef MODEL_C_C_SYMBOLS_H
#define MODEL_C_C_SYMBOLS_H

#include "base/bytes.h"
#include "base/problem.h"

/* False: `path`, the model, uses one; the problem names it, and says why that is wrong and what to do. Or what it uses
 * cannot be found out. */
bool c_symbols_allowed(const struct bytes *library, const char *path, struct problem *why);

#endif
