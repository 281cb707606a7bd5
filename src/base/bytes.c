#include "base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

bool bytes_read_fd(struct bytes *b, int fd) {
    size_t room = 65536;
    *b = (struct bytes){.at = memory_get(room + 1)};
    for (;;) {
        ssize_t n = pread(fd, b->at + b->size, room - b->size, (off_t)b->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return bytes_fini(b), false;
        if (n == 0) break;
        b->size += (size_t)n;
        if (b->size == room) b->at = memory_resize(b->at, (room *= 2) + 1);
    }
    b->at[b->size] = 0;
    return true;
}

bool bytes_read(struct bytes *b, const char *path) {
    struct stat info;
    *b = (struct bytes){.at = NULL};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be a pipe that nobody writes to */
    if (fd < 0) return false;
    bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && bytes_read_fd(b, fd);
    close(fd);
    return good;
}

void bytes_fini(struct bytes *b) {
    int error = errno;
    free(b->at);
    *b = (struct bytes){.at = NULL};
    errno = error;
}
