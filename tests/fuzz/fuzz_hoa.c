/* libFuzzer's way into the reader of HOA files. What can be read is written again, and must then be read as the same
 * size; small automata are also reduced and converted. See tests/fuzz/run. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "omega/convert.h"
#include "omega/hoa/hoa.h"
#include "omega/simplify.h"
#include "omega/trim.h"
#include "watch/tester_hoa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_ba(const struct ba *a) {
    if (a->first[a->states] != a->edges || a->propositions.count > MOST_PROPOSITIONS || a->sets > MOST_SETS) abort();
    for (uint32_t i = 0; i < a->edges; i++)
        if (a->edge[i].target >= a->states || (a->edge[i].label.value & ~a->edge[i].label.care)) abort();
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->initial[i] >= a->states) abort();
}

static void check_ta(const struct ta *a) {
    if (a->first[a->states] != a->edges) abort();
    for (uint32_t i = 0; i < a->edges; i++)
        if (a->edge[i].target >= a->states || a->edge[i].change == 0) abort();
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->initial[i].state >= a->states) abort();
}

static void write_and_read(const struct hoa *h) {
    struct problem why = {0};
    struct hoa again;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return;
    if (h->testing) hoa_write_ta(&h->ta, h->name, out);
    else hoa_write_ba(&h->ba, h->name, false, out);
    fclose(out);
    if (!hoa_parse(text, size, "again", &again, &why)) abort();
    if (h->testing && (again.ta.states != h->ta.states || again.ta.edges != h->ta.edges)) abort();
    if (!h->testing && (again.ba.states != h->ba.states || again.ba.sets != h->ba.sets)) abort();
    hoa_fini(&again);
    free(text);
}

static void work_with_ba(const struct ba *a) {
    struct ba small;
    struct sba states;
    struct problem why = {0};
    if (a->states > 6 || a->edges > 30) return;
    if (a->sets < 4) {
        ba_simplify_by_state(a, &small);
        check_ba(&small);
        ba_fini(&small);
    }
    if (a->propositions.count < 4 && sba_from_ba(a, &states, &why)) sba_fini(&states);
    problem_fini(&why);
}

static void work_with_ta(const struct ta *a) {
    struct ta small;
    if (a->states > 10 || a->edges > 100) return;
    ta_simplify(a, false, &small);
    check_ta(&small);
    ta_fini(&small);
}

static void try_tester(const uint8_t *data, size_t size) {
    struct problem why = {0};
    struct tester t;
    if (tester_hoa_parse((const char *)data, size, "fuzz.hoa", &t, &why)) {
        for (uint64_t e = 0; e < t.lts.edges; e++)
            if (t.lts.edge[e].target >= t.lts.states || t.lts.edge[e].label >= t.lts.labels.count) abort();
        tester_fini(&t);
    } else if (!why.text) abort();
    problem_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct problem why = {0};
    struct hoa h;
    if (hoa_parse((const char *)data, size, "fuzz.hoa", &h, &why)) {
        if (h.testing) check_ta(&h.ta);
        else check_ba(&h.ba);
        if ((h.testing ? h.ta.states : h.ba.states) < 1000) write_and_read(&h);
        if (h.testing) work_with_ta(&h.ta);
        else work_with_ba(&h.ba);
        hoa_fini(&h);
    } else if (!why.text) abort();
    problem_fini(&why);
    try_tester(data, size);
    return 0;
}
