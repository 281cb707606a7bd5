#include "algo/shared_sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { RECENT = 1 << 16, MEMBERS = 32 };

/* A leaf has `bit` 0: of a set, 32 possible members, those whose bits are in `left`, with `right` 0; of a map, a label
 * and its set in `left`, with `right` 1. A branch: keys agree with `key` above `bit`; those without it: `left`. */
struct sets_node {
    uint32_t bit, key, left, right;
};

struct sets_union {
    uint32_t x, y, result;
};

void sets_init(struct sets *s) {
    *s = (struct sets){.count = 1, .room = 1024, .mask = 2047};
    s->node = memory_get(s->room * sizeof *s->node);
    s->node[SETS_EMPTY] = (struct sets_node){0};
    s->table = memory_get_zeroed((s->mask + UINT64_C(1)) * sizeof *s->table);
    s->recent = memory_get_zeroed(RECENT * sizeof *s->recent);
}

void sets_fini(struct sets *s) {
    free(s->node);
    free(s->table);
    free(s->recent);
    *s = (struct sets){0};
}

/* ---- Nodes, each once ---- */

static uint32_t mix(uint64_t x) {
    x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(x >> 32 ^ x >> 11);
}

static uint32_t hash_of(const struct sets_node *n) {
    return mix(((uint64_t)n->bit << 32 | n->key) * UINT64_C(0xbf58476d1ce4e5b9) + ((uint64_t)n->left << 32 | n->right));
}

static void make_table(struct sets *s) {
    free(s->table);
    s->table = memory_get_large_zeroed((s->mask + UINT64_C(1)) * sizeof *s->table);
    for (uint32_t i = 1; i < s->count; i++) {
        uint32_t at = hash_of(&s->node[i]) & s->mask;
        while (s->table[at]) at = (at + 1) & s->mask;
        s->table[at] = i;
    }
}

static uint32_t node(struct sets *s, uint32_t bit, uint32_t key, uint32_t left, uint32_t right) {
    struct sets_node wanted = {bit, key, left, right};
    assert(!bit || (left != right && left != SETS_EMPTY && right != SETS_EMPTY)); /* a branch has two sides */
    assert(!bit || (left < s->count && right < s->count));                        /* made after what it refers to */
    uint32_t at = hash_of(&wanted) & s->mask;
    for (; s->table[at]; at = (at + 1) & s->mask)
        if (memcmp(&s->node[s->table[at]], &wanted, sizeof wanted) == 0) return s->table[at];
    if (s->count == s->room) {
        s->room += s->room / 2;
        s->node = memory_resize(s->node, s->room * sizeof *s->node);
    }
    s->node[s->count] = wanted;
    s->table[at] = s->count++;
    if (s->count > s->mask / 2) {
        s->mask = 2 * s->mask + 1;
        make_table(s);
    }
    return s->count - 1;
}

uint32_t sets_single(struct sets *s, uint32_t member) {
    return node(s, 0, member / MEMBERS, UINT32_C(1) << member % MEMBERS, 0);
}

uint32_t sets_labelled(struct sets *s, uint32_t label, uint32_t set) { return node(s, 0, label, set, 1); }

/* ---- Unions ---- */

/* Two tries without a common prefix. */
static uint32_t join(struct sets *s, uint32_t x, uint32_t y) {
    uint32_t key = s->node[x].key, other = s->node[y].key;
    assert(key != other);
    uint32_t bit = UINT32_C(1) << (31 - __builtin_clz(key ^ other)), above = ~(bit | (bit - 1));
    return key & bit ? node(s, bit, key & above, y, x) : node(s, bit, key & above, x, y);
}

/* Does the key belong below this branch? */
static bool below(const struct sets_node *branch, uint32_t key) {
    return (key & ~(branch->bit | (branch->bit - 1))) == branch->key;
}

static uint32_t unite_leaves(struct sets *s, struct sets_node x, struct sets_node y) {
    assert(x.right == y.right); /* a set and a map are never united */
    if (x.right == 0) return node(s, 0, x.key, x.left | y.left, 0);
    return node(s, 0, x.key, sets_union(s, x.left, y.left), 1);
}

/* y goes below branch x. */
static uint32_t unite_below(struct sets *s, uint32_t x, uint32_t y) {
    struct sets_node n = s->node[x];
    assert(below(&n, s->node[y].key));
    uint32_t *child = s->node[y].key & n.bit ? &n.right : &n.left, united = sets_union(s, *child, y);
    if (united == *child) return x;
    *child = united;
    return node(s, n.bit, n.key, n.left, n.right);
}

