/* files.h: whole files, programs and folders. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/interim.h"
#include "base/problem.h"

/* The whole text, or NULL (`why` may be NULL). Not with zero bytes, not of a device, and of a pipe not without end. A
 * signal that is caught ends it. */
char *files_read(const char *path, struct problem *why);
char *files_read_fd(int fd); /* from its start, up to a zero byte */
bool files_write_all(int fd, const char *data, size_t size);
char *files_find_program(const char *name); /* its path, found as a shell does, or NULL */
char *files_cache_folder(void);             /* made if need be; NULL: there is no place for one */
const char *files_temporary_folder(void);   /* $TMPDIR or /tmp */
/* Whether so many bytes can be written to a file in the folder, found out by doing it. False: errno says why not. */
bool files_have_room(const char *folder, size_t bytes);
/* A file that is written anew. Until it is finished, what was there before stays (interim.h). What is no ordinary file
 * (a pipe, /dev/null), or where standard output goes already (/dev/stdout), is written directly. */
struct new_file {
    int fd;
    char *path;             /* where it shall be; links are followed */
    bool beside;            /* it is not there yet, but here: */
    struct interim interim; /* ... */
};
bool files_begin(struct new_file *f, const char *path, struct problem *why);
bool files_finish(struct new_file *f, bool good, struct problem *why); /* not good: it is removed; returns false */
/* All of that at once. */
bool files_write_new(const char *path, const char *data, size_t size, struct problem *why);
/* Whether files_begin would do, found out without changing what is there. Of a named pipe that is not tried: who reads
 * it would take a try for the whole. */
bool files_can_begin(const char *path, struct problem *why);

int files_list_oldest_first(const char *folder, char **names, int room);

#endif
