#include "reduce/derived/reach.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static struct item_block *get_blocks(uint64_t count) {
    return memory_get_lines((count + 1) * sizeof(struct item_block));
}

static void blocks_init(struct reach_blocks *b, uint32_t blocks, uint32_t words) {
    b->alive = get_blocks(blocks);
    b->done = get_blocks(blocks);
    b->asked = get_blocks(blocks);
    b->stale = memory_get_zeroed(blocks + 1);
    b->values = memory_get_zeroed((words + 1) * sizeof *b->values);
}

static void blocks_fini(struct reach_blocks *b) {
    free(b->alive), free(b->done), free(b->asked), free(b->stale), free(b->values);
}

static void blocks_copy(const struct reach *r, struct reach_blocks *to, const struct reach_blocks *from) {
    uint32_t blocks = r->table->blocks;
    for (uint32_t b = 0; b < blocks; b++) {
        to->alive[b] = from->alive[b];
        to->done[b] = from->done[b];
        to->asked[b] = from->asked[b];
        to->stale[b] = from->stale[b];
    }
    for (uint32_t w = 0; w < r->table->words; w++) to->values[w] = from->values[w];
}

/* Each value of a variable may change each of its places once. */
static uint64_t most_changes(const struct derived *d) {
    uint64_t most = 0;
    for (uint32_t x = 0; x < d->readings.slots.variables; x++)
        most += (uint64_t)d->readings.slots.of[x].count * (d->table.at_from[x + 1] - d->table.at_from[x]);
    return most;
}

void reach_init(struct reach *r, const struct derived *d) {
    *r = (struct reach){.d = d, .table = &d->table};
    blocks_init(&r->now, d->table.blocks, d->table.words);
    blocks_init(&r->then, d->table.blocks, d->table.words);
    r->open = get_blocks(d->table.places);
    r->changes = memory_get_lines((most_changes(d) + 1) * sizeof *r->changes);
    r->fresh = memory_get_zeroed((d->table.words + 1) * sizeof *r->fresh);
}

void reach_fini(struct reach *r) {
    blocks_fini(&r->now);
    blocks_fini(&r->then);
    free(r->open), free(r->changes), free(r->fresh);
}

/* ---- What is alive ---- */

static void open_by(struct reach *r, uint32_t x, uint64_t value) {
    const struct cube_table *t = r->table;
    const struct item_block *row = cube_table_row(t, x, value);
    for (uint32_t i = t->at_from[x]; i < t->at_from[x + 1]; i++) r->open[t->at[i].place] = *row++;
}

bool reach_enter(struct reach *r, const uint64_t *state) {
    const struct slots *s = &r->d->readings.slots;
    uint32_t words = r->table->words, blocks = r->table->blocks;
    uint64_t *values = r->now.values, together[words];
    memset(values, 0, words * sizeof *values);
    memset(r->fresh, 0, words * sizeof *r->fresh);
    memset(together, 0xff, words * sizeof *together);
    for (uint32_t x = 0; x < s->variables; x++) {
        if (s->of[x].count == 0) continue;
        uint64_t value = source_value(&r->d->variables[x], state);
        if (value >= s->of[x].count) return false;
        uint32_t slot = s->of[x].first + (uint32_t)value;
        const uint64_t *row = value_pairs_row(&r->d->readings.pairs, slot);
        slot_add(values, slot);
        for (uint32_t w = 0; w < words; w++) together[w] &= row[w];
        open_by(r, x, value);
    }
    for (uint32_t b = 0; b < blocks; b++) r->now.done[b] = (struct item_block){0};
    memset(r->now.stale, true, blocks);
    r->change_count = 0;
    r->grown = true;
    for (uint32_t w = 0; w < words; w++)
        if (values[w] & ~together[w]) return false;
    return true;
}

static void freshen(struct reach *r, uint32_t b) {
    const struct item_block *at = r->open + r->table->from[b], *end = r->open + r->table->from[b + 1];
    if (!r->now.stale[b]) return;
    item_half low = ~(item_half){0}, high = low;
    for (; at < end; at++) low &= at->low, high &= at->high;
    r->now.alive[b] = (struct item_block){low, high};
    r->now.stale[b] = false;
}

