#include "reduce/derived/plain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Lists by number: those of i are item[from[i]] up to item[from[i + 1]]. */
struct lists {
    uint32_t *from, *item;
    uint32_t count, room;
};

/* A trie is an array of nodes: the variable that is looked at, and for each of its values what comes then: a node by
 * its index, LEAF + what came out, or 0: not known yet. */
enum { NO_SET = 0, MOST_TRIE = 1 << 22, MOST_ITEMS = 1 << 14 };
static const uint32_t LEAF = UINT32_C(1) << 31;

struct plain {
    const struct derived *d;
    const struct cube_table *t;
    uint32_t imaginary;
    struct lists asks;    /* by item: variables */
    struct lists storing; /* by variable: cubes of transitions */
    struct lists writes;  /* by member: variables */
    uint32_t *writers;    /* by variable: transitions */
    bool *loose;          /* by variable: a transition without cubes writes it */
    uint32_t *order, starts;

    uint32_t *root; /* of the trie, by transition */
    uint32_t *trie, trie_count, trie_room;

    /* Of the closure that is made: */
    const uint64_t *state;
    uint32_t *looked, looked_count; /* variables, in this order */
    bool *has_looked;
    bool *in;
    uint32_t *members, member_count, imaginary_in;
    uint32_t *outside; /* by variable: transitions that write it and are no members */
    uint32_t effect;   /* of e */
    bool *hit;         /* by cube: something has been found that excludes it */
};

/* ---- Lists ---- */

static void lists_next(struct lists *l, uint32_t i) { l->from[i + 1] = l->count; }

static void lists_add(struct lists *l, uint32_t item) {
    MAKE_ROOM(l->item, l->count, l->room);
    l->item[l->count++] = item;
}

static void lists_init(struct lists *l, uint32_t count) {
    *l = (struct lists){.from = memory_get_zeroed((count + UINT64_C(2)) * sizeof *l->from)};
}

static void lists_fini(struct lists *l) { free(l->from), free(l->item); }

static const uint32_t *lists_of(const struct lists *l, uint32_t i, const uint32_t **end) {
    *end = l->item + l->from[i + 1];
    return l->item + l->from[i];
}

static bool is_transition(const struct plain *p, uint32_t m) { return m < p->d->transitions; }

static void list_asks(struct plain *p) {
    const struct slots *s = &p->d->readings.slots;
    const uint64_t *possible = p->d->readings.pairs.possible;
    lists_init(&p->asks, p->t->items);
    for (uint32_t i = 0; i < p->t->items; i++) {
        const uint64_t *set = cube_table_set(p->t, i);
        for (uint32_t x = 0; x < s->variables; x++) {
            bool asks = false;
            for (uint32_t k = 0; k < s->of[x].words; k++)
                asks |= ((set[s->of[x].word + k] ^ possible[s->of[x].word + k]) & slots_mask(s, x, k)) != 0;
            if (asks) lists_add(&p->asks, x);
        }
        lists_next(&p->asks, i);
    }
}

static bool stores_to(const struct plain *p, uint32_t cube, uint32_t x) {
    const struct slots *s = &p->d->readings.slots;
    const uint64_t *stores = p->t->stores + (uint64_t)cube * p->t->words;
    for (uint32_t k = 0; k < s->of[x].words; k++)
        if (stores[s->of[x].word + k] & slots_mask(s, x, k)) return true;
    return false;
}

static void list_stores(struct plain *p) {
    uint32_t variables = p->d->readings.slots.variables;
    lists_init(&p->storing, variables);
    lists_init(&p->writes, p->d->members);
    p->writers = memory_get_zeroed((variables + 1) * sizeof *p->writers);
    p->loose = memory_get_zeroed(variables + 1);
    for (uint32_t x = 0; x < variables; x++) {
        for (uint32_t c = 0; c < p->t->cubes; c++)
            if (is_transition(p, p->t->member[c]) && stores_to(p, c, x)) lists_add(&p->storing, c);
        lists_next(&p->storing, x);
    }
    for (uint32_t m = 0; m < p->d->members; m++) {
        for (uint32_t x = 0; x < variables && is_transition(p, m); x++)
            if (p->d->member[m].writes[x]) {
                p->writers[x]++, lists_add(&p->writes, x);
                p->loose[x] |= p->d->member[m].walked;
            }
        lists_next(&p->writes, m);
    }
}

