#include "reduce/net/needs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MOST_ENTRIES = 1 << 22, /* of a component that is refined: states times actions */
    MOST_WORK = 1 << 28,    /* edges that are looked at for it */
};

/* One component that is being refined. */
struct refiner {
    const struct plan_component *c;
    bool *needed;    /* by local number: not outside */
    uint32_t *stamp; /* by state: when it was met last */
    uint32_t *stack;
    uint32_t now;
    uint64_t work;
    uint32_t *local_of; /* by group: the local number of its action */
};

static const struct plan_group *group_of(const struct refiner *r, uint32_t state, uint32_t local) {
    return plan_group(r->c, state, local);
}

static uint32_t size_of(const struct plan_group *g) { return g ? g->end - g->begin : 0; }

/* Conditions 1 and 2 for a and b, both enabled in y. */
static bool commute(struct refiner *r, uint32_t y, uint32_t a, uint32_t b) {
    const struct plan_edge *edges = r->c->edges;
    const struct plan_group *by_a = group_of(r, y, a), *by_b = group_of(r, y, b);
    assert(by_a && by_b); /* both are enabled in y */
    for (uint32_t q = by_b->begin; q < by_b->end; q++) {
        const struct plan_group *a_later = group_of(r, edges[q].target, a);
        if (size_of(a_later) != size_of(by_a)) return false;
        for (uint32_t p = by_a->begin; p < by_a->end; p++) {
            const struct plan_group *b_later = group_of(r, edges[p].target, b);
            r->work++;
            if (q - by_b->begin >= size_of(b_later) ||
                edges[b_later->begin + (q - by_b->begin)].target != edges[a_later->begin + (p - by_a->begin)].target)
                return false;
        }
    }
    return true;
}

/* Visits the states on outside paths from x. True if all of them are good. */
static bool all_outside(struct refiner *r, uint32_t x, uint32_t a,
                        bool (*good)(struct refiner *r, uint32_t state, uint32_t a)) {
    const struct plan_component *c = r->c;
    uint32_t depth = 1;
    r->now++;
    r->stamp[x] = r->now;
    r->stack[0] = x;
    while (depth > 0) {
        uint32_t y = r->stack[--depth];
        if (!good(r, y, a)) return false;
        for (uint32_t g = c->first[y]; g < c->first[y + 1]; g++) {
            if (r->needed[r->local_of[g]] || r->local_of[g] == a) continue;
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an action may have no group; c->groups is there */
            for (uint32_t e = c->groups[g].begin; e < c->groups[g].end; e++) {
                uint32_t to = c->edges[e].target;
                r->work++;
                if (r->stamp[to] == r->now) continue;
                r->stamp[to] = r->now;
                assert(depth < c->states); /* each state is met once */
                r->stack[depth++] = to;
            }
        }
    }
    return true;
}

static bool still_disabled(struct refiner *r, uint32_t y, uint32_t a) { return !group_of(r, y, a); }

static bool outside_commutes(struct refiner *r, uint32_t y, uint32_t a) {
    for (uint32_t g = r->c->first[y]; g < r->c->first[y + 1]; g++) {
        uint32_t b = r->local_of[g];
        if (b != a && !r->needed[b] && !commute(r, y, a, b)) return false;
    }
    return true;
}

/* Leaves r->needed of exactly what is enabled in x and cannot be left out. */
static void refine(struct refiner *r, uint32_t x, uint32_t a) {
    const struct plan_component *c = r->c;
    bool enabled = group_of(r, x, a) != NULL;
    for (uint32_t g = c->first[x]; g < c->first[x + 1]; g++) r->needed[r->local_of[g]] = r->local_of[g] != a;
    for (uint32_t g = c->first[x + 1]; g-- > c->first[x];) {
        uint32_t b = r->local_of[g];
        if (b == a) continue;
        r->needed[b] = false;
        r->needed[b] = enabled ? !commute(r, x, a, b) || !all_outside(r, x, a, outside_commutes)
                               : !all_outside(r, x, a, still_disabled);
    }
}

