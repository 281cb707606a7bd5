#include "check/ltl_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "omega/ltl/ltl.h"
#include "omega/stutter.h"
#include "base/clock.h"
#include "base/text.h"
#include "omega/prepare.h"
#include "explore/graph_product.h"
#include "explore/lasso.h"
#include "store/omissions.h"
#include "check/product_execution.h"
#include "check/product_answer.h"

/* States of the product that the default looks at on the fly, before the whole graph of the model is built: many errors
 * are met early, and small products need no graph. */
#define LOOKED_AT_FIRST (UINT64_C(1) << 16)

struct inquiry {
    struct answer *a;
    struct ts *ts;
    struct ts_worker *w;
    const struct ltl_question *q;
    const struct limits *limits;
    struct means means;
    unsigned threads; /* that algorithms for several of them may use */
    const struct ticker *ticker;
    struct ltl ltl;
    uint32_t formula;
    struct ba ba;
    struct ta ta;
    bool has_ba, has_ta;
    uint64_t momentary; /* stubborn: propositions about actions that hold just after them */
    bool graph;         /* the graph of the model may be asked */
    bool done;          /* there is an answer */
};

static void answer(struct inquiry *i, enum verdict verdict, char *message) {
    watched_answer(i->a, verdict, message);
    i->done = true;
}

/* ---- Automata ---- */

static bool has_kind(const struct ta *a, uint8_t kind) {
    for (uint32_t s = 0; s < a->states; s++)
        if (a->accept[s] & kind) return true;
    return false;
}

/* With stubborn sets: which propositions are momentary? */
static bool find_momentary(struct inquiry *i, struct problem *why) {
    struct product p;
    if (!product_init(&p, i->ts, i->has_ba ? &i->ba : NULL, i->has_ba ? NULL : &i->ta, why)) return false;
    i->momentary = p.momentary;
    product_fini(&p);
    return true;
}

/* Stubborn sets change how often nothing of interest happens. May they? */
static bool may_reduce(struct inquiry *i, struct problem *why) {
    bool insensitive;
    if (!find_momentary(i, why)) return false;
    if (!ltl_idle_insensitive(&i->ltl, i->formula, i->momentary, NULL, &i->ba, &insensitive, why)) return false;
    if (insensitive) return true;
    return problem_set(why, EXIT_BAD_INPUT,
                       i->momentary
                           ? "the formula depends on how many other actions occur between those that it names (as p U "
                             "q does, for actions p and q), and --stubborn changes that; leave --stubborn out"
                           : "the formula depends on how often a state is repeated (X ...), and --stubborn changes "
                             "that; leave --stubborn out");
}

/* A testing automaton, if it is of use. False: one-pass was asked for, and is impossible. */
static bool make_ta(struct inquiry *i, struct problem *why) {
    bool asked = i->q->algorithm == LTL_ONE_PASS, insensitive;
    struct problem ignored = {0}, *reason = asked ? why : &ignored;
    if (!ltl_stutter_insensitive(&i->ltl, i->formula, NULL, &i->ba, &insensitive, reason)) {
        problem_fini(&ignored);
        return !asked;
    }
    if (!insensitive && asked)
        return problem_set(why, EXIT_BAD_INPUT,
                           "one-pass needs a testing automaton, and a formula that depends on how often a state is "
                           "repeated (X ...) has none; leave --algorithm out, or take nested or tarjan");
    i->has_ta = insensitive && ltl_to_ta(&i->ba, &i->ta, reason);
    problem_fini(&ignored);
    if (asked) return i->has_ta;
    /* One pass would not do. Levels would, and it pays if the automaton guides stubborn sets. */
    bool guides = i->q->algorithm == LTL_LEVELS && i->q->stubborn;
    if (i->has_ta && !guides && has_kind(&i->ta, ACCEPT_INFINITE)) {
        ta_fini(&i->ta);
        i->has_ta = false;
    }
    return true;
}

/* A given automaton reads actions: then it must be a Büchi automaton, since actions cease to hold by themselves, which
 * a testing automaton would take for changes. */
