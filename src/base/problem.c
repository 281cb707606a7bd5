#include "base/problem.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"

bool problem_set(struct problem *why, enum exit_status status, const char *fmt, ...) {
    if (why->status != EXIT_HOLDS) return false;
    va_list args;
    va_start(args, fmt);
    why->text = text_vformat(fmt, args);
    va_end(args);
    text_make_printable(why->text); /* files are quoted in it, and may be anything */
    why->status = status;
    return false;
}

void problem_fini(struct problem *why) {
    free(why->text);
    *why = (struct problem){0};
}
