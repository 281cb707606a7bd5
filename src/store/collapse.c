#include "store/collapse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { INDEX_PART = 4, NONE = UINT32_MAX }; /* places of an index for each number */

void grouping_fini(struct grouping *g) {
    free(g->masks);
    free(g->values);
    *g = (struct grouping){0};
}

/* ---- Dictionaries ---- */

static uint64_t index_size(const struct dictionary *x) { return (uint64_t)INDEX_PART << x->width; }

static uint64_t bytes_of(const struct dictionary *x, unsigned width) {
    return ((uint64_t)x->length * sizeof(uint64_t) + sizeof(uint64_t) + INDEX_PART * sizeof(uint32_t)) << width;
}

INLINE uint64_t place_of(const struct dictionary *x, const word *state) {
    uint64_t h = 0;
    for (uint32_t i = 0; i < x->length; i++) {
        h = (h ^ (state[x->at[i]] & x->masks[i])) * UINT64_C(0x9fb21c651e98df25);
        h ^= h >> 32;
    }
    return h * UINT64_C(0xc2b2ae3d27d4eb4f) >> 32 & (index_size(x) - 1);
}

INLINE bool is_content(const struct dictionary *x, uint32_t number, const word *state) {
    const uint64_t *content = x->contents + (size_t)number * x->length;
    uint64_t differ = 0;
    for (uint32_t i = 0; i < x->length; i++) differ |= (state[x->at[i]] & x->masks[i]) ^ content[i];
    return differ == 0;
}

/* The number of what x is in the state, or NONE; *at is where it is in the index, or would be. */
INLINE uint32_t look_up(const struct dictionary *x, const word *state, uint64_t *at) {
    for (;; *at = (*at + 1) & (index_size(x) - 1)) {
        uint32_t number = atomic_load_explicit(&x->index[*at], memory_order_acquire);
        if (number == 0) return NONE;
        if (is_content(x, number - 1, state)) return number - 1;
    }
}

static uint64_t placed(const struct dictionary *x, uint32_t number) {
    uint64_t in_key = 0;
    for (uint32_t i = 0; i < x->piece_count; i++) {
        const struct collapse_piece *p = &x->pieces[i];
        in_key |= (number >> p->from & ((UINT64_C(1) << p->bits) - 1)) << p->shift;
    }
    return in_key;
}

INLINE uint32_t number_in(const struct dictionary *x, uint64_t key) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < x->piece_count; i++) {
        const struct collapse_piece *p = &x->pieces[i];
        number |= (key >> p->shift & ((UINT64_C(1) << p->bits) - 1)) << p->from;
    }
    return (uint32_t)number;
}

/* A number for what x is in the state, which had none a moment ago. NONE: the dictionary is full. */
__attribute__((noinline)) static uint32_t give_number(struct collapse *c, struct dictionary *x, const word *state,
                                                      uint64_t at) {
    pthread_mutex_lock(&c->lock);
    uint32_t number = look_up(x, state, &at);
    if (number == NONE && x->count < UINT32_C(1) << x->width) {
        number = x->count++;
        for (uint32_t i = 0; i < x->length; i++)
            x->contents[(size_t)number * x->length + i] = state[x->at[i]] & x->masks[i];
        x->placed[number] = placed(x, number);
        atomic_store_explicit(&x->index[at], number + 1, memory_order_release);
    }
    pthread_mutex_unlock(&c->lock);
    return number;
}

/* Where the number of x stands in the key of the state. COLLAPSE_NONE: it has none; `add` is NULL, or the dictionary
 * is full. */
INLINE uint64_t place_in_key(const struct dictionary *x, struct collapse *add, const word *state) {
    uint64_t at = place_of(x, state);
    uint32_t number = look_up(x, state, &at);
    if (__builtin_expect(number == NONE && add != NULL, 0))
        number = give_number(add, &add->all[x - add->all], state, at);
    return number == NONE ? COLLAPSE_NONE : x->placed[number];
}

/* ---- Making them, and more room ---- */

/* Bits [shift, shift + bits) of the key become the highest ones of the number. */
static void add_piece(struct dictionary *x, uint32_t shift, uint32_t bits) {
    assert(bits > 0 && x->piece_count < COLLAPSE_PIECES);
    x->pieces[x->piece_count++] = (struct collapse_piece){(uint8_t)shift, (uint8_t)x->width, (uint8_t)bits};
    x->in_key |= ((UINT64_C(1) << bits) - 1) << shift;
    x->width += bits;
}

