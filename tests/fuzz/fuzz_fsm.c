/* libFuzzer's way into the reader of .fsm files. What can be read is written again, and must then be read as the same. See
 * tests/fuzz/run. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "lts/lts_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_lts(const struct lts *l) {
    if (l->initial >= l->states || l->first[l->states] != l->edges) abort();
    for (uint64_t e = 0; e < l->edges; e++)
        if (l->edge[e].target >= l->states || l->edge[e].label >= l->labels.count) abort();
}

static void write_and_read(const struct lts *l) {
    char path[] = "/tmp/fuzz_fsm_XXXXXX.fsm";
    struct problem why = {0};
    struct lts again;
    int fd = mkstemps(path, 4);
    if (fd < 0) return;
    if (lts_file_write(l, path, NULL, &why)) {
        if (!lts_file_read(path, NULL, &again, &why)) abort();
        if (l->states != again.states || l->edges != again.edges || again.initial != 0) abort();
        lts_fini(&again);
    }
    close(fd);
    unlink(path);
    problem_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct problem why = {0};
    struct lts l;
    if (lts_file_parse((const char *)data, size, "fuzz.fsm", NULL, &l, &why)) {
        check_lts(&l);
        if (l.states < 100000) write_and_read(&l);
        lts_fini(&l);
    } else if (!why.text) abort();
    problem_fini(&why);
    return 0;
}