/* ---- Opening ---- */

struct plain *plain_new(const struct derived *d) {
    uint32_t variables = d->readings.slots.variables, members = d->members;
    if (d->table.items > MOST_ITEMS) return NULL;
    struct plain *p = memory_get_zeroed(sizeof *p);
    p->d = d;
    p->t = &d->table;
    p->imaginary = members - d->transitions;
    list_asks(p);
    list_stores(p);
    p->order = memory_get((d->transitions + UINT64_C(1)) * sizeof *p->order);
    for (uint32_t t = 0; t < d->transitions; t++) p->order[p->starts++] = t;
    p->root = memory_get_zeroed((d->transitions + UINT64_C(1)) * sizeof *p->root);
    p->trie_count = 1;
    p->looked = memory_get((variables + UINT64_C(1)) * sizeof *p->looked);
    p->has_looked = memory_get_zeroed(variables + UINT64_C(1));
    p->in = memory_get_zeroed(members + UINT64_C(1));
    p->members = memory_get((members + UINT64_C(1)) * sizeof *p->members);
    p->outside = memory_get((variables + UINT64_C(1)) * sizeof *p->outside);
    p->hit = memory_get_zeroed(p->t->cubes + UINT64_C(1));
    return p;
}

void plain_free(struct plain *p) {
    if (!p) return;
    lists_fini(&p->asks), lists_fini(&p->storing), lists_fini(&p->writes);
    free(p->writers), free(p->loose), free(p->order), free(p->root), free(p->trie), free(p->looked),
        free(p->has_looked);
    free(p->in), free(p->members), free(p->outside), free(p->hit);
    free(p);
}

void plain_order(struct plain *p, const uint32_t *order, uint32_t count) {
    if (count > 0) memcpy(p->order, order, count * sizeof *order);
    p->starts = count;
}

/* ---- The closure ---- */

/* The slot that variable x has now. */
static uint32_t look(struct plain *p, uint32_t x) {
    assert(p->d->readings.slots.of[x].count > 0);
    if (!p->has_looked[x]) p->has_looked[x] = true, p->looked[p->looked_count++] = x;
    return p->d->readings.slots.of[x].first + (uint32_t)source_value(&p->d->variables[x], p->state);
}

/* Is there a state that outsiders may lead to, as far as is known, that the item allows? */
static bool is_alive(struct plain *p, uint32_t item) {
    const uint32_t *end;
    for (const uint32_t *x = lists_of(&p->asks, item, &end); x < end; x++)
        if (p->outside[*x] == 0 && !slot_in(cube_table_set(p->t, item), look(p, *x))) return false;
    return true;
}

/* Where a member gets to in its diagram. NODE_NONE: that is not known. */
static uint32_t leaf_of(struct plain *p, uint32_t m) {
    const struct diagram *g = &p->d->diagram;
    uint32_t n = p->d->member[m].root;
    if (!p->d->member[m].exact) return NODE_NONE;
    while (n != NODE_NONE && g->node[n].kind == NODE_READ) {
        uint32_t x = g->node[n].variable, value = look(p, x) - g->slots->of[x].first;
        n = value < g->node[n].count ? g->child[g->node[n].first + value] : NODE_NONE;
    }
    return n;
}

static bool is_disabled(struct plain *p, uint32_t m) {
    uint32_t n = leaf_of(p, m);
    return n != NODE_NONE && p->d->diagram.node[n].kind == NODE_DISABLED;
}

static void enlist(struct plain *p, uint32_t m) {
    const uint32_t *end;
    p->in[m] = true;
    p->members[p->member_count++] = m;
    p->imaginary_in += !is_transition(p, m);
    for (const uint32_t *x = lists_of(&p->writes, m, &end); x < end; x++) p->outside[*x]--;
}

