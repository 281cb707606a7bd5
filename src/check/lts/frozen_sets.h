/* frozen_sets.h: which units of stubborn sets are frozen in which states, by ranges of their numbers. See
 * build_lts.h. */
#ifndef CHECK_LTS_FROZEN_SETS_H
#define CHECK_LTS_FROZEN_SETS_H

#include <stdbool.h>
#include <stdint.h>

struct frozen_sets {
    uint32_t units;
    bool **sets; /* different ones; they stay where they are */
    uint64_t set_count;
    struct frozen_range {
        uint64_t first;
        const bool *frozen;
    } * ranges; /* ascending; in states before the first one nothing is frozen */
    uint64_t range_count;
};

void frozen_sets_init(struct frozen_sets *f, uint32_t units);
void frozen_sets_fini(struct frozen_sets *f);

/* A copy of the set that lasts. */
const bool *frozen_sets_keep(struct frozen_sets *f, const bool *set);

/* In state `first` and all that follow, until the next call, these are frozen. */
void frozen_sets_from(struct frozen_sets *f, uint64_t first, const bool *frozen);

/* What is frozen in a state, or NULL: nothing; and the first state where that changes. */
const bool *frozen_sets_of(const struct frozen_sets *f, uint64_t state, uint64_t *end);

#endif
