/* A test is run: all states that the LTS and the test can be in together, and back from where success is possible. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/confirm.h"

struct together {
    const struct lts *l, *test;
    uint32_t *label; /* of the LTS: the same one of the test, or NAMES_NONE */
    uint32_t success;
    struct both {
        uint32_t state, with; /* of the LTS, of the test */
    } * pair;
    uint64_t count, room;
    uint64_t *table, mask;   /* a pair + 1, or 0 */
    struct numbers from, to; /* edges, by pair */
};

static uint64_t place_of(const struct together *t, uint32_t state, uint32_t with) {
    uint64_t h = ((uint64_t)state * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)with * UINT64_C(0xbf58476d1ce4e5b9));
    uint64_t place = (h ^ h >> 29) & t->mask;
    while (t->table[place] &&
           (t->pair[t->table[place] - 1].state != state || t->pair[t->table[place] - 1].with != with))
        place = (place + 1) & t->mask;
    return place;
}

static uint64_t pair_of(struct together *t, uint32_t state, uint32_t with) {
    uint64_t place = place_of(t, state, with);
    if (t->table[place]) return t->table[place] - 1;
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->pair = memory_resize(t->pair, t->room * sizeof *t->pair);
    }
    t->pair[t->count++] = (struct both){state, with};
    t->table[place] = t->count;
    if (t->count > t->mask / 2) {
        free(t->table);
        t->mask = 2 * t->mask + 1;
        t->table = memory_get_zeroed((t->mask + 1) * sizeof *t->table);
        for (uint64_t i = 0; i < t->count; i++) t->table[place_of(t, t->pair[i].state, t->pair[i].with)] = i + 1;
    }
    return t->count - 1;
}

static void add_edge(struct together *t, uint64_t from, uint32_t state, uint32_t with) {
    uint64_t to = pair_of(t, state, with);
    numbers_add(&t->from, from);
    numbers_add(&t->to, to);
}

/* The LTS alone (tau, or a label that the test does not know), or both. The test has no moves of its own but
 * success. */
static void explore(struct together *t) {
    for (uint64_t i = 0; i < t->count; i++) {
        uint32_t state = t->pair[i].state, with = t->pair[i].with;
        for (const struct lts_edge *e = lts_begin(t->l, state); e < lts_end(t->l, state); e++) {
            uint32_t label = e->label == LTS_TAU ? NAMES_NONE : t->label[e->label];
            if (label == NAMES_NONE) {
                add_edge(t, i, e->target, with);
                continue;
            }
            for (const struct lts_edge *f = lts_begin(t->test, with); f < lts_end(t->test, with); f++)
                if (f->label == label) add_edge(t, i, e->target, f->target);
        }
    }
}

static bool succeeds(const struct together *t, uint64_t i) {
    for (const struct lts_edge *f = lts_begin(t->test, t->pair[i].with); f < lts_end(t->test, t->pair[i].with); f++)
        if (f->label == t->success) return true;
    return false;
}

/* How many pairs can still come to success. */
static uint64_t count_hopeful(const struct together *t) {
    uint64_t *first = memory_get_zeroed((t->count + 2) * sizeof *first), hopeful = 0;
    uint64_t *before = memory_get((t->from.count + 1) * sizeof *before), *stack = memory_get(t->count * sizeof *stack);
    bool *hope = memory_get_zeroed(t->count * sizeof *hope);
    for (uint64_t i = 0; i < t->to.count; i++) first[t->to.at[i] + 2]++;
    for (uint64_t i = 0; i < t->count; i++) first[i + 2] += first[i + 1];
    for (uint64_t i = 0; i < t->to.count; i++) before[first[t->to.at[i] + 1]++] = t->from.at[i];
    for (uint64_t i = 0; i < t->count; i++)
        if (succeeds(t, i)) hope[i] = true, stack[hopeful++] = i;
    uint64_t depth = hopeful;
    while (depth > 0) {
        uint64_t i = stack[--depth];
        for (uint64_t k = first[i]; k < first[i + 1]; k++)
            if (!hope[before[k]]) {
                hope[before[k]] = true;
                stack[depth++] = before[k];
                hopeful++;
            }
    }
    free(first);
    free(before);
    free(stack);
    free(hope);
    return hopeful;
}

bool confirm_fails_test(const struct lts *l, uint32_t root, const struct lts *test, const char *success) {
    struct together t = {.l = l, .test = test, .mask = 1023, .success = names_find(&test->labels, success)};
    t.table = memory_get_zeroed((t.mask + 1) * sizeof *t.table);
    t.label = memory_get(l->labels.count * sizeof *t.label);
    for (uint32_t i = 0; i < l->labels.count; i++) t.label[i] = names_find(&test->labels, l->labels.text[i]);
    pair_of(&t, root, test->initial);
    explore(&t);
    bool fails = count_hopeful(&t) < t.count;
    free(t.pair);
    free(t.table);
    free(t.label);
    numbers_fini(&t.from);
    numbers_fini(&t.to);
    return fails;
}