static void add_needed(struct refiner *r, struct needs_component *n, uint32_t x, uint32_t *count, uint32_t *room) {
    const struct plan_component *c = r->c;
    if (*room - *count < c->locals) {
        *room += *room / 2 + c->locals;
        n->list = memory_resize(n->list, *room * sizeof *n->list);
    }
    for (uint32_t g = c->first[x]; g < c->first[x + 1]; g++) {
        if (r->needed[r->local_of[g]]) n->list[(*count)++] = c->groups[g].action;
        r->needed[r->local_of[g]] = false;
    }
}

/* All that is enabled, for whatever action. */
static void take_all(const struct plan_component *c, struct needs_component *n) {
    free(n->first);
    free(n->list);
    *n = (struct needs_component){.stride = 1};
    n->first = memory_get((c->states + UINT64_C(1)) * sizeof *n->first);
    n->list = memory_get((c->first[c->states] + UINT64_C(1)) * sizeof *n->list);
    memcpy(n->first, c->first, (c->states + UINT64_C(1)) * sizeof *n->first);
    for (uint32_t g = 0; g < c->first[c->states]; g++) n->list[g] = c->groups[g].action;
}

static void number_groups(struct refiner *r) {
    const struct plan_component *c = r->c;
    for (uint32_t s = 0; s < c->states; s++)
        for (uint32_t g = c->first[s], local = 0; g < c->first[s + 1]; g++) {
            while (c->actions[local] != c->groups[g].action) local++;
            assert(local < c->locals); /* groups of a state are in the order of their actions */
            r->local_of[g] = local;
        }
}

/* False: it is too much work. */
static bool refine_all(struct refiner *r, struct needs_component *n) {
    const struct plan_component *c = r->c;
    uint32_t count = 0, room = c->locals;
    *n = (struct needs_component){.stride = c->locals, .refined = true};
    n->first = memory_get(((size_t)c->states * c->locals + 1) * sizeof *n->first);
    n->list = memory_get((room + UINT64_C(1)) * sizeof *n->list);
    for (uint32_t s = 0; s < c->states && r->work < MOST_WORK; s++)
        for (uint32_t a = 0; a < c->locals; a++) {
            n->first[(size_t)s * c->locals + a] = count;
            refine(r, s, a);
            add_needed(r, n, s, &count, &room);
        }
    n->first[(size_t)c->states * c->locals] = count;
    return r->work < MOST_WORK;
}

static void make_component(const struct plan_component *c, struct needs_component *n, bool refined) {
    bool good = refined && (uint64_t)c->states * c->locals <= MOST_ENTRIES;
    if (good) {
        struct refiner r = {
            .c = c,
            .needed = memory_get_zeroed(c->locals + UINT64_C(1)),
            .stamp = memory_get_zeroed(c->states * sizeof *r.stamp),
            .stack = memory_get(c->states * sizeof *r.stack),
            .local_of = memory_get((c->first[c->states] + UINT64_C(1)) * sizeof *r.local_of),
        };
        number_groups(&r);
        good = refine_all(&r, n);
        free(r.needed);
        free(r.stamp);
        free(r.stack);
        free(r.local_of);
    }
    if (!good) take_all(c, n);
}

struct needs *needs_new(const struct plan *p, const bool *refined) {
    struct needs *n = memory_get(sizeof *n);
    n->count = p->count;
    n->component = memory_get_zeroed((p->count + 1) * sizeof *n->component);
    for (uint32_t i = 0; i < p->count; i++) make_component(&p->component[i], &n->component[i], refined && refined[i]);
    return n;
}

void needs_free(struct needs *n) {
    if (!n) return;
    for (uint32_t i = 0; i < n->count; i++) {
        free(n->component[i].first);
        free(n->component[i].list);
    }
    free(n->component);
    free(n);
}
