/* Depth-first search within depth-first search. */
#include <string.h>

#include "search/descent.h"

enum { NOT_ALL_RED = 1 }; /* frame.marks: some successor is not known to be red */

/* A state is red (flagged) if the inner search has been there, or if it need not go there. */

static bool is_accepting(const struct emptiness *x, const word *state) {
    return (product_accept(x->p, state) & ACCEPT_INFINITE) != 0;
}

/* The states on the way from `position` on, and those of the inner search. */
static bool report(struct descent *outer, uint32_t position, const struct descent *inner) {
    struct emptiness *x = outer->x;
    x->found.kind = FOUND_CYCLE;
    for (uint32_t i = position; i < outer->open.count; i++) found_add(&x->found, x->p, open_state(&outer->open, i));
    for (uint64_t i = 1; inner && i < inner->depth; i++) found_add(&x->found, x->p, descent_state(inner, i));
    return false;
}

/* Is there a way from the top state back to the outer stack? False: found, or given up. */
static bool search_inner(struct descent *outer, struct descent *inner) {
    struct emptiness *x = outer->x;
    uint8_t kind;
    inner->depth = inner->pending_count = 0;
    open_pop(&inner->open, 0);
    if (!descent_enter(inner, descent_state(outer, outer->depth - 1))) return false;
    while (inner->depth > 0) {
        if (!descent_next(inner, &kind)) {
            open_pop(&inner->open, descent_top(inner)->position);
            descent_pop(inner);
            continue;
        }
        uint32_t position = open_find(&outer->open, inner->next);
        if (position != OPEN_NONE) return report(outer, position, inner);
        if (emptiness_insert(x, inner->next, true)) {
            if (!descent_enter(inner, inner->next)) return false;
        } else if (x->stop.kind != STOP_DONE) {
            return false;
        }
    }
    return true;
}

static bool enter(struct descent *d) {
    d->x->s->states++;
    return descent_enter(d, d->next);
}

/* The top state is done. */
static bool leave(struct descent *d, struct descent *inner) {
    struct emptiness *x = d->x;
    struct descent_frame f = *descent_top(d);
    memcpy(d->next, descent_state(d, d->depth - 1), x->p->ts.words * sizeof(word));
    bool red = x->early && !(f.marks & NOT_ALL_RED), accepting = is_accepting(x, d->next);
    if (!red && accepting && !search_inner(d, inner)) return false;
    if ((red || (accepting && x->early)) && !emptiness_insert(x, d->next, true) && x->stop.kind != STOP_DONE)
        return false;
    open_pop(&d->open, f.position);
    descent_pop(d);
    if (d->depth > 0 && !red && !(accepting && x->early)) descent_top(d)->marks |= NOT_ALL_RED;
    return true;
}

/* The top state has an edge to d->next. */
static bool look(struct descent *d) {
    struct emptiness *x = d->x;
    const word *state = descent_state(d, d->depth - 1);
    uint32_t position = open_find(&d->open, d->next);
    if (position != OPEN_NONE) {
        if (x->early && (is_accepting(x, state) || is_accepting(x, d->next))) return report(d, position, NULL);
        descent_top(d)->marks |= NOT_ALL_RED;
        return true;
    }
    if (emptiness_insert(x, d->next, false)) return enter(d);
    if (x->stop.kind != STOP_DONE) return false;
    if (x->early && !emptiness_known(x, d->next, true)) descent_top(d)->marks |= NOT_ALL_RED;
    return true;
}

void emptiness_nested(struct emptiness *x) {
    struct descent outer, inner;
    struct ts_fault fault;
    uint8_t kind;
    x->stop = (struct stop){.kind = STOP_DONE};
    bool good = descent_init(&outer, x);
    good = descent_init(&inner, x) && good;
    if (good && !x->s->ts->ops->initial(x->s->worker, outer.next, &fault)) {
        x->stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
        good = false;
    }
    if (good) good = emptiness_insert(x, outer.next, false) && enter(&outer);
    while (good && outer.depth > 0) good = descent_next(&outer, &kind) ? look(&outer) : leave(&outer, &inner);
    descent_fini(&outer);
    descent_fini(&inner);
}
