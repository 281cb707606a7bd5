/* Signatures by weak: found by searching, one state after the other. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "minimize/division.h"

static void put(struct division *d, uint64_t **list, uint64_t *count, uint64_t *room, uint64_t element) {
    if (*count == *room) {
        uint64_t more = *room + 1024;
        effort_take(d->effort, more * sizeof **list);
        *list = memory_resize(*list, (*room += more) * sizeof **list);
    }
    (*list)[(*count)++] = element;
}

/* The visible edges of what was found, sorted; how many. */
static uint64_t find_edges(struct division *d) {
    const struct tau_search *q = &d->search;
    uint64_t count = 0;
    for (uint32_t i = 0; i < q->count; i++)
        for (const struct lts_edge *e = lts_begin(d->l, q->found[i]); e < lts_end(d->l, q->found[i]); e++)
            if (e->label != LTS_TAU) put(d, &d->edge, &count, &d->edge_room, (uint64_t)e->label << 32 | e->target);
    d->work += count;
    return sort_numbers_once(d->edge, count);
}

/* Adds the parts of what was found, and what tau edges lead to from there. */
static void put_found(struct division *d, uint64_t label, uint64_t *count) {
    struct tau_search *q = &d->search;
    uint64_t before = q->work;
    q->most_work = d->most_work ? before + d->most_work - d->work : UINT64_MAX;
    tau_search_close(q);
    for (uint32_t i = 0; i < q->count; i++) put(d, &d->list, count, &d->list_room, label << 32 | d->part[q->found[i]]);
    d->work += q->work - before + q->count;
}

uint64_t division_list_weakly(struct division *d, uint32_t s) {
    struct tau_search *q = &d->search;
    uint64_t count = 0;
    if (!q->l) tau_search_init(q, d->l, UINT64_MAX);
    tau_search_begin(q);
    tau_search_add(q, s);
    put_found(d, LTS_TAU, &count);
    uint64_t edges = find_edges(d);
    for (uint64_t i = 0; i < edges && !division_over(d);) {
        uint64_t label = d->edge[i] >> 32;
        tau_search_begin(q);
        for (; i < edges && d->edge[i] >> 32 == label; i++) tau_search_add(q, (uint32_t)d->edge[i]);
        put_found(d, label, &count);
    }
    return sort_numbers_once(d->list, count);
}

void division_sign_weakly(struct division *d, const uint32_t *states, uint32_t count) {
    for (uint32_t i = 0; i < count && !division_over(d); i++) {
        uint64_t elements = division_list_weakly(d, states[i]), sum = 0;
        for (uint64_t k = 0; k < elements; k++) sum += division_hash(d->list[k]);
        d->hash[states[i]] = sum;
    }
}
