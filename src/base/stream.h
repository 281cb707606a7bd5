/* stream.h: files that are read and written piece by piece, packed by gzip or zstd or not. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/problem.h"
#include "base/suffix.h"

enum { STREAM_END = 0, STREAM_FAILED = -1, STREAM_AGAIN = -2 };

/* ---- Reading ---- */

struct stream_in;

/* "-" is standard input. How it is packed is told by the first bytes; if `named`, what the name says must agree with
 * them. NULL: `why`, or, without one, a signal came while a pipe was being opened: look whether to stop, and try
 * again. */
struct stream_in *stream_open(const char *path, bool named, struct problem *why);

/* How many bytes; STREAM_END; STREAM_FAILED: `why` (also: what is packed is damaged, or does not go to its end);
 * STREAM_AGAIN: a signal came, call it again. */
ssize_t stream_read(struct stream_in *s, char *buffer, size_t room, struct problem *why);

void stream_close(struct stream_in *s);

/* ---- Writing ---- */

struct stream_out;

/* "-" is standard output, after what was printed. A file is complete or not there (files.h). */
struct stream_out *stream_begin(const char *path, enum packing packing, struct problem *why);

/* False: it can not be written; stream_finish tells why. */
bool stream_write(struct stream_out *s, const char *data, size_t size);

/* Frees it. Not good: what was written is removed, and `why` is set already. */
bool stream_finish(struct stream_out *s, bool good, struct problem *why);

#endif