static bool may_reduce_actions(struct inquiry *i, struct problem *why) {
    bool insensitive;
    if (i->q->algorithm == LTL_ONE_PASS)
        return problem_set(why, EXIT_BAD_INPUT,
                           "one-pass with --stubborn cannot be used with automata that read actions; let %s read "
                           "fluents, leave --algorithm out, or take nested or tarjan",
                           i->q->name);
    if (i->has_ta) {
        ta_fini(&i->ta);
        i->has_ta = false;
        if (!given_automaton(i->q->given, false, &i->ba, &i->ta, why)) return false;
        i->has_ba = true;
    }
    if (!stutter_idle_insensitive(&i->ba, i->momentary, &insensitive, why)) return false;
    if (insensitive) return true;
    return problem_set(why, EXIT_BAD_INPUT,
                       "the automaton of %s depends on how many other actions occur between those that it reads, "
                       "and --stubborn changes that; let it read fluents instead of actions, or leave --stubborn "
                       "out",
                       i->q->name);
}

/* The same for a given automaton. A testing automaton reads changes only, so it cannot tell. */
static bool may_reduce_given(struct inquiry *i, struct problem *why) {
    const struct hoa *given = i->q->given;
    bool insensitive = true;
    if (!find_momentary(i, why)) return false;
    if (i->momentary) return may_reduce_actions(i, why);
    if (!given->testing && !i->has_ta && !stutter_insensitive(&i->ba, &insensitive, why)) return false;
    if (insensitive) return true;
    return problem_set(why, EXIT_BAD_INPUT,
                       "the automaton of %s depends on how often a state is repeated, and --stubborn changes "
                       "that; leave --stubborn out",
                       i->q->name);
}

/* The default for a testing automaton is one-pass, for a Büchi automaton strong components. */
static bool take_given(struct inquiry *i, struct problem *why) {
    const struct ltl_question *q = i->q;
    bool any = (q->algorithm == LTL_DEFAULT || q->algorithm == LTL_LEVELS) && !q->fair;
    bool testing = q->algorithm == LTL_ONE_PASS || (any && q->given->testing);
    i->a->ltl.file = memory_copy_string(q->name);
    if (!given_automaton(q->given, testing, &i->ba, &i->ta, why)) return false;
    i->has_ta = testing;
    i->has_ba = !testing;
    return !q->stubborn || may_reduce_given(i, why);
}

static bool make_automata(struct inquiry *i, struct problem *why) {
    const struct ltl_question *q = i->q;
    if (q->given) return take_given(i, why);
    if (!ltl_parse(&i->ltl, q->formula, &i->formula, why)) return false;
    i->a->ltl.formula = q->name ? text_format("%s: %s", q->name, q->formula) : memory_copy_string(q->formula);
    i->has_ba = ltl_to_ba(&i->ltl, i->formula, true, &i->ba, why);
    if (!i->has_ba) return false;
    if (q->stubborn && !may_reduce(i, why)) return false;
    bool wanted =
        q->algorithm == LTL_ONE_PASS || ((q->algorithm == LTL_DEFAULT || q->algorithm == LTL_LEVELS) && !q->fair);
    return !wanted || i->momentary || make_ta(i, why);
}

/* ---- What was found ---- */

static const char *wrong(const struct inquiry *i) {
    return i->q->given ? "the automaton accepts" : "violates the formula";
}

static const char *how_it_goes_on(const struct trace *t, bool prefix) {
    if (prefix) return "whatever follows the last state";
    if (t->cycle == TRACE_NONE) return "an execution that ends in the last state";
    return "an execution that repeats the part after ---------- for ever";
}

static char *describe(const struct inquiry *i, bool prefix) {
    const char *how = how_it_goes_on(&i->a->trace, prefix), *headline = property_headline((enum property)i->a->checked);
    if (i->q->given) return text_format("%s: %s: %s", headline, i->a->ltl.file, how);
    return text_format("%s: %s: violated by %s", headline, i->a->ltl.formula, how);
}

