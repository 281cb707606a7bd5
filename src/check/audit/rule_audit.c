/* Hand-written rules that the search has relied on: audited on a sample before the answer is believed. Where the search
 * keeps no states of the model, a small one beside it supplies them. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/answer.h"
#include "graph/explicit.h"
#include "check/audit/sample.h"
#include "check/audit/scout.h"
#include "check/product_answer.h"
#include "check/audit/product_sets.h"

static const char wrong_claim[] = "what .observable or CHANGES of the model says is wrong (try: onager audit)";
static const char wrong_obligations[] = "the obligations of the model are wrong (try: onager audit)";

/* What is audited, and where. */
struct rules {
    struct check *c;
    struct space *s;   /* states of the model, or */
    struct product *p; /* of this product of it */
};

static bool has_map(const struct ts *ts) { return ts->reduction.symmetry && ts_has(ts, TS_SYMMETRY); }

/* The execution of the model in one of the product: steps that are not the model's own are left out. */
static void take_model(struct trace *out, const struct product *p, const struct trace *way) {
    word *state = memory_get(out->words * sizeof(word));
    for (uint64_t i = 0; i < way->count; i++) {
        uint32_t move = i ? product_move(p, way->transitions[i]) : TS_NONE;
        if (i && move >= p->base->transitions) continue;
        product_model(p, trace_state(way, i), state);
        trace_add(out, move, state);
    }
    free(state);
}

static bool find_way(struct rules *r, uint64_t number, struct stop *stop) {
    struct trace *out = &r->c->a->trace, way;
    struct state_graph g;
    explicit_graph_init(&g, r->s);
    if (!r->p) return graph_way(&g, number, out, stop);
    trace_init(&way, r->s->ts->words);
    bool found = graph_way(&g, number, &way, stop);
    if (found) take_model(out, r->p, &way);
    trace_fini(&way);
    return found;
}

/* The execution to a state of the space, if there is a way to it; with symmetry, to a symmetric one. */
static void show_way(struct rules *r, uint64_t number) {
    struct stop stop = {.kind = STOP_DONE};
    check_forget_trace(r->c);
    if (find_way(r, number, &stop)) check_believe(r->c);
    else check_forget_trace(r->c);
}

static void show_way_to(struct rules *r, const struct sample *a) {
    if (a->number == SAMPLE_INITIAL || a->way_count) check_forget_trace(r->c); /* the message shows the state */
    else show_way(r, a->number);
}

/* What is wrong with the rules matters more than what else was to be noted. */
static void accuse(struct rules *r, const struct sample *a) {
    struct check *c = r->c;
    bool map = a->finding.fault == AUDIT_SUCCESSORS || a->finding.fault == AUDIT_CHECK_DIFFERS;
    bool claim = a->finding.fault >= AUDIT_CHANGES;
    if (c->a->verdict == VERDICT_VIOLATED) { /* the execution is real */
        c->a->note = claim ? wrong_claim
                     : map ? "the symmetry map of the model is wrong (try: onager audit)"
                           : wrong_obligations;
        return;
    }
    show_way_to(r, a);
    if (c->a->verdict != VERDICT_INTERNAL) check_answer(c, VERDICT_ERROR, PROP_NONE, sample_describe(a, c->ts, c->w));
}

/* From the last state of the trace, without the symmetry map. */
static bool go_on(struct check *c, const uint32_t *transitions, uint32_t count) {
    struct trace *t = &c->a->trace;
    struct ts_fault fault;
    word *next = memory_get(c->ts->words * sizeof(word));
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        good = c->ts->ops->fire(c->w, trace_state(t, t->count - 1), transitions[i], next, &fault) > 0;
        if (good) trace_add(t, transitions[i], next);
    }
    free(next);
    return good;
}

/* The model has raised an error in a state that can be reached, and the search did not meet it: it was left out. The
 * execution is real; with symmetry, that is not known. Rules that leave out what was to be found are wrong. */
static void answer_raised(struct rules *r, const struct sample *a) {
    struct check *c = r->c;
    bool wrong = c->a->verdict == VERDICT_HOLDS && (c->a->checked & PROP_MODEL_ERROR);
    c->a->note = NULL; /* it says that errors are not covered, if anything */
    if (!c->ts->reduction.symmetry) show_way_to(r, a);
    if (c->a->verdict == VERDICT_INTERNAL) return;
    if (c->a->trace.count > 0 && go_on(c, a->finding.outside, a->finding.outside_count)) {
        check_fault(c, &a->finding.model);
        if (check_believe(c) && wrong) c->a->note = wrong_obligations;
    } else {
        check_forget_trace(c);
        check_answer(c, wrong ? VERDICT_ERROR : VERDICT_INCONCLUSIVE, PROP_NONE, sample_describe(a, c->ts, c->w));
    }
}

