#include "compare/distinguish.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An element of a signature, and a state of its part that is reached. */
struct element {
    uint64_t what;
    uint32_t state;
};

struct signature {
    struct element *element;
    uint32_t count, room;
};

struct author {
    struct division *d;
    const struct distinguish_by *by;
    struct formula *f;
    /* Formulas that have been made: true of all states of part x, false of all of y, as they were after a round. */
    struct known {
        uint32_t x, y, formula;
    } * known;
    uint32_t count, mask; /* open addressing; x == y: free */
    /* The elements of the signature that is being made: places in it, + 1; 0: free. */
    uint32_t *place, places; /* places: less 1 */
    /* A search through tau edges: which states it has found. */
    uint32_t *stamp, now;
    uint32_t *found, found_count;
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

/* ---- Signatures ---- */

static uint32_t *place_in(const struct author *a, const struct signature *sig, uint64_t what) {
    uint64_t h = what * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i = (uint32_t)(h ^ h >> 32) & a->places;
    while (a->place[i] && sig->element[a->place[i] - 1].what != what) i = (i + 1) & a->places;
    return &a->place[i];
}

static void make_places(struct author *a, const struct signature *sig) {
    free(a->place);
    a->places = 2 * a->places + 1;
    a->place = memory_get_zeroed((a->places + UINT64_C(1)) * sizeof *a->place);
    for (uint32_t i = 0; i < sig->count; i++) *place_in(a, sig, sig->element[i].what) = i + 1;
}

/* An element, once; of states that are reached, the least. */
static void put_element(struct author *a, struct signature *sig, uint64_t what, uint32_t state) {
    uint32_t *place = place_in(a, sig, what);
    a->d->work++;
    if (*place) {
        struct element *e = &sig->element[*place - 1];
        if (state < e->state) e->state = state;
        return;
    }
    MAKE_ROOM(sig->element, sig->count, sig->room);
    sig->element[sig->count++] = (struct element){what, state};
    *place = sig->count;
    if (sig->count > a->places / 2) make_places(a, sig);
}

static void put(struct author *a, struct signature *sig, uint32_t label, uint32_t round, uint32_t state) {
    put_element(a, sig, (uint64_t)label << 32 | division_part_after(a->d, state, round), state);
}

static int by_number(const void *x, const void *y) {
    const struct element *a = x, *b = y;
    return a->what < b->what ? -1 : a->what > b->what;
}

static void finish(struct author *a, struct signature *sig) {
    a->d->work += sig->count + 1;
    if (sig->count < a->places / 16)
        for (uint32_t i = sig->count; i-- > 0;) *place_in(a, sig, sig->element[i].what) = 0;
    else memset(a->place, 0, (a->places + UINT64_C(1)) * sizeof *a->place);
    if (sig->count > 1) qsort(sig->element, sig->count, sizeof *sig->element, by_number);
}

static void search_begin(struct author *a) {
    a->now++;
    a->found_count = 0;
}

static void search_add(struct author *a, uint32_t s) {
    if (a->stamp[s] == a->now) return;
    a->stamp[s] = a->now;
    a->found[a->found_count++] = s;
}

static void sign_branching(struct author *a, uint32_t s, uint32_t round, struct signature *sig) {
    const struct lts *l = a->d->l;
    uint32_t part = division_part_after(a->d, s, round);
    search_begin(a);
    search_add(a, s);
    for (uint32_t i = 0; i < a->found_count && !division_over(a->d); i++) {
        uint32_t x = a->found[i];
        a->d->work++;
        if (a->d->divergent && a->d->divergent[x]) put_element(a, sig, DIVISION_LOOP, x);
        for (const struct lts_edge *e = lts_begin(l, x); e < lts_end(l, x); e++)
            if (e->label == LTS_TAU && division_part_after(a->d, e->target, round) == part) search_add(a, e->target);
            else put(a, sig, e->label, round, e->target);
    }
}

/* Adds what tau edges lead to. */
static void close_under_tau(struct author *a) {
    const struct lts *l = a->d->l;
    for (uint32_t i = 0; i < a->found_count && !division_over(a->d); i++) {
        a->d->work++;
        for (const struct lts_edge *e = lts_begin(l, a->found[i]); e < lts_end(l, a->found[i]); e++)
            if (e->label == LTS_TAU) search_add(a, e->target);
    }
}

static int by_label(const void *x, const void *y) {
    const struct lts_edge *a = x, *b = y;
    return a->label < b->label ? -1 : a->label > b->label;
}

static void sign_weak(struct author *a, uint32_t s, uint32_t round, struct signature *sig) {
    const struct lts *l = a->d->l;
    struct lts_edge *edge = NULL;
    uint32_t count = 0, room = 0;
    search_begin(a);
    search_add(a, s);
    close_under_tau(a);
    for (uint32_t i = 0; i < a->found_count; i++) {
        put(a, sig, LTS_TAU, round, a->found[i]);
        for (const struct lts_edge *e = lts_begin(l, a->found[i]); e < lts_end(l, a->found[i]); e++) {
            if (e->label == LTS_TAU) continue;
            MAKE_ROOM(edge, count, room);
            edge[count++] = *e;
        }
    }
    if (count > 1) qsort(edge, count, sizeof *edge, by_label);
    for (uint32_t i = 0; i < count;) {
        uint32_t label = edge[i].label;
        search_begin(a);
        for (; i < count && edge[i].label == label; i++) search_add(a, edge[i].target);
        close_under_tau(a);
        for (uint32_t k = 0; k < a->found_count; k++) put(a, sig, label, round, a->found[k]);
    }
    free(edge);
}

/* That of the state after a round. */
static void sign(struct author *a, uint32_t s, uint32_t round, struct signature *sig) {
    const struct lts *l = a->d->l;
    *sig = (struct signature){0};
    if (a->d->relation == RELATION_WEAK) sign_weak(a, s, round, sig);
    else if (a->d->relation != RELATION_STRONG) sign_branching(a, s, round, sig);
    else
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            put(a, sig, e->label, round, e->target);
    finish(a, sig);
}

/* ---- Formulas ---- */

static bool has_element(const struct signature *sig, uint64_t what) {
    uint32_t low = 0, high = sig->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sig->element[middle].what < what) low = middle + 1;
        else high = middle;
    }
    return low < sig->count && sig->element[low].what == what;
}

