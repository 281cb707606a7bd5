/* Is a division by strong or branching stable, so that it is bisimilarity itself? Hashes are not believed here.
 *
 * By branching, the least state of a part has no inert edges, and what it has, all states of the part must have. That
 * is so if those without inert edges have exactly that, and the others, whose inert edges lead to states that have it,
 * nothing else. */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "minimize/division.h"

struct judge {
    struct division *d;
    uint64_t *first; /* of a part: where its elements begin, + 1; 0: not known yet */
    uint32_t *count;
    struct numbers elements;
};

/* The elements of a state itself, sorted; how many. */
static uint32_t list_elements(struct judge *j, uint32_t s, bool *has_inert) {
    const struct division *d = j->d;
    const struct lts_edge *e = lts_begin(d->l, s), *end = lts_end(d->l, s);
    uint64_t count = 0;
    *has_inert = false;
    if (d->relation == RELATION_WEAK) return (uint32_t)division_list_weakly(j->d, s);
    uint64_t *list = division_room(j->d, (uint64_t)(end - e) + 1);
    for (; e < end; e++) {
        uint32_t part = d->part[e->target];
        if (e->label == LTS_TAU && d->relation != RELATION_STRONG && part == d->part[s]) *has_inert = true;
        else list[count++] = (uint64_t)e->label << 32 | part;
    }
    if (d->divergent && d->divergent[s]) list[count++] = DIVISION_LOOP;
    return (uint32_t)sort_numbers_once(list, count);
}

static void learn(struct judge *j, uint32_t part, uint32_t count) {
    assert(!j->first[part]); /* of a part, the first state that comes */
    j->first[part] = j->elements.count + 1;
    j->count[part] = count;
    for (uint32_t i = 0; i < count; i++) numbers_add(&j->elements, j->d->list[i]);
}

/* Does the state have what its part has? */
static bool fits(struct judge *j, uint32_t s) {
    bool has_inert;
    uint32_t part = j->d->part[s], count = list_elements(j, s, &has_inert), at = 0;
    if (!j->first[part]) return learn(j, part, count), true;
    const uint64_t *all = j->elements.at + j->first[part] - 1;
    if (!has_inert && count != j->count[part]) return false;
    for (uint32_t i = 0; i < count; i++, at++) {
        while (at < j->count[part] && all[at] < j->d->list[i]) at++;
        if (at == j->count[part] || all[at] != j->d->list[i]) return false;
    }
    return true;
}

bool division_is_stable(struct division *d) {
    struct judge j = {.d = d};
    bool good = true;
    j.first = memory_get_large_zeroed(d->count * sizeof *j.first);
    j.count = memory_get_large(d->count * sizeof *j.count);
    for (uint32_t s = 0; s < d->l->states && good; s++) good = d->alone[s] || (fits(&j, s) && !division_over(d));
    free(j.first);
    free(j.count);
    numbers_fini(&j.elements);
    return good;
}
