#include "symbolic/saturate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Ways ---- */

static void list_steps(struct way *w, const struct relations *r) {
    uint32_t cells = 0, count = 0;
    w->base = memory_get((w->levels + 1) * sizeof *w->base);
    for (uint32_t k = 0; k < w->levels; k++) {
        w->base[k] = cells;
        cells += r->size[k];
    }
    w->from = memory_get_zeroed((cells + 2) * sizeof *w->from);
    for (uint32_t i = 0; i < w->events; i++) {
        const struct relation_node *n = &r->node[w->event[i]];
        for (uint32_t k = 0; k < n->count; k++) w->from[w->base[n->level] + r->entry[n->first + k].from + 1]++;
        count += n->count;
    }
    for (uint32_t i = 0; i < cells; i++) w->from[i + 1] += w->from[i];
    w->step = memory_get((count + 1) * sizeof *w->step);
    uint32_t *next = memory_get((cells + 1) * sizeof *next);
    memcpy(next, w->from, (cells + 1) * sizeof *next);
    for (uint32_t i = 0; i < w->events; i++) {
        const struct relation_node *n = &r->node[w->event[i]];
        for (uint32_t k = 0; k < n->count; k++) {
            const struct relation_entry *e = &r->entry[n->first + k];
            w->step[next[w->base[n->level] + e->from]++] = (struct way_step){e->to, e->next};
        }
    }
    free(next);
}

bool way_init(struct way *w, struct relations *r, uint32_t number, const relation *list, uint32_t count) {
    *w = (struct way){.relations = r, .number = number, .levels = r->levels};
    assert(number < 16);
    relation *top = memory_get_zeroed((r->levels + 1) * sizeof *top);
    for (uint32_t i = 0; i < count; i++) {
        w->stays |= list[i] == RELATION_SAME;
        if (list[i] > RELATION_SAME) {
            uint32_t level = relation_level(r, list[i]);
            top[level] = relation_union(r, top[level], list[i]);
        }
    }
    w->event = memory_get((r->levels + 1) * sizeof *w->event);
    for (uint32_t k = 0; k < r->levels; k++) {
        w->stays |= top[k] == RELATION_SAME; /* of several, each in some vectors */
        assert(relation_level(r, top[k]) >= k);
        if (top[k] > RELATION_SAME) w->event[w->events++] = top[k];
    }
    free(top);
    if (r->full) return false;
    list_steps(w, r);
    return true;
}

void way_fini(struct way *w) {
    free(w->base);
    free(w->from);
    free(w->step);
    free(w->event);
    *w = (struct way){0};
}

/* ---- One step ---- */

static uint32_t key_of(enum mdd_operation what, uint32_t number) { return number << MDD_OPERATION_BITS | what; }

static mdd image(struct mdd_pool *m, const struct relations *r, mdd a, relation x) {
    mdd made;
    if (a == MDD_EMPTY || x == RELATION_NONE || m->stopped) return MDD_EMPTY;
    if (x == RELATION_SAME) return a;
    uint32_t key = key_of(MDD_IMAGE, x), level = mdd_level(m, a), size = m->size[level];
    if (mdd_cached(m, a, 0, key, &made)) return made;
    uint32_t *c = mdd_push(m, size + 1);
    if (r->node[x].level > level)
        for (uint32_t v = 0; v < size; v++) c[v] = image(m, r, mdd_child(m, a, v), x);
    else
        for (uint32_t i = 0; i < r->node[x].count; i++) {
            const struct relation_entry *e = &r->entry[r->node[x].first + i];
            c[size] = image(m, r, mdd_child(m, a, e->from), e->next);
            c[e->to] = mdd_unite(m, c[e->to], c[size]);
        }
    made = mdd_make(m, level, c);
    mdd_pop(m, size + 1);
    mdd_cache(m, a, 0, key, made);
    return made;
}

static mdd sources(struct mdd_pool *m, const struct relations *r, mdd a, relation x) {
    mdd made;
    if (a == MDD_EMPTY || x == RELATION_NONE || m->stopped) return MDD_EMPTY;
    if (x == RELATION_SAME) return a;
    uint32_t key = key_of(MDD_SOURCES, x), level = mdd_level(m, a), size = m->size[level];
    if (mdd_cached(m, a, 0, key, &made)) return made;
    uint32_t *c = mdd_push(m, size + 1);
    if (r->node[x].level > level)
        for (uint32_t v = 0; v < size; v++) c[v] = sources(m, r, mdd_child(m, a, v), x);
    else
        for (uint32_t i = 0; i < r->node[x].count; i++) {
            const struct relation_entry *e = &r->entry[r->node[x].first + i];
            c[size] = sources(m, r, mdd_child(m, a, e->from), e->next);
            c[e->from] = mdd_unite(m, c[e->from], c[size]);
        }
    made = mdd_make(m, level, c);
    mdd_pop(m, size + 1);
    mdd_cache(m, a, 0, key, made);
    return made;
}

