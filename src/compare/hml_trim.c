/* Conjuncts that are not needed to tell the two roots apart are left out: many at once, then fewer. Nodes that are made
 * on the way stay for a while, so that the others keep their numbers, and what is known of them is not looked for
 * again. */
#include <stdlib.h>

#include "base/memory.h"
#include "compare/hml_check.h"

enum { ROOM_TO_TRY = 1 << 16 }; /* nodes that may be there in vain, at least */

/* What a node is to the root. Of a conjunction, which is a list, only the first node is whole. */
enum role { NOT_THERE, REST_OF_A_LIST, WHOLE };

struct trim {
    struct formula *f;
    const struct lts *l;
    uint32_t yes, no;
    struct formula_check check;
    uint8_t *role; /* by node */
    uint32_t *now; /* by node: what it has become. Between tries: itself */
    uint32_t most; /* nodes */
    /* One conjunction. */
    uint32_t node, best; /* it, and a root without what has been left out */
    struct list {
        uint32_t *node, count, room;
    } list, kept;
    bool *out; /* by place in the list */
};

/* ---- Nodes made of others ---- */

static void list_conjuncts(const struct formula *f, uint32_t node, struct list *c) {
    for (c->count = 0;; node = f->node[node].right) {
        bool last = f->node[node].kind != IS_AND;
        MAKE_ROOM(c->node, c->count, c->room);
        c->node[c->count++] = last ? node : f->node[node].left;
        if (last) return;
    }
}

/* What node i becomes when its parts have become others. */
static uint32_t remade(struct trim *t, uint32_t i) {
    struct formula *f = t->f;
    const uint32_t *now = t->now;
    const struct formula_node n = f->node[i];
    switch (n.kind) {
    case IS_TRUE: break;
    case IS_NOT: return formula_not(f, now[n.right]);
    case IS_AND:
        list_conjuncts(f, i, &t->kept);
        for (uint32_t k = 0; k < t->kept.count; k++) t->kept.node[k] = now[t->kept.node[k]];
        t->check.work += t->kept.count;
        return formula_and_all(f, t->kept.node, t->kept.count);
    case IS_STEP: return formula_step(f, n.label, now[n.right]);
    case IS_WEAK_STEP: return formula_weak_step(f, n.label, now[n.right]);
    case IS_UNTIL: return formula_until(f, now[n.left], n.label, now[n.right]);
    case IS_LOOP: return formula_loop(f, now[n.right]);
    }
    return FORMULA_TRUE;
}

/* The root, where the conjunction has become `by`. Parts have lower numbers, so they are made first. */
static uint32_t root_with(struct trim *t, uint32_t by) {
    uint32_t root = t->f->root, *now = t->now;
    now[t->node] = by;
    for (uint32_t i = t->node + 1; i <= root; i++)
        if (t->role[i] == WHOLE) now[i] = remade(t, i);
    t->check.work += root - t->node + 1;
    uint32_t with = now[root];
    for (uint32_t i = t->node; i <= root; i++) now[i] = i;
    return with;
}

/* ---- Roles ---- */

static void give_role(uint8_t *role, uint32_t node, enum role is) {
    if (role[node] < is) role[node] = (uint8_t)is;
}

static void find_roles(struct trim *t) {
    const struct formula *f = t->f;
    free(t->role);
    free(t->now);
    t->now = memory_get((f->root + UINT64_C(1)) * sizeof *t->now);
    for (uint32_t i = 0; i <= f->root; i++) t->now[i] = i;
    t->role = memory_get_zeroed((f->root + UINT64_C(1)) * sizeof *t->role);
    give_role(t->role, FORMULA_TRUE, WHOLE);
    give_role(t->role, f->root, WHOLE);
    for (uint32_t i = f->root + 1; i-- > 0;) {
        if (t->role[i] == NOT_THERE) continue;
        give_role(t->role, f->node[i].left, WHOLE);
        bool rest = f->node[i].kind == IS_AND && f->node[f->node[i].right].kind == IS_AND;
        give_role(t->role, f->node[i].right, rest ? REST_OF_A_LIST : WHOLE);
    }
    t->check.work += f->root;
}