static void audit_space(struct rules *r, const struct sample_question *q) {
    struct answer *a = r->c->a;
    struct sample sample;
    sample_take(&sample, r->s, q);
    a->audit.states = sample.states;
    a->audit.checks = sample.checks;
    if (sample.result == SAMPLE_STOPPED) a->audit.skipped = sample.stopped;
    if (sample.result == SAMPLE_MODEL && a->verdict != VERDICT_VIOLATED) {
        show_way_to(r, &sample);
        check_fault(r->c, &sample.finding.model);
    }
    if (sample.result == SAMPLE_RAISED) answer_raised(r, &sample);
    if (sample.result == SAMPLE_WRONG) accuse(r, &sample);
    if (sample.advice && !a->note)
        a->note = "symmetric states have different representatives: the map reduces less than it could, or it is wrong "
                  "(try: onager audit)";
    sample_fini(&sample);
}

/* The search has kept no states that could be audited: so a small one is made that does. `q->view` is that of a
 * product, or NULL. */
static void audit_scouted(const struct rules *all, struct sample_question *q, struct ts_worker *w,
                          const struct limits *limits, const struct ticker *ticker) {
    struct answer *a = all->c->a;
    struct space s;
    struct rules rules = {all->c, &s, all->p}, *r = &rules;
    struct stop stop;
    struct ts *ts = r->p ? &r->p->ts : r->c->ts;
    enum scouted scouted = scout_run(&s, ts, w, q->with_check ? TS_BAD : 0, limits, ticker, &stop);
    q->edges = scouted == SCOUT_NO_MEMORY ? 0 : s.edges;
    if (scouted == SCOUT_READY) audit_space(r, q);
    else a->audit.skipped = scouted == SCOUT_FAULT ? "model code failed" : "there was not enough memory";
    if (scouted == SCOUT_FAULT && a->verdict != VERDICT_VIOLATED) {
        bool usable = stop.fault.kind != TS_CRASHED && stop.fault.kind != TS_ENDLESS;
        if (usable) show_way(r, stop.state);
        else check_forget_trace(r->c);
        check_fault(r->c, &stop.fault);
    }
    if (stop.kind == STOP_BAD_STATE && a->verdict == VERDICT_INCONCLUSIVE)
        a->note = "the audit found a bad state near the initial one: leave --order random out to see it";
    if (scouted != SCOUT_NO_MEMORY) space_fini(&s);
}

/* Is there an answer that depends on the rules? */
static bool matters(const struct answer *a) { return a->verdict != VERDICT_ERROR && a->verdict != VERDICT_INTERNAL; }

void check_rules(struct check *c, const struct limits *limits, const struct ticker *ticker) {
    struct answer *a = c->a;
    struct rules r = {.c = c, .s = &c->s};
    struct sample_question q = {
        .obligations = sample_has_obligations(c->ts),
        .symmetry = has_map(c->ts),
        .with_check = (c->q->checks & PROP_SAFETY) != 0,
        .checks = (c->q->checks & PROP_SAFETY ? TS_BAD : 0u) | (c->q->checks & PROP_DEADLOCK ? AUDIT_DEADLOCK : 0u) |
                  (c->q->checks & PROP_MAY ? TS_MAY : 0u) | (c->q->checks & PROP_MUST ? TS_MUST : 0u),
        .changes = c->ts->reduction.progress && audit_knows_changes(c->ts),
        .violated = a->verdict == VERDICT_VIOLATED,
        .edges = c->s.edges};
    if (!(q.obligations || q.symmetry) || !matters(a)) return;
    a->audit = (struct audit_facts){.obligations = q.obligations, .symmetry = q.symmetry};
    if (c->q->no_audit) a->audit.skipped = "--no-audit";
    else if (c->q->order == ORDER_RANDOM) audit_scouted(&r, &q, c->w, limits, ticker);
    else audit_space(&r, &q);
}

void watched_rules(struct answer *a, struct product *p, struct ts_worker *model, struct ts_worker *worker,
                   bool no_audit, const struct limits *limits, const struct ticker *ticker) {
    struct check c = {.a = a, .ts = p->base, .w = model};
    struct rules r = {.c = &c, .p = p};
    struct sample_question q = {.obligations = true,
                                .observable = p->accept && p->base->observable_known,
                                .violated = a->verdict == VERDICT_VIOLATED};
    struct watched_sets sets;
    if (!p->visible || p->base->whole_counts || p->base->derived || !matters(a)) return;
    a->audit = (struct audit_facts){.obligations = true, .skipped = no_audit ? "--no-audit" : NULL};
    if (no_audit) return;
    struct sample_view view = watched_sets_init(&sets, p, worker);
    q.view = &view;
    audit_scouted(&r, &q, worker, limits, ticker);
    watched_sets_fini(&sets);
}
