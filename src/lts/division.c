#include "lts/division.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void division_init(struct division *d, const struct joint *j, enum lts_relation relation, struct effort *effort) {
    *d = (struct division){.j = j, .relation = relation, .effort = effort, .count = 1, .room = 16};
    d->part = memory_get_zeroed(j->lts.states * sizeof *d->part);
    d->parts = memory_get_zeroed(d->room * sizeof *d->parts);
    d->element = memory_get(sizeof *d->element);
}

void division_fini(struct division *d) {
    effort_give_back(d->effort, d->element_room * sizeof *d->element);
    free(d->part);
    free(d->parts);
    free(d->element);
}

/* ---- Signatures of states ---- */

/* One signature a state, one after the other. */
struct signatures {
    uint64_t *begin; /* states + 1; filled in ascending order of the states */
    uint64_t *element;
    uint64_t count, room;
    struct effort *effort;
};

static void signatures_init(struct signatures *s, uint32_t states, struct effort *effort) {
    *s = (struct signatures){.effort = effort};
    s->begin = memory_get((states + UINT64_C(1)) * sizeof *s->begin);
    s->begin[0] = 0;
}

static void signatures_fini(struct signatures *s) {
    effort_give_back(s->effort, s->room * sizeof *s->element);
    free(s->begin);
    free(s->element);
}

static void put(struct signatures *s, uint64_t element) {
    if (s->count == s->room) {
        uint64_t room = s->room ? 2 * s->room : 1024;
        effort_take(s->effort, (room - s->room) * sizeof *s->element);
        s->element = memory_resize(s->element, room * sizeof *s->element);
        s->room = room;
    }
    s->element[s->count++] = element;
}

static void put_all(struct signatures *s, const struct signatures *from, uint32_t state) {
    for (uint64_t i = from->begin[state]; i < from->begin[state + 1]; i++) put(s, from->element[i]);
}

static int by_number(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* The signature of the state is complete: it is sorted, and each element is kept once. */
static void finish(struct signatures *s, uint32_t state) {
    uint64_t *element = s->element + s->begin[state], count = s->count - s->begin[state], kept = 0;
    if (count > 1) qsort(element, count, sizeof *element, by_number);
    for (uint64_t i = 0; i < count; i++)
        if (kept == 0 || element[kept - 1] != element[i]) element[kept++] = element[i];
    s->begin[state + 1] = s->count = s->begin[state] + kept;
}

static uint64_t element(const struct division *d, uint32_t label, uint32_t state) {
    return (uint64_t)label << 32 | d->part[state];
}

static void sign_strong(const struct division *d, struct signatures *s) {
    const struct lts *l = &d->j->lts;
    for (uint32_t state = 0; state < l->states; state++) {
        for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state); e++)
            put(s, element(d, e->label, e->target));
        finish(s, state);
    }
}

/* Through states of the same part: what a tau edge within the part leads to has the lower number, so is known. */
static void sign_branching(const struct division *d, struct signatures *s) {
    const struct lts *l = &d->j->lts;
    for (uint32_t state = 0; state < l->states; state++) {
        if (d->j->diverges[state]) put(s, DIVISION_LOOP);
        for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state); e++)
            if (e->label == LTS_TAU && d->part[e->target] == d->part[state]) put_all(s, s, e->target);
            else put(s, element(d, e->label, e->target));
        finish(s, state);
    }
}

static void sign_weak(const struct division *d, struct signatures *s) {
    const struct lts *l = &d->j->lts;
    struct signatures by_tau;
    signatures_init(&by_tau, l->states, d->effort);
    for (uint32_t state = 0; state < l->states; state++) {
        put(&by_tau, element(d, LTS_TAU, state));
        for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state) && e->label == LTS_TAU; e++)
            put_all(&by_tau, &by_tau, e->target);
        finish(&by_tau, state);
    }
    for (uint32_t state = 0; state < l->states; state++) {
        put(s, element(d, LTS_TAU, state));
        for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state); e++)
            if (e->label == LTS_TAU) put_all(s, s, e->target);
            else
                for (uint64_t i = by_tau.begin[e->target]; i < by_tau.begin[e->target + 1]; i++)
                    put(s, (uint64_t)e->label << 32 | element_part(by_tau.element[i]));
        finish(s, state);
    }
    signatures_fini(&by_tau);
}

