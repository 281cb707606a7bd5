/* Must progress of fair executions: is there one that is in must-progress states finitely often, and fair?
 *
 * The automaton of "from some time on, no must-progress state" watches the model, and a fair cycle of the product that
 * it accepts is looked for by all threads (cycles.h, levels), or, if there is no memory for the edges of the product,
 * by one (tarjan). A terminal state counts as a must-progress state: an execution that ends is
 * finite then, and the automaton accepts infinite ones only. Or it does not (terminal_not_must): then the last state is
 * repeated for ever, which is fair, as nothing is enabled. */
#include <assert.h>
#include <stdlib.h>

#include "base/text.h"
#include "explore/cycles.h"
#include "graph/fair/fair_execution.h"
#include "check/answer.h"
#include "explore/lasso.h"
#include "check/product_execution.h"
#include "ts/valuation.h"

static void make_automaton(struct ba *a) {
    const struct cube any = {0, 0}, without = {1, 0};
    struct ba_builder b;
    ba_build(&b, NULL);
    names_add(&b.propositions, ts_feature_name(TS_MUST_PROGRESS));
    b.sets = 1;
    b.by_state = true;
    uint32_t before = ba_build_state(&b, 0), after = ba_build_state(&b, ACCEPT_INFINITE);
    ba_build_initial(&b, before);
    ba_build_edge(&b, before, any, 0, before);
    ba_build_edge(&b, before, without, 0, after);
    ba_build_edge(&b, after, without, 0, after);
    ba_build_finish(&b, a);
}

/* ---- A second opinion on an execution ---- */

/* Replays the trace, and holds it against the definition. */
static bool believe(struct check *c) {
    const struct trace *t = &c->a->trace;
    if (!check_believe(c)) return false;
    const char *wrong = NULL;
    for (uint64_t i = t->cycle == TRACE_NONE ? t->count - 1 : t->cycle; i < t->count; i++)
        if (t->notes->valuations[i] & 1) wrong = "there is a must-progress state in the cycle";
    if (t->cycle == TRACE_NONE && !c->q->terminal_not_must) wrong = "it does not go on for ever";
    if (!wrong) wrong = fair_trace_wrong(t, c->q->fair, c->ts, c->w);
    if (!wrong) return true;
    check_answer(c, VERDICT_INTERNAL, PROP_NONE,
                 text_format("internal error: the execution found is no counterexample: %s", wrong));
    check_forget_trace(c);
    return false;
}

/* ---- What was found ---- */

/* No must-progress state comes after this one. */
static uint64_t last_progress(const struct trace *t) {
    uint64_t i = t->count;
    while (i > 0 && !(t->notes->valuations[i - 1] & 1)) i--;
    return i;
}

static void violation(struct check *c, struct emptiness *x) {
    struct trace lasso, *t = &c->a->trace;
    struct problem why = {0};
    struct stop stop = {.kind = STOP_DONE};
    trace_init(&lasso, x->p->ts.words);
    check_forget_trace(c);
    if (!lasso_find(x, &lasso, &stop)) {
        char *reason = text_format("a fair execution without must progress exists, but it cannot be shown: %s",
                                   stop.kind == STOP_FAULT ? stop.fault.text : stop.reason);
        check_inconclusive(c, reason);
        free(reason);
    } else if (!ltl_trace(t, &lasso, x, c->w, &why)) {
        check_answer(c, VERDICT_INTERNAL, PROP_NONE, text_format("internal error: %s", why.text));
        check_forget_trace(c);
    } else if (believe(c)) {
        t->no_return = last_progress(t);
        assert(t->no_return < t->count && (t->cycle == TRACE_NONE || t->no_return <= t->cycle));
        check_answer(c, VERDICT_VIOLATED, PROP_MUST,
                     text_format("%s: a fair execution %s", property_headline(PROP_MUST),
                                 t->cycle == TRACE_NONE ? "that ends in the last state"
                                                        : "that repeats the part after ---------- for ever"));
    }
    problem_fini(&why);
    trace_fini(&lasso);
}

/* Model code failed in a state of the product. */
static void fault(struct check *c, struct emptiness *x) {
    const struct ts_fault *f = &x->stop.fault;
    struct trace way;
    struct stop stop = {.kind = STOP_DONE};
    struct problem why = {0};
    check_fault(c, f);
    check_forget_trace(c);
    trace_init(&way, x->p->ts.words);
    if (x->found.count > 0 && f->kind != TS_CRASHED && f->kind != TS_ENDLESS &&
        lasso_way(x, x->found.states, 1, &way, &stop) && !ltl_trace(&c->a->trace, &way, x, c->w, &why))
        check_forget_trace(c);
    trace_fini(&way);
    problem_fini(&why);
}

/* ---- The search ---- */

/* FOUND: the answer is there. */
static enum outcome take_result(struct check *c, struct emptiness *x) {
    if (x->stop.kind == STOP_FAULT) fault(c, x);
    else if (x->stop.kind != STOP_DONE) check_inconclusive(c, x->stop.reason);
    else if (x->found.kind == FOUND_NOTHING) return OUTCOME_NONE;
    else violation(c, x);
    return OUTCOME_FOUND;
}

/* GIVEN_UP: there is no memory for the edges of the product, or for what they mean. */
static enum outcome search(struct check *c, struct product *p, bool levels) {
    const struct means means = {.threads = levels ? c->s.team.size : 1, .deep = !levels};
    struct space s;
    struct problem why = {0};
    enum outcome result = OUTCOME_FOUND;
    struct ts_worker *worker = product_worker(p, c->w);
    if (!space_init(&s, &p->ts, worker, &c->s.limits, &means, &why)) {
        check_inconclusive(c, why.text);
    } else {
        struct emptiness x = {.p = p, .s = &s, .fair = c->q->fair};
        s.ticker = c->s.ticker;
        if (levels) emptiness_levels(&x);
        else emptiness_tarjan(&x);
        bool no_memory = levels && x.stop.kind == STOP_LIMIT && !limits_over(&s.limits);
        result = no_memory ? OUTCOME_GIVEN_UP : take_result(c, &x);
        found_fini(&x.found);
        space_fini(&s);
    }
    p->ts.ops->worker_free(worker);
    problem_fini(&why);
    return result;
}

/* True: nothing was found. */
static bool search_product(struct check *c, struct product *p) {
    enum outcome result = p->ts.transitions > EDGES_MOST_COUNT ? OUTCOME_GIVEN_UP : search(c, p, true);
    if (result == OUTCOME_GIVEN_UP) {
        if (c->s.team.size > 1)
            c->a->one_thread = "the edges of the product could not be kept, and without them fairness takes one thread";
        result = search(c, p, false);
    }
    return result == OUTCOME_NONE;
}

bool check_fair_must_progress(struct check *c) {
    struct ba automaton;
    struct product p;
    struct problem why = {0};
    make_automaton(&automaton);
    bool good = product_init(&p, c->ts, &automaton, NULL, &why);
    if (good) {
        p.wanted[0] = valuation_of_class(c->ts, TS_MUST); /* even if the model declares another one with this name */
        p.finite = !c->q->terminal_not_must;
        good = search_product(c, &p);
        product_fini(&p);
    } else {
        check_inconclusive(c, why.text);
    }
    ba_fini(&automaton);
    problem_fini(&why);
    return good;
}
