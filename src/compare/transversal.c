/* Berge's algorithm: the transversals of one set more are those that meet it already, and the others with an element of
 * it. Such an extended one is minimal unless it contains one that met the set already: of two extended ones, neither
 * contains the other, since each has one element of the set, and without it they were minimal. */
#include "compare/transversal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void family_init(struct family *f, uint32_t elements) { *f = (struct family){.words = elements / 64 + 1}; }

void family_fini(struct family *f) {
    free(f->bits);
    *f = (struct family){0};
}

uint64_t *family_add(struct family *f) {
    if (f->count == f->room) {
        f->room = 2 * f->room + 8;
        f->bits = memory_resize(f->bits, (uint64_t)f->room * f->words * sizeof *f->bits);
    }
    uint64_t *set = f->bits + (uint64_t)f->count++ * f->words;
    memset(set, 0, f->words * sizeof *set);
    return set;
}

static bool contains(const uint64_t *large, const uint64_t *small, uint32_t words) {
    for (uint32_t i = 0; i < words; i++)
        if (small[i] & ~large[i]) return false;
    return true;
}

static bool meet(const uint64_t *x, const uint64_t *y, uint32_t words) {
    for (uint32_t i = 0; i < words; i++)
        if (x[i] & y[i]) return true;
    return false;
}

void family_minimise(struct family *f) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint64_t *set = family_set(f, i);
        bool stays = true;
        for (uint32_t k = 0; k < f->count && stays; k++) {
            if (k >= kept && k <= i) continue; /* dropped, or the set itself */
            const uint64_t *other = family_set(f, k);
            bool same = memcmp(set, other, f->words * sizeof *set) == 0;
            stays = !contains(set, other, f->words) || (same && k > i);
        }
        if (!stays) continue;
        memmove(f->bits + (uint64_t)kept * f->words, set, f->words * sizeof *set);
        kept++;
    }
    f->count = kept;
}

/* Adds t with the element, unless it contains one of the first `met` sets. */
static void extend(struct family *f, uint32_t met, const uint64_t *t, uint32_t element) {
    uint64_t *set = family_add(f);
    memcpy(set, t, f->words * sizeof *set);
    set_put(set, element);
    for (uint32_t i = 0; i < met; i++)
        if (contains(set, family_set(f, i), f->words)) {
            f->count--;
            return;
        }
}

/* The transversals `now` of some sets become those `next` of one set more. */
static void add_set(const struct family *now, const uint64_t *set, struct family *next) {
    assert(next->words == now->words && next != now);
    next->count = 0;
    for (uint32_t i = 0; i < now->count; i++)
        if (meet(family_set(now, i), set, now->words))
            memcpy(family_add(next), family_set(now, i), now->words * sizeof *set);
    uint32_t met = next->count;
    for (uint32_t i = 0; i < now->count; i++)
        for (uint32_t e = 0; e < 64 * now->words && !meet(family_set(now, i), set, now->words); e++)
            if (set_has(set, e)) extend(next, met, family_set(now, i), e);
}

bool family_transversals(const struct family *f, uint32_t most, struct effort *effort, struct family *out) {
    struct family next = {.words = f->words};
    *out = (struct family){.words = f->words};
    family_add(out);
    bool fine = true;
    for (uint32_t i = 0; i < f->count && fine; i++) {
        add_set(out, family_set(f, i), &next);
        struct family swap = *out;
        *out = next;
        next = swap;
        fine = out->count <= most && !effort_look(effort);
    }
    family_fini(&next);
    return fine;
}
