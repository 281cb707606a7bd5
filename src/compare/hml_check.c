/* Is a formula true of one state? From the whole to its parts, and only those parts of those states that matter. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/hml.h"

/* Numbers for pairs: of a part and a state, or of a search and a state. */
struct notes {
    struct note {
        uint64_t key; /* + 1; 0: free */
        uint8_t value;
    } * note;
    uint64_t count, mask;
};

struct check {
    const struct formula *f;
    const struct lts *l;
    struct notes known;    /* 1 + whether a part is true of a state */
    struct notes searched; /* by a search */
    uint32_t searches;
    uint64_t work, most;
};

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

static bool is_true(struct check *c, uint32_t node, uint32_t s);

static bool over(const struct check *c) { return c->work > c->most; }

/* ---- Searches ---- */

/* States, each once. */
struct crowd {
    uint32_t *state, count, room, search;
};

static struct crowd crowd_of(struct check *c) { return (struct crowd){.search = c->searches++}; }

static void join(struct check *c, struct crowd *crowd, uint32_t s) {
    c->work++;
    if (find(&c->searched, pair(crowd->search, s))->key) return;
    set(&c->searched, pair(crowd->search, s), 1);
    MAKE_ROOM(crowd->state, crowd->count, crowd->room);
    crowd->state[crowd->count++] = s;
}

/* Where edges of the label lead from state number i. */
static void join_after(struct check *c, struct crowd *crowd, uint32_t s, uint32_t label) {
    for (const struct lts_edge *e = lts_begin(c->l, s); e < lts_end(c->l, s) && e->label <= label; e++)
        if (e->label == label) join(c, crowd, e->target);
}

/* ---- Parts ---- */

static bool leads_to(struct check *c, uint32_t s, uint32_t label, uint32_t node) {
    for (const struct lts_edge *e = lts_begin(c->l, s); e < lts_end(c->l, s) && e->label <= label; e++) {
        c->work++;
        if (e->label == label && is_true(c, node, e->target)) return true;
    }
    return false;
}

static bool weak_step(struct check *c, const struct formula_node *n, uint32_t s) {
    struct crowd before = crowd_of(c), after = crowd_of(c), *last = &before;
    bool yes = false;
    join(c, &before, s);
    for (uint32_t i = 0; i < before.count; i++) join_after(c, &before, before.state[i], LTS_TAU);
    if (n->label != LTS_TAU) {
        last = &after;
        for (uint32_t i = 0; i < before.count; i++) join_after(c, &after, before.state[i], n->label);
        for (uint32_t i = 0; i < after.count; i++) join_after(c, &after, after.state[i], LTS_TAU);
    }
    for (uint32_t i = 0; i < last->count && !yes && !over(c); i++) yes = is_true(c, n->right, last->state[i]);
    free(before.state);
    free(after.state);
    return yes;
}

static bool until(struct check *c, const struct formula_node *n, uint32_t s) {
    struct crowd way = crowd_of(c);
    bool yes = n->label == LTS_TAU && is_true(c, n->right, s);
    join(c, &way, s);
    for (uint32_t i = 0; i < way.count && !yes && !over(c); i++) {
        if (!is_true(c, n->left, way.state[i])) continue;
        yes = leads_to(c, way.state[i], n->label, n->right);
        join_after(c, &way, way.state[i], LTS_TAU);
    }
    free(way.state);
    return yes;
}

/* Takes those away, again and again, that have no tau edge to one that is left: is the first one left? */
static bool goes_on(struct check *c, const struct crowd *crowd) {
    uint64_t first = crowd->count ? pair(crowd->search, crowd->state[0]) : 0;
    for (bool changed = true; changed && !over(c);) {
        changed = false;
        for (uint32_t i = crowd->count; i-- > 0;) {
            uint32_t s = crowd->state[i];
            bool left = false;
            if (find(&c->searched, pair(crowd->search, s))->value == 0) continue;
            for (const struct lts_edge *e = lts_begin(c->l, s); e < lts_end(c->l, s) && e->label == LTS_TAU && !left;
                 e++, c->work++)
                left = find(&c->searched, pair(crowd->search, e->target))->value == 1;
            if (left) continue;
            set(&c->searched, pair(crowd->search, s), 0);
            changed = true;
        }
    }
    return crowd->count && find(&c->searched, first)->value == 1;
}

static bool loop(struct check *c, const struct formula_node *n, uint32_t s) {
    struct crowd way = crowd_of(c);
    bool yes = is_true(c, n->right, s);
    if (yes) join(c, &way, s);
    for (uint32_t i = 0; i < way.count && !over(c); i++)
        for (const struct lts_edge *e = lts_begin(c->l, way.state[i]);
             e < lts_end(c->l, way.state[i]) && e->label == LTS_TAU; e++)
            if (is_true(c, n->right, e->target)) join(c, &way, e->target);
    yes = yes && goes_on(c, &way);
    free(way.state);
    return yes;
}

static bool decide(struct check *c, const struct formula_node *n, uint32_t s) {
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

static bool is_true(struct check *c, uint32_t node, uint32_t s) {
    c->work++;
    if (node == FORMULA_TRUE || over(c)) return true;
    uint8_t known = find(&c->known, pair(node, s))->value;
    if (known) return known == 2;
    bool yes = decide(c, &c->f->node[node], s);
    set(&c->known, pair(node, s), yes ? 2 : 1);
    return yes;
}

enum outcome formula_tells_apart(const struct formula *f, const struct lts *l, uint32_t yes, uint32_t no, uint64_t most,
                                 uint64_t *work) {
    struct check c = {.f = f, .l = l, .work = *work, .most = most};
    notes_init(&c.known);
    notes_init(&c.searched);
    bool apart = is_true(&c, f->root, yes) && !is_true(&c, f->root, no);
    free(c.known.note);
    free(c.searched.note);
    *work = c.work;
    if (over(&c)) return OUTCOME_GIVEN_UP;
    return apart ? OUTCOME_FOUND : OUTCOME_NONE;
}
