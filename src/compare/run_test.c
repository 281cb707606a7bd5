#include "compare/run_test.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/confirm.h"

struct together {
    const struct lts *l, *test;
    uint32_t *label; /* of the LTS: the same one of the test, or NAMES_NONE */
    uint32_t success;
    struct both {
        uint32_t state, with; /* of the LTS, of the test */
        uint32_t label;       /* of the LTS, of the edge by which it was found */
        uint64_t parent;
    } * pair;
    uint64_t count, room;
    uint64_t *table, mask;   /* a pair + 1, or 0 */
    struct numbers from, to; /* edges, by pair */
    struct effort *effort;
};

static uint64_t place_of(const struct together *t, uint32_t state, uint32_t with) {
    uint64_t h = ((uint64_t)state * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)with * UINT64_C(0xbf58476d1ce4e5b9));
    uint64_t place = (h ^ h >> 29) & t->mask;
    while (t->table[place] &&
           (t->pair[t->table[place] - 1].state != state || t->pair[t->table[place] - 1].with != with))
        place = (place + 1) & t->mask;
    return place;
}

static uint64_t pair_of(struct together *t, uint32_t state, uint32_t with, uint64_t parent, uint32_t label) {
    uint64_t place = place_of(t, state, with);
    if (t->table[place]) return t->table[place] - 1;
    if (t->count == t->room) {
        effort_take(t->effort, (t->room + 256) * (sizeof *t->pair + 2 * sizeof *t->table));
        t->room = t->room ? 2 * t->room : 256;
        t->pair = memory_resize(t->pair, t->room * sizeof *t->pair);
    }
    t->pair[t->count++] = (struct both){state, with, label, parent};
    t->table[place] = t->count;
    if (t->count > t->mask / 2) {
        free(t->table);
        t->mask = 2 * t->mask + 1;
        t->table = memory_get_zeroed((t->mask + 1) * sizeof *t->table);
        for (uint64_t i = 0; i < t->count; i++) t->table[place_of(t, t->pair[i].state, t->pair[i].with)] = i + 1;
    }
    return t->count - 1;
}

static void add_edge(struct together *t, uint64_t from, uint32_t state, uint32_t with, uint32_t label) {
    uint64_t to = pair_of(t, state, with, from, label);
    effort_take(t->effort, 3 * sizeof to);
    numbers_add(&t->from, from);
    numbers_add(&t->to, to);
}

/* The LTS alone (tau, or a label that the test does not know), both, or the test alone (tau). */
static void explore(struct together *t) {
    for (uint64_t i = 0; i < t->count && !effort_over(t->effort); i++) {
        uint32_t state = t->pair[i].state, with = t->pair[i].with;
        for (const struct lts_edge *e = lts_begin(t->l, state); e < lts_end(t->l, state); e++) {
            uint32_t label = e->label == LTS_TAU ? NAMES_NONE : t->label[e->label];
            if (label == NAMES_NONE) {
                add_edge(t, i, e->target, with, e->label);
                continue;
            }
            for (const struct lts_edge *f = lts_begin(t->test, with); f < lts_end(t->test, with); f++)
                if (f->label == label) add_edge(t, i, e->target, f->target, e->label);
        }
        for (const struct lts_edge *f = lts_begin(t->test, with); f < lts_end(t->test, with) && f->label == LTS_TAU;
             f++)
            add_edge(t, i, state, f->target, LTS_TAU);
    }
}

static bool succeeds(const struct together *t, uint64_t i) {
    for (const struct lts_edge *f = lts_begin(t->test, t->pair[i].with); f < lts_end(t->test, t->pair[i].with); f++)
        if (f->label == t->success) return true;
    return false;
}

/* The first pair, in breadth-first order, that cannot come to success any more; t->count: all can. */
static uint64_t find_hopeless(const struct together *t) {
    uint64_t *first = memory_get_zeroed((t->count + 2) * sizeof *first), depth = 0, hopeless = 0;
    uint64_t *before = memory_get((t->from.count + 1) * sizeof *before), *stack = memory_get(t->count * sizeof *stack);
    bool *hope = memory_get_zeroed(t->count * sizeof *hope);
    for (uint64_t i = 0; i < t->to.count; i++) first[t->to.at[i] + 2]++;
    for (uint64_t i = 0; i < t->count; i++) first[i + 2] += first[i + 1];
    for (uint64_t i = 0; i < t->to.count; i++) before[first[t->to.at[i] + 1]++] = t->from.at[i];
    for (uint64_t i = 0; i < t->count; i++)
        if (succeeds(t, i)) hope[i] = true, stack[depth++] = i;
    while (depth > 0) {
        uint64_t i = stack[--depth];
        for (uint64_t k = first[i]; k < first[i + 1]; k++)
            if (!hope[before[k]]) {
                hope[before[k]] = true;
                stack[depth++] = before[k];
            }
    }
    while (hopeless < t->count && hope[hopeless]) hopeless++;
    free(first);
    free(before);
    free(stack);
    free(hope);
    return hopeless;
}

static void find_way(const struct together *t, uint64_t pair, struct test_run *out) {
    out->state = t->pair[pair].state;
    out->with = t->pair[pair].with;
    for (uint64_t i = pair; i > 0; i = t->pair[i].parent) out->trace.length += t->pair[i].label != LTS_TAU;
    out->trace.label = memory_get((out->trace.length + UINT64_C(1)) * sizeof *out->trace.label);
    uint32_t at = out->trace.length;
    for (uint64_t i = pair; i > 0; i = t->pair[i].parent)
        if (t->pair[i].label != LTS_TAU) out->trace.label[--at] = t->pair[i].label;
}

enum outcome run_test_fails(const struct lts *l, uint32_t root, const struct lts *test, const char *success,
                            struct effort *effort, struct test_run *out) {
    struct together t = {
        .l = l, .test = test, .mask = 1023, .success = names_find(&test->labels, success), .effort = effort};
    enum outcome outcome = OUTCOME_GIVEN_UP;
    *out = (struct test_run){0};
    t.table = memory_get_zeroed((t.mask + 1) * sizeof *t.table);
    t.label = memory_get(l->labels.count * sizeof *t.label);
    for (uint32_t i = 0; i < l->labels.count; i++) t.label[i] = names_find(&test->labels, l->labels.text[i]);
    assert(names_find(&l->labels, success) == NAMES_NONE); /* so that it is never synchronised */
    pair_of(&t, root, test->initial, 0, LTS_TAU);
    explore(&t);
    if (!effort_look(effort)) {
        uint64_t hopeless = find_hopeless(&t);
        outcome = hopeless < t.count ? OUTCOME_FOUND : OUTCOME_NONE;
        if (outcome == OUTCOME_FOUND) find_way(&t, hopeless, out);
    }
    out->pairs = t.count;
    free(t.pair);
    free(t.table);
    free(t.label);
    numbers_fini(&t.from);
    numbers_fini(&t.to);
    return outcome;
}

bool confirm_fails_test(const struct lts *l, uint32_t root, const struct lts *test, const char *success) {
    struct test_run run;
    enum outcome outcome = run_test_fails(l, root, test, success, NULL, &run);
    free(run.trace.label);
    return outcome == OUTCOME_FOUND;
}