/* The lasso of the product becomes an execution of the model, and is held against formula or automaton. */
static void violation(struct inquiry *i, struct emptiness *x) {
    struct ltl_claim claim = {&i->ltl, i->formula, i->q->given};
    struct trace lasso;
    struct stop stop;
    struct problem why = {0};
    trace_init(&lasso, x->p->ts.words);
    product_full(x->s->worker);
    if (!lasso_find(x, &lasso, &stop)) {
        answer(i, VERDICT_INCONCLUSIVE,
               text_format("an execution that %s exists, but it cannot be shown: %s", wrong(i),
                           stop.kind == STOP_FAULT ? stop.fault.text : stop.reason));
    } else if (!ltl_trace(&i->a->trace, &lasso, x, i->w, &why) ||
               !ltl_trace_believe(&i->a->trace, &lasso, x, i->w, &claim, &why)) {
        answer(i, VERDICT_INTERNAL,
               text_format("internal error: the execution found is no counterexample: %s", why.text));
        trace_fini(&i->a->trace);
        trace_init(&i->a->trace, i->ts->words);
    } else {
        bool prefix = x->found.kind == FOUND_PREFIX && !ltl_trace_ended(&lasso, x);
        answer(i, VERDICT_VIOLATED, describe(i, prefix));
    }
    problem_fini(&why);
    trace_fini(&lasso);
}

/* Model code failed in a state of the product. */
static void fault(struct inquiry *i, struct emptiness *x) {
    const struct ts_fault *f = &x->stop.fault;
    struct trace way;
    struct stop stop = {.kind = STOP_DONE};
    struct problem why = {0};
    watched_fault(i->a, i->ts, i->w, f);
    i->done = true;
    trace_init(&way, x->p->ts.words);
    product_full(x->s->worker);
    if (x->found.count > 0 && f->kind != TS_CRASHED && f->kind != TS_ENDLESS &&
        lasso_way(x, x->found.states, 1, &way, &stop) && !ltl_trace(&i->a->trace, &way, x, i->w, &why)) {
        trace_fini(&i->a->trace);
        trace_init(&i->a->trace, i->ts->words);
    }
    trace_fini(&way);
    problem_fini(&why);
}

/* ---- Searching ---- */

static void run(struct inquiry *i, struct emptiness *x, enum ltl_algorithm algorithm) {
    const struct engine *engine = engine_of_algorithm(algorithm);
    assert(engine && engine->run);
    if (!i->a->ltl.algorithm || algorithm == LTL_ONE_PASS) i->a->ltl.algorithm = engine->name;
    engine->run(x);
}

static void take_counts(struct inquiry *i, struct space *s, const struct emptiness *x) {
    watched_counts(i->a, s);
    i->a->ltl.twice += x->twice;
}

/* Livelocks are looked for. Is there more to look for? */
static bool may_change_for_ever(const struct inquiry *i, const struct product *p) {
    if (i->has_ta) return has_kind(&i->ta, ACCEPT_INFINITE);
    return !p->livelock || product_may_read_for_ever(p);
}

/* What a search has ended with. */
static void take_result(struct inquiry *i, struct space *s, struct emptiness *x) {
    take_counts(i, s, x);
    if (x->not_shortest) i->a->note = "the search for a shortest cycle was given up: this one need not be shortest";
    if (x->stop.kind == STOP_FAULT) fault(i, x);
    else if (x->stop.kind != STOP_DONE) answer(i, VERDICT_INCONCLUSIVE, memory_copy_string(x->stop.reason));
    else if (x->found.kind != FOUND_NOTHING) violation(i, x);
}

static struct emptiness emptiness_of(const struct inquiry *i, struct product *p, struct space *s) {
    return (struct emptiness){.p = p,
                              .s = s,
                              .favour = i->q->favour,
                              .depth_first = i->q->depth_first,
                              .shortest = i->q->shortest,
                              .fair = i->q->fair};
}

/* One search of one product. False: it has met `most` states (0: any number), and has found nothing; then it counts as
 * if it had not been. */
