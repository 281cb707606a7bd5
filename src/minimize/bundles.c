#include "minimize/bundles.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NONE = UINT32_MAX };

/* The edges of a state are sorted by label, but not by kind of target. What `bundle_of_kind` says counts if it is of
 * the state and label at hand. */
static void fill(struct arrows *a, const struct lts *l, const uint32_t *kind, uint32_t kinds, const uint8_t *alone,
                 uint32_t least) {
    uint32_t *bundle_of_kind = memory_get_large(kinds * sizeof *bundle_of_kind);
    memset(bundle_of_kind, 0xff, kinds * sizeof *bundle_of_kind);
    for (uint32_t s = 0; s < l->states; s++) {
        uint32_t label = NONE, first = 0;
        if (alone[s]) continue;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            if (e->label < least) continue;
            if (e->label != label) first = a->bundles;
            label = e->label;
            uint32_t *bundle = &bundle_of_kind[kind[e->target]];
            if (*bundle == NONE || *bundle < first) *bundle = a->bundles++;
            a->count[*bundle]++;
            a->arrow[a->first[e->target + 1]++] = (struct arrow){s, label, *bundle};
        }
    }
    free(bundle_of_kind);
}

/* How many there are; a->first[s + 2] is the number of those into s. */
static uint64_t count_arrows(struct arrows *a, const struct lts *l, const uint8_t *alone, uint32_t least) {
    uint64_t count = 0;
    for (uint32_t s = 0; s < l->states; s++) {
        if (alone[s]) continue;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (e->label >= least) {
                a->first[e->target + UINT64_C(2)]++;
                count++;
            }
    }
    return count;
}

void arrows_init(struct arrows *a, const struct lts *l, const uint32_t *kind, uint32_t kinds, const uint8_t *alone,
                 uint32_t least, uint32_t more) {
    *a = (struct arrows){0};
    a->first = memory_get_large_zeroed((l->states + UINT64_C(2)) * sizeof *a->first);
    uint64_t count = count_arrows(a, l, alone, least);
    for (uint32_t s = 0; s < l->states; s++) a->first[s + 2] += a->first[s + 1];
    a->arrow = memory_get_large(count * sizeof *a->arrow);
    a->count = memory_get_large_zeroed((l->edges + more) * sizeof *a->count);
    a->labels = memory_get((l->labels.count + UINT64_C(1)) * sizeof *a->labels);
    a->begins = memory_get((l->labels.count + UINT64_C(1)) * sizeof *a->begins);
    a->at = memory_get_zeroed(l->labels.count * sizeof *a->at);
    fill(a, l, kind, kinds, alone, least);
    assert(a->first[l->states] == count && a->bundles <= count); /* never more bundles than edges */
}

void arrows_fini(struct arrows *a) {
    free(a->first);
    free(a->arrow);
    free(a->count);
    free(a->gathered);
    free(a->labels);
    free(a->begins);
    free(a->at);
    *a = (struct arrows){0};
}

/* How many arrows of which labels there are. */
static uint32_t count_labels(struct arrows *a, const uint32_t *states, uint32_t n) {
    uint32_t total = 0;
    a->label_count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = states[i];
        total += a->first[s + 1] - a->first[s];
        for (uint32_t j = a->first[s]; j < a->first[s + 1]; j++)
            if (a->at[a->arrow[j].label]++ == 0) a->labels[a->label_count++] = a->arrow[j].label;
    }
    return total;
}

void arrows_gather(struct arrows *a, const uint32_t *states, uint32_t n) {
    uint32_t total = count_labels(a, states, n), begin = 0;
    if (total > a->room) {
        free(a->gathered);
        a->gathered = memory_get_large((a->room = total) * sizeof *a->gathered);
    }
    for (uint32_t i = 0; i < a->label_count; i++) {
        uint32_t *at = &a->at[a->labels[i]], size = *at;
        *at = a->begins[i] = begin;
        begin += size;
    }
    assert(begin == total);
    a->begins[a->label_count] = begin;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = a->first[states[i]]; j < a->first[states[i] + 1]; j++)
            a->gathered[a->at[a->arrow[j].label]++] = j;
    for (uint32_t i = 0; i < a->label_count; i++) a->at[a->labels[i]] = 0;
}
