#include "algo/natural.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void natural_add(uint64_t *a, const uint64_t *b, uint32_t limbs) {
    bool carry = false;
    for (uint32_t i = 0; i < limbs; i++) {
        uint64_t sum;
        bool first = __builtin_add_overflow(a[i], b[i], &sum);
        bool second = __builtin_add_overflow(sum, (uint64_t)carry, &a[i]);
        carry = first || second;
    }
    assert(!carry); /* the caller has seen to it that there is room */
}

/* Divides by 10^18; returns the rest. */
static uint64_t cut(uint64_t *a, uint32_t limbs) {
    const uint64_t most = UINT64_C(1000000000000000000);
    uint64_t rest = 0;
    for (uint32_t i = limbs; i-- > 0;) {
        unsigned __int128 both = (unsigned __int128)rest << 64 | a[i];
        a[i] = (uint64_t)(both / most);
        rest = (uint64_t)(both % most);
    }
    return rest;
}

static bool is_zero(const uint64_t *a, uint32_t limbs) {
    for (uint32_t i = 0; i < limbs; i++)
        if (a[i]) return false;
    return true;
}

char *natural_text(const uint64_t *a, uint32_t limbs) {
    uint64_t *left = memory_get((limbs + 1) * sizeof *left);
    memcpy(left, a, limbs * sizeof *left);
    uint64_t low = cut(left, limbs);
    char *text = NULL;
    for (bool last = false; !last; low = cut(left, limbs)) {
        last = is_zero(left, limbs);
        char *longer = text_format(last ? "%llu%s" : "%018llu%s", (unsigned long long)low, text ? text : "");
        free(text);
        text = longer;
        if (last) break;
    }
    free(left);
    return text;
}

uint64_t natural_small(const uint64_t *a, uint32_t limbs) {
    assert(limbs > 0);
    return is_zero(a + 1, limbs - 1) ? a[0] : UINT64_MAX;
}