static bool search(struct inquiry *i, struct product *p, enum ltl_algorithm algorithm, uint64_t most) {
    struct space s;
    struct problem why = {0};
    struct limits limits = *i->limits;
    struct ts_worker *worker = product_worker(p, i->w);
    bool over = true;
    if (most) limits.max_states = most;
    if (!space_init(&s, &p->ts, worker, &limits, &i->means, &why)) {
        answer(i, VERDICT_INCONCLUSIVE, memory_copy_string(why.text));
    } else {
        struct emptiness x = emptiness_of(i, p, &s);
        x.early = algorithm != LTL_CVWY;
        x.only_livelocks = !may_change_for_ever(i, p);
        if (i->ticker) s.ticker = *i->ticker;
        run(i, &x, algorithm);
        over = !most || x.stop.kind != STOP_LIMIT || s.states < most;
        if (over) take_result(i, &s, &x);
        found_fini(&x.found);
        space_fini(&s);
    }
    p->ts.ops->worker_free(worker);
    problem_fini(&why);
    return over;
}

/* The graph of the model, and then the product, without model code. False: it cannot be done so. */
static bool search_graph(struct inquiry *i) {
    struct space s, model;
    struct product p;
    struct problem why = {0};
    struct means means = {.store = i->means.store, .threads = i->threads};
    struct ts_worker *worker;
    bool over = false;
    assert(i->has_ba && !i->q->stubborn && !i->q->fair); /* find_graph has seen to that */
    if (!product_init(&p, i->ts, &i->ba, NULL, &why)) return problem_fini(&why), false;
    worker = product_worker(&p, i->w);
    if (space_init(&s, &p.ts, worker, i->limits, NULL, &why)) {
        struct emptiness x = emptiness_of(i, &p, &s);
        if (space_init(&model, i->ts, i->w, i->limits, &means, &why)) {
            if (i->ticker) model.ticker = *i->ticker;
            over = graph_product_search(&x, &model) != OUTCOME_GIVEN_UP || x.stop.kind == STOP_LIMIT;
            i->threads = model.team.size;
            space_fini(&model);
        }
        if (over) {
            i->a->search.order = ORDER_BFS;
            i->a->ltl.algorithm = engine_of_algorithm(LTL_GRAPH)->name;
            i->a->ltl.testing = false;
            i->a->ltl.automaton_states = i->ba.states;
            take_result(i, &s, &x);
            i->a->threads = i->threads;
        }
        found_fini(&x.found);
        space_fini(&s);
    }
    p.ts.ops->worker_free(worker);
    product_fini(&p);
    problem_fini(&why);
    return over;
}

static void conclude(struct inquiry *i) {
    if (i->done) return;
    if (i->a->exact) {
        answer(i, VERDICT_HOLDS, NULL);
        return;
    }
    char *losses = losses_told(i->a->store, i->a->omitted, i->a->coverage);
    answer(i, VERDICT_INCONCLUSIVE, text_format("no error found, but %s", losses));
    free(losses);
}

/* In an automaton, the name of an action that the model has not is more likely a mistake than meant. */
static bool all_known(const struct product *p, struct problem *why) {
    const struct names *names = p->ba ? &p->ba->propositions : &p->ta->propositions;
    uint64_t unknown = 0;
    for (uint32_t f = 0; f < p->free.count; f++) unknown |= p->effects[p->base->actions + f].begins & p->momentary;
    if (!unknown) return true;
    return problem_set(why, EXIT_BAD_INPUT, "%s has neither an action nor a fluent '%s', which the automaton reads",
                       p->base->path, names->text[__builtin_ctzll(unknown)]);
}

static bool note_free_actions(struct inquiry *i, const struct product *p, struct problem *why) {
    if (p->free.count == 0) return true;
    i->a->note = i->q->given ? "fluents of the automaton name actions that the model does not have; they may occur at "
                               "any time"
                             : "the formula names actions that the model does not have; they may occur at any time";
    return !i->q->given || all_known(p, why);
}

static void audit_rules(struct inquiry *i, struct product *p) {
    struct ts_worker *worker = product_worker(p, i->w);
    watched_rules(i->a, p, i->w, worker, i->q->no_audit, i->limits, i->ticker);
    p->ts.ops->worker_free(worker);
}

