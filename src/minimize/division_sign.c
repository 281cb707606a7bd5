/* Signatures by strong and branching: sorted hashes of their elements, each once. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "minimize/division.h"

enum { SORT_BY_HAND = 24 };
enum { MOST_KEPT = 48 }; /* by branching: the least of a union can be found in those of its parts */

static uint64_t hash_of(uint32_t label, uint32_t part) { return division_mix((uint64_t)label << 32 | part); }

static int by_number(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* Sorts; how many different ones there are. */
static uint32_t sort(uint64_t *list, uint64_t count) {
    uint32_t kept = 0;
    if (count > SORT_BY_HAND) {
        qsort(list, count, sizeof *list, by_number);
        for (uint64_t i = 0; i < count; i++)
            if (kept == 0 || list[kept - 1] != list[i]) list[kept++] = list[i];
        return kept;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t x = list[i];
        uint32_t at = kept;
        while (at > 0 && list[at - 1] > x) at--;
        if (at > 0 && list[at - 1] == x) continue;
        memmove(list + at + 1, list + at, (kept - at) * sizeof *list);
        list[at] = x;
        kept++;
    }
    return kept;
}

static uint64_t hash_list(const uint64_t *list, uint32_t count) {
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++) h = (h ^ list[i]) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 31);
    return division_mix(h);
}

/* Room in `list` for what the state may have. */
static uint64_t *room_for(struct division *d, uint64_t elements) {
    if (elements > d->list_room) {
        effort_take(d->effort, (2 * elements - d->list_room) * sizeof *d->list);
        d->list_room = 2 * elements;
        d->list = memory_resize(d->list, d->list_room * sizeof *d->list);
    }
    return d->list;
}

static void sign_strong(struct division *d, uint32_t s) {
    const struct lts_edge *e = lts_begin(d->l, s), *end = lts_end(d->l, s);
    uint64_t *list = room_for(d, (uint64_t)(end - e)), count = 0;
    for (; e < end; e++) list[count++] = hash_of(e->label, d->part[e->target]);
    d->hash[s] = hash_list(list, sort(list, count));
}

/* The least of both lists, in `out`. */
static uint32_t merge(struct division *d, const uint64_t *x, uint32_t x_count, const uint64_t *y, uint32_t y_count,
                      uint64_t *out) {
    uint32_t i = 0, k = 0, count = 0;
    while ((i < x_count || k < y_count) && count < MOST_KEPT) {
        uint64_t next = k == y_count || (i < x_count && x[i] <= y[k]) ? x[i] : y[k];
        if (i < x_count && x[i] == next) i++;
        if (k < y_count && y[k] == next) k++;
        out[count++] = next;
    }
    if (i < x_count || k < y_count) d->coarse = true;
    return count;
}

static void keep(struct division *d, struct division_set *set, const uint64_t *list, uint32_t count) {
    if (set->count < count || !set->count) {
        if (d->kept_count + count > d->kept_room) {
            uint64_t room = 2 * (d->kept_count + count) + 1024;
            effort_take(d->effort, (room - d->kept_room) * sizeof *d->kept);
            d->kept = memory_resize(d->kept, room * sizeof *d->kept);
            d->kept_room = room;
        }
        set->at = d->kept_count;
        d->kept_count += count;
    }
    set->count = count;
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
    list[at] = x;
}

static void sign_branching(struct division *d, uint32_t s) {
    const struct lts_edge *first = lts_begin(d->l, s), *end = lts_end(d->l, s), *e;
    uint64_t two[2][MOST_KEPT], *list = two[0], *other = two[1], *was;
    uint32_t count = 0, part = d->part[s];
    if (d->divergent && d->divergent[s]) list[count++] = division_mix(DIVISION_LOOP);
    for (e = first; e < end; e++)
        if (e->label != LTS_TAU || d->part[e->target] != part)
            add_least(d, list, &count, hash_of(e->label, d->part[e->target]));
    for (e = first; e < end && e->label == LTS_TAU; e++) {
        if (d->part[e->target] != part) continue;
        const struct division_set *set = &d->set[e->target];
        d->work += set->count;
        count = merge(d, list, count, d->kept + set->at, set->count, other);
        was = list, list = other, other = was;
    }
    d->hash[s] = hash_list(list, count);
    if (d->set[s].wanted) keep(d, &d->set[s], list, count);
}

static void sign_one(struct division *d, uint32_t s) {
    if (d->parts[d->part[s]].size == 1) return;
    d->work += 1 + d->l->first[s + UINT64_C(1)] - d->l->first[s];
    if (d->relation == RELATION_STRONG) sign_strong(d, s);
    else sign_branching(d, s);
}

void division_sign(struct division *d, const uint32_t *states, uint32_t count) {
    if (!states && d->set) {
        d->kept_count = 0;
        for (uint32_t s = 0; s < d->l->states; s++) d->set[s].count = 0;
        states = d->order;
    }
    for (uint32_t i = 0; i < count && !division_over(d); i++) sign_one(d, states ? states[i] : i);
}