/* False: it is enabled, or that is not known. */
static bool add(struct plain *p, uint32_t m) {
    if (p->in[m]) return true;
    if (!is_disabled(p, m)) return false;
    enlist(p, m);
    return true;
}

/* Whoever does not accord with the enabled transition. */
static bool add_conflicts(struct plain *p, uint32_t e) {
    const struct member *m = &p->d->member[e];
    for (uint32_t i = m->near_from; i < m->near_to; i++) {
        const struct near *near = &p->d->near[i];
        bool alive = false;
        for (uint32_t c = near->from; c < near->to && !alive && !p->in[near->member]; c++)
            alive = is_alive(p, p->t->cubes + c);
        if (alive && !add(p, near->member)) return false;
    }
    return true;
}

/* Does variable x, as it is now, exclude the cube? */
static bool excludes(struct plain *p, uint32_t x, uint32_t cube) {
    return !slot_in(cube_table_set(p->t, cube), look(p, x));
}

/* Variable x excludes some cubes of m that are not `hit` yet: it does as long as nobody stores a value there that one
 * of them allows. May cube `by` do so? */
static bool ends_exclusion(struct plain *p, uint32_t m, uint32_t x, uint32_t by) {
    const struct slot_range *r = &p->d->readings.slots.of[x];
    const uint64_t *stores = p->t->stores + (uint64_t)by * p->t->words;
    for (uint32_t c = p->d->member[m].from; c < p->d->member[m].to; c++) {
        if (p->hit[c] || !excludes(p, x, c)) continue;
        for (uint32_t k = 0; k < r->words; k++)
            if (stores[r->word + k] & cube_table_set(p->t, c)[r->word + k] & slots_mask(&p->d->readings.slots, x, k))
                return true;
    }
    return false;
}

/* Members that must be added if m is to be excluded by variable x. UINT32_MAX: an enabled one is among them, or that is
 * not known. `adds`: they are added. */
static uint32_t cost_of(struct plain *p, uint32_t m, uint32_t x, bool adds) {
    const uint32_t *end;
    uint32_t last = UINT32_MAX, cost = 0;
    if (p->loose[x]) return UINT32_MAX;
    for (const uint32_t *c = lists_of(&p->storing, x, &end); c < end; c++) {
        uint32_t u = p->t->member[*c];
        if (u == last || p->in[u] || !ends_exclusion(p, m, x, *c) || !is_alive(p, *c)) continue;
        last = u;
        if (!is_disabled(p, u)) return UINT32_MAX;
        cost++;
        if (adds) enlist(p, u);
    }
    return cost;
}

static uint32_t hits_of(struct plain *p, uint32_t m, uint32_t x) {
    uint32_t hits = 0;
    for (uint32_t c = p->d->member[m].from; c < p->d->member[m].to; c++) hits += !p->hit[c] && excludes(p, x, c);
    return hits;
}

/* Some variable on the way that m takes through its diagram, by which cubes that are not hit are excluded at the least
 * cost for each of them. NODE_NONE: there is none. */
static uint32_t best_reason(struct plain *p, uint32_t m) {
    const struct diagram *g = &p->d->diagram;
    uint32_t best = NODE_NONE;
    uint64_t best_hits = 1, best_cost = 1;
    for (uint32_t n = p->d->member[m].root; g->node[n].kind == NODE_READ;) {
        uint32_t x = g->node[n].variable, hits = hits_of(p, m, x);
        uint32_t cost = hits && best_cost ? cost_of(p, m, x, false) : UINT32_MAX;
        if (cost != UINT32_MAX && (best == NODE_NONE || (uint64_t)cost * best_hits < best_cost * hits))
            best = x, best_hits = hits, best_cost = cost;
        n = g->child[g->node[n].first + look(p, x) - g->slots->of[x].first];
    }
    return best;
}