static void begin(struct trim *t, uint64_t most, uint64_t work) {
    formula_check_init(&t->check, t->f, t->l);
    t->check.most = most;
    t->check.work = work;
    find_roles(t);
    t->most = t->f->count < UINT32_MAX / 32 ? 16 * t->f->count + ROOM_TO_TRY : UINT32_MAX;
}

/* The parts of the root alone, in their order, with new numbers; `mark` becomes the number of those below it. */
static void compact(struct trim *t, uint32_t *mark) {
    struct formula whole = *t->f, *f = t->f;
    uint32_t *now = memory_get_zeroed((whole.root + UINT64_C(1)) * sizeof *now), below = 1;
    formula_init(f);
    for (uint32_t i = 1; i <= whole.root; i++) {
        struct formula_node n = whole.node[i];
        if (t->role[i] == NOT_THERE) continue;
        n.left = now[n.left];
        n.right = now[n.right];
        now[i] = formula_add(f, n);
        if (i < *mark) below = f->count;
    }
    f->root = now[whole.root];
    *mark = below;
    formula_fini(&whole);
    free(now);
}

/* ---- Leaving out ---- */

static bool good_without(struct trim *t) {
    t->kept.count = 0;
    for (uint32_t k = 0; k < t->list.count; k++) {
        MAKE_ROOM(t->kept.node, t->kept.count, t->kept.room);
        if (!t->out[k]) t->kept.node[t->kept.count++] = t->list.node[k];
    }
    uint32_t root = root_with(t, formula_and_all(t->f, t->kept.node, t->kept.count));
    if (formula_check_apart(&t->check, root, t->yes, t->no) != OUTCOME_FOUND) return false;
    t->best = root;
    return true;
}

/* Conjuncts from..to-1: all of them, or some. */
static void leave_out(struct trim *t, uint32_t from, uint32_t to) {
    if (t->check.work >= t->check.most) return;
    for (uint32_t k = from; k < to; k++) t->out[k] = true;
    if (good_without(t)) return;
    for (uint32_t k = from; k < to; k++) t->out[k] = false;
    if (to - from == 1) return;
    leave_out(t, from, from + (to - from) / 2);
    leave_out(t, from + (to - from) / 2, to);
}

static bool trim_conjunction(struct trim *t, uint32_t node) {
    t->node = node;
    t->best = t->f->root;
    list_conjuncts(t->f, node, &t->list);
    t->out = memory_get_zeroed(t->list.count);
    leave_out(t, 0, t->list.count);
    free(t->out);
    if (t->best == t->f->root) return false;
    t->f->root = t->best;
    find_roles(t);
    return true;
}

/* Looks at each conjunction once, from the top. */
static bool trim_all(struct trim *t) {
    bool any = false;
    for (uint32_t i = t->f->root + 1; i-- > 0 && t->check.work < t->check.most;) {
        if (t->role[i] != WHOLE || t->f->node[i].kind != IS_AND) continue;
        any |= trim_conjunction(t, i);
        if (i > t->f->root) i = t->f->root + 1;
        if (t->f->count < t->most) continue;
        uint64_t most = t->check.most, work = t->check.work;
        compact(t, &i);
        formula_check_fini(&t->check);
        begin(t, most, work);
    }
    return any;
}

void formula_trim(struct formula *f, const struct lts *l, uint32_t yes, uint32_t no, uint64_t most, uint64_t *work) {
    struct trim t = {.f = f, .l = l, .yes = yes, .no = no};
    uint32_t none = 0;
    begin(&t, most, *work);
    while (trim_all(&t)) continue;
    compact(&t, &none);
    *work = t.check.work;
    formula_check_fini(&t.check);
    free(t.role);
    free(t.now);
    free(t.list.node);
    free(t.kept.node);
}