/* Where the elements with a label begin, and how many there are. */
static uint32_t with_label(const struct signature *sig, uint32_t label, uint32_t *count) {
    uint32_t low = 0, high = sig->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (element_label(sig->element[middle].what) < label) low = middle + 1;
        else high = middle;
    }
    for (*count = 0; low + *count < sig->count && element_label(sig->element[low + *count].what) == label;) ++*count;
    return low;
}

/* True of part x and false of part y, of which these states are. */
static uint32_t tell_apart(struct author *a, uint32_t x, uint32_t y);

/* True of the state, false of all parts that the signature has with this label. */
static uint32_t unlike_all(struct author *a, uint32_t state, const struct signature *sig, uint32_t label) {
    uint32_t count, first = with_label(sig, label, &count), *part = memory_get((count + UINT64_C(1)) * sizeof *part);
    for (uint32_t i = 0; i < count; i++)
        part[i] = division_over(a->d) ? FORMULA_TRUE : tell_apart(a, state, sig->element[first + i].state);
    uint32_t f = formula_and_all(a->f, part, count);
    free(part);
    return f;
}

static uint32_t say_strong(struct author *a, uint32_t label, uint32_t there) {
    uint32_t step = formula_step(a->f, label, there);
    return a->by->after_tau ? formula_weak_step(a->f, LTS_TAU, step) : step;
}

