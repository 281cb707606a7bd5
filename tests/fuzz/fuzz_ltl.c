/* libFuzzer's way into the reader of formulas. What can be read is printed, and must then be read as the same; short
 * formulas are also simplified and translated. See tests/fuzz/run. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "omega/ltl/ltl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void translate(const struct ltl *l, uint32_t formula) {
    struct problem why = {0};
    struct ba a;
    if (ltl_to_ba(l, formula, false, &a, &why)) ba_fini(&a);
    else if (!why.text) abort();
    problem_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct problem why = {0};
    struct ltl l;
    uint32_t formula, again;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    ltl_init(&l);
    if (ltl_parse(&l, text, &formula, &why)) {
        char *printed = ltl_text(&l, formula);
        if (!ltl_parse(&l, printed, &again, &why) || again != formula) abort();
        free(printed);
        if (strlen(text) < 60) translate(&l, formula);
    } else if (!why.text) abort();
    problem_fini(&why);
    ltl_fini(&l);
    free(text);
    return 0;
}
