#include "graph/ctl/evaluate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/space.h"
#include "ts/valuation.h"

struct showing {
    struct state_graph *g;
    const struct ctl *f;
    const struct ctl_sets *sets;
    struct trace *t;
    struct stop *stop;
};

static bool make_set(const struct showing *s, uint32_t i) {
    const struct ctl_node *n = &s->f->node[i];
    const struct ctl_sets *x = s->sets;
    assert(n->op <= CTL_PROPOSITION || n->left < i);
    switch (n->op) {
    case CTL_TRUE: return x->all(x->context, i);
    case CTL_PROPOSITION: return x->proposition(x->context, i, valuation_find(s->g->ts, s->f->names.text[n->left]));
    case CTL_NOT: return x->complement(x->context, i, n->left);
    case CTL_OR: return x->unite(x->context, i, n->left, n->right);
    case CTL_NEXT: return x->before(x->context, i, n->left);
    case CTL_UNTIL: return x->until(x->context, i, n->left, n->right);
    case CTL_ALWAYS: return x->always(x->context, i, n->left);
    }
    return false;
}

static const word *last_state(const struct showing *s) { return trace_state(s->t, s->t->count - 1); }

static bool holds(const struct showing *s, uint32_t i) { return s->sets->has(s->sets->context, i, last_state(s)); }

/* By the first transition in the order of firing to a state of set i; a terminal state stays where it is. */
static bool step_into(const struct showing *s, uint32_t i) {
    const struct ts *ts = s->g->ts;
    word *next = memory_get(ts->words * sizeof *next);
    struct ts_fault fault = {.kind = TS_FINE};
    bool stepped = false;
    for (uint32_t k = 0; k < ts->transitions && !stepped && fault.kind == TS_FINE; k++) {
        uint32_t t = ts->reduction.forward ? k : ts->transitions - 1 - k;
        if (ts->ops->fire(s->g->worker, last_state(s), t, next, &fault) <= 0) continue;
        stepped = s->sets->has(s->sets->context, i, next);
        if (stepped) trace_add(s->t, t, next);
    }
    free(next);
    if (fault.kind != TS_FINE) *s->stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
    return fault.kind == TS_FINE;
}

struct one_set {
    const struct ctl_sets *sets;
    uint32_t i;
};

static bool is_in_set(const void *context, const word *state) {
    const struct one_set *x = context;
    return x->sets->has(x->sets->context, x->i, state);
}

/* An operand that shows as much as there is: one with an operator of executions below it. */
static bool is_temporal(const struct ctl *f, uint32_t i) {
    const struct ctl_node *n = &f->node[i];
    if (n->op == CTL_NOT) return is_temporal(f, n->left);
    if (n->op == CTL_OR) return is_temporal(f, n->left) || is_temporal(f, n->right);
    return n->op > CTL_OR;
}

/* Shows why node i has the value that it has in the last state of the trace. False: given up. */
static bool show(const struct showing *s, uint32_t i) {
    for (;;) {
        const struct ctl_node *n = &s->f->node[i];
        bool value = holds(s, i);
        if (n->op == CTL_NOT) {
            i = n->left;
            continue;
        }
        if (n->op == CTL_OR) {
            bool right = value ? !holds(s, n->left) || (holds(s, n->right) && !is_temporal(s->f, n->left))
                               : !is_temporal(s->f, n->left);
            i = right ? n->right : n->left;
            continue;
        }
        if (!value || n->op <= CTL_PROPOSITION) return true;
        if (n->op == CTL_ALWAYS) {
            const struct one_set set = {s->sets, i};
            const struct node_set through = {is_in_set, &set};
            return graph_walk_on(s->g, &through, false, s->t, s->stop);
        }
        if (n->op == CTL_NEXT && !step_into(s, n->left)) return false;
        if (n->op == CTL_UNTIL && !s->sets->follow(s->sets->context, n->left, n->right, s->t)) return false;
        i = n->op == CTL_NEXT ? n->left : n->right;
    }
}

enum outcome ctl_evaluate(struct state_graph *g, const struct ctl *f, const struct ctl_sets *sets, struct trace *t,
                          struct stop *stop) {
    const struct showing s = {g, f, sets, t, stop};
    assert(t->count == 1);
    *stop = (struct stop){.kind = STOP_DONE};
    for (uint32_t i = 0; i < f->count; i++)
        if (!make_set(&s, i)) return OUTCOME_GIVEN_UP;
    if (holds(&s, f->root)) return OUTCOME_NONE;
    return show(&s, f->root) ? OUTCOME_FOUND : OUTCOME_GIVEN_UP;
}