mdd relation_image(struct mdd_pool *m, const struct relations *r, mdd a, relation x) {
    mdd_push(m, 1)[0] = a;
    mdd made = image(m, r, a, x);
    mdd_pop(m, 1);
    return made;
}

mdd relation_sources(struct mdd_pool *m, const struct relations *r, mdd a, relation x) {
    mdd_push(m, 1)[0] = a;
    mdd made = sources(m, r, a, x);
    mdd_pop(m, 1);
    return made;
}

mdd way_image(struct mdd_pool *m, const struct way *w, mdd a) {
    uint32_t *hold = mdd_push(m, 3);
    hold[0] = a;
    if (w->stays) hold[2] = a;
    for (uint32_t i = 0; i < w->events; i++) {
        hold[1] = image(m, w->relations, a, w->event[i]);
        hold[2] = mdd_unite(m, hold[2], hold[1]);
    }
    mdd made = hold[2];
    mdd_pop(m, 3);
    return made;
}

/* ---- Any number of steps ---- */

static mdd step_closed(struct mdd_pool *m, const struct way *w, mdd a, relation x);

/* Which values of a level have steps that have not been gone through since their child grew. */
struct worklist {
    uint32_t *waiting, count;
    uint64_t *in;
};

static void wait_for(struct worklist *l, const struct way *w, uint32_t cell, uint32_t value) {
    if (w->from[cell + value] == w->from[cell + value + 1] || (l->in[value / 64] >> value % 64 & 1)) return;
    l->in[value / 64] |= UINT64_C(1) << value % 64;
    l->waiting[l->count++] = value;
}

static uint32_t next_of(struct worklist *l) {
    uint32_t value = l->waiting[--l->count];
    l->in[value / 64] &= ~(UINT64_C(1) << value % 64);
    return value;
}

/* Children that are closed by themselves become those of a closed node: c[size] is free for use. */
static mdd close_node(struct mdd_pool *m, const struct way *w, uint32_t level, uint32_t *c) {
    uint32_t size = m->size[level], cell = w->base[level];
    uint32_t waiting[size];
    uint64_t in[(size + 63) / 64];
    struct worklist l = {waiting, 0, in};
    memset(in, 0, sizeof in);
    for (uint32_t v = size; v-- > 0;)
        if (c[v]) wait_for(&l, w, cell, v);
    while (l.count > 0 && !m->stopped) {
        uint32_t v = next_of(&l);
        for (uint32_t i = w->from[cell + v]; i < w->from[cell + v + 1]; i++) {
            const struct way_step *s = &w->step[i];
            c[size] = step_closed(m, w, c[v], s->next);
            if (!c[size]) continue;
            mdd both = mdd_unite(m, c[s->to], c[size]);
            if (both == c[s->to]) continue;
            c[s->to] = both;
            wait_for(&l, w, cell, s->to);
        }
    }
    return mdd_make(m, level, c);
}

/* A step from a closed set, and the closure of what it leads to. */
static mdd step_closed(struct mdd_pool *m, const struct way *w, mdd a, relation x) {
    const struct relations *r = w->relations;
    mdd made;
    if (a == MDD_EMPTY || x == RELATION_NONE || m->stopped) return MDD_EMPTY;
    if (x == RELATION_SAME) return a;
    uint32_t key = key_of(MDD_SATURATE_STEP, x << 4 | w->number), level = mdd_level(m, a), size = m->size[level];
    if (mdd_cached(m, a, 0, key, &made)) return made;
    uint32_t *c = mdd_push(m, size + 1);
    if (r->node[x].level > level)
        for (uint32_t v = 0; v < size; v++) c[v] = step_closed(m, w, mdd_child(m, a, v), x);
    else
        for (uint32_t i = 0; i < r->node[x].count; i++) {
            const struct relation_entry *e = &r->entry[r->node[x].first + i];
            c[size] = step_closed(m, w, mdd_child(m, a, e->from), e->next);
            c[e->to] = mdd_unite(m, c[e->to], c[size]);
        }
    made = close_node(m, w, level, c);
    mdd_pop(m, size + 1);
    mdd_cache(m, a, 0, key, made);
    return made;
}