const struct item_block *reach_alive(struct reach *r) {
    for (uint32_t b = 0; b < r->table->blocks && b * BLOCK_ITEMS < r->table->cubes; b++) freshen(r, b);
    return r->now.alive;
}

void reach_ask(struct reach *r, const struct item_block *items) {
    for (uint32_t b = 0; b < r->table->blocks; b++) r->now.asked[b] = item_block_or(r->now.asked[b], items[b]);
}

void reach_ask_not(struct reach *r, const struct item_block *items) {
    for (uint32_t b = 0; b < r->table->blocks; b++) r->now.asked[b] = item_block_without(r->now.asked[b], items[b]);
}

void reach_ask_none(struct reach *r) {
    for (uint32_t b = 0; b < r->table->blocks; b++) r->now.asked[b] = (struct item_block){0};
}

bool reach_come_up(struct reach *r, uint32_t b, struct item_block *up) {
    struct item_block some = item_block_without(r->now.asked[b], r->now.done[b]);
    if (!item_block_some(some)) return false;
    freshen(r, b);
    assert(!r->now.stale[b]);
    *up = some = item_block_and(some, r->now.alive[b]);
    r->now.done[b] = item_block_or(r->now.done[b], some);
    return item_block_some(some);
}

/* ---- Growing ---- */

void reach_store(struct reach *r, uint32_t cube) {
    const uint64_t *stores = r->table->stores + (uint64_t)cube * r->table->words;
    for (uint32_t w = 0; w < r->table->words; w++) r->fresh[w] |= stores[w];
}

void reach_store_effect(struct reach *r, uint32_t effect) {
    uint32_t count;
    if (effect == EFFECT_VAGUE) {
        for (uint32_t w = 0; w < r->table->words; w++) r->fresh[w] |= r->d->readings.pairs.possible[w];
        return;
    }
    const uint32_t *list = diagram_effect(&r->d->diagram, effect, &count);
    for (uint32_t i = 0; i < count; i++)
        if (list[2 * i + 1] != SLOT_ANY) slot_add(r->fresh, list[2 * i + 1]);
}

static void add_slot(struct reach *r, uint32_t slot) {
    const struct cube_table *t = r->table;
    uint32_t x = r->d->readings.slots.owner[slot];
    const struct item_block *row = cube_table_row(t, x, slot - r->d->readings.slots.of[x].first);
    const struct item_place *at = t->at + t->at_from[x], *end = t->at + t->at_from[x + 1];
    struct item_block *opens = r->open;
    struct reach_change *change = r->changes + r->change_count;
    bool *stale = r->now.stale;
    assert(slot_in(r->d->readings.pairs.possible, slot)); /* what is stored is possible */
    for (; at < end; at++, row++) {
        struct item_block *open = &opens[at->place], old = *open, sum = item_block_or(old, *row);
        item_half more = (sum.low ^ old.low) | (sum.high ^ old.high);
        if ((more[0] | more[1]) == 0) continue;
        change->place = at->place;
        change->old = old;
        change++;
        *open = sum;
        stale[at->block] = true;
    }
    r->change_count = (uint32_t)(change - r->changes);
}

void reach_grow(struct reach *r) {
    for (uint32_t w = 0; w < r->table->words; w++) {
        uint64_t more = r->fresh[w] & ~r->now.values[w];
        r->now.values[w] |= more;
        r->fresh[w] = 0;
        r->grown |= more != 0;
        for (; more; more &= more - 1) add_slot(r, 64 * w + (uint32_t)__builtin_ctzll(more));
    }
}

/* ---- Attempts ---- */

void reach_mark(struct reach *r) {
    blocks_copy(r, &r->then, &r->now);
    r->change_count = 0;
}

void reach_go_back(struct reach *r) {
    blocks_copy(r, &r->now, &r->then);
    while (r->change_count) {
        const struct reach_change *c = &r->changes[--r->change_count];
        r->open[c->place] = c->old;
    }
    memset(r->fresh, 0, r->table->words * sizeof *r->fresh);
    r->grown = false; /* at the mark, all had been looked at */
}
