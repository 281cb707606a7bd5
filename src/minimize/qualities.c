#include "minimize/qualities.h"

#include <stdlib.h>
#include <string.h>

#include "algo/set_table.h"
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
    struct set_table sets;
    struct lts_builder b;
};

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
    uint32_t known = set_table_count(&x->sets), set = set_table_number(&x->sets, x->c.list, x->c.count);
    if (set == known && x->c.count == 1 && x->c.list[0] == x->c.l->error) x->b.error = set;
    if (set == known && x->c.count == 1 && x->c.list[0] == x->c.l->end) x->b.end = set;
    return set;
}

static void expand_label(struct subsets *x, uint32_t source, uint32_t label) {
    bool any = false;
    collect_none(&x->c);
    for (uint32_t i = 0; i < set_table_size(&x->sets, source); i++) {
        uint32_t s = set_table_members(&x->sets, source)[i];
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
    for (uint32_t i = 0; i < set_table_size(&x->sets, source); i++) {
        uint32_t s = set_table_members(&x->sets, source)[i];
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) has[e->label] = true;
    }
    for (uint32_t a = 1; a < l->labels.count; a++)
        if (has[a]) expand_label(x, source, a);
}

static bool make_subsets(const struct lts *l, uint32_t max_states, struct effort *effort, struct lts *out) {
    struct subsets x = {0};
    bool *has = memory_get(l->labels.count * sizeof *has);
    set_table_init(&x.sets);
    collector_init(&x.c, l);
    lts_build_with(&x.b, &l->labels);
    collect_none(&x.c);
    collect(&x.c, l->initial);
    subset(&x);
    for (uint32_t i = 0; i < set_table_count(&x.sets); i++) {
        if (set_table_count(&x.sets) > max_states || effort_over(effort)) break;
        expand(&x, i, has);
    }
    bool good = set_table_count(&x.sets) <= max_states && !effort_over(effort);
    x.b.states = set_table_count(&x.sets);
    lts_build_finish(&x.b, out);
    if (!good) lts_fini(out);
    set_table_fini(&x.sets);
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
