/* Depth-first search within depth-first search. */
#include <string.h>

#include "explore/dfs_stack.h"

enum { NOT_ALL_RED = 1 }; /* frame.marks: some successor is not known to be red */

/* A state is red (flagged) if the inner search has been there, or if it need not go there. */

static bool is_accepting(const struct emptiness *x, const word *state) {
    return (product_accept(x->p, state) & ACCEPT_INFINITE) != 0;
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
    if (!red && accepting && !descent_search_back(d, inner, d->next)) return false;
    if ((red || (accepting && x->early)) && emptiness_insert(x, d->next, true) == INSERTED_NOT) return false;
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
        if (x->early && (is_accepting(x, state) || is_accepting(x, d->next))) return descent_report(d, position, NULL);
        descent_top(d)->marks |= NOT_ALL_RED;
        return true;
    }
    enum inserted inserted = emptiness_insert(x, d->next, false);
    if (inserted == INSERTED_NEW) return enter(d);
    if (inserted == INSERTED_NOT) return false;
    if (x->early && !emptiness_known(x, d->next, true)) descent_top(d)->marks |= NOT_ALL_RED;
    return true;
}

void emptiness_nested(struct emptiness *x) {
    struct descent outer, inner;
    uint8_t kind;
    bool good = descent_begin(&outer, &inner, x) && enter(&outer);
    while (good && outer.depth > 0) good = descent_next(&outer, &kind) ? look(&outer) : leave(&outer, &inner);
    descent_fini(&outer);
    descent_fini(&inner);
}
