#include "reduce/sleep.h"

#include <assert.h>
#include <string.h>

void sleep_learn(struct sleep *z, struct facts_seen *f, bool forward) {
    const uint32_t n = f->transitions;
    assert(n <= SLEEP_TRANSITIONS);
    if (z->version == f->version + 1) return;
    pthread_mutex_lock(&f->lock);
    memset(z, 0, sizeof *z);
    z->awake[0] = z->siblings[0] = ~UINT64_C(0);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t k = 0; k < n; k++) {
            const struct footprint_seen *t = &f->of[forward ? j : n - 1 - j], *u = &f->of[forward ? k : n - 1 - k];
            uint64_t bit = UINT64_C(1) << k;
            if (!seen_independent(t, u)) z->awake[j + 1] |= bit;
            if (j == k || seen_alike(t, u)) z->siblings[j + 1] |= bit;
        }
    z->version = f->version + 1;
    pthread_mutex_unlock(&f->lock);
}

void sleep_awake(const struct sleep *z, const uint8_t *origins, uint32_t n, uint64_t *awake) {
    uint32_t last = n;
    uint64_t siblings = 0;
    while (last > 0 && (origins[last - 1] & TS_ORIGIN_MORE)) last++;
    while (last-- > 0) {
        uint8_t origin = origins[last] % TS_ORIGIN_MORE;
        assert(origin <= SLEEP_TRANSITIONS);
        if (!(origins[last] & TS_ORIGIN_MORE)) siblings = 0;
        if (last < n) awake[last] = z->awake[origin] | siblings;
        siblings |= z->siblings[origin];
    }
}
