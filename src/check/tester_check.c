#include "check/tester_check.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "explore/lasso.h"
#include "store/omissions.h"
#include "check/tester_execution.h"
#include "check/product_answer.h"

struct inquiry {
    struct answer *a;
    struct ts *ts;
    struct ts_worker *w;
    const struct tester_question *q;
    const struct limits *limits;
    struct means means;
    const struct ticker *ticker;
    struct tester_product product;
    struct ts_worker *worker; /* of the product */
    uint32_t last;            /* the state of the tester at the end of an execution that was found */
    bool done;                /* there is an answer */
};

static void answer(struct inquiry *i, enum verdict verdict, char *message) {
    watched_answer(i->a, verdict, message);
    i->done = true;
}

/* ---- What was found ---- */

static enum tester_kind kind_of(enum found_kind found) {
    switch (found) {
    case FOUND_PREFIX: return TESTER_REJECT;
    case FOUND_END: return TESTER_DEADLOCK;
    case FOUND_LIVELOCK: return TESTER_LIVELOCK;
    default: return TESTER_INFINITE;
    }
}

/* As in JSON; and the same with what has happened. */
static const char *error_name(enum tester_kind kind) {
    switch (kind) {
    case TESTER_REJECT: return "illegal trace";
    case TESTER_DEADLOCK: return "illegal stable failure";
    case TESTER_LIVELOCK: return "illegal divergence";
    default: return "illegal infinite trace";
    }
}

/* "{a, b}": what a deadlock monitor waits for, and no legal system refuses. To be freed; NULL: nothing. */
static char *list_needs(const struct tester *t, uint32_t state) {
    char *list = NULL;
    for (const struct lts_edge *e = lts_begin(&t->lts, state); e < lts_end(&t->lts, state); e++) {
        if (e->label == LTS_TAU || (t->kinds[e->target] & TESTER_REJECT)) continue;
        char *longer = text_format("%s%s%s", list ? list : "", list ? ", " : "", t->lts.labels.text[e->label]);
        free(list);
        list = longer;
    }
    return list;
}

/* The tester was made of a specification. */
static char *describe_spec(const struct inquiry *i, enum tester_kind kind) {
    const struct tester *t = i->q->tester;
    char *needs = kind == TESTER_DEADLOCK ? list_needs(t, i->last) : NULL, *text;
    if (kind == TESTER_REJECT)
        text = text_format("Not below %s (%s): the specification does not have this trace", t->name, t->refines);
    else if (kind == TESTER_LIVELOCK)
        text = text_format("Not below %s (%s): the part after ---------- can be repeated for ever without a visible "
                           "action; after this trace, the specification cannot diverge",
                           t->name, t->refines);
    else
        text = text_format("Not below %s (%s): the last state is stable%s%s%s; after this trace, the specification "
                           "has no such state",
                           t->name, t->refines, needs ? " and refuses {" : "", needs ? needs : "", needs ? "}" : "");
    free(needs);
    return text;
}

static char *describe(const struct inquiry *i, enum tester_kind kind) {
    if (i->q->tester->refines) return describe_spec(i, kind);
    const struct trace *t = &i->a->trace;
    const char *tester = i->q->tester->name;
    const char *state = t->notes->beside[t->cycle == TRACE_NONE ? t->count - 1 : t->cycle];
    switch (kind) {
    case TESTER_REJECT: return text_format("Illegal trace: the tester %s reaches its reject state %s", tester, state);
    case TESTER_DEADLOCK:
        return text_format("Illegal stable failure: nothing can occur any more, and the tester %s is in its deadlock "
                           "monitor %s",
                           tester, state);
    case TESTER_LIVELOCK:
        return text_format("Illegal divergence: the part after ---------- can be repeated for ever, the tester %s "
                           "sees none of it, and is in its livelock monitor %s",
                           tester, state);
    default:
        return text_format("Illegal infinite trace: the part after ---------- can be repeated for ever, and the "
                           "tester %s visits infinite-trace monitors infinitely often",
                           tester);
    }
}

static void forget_trace(struct inquiry *i) {
    trace_fini(&i->a->trace);
    trace_init(&i->a->trace, i->ts->words);
}

