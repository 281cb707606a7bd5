#include "store/state_stack.h"

#include <assert.h>
#include <string.h>

enum { FIRST_CELLS = 1024, SMALL_CELLS = 1 << 20 };

/* High and low bits of the result are independent of each other. */
static uint64_t hash_of(const struct open *o, const word *state) {
    uint64_t h = 0;
    for (uint32_t i = 0; i < o->words; i++) {
        h = (h ^ state[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    h *= UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}

static uint32_t *cells_of(const struct open *o) { return (uint32_t *)(void *)o->cells.base; }

/* Scaled to the number of cells, which need not be a power of 2. */
static uint64_t home_of(const struct open *o, uint64_t hash) {
    return (uint64_t)((unsigned __int128)hash * o->cell_count >> 64);
}

static uint64_t after(const struct open *o, uint64_t cell) { return cell + 1 == o->cell_count ? 0 : cell + 1; }

/* A cell for position 0: the part of the hash, and 1. */
static uint32_t mark_of(const struct open *o, uint64_t hash) { return (uint32_t)(hash << o->position_bits) + 1; }

static uint32_t position_of(const struct open *o, uint32_t cell) {
    return (uint32_t)(cell & ((UINT64_C(1) << o->position_bits) - 1)) - 1;
}

static void take_cell(struct open *o, uint32_t position) {
    uint64_t hash = hash_of(o, open_state(o, position)), at = home_of(o, hash);
    while (cells_of(o)[at]) at = after(o, at);
    assert(position_of(o, mark_of(o, hash) + position) == position); /* the sum has not touched the hash */
    cells_of(o)[at] = mark_of(o, hash) + position;
}

static void clear_cell(struct open *o, uint32_t position) {
    uint64_t hash = hash_of(o, open_state(o, position)), at = home_of(o, hash);
    while (cells_of(o)[at] != mark_of(o, hash) + position) {
        assert(cells_of(o)[at] != 0); /* no earlier state was taken out from before it */
        at = after(o, at);
    }
    cells_of(o)[at] = 0;
}

/* Makes the map anew, with so many cells. States take cells in the order in which they came, as they must. */
static bool set_cells(struct open *o, uint64_t cell_count) {
    if (cell_count >= OPEN_NONE || !region_grow(&o->cells, cell_count * sizeof(uint32_t))) return false;
    memset(o->cells.base, 0, o->cell_count * sizeof(uint32_t));
    o->cell_count = cell_count;
    o->position_bits = 64 - (unsigned)__builtin_clzll(cell_count);
    for (uint32_t i = 0; i < o->count; i++) take_cell(o, i);
    return true;
}

bool open_room(struct region *r, size_t bytes) {
    return bytes <= r->size || region_grow(r, bytes + r->size / 8 + 65536) || region_grow(r, bytes);
}

bool open_init(struct open *o, uint32_t words, bool mapped, uint64_t max_bytes) {
    *o = (struct open){.words = words};
    if (!region_init_within(&o->states, max_bytes)) return false;
    return !mapped || (region_init_within(&o->cells, max_bytes) && set_cells(o, FIRST_CELLS));
}

void open_fini(struct open *o) {
    region_fini(&o->states);
    region_fini(&o->cells);
}

bool open_push(struct open *o, const word *state) {
    uint64_t more = o->cell_count + (o->cell_count < SMALL_CELLS ? o->cell_count : o->cell_count / 3);
    if (o->cell_count && o->count >= o->cell_count / 3 * 2 && !set_cells(o, more)) return false;
    if (o->count == OPEN_NONE || !open_room(&o->states, ((size_t)o->count + 1) * o->words * sizeof(word))) return false;
    assert(!o->cell_count || open_find(o, state) == OPEN_NONE);
    word *to = (word *)(void *)o->states.base + (size_t)o->count * o->words;
    for (uint32_t i = 0; i < o->words; i++) to[i] = state[i];
    o->count++;
    if (o->cell_count) take_cell(o, o->count - 1);
    return true;
}

void open_pop(struct open *o, uint32_t count) {
    assert(count <= o->count);
    while (o->count > count) {
        o->count--;
        if (o->cell_count) clear_cell(o, o->count);
    }
}

static bool same(const word *a, const word *b, uint32_t words) {
    for (uint32_t i = 0; i < words; i++)
        if (a[i] != b[i]) return false;
    return true;
}

uint32_t open_find(const struct open *o, const word *state) {
    uint64_t hash = hash_of(o, state), at = home_of(o, hash);
    uint32_t mark = mark_of(o, hash), cell;
    for (; (cell = cells_of(o)[at]); at = after(o, at)) {
        uint32_t position = position_of(o, cell);
        if (cell == mark + position && same(open_state(o, position), state, o->words)) return position;
    }
    return OPEN_NONE;
}

void open_prefetch(const struct open *o, const word *state) {
    __builtin_prefetch(cells_of(o) + home_of(o, hash_of(o, state)));
}
