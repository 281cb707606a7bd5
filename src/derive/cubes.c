#include "derive/cubes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void cube_list_init(struct cube_list *l, const struct slots *slots) { *l = (struct cube_list){.slots = slots}; }

void cube_list_fini(struct cube_list *l) {
    free(l->set);
    free(l->tag);
}

static uint64_t *set_of(const struct cube_list *l, uint32_t i) { return l->set + (uint64_t)i * l->slots->words; }

void cube_list_add(struct cube_list *l, const uint64_t *set, uint32_t tag) {
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->set = memory_resize(l->set, (uint64_t)l->room * l->slots->words * sizeof *l->set);
        l->tag = memory_resize(l->tag, l->room * sizeof *l->tag);
    }
    memcpy(set_of(l, l->count), set, l->slots->words * sizeof *set);
    l->tag[l->count++] = tag;
}

/* Sorting by tag, and by all but one variable. */
struct order {
    const struct cube_list *l;
    const uint64_t *mask;
};

static int compare(const struct order *o, uint32_t i, uint32_t j) {
    const uint64_t *a = set_of(o->l, i), *b = set_of(o->l, j);
    if (o->l->tag[i] != o->l->tag[j]) return o->l->tag[i] < o->l->tag[j] ? -1 : 1;
    for (uint32_t w = 0; w < o->l->slots->words; w++) {
        uint64_t x = a[w] & o->mask[w], y = b[w] & o->mask[w];
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static int compare_numbers(const void *a, const void *b, void *order) {
    return compare(order, *(const uint32_t *)a, *(const uint32_t *)b);
}

/* Unites those that are the same but for what `mask` leaves out. */
static bool unite(struct cube_list *l, const uint64_t *mask) {
    struct order o = {l, mask};
    uint32_t *by = memory_get((l->count + 1) * sizeof *by);
    bool *gone = memory_get_zeroed(l->count + 1);
    bool united = false;
    for (uint32_t i = 0; i < l->count; i++) by[i] = i;
    qsort_r(by, l->count, sizeof *by, compare_numbers, &o);
    for (uint32_t i = 0, j; i < l->count; i = j)
        for (j = i + 1; j < l->count && compare(&o, by[i], by[j]) == 0; j++) {
            for (uint32_t w = 0; w < l->slots->words; w++) set_of(l, by[i])[w] |= set_of(l, by[j])[w];
            gone[by[j]] = united = true;
        }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        if (gone[i]) continue;
        memmove(set_of(l, kept), set_of(l, i), l->slots->words * sizeof(uint64_t));
        l->tag[kept++] = l->tag[i];
    }
    l->count = kept;
    free(by);
    free(gone);
    return united;
}

/* Do the cubes differ in variable x at all? */
static bool differ(const struct cube_list *l, uint32_t x) {
    const struct slot_range *r = &l->slots->of[x];
    for (uint32_t i = 1; i < l->count; i++)
        for (uint32_t k = 0; k < r->words; k++)
            if ((set_of(l, i)[r->word + k] ^ set_of(l, 0)[r->word + k]) & slots_mask(l->slots, x, k)) return true;
    return false;
}

void cube_list_merge(struct cube_list *l) {
    const struct slots *s = l->slots;
    uint64_t mask[s->words];
    memset(mask, 0xff, sizeof mask);
    unite(l, mask);
    for (bool again = true; again && l->count > 1;) {
        again = false;
        for (uint32_t x = s->variables; x-- > 0;) {
            if (!differ(l, x)) continue;
            for (uint32_t k = 0; k < s->of[x].words; k++) mask[s->of[x].word + k] &= ~slots_mask(s, x, k);
            again |= unite(l, mask);
            for (uint32_t k = 0; k < s->of[x].words; k++) mask[s->of[x].word + k] |= slots_mask(s, x, k);
        }
    }
}

void cube_list_hull(struct cube_list *l) {
    uint64_t mask[l->slots->words];
    memset(mask, 0, sizeof mask);
    unite(l, mask);
}

void value_cubes_init(struct value_cubes *c, const struct slots *slots) {
    *c = (struct value_cubes){.slots = slots};
    c->first = memory_get_zeroed(2 * sizeof *c->first);
}

void value_cubes_fini(struct value_cubes *c) {
    free(c->first);
    free(c->test);
    free(c->tag);
}

static struct cube_test *more_test(struct value_cubes *c) {
    MAKE_ROOM(c->test, c->tests, c->test_room);
    return &c->test[c->tests++];
}

uint32_t value_cubes_add(struct value_cubes *c, const uint64_t *set, const uint64_t *possible, uint32_t tag) {
    const struct slots *s = c->slots;
    assert(c->first[c->count] == c->tests && s->words <= UINT16_MAX + 1u); /* tests name words by 16 bits */
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->first = memory_resize(c->first, (c->room + 1) * sizeof *c->first);
        c->tag = memory_resize(c->tag, c->room * sizeof *c->tag);
    }
    for (uint32_t w = 0; w < s->words; w++)
        if (s->highest[w] && set[w] != possible[w])
            *more_test(c) = (struct cube_test){.word = (uint16_t)w, .bits = set[w]};
    for (uint32_t x = 0; x < s->variables; x++) {
        const struct slot_range *r = &s->of[x];
        if (r->words < 2 || memcmp(set + r->word, possible + r->word, r->words * sizeof *set) == 0) continue;
        for (uint32_t k = 0; k < r->words; k++)
            *more_test(c) = (struct cube_test){
                .word = (uint16_t)(r->word + k),
                .more = (uint16_t)(r->words - 1 - k),
                .large = true,
                .bits = set[r->word + k],
            };
    }
    c->tag[c->count] = tag;
    c->first[++c->count] = c->tests;
    return c->count - 1;
}