/* An execution of the product becomes one of the model, and is held against the definition of testers. */
static void violation(struct inquiry *i, struct emptiness *x) {
    enum tester_kind kind = kind_of(x->found.kind);
    struct trace lasso;
    struct stop stop;
    struct problem why = {0};
    trace_init(&lasso, x->p->ts.words);
    product_full(i->worker);
    if (!lasso_find(x, &lasso, &stop)) {
        answer(i, VERDICT_INCONCLUSIVE,
               text_format("an %s was found, but it cannot be shown: %s", error_name(kind),
                           stop.kind == STOP_FAULT ? stop.fault.text : stop.reason));
        trace_fini(&lasso);
        return;
    }
    tester_trace(&i->a->trace, &lasso, &i->product, i->w);
    i->last = product_state(&i->product.p, trace_state(&lasso, lasso.count - 1));
    trace_fini(&lasso);
    switch (tester_trace_believe(&i->a->trace, i->ts, i->w, i->q->tester, kind, x->s->limits.interrupted, &why)) {
    case BELIEF_YES:
        answer(i, VERDICT_VIOLATED, describe(i, kind));
        i->a->tester.error = error_name(kind);
        break;
    case BELIEF_NO:
        answer(i, VERDICT_INTERNAL,
               text_format("internal error: the execution found is no %s: %s", error_name(kind), why.text));
        forget_trace(i);
        break;
    case BELIEF_GIVEN_UP:
        answer(i, VERDICT_INCONCLUSIVE,
               text_format("an %s was found, but not confirmed: interrupted", error_name(kind)));
        forget_trace(i);
        break;
    }
    problem_fini(&why);
}

/* Model code failed in a state of the product. */
static void fault(struct inquiry *i, struct emptiness *x) {
    const struct ts_fault *f = &x->stop.fault;
    struct trace way;
    struct stop stop = {.kind = STOP_DONE};
    watched_fault(i->a, i->ts, i->w, f);
    i->done = true;
    trace_init(&way, x->p->ts.words);
    if (x->found.count > 0 && f->kind != TS_CRASHED && f->kind != TS_ENDLESS &&
        lasso_way(x, x->found.states, 1, &way, &stop))
        tester_trace(&i->a->trace, &way, &i->product, i->w);
    trace_fini(&way);
}

/* ---- Searching ---- */

static void take_counts(struct inquiry *i, struct space *s, const struct emptiness *x) {
    watched_counts(i->a, s);
    i->a->tester.twice += x->twice;
}

static void search(struct inquiry *i, enum ltl_algorithm algorithm) {
    struct space s;
    struct problem why = {0};
    struct product *p = &i->product.p;
    if (i->done) return;
    i->worker = tester_product_worker(&i->product, i->w);
    if (!space_init(&s, &p->ts, i->worker, i->limits, &i->means, &why)) {
        answer(i, VERDICT_INCONCLUSIVE, memory_copy_string(why.text));
    } else {
        struct emptiness x = {.p = p,
                              .s = &s,
                              .favour = i->q->favour,
                              .early = algorithm != LTL_CVWY,
                              .depth_first = i->q->depth_first,
                              .only_livelocks = !(tester_kinds(i->q->tester) & TESTER_INFINITE)};
        if (i->ticker) s.ticker = *i->ticker;
        engine_of_algorithm(algorithm)->run_tester(&x);
        take_counts(i, &s, &x);
        if (x.stop.kind == STOP_FAULT) fault(i, &x);
        else if (x.stop.kind != STOP_DONE) answer(i, VERDICT_INCONCLUSIVE, memory_copy_string(x.stop.reason));
        else if (x.found.kind != FOUND_NOTHING) violation(i, &x);
        found_fini(&x.found);
        space_fini(&s);
    }
    p->ts.ops->worker_free(i->worker);
    problem_fini(&why);
}

/* Infinite traces need a search of their own; without livelock monitors, it finds all the rest as well. But levels
 * looks for all at a time. */
