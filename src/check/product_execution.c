#include "check/product_execution.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "omega/automaton_word.h"
#include "graph/fair/fair_execution.h"
#include "omega/ltl/ltl_word.h"
#include "store/state_stack.h"

/* The beginning and the end are no steps of the model. */
static bool is_step(const struct product *p, uint32_t transition) {
    uint32_t move = product_move(p, transition);
    return move != p->begin && move != p->end;
}

bool ltl_trace_ended(const struct trace *lasso, const struct emptiness *x) {
    const struct product *p = x->p;
    if (p->finite) return x->found.kind == FOUND_END;
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
    bool ended = ltl_trace_ended(lasso, x), good = true;
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
    assert(cycle != TRACE_NONE && cycle < t->count); /* where the cycle begins, the model has a state */
    t->cycle = cycle;
    t->closing = product_move(p, lasso->closing);
    return good;
}

/* ---- A second opinion ---- */

/* Valuations, of which the last are repeated; cycle == count: none. */
struct word_of {
    uint64_t *values, count, cycle, room;
};

static void add_value(struct word_of *o, uint64_t value) {
    if (o->count == o->room) {
        o->room = o->room ? 2 * o->room : 64;
        o->values = memory_resize(o->values, o->room * sizeof *o->values);
    }
    o->values[o->count++] = value;
}

static void word_of_trace(struct word_of *o, const struct trace *t, const struct product *p) {
    const struct trace_notes *n = t->notes;
    for (uint64_t i = n->first; i < t->count; i++) add_value(o, n->valuations[i]);
    if (t->cycle != TRACE_NONE) {
        assert(t->cycle >= n->first);
        o->cycle = t->cycle - n->first; /* never the root */
        return;
    }
    o->cycle = o->count;
    if (p->finite) return;
    uint64_t last = o->count ? o->values[o->count - 1] : p->initially;
    add_value(o, last & ~p->momentary);
}

/* An automaton that reads everything. */
static void indifferent(struct ba *a, const struct names *propositions) {
    struct ba_builder b;
    ba_build(&b, propositions);
    b.sets = 1;
    b.by_state = true;
    uint32_t s = ba_build_state(&b, ACCEPT_INFINITE);
    ba_build_initial(&b, s);
    ba_build_edge(&b, s, (struct cube){0, 0}, 0, s);
    ba_build_finish(&b, a);
}

enum { FARTHEST = 100000 };

/* Goes on from where the trace ends, by the first move there is, to a state that comes again, or, if executions are
 * finite that end, to an end. The product with the automaton that reads everything tells what holds. False: that was
 * too far, or the model failed. */
static bool walk_on(struct word_of *o, const struct trace *t, struct product *p, struct ts_worker *w) {
    struct open met;
    struct ts_batch batch;
    struct ts_fault fault;
    uint64_t value, from = 0;
    uint32_t again = OPEN_NONE, words = p->ts.words;
    bool ended = false;
    word *s = memory_get(words * sizeof(word));
    ts_batch_init(&batch, &p->ts, 1);
    batch.sources = s;
    batch.count = 1;
    bool good = open_init(&met, words, true, UINT64_C(1) << 30) && p->ts.ops->initial(w, s, &fault);
    for (uint64_t i = p->by_action ? 1 : 0; good && again == OPEN_NONE && i < t->count + FARTHEST; i++) {
        uint32_t wanted = i == 0 ? p->begin : i < t->count ? t->transitions[i] : UINT32_MAX, e = 0;
        good = p->ts.ops->expand(w, &batch) == 1;
        ended = good && product_view(w).ended[0];
        if (ended) break;
        while (good && e < batch.ends[0] && wanted != UINT32_MAX && product_move(p, batch.labels[e]) != wanted) e++;
        good = good && e < batch.ends[0];
        if (!good) break;
        memcpy(s, batch.successors + (size_t)e * words, words * sizeof(word));
        if (i + 1 >= t->count) again = open_find(&met, s);
        if (i + 1 == t->count) from = o->count;
        if (again != OPEN_NONE) break;
        good = product_valuation(p, w, s, &value, &fault) && (i + 1 < t->count || open_push(&met, s));
        if (good) add_value(o, value);
    }
    o->cycle = ended ? o->count : from + (again == OPEN_NONE ? 0 : again);
    assert(o->cycle <= o->count);
    ts_batch_fini(&batch);
    open_fini(&met);
    free(s);
    return good && (ended || again != OPEN_NONE);
}

/* The word of a continuation of the trace, if there is one that is easily found. */
static bool word_of_prefix(struct word_of *o, const struct trace *t, const struct product *p, struct ts_worker *w) {
    struct ba any;
    struct product plain;
    struct problem ignored = {0};
    indifferent(&any, p->ba ? &p->ba->propositions : &p->ta->propositions);
    bool good = product_init(&plain, p->base, &any, NULL, &ignored);
    if (good) {
        plain.finite = p->finite;
        struct ts_worker *worker = product_worker(&plain, w);
        good = walk_on(o, t, &plain, worker);
        plain.ts.ops->worker_free(worker);
        product_fini(&plain);
    }
    ba_fini(&any);
    problem_fini(&ignored);
    return good;
}

/* Does it end where it is said to, and is it fair, if that was asked for? What may be followed by anything has a fair
 * continuation. */
static bool goes_on_rightly(const struct trace *t, bool ended, struct emptiness *x, struct ts_worker *w,
                            struct problem *why) {
    const char *wrong = NULL;
    if (ended && !fair_trace_ends(t, x->p->base, w)) wrong = "it does not end in the last state";
    else if (x->fair && x->found.kind == FOUND_FAIR) wrong = fair_trace_wrong(t, x->fair, x->p->base, w);
    return !wrong || problem_set(why, EXIT_INTERNAL, "%s", wrong);
}

static bool accepted(const struct hoa *h, const struct word_of *o) {
    return h->testing ? automaton_word_ta(&h->ta, o->values, o->count, o->cycle)
                      : automaton_word_ba(&h->ba, o->values, o->count, o->cycle);
}

bool ltl_trace_believe(struct trace *t, const struct trace *lasso, struct emptiness *x, struct ts_worker *w,
                       const struct ltl_claim *claim, struct problem *why) {
    struct word_of o = {0};
    bool known = true, good = true, ended = ltl_trace_ended(lasso, x);
    if (!trace_replay(t, x->p->base, w, why) || !goes_on_rightly(t, ended, x, w, why)) return false;
    if (x->found.kind != FOUND_PREFIX || ended) word_of_trace(&o, t, x->p);
    else known = word_of_prefix(&o, t, x->p, w);
    if (known && claim->given && !accepted(claim->given, &o))
        good = problem_set(why, EXIT_INTERNAL, "the automaton does not accept the execution");
    if (known && !claim->given && ltl_word_satisfies(claim->ltl, claim->formula, o.values, o.count, o.cycle))
        good = problem_set(why, EXIT_INTERNAL, "the formula holds in the execution");
    free(o.values);
    return good;
}
