#include "symbolic/relation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct wanted {
    uint32_t level, count;
    const struct relation_entry *entry;
};

static bool same_node(const void *things, const void *wanted, uint32_t number) {
    const struct relations *r = things;
    const struct wanted *w = wanted;
    const struct relation_node *n = &r->node[number];
    return n->level == w->level && n->count == w->count &&
           (w->count == 0 || memcmp(r->entry + n->first, w->entry, w->count * sizeof *w->entry) == 0);
}

static uint32_t hash_of(uint32_t level, const struct relation_entry *entry, uint32_t count) {
    uint64_t h = level + UINT64_C(1);
    for (uint32_t i = 0; i < count; i++) {
        h = (h ^ entry[i].from ^ (uint64_t)entry[i].to << 20 ^ (uint64_t)entry[i].next << 32) *
            UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

static uint32_t hash_node(const void *things, uint32_t number) {
    const struct relations *r = things;
    return hash_of(r->node[number].level, r->entry + r->node[number].first, r->node[number].count);
}

static relation intern(struct relations *r, uint32_t level, const struct relation_entry *entry, uint32_t count) {
    struct wanted w = {level, count, entry};
    uint32_t *cell = table_find(&r->table, hash_of(level, entry, count), same_node, r, &w);
    if (*cell) return *cell - 1;
    if (r->full || r->count >= r->most) {
        r->full = true;
        return RELATION_NONE;
    }
    MAKE_ROOM(r->node, r->count, r->room);
    r->node[r->count++] = (struct relation_node){level, r->entries, count, RELATION_NONE};
    for (uint32_t i = 0; i < count; i++) {
        MAKE_ROOM(r->entry, r->entries, r->entry_room);
        r->entry[r->entries++] = entry[i];
    }
    return table_put(&r->table, cell, hash_node, r);
}

void relations_init(struct relations *r, uint32_t levels, const uint32_t *size, uint32_t most) {
    *r = (struct relations){.levels = levels, .size = size, .most = most};
    MAKE_ROOM(r->entry, r->entries, r->entry_room);
    table_init(&r->table, 256);
    twins_init(&r->united_table, sizeof *r->united);
    /* RELATION_NONE and RELATION_SAME, which have no entries, differ by levels that no node has. */
    intern(r, levels, NULL, 0);
    intern(r, levels + 1, NULL, 0);
}

void relations_fini(struct relations *r) {
    free(r->node);
    free(r->entry);
    free(r->united);
    table_fini(&r->table);
    twins_fini(&r->united_table);
}

static int by_values(const void *a, const void *b) {
    const struct relation_entry *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Does the level stay as it is, whatever it is? */
static bool is_same(const struct relations *r, uint32_t level, const struct relation_entry *entries, uint32_t count) {
    if (count != r->size[level]) return false;
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].from != i || entries[i].to != i || entries[i].next != entries[0].next) return false;
    return true;
}

relation relation_make(struct relations *r, uint32_t level, struct relation_entry *entries, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert(entries[i].from < r->size[level] && entries[i].to < r->size[level]);
        assert(entries[i].next == RELATION_NONE || relation_level(r, entries[i].next) > level);
        if (entries[i].next != RELATION_NONE) entries[kept++] = entries[i];
    }
    if (kept == 0) return RELATION_NONE;
    qsort(entries, kept, sizeof *entries, by_values);
    if (is_same(r, level, entries, kept)) return entries[0].next;
    return intern(r, level, entries, kept);
}

relation relation_store(struct relations *r, relation x, uint32_t level, uint32_t value) {
    struct relation_entry *e = memory_get((r->size[level] + 1) * sizeof *e);
    for (uint32_t v = 0; v < r->size[level]; v++) e[v] = (struct relation_entry){v, value, x};
    relation made = relation_make(r, level, e, r->size[level]);
    free(e);
    return made;
}

/* ---- Restriction ---- */

struct restricting {
    struct relations *r;
    uint32_t level;
    const uint64_t *values;
    struct relation_pair *done; /* a: the relation; b: 0 */
    uint32_t count, room;
    struct twins table;
};

static bool chosen(const struct restricting *x, uint32_t value) { return x->values[value / 64] >> value % 64 & 1; }

static relation restrict_at(struct restricting *x, relation a);

