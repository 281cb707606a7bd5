/* Signatures by strong and branching. The hash of a signature is the sum of the hashes of its elements, each once. By
 * branching, the elements of a state that tau edges lead to are kept, as a sorted list of hashes: whoever gets there by
 * inert edges has them, too, and often no others; then it shares the list. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "minimize/division.h"

enum { FEW = 16 };
enum { MOST_KEPT = 48 }; /* by branching: the least of a union can be found in those of its parts */

static uint64_t hash_of(uint32_t label, uint32_t part) { return division_hash((uint64_t)label << 32 | part); }

uint64_t *division_room(struct division *d, uint64_t elements) {
    if (elements > d->list_room) {
        effort_take(d->effort, (2 * elements - d->list_room) * sizeof *d->list);
        d->list_room = 2 * elements;
        d->list = memory_resize(d->list, d->list_room * sizeof *d->list);
    }
    return d->list;
}

/* ---- Sums ---- */

/* Of edges that have the same label. */
static uint64_t sum_of_label(struct division *d, const struct lts_edge *begin, const struct lts_edge *end) {
    const uint32_t *part = d->part;
    uint64_t sum = 0;
    if (end - begin > FEW) {
        uint64_t *list = division_room(d, (uint64_t)(end - begin)), count = 0;
        for (const struct lts_edge *e = begin; e < end; e++) list[count++] = hash_of(e->label, part[e->target]);
        count = sort_numbers_once(list, count);
        for (uint64_t i = 0; i < count; i++) sum += list[i];
        return sum;
    }
    for (const struct lts_edge *e = begin; e < end; e++) {
        bool again = false;
        for (const struct lts_edge *f = begin; f < e; f++) again |= part[f->target] == part[e->target];
        sum += again ? 0 : hash_of(e->label, part[e->target]);
    }
    return sum;
}

static uint64_t sum_of(struct division *d, uint32_t s) {
    const struct lts_edge *e = lts_begin(d->l, s), *end = lts_end(d->l, s), *begin;
    uint64_t sum = 0;
    for (begin = e; begin < end; begin = e) {
        while (e < end && e->label == begin->label) e++;
        sum += sum_of_label(d, begin, e);
    }
    return sum;
}

static uint64_t sum_of_list(const uint64_t *list, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += list[i];
    return sum;
}

/* ---- Lists ---- */

/* The least of both lists, in `out`. */
static uint32_t merge(struct division *d, const uint64_t *x, uint32_t x_count, const uint64_t *y, uint32_t y_count,
                      uint64_t *out) {
    uint32_t i = 0, k = 0, count = 0;
    while ((i < x_count || k < y_count) && count < MOST_KEPT) {
        uint64_t next = k == y_count || (i < x_count && x[i] <= y[k]) ? x[i] : y[k];
        if (i < x_count && x[i] == next) i++;
        if (k < y_count && y[k] == next) k++;
        assert(count == 0 || out[count - 1] < next); /* both lists are sorted, with each element once */
        out[count++] = next;
    }
    if (i < x_count || k < y_count) d->coarse = true;
    return count;
}

static void keep(struct division *d, struct division_set *set, const uint64_t *list, uint32_t count) {
    if (d->kept_count + count > d->kept_room) {
        uint64_t room = 2 * (d->kept_count + count) + 1024;
        effort_take(d->effort, (room - d->kept_room) * sizeof *d->kept);
        d->kept = memory_resize_large(d->kept, room * sizeof *d->kept);
        d->kept_room = room;
    }
    set->at = d->kept_count;
    set->count = count;
    d->kept_count += count;
    if (count) memcpy(d->kept + set->at, list, count * sizeof *list);
}

/* Adds to a sorted list of those that are kept. */
static void add_least(struct division *d, uint64_t *list, uint32_t *count, uint64_t x) {
    uint32_t at = *count;
    if (at == MOST_KEPT && list[at - 1] < x) {
        d->coarse = true;
        return;
    }
    while (at > 0 && list[at - 1] > x) at--;
    if (at > 0 && list[at - 1] == x) return;
    if (*count == MOST_KEPT) d->coarse = true;
    else ++*count;
    memmove(list + at + 1, list + at, (*count - at - 1) * sizeof *list);
    assert(at == 0 || list[at - 1] < x);
    list[at] = x;
}