/* What there is to do if the graph of the model cannot be kept, or model code fails somewhere in it. */
static enum ltl_algorithm without_graph(struct inquiry *i, enum ltl_algorithm algorithm) {
    i->a->note = "there was not enough memory for the graph of the model; the product was searched instead";
    i->a->ltl.algorithm = NULL;
    i->graph = false;
    if (i->q->parallel || i->q->algorithm == LTL_GRAPH) algorithm = LTL_LEVELS;
    i->means.deep = algorithm != LTL_LEVELS;
    i->means.threads = algorithm == LTL_LEVELS ? i->threads : 1;
    return algorithm;
}

static void search_product(struct inquiry *i, struct product *p, enum ltl_algorithm algorithm) {
    i->a->ltl.testing = i->has_ta;
    i->a->ltl.automaton_states = i->has_ta ? i->ta.states : i->ba.states;
    bool first = i->graph && i->q->algorithm == LTL_DEFAULT && !i->q->parallel;
    bool over = (first && search(i, p, algorithm, LOOKED_AT_FIRST)) || (i->graph && search_graph(i));
    if (!over) {
        if (i->graph) algorithm = without_graph(i, algorithm);
        search(i, p, algorithm, 0);
    }
    if (!i->done && algorithm == LTL_ONE_PASS && may_change_for_ever(i, p)) search(i, p, LTL_TARJAN, 0);
    conclude(i);
    audit_rules(i, p);
}

static bool guide(struct inquiry *i, struct product *p, struct problem *why) {
    bool unknown;
    if (!i->q->stubborn) return true;
    i->a->ltl.stubborn = true;
    if (!product_guide(p, i->w, &unknown, why)) return false;
    if (unknown)
        i->a->note = "stubborn sets: the model does not say which transitions change the propositions of the "
                     "formula (CHANGES), so any may, and little or nothing is left out";
    return true;
}

/* May the graph of the model be asked? Who limits the states means those of the product, unless it was asked for. */
static void find_graph(struct inquiry *i, const struct product *p) {
    const struct ltl_question *q = i->q;
    bool meant = q->algorithm == LTL_GRAPH || (q->algorithm == LTL_DEFAULT && !i->limits->max_states);
    /* Levels go by the testing automaton that there is, and end where it accepts whatever follows. */
    if (q->parallel && i->has_ta) meant = false;
    i->graph = meant && !q->given && !q->stubborn && !q->fair && i->has_ba && !p->by_action &&
               graph_product_suits(&i->ba, i->ts, &i->means.store);
}

/* Which algorithm it will be. Actions that hold for a moment need no testing automaton: idle positions are skipped. */
static bool choose_algorithm(struct inquiry *i, struct product *p, enum ltl_algorithm *algorithm, struct problem *why) {
    bool any = i->q->algorithm == LTL_DEFAULT, asked = i->q->algorithm == LTL_ONE_PASS;
    find_graph(i, p);
    if (i->q->algorithm == LTL_GRAPH && !i->graph)
        return problem_set(
            why, EXIT_BAD_INPUT,
            "'graph' is for formulas about propositions of states, of few propositions, without --stubborn "
            "and fairness, and with a store of whole states; leave --algorithm out, or take levels");
    bool levels = i->q->algorithm == LTL_LEVELS || (any && i->q->parallel && !i->graph);
    i->means.deep = !levels;
    i->means.threads = levels ? i->threads : 1;
    bool skips =
        i->momentary && !i->q->given && (asked || levels || (any && !product_may_read_for_ever(p))) && product_skip(p);
    if (asked && !i->has_ta && !skips)
        return problem_set(why, EXIT_BAD_INPUT,
                           "one-pass with --stubborn: too many fluents in a formula that also names actions "
                           "(2^fluents times the automaton's states must be at most 4096); leave --algorithm out, or "
                           "take nested or tarjan");
    if (levels && p->ts.transitions > EDGES_MOST_COUNT)
        return problem_set(why, EXIT_BAD_INPUT,
                           "the automaton and the model are too large together for 'levels'; take another algorithm, "
                           "such as tarjan");
    *algorithm = levels ? LTL_LEVELS : i->has_ta || skips ? LTL_ONE_PASS : any ? LTL_TARJAN : i->q->algorithm;
    bool breadth = levels || (*algorithm == LTL_ONE_PASS && !i->q->depth_first);
    i->a->search.order = breadth ? ORDER_BFS : ORDER_DFS;
    return true;
}

