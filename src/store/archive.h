/* archive.h: a file that is complete or not there.
 *
 * An archive is a sequence of named sections, each a stream of bytes. It is written beside its place, without a name or
 * under one that is its own (interim.h), and takes its place when everything is on the disk: whatever happens before
 * that, what was there before stays. If two programs write the same archive, the one that is complete last stays.
 *
 *     | header | SECTION name | BLOCK | BLOCK | ... | SECTION name | BLOCK | ... | END counts |
 *
 * A block is up to 1 MiB of the stream, compressed. Every record has a head with its sizes, the checksum of what
 * follows, and a seal: the checksum of this head and of all heads before it. So a flipped bit, a block in another place
 * and a block of another archive are noticed where they are, before a byte of them is handed out; a missing end is
 * noticed because there is no END. doc/FORMATS.md has the layout.
 *
 * Memory: about 4 MiB for each reader or writer, whatever the file says.
 */
#ifndef STORE_ARCHIVE_H
#define STORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

/* What an archive is for. */
#define ARCHIVE_STATES "states"
#define ARCHIVE_CHECKPOINT "checkpoint"
#define ARCHIVE_CERTIFICATE "certificate"

enum { ARCHIVE_VERSION = 1, ARCHIVE_NAME = 32, ARCHIVE_KIND = 16 }; /* names and kinds are shorter than this */

/* ---- Writing ---- */

struct archive_writer;

/* A link to a regular file is followed. NULL: why. Something that is there and not a regular file is a reason. */
struct archive_writer *archive_create(const char *path, const char *kind, struct problem *why);

/* All of these return false after an error; then nothing more is written, and archive_commit will tell the reason. */
bool archive_section(struct archive_writer *w, const char *name);
bool archive_write(struct archive_writer *w, const void *data, size_t size);
bool archive_write_number(struct archive_writer *w, uint64_t number);
bool archive_write_text(struct archive_writer *w, const char *text);

/* Brings everything to the disk and to its place, and frees the writer. False: why; what was there before still is
 * (unless it is the folder that could not be brought to the disk). The seal of the whole is stored in *seal, if that is
 * not NULL: it tells this archive from every other. */
bool archive_commit(struct archive_writer *w, uint64_t *seal, struct problem *why);
void archive_abandon(struct archive_writer *w); /* instead: nothing has happened. NULL is fine */

/* ---- Reading ---- */

struct archive_reader;

/* NULL: why: not an archive, of another kind or version, damaged. */
struct archive_reader *archive_open(const char *path, const char *kind, struct problem *why);
void archive_close(struct archive_reader *r); /* NULL is fine */

/* The next section must have this name, and the one before must have been read to its end. */
bool archive_enter(struct archive_reader *r, const char *name, struct problem *why);

/* Up to `most` bytes of the section: *count of them, fewer only at its end. */
bool archive_read(struct archive_reader *r, void *data, size_t most, size_t *count, struct problem *why);
/* Exactly so many. */
bool archive_get(struct archive_reader *r, void *data, size_t size, struct problem *why);
bool archive_get_number(struct archive_reader *r, uint64_t *number, struct problem *why);
/* A new string of at most `most` characters; NULL: why. */
char *archive_get_text(struct archive_reader *r, size_t most, struct problem *why);

/* Nothing may follow. Only when this has returned true was the whole file as it had been written. */
bool archive_finish(struct archive_reader *r, uint64_t *seal, struct problem *why);

#endif
