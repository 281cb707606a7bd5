/* libFuzzer's way into files that are packed: whatever the bytes are, they are an LTS, or there is a message. See
 * tests/fuzz/run. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "lts/lts_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_as(const char *path) {
    struct effort effort = {.deadline = clock_seconds() + 5}; /* a few bytes can stand for very many */
    struct lts_file_options o = {.effort = &effort};
    struct problem why = {0};
    struct lts l;
    if (lts_file_read(path, &o, &l, &why)) {
        if (l.initial >= l.states || l.first[l.states] != l.edges) abort();
        lts_fini(&l);
    } else if (!why.text) abort();
    problem_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/fuzz_packed_XXXXXX.aut.gz";
    if (size > 2 && data[0] == 0x28) { /* zstd */
        char zstd[] = "/tmp/fuzz_packed_XXXXXX.fsm.zst";
        int fd = mkstemps(zstd, 8);
        if (fd >= 0 && write(fd, data, size) == (ssize_t)size) read_as(zstd);
        close(fd);
        unlink(zstd);
        return 0;
    }
    int fd = mkstemps(path, 7);
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size) read_as(path);
    close(fd);
    unlink(path);
    return 0;
}
