#include "front/fsp/transform.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- Properties ---- */

uint32_t transform_nondeterminism(const struct lts *l) {
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->label == LTS_TAU && e->target != l->error) return s;
            if (e > lts_begin(l, s) && e[-1].label == e->label) return s;
        }
    return LTS_NONE;
}

static void copy_labels(struct lts_builder *b, const struct lts *l) {
    for (uint32_t a = 1; a < l->labels.count; a++) names_add(&b->labels, l->labels.text[a]);
}

void transform_complete(const struct lts *l, struct lts *out) {
    struct lts_builder b;
    bool *has = memory_get(l->labels.count * sizeof *has);
    lts_build(&b);
    copy_labels(&b, l);
    b.states = l->states;
    b.initial = l->initial;
    b.error = l->error == LTS_NONE ? b.states++ : l->error;
    for (uint32_t s = 0; s < l->states; s++) {
        if (s == l->error) continue;
        memset(has, 0, l->labels.count * sizeof *has);
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            has[e->label] = true;
            lts_build_edge(&b, s, e->label, e->target);
        }
        for (uint32_t a = 1; a < l->labels.count; a++)
            if (!has[a]) lts_build_edge(&b, s, a, b.error);
    }
    free(has);
    lts_build_finish(&b, out);
}

/* ---- Sets of states ---- */

struct states {
    uint32_t *at;
    uint32_t count;
};

/* Room for one set that is being collected. */
struct collector {
    const struct lts *l;
    uint32_t *list, *stamp, count, now;
};

static void collector_init(struct collector *c, const struct lts *l) {
    *c = (struct collector){.l = l};
    c->list = memory_get(l->states * sizeof *c->list);
    c->stamp = memory_get_zeroed(l->states * sizeof *c->stamp);
}

static void collector_fini(struct collector *c) {
    free(c->list);
    free(c->stamp);
}

static void collect_none(struct collector *c) {
    c->count = 0;
    c->now++;
}

