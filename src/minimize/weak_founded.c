/* States that can not go on for ever, whatever they do. What such a state is equivalent to depends only on what comes
 * after it. So their classes are found one by one, each after those of its successors, and need no rounds.
 *
 * Let s be such a state, N the set of classes that it gets to by tau tau*, and L what it gets to by tau* a tau*. It is
 * in class C if and only if C has the same L, and gets to N and C by tau*. Let y be the first state of C that was met,
 * and N(y) its N. C is not in N(y), so either N = N(y), if C is not in N, or N is N(y) and C together. Both are entered
 * in a table when C is made, and at most one class is found there: if C and D were both right for s, then whichever was
 * made last would have been found equivalent to the other one.
 *
 * States that can go on for ever are never equivalent to those that can not: there are no tau-cycles. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/weak.h"

enum { NONE = UINT32_MAX };

struct founded {
    struct weak *g;
    uint32_t *state, count; /* the states in question, successors first */
    uint32_t *class_of;     /* of a state */
    uint32_t classes;
    uint32_t *first; /* of a class: its first state */
    uint32_t *later; /* of a class: what that one gets to by tau tau* */
    uint32_t *table, mask;
};

/* ---- The states in question ---- */

static void find_states(struct founded *f) {
    const struct weak *g = f->g;
    const struct lts *l = g->lts;
    uint32_t *left = memory_get(l->states * sizeof *left);
    for (uint32_t s = 0; s < l->states; s++) {
        left[s] = (uint32_t)(l->first[s + 1] - l->first[s]);
        if (left[s] == 0) f->state[f->count++] = s;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t s = f->state[i];
        for (uint32_t j = g->tau_first[s]; j < g->tau_first[s + 1]; j++)
            if (--left[g->tau_source[j]] == 0) f->state[f->count++] = g->tau_source[j];
        for (uint32_t j = g->visible_first[s]; j < g->visible_first[s + 1]; j++)
            if (--left[g->visible[j].source] == 0) f->state[f->count++] = g->visible[j].source;
    }
    free(left);
}

/* ---- The table: open addressing, 2 * class + 1 for its first way to be found, one more for the second ---- */

static uint32_t hash_of(uint32_t tau, uint32_t label) {
    uint64_t h = ((uint64_t)tau << 32 | label) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

/* Where a class with these sets is in the table, or would be. */
static uint32_t place_of(const struct founded *f, uint32_t tau, uint32_t label) {
    const struct weak *g = f->g;
    uint32_t at = hash_of(tau, label) & f->mask;
    for (; f->table[at]; at = (at + 1) & f->mask) {
        uint32_t c = (f->table[at] - 1) / 2, y = f->first[c];
        uint32_t of_class = f->table[at] % 2 ? f->later[c] : g->by_tau[y];
        if (of_class == tau && g->by_label[y] == label) break;
    }
    return at;
}

static void enter(struct founded *f, uint32_t c) {
    const struct weak *g = f->g;
    uint32_t y = f->first[c];
    assert(!f->table[place_of(f, f->later[c], g->by_label[y])]); /* each entry is of one class, as is said above */
    f->table[place_of(f, f->later[c], g->by_label[y])] = 2 * c + 1;
    assert(!f->table[place_of(f, g->by_tau[y], g->by_label[y])]);
    f->table[place_of(f, g->by_tau[y], g->by_label[y])] = 2 * c + 2;
}

static void grow_table(struct founded *f) {
    free(f->table);
    f->mask = 2 * f->mask + 1;
    f->table = memory_get_large_zeroed((f->mask + UINT64_C(1)) * sizeof *f->table);
    for (uint32_t c = 0; c < f->classes; c++)
        if (f->first[c] != f->g->lts->end && f->first[c] != f->g->lts->error) enter(f, c);
}

/* ---- Classes ---- */

static void new_class(struct founded *f, uint32_t s, uint32_t later) {
    assert(f->classes < f->count); /* each has a first state */
    f->class_of[s] = f->classes;
    f->first[f->classes] = s;
    f->later[f->classes++] = later;
}

static void sign(struct founded *f, uint32_t s, uint32_t later) {
    struct sets *sets = &f->g->sets;
    f->g->by_tau[s] = sets_union(sets, later, sets_single(sets, f->class_of[s]));
}

static void classify(struct founded *f, uint32_t s) {
    struct weak *g = f->g;
    bool special = s == g->lts->end || s == g->lts->error;
    uint32_t later = weak_later(g, s), known;
    g->by_label[s] = weak_labelled(g, s);
    known = special ? 0 : f->table[place_of(f, later, g->by_label[s])];
    if (known) f->class_of[s] = (known - 1) / 2;
    else new_class(f, s, later);
    sign(f, s, later);
    if (known || special) return;
    enter(f, f->classes - 1);
    if (f->classes > f->mask / 4) grow_table(f);
}

static void make_partition(struct founded *f) {
    struct weak *g = f->g;
    uint32_t blocks = f->classes;
    for (uint32_t s = 0; s < g->lts->states; s++)
        if (f->class_of[s] == NONE) {
            f->class_of[s] = f->classes;
            blocks = f->classes + 1;
        }
    partition_init(&g->p, g->lts->states, f->class_of, blocks);
    for (uint32_t c = 0; c < f->classes; c++) g->sign[c] = weak_sign(g, f->first[c]);
    g->tried = blocks;
}

uint32_t weak_start_partition(struct weak *g) {
    struct founded f = {.g = g, .mask = 1023};
    size_t bytes = g->lts->states * sizeof(uint32_t);
    f.state = memory_get(bytes);
    f.class_of = memset(memory_get(bytes), 0xff, bytes);
    find_states(&f);
    f.first = memory_get(f.count * sizeof *f.first);
    f.later = memory_get(f.count * sizeof *f.later);
    f.table = memory_get_zeroed((f.mask + UINT64_C(1)) * sizeof *f.table);
    for (uint32_t i = 0; i < f.count && !effort_over(g->effort); i++) classify(&f, f.state[i]);
    make_partition(&f);
    free(f.state);
    free(f.class_of);
    free(f.first);
    free(f.later);
    free(f.table);
    return f.classes;
}
