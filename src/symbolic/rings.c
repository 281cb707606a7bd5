#include "symbolic/rings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void add(struct rings *r, mdd set) {
    MAKE_ROOM(r->ring, r->count, r->room);
    r->ring[r->count] = memory_get(sizeof(mdd));
    *r->ring[r->count] = set;
    mdd_root(&r->s->pool, r->ring[r->count++]);
}

enum outcome rings_init(struct rings *r, struct symbolic *s, const struct way *back, mdd target, mdd within, mdd from) {
    *r = (struct rings){.s = s, .left = within, .from = from};
    struct mdd_pool *m = &s->pool;
    mdd_root(m, &r->left);
    mdd_root(m, &r->from);
    mdd last = mdd_intersect(m, target, within);
    while (last != MDD_EMPTY && !m->stopped) {
        add(r, last);
        if (mdd_intersect(m, last, r->from) != MDD_EMPTY) break;
        r->left = mdd_minus(m, r->left, *r->ring[r->count - 1]);
        last = mdd_intersect(m, way_image(m, back, *r->ring[r->count - 1]), r->left);
    }
    if (symbolic_stopped(s)) return OUTCOME_GIVEN_UP;
    return last != MDD_EMPTY ? OUTCOME_FOUND : OUTCOME_NONE;
}

void rings_fini(struct rings *r) {
    if (!r->s) return;
    mdd_drop(&r->s->pool, r->count + 2);
    for (uint32_t i = 0; i < r->count; i++) free(r->ring[i]);
    free(r->ring);
    *r = (struct rings){0};
}

/* By the first transition to a state of the set, into `next`. TS_NONE: there is none, or *fault. */
static uint32_t step(const struct rings *r, struct ts_worker *w, const bool *excluded, const word *from, mdd to,
                     word *next, struct ts_fault *fault) {
    const struct ts *ts = r->s->ts;
    for (uint32_t i = 0; i < ts->transitions; i++) {
        uint32_t t = ts->reduction.forward ? i : ts->transitions - 1 - i;
        if (excluded && excluded[t]) continue;
        int fired = ts->ops->fire(w, from, t, next, fault);
        if (fired < 0 && fault->kind != TS_RAISED) return TS_NONE; /* the worker may not be asked again */
        if (fired > 0 && symbolic_has(r->s, to, next)) return t;
    }
    return TS_NONE;
}

bool rings_follow(const struct rings *r, struct ts_worker *w, const bool *excluded, struct trace *t,
                  struct stop *stop) {
    word *next = memory_get(r->s->ts->words * sizeof *next);
    bool good = true;
    assert(r->count > 0 && symbolic_has(r->s, *r->ring[r->count - 1], trace_state(t, t->count - 1)));
    for (uint32_t k = r->count - 1; good && k > 0; k--) {
        struct ts_fault fault = {.kind = TS_FINE};
        uint32_t label = step(r, w, excluded, trace_state(t, t->count - 1), *r->ring[k - 1], next, &fault);
        good = label != TS_NONE;
        if (good) trace_add(t, label, next);
        else if (fault.kind > TS_RAISED) *stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
        else
            *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the model does not do what was derived from its code"};
    }
    free(next);
    return good;
}
