/* again.h: what targets of LTS files share: what could be read is whole; written again, it is read as the same. */
#ifndef FUZZ_AGAIN_H
#define FUZZ_AGAIN_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lts/lts_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_lts(const struct lts *l) {
    if (l->initial >= l->states || l->first[l->states] != l->edges) abort();
    for (uint64_t e = 0; e < l->edges; e++)
        if (l->edge[e].target >= l->states || l->edge[e].label >= l->labels.count) abort();
}

/* The initial state may change its number, where the format asks for that. */
static void write_and_read(const struct lts *l, const char *suffix, const struct lts_file_options *o) {
    char path[] = "/tmp/fuzz_XXXXXX.aut";
    struct problem why = {0};
    struct lts again;
    memcpy(strrchr(path, '.'), suffix, strlen(suffix));
    int fd = mkstemps(path, (int)strlen(suffix));
    if (fd < 0) return;
    if (lts_file_write(l, path, o, &why)) {
        if (!lts_file_read(path, NULL, &again, &why)) abort();
        if (l->states != again.states || l->edges != again.edges) abort();
        if (l->initial != again.initial && again.initial != 0) abort();
        lts_fini(&again);
    }
    close(fd);
    unlink(path);
    problem_fini(&why);
}

/* Files of this kind, whose names end with four characters. */
static int fuzz_lts(const uint8_t *data, size_t size, enum file_kind kind, const char *suffix) {
    struct mcrl2_kept kept = {0};
    const struct lts_file_options as_read = {.kind = kind, .kept = &kept}, as_written = {.kept = &kept};
    struct problem why = {0};
    struct lts l;
    if (lts_file_parse((const char *)data, size, "fuzz", &as_read, &l, &why)) {
        check_lts(&l);
        if (l.states < 100000) write_and_read(&l, suffix, &as_written);
        lts_fini(&l);
    } else if (!why.text) abort();
    mcrl2_kept_fini(&kept);
    problem_fini(&why);
    return 0;
}

#endif
