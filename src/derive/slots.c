#include "derive/slots.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void place(struct slots *s, uint32_t x, uint32_t count) {
    struct slot_range *r = &s->of[x];
    if (count == 0 || count > SOURCE_SLOTS) {
        *r = (struct slot_range){0};
        return;
    }
    uint32_t left = 64 - s->count % 64;
    if (left < 64 && (count > left)) s->count += left;
    *r = (struct slot_range){s->count, count, s->count / 64, (count + 63) / 64};
    assert(r->words > 1 ? r->first % 64 == 0 : r->first % 64 + count <= 64); /* a field does not leave its word */
    s->count += r->words > 1 ? 64 * r->words : count;
}

/* The fields of a word are tested all at once (slots_meet); variables with more than 64 values are not among them. */
static void mark(struct slots *s, uint32_t x) {
    const struct slot_range *r = &s->of[x];
    for (uint32_t i = 0; i < r->count; i++) {
        s->owner[r->first + i] = x;
        slot_add(s->used, r->first + i);
        if (r->words == 1 && i + 1 < r->count) slot_add(s->lower, r->first + i);
        if (r->words == 1 && i + 1 == r->count) slot_add(s->highest, r->first + i);
    }
}

void slots_init(struct slots *s, const struct source *source) {
    *s = (struct slots){.variables = source->variable_count};
    s->of = memory_get_zeroed((s->variables + 1) * sizeof *s->of);
    for (uint32_t x = 0; x < s->variables; x++) place(s, x, source->variables[x].slots);
    s->words = s->count / 64 + 1;
    s->count = 64 * s->words;
    s->owner = memory_get(s->count * sizeof *s->owner);
    for (uint32_t i = 0; i < s->count; i++) s->owner[i] = UINT32_MAX;
    s->used = memory_get_zeroed(s->words * sizeof *s->used);
    s->highest = memory_get_zeroed(s->words * sizeof *s->highest);
    s->lower = memory_get_zeroed(s->words * sizeof *s->lower);
    for (uint32_t x = 0; x < s->variables; x++) mark(s, x);
}

void slots_fini(struct slots *s) {
    free(s->of);
    free(s->owner);
    free(s->used);
    free(s->highest);
    free(s->lower);
}

bool slots_meet(const struct slots *s, const uint64_t *a, const uint64_t *b) {
    uint64_t without;
    for (uint32_t w = 0; w < s->words; w++)
        if (!slots_meet_word(s, a, b, w, &without)) return false;
    for (uint32_t x = 0; x < s->variables; x++) {
        const struct slot_range *r = &s->of[x];
        bool some = r->words < 2;
        for (uint32_t k = 0; k < r->words && !some; k++) some = (a[r->word + k] & b[r->word + k]) != 0;
        if (!some) return false;
    }
    return true;
}

void value_pairs_init(struct value_pairs *p, const struct slots *slots) {
    *p = (struct value_pairs){.slots = slots};
    p->row = memory_get_zeroed((uint64_t)slots->count * slots->words * sizeof *p->row);
    p->possible = memory_get_zeroed(slots->words * sizeof *p->possible);
}

void value_pairs_fini(struct value_pairs *p) {
    free(p->row);
    free(p->possible);
}

static uint64_t *row(struct value_pairs *p, uint32_t slot) { return p->row + (uint64_t)slot * p->slots->words; }

void value_pairs_add(struct value_pairs *p, uint32_t a, uint32_t b) {
    assert(a == b || p->slots->owner[a] != p->slots->owner[b]); /* two values of a variable never stand together */
    if (slot_in(row(p, a), b)) return;
    slot_add(row(p, a), b);
    slot_add(row(p, b), a);
    if (a == b) slot_add(p->possible, a);
    p->grown = true;
}

void value_pairs_add_state(struct value_pairs *p, const struct source *source, const uint64_t *state) {
    const struct slots *s = p->slots;
    for (uint32_t x = 0; x < s->variables; x++)
        for (uint32_t y = 0; y <= x; y++)
            if (s->of[x].count && s->of[y].count)
                value_pairs_add(p, s->of[x].first + (uint32_t)source_value(&source->variables[x], state),
                                s->of[y].first + (uint32_t)source_value(&source->variables[y], state));
}

void value_pairs_add_all(struct value_pairs *p) {
    const struct slots *s = p->slots;
    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t b = 0; b <= a && s->owner[a] != UINT32_MAX; b++)
            if (s->owner[b] != UINT32_MAX && (a == b || s->owner[a] != s->owner[b])) value_pairs_add(p, a, b);
}

void value_pairs_add_store(struct value_pairs *p, const uint32_t *stored, uint32_t count, const uint64_t *left) {
    const struct slots *s = p->slots;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j <= i; j++) value_pairs_add(p, stored[i], stored[j]);
    uint64_t others[s->words];
    memcpy(others, left, sizeof others);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = s->owner[stored[i]];
        for (uint32_t k = 0; k < s->of[x].words; k++) others[s->of[x].word + k] &= ~slots_mask(s, x, k);
    }
    for (uint32_t w = 0; w < s->words; w++)
        for (uint32_t i = 0; i < count; i++)
            for (uint64_t more = others[w] & ~row(p, stored[i])[w]; more; more &= more - 1)
                value_pairs_add(p, stored[i], w * 64 + (uint32_t)__builtin_ctzll(more));
}

/* What stands together with some value of x in `set`, into `with`. */
static void partners(const struct value_pairs *p, uint32_t x, const uint64_t *set, uint64_t *with) {
    const struct slots *s = p->slots;
    memset(with, 0, s->words * sizeof *with);
    for (uint32_t k = 0; k < s->of[x].words; k++)
        for (uint64_t v = set[s->of[x].word + k] & slots_mask(s, x, k); v; v &= v - 1) {
            const uint64_t *r = value_pairs_row(p, (s->of[x].word + k) * 64 + (uint32_t)__builtin_ctzll(v));
            for (uint32_t w = 0; w < s->words; w++) with[w] |= r[w];
        }
    /* Two values of one variable never stand together; x itself stays as it is. */
    for (uint32_t k = 0; k < s->of[x].words; k++) with[s->of[x].word + k] |= slots_mask(s, x, k);
}

bool value_pairs_narrow(const struct value_pairs *p, uint64_t *set) {
    const struct slots *s = p->slots;
    uint64_t with[s->words];
    for (uint32_t w = 0; w < s->words; w++) set[w] &= p->possible[w];
    for (bool again = true; again;) {
        again = false;
        for (uint32_t x = 0; x < s->variables; x++) {
            const struct slot_range *r = &s->of[x];
            if (r->count == 0) continue;
            if (!slots_some(s, x, set)) return false;
            bool whole = true;
            for (uint32_t k = 0; k < r->words && whole; k++)
                whole = ((set[r->word + k] ^ p->possible[r->word + k]) & slots_mask(s, x, k)) == 0;
            if (whole) continue; /* every possible value has partners for all of what it can stand with */
            partners(p, x, set, with);
            for (uint32_t w = 0; w < s->words; w++) again |= (set[w] & ~with[w]) != 0, set[w] &= with[w];
        }
    }
    return true;
}