static bool take_bytes(struct collapse *c, uint64_t bytes) {
    struct budget *b = c->budget;
    if (bytes > b->left || (b->most && !memory_fits(bytes, b->most))) return false;
    b->left -= bytes;
    c->bytes += bytes;
    return true;
}

/* Memory for all numbers of the width that it has now; those that were given stay. */
static void set_room(struct dictionary *x) {
    size_t most = (size_t)1 << x->width;
    x->contents = memory_resize(x->contents, most * x->length * sizeof *x->contents);
    x->placed = memory_resize(x->placed, most * sizeof *x->placed);
    free((void *)x->index);
    x->index = memory_get_zeroed(index_size(x) * sizeof *x->index);
    word *state = memory_get_zeroed((x->at[x->length - 1] + 1) * sizeof(word));
    for (uint32_t number = 0; number < x->count; number++) {
        for (uint32_t i = 0; i < x->length; i++) state[x->at[i]] = x->contents[(size_t)number * x->length + i];
        uint64_t at = place_of(x, state);
        uint32_t same = look_up(x, state, &at);
        assert(same == NONE); /* no content has two numbers */
        (void)same;
        x->index[at] = number + 1;
        assert(x->placed[number] == placed(x, number)); /* keys do not change */
    }
    free(state);
}

static bool widen(struct collapse *c, struct dictionary *x, uint32_t bits) {
    if (c->bits + bits > COLLAPSE_MOST || x->width + bits > COLLAPSE_WIDTH) return false;
    if (!take_bytes(c, bytes_of(x, x->width + bits) - (x->contents ? bytes_of(x, x->width) : 0))) return false;
    add_piece(x, c->bits, bits);
    c->bits += bits;
    set_room(x);
    return true;
}

/* Room for a quarter more than are expected. */
static uint32_t first_width(uint32_t values) {
    uint32_t width = 1;
    while (UINT64_C(1) << width < values + values / 4) width++;
    return width;
}

static void init_dictionary(struct dictionary *x, const uint64_t *masks, uint32_t words) {
    for (uint32_t w = 0; w < words; w++) x->length += masks[w] != 0;
    assert(x->length > 0);
    x->at = memory_get(x->length * sizeof *x->at);
    x->masks = memory_get(x->length * sizeof *x->masks);
    for (uint32_t w = 0, i = 0; w < words; w++) {
        if (!masks[w]) continue;
        x->at[i] = w;
        x->masks[i++] = masks[w];
    }
}

static void list_touched(struct collapse *c) {
    uint32_t total = 0, count = 0;
    for (uint32_t k = 0; k < c->count; k++) total += c->all[k].length;
    c->begins = memory_get((c->words + 1) * sizeof *c->begins);
    c->touched = memory_get(total * sizeof *c->touched);
    for (uint32_t w = 0; w < c->words; w++) {
        c->begins[w] = count;
        for (uint32_t k = 0; k < c->count; k++)
            for (uint32_t i = 0; i < c->all[k].length; i++)
                if (c->all[k].at[i] == w) c->touched[count++] = (struct collapse_touched){c->all[k].masks[i], k};
    }
    c->begins[c->words] = count;
    assert(count == total);
}

bool collapse_init(struct collapse *c, const struct grouping *g, struct budget *budget) {
    *c = (struct collapse){.words = g->words, .count = g->count, .budget = budget};
    pthread_mutex_init(&c->lock, NULL);
    c->all = memory_get_zeroed(g->count * sizeof *c->all);
    for (uint32_t k = 0; k < g->count; k++) init_dictionary(&c->all[k], g->masks + (size_t)k * g->words, g->words);
    list_touched(c);
    bool good = g->count <= COLLAPSE_MOST;
    for (uint32_t k = 0; k < g->count && good; k++) good = widen(c, &c->all[k], first_width(g->values[k]));
    if (!good) collapse_fini(c);
    return good;
}

void collapse_fini(struct collapse *c) {
    for (uint32_t k = 0; k < c->count; k++) {
        free(c->all[k].at);
        free(c->all[k].masks);
        free(c->all[k].contents);
        free(c->all[k].placed);
        free((void *)c->all[k].index);
    }
    free(c->all);
    free(c->begins);
    free(c->touched);
    c->budget->left += c->bytes;
    pthread_mutex_destroy(&c->lock);
    *c = (struct collapse){0};
}

