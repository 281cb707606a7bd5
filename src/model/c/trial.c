#include "model/c/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool trial_init(struct trial *x, const struct observer *o, struct guard *g) {
    const struct onager_observer *plugin = o->plugin;
    *x = (struct trial){.observer = o, .plugin = plugin, .guard = g, .random = UINT64_C(0x9e3779b97f4a7c15)};
    x->other = memory_get_lines(plugin->native_size);
    x->words = memory_get(2 * (size_t)plugin->words * sizeof(uint64_t));
    if (watch_works(g) && watch_init(&x->watch, plugin->native_size, g)) return true;
    x->obstacle = OBSTACLE_NOT_WATCHED;
    return false;
}

void trial_fini(struct trial *x) {
    watch_fini(&x->watch);
    free(x->other);
    free(x->words);
}

/* ---- Bits of variables ---- */

/* A variable, or an element of an array. */
struct place {
    size_t byte, bytes; /* in the struct */
    size_t bit;         /* in a packed state */
    unsigned bits;
    int64_t width;
};

static struct place place_of(const struct onager_field *f, uint32_t i) {
    unsigned bits = (unsigned)ONAGER_BITS(f->width);
    return (struct place){.byte = f->native_offset + (size_t)i * f->size,
                          .bytes = f->size,
                          .bit = f->bit_offset + ONAGER_MARK_BITS + (size_t)i * bits,
                          .bits = bits,
                          .width = f->width};
}

static void put(uint64_t *words, const struct place *p, uint64_t value) {
    for (unsigned i = 0; i < p->bits; i++) {
        uint64_t bit = UINT64_C(1) << (p->bit + i) % 64, *word = &words[(p->bit + i) / 64];
        *word = value >> i & 1 ? *word | bit : *word & ~bit;
    }
}

/* What was seen of any of its bytes: a part of a variable may tell of all of it, such as its sign. */
static unsigned seen_of(const struct trial *x, const struct place *p) {
    unsigned seen = 0;
    for (size_t i = 0; i < p->bytes; i++) seen |= x->watch.seen[p->byte + i];
    return seen;
}

static uint64_t random_value(struct trial *x, const struct place *p) {
    x->random ^= x->random << 13;
    x->random ^= x->random >> 7;
    x->random ^= x->random << 17;
    uint64_t value = x->random >> 5;
    return ONAGER_IS_UPTO(p->width) ? value % ((uint64_t)ONAGER_UPTO_MAX(p->width) + 1) : value;
}

/* The uses; and `other` becomes a state that agrees with this one there. */
static void note_uses(struct trial *x, struct trial_uses uses, uint64_t *other) {
    for (uint32_t f = 0; f < x->plugin->field_count; f++)
        for (uint32_t i = 0; i < x->plugin->fields[f].length; i++) {
            struct place p = place_of(&x->plugin->fields[f], i);
            unsigned seen = seen_of(x, &p);
            if (seen & WATCH_READ) put(uses.reads, &p, ~UINT64_C(0));
            if (seen & WATCH_STORED) put(uses.writes, &p, ~UINT64_C(0));
            if (!seen) put(other, &p, random_value(x, &p));
        }
}

/* ---- Trying ---- */

/* Why the guard has ended it. */
static enum obstacle why_ended(const struct trial *x) {
    if (guard_timed_out(x->guard) || x->watch.end == WATCH_TOO_LONG) return OBSTACLE_TOO_LONG;
    if (x->watch.end == WATCH_BESIDE) return OBSTACLE_BESIDE;
    if (x->watch.end == WATCH_ELSEWHERE && observer_has(x->observer, x->watch.address))
        return OBSTACLE_STORES_ELSEWHERE;
    return OBSTACLE_CRASH;
}

/* Fires t in the state, which may be a watched one; `packed` is where it can be read from afterwards. */
static enum trial_answer fire(struct trial *x, state *s, const state *packed, uint32_t t, uint64_t *out) {
    volatile int fired = TRIAL_UNKNOWN; /* after a jump, too */
    if (GUARD_ENTER(x->guard)) {
        fired = x->plugin->fire(s, t) ? TRIAL_FIRED : TRIAL_DISABLED;
        guard_leave(x->guard);
    }
    if (fired == TRIAL_UNKNOWN) return x->obstacle = why_ended(x), TRIAL_UNKNOWN;
    if (x->plugin->pack(packed, out)) return (enum trial_answer)fired;
    x->obstacle = OBSTACLE_OUT_OF_RANGE;
    return TRIAL_UNKNOWN;
}

/* Does t do the same in the other state? */
static bool does_the_same(struct trial *x, const uint64_t *words, uint32_t t, enum trial_answer fired,
                          const uint64_t *out, const uint64_t *other) {
    uint64_t *after = x->words + x->plugin->words;
    x->plugin->unpack(x->other, other);
    bool same = fire(x, x->other, x->other, t, after) == fired;
    for (uint32_t i = 0; same && i < x->plugin->words; i++) same = (words[i] ^ out[i]) == (other[i] ^ after[i]);
    return same;
}

enum trial_answer trial_fire(struct trial *x, const uint64_t *words, uint32_t t, uint64_t *out,
                             struct trial_uses uses) {
    size_t bytes = x->plugin->words * sizeof(uint64_t);
    memset(uses.reads, 0, bytes);
    memset(uses.writes, 0, bytes);
    memcpy(x->words, words, bytes);
    x->plugin->unpack(x->watch.mirror, words);
    watch_begin(&x->watch);
    enum trial_answer fired = fire(x, x->watch.object, x->watch.mirror, t, out);
    watch_end(&x->watch);
    if (fired == TRIAL_UNKNOWN) return TRIAL_UNKNOWN;
    note_uses(x, uses, x->words);
    if (does_the_same(x, words, t, fired, out, x->words)) return fired;
    x->obstacle = OBSTACLE_HIDDEN;
    return TRIAL_UNKNOWN;
}
