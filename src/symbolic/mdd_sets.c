#include <assert.h>
#include <string.h>

#include "symbolic/mdd.h"

/* ---- Two sets ---- */

static mdd unite(struct mdd_pool *m, mdd a, mdd b) {
    mdd r;
    if (a == b || b == MDD_EMPTY) return a;
    if (a == MDD_EMPTY) return b;
    if (m->stopped) return MDD_EMPTY;
    if (a > b) r = a, a = b, b = r;
    if (mdd_cached(m, a, b, MDD_UNION, &r)) return r;
    uint32_t level = mdd_level(m, a), size = m->size[level], *c = mdd_push(m, size);
    for (uint32_t v = 0; v < size; v++) c[v] = unite(m, mdd_child(m, a, v), mdd_child(m, b, v));
    r = mdd_make(m, level, c);
    mdd_pop(m, size);
    mdd_cache(m, a, b, MDD_UNION, r);
    return r;
}

static mdd minus(struct mdd_pool *m, mdd a, mdd b) {
    mdd r;
    if (a == b || a == MDD_EMPTY || m->stopped) return MDD_EMPTY;
    if (b == MDD_EMPTY) return a;
    if (mdd_cached(m, a, b, MDD_MINUS, &r)) return r;
    uint32_t level = mdd_level(m, a), size = m->size[level], *c = mdd_push(m, size);
    for (uint32_t v = 0; v < size; v++) c[v] = minus(m, mdd_child(m, a, v), mdd_child(m, b, v));
    r = mdd_make(m, level, c);
    mdd_pop(m, size);
    mdd_cache(m, a, b, MDD_MINUS, r);
    return r;
}

static mdd meet(struct mdd_pool *m, mdd a, mdd b) {
    mdd r;
    if (a == b) return a;
    if (a == MDD_EMPTY || b == MDD_EMPTY || m->stopped) return MDD_EMPTY;
    if (a > b) r = a, a = b, b = r;
    if (mdd_cached(m, a, b, MDD_INTERSECT, &r)) return r;
    uint32_t level = mdd_level(m, a), size = m->size[level], *c = mdd_push(m, size);
    for (uint32_t v = 0; v < size; v++) c[v] = meet(m, mdd_child(m, a, v), mdd_child(m, b, v));
    r = mdd_make(m, level, c);
    mdd_pop(m, size);
    mdd_cache(m, a, b, MDD_INTERSECT, r);
    return r;
}

mdd mdd_unite(struct mdd_pool *m, mdd a, mdd b) { return unite(m, a, b); }
mdd mdd_meet(struct mdd_pool *m, mdd a, mdd b) { return meet(m, a, b); }

typedef mdd of_two(struct mdd_pool *m, mdd a, mdd b);

/* The arguments are needed until the result is there. */
static mdd holding(struct mdd_pool *m, mdd a, mdd b, of_two *what) {
    uint32_t *hold = mdd_push(m, 2);
    hold[0] = a, hold[1] = b;
    mdd r = what(m, a, b);
    mdd_pop(m, 2);
    return r;
}

mdd mdd_union(struct mdd_pool *m, mdd a, mdd b) { return holding(m, a, b, unite); }
mdd mdd_minus(struct mdd_pool *m, mdd a, mdd b) { return holding(m, a, b, minus); }
mdd mdd_intersect(struct mdd_pool *m, mdd a, mdd b) { return holding(m, a, b, meet); }

/* ---- One vector, one level ---- */

mdd mdd_one(struct mdd_pool *m, const uint32_t *vector) {
    uint32_t *below = mdd_push(m, 1);
    below[0] = MDD_TRUE;
    for (uint32_t k = m->levels; k-- > 0;) {
        uint32_t *c = mdd_push(m, m->size[k]);
        assert(vector[k] < m->size[k]);
        c[vector[k]] = below[0];
        below[0] = mdd_make(m, k, c);
        mdd_pop(m, m->size[k]);
    }
    mdd r = below[0];
    mdd_pop(m, 1);
    return r;
}

bool mdd_has(const struct mdd_pool *m, mdd a, const uint32_t *vector) {
    for (uint32_t k = 0; k < m->levels && a != MDD_EMPTY; k++) a = mdd_child(m, a, vector[k]);
    return a != MDD_EMPTY;
}

/* The number of a set of values. */
static uint32_t selection_of(struct mdd_pool *m, const uint64_t *values, uint32_t words) {
    uint64_t all[m->selection_words + 1];
    memset(all, 0, sizeof all);
    memcpy(all, values, words * sizeof *values);
    for (uint32_t i = 0; i < m->selections; i++)
        if (memcmp(m->selected + (size_t)i * m->selection_words, all, m->selection_words * sizeof *all) == 0) return i;
    if (m->selections == m->selection_room) {
        m->selection_room = 2 * m->selection_room + 16;
        m->selected = memory_resize(m->selected, (size_t)m->selection_room * m->selection_words * sizeof *m->selected);
    }
    memcpy(m->selected + (size_t)m->selections * m->selection_words, all, m->selection_words * sizeof *all);
    return m->selections++;
}

struct selecting {
    uint32_t level, key; /* `key`: level and number of the set, for the cache */
    const uint64_t *values;
};

static mdd select_values(struct mdd_pool *m, mdd a, const struct selecting *s) {
    mdd r;
    if (a == MDD_EMPTY || m->stopped) return MDD_EMPTY;
    uint32_t level = mdd_level(m, a), size = m->size[level];
    if (mdd_cached(m, a, s->key, MDD_SELECT, &r)) return r;
    uint32_t *c = mdd_push(m, size);
    for (uint32_t v = 0; v < size; v++)
        if (level < s->level) c[v] = select_values(m, mdd_child(m, a, v), s);
        else if (s->values[v / 64] >> v % 64 & 1) c[v] = mdd_child(m, a, v);
    r = mdd_make(m, level, c);
    mdd_pop(m, size);
    mdd_cache(m, a, s->key, MDD_SELECT, r);
    return r;
}

mdd mdd_select(struct mdd_pool *m, mdd a, uint32_t level, const uint64_t *values) {
    uint32_t number = selection_of(m, values, (m->size[level] + 63) / 64);
    assert(level < m->levels && (a == MDD_EMPTY || mdd_level(m, a) == 0)); /* a set, not a part of one */
    struct selecting s = {level, number * m->levels + level, values};
    uint32_t *hold = mdd_push(m, 1);
    hold[0] = a;
    mdd r = select_values(m, a, &s);
    mdd_pop(m, 1);
    return r;
}
