#include "lts/distinguish.h"

#include <stdlib.h>

#include "base/memory.h"
#include "lts/division.h"

/* A formula that is deeper than this helps nobody; and so many edges are looked at, at most. */
enum { MOST_ROUNDS = 1000 };
static const double most_work = 2e9;

struct author {
    const struct division *d;
    struct formula *f;
    /* Formulas that have been made: true of all states of part x, false of all of y. */
    struct known {
        uint32_t x, y, formula;
    } * known;
    uint32_t count, mask; /* open addressing; x == y: free */
};

/* ---- What has been made before ---- */

static uint32_t place_of(const struct author *a, uint32_t x, uint32_t y) {
    uint64_t h = ((uint64_t)x << 32 | y) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t place = (uint32_t)(h >> 32) & a->mask;
    while (a->known[place].x != a->known[place].y && (a->known[place].x != x || a->known[place].y != y))
        place = (place + 1) & a->mask;
    return place;
}

static void remember(struct author *a, uint32_t x, uint32_t y, uint32_t formula) {
    if (a->count >= a->mask / 2) {
        struct known *old = a->known;
        uint32_t old_mask = a->mask;
        a->mask = 2 * a->mask + 1;
        a->known = memory_get_zeroed((a->mask + UINT64_C(1)) * sizeof *a->known);
        for (uint32_t i = 0; i <= old_mask; i++)
            if (old[i].x != old[i].y) a->known[place_of(a, old[i].x, old[i].y)] = old[i];
        free(old);
    }
    a->known[place_of(a, x, y)] = (struct known){x, y, formula};
    a->count++;
}

/* ---- Formulas ---- */

static bool has_element(const struct division *d, uint32_t part, uint64_t element) {
    const struct part *p = &d->parts[part];
    for (uint64_t i = p->signature; i < p->signature + p->count; i++)
        if (d->element[i] == element) return true;
    return false;
}

/* True of part x and false of part y, neither of which is a part of the other. */
static uint32_t tell_apart(struct author *a, uint32_t x, uint32_t y);

/* True of `part`, false of all parts that the signature of y has with this label. */
static uint32_t unlike_all(struct author *a, uint32_t part, uint32_t y, uint32_t label) {
    const struct part *p = &a->d->parts[y];
    uint32_t f = FORMULA_TRUE;
    for (uint64_t i = p->signature; i < p->signature + p->count; i++)
        if (element_label(a->d->element[i]) == label)
            f = formula_and(a->f, f, tell_apart(a, part, element_part(a->d->element[i])));
    return f;
}

/* The element is in the signature of x and not in that of y; both were made of the same part, `whole`. All states of x
 * have what the element says. A state of y that keeps to `whole` has not; if it leaves it, then into a part that its
 * signature has with tau, and what is said of the way there is not true of that. */
static uint32_t say(struct author *a, uint32_t x, uint32_t y, uint64_t element) {
    uint32_t label = element_label(element), whole = a->d->parts[x].parent, target = element_part(element);
    if (a->d->relation == RELATION_STRONG) return formula_step(a->f, label, unlike_all(a, target, y, label));
    if (a->d->relation == RELATION_WEAK) return formula_weak_step(a->f, label, unlike_all(a, target, y, label));
    uint32_t on_the_way = unlike_all(a, whole, y, LTS_TAU);
    if (element == DIVISION_LOOP) return formula_loop(a->f, on_the_way);
    uint32_t there = unlike_all(a, target, y, label);
    if (label == LTS_TAU) there = formula_and(a->f, there, tell_apart(a, target, whole));
    return formula_until(a->f, on_the_way, label, there);
}

/* How many parts must be told apart for an element, about. */
static uint32_t cost_of(const struct division *d, uint32_t y, uint64_t element) {
    const struct part *p = &d->parts[y];
    uint32_t cost = 0;
    for (uint64_t i = p->signature; i < p->signature + p->count; i++)
        cost += element_label(d->element[i]) == element_label(element);
    return cost;
}

/* The cheapest element that x has and y has not. */
static bool find_element(const struct division *d, uint32_t x, uint32_t y, uint64_t *element) {
    const struct part *p = &d->parts[x];
    uint32_t best = UINT32_MAX;
    for (uint64_t i = p->signature; i < p->signature + p->count; i++) {
        if (has_element(d, y, d->element[i])) continue;
        uint32_t cost = cost_of(d, y, d->element[i]);
        if (cost >= best) continue;
        best = cost;
        *element = d->element[i];
    }
    return best != UINT32_MAX;
}

/* Up to the two that have the same parent. */
static void climb(const struct division *d, uint32_t *x, uint32_t *y) {
    while (d->parts[*x].depth > d->parts[*y].depth) *x = d->parts[*x].parent;
    while (d->parts[*y].depth > d->parts[*x].depth) *y = d->parts[*y].parent;
    while (d->parts[*x].parent != d->parts[*y].parent) {
        *x = d->parts[*x].parent;
        *y = d->parts[*y].parent;
    }
}

static uint32_t tell_apart(struct author *a, uint32_t x, uint32_t y) {
    uint64_t element;
    climb(a->d, &x, &y);
    const struct known *known = &a->known[place_of(a, x, y)];
    if (known->x != known->y) return known->formula;
    uint32_t f;
    if (find_element(a->d, x, y, &element)) f = say(a, x, y, element);
    else f = find_element(a->d, y, x, &element) ? formula_not(a->f, say(a, y, x, element)) : FORMULA_TRUE;
    remember(a, x, y, f);
    return f;
}

static bool divide(struct division *d) {
    const struct joint *j = d->j;
    double work = 0;
    while (d->part[j->root[0]] == d->part[j->root[1]]) {
        work += (double)j->lts.edges + j->lts.states;
        if (d->rounds == MOST_ROUNDS || work > most_work || effort_over(d->effort)) return false;
        if (!division_refine(d)) return false;
    }
    return true;
}

bool distinguish(const struct joint *j, enum lts_relation relation, struct effort *effort, struct formula *f) {
    struct division d;
    division_init(&d, j, relation, effort);
    bool apart = divide(&d);
    if (apart) {
        struct author a = {.d = &d, .f = f, .mask = 63};
        a.known = memory_get_zeroed((a.mask + UINT64_C(1)) * sizeof *a.known);
        f->root = tell_apart(&a, d.part[j->root[0]], d.part[j->root[1]]);
        free(a.known);
    }
    division_fini(&d);
    return apart;
}
