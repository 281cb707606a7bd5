#include "derive/conflicts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* t and u are enabled, with the effects a and b. After a, u has effect r; after b, t has effect q. */
struct inquiry {
    const struct diagram *d;
    const struct value_pairs *pairs;
    const struct party *t, *u;
    uint32_t cubes, steps, step;
    struct effort *effort; /* or NULL: once it is over, so are the steps */
    struct cube_list *out;
    uint32_t a, b, r;
    bool t_same, u_same; /* the other changes nothing that it depends on: it has the same effect afterwards */
};

static void record(struct inquiry *q, const uint64_t *set) {
    cube_list_add(q->out, set, 0);
    if (q->out->count < 4 * q->cubes) return;
    cube_list_merge(q->out);
    if (q->out->count > q->cubes) cube_list_hull(q->out);
}

static bool out_of_steps(struct inquiry *q) {
    if (effort_over(q->effort)) q->step = q->steps;
    return ++q->step > q->steps;
}

/* What an effect stores in variable x: a slot or SLOT_ANY; false: nothing. */
static bool stores(const struct diagram *d, uint32_t effect, uint32_t x, uint32_t *slot) {
    uint32_t count;
    const uint32_t *list = diagram_effect(d, effect, &count);
    for (uint32_t i = 0; i < count; i++)
        if (list[2 * i] == x) {
            *slot = list[2 * i + 1];
            return true;
        }
    return false;
}

static bool touches(const struct diagram *d, uint32_t effect, const bool *reads) {
    uint32_t count;
    const uint32_t *list = diagram_effect(d, effect, &count);
    for (uint32_t i = 0; i < count; i++)
        if (reads[list[2 * i]]) return true;
    return false;
}

/* Variable x ends as `slot` in one order only; the other leaves it. */
static void compare_with_old(struct inquiry *q, uint32_t x, uint32_t slot, const uint64_t *set) {
    uint64_t other[q->d->slots->words];
    memcpy(other, set, sizeof other);
    if (slot != SLOT_ANY) slot_remove(other, slot);
    if (slots_some(q->d->slots, x, other)) record(q, other);
}

/* Do both orders leave the same in variable x? `after` is t's effect after b. */
static bool compare_variable(struct inquiry *q, uint32_t x, uint32_t after, const uint64_t *set) {
    uint32_t first = 0, second = 0;
    bool by_r = stores(q->d, q->r, x, &first), by_after = stores(q->d, after, x, &second);
    bool some_first = by_r || stores(q->d, q->a, x, &first), some_second = by_after || stores(q->d, q->b, x, &second);
    if (some_first && some_second) {
        if (first != SLOT_ANY && first == second) return true;
        if (first == SLOT_ANY && second == SLOT_ANY && by_r != by_after && (by_r ? q->u_same : q->t_same)) return true;
        record(q, set);
        return false;
    }
    if (some_first || some_second) compare_with_old(q, x, some_first ? first : second, set);
    return true;
}

static void compare(struct inquiry *q, uint32_t after, const uint64_t *set) {
    uint32_t effects[4] = {q->a, q->b, q->r, after}, count;
    for (int e = 0; e < 4; e++) {
        const uint32_t *list = diagram_effect(q->d, effects[e], &count);
        for (uint32_t i = 0; i < count; i++)
            if (!compare_variable(q, list[2 * i], after, set)) return;
    }
}

/* u, from node n on, in the states of `set` after a; or t after b. */
static void after(struct inquiry *q, uint32_t n, const uint64_t *set, bool t) {
    const struct diagram *d = q->d;
    const struct node *node = &d->node[n];
    uint32_t slot;
    if (out_of_steps(q)) return;
    if (node->kind == NODE_DISABLED || node->kind == NODE_VAGUE) {
        record(q, set);
        return;
    }
    if (node->kind == NODE_ENABLED && t) {
        compare(q, node->effect, set);
        return;
    }
    if (node->kind == NODE_ENABLED) {
        q->r = node->effect;
        if (q->t_same) compare(q, q->a, set);
        else after(q, q->t->root, set, true);
        return;
    }
    if (node->kind == NODE_READ && stores(d, t ? q->b : q->a, node->variable, &slot)) {
        assert(slot != SLOT_ANY &&
               slot - d->slots->of[node->variable].first < node->count); /* the variable is narrow */
        uint32_t child = d->child[node->first + slot - d->slots->of[node->variable].first];
        if (child != NODE_NONE) after(q, child, set, t); /* else no state before is possible, as the one after is not */
        return;
    }
    uint64_t part[d->slots->words];
    for (uint32_t i = d->arc_from[n]; i < d->arc_from[n + 1]; i++) {
        memcpy(part, set, sizeof part);
        if (arc_narrow(d, node, &d->arc[i], part)) after(q, d->arc[i].child, part, t);
    }
}

static void both_enabled(struct inquiry *q, const uint64_t *set) {
    q->t_same = !touches(q->d, q->b, q->t->reads);
    q->u_same = !touches(q->d, q->a, q->u->reads);
    if (!q->u_same) {
        after(q, q->u->root, set, false);
        return;
    }
    q->r = q->b;
    if (q->t_same) compare(q, q->a, set);
    else after(q, q->t->root, set, true);
}

/* t, and then u, from node n on, in the states of `set`. */
static void before(struct inquiry *q, uint32_t n, const uint64_t *set, bool u, bool vague) {
    const struct diagram *d = q->d;
    const struct node *node = &d->node[n];
    if (out_of_steps(q) || node->kind == NODE_DISABLED) return;
    if (node->kind > NODE_CHOICE) {
        vague |= node->kind == NODE_VAGUE;
        if (!u) {
            q->a = node->effect;
            if (q->u->root != NODE_NONE) before(q, q->u->root, set, true, vague);
            return;
        }
        q->b = node->effect;
        uint64_t narrow[d->slots->words];
        memcpy(narrow, set, sizeof narrow);
        if (!value_pairs_narrow(q->pairs, narrow)) return;
        if (vague) record(q, set);
        else both_enabled(q, set);
        return;
    }
    uint64_t part[d->slots->words];
    for (uint32_t i = d->arc_from[n]; i < d->arc_from[n + 1]; i++) {
        memcpy(part, set, sizeof part);
        if (!arc_narrow(d, node, &d->arc[i], part)) continue;
        uint32_t a = q->a;
        before(q, d->arc[i].child, part, u, vague);
        q->a = a;
    }
}

void conflicts_find(const struct diagram *d, const struct value_pairs *pairs, const struct party *t,
                    const struct party *u, uint32_t cubes, uint32_t steps, struct effort *effort,
                    struct cube_list *out) {
    struct inquiry q = {
        .d = d, .pairs = pairs, .t = t, .u = u, .cubes = cubes, .steps = steps, .effort = effort, .out = out};
    if (t->root != NODE_NONE) before(&q, t->root, pairs->possible, false, false);
    if (q.step > q.steps) {
        out->count = 0;
        cube_list_add(out, pairs->possible, 0);
        return;
    }
    cube_list_merge(out);
    if (out->count > cubes) cube_list_hull(out);
}
