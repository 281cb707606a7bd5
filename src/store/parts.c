#include "store/parts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static uint64_t *contents(const struct parts *p) { return (uint64_t *)(void *)p->contents.base; }
static _Atomic uint32_t *indices(const struct parts *p) { return (_Atomic uint32_t *)(void *)p->index.base; }

static uint64_t place_of(const struct parts *p, uint64_t content) {
    uint64_t x = (content ^ content >> 32) * UINT64_C(0x9fb21c651e98df25);
    x = (x ^ x >> 29) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (uint64_t)(((unsigned __int128)x * p->index_size) >> 64);
}

/* The number of a content that is there, or 0; *at is where it is in the index, or would be. */
static uint32_t look_up(const struct parts *p, uint64_t content, uint64_t *at) {
    for (;; *at = *at + 1 == p->index_size ? 0 : *at + 1) {
        uint32_t number = atomic_load_explicit(&indices(p)[*at], memory_order_acquire);
        if (number == 0 || contents(p)[number] == content) return number;
    }
}

/* If two threads want to give a number to the same content at a time, one number is never used. */
static uint32_t number_of(struct parts *p, uint64_t content) {
    uint64_t at = place_of(p, content);
    uint32_t number = look_up(p, content, &at), mine = 0;
    while (number == 0) {
        if (!mine) {
            mine = (uint32_t)atomic_fetch_add_explicit(&p->count, 1, memory_order_relaxed);
            contents(p)[mine] = content;
        }
        uint32_t expected = 0;
        if (atomic_compare_exchange_strong_explicit(&indices(p)[at], &expected, mine, memory_order_acq_rel,
                                                    memory_order_acquire))
            return mine;
        number = look_up(p, content, &at);
    }
    return number;
}

/* Both regions grow, or none, so that nothing is wasted on a room that is not to be had. */
static bool get_memory(struct parts *p, uint64_t room) {
    uint64_t contents_bytes = room * sizeof(uint64_t), index_bytes = 2 * room * sizeof(uint32_t);
    return room <= UINT64_C(1) << PARTS_BITS && contents_bytes + index_bytes <= parts_bytes(p) + p->budget->left &&
           region_grow_within(&p->contents, contents_bytes, p->budget) &&
           region_grow_within(&p->index, index_bytes, p->budget);
}

/* The numbers are taken from the old index, since some were never used. */
static bool set_room(struct parts *p, uint64_t room) {
    uint64_t old_size = p->index_size, used = 0;
    if (!get_memory(p, room)) return false;
    uint32_t *numbers = memory_get((p->count + 1) * sizeof *numbers);
    for (uint64_t i = 0; i < old_size; i++)
        if (indices(p)[i]) numbers[used++] = indices(p)[i];
    memset(p->index.base, 0, old_size * sizeof(uint32_t));
    p->index_size = 2 * room;
    for (uint64_t i = 0; i < used; i++) {
        uint64_t at = place_of(p, contents(p)[numbers[i]]);
        look_up(p, contents(p)[numbers[i]], &at);
        atomic_store_explicit(&indices(p)[at], numbers[i], memory_order_relaxed);
    }
    free(numbers);
    return true;
}

bool parts_init(struct parts *p, uint32_t words, struct budget *budget) {
    *p = (struct parts){.words = words, .budget = budget, .count = 1};
    if (region_init(&p->contents, budget->total) && region_init(&p->index, budget->total) && set_room(p, FIRST_ROOM))
        return true;
    parts_fini(p);
    return false;
}

void parts_fini(struct parts *p) {
    region_fini(&p->contents);
    region_fini(&p->index);
}

uint64_t parts_bytes(const struct parts *p) { return p->contents.size + p->index.size; }

bool parts_reserve(struct parts *p, uint64_t states) {
    uint64_t need = p->count + states * (2 * (uint64_t)p->words - 2), room = p->index_size / 2;
    if (need <= room) return true;
    return set_room(p, need > 2 * room ? need : 2 * room) || set_room(p, need);
}

void parts_view_init(struct parts_view *v, uint32_t words) {
    *v = (struct parts_view){
        .words = words,
        .state = memory_get_zeroed(words * sizeof(word)),
        .nodes = memory_get_zeroed(2 * words * sizeof(uint32_t)),
        .changed = memory_get_zeroed(2 * words * sizeof(bool)),
    };
}

void parts_view_fini(struct parts_view *v) {
    free(v->state);
    free(v->nodes);
    free(v->changed);
}

static uint64_t pair(const struct parts_view *v, uint32_t node) {
    return (uint64_t)v->nodes[2 * node] << PARTS_BITS | v->nodes[2 * node + 1];
}

/* Brings the view to `state`. `add` is NULL: only known parts will do; false if one is not. */
static bool follow(struct parts_view *v, const struct parts *p, struct parts *add, const word *state) {
    uint32_t words = v->words;
    for (uint32_t node = 2 * words; node-- > 2;) {
        uint64_t content = node >= words ? state[node - words] : pair(v, node);
        bool same = v->valid && (node >= words ? v->state[node - words] == content : !v->changed[node]);
        v->changed[node] = false;
        if (same) continue;
        uint64_t at = place_of(p, content);
        uint32_t number = add ? number_of(add, content) : look_up(p, content, &at);
        if (number == 0) {
            v->valid = false;
            return false;
        }
        v->nodes[node] = number;
        v->changed[node / 2] = true;
    }
    memcpy(v->state, state, words * sizeof(word));
    return v->valid = true;
}

uint64_t parts_key(struct parts *p, struct parts_view *v, const word *state) {
    follow(v, p, p, state);
    return pair(v, 1);
}

bool parts_find(const struct parts *p, struct parts_view *v, const word *state, uint64_t *key) {
    if (!follow(v, p, NULL, state)) return false;
    *key = pair(v, 1);
    return true;
}

static void set_children(struct parts_view *v, uint32_t node, uint64_t content) {
    uint32_t left = (uint32_t)(content >> PARTS_BITS), right = (uint32_t)(content & ((UINT64_C(1) << PARTS_BITS) - 1));
    v->changed[2 * node] = v->nodes[2 * node] != left;
    v->changed[2 * node + 1] = v->nodes[2 * node + 1] != right;
    v->nodes[2 * node] = left;
    v->nodes[2 * node + 1] = right;
}

void parts_state(const struct parts *p, struct parts_view *v, uint64_t key, word *state) {
    uint32_t words = v->words;
    if (!v->valid) memset(v->nodes, 0, 2 * words * sizeof *v->nodes);
    set_children(v, 1, key);
    for (uint32_t node = 2; node < 2 * words; node++) {
        bool changed = v->changed[node];
        v->changed[node] = false;
        if (!changed) continue;
        if (node >= words) v->state[node - words] = contents(p)[v->nodes[node]];
        else set_children(v, node, contents(p)[v->nodes[node]]);
    }
    v->valid = true;
    memcpy(state, v->state, words * sizeof(word));
}
