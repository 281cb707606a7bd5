#include "minimize/qualities.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/minimize.h"

/* ---- Properties ---- */

uint32_t transform_nondeterminism(const struct lts *l) {
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->label == LTS_TAU && e->target != l->error) return s;
            if (e > lts_begin(l, s) && e[-1].label == e->label) return s;
        }
    return LTS_NONE;
}

void transform_complete(const struct lts *l, struct lts *out) {
    struct lts_builder b;
    bool *has = memory_get(l->labels.count * sizeof *has);
    lts_build_with(&b, &l->labels);
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

static void take_only(struct collector *c, uint32_t state) {
    c->list[0] = state;
    c->count = 1;
}

/* ERROR is stronger than anything else that may have happened. */
static bool may_be_error(const struct collector *c) {
    return c->l->error != LTS_NONE && c->stamp[c->l->error] == c->now;
}

/* It can do nothing any more but get to its end. */
static bool must_end(const struct collector *c) {
    const struct lts *l = c->l;
    if (l->end == LTS_NONE || c->stamp[l->end] != c->now) return false;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct lts_edge *first = lts_begin(l, c->list[i]), *end = lts_end(l, c->list[i]);
        if (c->list[i] != l->end && (first == end || end[-1].label != LTS_TAU)) return false;
    }
    return true;
}

/* The number of the collected set. */
static uint32_t subset(struct subsets *x) {
    if (may_be_error(&x->c)) take_only(&x->c, x->c.l->error);
    else if (must_end(&x->c)) take_only(&x->c, x->c.l->end);
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

static bool make_subsets(const struct lts *l, uint32_t max_states, struct effort *effort, struct lts *out) {
    struct subsets x = {.mask = 255};
    bool *has = memory_get(l->labels.count * sizeof *has);
    x.table = memory_get_zeroed((x.mask + UINT64_C(1)) * sizeof *x.table);
    collector_init(&x.c, l);
    lts_build_with(&x.b, &l->labels);
    collect_none(&x.c);
    collect(&x.c, l->initial);
    subset(&x);
    for (uint32_t i = 0; i < x.count && x.count <= max_states && !effort_over(effort); i++) expand(&x, i, has);
    bool good = x.count <= max_states && !effort_over(effort);
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

/* A process that is in ERROR at once gets there invisibly. */
static void make_error(const struct lts *l, struct lts *out) {
    struct lts_builder b;
    lts_build_with(&b, &l->labels);
    b.error = 1;
    lts_build_edge(&b, 0, LTS_TAU, 1);
    lts_build_finish(&b, out);
}

bool transform_determinize(const struct lts *l, uint32_t max_states, struct effort *effort, struct lts *out,
                           struct problem *why) {
    struct lts sets;
    bool good = true;
    if (!make_subsets(l, max_states, effort, &sets)) {
        if (effort && effort->over) return effort_problem(effort, "determinising", why);
        return problem_set(why, EXIT_INCONCLUSIVE, "it has more than %u states when it is made deterministic",
                           max_states);
    }
    if (sets.error == sets.initial) make_error(l, out);
    else good = lts_minimize(&sets, RELATION_STRONG, effort, out, why); /* which is trace equivalence here */
    lts_fini(&sets);
    return good;
}

bool transform_minimize(const struct lts *l, struct effort *effort, struct lts *out, struct problem *why) {
    return lts_minimize(l, RELATION_WEAK, effort, out, why);
}

/* ---- All of it ---- */

static void replace(struct lts *l, struct lts *by) {
    lts_fini(l);
    *l = *by;
}

bool transform_qualify(unsigned qualities, uint32_t max_states, struct effort *effort, struct lts *l,
                       struct problem *why) {
    struct lts changed;
    if (qualities & (TS_PROPERTY | TS_DETERMINISTIC)) {
        if (!transform_determinize(l, max_states, effort, &changed, why)) return false;
        replace(l, &changed);
    } else if (qualities & TS_MINIMAL) {
        if (!transform_minimize(l, effort, &changed, why)) return false;
        replace(l, &changed);
    }
    if (!(qualities & TS_PROPERTY)) return true;
    transform_complete(l, &changed);
    replace(l, &changed);
    lts_reachable(l, &changed);
    replace(l, &changed);
    return true;
}