/* Who goes on for ever where it can always get to where `there` is true, does so in some state from which it gets
 * there.
 */
static uint32_t say_weak(struct author *a, uint32_t label, uint32_t there) {
    if (a->by->loop == LTS_TAU || label != a->by->loop) return formula_weak_step(a->f, label, there);
    return formula_loop(a->f, formula_weak_step(a->f, LTS_TAU, there));
}

/* The element is in the signature of x and not in that of y. All states of the part of x have what the element says. A
 * state of y that keeps to the part that both were in has not; if it leaves it, then into a part that its signature has
 * with tau, and what is said of the way there is not true of that. */
static uint32_t say(struct author *a, uint32_t x, const struct signature *y, const struct element *element) {
    uint32_t label = element_label(element->what), target = element->state;
    if (a->d->relation == RELATION_STRONG) return say_strong(a, label, unlike_all(a, target, y, label));
    if (a->d->relation == RELATION_WEAK) return say_weak(a, label, unlike_all(a, target, y, label));
    uint32_t on_the_way = unlike_all(a, x, y, LTS_TAU);
    if (element->what == DIVISION_LOOP) return formula_loop(a->f, on_the_way);
    uint32_t there = unlike_all(a, target, y, label);
    if (label == LTS_TAU) there = formula_and(a->f, there, tell_apart(a, target, x));
    return formula_until(a->f, on_the_way, label, there);
}

/* The element that x has and y has not for which the fewest parts must be told apart, or NULL. */
static const struct element *find_element(const struct signature *x, const struct signature *y) {
    const struct element *best = NULL;
    uint32_t least = UINT32_MAX, count;
    for (uint32_t i = 0; i < x->count; i++) {
        if (has_element(y, x->element[i].what)) continue;
        with_label(y, element_label(x->element[i].what), &count);
        if (count >= least) continue;
        least = count;
        best = &x->element[i];
    }
    return best;
}

static uint32_t tell_by_signatures(struct author *a, uint32_t x, uint32_t y, uint32_t round) {
    struct signature of_x, of_y;
    uint32_t f = FORMULA_TRUE;
    sign(a, x, round, &of_x);
    sign(a, y, round, &of_y);
    const struct element *of_one = find_element(&of_x, &of_y);
    const struct element *of_other = of_one ? NULL : find_element(&of_y, &of_x);
    if (of_one) f = say(a, x, &of_y, of_one);
    else if (of_other) f = formula_not(a->f, say(a, y, &of_x, of_other));
    free(of_x.element);
    free(of_y.element);
    return f;
}

static uint32_t tell_apart(struct author *a, uint32_t x, uint32_t y) {
    uint32_t round = division_apart(a->d, x, y);
    if (round == 0) return FORMULA_TRUE; /* a coarse division, or special states: not in joint LTSs */
    uint32_t p = division_part_after(a->d, x, round), q = division_part_after(a->d, y, round);
    assert(p != q); /* which marks a free place in the table */
    const struct known *known = &a->known[place_of(a, p, q)];
    if (known->x != known->y) return known->formula;
    uint32_t f = tell_by_signatures(a, x, y, round - 1);
    remember(a, p, q, f);
    return f;
}

bool distinguish(struct division *d, const struct distinguish_by *by, uint32_t yes, uint32_t no, struct formula *f) {
    struct author a = {.d = d, .by = by, .f = f, .mask = 63, .places = 63};
    a.place = memory_get_zeroed((a.places + UINT64_C(1)) * sizeof *a.place);
    a.known = memory_get_zeroed((a.mask + UINT64_C(1)) * sizeof *a.known);
    a.stamp = memory_get_large_zeroed(d->l->states * sizeof *a.stamp);
    a.found = memory_get_large(d->l->states * sizeof *a.found);
    f->root = tell_apart(&a, yes, no);
    free(a.known);
    free(a.place);
    free(a.stamp);
    free(a.found);
    return !division_over(d);
}
