/* files.h: whole files, programs and folders. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"

char *files_read(const char *path, struct problem *why); /* the whole text, or NULL (`why` may be NULL) */
char *files_read_fd(int fd);                             /* from its start */
bool files_write_all(int fd, const char *data, size_t size);
char *files_find_program(const char *name); /* its path, found as a shell does, or NULL */
char *files_cache_folder(void);             /* made if need be; NULL: there is no place for one */
int files_list_oldest_first(const char *folder, char **names, int room);

#endif
