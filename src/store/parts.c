#include "store/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024, GROUP = 64 /* states that are looked up at a time */ };

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

/* The number of a content whose place is `at`. If two threads want to give a number to the same content at a time, one
 * number is never used. */
static uint32_t number_of(struct parts *p, uint64_t content, uint64_t at) {
    uint32_t number = look_up(p, content, &at), mine = 0;
    while (number == 0) {
        if (!mine) {
            mine = (uint32_t)atomic_fetch_add_explicit(&p->count, 1, memory_order_relaxed);
            assert(mine < p->index_size / 2); /* parts_reserve has made room */
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

static void put(struct parts *p, uint32_t number) {
    uint64_t at = place_of(p, contents(p)[number]);
    look_up(p, contents(p)[number], &at);
    assert(indices(p)[at] == 0); /* no content has two numbers that are used */
    atomic_store_explicit(&indices(p)[at], number, memory_order_relaxed);
}

/* Some numbers were never used: they are not in the old index. A bit for each takes little memory. */
static bool set_room(struct parts *p, uint64_t room) {
    uint64_t old_size = p->index_size, count = p->count;
    if (!get_memory(p, room)) return false;
    uint64_t *used = memory_get_zeroed((count / 64 + 1) * sizeof *used);
    for (uint64_t i = 0; i < old_size; i++) used[indices(p)[i] / 64] |= UINT64_C(1) << indices(p)[i] % 64;
    memset(p->index.base, 0, old_size * sizeof(uint32_t));
    p->index_size = 2 * room;
    for (uint32_t number = 1; number < count; number++)
        if (used[number / 64] >> number % 64 & 1) put(p, number);
    free(used);
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

static uint64_t parts_of_state(const struct parts *p) { return 2 * (uint64_t)p->words - 2; }

uint64_t parts_room(const struct parts *p) { return (p->index_size / 2 - p->count) / parts_of_state(p); }

bool parts_reserve(struct parts *p, uint64_t states) {
    uint64_t need = p->count + states * parts_of_state(p), room = p->index_size / 2;
    if (need <= room) return true;
    return set_room(p, need > 2 * room ? need : 2 * room) || set_room(p, need);
}

void parts_view_init(struct parts_view *v, uint32_t words) {
    *v = (struct parts_view){
        .words = words,
        .state = memory_get_zeroed(words * sizeof(word)),
        .nodes = memory_get_zeroed(2 * words * sizeof(uint32_t)),
        .changed = memory_get_zeroed(2 * words * sizeof(bool)),
        .last_contents = memory_get_zeroed(2 * words * sizeof(uint64_t)),
        .last_numbers = memory_get_zeroed(2 * words * sizeof(uint32_t)),
        .numbers = memory_get((size_t)2 * words * GROUP * sizeof(uint32_t)),
    };
}

void parts_view_fini(struct parts_view *v) {
    free(v->state);
    free(v->nodes);
    free(v->changed);
    free(v->last_contents);
    free(v->last_numbers);
    free(v->numbers);
}

/* ---- From states to keys ---- */

/* What differs from the state before, of one node. */
struct novelty {
    uint32_t count;
    uint32_t states[GROUP]; /* indices */
    uint64_t contents[GROUP], places[GROUP];
};

static uint32_t *numbers_of(const struct parts_view *v, uint32_t node) { return v->numbers + (size_t)node * GROUP; }

/* The contents of a node of n states, whose places in the index are fetched. */
static void find_novelty(const struct parts *p, const struct parts_view *v, uint32_t node, const word *states,
                         uint32_t n, struct novelty *new) {
    const uint32_t words = v->words, *left = numbers_of(v, 2 * node), *right = left + GROUP;
    uint64_t before = v->last_contents[node];
    bool any_before = v->last_numbers[node] != 0;
    new->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t content =
            node >= words ? states[(size_t)i * words + node - words] : (uint64_t)left[i] << PARTS_BITS | right[i];
        if (any_before && content == before) continue;
        uint64_t place = place_of(p, content);
        __builtin_prefetch((const void *)&indices(p)[place]);
        new->states[new->count] = i;
        new->contents[new->count] = before = content;
        new->places[new->count++] = place;
        any_before = true;
    }
    for (uint32_t k = 0; k < new->count; k++) {
        uint32_t first = atomic_load_explicit(&indices(p)[new->places[k]], memory_order_relaxed);
        __builtin_prefetch(&contents(p)[first]);
    }
}

/* The numbers of a node of n states. `add` is NULL: only those that there are; else 0. */
static void number_node(const struct parts *p, struct parts *add, struct parts_view *v, uint32_t node,
                        const word *states, uint32_t n) {
    struct novelty new;
    uint32_t *numbers = numbers_of(v, node), number = v->last_numbers[node], i = 0;
    find_novelty(p, v, node, states, n, &new);
    for (uint32_t k = 0; k < new.count; k++) {
        for (; i < new.states[k]; i++) numbers[i] = number;
        number = add ? number_of(add, new.contents[k], new.places[k]) : look_up(p, new.contents[k], &new.places[k]);
    }
    for (; i < n; i++) numbers[i] = number;
    if (new.count == 0) return;
    v->last_contents[node] = new.contents[new.count - 1];
    v->last_numbers[node] = number;
}

static void number_states(const struct parts *p, struct parts *add, struct parts_view *v, const word *states,
                          uint32_t n, uint64_t *keys) {
    uint32_t words = v->words;
    for (uint32_t done = 0, some; done < n; done += some) {
        some = n - done < GROUP ? n - done : GROUP;
        bool unknown[GROUP] = {false};
        for (uint32_t node = 2 * words; node-- > 2;) {
            number_node(p, add, v, node, states + (size_t)done * words, some);
            for (uint32_t i = 0; !add && i < some; i++) unknown[i] |= numbers_of(v, node)[i] == 0;
        }
        for (uint32_t i = 0; i < some; i++)
            keys[done + i] =
                unknown[i] ? PARTS_NONE : (uint64_t)numbers_of(v, 2)[i] << PARTS_BITS | numbers_of(v, 3)[i];
    }
}

void parts_keys(struct parts *p, struct parts_view *v, const word *states, uint32_t n, uint64_t *keys) {
    number_states(p, p, v, states, n, keys);
}

void parts_find(const struct parts *p, struct parts_view *v, const word *states, uint32_t n, uint64_t *keys) {
    number_states(p, NULL, v, states, n, keys);
}

/* ---- From keys to states ---- */

static void set_children(struct parts_view *v, uint32_t node, uint64_t content) {
    uint32_t left = (uint32_t)(content >> PARTS_BITS), right = (uint32_t)(content & ((UINT64_C(1) << PARTS_BITS) - 1));
    v->changed[2 * node] = v->nodes[2 * node] != left;
    v->changed[2 * node + 1] = v->nodes[2 * node + 1] != right;
    v->nodes[2 * node] = left;
    v->nodes[2 * node + 1] = right;
}

void parts_state(const struct parts *p, struct parts_view *v, uint64_t key, word *state) {
    uint32_t words = v->words;
    assert(words == p->words && words > 1);
    if (!v->valid) memset(v->nodes, 0, 2 * words * sizeof *v->nodes);
    set_children(v, 1, key);
    for (uint32_t node = 2; node < 2 * words; node++) {
        bool changed = v->changed[node];
        v->changed[node] = false;
        if (!changed) continue;
        assert(v->nodes[node] > 0 && v->nodes[node] < p->count); /* a key holds numbers that were given */
        if (node >= words) v->state[node - words] = contents(p)[v->nodes[node]];
        else set_children(v, node, contents(p)[v->nodes[node]]);
    }
    v->valid = true;
    memcpy(state, v->state, words * sizeof(word));
}
