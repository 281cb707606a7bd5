#include "symbolic/symbolic_ctl.h"

#include <stdlib.h>

#include "graph/ctl/evaluate.h"
#include "symbolic/rings.h"
#include "symbolic/symbolic_graph.h"

struct sets {
    struct state_graph *g;
    struct symbolic *s;
    struct stop *stop;
    mdd *set; /* roots */
    mdd terminal;
};

/* Is set i good? */
static bool made(struct sets *x, uint32_t i, mdd set) {
    x->set[i] = set;
    if (!symbolic_stopped(x->s)) return true;
    *x->stop = (struct stop){.kind = STOP_LIMIT, .reason = symbolic_stopped(x->s)};
    return false;
}

static bool all(void *context, uint32_t i) {
    struct sets *x = context;
    return made(x, i, x->s->reached);
}

static bool proposition(void *context, uint32_t i, uint32_t number) {
    struct sets *x = context;
    uint32_t named = x->s->ts->named;
    x->s->ts->named = number;
    enum outcome known = symbolic_class(x->s, TS_NAMED, x->s->reached, &x->set[i], x->stop);
    x->s->ts->named = named;
    return known == OUTCOME_FOUND;
}

static bool complement(void *context, uint32_t i, uint32_t a) {
    struct sets *x = context;
    return made(x, i, mdd_minus(&x->s->pool, x->s->reached, x->set[a]));
}

static bool unite(void *context, uint32_t i, uint32_t a, uint32_t b) {
    struct sets *x = context;
    return made(x, i, mdd_union(&x->s->pool, x->set[a], x->set[b]));
}

static bool before(void *context, uint32_t i, uint32_t a) {
    struct sets *x = context;
    struct mdd_pool *m = &x->s->pool;
    x->set[i] = mdd_intersect(m, x->terminal, x->set[a]);
    x->set[i] = mdd_union(m, x->set[i], way_image(m, &x->s->backward, x->set[a]));
    return made(x, i, mdd_intersect(m, x->set[i], x->s->reached));
}

static bool until(void *context, uint32_t i, uint32_t a, uint32_t b) {
    struct sets *x = context;
    return made(x, i, way_closure_within(&x->s->pool, &x->s->backward, x->set[b], x->set[a]));
}

static bool always(void *context, uint32_t i, uint32_t a) {
    struct sets *x = context;
    return made(x, i, symbolic_staying(x->s, x->set[a], x->terminal));
}

static bool has(const void *context, uint32_t i, const word *state) {
    const struct sets *x = context;
    return symbolic_has(x->s, x->set[i], state);
}

static bool follow(void *context, uint32_t a, uint32_t b, struct trace *t) {
    struct sets *x = context;
    struct rings r;
    mdd within = mdd_union(&x->s->pool, x->set[a], x->set[b]), from = MDD_EMPTY;
    mdd_root(&x->s->pool, &within);
    mdd_root(&x->s->pool, &from);
    from = symbolic_one(x->s, trace_state(t, t->count - 1));
    enum outcome there = rings_init(&r, x->s, &x->s->backward, x->set[b], within, from);
    bool good = there == OUTCOME_FOUND && rings_follow(&r, x->g->worker, NULL, t, x->stop);
    if (there != OUTCOME_FOUND) {
        const char *reason = symbolic_stopped(x->s) ? symbolic_stopped(x->s) : "the way was not found again";
        *x->stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    }
    rings_fini(&r);
    mdd_drop(&x->s->pool, 2);
    return good;
}

enum outcome symbolic_ctl(struct state_graph *g, struct symbolic *s, const struct ctl *f, struct trace *t,
                          struct stop *stop) {
    struct sets x = {.g = g, .s = s, .stop = stop, .set = memory_get_zeroed((f->count + 1) * sizeof *x.set)};
    const struct ctl_sets sets = {all, proposition, complement, unite, before, until, always, has, follow, &x};
    mdd_root(&s->pool, &x.terminal);
    for (uint32_t i = 0; i < f->count; i++) mdd_root(&s->pool, &x.set[i]);
    x.terminal = symbolic_terminal(s);
    enum outcome found = ctl_evaluate(g, f, &sets, t, stop);
    mdd_drop(&s->pool, f->count + 1);
    free(x.set);
    return found;
}
