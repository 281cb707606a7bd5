#include "derive/cube_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "derive/derived.h"

static void set_item(struct item_block *row, uint32_t i) {
    uint64_t *words = (uint64_t *)(void *)row;
    words[i / 64] |= UINT64_C(1) << (i % 64);
}

static struct item_block *get_blocks(uint64_t count) {
    return memory_get_lines((count + 1) * sizeof(struct item_block));
}

/* What a cube allows: where there is no test, all that is possible. */
static void copy_set(const struct value_cubes *c, uint32_t cube, const uint64_t *possible, uint64_t *set) {
    memcpy(set, possible, c->slots->words * sizeof *set);
    for (uint32_t i = c->first[cube]; i < c->first[cube + 1]; i++) set[c->test[i].word] = c->test[i].bits;
}

static void copy_stores(struct cube_table *t, const struct derived *d, uint32_t cube) {
    uint64_t *stores = t->stores + (uint64_t)cube * t->words;
    uint32_t tag = d->cubes.tag[cube], count;
    t->anything[cube] = tag == EFFECT_VAGUE;
    if (t->anything[cube]) {
        memcpy(stores, d->readings.pairs.possible, t->words * sizeof *stores);
        return;
    }
    const uint32_t *list = diagram_effect(&d->diagram, tag, &count);
    for (uint32_t i = 0; i < count; i++)
        if (list[2 * i + 1] != SLOT_ANY) slot_add(stores, list[2 * i + 1]);
}

/* Whose the items are. */
static void note_members(struct cube_table *t, const struct derived *d) {
    for (uint32_t m = 0; m < d->members; m++) {
        const struct member *at = &d->member[m];
        for (uint32_t c = at->from; c < at->to; c++) {
            t->member[c] = m;
            set_item(t->cubes_of + (uint64_t)m * t->blocks, c);
            set_item(t->every_cube, c);
        }
        for (uint32_t i = at->near_from; i < at->near_to; i++)
            for (uint32_t c = d->near[i].from; c < d->near[i].to; c++) {
                t->pair[c] = (struct item_pair){m, d->near[i].member};
                set_item(t->conflicts + (uint64_t)m * t->blocks, t->cubes + c);
            }
    }
}

static bool asks_for(const struct slots *s, uint32_t x, const uint64_t *set, const uint64_t *possible) {
    for (uint32_t k = 0; k < s->of[x].words; k++)
        if ((set[s->of[x].word + k] ^ possible[s->of[x].word + k]) & slots_mask(s, x, k)) return true;
    return false;
}

static bool block_asks(const struct cube_table *t, const struct derived *d, uint32_t b, uint32_t x) {
    for (uint32_t i = b * BLOCK_ITEMS; i < t->items && i < (b + 1) * BLOCK_ITEMS; i++)
        if (asks_for(&d->readings.slots, x, cube_table_set(t, i), d->readings.pairs.possible)) return true;
    return false;
}

static void find_places(struct cube_table *t, const struct derived *d) {
    uint32_t variables = d->readings.slots.variables;
    bool *asked = memory_get((uint64_t)t->blocks * variables + 1);
    t->from = memory_get((t->blocks + 1) * sizeof *t->from);
    for (uint32_t b = 0; b < t->blocks; b++) {
        t->from[b] = t->places;
        for (uint32_t x = 0; x < variables; x++)
            t->places += asked[(uint64_t)b * variables + x] = block_asks(t, d, b, x);
    }
    t->from[t->blocks] = t->places;
    t->at = memory_get((t->places + 1) * sizeof *t->at);
    t->at_from = memory_get((variables + 1) * sizeof *t->at_from);
    uint32_t count = 0;
    for (uint32_t x = 0; x < variables; x++) {
        t->at_from[x] = count;
        for (uint32_t b = 0; b < t->blocks; b++) {
            if (!asked[(uint64_t)b * variables + x]) continue;
            uint32_t place = t->from[b];
            for (uint32_t y = 0; y < x; y++) place += asked[(uint64_t)b * variables + y];
            assert(place < t->from[b + 1]);
            t->at[count++] = (struct item_place){place, b};
        }
    }
    t->at_from[variables] = count;
    free(asked);
}

static void fill_rows(struct cube_table *t, const struct derived *d) {
    const struct slots *s = &d->readings.slots;
    uint64_t size = 0;
    t->row = memory_get((s->variables + UINT64_C(1)) * sizeof *t->row);
    for (uint32_t x = 0; x < s->variables; x++) {
        t->row[x] = size;
        size += (uint64_t)s->of[x].count * (t->at_from[x + 1] - t->at_from[x]);
    }
    t->allows = get_blocks(size);
    for (uint32_t x = 0; x < s->variables; x++) {
        uint32_t places = t->at_from[x + 1] - t->at_from[x];
        for (uint32_t j = 0; j < places; j++) {
            uint32_t first = t->at[t->at_from[x] + j].block * BLOCK_ITEMS;
            for (uint32_t i = first; i < first + BLOCK_ITEMS && i < t->items; i++)
                for (uint32_t v = 0; v < s->of[x].count; v++)
                    if (slot_in(cube_table_set(t, i), s->of[x].first + v))
                        set_item(t->allows + t->row[x] + (uint64_t)v * places + j, i % BLOCK_ITEMS);
        }
    }
}

void cube_table_init(struct cube_table *t, const struct derived *d) {
    uint32_t cubes = d->cubes.count, conflicts = d->conflicts.count, words = d->readings.slots.words;
    *t = (struct cube_table){.cubes = cubes, .items = cubes + conflicts, .words = words};
    t->blocks = (t->items + BLOCK_ITEMS - 1) / BLOCK_ITEMS;
    t->cubes_of = get_blocks((uint64_t)d->members * t->blocks);
    t->conflicts = get_blocks((uint64_t)d->members * t->blocks);
    t->every_cube = get_blocks(t->blocks);
    t->set = memory_get(((uint64_t)t->items * words + 1) * sizeof *t->set);
    t->stores = memory_get_zeroed(((uint64_t)cubes * words + 1) * sizeof *t->stores);
    t->anything = memory_get(cubes + 1);
    t->member = memory_get((cubes + 1) * sizeof *t->member);
    t->pair = memory_get((conflicts + 1) * sizeof *t->pair);
    for (uint32_t i = 0; i < t->items; i++) {
        bool own = i < cubes;
        copy_set(own ? &d->cubes : &d->conflicts, own ? i : i - cubes, d->readings.pairs.possible,
                 t->set + (uint64_t)i * words);
        if (own) copy_stores(t, d, i);
    }
    note_members(t, d);
    find_places(t, d);
    fill_rows(t, d);
}

void cube_table_fini(struct cube_table *t) {
    free(t->allows);
    free(t->cubes_of);
    free(t->conflicts);
    free(t->every_cube);
    free(t->set);
    free(t->stores);
    free(t->anything);
    free(t->member);
    free(t->pair);
    free(t->from);
    free(t->at);
    free(t->at_from);
    free(t->row);
}
