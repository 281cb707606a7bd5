/* bytes.h: whole files that need not be text: any bytes, zeroes too. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

struct bytes {
    char *at; /* followed by a zero byte that does not count; NULL: nothing was read */
    size_t size;
};

/* All of an open file, from its start. False: errno says why not, and there is nothing to free. */
bool bytes_read_fd(struct bytes *b, int fd);
bool bytes_read(struct bytes *b, const char *path); /* of a regular file only: others may have no end */
void bytes_fini(struct bytes *b);

#endif
