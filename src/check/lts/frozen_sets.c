#include "check/lts/frozen_sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void frozen_sets_init(struct frozen_sets *f, uint32_t units) { *f = (struct frozen_sets){.units = units}; }

void frozen_sets_fini(struct frozen_sets *f) {
    for (uint64_t k = 0; k < f->set_count; k++) free(f->sets[k]);
    free(f->sets);
    free(f->ranges);
}

/* Few are different; those that were used last come up again first. */
const bool *frozen_sets_keep(struct frozen_sets *f, const bool *set) {
    for (uint64_t k = f->set_count; k-- > 0;)
        if (memcmp(f->sets[k], set, f->units) == 0) return f->sets[k];
    f->sets = memory_resize(f->sets, (f->set_count + 1) * sizeof *f->sets);
    f->sets[f->set_count] = memory_get(f->units + UINT64_C(1));
    memcpy(f->sets[f->set_count], set, f->units);
    return f->sets[f->set_count++];
}

void frozen_sets_from(struct frozen_sets *f, uint64_t first, const bool *frozen) {
    assert(f->range_count == 0 || f->ranges[f->range_count - 1].first < first); /* frozen_sets_of halves */
    f->ranges = memory_resize(f->ranges, (f->range_count + 1) * sizeof *f->ranges);
    f->ranges[f->range_count++] = (struct frozen_range){first, frozen};
}

const bool *frozen_sets_of(const struct frozen_sets *f, uint64_t state, uint64_t *end) {
    uint64_t low = 0, high = f->range_count; /* ranges below `low` begin at the state or before it */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (f->ranges[middle].first <= state) low = middle + 1;
        else high = middle;
    }
    *end = low < f->range_count ? f->ranges[low].first : UINT64_MAX;
    return low > 0 ? f->ranges[low - 1].frozen : NULL;
}
