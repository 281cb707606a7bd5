/* From the whole to its parts, and only those parts of those states that matter. */
#include "compare/hml_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static struct note *find(const struct notes *n, uint64_t key) {
    uint64_t h = (key + 1) * UINT64_C(0x9e3779b97f4a7c15), place = (h ^ h >> 32) & n->mask;
    assert(n->count < n->mask); /* a free place ends each search */
    while (n->note[place].key && n->note[place].key != key + 1) place = (place + 1) & n->mask;
    return &n->note[place];
}

static void notes_init(struct notes *n) {
    *n = (struct notes){.mask = 255};
    n->note = memory_get_zeroed((n->mask + 1) * sizeof *n->note);
}

static void set(struct notes *n, uint64_t key, uint8_t value) {
    if (2 * n->count > n->mask) {
        struct notes old = *n;
        n->mask = 2 * n->mask + 1;
        n->note = memory_get_zeroed((n->mask + 1) * sizeof *n->note);
        for (uint64_t i = 0; i <= old.mask; i++)
            if (old.note[i].key) *find(n, old.note[i].key - 1) = old.note[i];
        free(old.note);
    }
    struct note *note = find(n, key);
    n->count += note->key == 0;
    *note = (struct note){key + 1, value};
}

static uint64_t pair(uint32_t x, uint32_t s) { return (uint64_t)x << 32 | s; }

static bool is_true(struct formula_check *c, uint32_t node, uint32_t s);

static bool over(const struct formula_check *c) { return c->work > c->most; }

/* ---- Searches ---- */

/* States, each once. Only a large crowd has a table. */
struct crowd {
    uint32_t *state, count, room;
    uint32_t *table, mask; /* places, + 1; 0: free */
};

enum { SMALL_CROWD = 8 };

