#include "store/omissions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const double UNNOTICED = 0.01; /* states that may be missing, and nobody needs to know the number */

/* To two digits, and in groups of three: 27 000. */
static char *rounded(double n, char *buffer, size_t size) {
    char digits[32];
    if (n < 99.5) {
        snprintf(buffer, size, "%.2g", n);
        return buffer;
    }
    double unit = pow(10, floor(log10(n)) - 1);
    snprintf(digits, sizeof digits, "%.0f", fmin(round(n / unit) * unit, 1e15));
    size_t length = strlen(digits), to = 0;
    for (size_t i = 0; i < length && to + 3 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0) buffer[to++] = ' ';
        buffer[to++] = digits[i];
    }
    buffer[to] = 0;
    return buffer;
}

static char *states_told(double omitted) {
    char number[48];
    if (omitted < UNNOTICED) return text_format("fewer than %g states are expected to have been left out", UNNOTICED);
    bool one = strcmp(rounded(omitted, number, sizeof number), "1") == 0;
    return text_format("about %s %s expected to have been left out, and so is what is reachable only through %s",
                       number, one ? "state is" : "states are", one ? "it" : "them");
}

/* As many digits as it takes to see two of what is missing. */
static char *coverage_told(double omitted, double coverage) {
    double missing = 100 * (1 - coverage);
    if (omitted < UNNOTICED) return text_format("coverage about 100 %%");
    if (coverage < 0.99) return text_format("coverage at most about %.2g %%", fmax(100 * coverage, 0.01));
    if (missing < 1e-6) return text_format("coverage above 99.999999 %%");
    return text_format("coverage about %.*f %%", 1 - (int)floor(log10(missing)), 100 - missing);
}

static const char *advice(enum store_kind kind, double coverage) {
    if (coverage >= 0.9) return "";
    return kind == STORE_HASH_COMPACT ? "; the hashes are too short: give more --hash-bits"
                                      : "; the table is too full: give it more memory (--max-memory)";
}

char *losses_told(enum store_kind kind, double omitted, double coverage) {
    char *states = states_told(omitted), *share = coverage_told(omitted, coverage);
    char *text =
        text_format("the states were not kept exactly%s: %s (%s)%s",
                    kind == STORE_EXACT ? " when the memory was full" : "", states, share, advice(kind, coverage));
    free(states);
    free(share);
    return text;
}
