/* Strong components on the fly.
 *
 * The roots of components that are not complete are on a stack of their own, each with the acceptance that its
 * component has seen (Couvreur). An edge to an open state makes one component of all from there on; if it accepts now,
 * that is what was looked for, as soon as all edges of the cycle have been seen. With fairness, a component is looked
 * at when it is complete.
 *
 * It is not an instance of algo/components_code.h, nor the search of dfs.h: it ends in the middle of a component, needs
 * the acceptance that each part of the way has seen, and keeps the kinds of edges beside the successors that wait. */
#include <assert.h>
#include <stdlib.h>

#include "explore/dfs_stack.h"

struct root {
    uint32_t position;
    uint8_t cycle;    /* there is an edge inside */
    uint8_t accepts;  /* one of these is EDGE_ACCEPTS */
    uint8_t entering; /* kind of the edge that led here */
};

struct tarjan {
    struct descent d;
    struct emptiness *x;
    struct region roots; /* struct root */
    uint64_t root_count;
};

static struct root *top_root(const struct tarjan *t) {
    return (struct root *)(void *)t->roots.base + t->root_count - 1;
}

static bool enter(struct tarjan *t, uint8_t kind) {
    struct emptiness *x = t->x;
    x->s->states++;
    if (!open_room(&t->roots, (t->root_count + 1) * sizeof(struct root))) return emptiness_no_memory(x);
    t->root_count++;
    *top_root(t) = (struct root){.position = t->d.open.count, .entering = kind};
    assert(t->root_count == 1 || top_root(t)[-1].position < top_root(t)->position);
    return descent_enter(&t->d, t->d.next);
}

static void take_component(struct tarjan *t, uint32_t from, enum found_kind kind) {
    t->x->found.kind = kind;
    for (uint32_t i = from; i < t->d.open.count; i++) found_add(&t->x->found, t->x->p, open_state(&t->d.open, i));
}

/* An edge from the top state to an open one. False: found. */
static bool close_cycle(struct tarjan *t, uint32_t position, uint8_t kind) {
    uint8_t accepts = kind & EDGE_ACCEPTS;
    while (top_root(t)->position > position) {
        accepts |= top_root(t)->accepts | (top_root(t)->entering & EDGE_ACCEPTS);
        t->root_count--;
    }
    assert(t->root_count > 0); /* the first root is the initial state, at position 0 */
    struct root *r = top_root(t);
    r->cycle = 1;
    r->accepts |= accepts;
    if (!r->accepts || t->x->fair) return true;
    take_component(t, r->position, FOUND_CYCLE);
    return false;
}

struct part {
    const struct open *open;
    uint32_t from;
};

static uint32_t find_in_part(const void *context, const word *state) {
    const struct part *p = context;
    uint32_t position = open_find(p->open, state);
    return position == OPEN_NONE || position < p->from ? UINT32_MAX : position - p->from;
}

/* A fair cycle, with its states. If it cannot be shown, that is found all the same. */
static void take_fair(struct tarjan *t, const struct inside *in, const bool *keep, uint32_t from) {
    struct emptiness *x = t->x;
    struct numbers cycle = {0};
    x->found.kind = FOUND_FAIR;
    if (!fair_cycle(in, x->s, x->p, x->fair, keep, &cycle, &x->found.unshown)) cycle.count = 0;
    for (size_t i = 0; i < cycle.count; i++) {
        found_add(&x->found, x->p, open_state(&t->d.open, from + inside_source(in, cycle.at[i])));
        numbers_add(&x->found.labels, in->edge[cycle.at[i]].transition);
    }
    numbers_fini(&cycle);
}

/* A complete component that accepts: is it fair? False: found, or given up. */
static bool judge(struct tarjan *t, uint32_t from) {
    struct emptiness *x = t->x;
    struct part part = {&t->d.open, from};
    struct inside in;
    uint32_t count = t->d.open.count - from;
    if (!inside_init(&in, x->s, x->p, open_state(&t->d.open, from), count, find_in_part, &part, x->fair, &x->stop))
        return inside_fini(&in), false;
    bool *keep = memory_get_zeroed(count * sizeof *keep);
    enum outcome fair = fair_search(&in, x->s, x->p, x->fair, keep, &x->stop);
    if (fair == OUTCOME_FOUND) take_fair(t, &in, keep, from);
    free(keep);
    inside_fini(&in);
    return fair == OUTCOME_NONE;
}

static bool leave(struct tarjan *t) {
    struct descent_frame f = *descent_top(&t->d);
    struct root r = *top_root(t);
    assert(r.position <= f.position);
    bool good = true;
    if (r.position == f.position) {
        if (t->x->fair && r.cycle && r.accepts) good = judge(t, r.position);
        open_pop(&t->d.open, r.position);
        t->root_count--;
    }
    descent_pop(&t->d);
    return good;
}

static bool look(struct tarjan *t, uint8_t kind) {
    struct emptiness *x = t->x;
    uint32_t position = open_find(&t->d.open, t->d.next);
    if (position != OPEN_NONE) return close_cycle(t, position, kind);
    enum inserted inserted = emptiness_insert(x, t->d.next, false);
    return inserted == INSERTED_NEW ? enter(t, kind) : inserted == INSERTED_BEFORE;
}

void emptiness_tarjan(struct emptiness *x) {
    struct tarjan t = {.x = x};
    struct ts_fault fault;
    uint8_t kind;
    x->stop = (struct stop){.kind = STOP_DONE};
    bool good =
        descent_init(&t.d, x) && (region_init_within(&t.roots, x->s->limits.max_memory) || emptiness_no_memory(x));
    if (good && !x->s->ts->ops->initial(x->s->worker, t.d.next, &fault)) {
        x->stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
        good = false;
    }
    if (good) good = emptiness_insert(x, t.d.next, false) == INSERTED_NEW && enter(&t, 0);
    while (good && t.d.depth > 0) good = descent_next(&t.d, &kind) ? look(&t, kind) : leave(&t);
    descent_fini(&t.d);
    region_fini(&t.roots);
}