static uint32_t *cell_of(const struct crowd *crowd, uint32_t s) {
    uint32_t i = (uint32_t)((s * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & crowd->mask;
    while (crowd->table[i] && crowd->state[crowd->table[i] - 1] != s) i = (i + 1) & crowd->mask;
    return &crowd->table[i];
}

/* The place of the state, or how many there are. */
static uint32_t place_in(const struct crowd *crowd, uint32_t s) {
    if (crowd->table) {
        uint32_t cell = *cell_of(crowd, s);
        return cell ? cell - 1 : crowd->count;
    }
    for (uint32_t i = 0; i < crowd->count; i++)
        if (crowd->state[i] == s) return i;
    return crowd->count;
}

static void make_table(struct crowd *crowd) {
    crowd->mask = crowd->table ? 2 * crowd->mask + 1 : 4 * SMALL_CROWD - 1;
    free(crowd->table);
    crowd->table = memory_get_zeroed((crowd->mask + UINT64_C(1)) * sizeof *crowd->table);
    for (uint32_t i = 0; i < crowd->count; i++) *cell_of(crowd, crowd->state[i]) = i + 1;
}

static void join(struct formula_check *c, struct crowd *crowd, uint32_t s) {
    c->work++;
    if (place_in(crowd, s) < crowd->count) return;
    MAKE_ROOM(crowd->state, crowd->count, crowd->room);
    crowd->state[crowd->count++] = s;
    if (crowd->table) *cell_of(crowd, s) = crowd->count;
    if (crowd->table ? 2 * crowd->count > crowd->mask : crowd->count == SMALL_CROWD) make_table(crowd);
}

static void join_by_tau(struct formula_check *c, struct crowd *crowd, uint32_t s) {
    for (const struct lts_edge *e = lts_begin(c->l, s); e < lts_end(c->l, s) && e->label == LTS_TAU; e++)
        join(c, crowd, e->target);
}

static void crowd_fini(struct crowd *crowd) {
    free(crowd->state);
    free(crowd->table);
}

/* States that are gathered before anything is asked of one of them. */
struct gathering {
    uint32_t *state, count, room;
};

static void gather(struct formula_check *c, struct gathering *g, uint32_t s) {
    c->work++;
    if (c->stamp[s] == c->now) return;
    c->stamp[s] = c->now;
    MAKE_ROOM(g->state, g->count, g->room);
    g->state[g->count++] = s;
}

static void gather_after(struct formula_check *c, struct gathering *g, uint32_t s, uint32_t label) {
    for (const struct lts_edge *e = lts_begin(c->l, s); e < lts_end(c->l, s) && e->label <= label; e++)
        if (e->label == label) gather(c, g, e->target);
}

static void gather_by_tau(struct formula_check *c, struct gathering *g) {
    for (uint32_t i = 0; i < g->count; i++) gather_after(c, g, g->state[i], LTS_TAU);
}

/* ---- Parts ---- */

static bool leads_to(struct formula_check *c, uint32_t s, uint32_t label, uint32_t node) {
    for (const struct lts_edge *e = lts_begin(c->l, s); e < lts_end(c->l, s) && e->label <= label; e++) {
        c->work++;
        if (e->label == label && is_true(c, node, e->target)) return true;
    }
    return false;
}

static bool weak_step(struct formula_check *c, const struct formula_node *n, uint32_t s) {
    struct gathering before = {0}, after = {0}, *last = &before;
    bool yes = false;
    c->now++;
    gather(c, &before, s);
    gather_by_tau(c, &before);
    if (n->label != LTS_TAU) {
        last = &after;
        c->now++;
        for (uint32_t i = 0; i < before.count; i++) gather_after(c, &after, before.state[i], n->label);
        gather_by_tau(c, &after);
    }
    for (uint32_t i = 0; i < last->count && !yes && !over(c); i++) yes = is_true(c, n->right, last->state[i]);
    free(before.state);
    free(after.state);
    return yes;
}

static bool until(struct formula_check *c, const struct formula_node *n, uint32_t s) {
    struct crowd way = {0};
    bool yes = n->label == LTS_TAU && is_true(c, n->right, s);
    join(c, &way, s);
    for (uint32_t i = 0; i < way.count && !yes && !over(c); i++) {
        if (!is_true(c, n->left, way.state[i])) continue;
        yes = leads_to(c, way.state[i], n->label, n->right);
        join_by_tau(c, &way, way.state[i]);
    }
    crowd_fini(&way);
    return yes;
}

/* Takes those away, again and again, that have no tau edge to one that is left: is the first one left? */
static bool goes_on(struct formula_check *c, const struct crowd *crowd) {
    bool *left = memory_get(crowd->count + UINT64_C(1)), first;
    for (uint32_t i = 0; i < crowd->count; i++) left[i] = true;
    left[crowd->count] = false;
    for (bool changed = true; changed && !over(c);) {
        changed = false;
        for (uint32_t i = crowd->count; i-- > 0;) {
            bool goes = false;
            uint32_t s = crowd->state[i];
            if (!left[i]) continue;
            for (const struct lts_edge *e = lts_begin(c->l, s); e < lts_end(c->l, s) && e->label == LTS_TAU && !goes;
                 e++, c->work++)
                goes = left[place_in(crowd, e->target)];
            left[i] = goes;
            changed |= !goes;
        }
    }
    first = left[0];
    free(left);
    return first;
}

static bool loop(struct formula_check *c, const struct formula_node *n, uint32_t s) {
    struct crowd way = {0};
    bool yes = is_true(c, n->right, s);
    if (yes) join(c, &way, s);
    for (uint32_t i = 0; i < way.count && !over(c); i++)
        for (const struct lts_edge *e = lts_begin(c->l, way.state[i]);
             e < lts_end(c->l, way.state[i]) && e->label == LTS_TAU; e++)
            if (is_true(c, n->right, e->target)) join(c, &way, e->target);
    yes = yes && goes_on(c, &way);
    crowd_fini(&way);
    return yes;
}

static bool decide(struct formula_check *c, const struct formula_node *n, uint32_t s) {
    switch (n->kind) {
    case IS_TRUE: break;
    case IS_NOT: return !is_true(c, n->right, s);
    case IS_AND:
        for (; n->kind == IS_AND; n = &c->f->node[n->right])
            if (!is_true(c, n->left, s)) return false;
        return is_true(c, (uint32_t)(n - c->f->node), s);
    case IS_STEP: return leads_to(c, s, n->label, n->right);
    case IS_WEAK_STEP: return weak_step(c, n, s);
    case IS_UNTIL: return until(c, n, s);
    case IS_LOOP: return loop(c, n, s);
    }
    return true;
}

static bool is_true(struct formula_check *c, uint32_t node, uint32_t s) {
    c->work++;
    if (node == FORMULA_TRUE || over(c)) return true;
    uint8_t known = find(&c->known, pair(node, s))->value;
    if (known) return known == 2;
    bool yes = decide(c, &c->f->node[node], s);
    set(&c->known, pair(node, s), yes ? 2 : 1);
    return yes;
}

void formula_check_init(struct formula_check *c, const struct formula *f, const struct lts *l) {
    *c = (struct formula_check){.f = f, .l = l, .most = UINT64_MAX};
    notes_init(&c->known);
    c->stamp = memory_get_zeroed(l->states * sizeof *c->stamp);
}

void formula_check_fini(struct formula_check *c) {
    free(c->known.note);
    free(c->stamp);
}

enum outcome formula_check_apart(struct formula_check *c, uint32_t node, uint32_t yes, uint32_t no) {
    bool apart = is_true(c, node, yes) && !is_true(c, node, no);
    if (over(c)) return OUTCOME_GIVEN_UP;
    return apart ? OUTCOME_FOUND : OUTCOME_NONE;
}

enum outcome formula_tells_apart(const struct formula *f, const struct lts *l, uint32_t yes, uint32_t no, uint64_t most,
                                 uint64_t *work) {
    struct formula_check c;
    formula_check_init(&c, f, l);
    c.work = *work;
    c.most = most;
    enum outcome outcome = formula_check_apart(&c, f->root, yes, no);
    *work = c.work;
    formula_check_fini(&c);
    return outcome;
}
