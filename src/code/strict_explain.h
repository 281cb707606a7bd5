/* strict_explain.h: what a watch has found (strict_watch.h), in words, with the line of the source. */
#ifndef CODE_STRICT_EXPLAIN_H
#define CODE_STRICT_EXPLAIN_H

#include <stddef.h>

#include "code/strict_watch.h"

/* Writes a clause without a full stop. `image` is a descriptor of the file of the plug-in, or -1.
 * If it is not known which line it was (source_line.h), none is told. */
void strict_explain(const struct watch_finding *found, int image, char *text, size_t size);

/* The line where it was found. 0: it is not known; else *file becomes a new string. */
unsigned strict_line(const struct watch_finding *found, int image, char **file);

#endif
