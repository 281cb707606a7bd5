#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/natural.h"
#include "symbolic/system.h"

/* ---- States ---- */

/* False: it has a value that no reached state has. */
static bool vector_of(const struct symbolic *s, const word *state, uint32_t *vector) {
    for (uint32_t x = 0; x < s->levels; x++) {
        const struct source_variable *v = &s->source->variables[x];
        vector[s->level_of[x]] = 0;
        if (v->slots == 0) continue; /* it never changes */
        uint64_t value = source_value(v, state);
        uint32_t index = value < v->slots ? s->index_of[x][value] : NODE_NONE;
        if (index == NODE_NONE) return false;
        vector[s->level_of[x]] = index;
    }
    return true;
}

bool symbolic_has(const struct symbolic *s, mdd set, const word *state) {
    uint32_t vector[s->levels + 1];
    return vector_of(s, state, vector) && mdd_has(&s->pool, set, vector);
}

mdd symbolic_one(struct symbolic *s, const word *state) {
    uint32_t vector[s->levels + 1];
    return vector_of(s, state, vector) ? mdd_one(&s->pool, vector) : MDD_EMPTY;
}

char *symbolic_count(struct symbolic *s, mdd set) {
    uint32_t limbs = mdd_limbs(&s->pool);
    uint64_t count[limbs];
    mdd_count(&s->pool, set, count, limbs);
    return natural_text(count, limbs);
}

/* ---- Diagrams, gone through with sets ---- */

struct going {
    struct symbolic *s;
    uint32_t *node; /* of the diagram, by increasing number; children come first */
    uint32_t count, room;
    uint32_t *place; /* of each node of the diagram: 1 + its place in the list, or 0 */
    mdd *set;        /* with which each is come to: roots */
};

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void list_nodes(struct going *g, uint32_t n) {
    const struct diagram *d = &g->s->diagram;
    if (g->place[n]) return;
    g->place[n] = 1;
    if (d->node[n].kind == NODE_READ)
        for (uint32_t i = d->arc_from[n]; i < d->arc_from[n + 1]; i++) list_nodes(g, d->arc[i].child);
    MAKE_ROOM(g->node, g->count, g->room);
    g->node[g->count++] = n;
}

static void going_init(struct going *g, struct symbolic *s, uint32_t root) {
    *g = (struct going){.s = s, .place = memory_get_zeroed((s->diagram.count + 1) * sizeof *g->place)};
    list_nodes(g, root);
    qsort(g->node, g->count, sizeof *g->node, by_number);
    g->set = memory_get_zeroed((g->count + 1) * sizeof *g->set);
    for (uint32_t i = 0; i <= g->count; i++) {
        if (i < g->count) g->place[g->node[i]] = i + 1;
        mdd_root(&s->pool, &g->set[i]);
    }
}

static void going_fini(struct going *g) {
    mdd_drop(&g->s->pool, g->count + 1);
    free(g->node);
    free(g->place);
    free(g->set);
}

void symbolic_values(const struct symbolic *s, uint32_t x, const struct arc *a, uint64_t values[SOURCE_SLOTS / 64]) {
    const struct slot_range *range = &s->readings.slots.of[x];
    memset(values, 0, SOURCE_SLOTS / 8);
    for (uint32_t v = 0; v < range->count; v++) {
        uint32_t bit = range->first + v - 64 * range->word, to = s->index_of[x][v];
        if (to != NODE_NONE && a->values[bit / 64] >> bit % 64 & 1) values[to / 64] |= UINT64_C(1) << to % 64;
    }
}

static bool is_meant(const struct symbolic *s, const struct node *n, enum symbolic_leaf leaf) {
    if (leaf == LEAVES_ENABLED) return n->kind == NODE_ENABLED;
    if (leaf == LEAVES_TRUE) return n->kind == NODE_VALUE && s->diagram.values[n->effect] != 0;
    if (n->kind == NODE_VAGUE || n->kind == NODE_CHOICE) return true;
    if (n->kind != NODE_ENABLED) return false;
    uint32_t count;
    const uint32_t *list = diagram_effect(&s->diagram, n->effect, &count);
    for (uint32_t i = 0; i < count; i++)
        if (list[2 * i + 1] == SLOT_ANY) return true;
    return false;
}

mdd symbolic_where(struct symbolic *s, uint32_t root, mdd set, enum symbolic_leaf leaf) {
    struct going g;
    if (root == NODE_NONE || set == MDD_EMPTY) return MDD_EMPTY;
    going_init(&g, s, root);
    assert(g.count > 0 && g.node[g.count - 1] == root); /* children have smaller numbers */
    mdd *found = &g.set[g.count];                       /* the last place */
    g.set[g.count - 1] = set;                           /* the root has the highest number */
    for (uint32_t i = g.count; i-- > 0;) {
        const struct node *n = &s->diagram.node[g.node[i]];
        if (g.set[i] == MDD_EMPTY) continue;
        if (is_meant(s, n, leaf)) *found = mdd_union(&s->pool, *found, g.set[i]);
        if (n->kind != NODE_READ) continue;
        for (uint32_t k = s->diagram.arc_from[g.node[i]]; k < s->diagram.arc_from[g.node[i] + 1]; k++) {
            const struct arc *a = &s->diagram.arc[k];
            uint64_t values[SOURCE_SLOTS / 64];
            mdd *to = &g.set[g.place[a->child] - 1];
            symbolic_values(s, n->variable, a, values);
            mdd part = mdd_select(&s->pool, g.set[i], s->level_of[n->variable], values);
            *to = mdd_union(&s->pool, *to, part);
        }
    }
    mdd result = *found;
    going_fini(&g);
    return result;
}

mdd symbolic_terminal(struct symbolic *s) {
    mdd left = s->reached;
    mdd_root(&s->pool, &left);
    for (uint32_t t = 0; t < s->transitions && left; t++)
        left = mdd_minus(&s->pool, left, symbolic_where(s, s->root[t], left, LEAVES_ENABLED));
    mdd_drop(&s->pool, 1);
    return left;
}

mdd symbolic_failing(struct symbolic *s) {
    mdd all = MDD_EMPTY;
    mdd_root(&s->pool, &all);
    for (uint32_t t = 0; t < s->transitions; t++)
        all = mdd_union(&s->pool, all, symbolic_where(s, s->error[t], s->reached, LEAVES_ENABLED));
    mdd_drop(&s->pool, 1);
    return all;
}

char *symbolic_edges(struct symbolic *s) {
    uint32_t limbs = mdd_limbs(&s->pool); /* with room for 2^32 times as many */
    uint64_t sum[limbs], count[limbs];
    memset(sum, 0, sizeof sum);
    for (uint32_t t = 0; t < s->transitions; t++) {
        mdd_count(&s->pool, symbolic_where(s, s->root[t], s->reached, LEAVES_ENABLED), count, limbs);
        natural_add(sum, count, limbs);
    }
    return natural_text(sum, limbs);
}
