#include "reduce/sleep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct sleep_facts *sleep_facts_new(void) {
    struct sleep_facts *f = memory_get_zeroed(sizeof *f);
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

void sleep_facts_free(struct sleep_facts *f) {
    if (f) pthread_mutex_destroy(&f->lock);
    free(f);
}

static bool has_flip(const struct sleep_fact *x, word flip) {
    uint32_t i = 0;
    while (i < x->count && i < SLEEP_FLIPS && x->flips[i] != flip) i++;
    return i < x->count;
}

void sleep_note(struct sleep_facts *f, uint32_t k, word uses, word flip) {
    struct sleep_fact *x = &f->of[k];
    pthread_mutex_lock(&f->lock);
    if ((uses & ~x->uses) || (flip && !has_flip(x, flip))) {
        x->uses |= uses;
        x->changes |= flip;
        if (flip && !has_flip(x, flip)) {
            if (x->count < SLEEP_FLIPS) x->flips[x->count] = flip;
            x->count++;
        }
        f->version++;
    }
    pthread_mutex_unlock(&f->lock);
}

static bool are_independent(const struct sleep_fact *a, const struct sleep_fact *b) {
    return !(a->uses & b->changes) && !(a->changes & b->uses);
}

/* May both lead from a state to the same other one? */
static bool may_meet(const struct sleep_fact *a, const struct sleep_fact *b) {
    if (a->count > SLEEP_FLIPS || b->count > SLEEP_FLIPS) return (a->changes & b->changes) != 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (has_flip(b, a->flips[i])) return true;
    return false;
}

void sleep_learn(struct sleep *z, struct sleep_facts *f, uint32_t transitions) {
    if (z->version == f->version + 1) return;
    pthread_mutex_lock(&f->lock);
    memset(z, 0, sizeof *z);
    z->awake[0] = z->siblings[0] = ~UINT64_C(0);
    for (uint32_t t = 0; t < transitions; t++)
        for (uint32_t u = 0; u < transitions; u++) {
            uint64_t bit = UINT64_C(1) << u;
            if (!are_independent(&f->of[t], &f->of[u])) z->awake[t + 1] |= bit;
            if (t == u || may_meet(&f->of[t], &f->of[u])) z->siblings[t + 1] |= bit;
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
        if (!(origins[last] & TS_ORIGIN_MORE)) siblings = 0;
        if (last < n) awake[last] = z->awake[origin] | siblings;
        siblings |= z->siblings[origin];
    }
}
