#include "ts/facts.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- Seen ---- */

struct facts_seen *facts_seen_new(uint32_t transitions) {
    struct facts_seen *f = memory_get_zeroed(sizeof *f + transitions * sizeof f->of[0]);
    f->transitions = transitions;
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

void facts_seen_free(struct facts_seen *f) {
    if (f) pthread_mutex_destroy(&f->lock);
    free(f);
}

static bool has_flip(const struct footprint_seen *x, word flip) {
    uint32_t i = 0;
    while (i < x->count && i < FACTS_FLIPS && x->flips[i] != flip) i++;
    return i < x->count;
}

word facts_note(struct facts_seen *f, uint32_t t, word uses, word flip) {
    assert(t < f->transitions);
    assert(!(flip & ~uses)); /* what it flips, it has stored */
    struct footprint_seen *x = &f->of[t];
    pthread_mutex_lock(&f->lock);
    if ((uses & ~x->uses) || (flip && !has_flip(x, flip))) {
        x->uses |= uses;
        x->changes |= flip;
        if (flip && !has_flip(x, flip)) {
            if (x->count < FACTS_FLIPS) x->flips[x->count] = flip;
            x->count++;
        }
        f->version++;
    }
    word all = x->uses;
    pthread_mutex_unlock(&f->lock);
    return all;
}

bool seen_alike(const struct footprint_seen *a, const struct footprint_seen *b) {
    if (a->count > FACTS_FLIPS || b->count > FACTS_FLIPS) return (a->changes & b->changes) != 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (has_flip(b, a->flips[i])) return true;
    return false;
}

/* ---- Proved ---- */

struct facts_proved *facts_proved_new(uint32_t transitions, uint32_t words) {
    struct facts_proved *f = memory_get_zeroed(sizeof *f);
    *f = (struct facts_proved){.transitions = transitions, .words = words};
    f->of = memory_get((transitions + UINT64_C(1)) * sizeof *f->of);
    f->memory = memory_get_zeroed(((size_t)transitions * words * 2 + 1) * sizeof *f->memory);
    for (uint32_t t = 0; t < transitions; t++)
        f->of[t] = (struct footprint_proved){.reads = proved_reads(f, t), .writes = proved_writes(f, t)};
    return f;
}

void facts_proved_free(struct facts_proved *f) {
    if (!f) return;
    free(f->of);
    free(f->memory);
    free(f);
}

word *proved_reads(struct facts_proved *f, uint32_t t) {
    assert(t < f->transitions);
    return f->memory + (size_t)t * 2 * f->words;
}

word *proved_writes(struct facts_proved *f, uint32_t t) { return proved_reads(f, t) + f->words; }

bool proved_independent(const struct facts_proved *f, uint32_t t, uint32_t u) {
    const struct footprint_proved *a = &f->of[t], *b = &f->of[u];
    assert(t < f->transitions && u < f->transitions);
    for (uint32_t i = 0; i < f->words; i++)
        if (((a->reads[i] | a->writes[i]) & b->writes[i]) | (a->writes[i] & b->reads[i])) return false;
    return true;
}

bool facts_agree(const struct facts_proved *f, uint32_t t, const word *s, const word *to) {
    for (uint32_t i = 0; i < f->words; i++)
        if ((s[i] ^ to[i]) & ~f->of[t].writes[i]) return false;
    return true;
}