static bool search_all(struct inquiry *i, struct problem *why) {
    struct product p;
    enum ltl_algorithm algorithm = LTL_TARJAN;
    assert(i->has_ba || i->has_ta);
    if (!product_init(&p, i->ts, i->has_ta ? NULL : &i->ba, i->has_ta ? &i->ta : NULL, why)) return false;
    p.finite = i->q->given != NULL;
    if (p.finite) p.root_accept = given_accepts_nothing(i->q->given);
    bool good = guide(i, &p, why) && choose_algorithm(i, &p, &algorithm, why) && note_free_actions(i, &p, why);
    if (good) search_product(i, &p, algorithm);
    product_fini(&p);
    return good;
}

static bool refuse_fairness(struct problem *why) {
    char *others = algorithms_that_take(ENGINE_FAIR);
    problem_set(why, EXIT_BAD_INPUT, "fairness needs strong components: leave --algorithm out, or take %s", others);
    free(others);
    return false;
}

static bool makes_sense(const struct inquiry *i, struct problem *why) {
    const struct reduction *r = &i->ts->reduction;
    if (r->stubborn)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s was opened with stubborn sets that may leave out executions that violate a formula",
                           i->ts->path);
    if (i->q->stubborn && !ts_has(i->ts, TS_OBLIGATIONS) && !i->ts->derived)
        return problem_set(why, EXIT_BAD_INPUT, "%s: --stubborn needs obligations: %s", i->ts->path,
                           i->ts->whole_counts ? "there are none with priorities (>> or <<); leave --stubborn out"
                           : i->ts->asset      ? "there is no function void next_stubborn(unsigned)"
                                               : "MODEL(...) does not name an .obligations function");
    if (i->q->stubborn && i->q->fair)
        return problem_set(why, EXIT_BAD_INPUT,
                           "fairness depends on all enabled transitions, and --stubborn leaves some of them out; "
                           "leave one of the two options out");
    if (r->symmetry)
        return problem_set(why, EXIT_BAD_INPUT,
                           "formulas are checked without symmetry: propositions may tell symmetric states apart; leave "
                           "--symmetry out");
    if (i->q->fair && !algorithm_takes(i->q->algorithm, ENGINE_FAIR)) return refuse_fairness(why);
    if (i->q->shortest && (i->q->algorithm != LTL_LEVELS || i->q->stubborn || i->q->fair))
        return problem_set(why, EXIT_INTERNAL, "shortest cycles are looked for in the whole product, by levels");
    const char *hindrance = i->q->algorithm == LTL_LEVELS ? emptiness_no_levels(&i->means.store) : NULL;
    return !hindrance || problem_set(why, EXIT_BAD_INPUT, "%s", hindrance);
}

bool ltl_check(struct answer *a, struct ts *ts, struct ts_worker *w, const struct ltl_question *q,
               const struct limits *limits, const struct means *means, const struct ticker *ticker,
               struct problem *why) {
    struct inquiry i = {.a = a, .ts = ts, .w = w, .q = q, .limits = limits, .ticker = ticker};
    double start = clock_seconds();
    *a = (struct answer){.verdict = VERDICT_INCONCLUSIVE,
                         .checked = q->given ? PROP_AUTOMATON : PROP_LTL,
                         .threads = 1,
                         .exact = true,
                         .coverage = 1};
    trace_init(&a->trace, ts->words);
    if (means) i.means.store = means->store;
    i.threads = means ? means->threads : 1;
    ltl_init(&i.ltl);
    bool good = makes_sense(&i, why) && make_automata(&i, why) && search_all(&i, why);
    if (i.has_ba) ba_fini(&i.ba);
    if (i.has_ta) ta_fini(&i.ta);
    ltl_fini(&i.ltl);
    a->seconds = clock_seconds() - start;
    return good;
}