/* ---- Branching ---- */

static bool is_inert(const struct division *d, uint32_t part, const struct lts_edge *e) {
    return e->label == LTS_TAU && d->part[e->target] == part;
}

static bool is_divergent(const struct division *d, uint32_t s) { return d->divergent && d->divergent[s]; }

static bool has_element(struct division *d, const struct division_set *set, uint64_t x) {
    const uint64_t *list = d->kept + set->at;
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (list[middle] < x) low = middle + 1;
        else high = middle;
    }
    if (low < set->count) return list[low] == x;
    if (set->count < MOST_KEPT) return false;
    d->coarse = true; /* it would not be kept */
    return true;
}

/* Has the set all elements that the state itself has? */
static bool has_all(struct division *d, const struct division_set *set, uint32_t s) {
    if (is_divergent(d, s) && !has_element(d, set, division_hash(DIVISION_LOOP))) return false;
    for (const struct lts_edge *e = lts_begin(d->l, s), *end = lts_end(d->l, s); e < end; e++)
        if (!is_inert(d, d->part[s], e) && !has_element(d, set, hash_of(e->label, d->part[e->target]))) return false;
    return true;
}

static void sign_by_lists(struct division *d, uint32_t s) {
    const struct lts_edge *first = lts_begin(d->l, s), *end = lts_end(d->l, s), *e;
    uint64_t two[2][MOST_KEPT], *list = two[0], *other = two[1], *was;
    uint64_t hash = 0; /* of the signature added last */
    uint32_t count = 0, part = d->part[s];
    if (is_divergent(d, s)) list[count++] = division_hash(DIVISION_LOOP);
    for (e = first; e < end; e++)
        if (!is_inert(d, part, e)) add_least(d, list, &count, hash_of(e->label, d->part[e->target]));
    for (e = first; e < end && e->label == LTS_TAU; e++) {
        if (!is_inert(d, part, e) || d->hash[e->target] == hash) continue;
        const struct division_set *set = &d->set[e->target];
        hash = d->hash[e->target];
        d->work += set->count;
        count = merge(d, list, count, d->kept + set->at, set->count, other);
        was = list, list = other, other = was;
    }
    d->hash[s] = sum_of_list(list, count);
    if (d->set[s].wanted) keep(d, &d->set[s], list, count);
}

static void sign_branching(struct division *d, uint32_t s) {
    const struct lts_edge *begin = lts_begin(d->l, s), *end = lts_end(d->l, s), *e;
    uint32_t part = d->part[s], one = DIVISION_NONE; /* of those that inert edges lead to */
    bool alike = true;
    for (e = begin; e < end && e->label == LTS_TAU; e++) {
        if (d->part[e->target] != part) continue;
        assert(e->target < s); /* what an inert edge leads to was signed before */
        if (one == DIVISION_NONE) one = e->target;
        else alike &= d->hash[e->target] == d->hash[one];
    }
    if (one != DIVISION_NONE && alike && has_all(d, &d->set[one], s)) {
        d->set[s].at = d->set[one].at;
        d->set[s].count = d->set[one].count;
        d->hash[s] = d->hash[one];
    } else if (one == DIVISION_NONE && !d->set[s].wanted && !is_divergent(d, s) && end - begin <= MOST_KEPT) {
        d->hash[s] = sum_of(d, s);
    } else {
        sign_by_lists(d, s);
    }
}

/* ---- All of it ---- */

void division_sign(struct division *d, const uint32_t *states, uint32_t count) {
    for (uint32_t i = 0; i < count && !division_over(d); i++) {
        uint32_t s = states[i];
        d->work += 1 + d->l->first[s + UINT64_C(1)] - d->l->first[s];
        if (d->relation == RELATION_STRONG) d->hash[s] = sum_of(d, s);
        else sign_branching(d, s);
    }
}