static mdd closed(struct mdd_pool *m, const struct way *w, mdd a) {
    mdd made;
    if (a < MDD_FIRST || m->stopped) return m->stopped ? MDD_EMPTY : a;
    uint32_t key = key_of(MDD_SATURATE, w->number), level = mdd_level(m, a), size = m->size[level];
    if (mdd_cached(m, a, 0, key, &made)) return made;
    uint32_t *c = mdd_push(m, size + 1);
    for (uint32_t v = 0; v < size; v++) c[v] = closed(m, w, mdd_child(m, a, v));
    made = close_node(m, w, level, c);
    mdd_pop(m, size + 1);
    mdd_cache(m, a, 0, key, made);
    return made;
}

mdd way_closure(struct mdd_pool *m, const struct way *w, mdd a) {
    mdd_push(m, 1)[0] = a;
    mdd made = closed(m, w, a);
    mdd_pop(m, 1);
    return made;
}

/* ---- The same within a constraint ---- */

static mdd step_within(struct mdd_pool *m, const struct way *w, mdd a, mdd within, relation x);

static mdd close_within(struct mdd_pool *m, const struct way *w, mdd within, uint32_t level, uint32_t *c) {
    uint32_t size = m->size[level], cell = w->base[level];
    uint32_t waiting[size];
    uint64_t in[(size + 63) / 64];
    struct worklist l = {waiting, 0, in};
    memset(in, 0, sizeof in);
    for (uint32_t v = size; v-- > 0;)
        if (c[v]) wait_for(&l, w, cell, v);
    while (l.count > 0 && !m->stopped) {
        uint32_t v = next_of(&l);
        for (uint32_t i = w->from[cell + v]; i < w->from[cell + v + 1]; i++) {
            const struct way_step *s = &w->step[i];
            c[size] = step_within(m, w, c[v], mdd_child(m, within, s->to), s->next);
            if (!c[size]) continue;
            mdd both = mdd_unite(m, c[s->to], c[size]);
            if (both == c[s->to]) continue;
            c[s->to] = both;
            wait_for(&l, w, cell, s->to);
        }
    }
    return mdd_make(m, level, c);
}

static mdd closed_within(struct mdd_pool *m, const struct way *w, mdd a, mdd within) {
    mdd made;
    if (m->stopped) return MDD_EMPTY;
    if (a < MDD_FIRST || within == MDD_EMPTY) return a;
    uint32_t key = key_of(MDD_SATURATE, w->number), level = mdd_level(m, a), size = m->size[level];
    if (mdd_cached(m, a, within, key, &made)) return made;
    uint32_t *c = mdd_push(m, size + 1);
    for (uint32_t v = 0; v < size; v++) c[v] = closed_within(m, w, mdd_child(m, a, v), mdd_child(m, within, v));
    made = close_within(m, w, within, level, c);
    mdd_pop(m, size + 1);
    mdd_cache(m, a, within, key, made);
    return made;
}

/* What a step leads to, within the constraint, closed there. */
static mdd step_within(struct mdd_pool *m, const struct way *w, mdd a, mdd within, relation x) {
    const struct relations *r = w->relations;
    mdd made;
    if (a == MDD_EMPTY || within == MDD_EMPTY || x == RELATION_NONE || m->stopped) return MDD_EMPTY;
    uint32_t *hold = mdd_push(m, 1);
    if (x == RELATION_SAME) {
        hold[0] = mdd_meet(m, a, within);
        made = closed_within(m, w, hold[0], within);
        mdd_pop(m, 1);
        return made;
    }
    mdd_pop(m, 1);
    uint32_t key = key_of(MDD_SATURATE_STEP, x << 4 | w->number), level = mdd_level(m, a), size = m->size[level];
    if (mdd_cached(m, a, within, key, &made)) return made;
    uint32_t *c = mdd_push(m, size + 1);
    if (r->node[x].level > level)
        for (uint32_t v = 0; v < size; v++) c[v] = step_within(m, w, mdd_child(m, a, v), mdd_child(m, within, v), x);
    else
        for (uint32_t i = 0; i < r->node[x].count; i++) {
            const struct relation_entry *e = &r->entry[r->node[x].first + i];
            c[size] = step_within(m, w, mdd_child(m, a, e->from), mdd_child(m, within, e->to), e->next);
            c[e->to] = mdd_unite(m, c[e->to], c[size]);
        }
    made = close_within(m, w, within, level, c);
    mdd_pop(m, size + 1);
    mdd_cache(m, a, within, key, made);
    return made;
}

mdd way_closure_within(struct mdd_pool *m, const struct way *w, mdd a, mdd constraint) {
    uint32_t *hold = mdd_push(m, 2);
    hold[0] = a, hold[1] = constraint;
    mdd made = closed_within(m, w, a, constraint);
    mdd_pop(m, 2);
    return made;
}