static void search_all(struct inquiry *i) {
    if (i->q->algorithm == LTL_LEVELS) {
        i->a->tester.algorithm = engine_of_algorithm(LTL_LEVELS)->name;
        search(i, LTL_LEVELS);
        return;
    }
    unsigned kinds = tester_kinds(i->q->tester);
    bool infinite = kinds & TESTER_INFINITE;
    enum ltl_algorithm given = i->q->algorithm, second = given;
    if (given == LTL_DEFAULT || given == LTL_ONE_PASS) second = LTL_TARJAN;
    bool one_pass = given == LTL_ONE_PASS || (kinds & TESTER_LIVELOCK) || (given == LTL_DEFAULT && !infinite);
    const struct engine *engine = engine_of_algorithm(second);
    i->a->search.order = one_pass && !infinite && !i->q->depth_first ? ORDER_BFS : ORDER_DFS;
    i->a->tester.algorithm = !one_pass  ? engine->name
                             : infinite ? engine->then
                                        : engine_of_algorithm(LTL_ONE_PASS)->name;
    if (one_pass) search(i, LTL_ONE_PASS);
    if (!one_pass || infinite) search(i, second);
}

static void conclude(struct inquiry *i) {
    struct answer *a = i->a;
    if (!i->done && a->exact) answer(i, VERDICT_HOLDS, NULL);
    if (!i->done) {
        char *losses = losses_told(a->store, a->omitted, a->coverage);
        answer(i, VERDICT_INCONCLUSIVE, text_format("no error found, but %s", losses));
        free(losses);
    }
    a->tester.absent = tester_product_absent(&i->product);
    if (i->product.all_visible)
        a->note = "the model does not say which transitions are visible (.observable): all of them count as "
                  "visible, and stubborn sets leave nothing out";
    else if (i->q->stubborn && a->tester.error)
        a->note = "stubborn sets preserve whether anything is illegal; other errors, also of other kinds, "
                  "may be left out";
}

static void audit_rules(struct inquiry *i) {
    struct ts_worker *worker = tester_product_worker(&i->product, i->w);
    watched_rules(i->a, &i->product.p, i->w, worker, i->q->no_audit, i->limits, i->ticker);
    i->product.p.ts.ops->worker_free(worker);
}

static bool makes_sense(const struct inquiry *i, struct problem *why) {
    const struct reduction *r = &i->ts->reduction;
    if (i->ts->actions == 0)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s has no actions, so a tester sees nothing; .action names what an observer sees of each "
                           "transition",
                           i->ts->path);
    if (r->symmetry)
        return problem_set(
            why, EXIT_BAD_INPUT,
            "testers are run without symmetry: actions may tell symmetric states apart; leave --symmetry "
            "out");
    if (i->q->stubborn && !ts_has(i->ts, TS_OBLIGATIONS) && !i->ts->derived)
        return problem_set(why, EXIT_BAD_INPUT, "%s has no obligations for stubborn sets; leave --stubborn out",
                           i->ts->path);
    const char *hindrance = i->q->algorithm == LTL_LEVELS ? emptiness_no_levels(&i->means.store) : NULL;
    return !hindrance || problem_set(why, EXIT_BAD_INPUT, "%s", hindrance);
}

static bool fits(const struct inquiry *i, struct problem *why) {
    return i->q->algorithm != LTL_LEVELS || i->product.p.ts.transitions <= EDGES_MOST_COUNT ||
           problem_set(why, EXIT_BAD_INPUT,
                       "the tester and the model are too large together for 'levels'; take another algorithm");
}

bool tester_check(struct answer *a, struct ts *ts, struct ts_worker *w, const struct tester_question *q,
                  const struct limits *limits, const struct means *means, const struct ticker *ticker,
                  struct problem *why) {
    struct inquiry i = {.a = a, .ts = ts, .w = w, .q = q, .limits = limits, .ticker = ticker};
    double start = clock_seconds();
    *a = (struct answer){
        .verdict = VERDICT_INCONCLUSIVE, .checked = PROP_TESTER, .threads = 1, .exact = true, .coverage = 1};
    a->tester.name = memory_copy_string(q->tester->name);
    a->tester.refines = q->tester->refines;
    a->tester.states = q->tester->lts.states;
    a->tester.stubborn = q->stubborn;
    trace_init(&a->trace, ts->words);
    if (means) i.means.store = means->store;
    i.means.deep = q->algorithm != LTL_LEVELS;
    i.means.threads = means && q->algorithm == LTL_LEVELS ? means->threads : 1;
    if (!makes_sense(&i, why) || !tester_product_init(&i.product, ts, w, q->tester, q->stubborn, why)) return false;
    bool good = fits(&i, why);
    if (good) search_all(&i);
    if (good) conclude(&i);
    if (good) audit_rules(&i);
    tester_product_fini(&i.product);
    a->seconds = clock_seconds() - start;
    return good;
}
