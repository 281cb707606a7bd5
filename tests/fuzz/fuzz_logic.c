/* libFuzzer's way into fluents and assertions of FSP: any text that follows a process is read, and each of its
 * assertions is written out as a formula, which must be one. See tests/fuzz/run. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omega/ltl/ltl_formula.h"
#include "fsp/fsp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fsp_limits limits = {
    .process_states = 200,
    .composed_states = 200,
    .edges = 2000,
    .labels = 300,
    .components = 10,
    .steps = 20000,
    .memory = 16 << 20,
    .no_imports = true,
};

static const char before[] =
    "const N = 2\nrange R = 0..N\nset S = {a, b[R]}\nFUZZ = (a -> b[i:R] -> c[i] -> FUZZ | d.e -> END).\n";

/* What is too large may be refused, but syntax must be right. */
static void check_formula(const char *text) {
    struct problem why = {0};
    struct ltl l;
    uint32_t formula;
    ltl_init(&l);
    bool good = ltl_parse(&l, text, &formula, &why);
    if (!good && !(why.text && (strstr(why.text, "not nested so deeply") || strstr(why.text, "a shorter formula") ||
                                strstr(why.text, "not so long"))))
        abort();
    problem_fini(&why);
    ltl_fini(&l);
}

static void try_assertion(struct fsp_file *f, const char *name) {
    struct problem why = {0};
    struct fsp_system s;
    if (!fsp_target(f, "FUZZ", &s, &why)) {
        if (!why.text) abort();
    } else {
        if (fsp_logic(f, name, &s.network, &why)) {
            if (why.text || (name && !s.network.assertion)) abort();
            if (name) check_formula(s.network.assertion->formula);
        } else if (!why.text) abort();
        fsp_system_fini(&s);
    }
    problem_fini(&why);
}

/* The words after "assert". */
static void try_all(struct fsp_file *f, const char *text) {
    int left = 6;
    for (const char *at = strstr(text, "assert"); at && left > 0; at = strstr(at, "assert"), left--) {
        char name[64];
        size_t n = 0;
        at += strlen("assert");
        while (isspace((unsigned char)*at)) at++;
        while (n + 1 < sizeof name && (isalnum((unsigned char)at[n]) || at[n] == '_')) n++;
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        try_assertion(f, name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct problem why = {0};
    size_t head = strlen(before);
    char *text = malloc(head + size + 1);
    memcpy(text, before, head);
    memcpy(text + head, data, size);
    text[head + size] = 0;
    struct fsp_file *f = fsp_read_text("fuzz.fsp", text, NULL, 0, &limits, &why);
    if (!f && !why.text) abort();
    if (f) {
        try_assertion(f, NULL);
        try_all(f, text + head);
    }
    fsp_free(f);
    problem_fini(&why);
    free(text);
    return 0;
}
