#include "front/sleep.h"

#include <string.h>

void sleep_note(struct sleep_facts *f, uint32_t t, word uses, word flips) {
    if (!(uses & ~f->uses[t]) && !(flips & ~f->changes[t])) return;
    f->uses[t] |= uses;
    f->changes[t] |= flips;
    f->version++;
}

void sleep_learn(struct sleep *z, const struct sleep_facts *f, uint32_t transitions, const uint8_t *group_of) {
    uint32_t version = f->version + 1; /* first: what comes later is for the next time */
    word uses[SLEEP_TRANSITIONS], changes[SLEEP_TRANSITIONS];
    if (z->version == version) return;
    for (uint32_t t = 0; t < transitions; t++) {
        uses[t] = f->uses[t];
        changes[t] = f->changes[t];
    }
    memset(z->awake, 0, sizeof z->awake);
    memset(z->siblings, 0, sizeof z->siblings);
    z->awake[0] = z->siblings[0] = ~UINT64_C(0);
    for (uint32_t t = 0; t < transitions; t++)
        for (uint32_t u = 0; u < transitions; u++) {
            uint64_t group = UINT64_C(1) << group_of[u];
            if ((uses[u] & changes[t]) || (uses[t] & changes[u])) z->awake[t + 1] |= group;
            if (t == u || (changes[t] & changes[u])) z->siblings[t + 1] |= group;
        }
    z->version = version;
}

void sleep_awake(const struct sleep *z, const uint8_t *origins, uint32_t n, uint64_t *awake) {
    uint32_t last = n;
    uint64_t siblings = 0;
    while (last > 0 && (origins[last - 1] & TS_ORIGIN_MORE)) last++;
    while (last-- > 0) {
        uint8_t origin = origins[last] % TS_ORIGIN_MORE;
        if (!(origins[last] & TS_ORIGIN_MORE)) siblings = 0;
        if (last < n) awake[last] = z->awake[origin] | siblings;
        siblings |= z->siblings[origin];
    }
}
