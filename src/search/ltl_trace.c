#include "search/ltl_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "search/ltl_word.h"

/* The beginning and the end are no steps of the model. */
static bool is_step(const struct product *p, uint32_t transition) {
    uint32_t move = product_move(p, transition);
    return move != p->begin && move != p->end;
}

static bool has_ended(const struct trace *lasso, const struct product *p) {
    bool ended = lasso->cycle != TRACE_NONE && product_move(p, lasso->closing) == p->end;
    for (uint64_t i = 1; i < lasso->count; i++) ended |= product_move(p, lasso->transitions[i]) == p->end;
    return ended;
}

static struct trace_notes *notes_new(const struct product *p, uint64_t count) {
    struct trace_notes *n = memory_get_zeroed(sizeof *n);
    names_copy(&n->propositions, p->ba ? &p->ba->propositions : &p->ta->propositions);
    names_copy(&n->extra, &p->free);
    n->extra_from = p->base->transitions;
    n->valuations = memory_get_zeroed((count + 1) * sizeof *n->valuations);
    n->first = p->by_action ? 1 : 0;
    return n;
}

bool ltl_trace(struct trace *t, const struct trace *lasso, struct emptiness *x, struct ts_worker *w,
               struct problem *why) {
    const struct product *p = x->p;
    bool ended = has_ended(lasso, p), good = true;
    struct trace_notes *notes = notes_new(p, lasso->count);
    word *model = memory_get(p->base->words * sizeof(word));
    uint64_t cycle = TRACE_NONE;
    (void)w;
    for (uint64_t i = 0; i < lasso->count && good; i++) {
        const word *s = trace_state(lasso, i);
        uint32_t label = lasso->transitions[i];
        bool first = t->count == 0;
        if ((i == 0 && !p->by_action && lasso->count > 1) || (i > 0 && !is_step(p, label) && !first)) continue;
        product_model(p, s, model);
        if (i == lasso->cycle) cycle = t->count;
        trace_add(t, first ? TS_NONE : product_move(p, label), model);
        struct ts_fault fault;
        good = product_valuation(p, x->s->worker, s, &notes->valuations[t->count - 1], &fault) ||
               problem_set(why, EXIT_INTERNAL, "a proposition fails: %s", fault.text);
    }
    free(model);
    t->notes = notes;
    if (lasso->cycle == TRACE_NONE || ended) return good;
    t->cycle = cycle;
    t->closing = product_move(p, lasso->closing);
    return good;
}

/* Evaluates the formula on the word of the trace. */
static bool holds_on(const struct trace *t, const struct product *p, const struct ltl *l, uint32_t formula) {
    const struct trace_notes *n = t->notes;
    uint64_t count = t->count - n->first, cycle;
    uint64_t *values = memory_get((count + 2) * sizeof *values);
    memcpy(values, n->valuations + n->first, count * sizeof *values);
    if (t->cycle != TRACE_NONE) {
        cycle = t->cycle - n->first; /* never the root */
    } else {
        uint64_t last = count ? values[count - 1] : p->initially;
        values[count++] = last & ~p->momentary;
        cycle = count - 1;
    }
    bool result = ltl_word_satisfies(l, formula, values, count, cycle);
    free(values);
    return result;
}

bool ltl_trace_believe(struct trace *t, const struct trace *lasso, struct emptiness *x, struct ts_worker *w,
                       const struct ltl *l, uint32_t formula, struct problem *why) {
    if (!trace_replay(t, x->p->base, w, why)) return false;
    (void)lasso;
    if (x->found.kind == FOUND_PREFIX) return true;
    return !holds_on(t, x->p, l, formula) || problem_set(why, EXIT_INTERNAL, "the formula holds in the execution");
}
