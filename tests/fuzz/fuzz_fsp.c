/* libFuzzer's way into the FSP front end: any text is read, and each of its processes is made into a network, and that
 * into an LTS, and into a tester. Limits are low, so that what takes long is a finding. See tests/fuzz/run. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fsp/fsp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fsp_limits limits = {
    .process_states = 2000,
    .composed_states = 2000,
    .edges = 20000,
    .labels = 1000,
    .components = 50,
    .steps = 50000,
    .memory = 64 << 20,
    .no_imports = true,
};

/* What must be so whatever the text was. */
static void check_lts(const struct lts *l) {
    if (l->initial >= l->states || l->first[l->states] != l->edges) abort();
    for (uint64_t e = 0; e < l->edges; e++)
        if (l->edge[e].target >= l->states || l->edge[e].label >= l->labels.count) abort();
    if (l->end != LTS_NONE && l->first[l->end] != l->first[l->end + 1]) abort();
    if (l->error != LTS_NONE && l->first[l->error] != l->first[l->error + 1]) abort();
}

static void compose(const struct network *n) {
    struct problem why = {0};
    struct lts l;
    for (uint32_t i = 0; i < n->count; i++) check_lts(&n->component[i].lts);
    if (network_compose(n, true, 2000, &l, &why)) {
        check_lts(&l);
        lts_fini(&l);
    } else if (!why.text) abort();
    problem_fini(&why);
}

static void try_target(struct fsp_file *f, const char *process) {
    struct problem why = {0};
    struct fsp_system s;
    if (fsp_target(f, process, &s, &why)) {
        if (why.text) abort();
        compose(&s.network);
        fsp_system_fini(&s);
    } else if (!why.text || why.status == EXIT_HOLDS) abort();
    problem_fini(&why);
}

static void try_tester(struct fsp_file *f, const char *process) {
    struct problem why = {0};
    struct tester t;
    if (fsp_tester(f, process, NULL, &t, &why)) {
        if (why.text) abort();
        check_lts(&t.lts);
        for (uint32_t s = 0; s < t.lts.states; s++)
            if (!t.state_name[s]) abort();
        tester_fini(&t);
    } else if (!why.text || why.status == EXIT_HOLDS) abort();
    problem_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct problem why = {0};
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    struct fsp_file *f = fsp_read_text("fuzz.fsp", text, NULL, 0, &limits, &why);
    if (!f && !why.text) abort();
    if (f) {
        try_target(f, NULL);
        for (uint32_t i = 0; i < fsp_process_count(f) && i < 8; i++) {
            try_target(f, fsp_process(f, i).name);
            try_tester(f, fsp_process(f, i).name);
        }
    }
    fsp_free(f);
    problem_fini(&why);
    free(text);
    return 0;
}
