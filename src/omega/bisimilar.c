/* Strong bisimulation: classes are split by what the edges of their states lead to, until nothing changes. Small
 * automata: each round sorts all states. */
#include <assert.h>
#include <stdlib.h>

#include "omega/trim.h"
#include "base/memory.h"

struct move {
    uint64_t label;
    uint32_t class;
};

/* One round: the moves of state s are at first[s]. */
struct round {
    const uint32_t *first;
    const uint32_t *count; /* distinct moves of each state */
    const struct move *move;
    const uint32_t *class;
};

static int by_move(const void *x, const void *y) {
    const struct move *a = x, *b = y;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    return a->class < b->class ? -1 : a->class > b->class;
}

static int by_behaviour(const void *x, const void *y, void *context) {
    uint32_t s = *(const uint32_t *)x, t = *(const uint32_t *)y;
    const struct round *r = context;
    if (r->class[s] != r->class[t]) return r->class[s] < r->class[t] ? -1 : 1;
    if (r->count[s] != r->count[t]) return r->count[s] < r->count[t] ? -1 : 1;
    for (uint32_t i = 0; i < r->count[s]; i++) {
        int c = by_move(&r->move[r->first[s] + i], &r->move[r->first[t] + i]);
        if (c) return c;
    }
    return 0;
}

/* Sorts the moves of each state and drops doubles. */
static void sort_moves(uint32_t states, const uint32_t *first, struct move *move, uint32_t *count) {
    for (uint32_t s = 0; s < states; s++) {
        struct move *m = move + first[s];
        uint32_t n = first[s + 1] - first[s];
        if (n) qsort(m, n, sizeof *m, by_move);
        count[s] = 0;
        for (uint32_t i = 0; i < n; i++)
            if (i == 0 || by_move(&m[i], &m[count[s] - 1]) != 0) m[count[s]++] = m[i];
    }
}

/* Refines the classes until they are stable; says how many there are. `class` begins with any colouring. */
static uint32_t refine(uint32_t states, const uint32_t *first, const uint64_t *label, const uint32_t *target,
                       uint32_t *class) {
    uint32_t classes = 0, *order = memory_get((states + 1) * sizeof *order);
    uint32_t *count = memory_get((states + 1) * sizeof *count), *next = memory_get((states + 1) * sizeof *next);
    struct move *move = memory_get((first[states] + 1) * sizeof *move);
    struct round r = {first, count, move, class};
    for (;;) {
        uint32_t before = classes;
        for (uint32_t i = 0; i < first[states]; i++) move[i] = (struct move){label[i], class[target[i]]};
        sort_moves(states, first, move, count);
        for (uint32_t s = 0; s < states; s++) order[s] = s;
        if (states) qsort_r(order, states, sizeof *order, by_behaviour, &r);
        classes = 0;
        for (uint32_t i = 0; i < states; i++)
            next[order[i]] = i > 0 && by_behaviour(&order[i - 1], &order[i], &r) == 0 ? classes - 1 : classes++;
        for (uint32_t s = 0; s < states; s++) class[s] = next[s];
        assert(classes >= before); /* classes are only divided */
        if (classes == before) break;
    }
    free(order);
    free(count);
    free(next);
    free(move);
    return classes;
}

/* Numbers the classes in the order of their first members; of each class, that member. */
static uint32_t *representatives(uint32_t states, uint32_t classes, uint32_t *class) {
    uint32_t *number = memory_get((classes + 1) * sizeof *number), found = 0;
    uint32_t *member = memory_get((classes + 1) * sizeof *member);
    for (uint32_t i = 0; i < classes; i++) number[i] = UINT32_MAX;
    for (uint32_t s = 0; s < states; s++) {
        if (number[class[s]] == UINT32_MAX) {
            member[found] = s;
            number[class[s]] = found++;
        }
        class[s] = number[class[s]];
    }
    assert(found == classes);
    free(number);
    return member;
}

/* What states of one class have in common from the beginning: acceptance, and valuation (if there are any). */
struct colour {
    uint64_t value;
    uint32_t state;
    uint8_t accept;
};

static int by_colour(const void *x, const void *y) {
    const struct colour *a = x, *b = y;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return a->accept < b->accept ? -1 : a->accept > b->accept;
}

static uint32_t *colours(uint32_t states, const uint8_t *accept, const uint64_t *value) {
    uint32_t *class = memory_get((states + 1) * sizeof *class), classes = 0;
    struct colour *colour = memory_get((states + 1) * sizeof *colour);
    for (uint32_t s = 0; s < states; s++) colour[s] = (struct colour){value ? value[s] : 0, s, accept[s]};
    if (states) qsort(colour, states, sizeof *colour, by_colour);
    for (uint32_t i = 0; i < states; i++) {
        if (i > 0 && by_colour(&colour[i - 1], &colour[i]) != 0) classes++;
        class[colour[i].state] = classes;
    }
    free(colour);
    return class;
}

void sba_minimise(const struct sba *a, struct sba *out) {
    uint64_t *label = memory_get_zeroed((a->edges + 1) * sizeof *label);
    uint32_t *class = colours(a->states, a->accept, a->value);
    uint32_t classes = refine(a->states, a->first, label, a->target, class);
    uint32_t *member = representatives(a->states, classes, class);
    struct ta_builder b;
    ta_build(&b, &a->propositions);
    for (uint32_t i = 0; i < classes; i++) ta_build_state(&b, a->value[member[i]], a->accept[member[i]]);
    for (uint32_t i = 0; i < a->initials; i++) ta_build_initial(&b, class[a->initial[i]], 0);
    for (uint32_t i = 0; i < classes; i++)
        for (uint32_t e = a->first[member[i]]; e < a->first[member[i] + 1]; e++)
            ta_build_edge(&b, i, 0, class[a->target[e]]);
    sba_build_finish(&b, out);
    free(label);
    free(class);
    free(member);
}

void ta_minimise(const struct ta *a, struct ta *out) {
    uint64_t *label = memory_get((a->edges + 1) * sizeof *label);
    uint32_t *target = memory_get((a->edges + 1) * sizeof *target);
    for (uint32_t i = 0; i < a->edges; i++) {
        label[i] = a->edge[i].change;
        target[i] = a->edge[i].target;
    }
    uint32_t *class = colours(a->states, a->accept, NULL);
    uint32_t classes = refine(a->states, a->first, label, target, class);
    uint32_t *member = representatives(a->states, classes, class);
    struct ta_builder b;
    ta_build(&b, &a->propositions);
    for (uint32_t i = 0; i < classes; i++) ta_build_state(&b, 0, a->accept[member[i]]);
    for (uint32_t i = 0; i < a->initials; i++) ta_build_initial(&b, class[a->initial[i].state], a -> initial[i].value);
    for (uint32_t i = 0; i < classes; i++)
        for (const struct ta_edge *e = ta_begin(a, member[i]); e < ta_end(a, member[i]); e++)
            ta_build_edge(&b, i, e->change, class[e->target]);
    ta_build_finish(&b, out);
    free(label);
    free(target);
    free(class);
    free(member);
}
