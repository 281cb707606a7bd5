/* Signatures by weak. What tau edges lead to has lower numbers, see union.h. */
#include <stdlib.h>

#include "base/memory.h"
#include "minimize/division.h"

/* One signature a state, one after the other. */
struct signatures {
    uint64_t *begin; /* states + 1; filled in ascending order of the states */
    uint64_t *element;
    uint64_t count, room;
    struct division *d;
};

static void signatures_init(struct signatures *s, struct division *d) {
    *s = (struct signatures){.d = d};
    s->begin = memory_get((d->l->states + UINT64_C(1)) * sizeof *s->begin);
    s->begin[0] = 0;
    s->element = memory_get(sizeof *s->element);
}

static void signatures_fini(struct signatures *s) {
    effort_give_back(s->d->effort, s->room * sizeof *s->element);
    free(s->begin);
    free(s->element);
}

static void put(struct signatures *s, uint64_t element) {
    if (s->count == s->room) {
        uint64_t room = s->room ? 2 * s->room : 1024;
        effort_take(s->d->effort, (room - s->room) * sizeof *s->element);
        s->element = memory_resize(s->element, room * sizeof *s->element);
        s->room = room;
    }
    s->element[s->count++] = element;
}

static void put_all(struct signatures *s, const struct signatures *from, uint32_t state) {
    for (uint64_t i = from->begin[state]; i < from->begin[state + 1]; i++) put(s, from->element[i]);
}

static int by_number(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* The signature of the state is complete: it is sorted, and each element is kept once. */
static void finish(struct signatures *s, uint32_t state) {
    uint64_t *element = s->element + s->begin[state], count = s->count - s->begin[state], kept = 0;
    if (count > 1) qsort(element, count, sizeof *element, by_number);
    for (uint64_t i = 0; i < count; i++)
        if (kept == 0 || element[kept - 1] != element[i]) element[kept++] = element[i];
    s->begin[state + 1] = s->count = s->begin[state] + kept;
    s->d->work += count + 1;
}

static uint64_t tau_to(const struct division *d, uint32_t state) { return (uint64_t)LTS_TAU << 32 | d->part[state]; }

static void sign_by_tau(struct division *d, struct signatures *by_tau) {
    const struct lts *l = d->l;
    for (uint32_t state = 0; state < l->states && !division_over(d); state++) {
        put(by_tau, tau_to(d, state));
        for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state) && e->label == LTS_TAU; e++)
            put_all(by_tau, by_tau, e->target);
        finish(by_tau, state);
    }
}

static void sign(struct division *d, const struct signatures *by_tau, struct signatures *s) {
    const struct lts *l = d->l;
    for (uint32_t state = 0; state < l->states && !division_over(d); state++) {
        put(s, tau_to(d, state));
        for (const struct lts_edge *e = lts_begin(l, state); e < lts_end(l, state); e++)
            if (e->label == LTS_TAU) put_all(s, s, e->target);
            else
                for (uint64_t i = by_tau->begin[e->target]; i < by_tau->begin[e->target + 1]; i++)
                    put(s, (uint64_t)e->label << 32 | element_part(by_tau->element[i]));
        finish(s, state);
        d->hash[state] = s->begin[state + 1] - s->begin[state];
        for (uint64_t i = s->begin[state]; i < s->begin[state + 1]; i++)
            d->hash[state] = division_mix(d->hash[state] + 1) ^ division_mix(~s->element[i]);
    }
}

void division_sign_weakly(struct division *d) {
    struct signatures by_tau, s;
    signatures_init(&by_tau, d);
    signatures_init(&s, d);
    sign_by_tau(d, &by_tau);
    if (!division_over(d)) sign(d, &by_tau, &s);
    signatures_fini(&by_tau);
    signatures_fini(&s);
}