static void sign(const struct division *d, struct signatures *s) {
    if (d->relation == RELATION_STRONG) sign_strong(d, s);
    else if (d->relation == RELATION_WEAK) sign_weak(d, s);
    else sign_branching(d, s);
}

/* ---- States with equal part and signature ---- */

struct groups {
    uint32_t *group;  /* by state */
    uint32_t *sample; /* by group: one of its states */
    uint32_t count;
    uint32_t *table, mask; /* a group + 1, or 0 */
};

static bool same(const struct division *d, const struct signatures *s, uint32_t x, uint32_t y) {
    uint64_t count = s->begin[x + 1] - s->begin[x];
    return d->part[x] == d->part[y] && count == s->begin[y + 1] - s->begin[y] &&
           memcmp(s->element + s->begin[x], s->element + s->begin[y], count * sizeof *s->element) == 0;
}

static void put_in_group(const struct division *d, const struct signatures *s, struct groups *g, uint32_t state) {
    uint64_t h = d->part[state];
    for (uint64_t i = s->begin[state]; i < s->begin[state + 1]; i++)
        h = (h ^ s->element[i]) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 31);
    uint32_t place = (uint32_t)(h ^ h >> 32) & g->mask;
    while (g->table[place] && !same(d, s, g->sample[g->table[place] - 1], state)) place = (place + 1) & g->mask;
    if (!g->table[place]) {
        g->sample[g->count] = state;
        g->table[place] = ++g->count;
    }
    g->group[state] = g->table[place] - 1;
}

static void groups_init(struct groups *g, const struct division *d, const struct signatures *s) {
    uint32_t states = d->j->lts.states;
    *g = (struct groups){.mask = 63};
    while (g->mask / 2 < states) g->mask = 2 * g->mask + 1;
    g->group = memory_get(states * sizeof *g->group);
    g->sample = memory_get(states * sizeof *g->sample);
    g->table = memory_get_zeroed((g->mask + UINT64_C(1)) * sizeof *g->table);
    for (uint32_t state = 0; state < states; state++) put_in_group(d, s, g, state);
}

static void groups_fini(struct groups *g) {
    free(g->group);
    free(g->sample);
    free(g->table);
}

static uint32_t add_part(struct division *d, uint32_t parent, const uint64_t *signature, uint64_t count) {
    if (d->count == d->room) {
        d->room *= 2;
        d->parts = memory_resize(d->parts, d->room * sizeof *d->parts);
    }
    if (d->elements + count > d->element_room) {
        uint64_t room = d->element_room + d->element_room / 2 + count + 64;
        effort_take(d->effort, (room - d->element_room) * sizeof *d->element);
        d->element = memory_resize(d->element, room * sizeof *d->element);
        d->element_room = room;
    }
    memcpy(d->element + d->elements, signature, count * sizeof *signature);
    d->parts[d->count] = (struct part){parent, d->parts[parent].depth + 1, d->elements, (uint32_t)count};
    d->elements += count;
    return d->count++;
}

/* Parts with one group stay as they are. */
static bool apply(struct division *d, const struct signatures *s, const struct groups *g) {
    uint32_t *groups_of = memory_get_zeroed(d->count * sizeof *groups_of);
    uint32_t *part_of = memory_get(g->count * sizeof *part_of), before = d->count;
    for (uint32_t i = 0; i < g->count; i++) groups_of[d->part[g->sample[i]]]++;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t state = g->sample[i], part = d->part[state];
        uint64_t count = s->begin[state + 1] - s->begin[state];
        part_of[i] = groups_of[part] == 1 ? part : add_part(d, part, s->element + s->begin[state], count);
    }
    for (uint32_t state = 0; state < d->j->lts.states; state++) d->part[state] = part_of[g->group[state]];
    free(groups_of);
    free(part_of);
    return d->count > before;
}

bool division_refine(struct division *d) {
    struct signatures s;
    struct groups g;
    signatures_init(&s, d->j->lts.states, d->effort);
    s.element = memory_resize(NULL, sizeof *s.element);
    sign(d, &s);
    groups_init(&g, d, &s);
    bool changed = apply(d, &s, &g);
    d->rounds++;
    groups_fini(&g);
    signatures_fini(&s);
    return changed;
}