static uint32_t unite(struct sets *s, uint32_t x, uint32_t y) {
    struct sets_node n = s->node[x], m = s->node[y];
    if (n.bit == m.bit && n.key == m.key) {
        if (n.bit == 0) return unite_leaves(s, n, m);
        uint32_t left = sets_union(s, n.left, m.left), right = sets_union(s, n.right, m.right);
        return node(s, n.bit, n.key, left, right);
    }
    if (n.bit > m.bit && below(&n, m.key)) return unite_below(s, x, y);
    if (m.bit > n.bit && below(&m, n.key)) return unite_below(s, y, x);
    return join(s, x, y);
}

uint32_t sets_union(struct sets *s, uint32_t x, uint32_t y) {
    s->work++;
    if (x == y || y == SETS_EMPTY) return x;
    if (x == SETS_EMPTY) return y;
    if (x > y) {
        uint32_t t = x;
        x = y;
        y = t;
    }
    struct sets_union *known = &s->recent[mix((uint64_t)x << 32 | y) % RECENT];
    if (known->x == x && known->y == y) return known->result;
    uint32_t result = unite(s, x, y);
    *known = (struct sets_union){x, y, result};
    return result;
}

/* Two by two, so that large sets are not copied for each small one. */
uint32_t sets_union_of(struct sets *s, uint32_t *sets, size_t n) {
    if (n == 0) return SETS_EMPTY;
    for (; n > 1; n = (n + 1) / 2)
        for (size_t i = 0; i < n; i += 2) sets[i / 2] = i + 1 < n ? sets_union(s, sets[i], sets[i + 1]) : sets[i];
    return sets[0];
}

/* ---- Questions ---- */

/* The leaf with this key, or SETS_EMPTY. */
static uint32_t leaf(const struct sets *s, uint32_t set, uint32_t key) {
    while (set != SETS_EMPTY && s->node[set].bit != 0) {
        const struct sets_node *n = &s->node[set];
        if (!below(n, key)) return SETS_EMPTY;
        set = key & n->bit ? n->right : n->left;
    }
    return set != SETS_EMPTY && s->node[set].key == key ? set : SETS_EMPTY;
}

bool sets_has(const struct sets *s, uint32_t set, uint32_t member) {
    uint32_t found = leaf(s, set, member / MEMBERS);
    return found != SETS_EMPTY && s->node[found].left >> member % MEMBERS & 1;
}

uint32_t sets_of_label(const struct sets *s, uint32_t map, uint32_t label) {
    uint32_t found = leaf(s, map, label);
    return found == SETS_EMPTY ? SETS_EMPTY : s->node[found].left;
}

/* ---- Forgetting ---- */

/* A node is made after those that it refers to, so one way back finds all that are needed. */
static void mark_needed(const struct sets *s, uint8_t *needed) {
    for (uint32_t i = s->count; i-- > 1;) {
        const struct sets_node *n = &s->node[i];
        if (!needed[i]) continue;
        if (n->bit || n->right) needed[n->left] = 1;
        if (n->bit) needed[n->right] = 1;
    }
}

static void compact(struct sets *s, const uint8_t *needed, uint32_t *number) {
    uint32_t kept = 1;
    number[SETS_EMPTY] = SETS_EMPTY;
    for (uint32_t i = 1; i < s->count; i++) {
        struct sets_node n = s->node[i];
        if (!needed[i]) continue;
        assert(!n.bit || (needed[n.left] && needed[n.right]));
        if (n.bit || n.right) n.left = number[n.left];
        if (n.bit) n.right = number[n.right];
        number[i] = kept;
        s->node[kept++] = n;
    }
    s->count = kept;
}

void sets_keep(struct sets *s, uint32_t **lists, size_t list_count, size_t n) {
    uint8_t *needed = memory_get_zeroed(s->count);
    uint32_t *number = memory_get(s->count * sizeof *number);
    for (size_t i = 0; i < list_count; i++)
        for (size_t j = 0; j < n; j++) needed[lists[i][j]] = 1;
    mark_needed(s, needed);
    compact(s, needed, number);
    for (size_t i = 0; i < list_count; i++)
        for (size_t j = 0; j < n; j++) lists[i][j] = number[lists[i][j]];
    make_table(s);
    memset(s->recent, 0, RECENT * sizeof *s->recent);
    free(needed);
    free(number);
}