/* Whoever may enable the disabled member. */
static bool add_enabling(struct plain *p, uint32_t m) {
    const struct member *at = &p->d->member[m];
    uint32_t left = 0;
    for (uint32_t c = at->from; c < at->to; c++) {
        p->hit[c] = !is_alive(p, c);
        left += !p->hit[c];
    }
    while (left > 0) {
        uint32_t x = best_reason(p, m);
        if (x == NODE_NONE) return false;
        cost_of(p, m, x, true);
        for (uint32_t c = at->from; c < at->to; c++)
            if (!p->hit[c] && excludes(p, x, c)) p->hit[c] = true, left--;
    }
    return true;
}

/* False: a second enabled member would be needed, or e is disabled. */
static bool closure(struct plain *p, uint32_t e) {
    while (p->member_count) p->in[p->members[--p->member_count]] = false;
    while (p->looked_count) p->has_looked[p->looked[--p->looked_count]] = false;
    memcpy(p->outside, p->writers, p->d->readings.slots.variables * sizeof *p->outside);
    p->imaginary_in = 0;
    uint32_t n = leaf_of(p, e);
    if (n == NODE_NONE || p->d->diagram.node[n].kind != NODE_ENABLED) return false;
    p->effect = p->d->diagram.node[n].effect;
    enlist(p, e);
    if (!add_conflicts(p, e)) return false;
    for (uint32_t i = 1; i < p->member_count; i++)
        if (!add_enabling(p, p->members[i])) return false;
    return true;
}

/* ---- Tries ---- */

static uint32_t new_node(struct plain *p, uint32_t x) {
    uint32_t size = 1 + p->d->readings.slots.of[x].count, node = p->trie_count;
    while (p->trie_count + size > p->trie_room) {
        p->trie_room = p->trie_room ? 2 * p->trie_room : 1 << 12;
        p->trie = memory_resize(p->trie, p->trie_room * sizeof *p->trie);
    }
    p->trie_count += size;
    memset(p->trie + node, 0, size * sizeof *p->trie);
    p->trie[node] = x;
    return node;
}

/* What came out for e, by the values that were looked at. */
static void remember(struct plain *p, uint32_t e, uint32_t out) {
    uint32_t at = UINT32_MAX; /* in the trie: where the next node belongs; the root */
    if (p->trie_count > MOST_TRIE) {
        memset(p->root, 0, p->d->transitions * sizeof *p->root);
        p->trie_count = 1;
    }
    for (uint32_t i = 0; i < p->looked_count; i++) {
        uint32_t x = p->looked[i], node = at == UINT32_MAX ? p->root[e] : p->trie[at];
        if (node == 0) {
            node = new_node(p, x);
            *(at == UINT32_MAX ? &p->root[e] : &p->trie[at]) = node;
        }
        assert(p->trie[node] == x); /* what is looked at depends on what was seen */
        at = node + 1 + (uint32_t)source_value(&p->d->variables[x], p->state);
    }
    *(at == UINT32_MAX ? &p->root[e] : &p->trie[at]) = LEAF + out;
}

static uint32_t ask(struct plain *p, uint32_t e) {
    uint32_t at = p->root[e];
    while (at && at < LEAF) at = p->trie[at + 1 + source_value(&p->d->variables[p->trie[at]], p->state)];
    if (at) return at - LEAF;
    uint32_t out = closure(p, e) ? 1 + 2 * p->effect + (p->imaginary_in == p->imaginary) : NO_SET;
    remember(p, e, out);
    return out;
}

bool plain_is_set(struct plain *p, const uint64_t *state, uint32_t e) {
    p->state = state;
    return ask(p, e) != NO_SET;
}

bool plain_find(struct plain *p, const uint64_t *state, struct plain_set *set) {
    p->state = state;
    for (uint32_t i = 0; i < p->starts; i++) {
        uint32_t out = ask(p, p->order[i]);
        if (out == NO_SET) continue;
        *set = (struct plain_set){p->order[i], (out - 1) / 2, (out - 1) % 2};
        return true;
    }
    return false;
}

void plain_members(struct plain *p, const uint64_t *state, const struct plain_set *set, bool *in) {
    p->state = state;
    bool found = closure(p, set->transition);
    assert(found);
    (void)found;
    memcpy(in, p->in, p->d->members);
}