static relation restrict_new(struct restricting *x, relation a) {
    struct relations *r = x->r;
    uint32_t level = relation_level(r, a), count = level > x->level ? r->size[x->level] : r->node[a].count;
    struct relation_entry *e = memory_get((count + 1) * sizeof *e);
    for (uint32_t i = 0; i < count; i++) {
        if (level > x->level) e[i] = (struct relation_entry){i, i, chosen(x, i) ? a : RELATION_NONE};
        else {
            e[i] = r->entry[r->node[a].first + i];
            if (level < x->level) e[i].next = restrict_at(x, e[i].next);
            else if (!chosen(x, e[i].from)) e[i].next = RELATION_NONE;
        }
    }
    relation made = relation_make(r, level < x->level ? level : x->level, e, count);
    free(e);
    return made;
}

static relation restrict_at(struct restricting *x, relation a) {
    if (a == RELATION_NONE) return a;
    uint32_t known = twins_find(&x->table, x->done, a, 0);
    if (known != TWINS_NONE) return x->done[known].result;
    relation made = restrict_new(x, a);
    MAKE_ROOM(x->done, x->count, x->room);
    x->done[x->count++] = (struct relation_pair){a, 0, made};
    twins_add(&x->table, x->done, x->count);
    return made;
}

relation relation_restrict(struct relations *r, relation a, uint32_t level, const uint64_t *values) {
    assert(level < r->levels);
    struct restricting x = {.r = r, .level = level, .values = values};
    twins_init(&x.table, sizeof *x.done);
    relation made = restrict_at(&x, a);
    twins_fini(&x.table);
    free(x.done);
    return made;
}

/* ---- Union ---- */

/* Entries by from and to; the level may be missing in either. */
static relation unite_at(struct relations *r, uint32_t level, relation a, relation b) {
    relation parts[2] = {a, b};
    uint32_t size = r->size[level], count = 0;
    uint64_t room = size;
    for (int i = 0; i < 2; i++) room += relation_level(r, parts[i]) == level ? r->node[parts[i]].count : size;
    struct relation_entry *e = memory_get((room + 1) * sizeof *e);
    for (int i = 0; i < 2; i++) {
        if (relation_level(r, parts[i]) > level)
            for (uint32_t v = 0; v < size; v++) e[count++] = (struct relation_entry){v, v, parts[i]};
        else
            for (uint32_t k = 0; k < r->node[parts[i]].count; k++) e[count++] = r->entry[r->node[parts[i]].first + k];
    }
    qsort(e, count, sizeof *e, by_values);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && e[kept - 1].from == e[i].from && e[kept - 1].to == e[i].to)
            e[kept - 1].next = relation_union(r, e[kept - 1].next, e[i].next);
        else e[kept++] = e[i];
    }
    relation made = relation_make(r, level, e, kept);
    free(e);
    return made;
}

relation relation_union(struct relations *r, relation a, relation b) {
    if (a == b || b == RELATION_NONE) return a;
    if (a == RELATION_NONE) return b;
    if (r->full) return RELATION_NONE;
    relation low = a < b ? a : b, high = a < b ? b : a;
    uint32_t known = twins_find(&r->united_table, r->united, low, high);
    if (known != TWINS_NONE) return r->united[known].result;
    uint32_t x = relation_level(r, a), y = relation_level(r, b);
    relation made = unite_at(r, x < y ? x : y, a, b);
    MAKE_ROOM(r->united, r->united_count, r->united_room);
    r->united[r->united_count++] = (struct relation_pair){low, high, made};
    twins_add(&r->united_table, r->united, r->united_count);
    return made;
}

/* ---- The other way round ---- */

relation relation_inverse(struct relations *r, relation x) {
    if (x <= RELATION_SAME || r->full) return r->full ? RELATION_NONE : x;
    if (r->node[x].inverse != RELATION_NONE) return r->node[x].inverse;
    uint32_t count = r->node[x].count, level = r->node[x].level;
    struct relation_entry *e = memory_get((count + 1) * sizeof *e);
    for (uint32_t i = 0; i < count; i++) {
        struct relation_entry old = r->entry[r->node[x].first + i];
        e[i] = (struct relation_entry){old.to, old.from, relation_inverse(r, old.next)};
    }
    relation made = relation_make(r, level, e, count);
    free(e);
    r->node[x].inverse = made;
    return made;
}