/* With all that can be reached invisibly. */
static void collect(struct collector *c, uint32_t state) {
    uint32_t i = c->count;
    if (c->stamp[state] == c->now) return;
    c->stamp[state] = c->now;
    c->list[c->count++] = state;
    for (; i < c->count; i++)
        for (const struct lts_edge *e = lts_begin(c->l, c->list[i]);
             e < lts_end(c->l, c->list[i]) && e->label == LTS_TAU; e++)
            if (c->stamp[e->target] != c->now) {
                c->stamp[e->target] = c->now;
                c->list[c->count++] = e->target;
            }
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* ---- Determinising: sets of states become states ---- */

struct subsets {
    struct collector c;
    struct states *set;
    uint32_t count, room;
    uint32_t *table, mask;
    struct lts_builder b;
};

static uint32_t hash(const uint32_t *list, uint32_t count) {
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++) {
        h = (h ^ list[i]) * UINT64_C(0xd6e8feb86659fd93);
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

static uint32_t place_of(const struct subsets *x, const uint32_t *list, uint32_t count) {
    uint32_t place = hash(list, count) & x->mask;
    for (; x->table[place]; place = (place + 1) & x->mask) {
        const struct states *s = &x->set[x->table[place] - 1];
        if (s->count == count && memcmp(s->at, list, count * sizeof *list) == 0) break;
    }
    return place;
}

static void grow(struct subsets *x) {
    free(x->table);
    x->mask = 2 * x->mask + 1;
    x->table = memory_get_zeroed((x->mask + UINT64_C(1)) * sizeof *x->table);
    for (uint32_t i = 0; i < x->count; i++) x->table[place_of(x, x->set[i].at, x->set[i].count)] = i + 1;
}

/* ERROR is stronger than anything else that may have happened. */
static void error_takes_all(struct subsets *x) {
    uint32_t error = x->c.l->error;
    if (error == LTS_NONE || x->c.stamp[error] != x->c.now) return;
    x->c.list[0] = error;
    x->c.count = 1;
}

/* The number of the collected set. */
static uint32_t subset(struct subsets *x) {
    error_takes_all(x);
    qsort(x->c.list, x->c.count, sizeof *x->c.list, by_number);
    uint32_t place = place_of(x, x->c.list, x->c.count);
    if (x->table[place]) return x->table[place] - 1;
    if (x->count == x->room) {
        x->room = x->room ? 2 * x->room : 64;
        x->set = memory_resize(x->set, x->room * sizeof *x->set);
    }
    struct states *s = &x->set[x->count++];
    s->count = x->c.count;
    s->at = memory_get(s->count * sizeof *s->at);
    memcpy(s->at, x->c.list, s->count * sizeof *s->at);
    x->table[place] = x->count;
    if (s->count == 1 && s->at[0] == x->c.l->error) x->b.error = x->count - 1;
    if (s->count == 1 && s->at[0] == x->c.l->end) x->b.end = x->count - 1;
    if (x->count > x->mask / 2) grow(x);
    return x->count - 1;
}

static void expand_label(struct subsets *x, uint32_t source, uint32_t label) {
    bool any = false;
    collect_none(&x->c);
    for (uint32_t i = 0; i < x->set[source].count; i++) {
        uint32_t s = x->set[source].at[i];
        for (const struct lts_edge *e = lts_begin(x->c.l, s); e < lts_end(x->c.l, s); e++)
            if (e->label == label) {
                collect(&x->c, e->target);
                any = true;
            }
    }
    if (any) lts_build_edge(&x->b, source, label, subset(x));
}

static void expand(struct subsets *x, uint32_t source, bool *has) {
    const struct lts *l = x->c.l;
    memset(has, 0, l->labels.count * sizeof *has);
    for (uint32_t i = 0; i < x->set[source].count; i++) {
        uint32_t s = x->set[source].at[i];
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) has[e->label] = true;
    }
    for (uint32_t a = 1; a < l->labels.count; a++)
        if (has[a]) expand_label(x, source, a);
}

static bool make_subsets(const struct lts *l, uint32_t max_states, struct lts *out) {
    struct subsets x = {.mask = 255};
    bool *has = memory_get(l->labels.count * sizeof *has);
    x.table = memory_get_zeroed((x.mask + UINT64_C(1)) * sizeof *x.table);
    collector_init(&x.c, l);
    lts_build(&x.b);
    copy_labels(&x.b, l);
    collect_none(&x.c);
    collect(&x.c, l->initial);
    subset(&x);
    for (uint32_t i = 0; i < x.count && x.count <= max_states; i++) expand(&x, i, has);
    bool good = x.count <= max_states;
    x.b.states = x.count;
    lts_build_finish(&x.b, out);
    if (!good) lts_fini(out);
    for (uint32_t i = 0; i < x.count; i++) free(x.set[i].at);
    free(x.set);
    free(x.table);
    free(has);
    collector_fini(&x.c);
    return good;
}

bool transform_determinize(const struct lts *l, uint32_t max_states, struct lts *out) {
    struct lts sets;
    if (!make_subsets(l, max_states, &sets)) return false;
    if (sets.error == sets.initial) { /* a process that is in ERROR at once gets there invisibly */
        struct lts_builder b;
        lts_build(&b);
        copy_labels(&b, l);
        b.error = 1;
        lts_build_edge(&b, 0, LTS_TAU, 1);
        lts_build_finish(&b, out);
    } else transform_minimize(&sets, out); /* which is strong bisimilarity here, and that is trace equivalence */
    lts_fini(&sets);
    return true;
}

/* ---- Minimising: classes are split by what their states can do, until nothing changes ---- */

struct classes {
    const struct lts *l;
    struct states *reach; /* by state: what it can reach invisibly, itself included */
    uint32_t *class_of, *next_class_of;
    uint32_t count;
    struct numbers signature; /* of the state at hand: its class, then pairs of label and class */
    struct numbers all;       /* of all states, one after the other */
    size_t *first;
};

static void find_reach(struct classes *x) {
    struct collector c;
    collector_init(&c, x->l);
    x->reach = memory_get(x->l->states * sizeof *x->reach);
    for (uint32_t s = 0; s < x->l->states; s++) {
        collect_none(&c);
        collect(&c, s);
        x->reach[s] = (struct states){memory_get(c.count * sizeof *c.list), c.count};
        memcpy(x->reach[s].at, c.list, c.count * sizeof *c.list);
    }
    collector_fini(&c);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void add_moves(struct classes *x, uint32_t label, uint32_t target) {
    const struct states *r = &x->reach[target];
    for (uint32_t i = 0; i < r->count; i++) numbers_add(&x->signature, (uint64_t)label << 32 | x->class_of[r->at[i]]);
}

static void tidy(struct numbers *v) {
    size_t kept = 0;
    qsort(v->at, v->count, sizeof *v->at, by_value);
    for (size_t i = 0; i < v->count; i++)
        if (i == 0 || v->at[i] != v->at[kept - 1]) v->at[kept++] = v->at[i];
    v->count = kept;
}

static void find_signature(struct classes *x, uint32_t s) {
    x->signature.count = 0;
    add_moves(x, LTS_TAU, s);
    for (uint32_t i = 0; i < x->reach[s].count; i++) {
        uint32_t u = x->reach[s].at[i];
        for (const struct lts_edge *e = lts_begin(x->l, u); e < lts_end(x->l, u); e++)
            if (e->label != LTS_TAU) add_moves(x, e->label, e->target);
    }
    tidy(&x->signature);
    x->first[s] = x->all.count;
    numbers_add(&x->all, x->class_of[s]);
    for (size_t i = 0; i < x->signature.count; i++) numbers_add(&x->all, x->signature.at[i]);
}

static int compare_signatures(const void *a, const void *b, void *context) {
    const struct classes *x = context;
    uint32_t s = *(const uint32_t *)a, t = *(const uint32_t *)b;
    size_t m = x->first[s + 1] - x->first[s], n = x->first[t + 1] - x->first[t];
    if (m != n) return m < n ? -1 : 1;
    return memcmp(x->all.at + x->first[s], x->all.at + x->first[t], m * sizeof *x->all.at);
}

/* Numbers the classes anew; true: there are more of them. */
static bool split(struct classes *x, uint32_t *order) {
    uint32_t old = x->count;
    x->all.count = 0;
    for (uint32_t s = 0; s < x->l->states; s++) {
        find_signature(x, s);
        order[s] = s;
    }
    x->first[x->l->states] = x->all.count;
    qsort_r(order, x->l->states, sizeof *order, compare_signatures, x);
    x->count = 0;
    for (uint32_t i = 0; i < x->l->states; i++) {
        if (i == 0 || compare_signatures(&order[i - 1], &order[i], x) != 0) x->count++;
        x->next_class_of[order[i]] = x->count - 1;
    }
    uint32_t *swap = x->class_of;
    x->class_of = x->next_class_of;
    x->next_class_of = swap;
    return x->count > old;
}

static void build_quotient(const struct classes *x, struct lts *out) {
    const struct lts *l = x->l;
    struct lts_builder b;
    lts_build(&b);
    copy_labels(&b, l);
    b.states = x->count;
    b.initial = x->class_of[l->initial];
    if (l->end != LTS_NONE) b.end = x->class_of[l->end];
    if (l->error != LTS_NONE) b.error = x->class_of[l->error];
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (e->label != LTS_TAU || x->class_of[s] != x->class_of[e->target])
                lts_build_edge(&b, x->class_of[s], e->label, x->class_of[e->target]);
    struct lts whole;
    lts_build_finish(&b, &whole);
    lts_reachable(&whole, out);
    lts_fini(&whole);
}

void transform_minimize(const struct lts *l, struct lts *out) {
    struct classes x = {.l = l};
    uint32_t *order = memory_get(l->states * sizeof *order);
    find_reach(&x);
    x.class_of = memory_get_zeroed(l->states * sizeof *x.class_of);
    x.next_class_of = memory_get_zeroed(l->states * sizeof *x.next_class_of);
    x.first = memory_get((l->states + UINT64_C(1)) * sizeof *x.first);
    if (l->end != LTS_NONE) x.class_of[l->end] = 1;
    if (l->error != LTS_NONE) x.class_of[l->error] = 2;
    while (split(&x, order)) {}
    build_quotient(&x, out);
    for (uint32_t s = 0; s < l->states; s++) free(x.reach[s].at);
    free(x.reach);
    free(x.class_of);
    free(x.next_class_of);
    free(x.first);
    free(order);
    numbers_fini(&x.signature);
    numbers_fini(&x.all);
}
