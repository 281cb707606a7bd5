#include "derive/diagram.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct wanted {
    struct node node;
    const uint32_t *child;
};

static bool same_node(const void *things, const void *wanted, uint32_t number) {
    const struct diagram *d = things;
    const struct wanted *w = wanted;
    const struct node *n = &d->node[number];
    return n->kind == w->node.kind && n->variable == w->node.variable && n->effect == w->node.effect &&
           n->count == w->node.count && memcmp(d->child + n->first, w->child, n->count * sizeof *w->child) == 0;
}

static uint32_t hash_of(const struct node *n, const uint32_t *child) {
    uint64_t h = (uint64_t)n->kind << 40 ^ (uint64_t)n->variable << 20 ^ n->effect;
    for (uint32_t i = 0; i < n->count; i++) h = (h ^ child[i]) * UINT64_C(0x9e3779b97f4a7c15), h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

static uint32_t hash_of_node(const void *things, uint32_t number) {
    const struct diagram *d = things;
    return hash_of(&d->node[number], d->child + d->node[number].first);
}

static uint32_t intern(struct diagram *d, struct node n, const uint32_t *child) {
    struct wanted w = {n, child};
    uint32_t *cell = table_find(&d->table, hash_of(&n, child), same_node, d, &w);
    if (*cell) return *cell - 1;
    MAKE_ROOM(d->node, d->count, d->room);
    n.first = d->children;
    n.loose = n.kind == NODE_CHOICE;
    for (uint32_t i = 0; i < n.count; i++) {
        n.loose |= child[i] != NODE_NONE && d->node[child[i]].loose;
        MAKE_ROOM(d->child, d->children, d->child_room);
        assert(child[i] == NODE_NONE || child[i] < d->count); /* children come before their parents */
        d->child[d->children++] = child[i];
    }
    d->node[d->count++] = n;
    return table_put(&d->table, cell, hash_of_node, d);
}

void diagram_init(struct diagram *d, const struct slots *slots) {
    static const uint32_t none;
    *d = (struct diagram){.slots = slots};
    d->child = memory_get((d->child_room = 64) * sizeof *d->child);
    table_init(&d->table, 256);
    set_table_init(&d->effects);
    set_table_number(&d->effects, &none, 0);
}

void diagram_fini(struct diagram *d) {
    free(d->node);
    free(d->child);
    free(d->values);
    free(d->arc_from);
    free(d->arc);
    table_fini(&d->table);
    set_table_fini(&d->effects);
}

static uint32_t leaf(struct diagram *d, enum node_kind kind, uint32_t effect) {
    return intern(d, (struct node){.kind = kind, .effect = effect}, d->child);
}

static uint32_t effect_of(struct diagram *d, const struct point_view *at) {
    uint32_t list[2 * at->store_count + 1];
    for (uint32_t i = 0; i < at->store_count; i++) {
        const struct slot_range *range = &d->slots->of[at->stores[i].variable];
        assert(i == 0 || at->stores[i - 1].variable < at->stores[i].variable);
        assert(range->count == 0 || at->stores[i].value < range->count);
        list[2 * i] = at->stores[i].variable;
        list[2 * i + 1] = range->count ? range->first + (uint32_t)at->stores[i].value : SLOT_ANY;
    }
    return set_table_number(&d->effects, list, 2 * at->store_count);
}

static uint32_t value_of(struct diagram *d, uint64_t value) {
    for (uint32_t i = 0; i < d->value_count; i++)
        if (d->values[i] == value) return i;
    MAKE_ROOM(d->values, d->value_count, d->value_room);
    d->values[d->value_count] = value;
    return d->value_count++;
}

static uint32_t leaf_of(struct diagram *d, const struct point_view *at, enum diagram_view view) {
    bool on = false;
    bool of_value = view == VIEW_VALUE || view == VIEW_TRUE || view == VIEW_FALSE;
    if (at->kind == LEAF_UNKNOWN || (at->kind == LEAF_ERROR && of_value)) return leaf(d, NODE_VAGUE, 0);
    switch (view) {
    case VIEW_TRANSITION:
        if (at->kind == LEAF_ENABLED) return leaf(d, NODE_ENABLED, effect_of(d, at));
        break;
    case VIEW_VALUE: return leaf(d, NODE_VALUE, value_of(d, at->value));
    case VIEW_ERROR: on = at->kind == LEAF_ERROR; break;
    case VIEW_BAD: on = at->kind == LEAF_ERROR || at->value != 0; break;
    case VIEW_TRUE: on = at->value != 0; break;
    case VIEW_FALSE: on = at->value == 0; break;
    }
    return leaf(d, on ? NODE_ENABLED : NODE_DISABLED, 0);
}

/* By readings: the node of each, + 1. */
struct making {
    struct diagram *d;
    const struct readings *r;
    enum diagram_view view;
    uint32_t *done;
};

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* One of the children, each once. */
static uint32_t choice(struct diagram *d, uint32_t variable, uint32_t *child, uint32_t count) {
    uint32_t kept = 0;
    qsort(child, count, sizeof *child, by_number);
    for (uint32_t i = 0; i < count && child[i] != NODE_NONE; i++)
        if (i == 0 || child[i] != child[i - 1]) child[kept++] = child[i];
    if (kept == 0) return NODE_NONE;
    if (kept == 1 && !d->node[child[0]].loose) return child[0];
    return intern(d, (struct node){.kind = NODE_CHOICE, .variable = variable, .count = kept}, child);
}

static uint32_t read_node(struct diagram *d, uint32_t variable, uint32_t *child, uint32_t count) {
    if (d->slots->of[variable].count == 0) return choice(d, variable, child, count);
    assert(count == d->slots->of[variable].count); /* a child for each value */
    uint32_t only = NODE_NONE;
    bool same = true;
    for (uint32_t v = 0; v < count; v++) {
        if (child[v] == NODE_NONE) continue;
        if (only == NODE_NONE) only = child[v];
        same &= child[v] == only;
    }
    if (same && (only == NODE_NONE || !d->node[only].loose)) return only;
    return intern(d, (struct node){.kind = NODE_READ, .variable = variable, .count = count}, child);
}

/* NODE_NONE: no possible state gets to this reading. */
static uint32_t make(struct making *m, uint32_t n) {
    const struct reading *at = &m->r->at[n];
    if (m->done[n]) return m->done[n] - 1;
    uint32_t node;
    if (at->at.kind != POINT_READ) node = leaf_of(m->d, &at->at, m->view);
    else {
        uint32_t *child = memory_get((at->values + 1) * sizeof *child);
        for (uint32_t v = 0; v < at->values; v++)
            child[v] = at->next[v] == READING_NONE ? NODE_NONE : make(m, at->next[v]);
        node = read_node(m->d, at->at.variable, child, at->values);
        free(child);
    }
    m->done[n] = node + 1; /* 0 again for NODE_NONE, which is soon found again */
    return node;
}

uint32_t diagram_make(struct diagram *d, const struct readings *r, uint32_t unit, enum diagram_view view) {
    struct making m = {d, r, view, memory_get_zeroed((r->count + 1) * sizeof *m.done)};
    uint32_t node = make(&m, r->root[unit]);
    free(m.done);
    return node;
}

static uint32_t add_arcs(struct diagram *d, uint32_t node, uint32_t count, uint32_t *last) {
    const struct node *n = &d->node[node];
    const struct slot_range *r = &d->slots->of[n->variable];
    uint32_t from = count;
    for (uint32_t v = 0; v < n->count; v++) {
        uint32_t child = d->child[n->first + v];
        if (child == NODE_NONE) continue;
        if (last[child] < from || last[child] >= count || d->arc[last[child]].child != child) {
            last[child] = count;
            d->arc[count++] = (struct arc){.child = child};
        }
        if (n->kind == NODE_READ) slot_add(d->arc[last[child]].values, r->first + v - 64 * r->word);
    }
    return count;
}

void diagram_arcs(struct diagram *d) {
    uint32_t *last = memory_get_zeroed((d->count + 1) * sizeof *last), count = 0;
    d->arc_from = memory_get((d->count + 1) * sizeof *d->arc_from);
    d->arc = memory_get((d->children + 1) * sizeof *d->arc);
    for (uint32_t n = 0; n < d->count; n++) {
        d->arc_from[n] = count;
        if (d->node[n].kind <= NODE_CHOICE) count = add_arcs(d, n, count, last);
    }
    d->arc_from[d->count] = count;
    d->arc = memory_resize(d->arc, (count + 1) * sizeof *d->arc);
    free(last);
}

uint32_t diagram_walk(const struct diagram *d, uint32_t root, const struct source_variable *variables,
                      const uint64_t *state) {
    while (root != NODE_NONE && d->node[root].kind == NODE_READ) {
        const struct node *n = &d->node[root];
        uint64_t value = source_value(&variables[n->variable], state);
        root = value < n->count ? d->child[n->first + value] : NODE_NONE;
    }
    return root;
}

static void reads_below(const struct diagram *d, uint32_t root, bool *reads, bool *done) {
    if (root == NODE_NONE || done[root] || d->node[root].kind > NODE_CHOICE) return;
    done[root] = true;
    reads[d->node[root].variable] = true;
    for (uint32_t i = 0; i < d->node[root].count; i++) reads_below(d, d->child[d->node[root].first + i], reads, done);
}

void diagram_reads(const struct diagram *d, uint32_t root, bool *reads) {
    bool *done = memory_get_zeroed(d->count + 1);
    reads_below(d, root, reads, done);
    free(done);
}
