/* Depth-first search within depth-first search, where edges accept.
 *
 * As FLY says after Algorithm 3.4: each accepting edge has an imaginary state in its middle, and these are the
 * accepting states of CVWY. A middle is done when what its edge leads to is done; then the inner search looks for a way
 * from there back to the stack of the outer one. Middles are never stored: each has one edge that leads to it. */
#include <assert.h>
#include <string.h>

#include "explore/dfs_stack.h"

enum { BY_ACCEPTING = 1 }; /* frame.marks: the edge that led here accepts. frame.low: how many such edges led here. */

/* The middle of an edge from the top state to `start` is done. False: found, or given up. */
static bool search_inner(struct descent *outer, struct descent *inner, word *start) {
    struct emptiness *x = outer->x;
    enum inserted inserted = emptiness_insert(x, start, true);
    if (inserted != INSERTED_NEW) return inserted == INSERTED_BEFORE;
    return descent_search_back(outer, inner, start);
}

static bool enter(struct descent *d, uint8_t kind) {
    uint32_t accepting = d->depth ? descent_top(d)->low : 0;
    d->x->s->states++;
    if (!descent_enter(d, d->next)) return false;
    descent_top(d)->low = accepting + (kind & EDGE_ACCEPTS ? 1 : 0);
    descent_top(d)->marks = kind & EDGE_ACCEPTS ? BY_ACCEPTING : 0;
    return true;
}

/* The top state is done. */
static bool leave(struct descent *d, struct descent *inner) {
    struct descent_frame f = *descent_top(d);
    memcpy(d->next, descent_state(d, d->depth - 1), d->x->p->ts.words * sizeof(word));
    open_pop(&d->open, f.position);
    descent_pop(d);
    return !(f.marks & BY_ACCEPTING) || search_inner(d, inner, d->next);
}

/* The top state has an edge to d->next. States on the stack and their frames have the same positions. */
static bool look(struct descent *d, struct descent *inner, uint8_t kind) {
    struct emptiness *x = d->x;
    uint32_t position = open_find(&d->open, d->next);
    if (position != OPEN_NONE) {
        assert(descent_at(d, position)->position == position);
        bool accepts = kind & EDGE_ACCEPTS || (x->early && descent_top(d)->low > descent_at(d, position)->low);
        return !accepts || descent_report(d, position, NULL);
    }
    enum inserted inserted = emptiness_insert(x, d->next, false);
    if (inserted == INSERTED_NEW) return enter(d, kind);
    if (inserted == INSERTED_NOT) return false;
    return !(kind & EDGE_ACCEPTS) || search_inner(d, inner, d->next);
}

void emptiness_nested_edges(struct emptiness *x) {
    struct descent outer, inner;
    uint8_t kind;
    bool good = descent_begin(&outer, &inner, x) && enter(&outer, 0);
    while (good && outer.depth > 0)
        good = descent_next(&outer, &kind) ? look(&outer, &inner, kind) : leave(&outer, &inner);
    descent_fini(&outer);
    descent_fini(&inner);
}
