/* Hand-written rules that the search has relied on: audited on a sample before the answer is believed. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "search/inquiry.h"
#include "search/relevel.h"
#include "search/sample.h"

static const char wrong_obligations[] = "the obligations of the model are wrong (try: onager audit)";

/* The rules of networks are derived, and kept by other means. */
static bool has_obligations(const struct ts *ts) {
    return ts->reduction.stubborn && ts_has(ts, TS_OBLIGATIONS) && !ts->whole_counts;
}

static bool has_map(const struct ts *ts) { return ts->reduction.symmetry && ts_has(ts, TS_SYMMETRY); }

static void name_to(FILE *out, struct check *c, uint32_t t) {
    char name[128];
    c->ts->ops->transition_name(c->w, t, name, sizeof name);
    fprintf(out, "%u (%s)", t, name);
}

static void list_to(FILE *out, struct check *c, const char *what, const uint32_t *list, uint32_t count) {
    fprintf(out, "; %s: ", what);
    if (!count) fputs("(empty)", out);
    for (uint32_t i = 0; i < count; i++) {
        if (i) fputs(", ", out);
        name_to(out, c, list[i]);
    }
}

static void describe_set(FILE *out, struct check *c, const struct audit_finding *f) {
    uint32_t *list = memory_get(c->ts->transitions * sizeof(uint32_t)), count = 0;
    for (uint32_t t = 0; t < c->ts->transitions; t++)
        if (f->set[t]) list[count++] = t;
    list_to(out, c, "set", list, count);
    list_to(out, c, "word", f->outside, f->outside_count);
    free(list);
}

/* The finding, in one line; to be freed. */
static char *describe(struct check *c, const struct sample *a) {
    const struct audit_finding *f = &a->finding;
    char *text = NULL;
    size_t size;
    struct ts_fault fault;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%s: %s", c->ts->path, audit_text(f->fault));
    if (f->what) fprintf(out, ": %s", f->what);
    if (f->fault == AUDIT_MODEL) fprintf(out, ": %s: %s", f->model.where, f->model.text);
    fputs("; state: ", out);
    if (!c->ts->ops->print(c->w, a->state, NULL, out, &fault)) fprintf(out, "(%s: %s)", fault.where, fault.text);
    if (f->transition != TS_NONE) list_to(out, c, "member", &f->transition, 1);
    if (f->other != TS_NONE) list_to(out, c, f->fault == AUDIT_SUCCESSORS ? "successor" : "outside", &f->other, 1);
    if (f->set) describe_set(out, c, f);
    fputs(" (all states: onager audit; to trust the rules: --no-audit)", out);
    fclose(out);
    return text;
}

/* The execution to the state of the finding, if there is a way to it; with symmetry, to a symmetric one. */
static void show_way(struct check *c, const struct sample *a) {
    struct stop way = {.kind = STOP_DONE};
    uint64_t number = a->number;
    check_forget_trace(c);
    if (a->number == SAMPLE_INITIAL || a->way_count) return; /* the message shows the state */
    if (!space_relevel(&c->s, &number, &way) || !trace_to(&c->a->trace, &c->s, number, &way)) check_forget_trace(c);
    else check_believe(c);
}

static void accuse(struct check *c, const struct sample *a) {
    bool map = a->finding.fault == AUDIT_SUCCESSORS || a->finding.fault == AUDIT_CHECK_DIFFERS;
    if (c->a->verdict == VERDICT_VIOLATED) { /* the execution is real */
        if (!c->a->note)
            c->a->note = map ? "the symmetry map of the model is wrong (try: onager audit)" : wrong_obligations;
        return;
    }
    show_way(c, a);
    if (c->a->verdict != VERDICT_INTERNAL) check_answer(c, VERDICT_ERROR, PROP_NONE, describe(c, a));
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
static void answer_raised(struct check *c, const struct sample *a) {
    bool wrong = c->a->verdict == VERDICT_HOLDS && (c->a->checked & PROP_MODEL_ERROR);
    c->a->note = NULL; /* it says that errors are not covered, if anything */
    if (!c->ts->reduction.symmetry) show_way(c, a);
    if (c->a->verdict == VERDICT_INTERNAL) return;
    if (c->a->trace.count > 0 && go_on(c, a->finding.outside, a->finding.outside_count)) {
        check_fault(c, &a->finding.model);
        if (check_believe(c) && wrong) c->a->note = wrong_obligations;
    } else {
        check_forget_trace(c);
        check_answer(c, wrong ? VERDICT_ERROR : VERDICT_INCONCLUSIVE, PROP_NONE, describe(c, a));
    }
}

void check_rules(struct check *c) {
    struct answer *a = c->a;
    struct sample_question q = {
        .obligations = has_obligations(c->ts),
        .symmetry = has_map(c->ts),
        .with_check = (c->q->checks & PROP_SAFETY) != 0,
        .checks = (c->q->checks & PROP_SAFETY ? TS_BAD : 0u) | (c->q->checks & PROP_DEADLOCK ? AUDIT_DEADLOCK : 0u) |
                  (c->q->checks & PROP_MAY ? TS_MAY : 0u) | (c->q->checks & PROP_MUST ? TS_MUST : 0u),
        .violated = a->verdict == VERDICT_VIOLATED,
        .edges = c->s.edges};
    struct sample sample;
    if (!(q.obligations || q.symmetry) || a->verdict == VERDICT_ERROR || a->verdict == VERDICT_INTERNAL) return;
    a->audit = (struct audit_facts){.obligations = q.obligations, .symmetry = q.symmetry};
    if (c->q->no_audit) a->audit.skipped = "--no-audit";
    else if (c->q->order == ORDER_RANDOM) a->audit.skipped = "random search keeps no states";
    if (a->audit.skipped) return;
    sample_take(&sample, &c->s, &q);
    a->audit.states = sample.states;
    a->audit.checks = sample.checks;
    if (sample.result == SAMPLE_STOPPED) a->audit.skipped = sample.stopped;
    if (sample.result == SAMPLE_MODEL && a->verdict != VERDICT_VIOLATED) {
        show_way(c, &sample);
        check_fault(c, &sample.finding.model);
    }
    if (sample.result == SAMPLE_RAISED) answer_raised(c, &sample);
    if (sample.result == SAMPLE_WRONG) accuse(c, &sample);
    if (sample.advice && !a->note)
        a->note = "symmetric states have different representatives: the map reduces less than it could, or it is wrong "
                  "(try: onager audit)";
    sample_fini(&sample);
}