uint64_t collapse_entries(const struct collapse *c) {
    uint64_t entries = 0;
    for (uint32_t k = 0; k < c->count; k++) entries += c->all[k].count;
    return entries;
}

/* All that have less than an eighth left, so that this is needed seldom. */
bool collapse_widen(struct collapse *c) {
    for (uint32_t k = 0; k < c->count; k++) {
        struct dictionary *x = &c->all[k];
        uint32_t most = UINT32_C(1) << x->width;
        if (x->count >= most - most / 8 && !widen(c, x, 1)) return false;
    }
    return true;
}

/* ---- From states to keys ---- */

INLINE bool key_of(const struct collapse *c, struct collapse *add, const word *state, uint64_t *key) {
    *key = 0;
    for (uint32_t k = 0; k < c->count; k++) {
        uint64_t place = place_in_key(&c->all[k], add, state);
        if (place == COLLAPSE_NONE) {
            *key = COLLAPSE_NONE;
            return false;
        }
        *key |= place;
    }
    return true;
}

bool collapse_keys(struct collapse *c, const word *states, uint32_t n, uint64_t *keys) {
    for (uint32_t i = 0; i < n; i++)
        if (!key_of(c, c, states + (size_t)i * c->words, &keys[i])) return false;
    return true;
}

void collapse_find(const struct collapse *c, const word *states, uint32_t n, uint64_t *keys) {
    for (uint32_t i = 0; i < n; i++) key_of(c, NULL, states + (size_t)i * c->words, &keys[i]);
}

/* The components in which two states differ, a bit for each. */
INLINE uint64_t differing(const struct collapse *c, uint32_t words, const word *a, const word *b) {
    uint64_t changed = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t differ = a[w] ^ b[w];
        if (!differ) continue;
        for (uint32_t i = c->begins[w]; i < c->begins[w + 1]; i++)
            changed |= (uint64_t)((differ & c->touched[i].mask) != 0) << c->touched[i].component;
    }
    return changed;
}

INLINE bool keys_from(struct collapse *c, uint32_t words, const word *sources, const uint64_t *source_keys,
                      const uint32_t *ends, uint32_t n, const word *states, uint64_t *keys) {
    for (uint32_t i = 0, at = 0; i < n; i++) {
        for (; at < ends[i]; at++) {
            const word *state = states + (size_t)at * words;
            uint64_t key = source_keys[i];
            for (uint64_t left = differing(c, words, sources + (size_t)i * words, state); left; left &= left - 1) {
                const struct dictionary *x = &c->all[__builtin_ctzll(left)];
                uint64_t place = place_in_key(x, c, state);
                if (place == COLLAPSE_NONE) return false;
                key = (key & ~x->in_key) | place;
            }
            keys[at] = key;
        }
    }
    return true;
}

bool collapse_keys_from(struct collapse *c, const word *sources, const uint64_t *source_keys, const uint32_t *ends,
                        uint32_t n, const word *states, uint64_t *keys) {
    switch (c->words) { /* so that the loops over words are unrolled */
    case 2: return keys_from(c, 2, sources, source_keys, ends, n, states, keys);
    case 3: return keys_from(c, 3, sources, source_keys, ends, n, states, keys);
    case 4: return keys_from(c, 4, sources, source_keys, ends, n, states, keys);
    default: return keys_from(c, c->words, sources, source_keys, ends, n, states, keys);
    }
}

/* ---- From keys to states ---- */

void collapse_view_fini(struct collapse_view *v) {
    free(v->state);
    *v = (struct collapse_view){0};
}

/* Of all components, if there is no last state; else of those whose numbers differ. */
void collapse_state(const struct collapse *c, struct collapse_view *v, uint64_t key, word *state) {
    bool is_first = !v->state;
    if (is_first) {
        v->state = memory_get_zeroed(c->words * sizeof(word));
        v->state[0] = 1;
    }
    uint64_t differ = key ^ v->key;
    for (uint32_t k = 0; k < c->count; k++) {
        const struct dictionary *x = &c->all[k];
        if (!is_first && !(differ & x->in_key)) continue;
        uint32_t number = number_in(x, key);
        assert(number < UINT32_C(1) << x->width);
        const uint64_t *content = x->contents + (size_t)number * x->length;
        for (uint32_t i = 0; i < x->length; i++) v->state[x->at[i]] = (v->state[x->at[i]] & ~x->masks[i]) | content[i];
    }
    v->key = key;
    memcpy(state, v->state, c->words * sizeof(word));
}
