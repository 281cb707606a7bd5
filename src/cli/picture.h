/* picture.h: texts in the language of Graphviz as files: as they are, or drawn by its program dot. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdbool.h>

#include "base/problem.h"

/* What -T says to dot for a file of that name; "dot" for its own language, also for "-", standard output; NULL: it is
 * not the name of a picture. */
const char *picture_format(const char *path);

/* Is it the name of a file for a picture? NULL: no. */
bool picture_is(const char *path);

/* Writes it to the file, whose name is that of a picture. What could not be finished is removed. */
bool picture_write(const char *text, const char *path, struct problem *why);

#endif
