#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/derived/sets_inner.h"

enum { SAMPLE_STATES = 400, SAMPLE_LEAST = 60 };

/* On a random walk through the reduced system, without what diagrams do not tell: how often each enabled transition
 * makes one. Returns in how many of 100 states there is one. */
static uint32_t sample(struct derived_sets *s, uint32_t *often) {
    uint32_t words = s->d->readings.source->words, some = 0, seen = 0;
    uint64_t state[words], next[words], chance = 1;
    memcpy(state, s->d->readings.source->initial, sizeof state);
    for (uint32_t i = 0; i < SAMPLE_STATES; i++) {
        uint32_t in = 0, t = UINT32_MAX;
        bool found = false;
        s->state = state;
        if (!sets_enter(s)) break;
        sets_delete(s, false);
        for (uint32_t k = 0; k < s->enabled_count; k++) {
            uint32_t e = s->enabled_list[k];
            if (plain_is_set(s->plain, state, e)) often[e]++, found = true;
            chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            if (s->in[e] && (chance >> 33) % ++in == 0) t = e;
        }
        some += found;
        seen += s->enabled_count > 0;
        bool goes_on = t != UINT32_MAX && derived_sets_fire(s, t, next);
        memcpy(state, goes_on ? next : s->d->readings.source->initial, sizeof state);
    }
    return seen ? 100 * some / seen : 0;
}

void sets_try_plain(struct derived_sets *s) {
    uint32_t transitions = s->d->transitions, count = 0;
    uint32_t *often = memory_get_zeroed((transitions + UINT64_C(1)) * sizeof *often);
    uint32_t *order = memory_get((transitions + UINT64_C(1)) * sizeof *order);
    if (sample(s, often) < SAMPLE_LEAST) {
        plain_free(s->plain);
        s->plain = NULL;
    } else {
        for (uint32_t t = 0; t < transitions; t++) {
            uint32_t at = count;
            if (!often[t]) continue;
            while (at > 0 && often[order[at - 1]] < often[t]) order[at] = order[at - 1], at--;
            order[at] = t, count++;
        }
        plain_order(s->plain, order, count);
    }
    s->entered = false;
    free(often), free(order);
}
