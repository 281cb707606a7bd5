#include <stdlib.h>
#include <string.h>

#include "algo/spread.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/progress_line.h"
#include "reduce/audit.h"
#include "reduce/derived/rules_held.h"
#include "report/report.h"
#include "explore/bfs.h"
#include "graph/explicit.h"
#include "graph/sweep.h"
#include "ts/trace.h"

enum {
    OUTSIDE_STATES = 2000,
    DEFAULT_SECONDS = 20,
    FEW = 20000, /* states */
    HELD = 200,  /* states where written rules are held against facts */
    A_BATCH = 8, /* states that a thread audits at a time */
};

/* What an audit has come to. */
struct tally {
    uint64_t states, audited;
    bool cut;    /* some outside words were not followed to the end */
    bool advice; /* a representative has another representative */
    bool complete;
    bool late; /* the time was over before all states were audited; it was: */
    double seconds;
    const char *stopped; /* why the states are not all there; NULL: they are */
    struct audit_finding finding;
    uint64_t where; /* number of the state of the finding */
};

static bool audit_one(struct audit *audit, struct ts *ts, const word *s, struct audit_finding *f, bool *cut,
                      bool *advice) {
    return (!audit_knows_changes(ts) || audit_changes(audit, s, f)) &&
           (!ts->observable_known || audit_observable(audit, s, f)) &&
           (!ts_has(ts, TS_SYMMETRY) || audit_symmetry(audit, s, f, advice)) &&
           (!ts_has(ts, TS_OBLIGATIONS) || audit_obligations(audit, s, f, cut));
}

/* The audit of all states, or of a sample. */
struct shift {
    struct space *s;
    struct audit **audits; /* of each member of the team */
    const volatile sig_atomic_t *interrupted;
    double deadline;
    uint64_t step; /* see pick */
    struct tally *tally;
};

struct result {
    bool done, good, cut, advice;
};

/* Few states are audited in their order, so that the first finding is one with a short way to it; many in an order that
 * spreads over all of them, so that a limit leaves a fair sample. */
static uint64_t pick(const void *context, uint64_t i) {
    const struct shift *h = context;
    return spread_at(i, h->step, h->tally->states);
}

static struct result audit_state(struct shift *h, unsigned member, const word *state, struct audit_finding *f) {
    struct result r = {.done = true};
    *f = (struct audit_finding){.fault = AUDIT_FINE};
    r.good = audit_one(h->audits[member], h->s->ts, state, f, &r.cut, &r.advice);
    return r;
}

static void audit_batch(void *context, unsigned member, const struct sweep_batch *x) {
    struct shift *h = context;
    struct result *results = x->room;
    for (uint32_t i = 0; i < x->count; i++) {
        struct audit_finding finding;
        results[i] = (struct result){.good = true};
        if (*h->interrupted || clock_seconds() > h->deadline) continue;
        results[i] = audit_state(h, member, x->states + (size_t)i * h->s->ts->words, &finding);
    }
}

/* The results in the order of states, up to the first finding; where some states were not done, a finding after them is
 * one, too. The caller's thread looks at it again, and has it then. False: it ends here. */
static bool take_results(void *context, const struct sweep_batch *x) {
    struct shift *h = context;
    struct tally *t = h->tally;
    const struct result *results = x->room;
    bool go_on = true;
    for (uint32_t i = 0; i < x->count; i++) {
        const struct result *r = &results[i];
        t->audited += r->done;
        t->cut |= r->cut;
        t->advice |= r->advice;
        go_on &= r->done;
        if (r->good || audit_state(h, 0, x->states + (size_t)i * h->s->ts->words, &t->finding).good) continue;
        t->where = x->numbers[i];
        return false;
    }
    return go_on;
}

/* What the finding points to belongs to an audit: it is copied. */
static void keep_finding(struct audit_finding *f, uint32_t transitions) {
    size_t length = f->outside_count * sizeof(uint32_t);
    if (f->set) f->set = memcpy(memory_get(transitions), f->set, transitions);
    f->outside = f->outside_count ? memcpy(memory_get(length), f->outside, length) : NULL;
}

static void drop_finding(struct audit_finding *f) {
    free(f->set);
    free(f->outside);
}

static void audit_states(struct space *s, struct tally *t, const struct options *o) {
    uint64_t wanted = o->samples && o->samples < t->states ? o->samples : t->states;
    struct shift h = {.s = s, .interrupted = s->limits.interrupted, .tally = t};
    struct sweep w = {.s = s,
                      .phase = "audit",
                      .context = &h,
                      .need = SWEEP_STATES,
                      .room = sizeof(struct result),
                      .most = A_BATCH,
                      .pick = pick,
                      .end = wanted,
                      .take = audit_batch,
                      .put = take_results};
    struct stop stop;
    t->seconds = o->time > 0 ? o->time : DEFAULT_SECONDS;
    h.deadline = clock_seconds() + t->seconds;
    h.step = o->samples || t->states > FEW ? spread_step(t->states) : 1;
    h.audits = memory_get(s->team.size * sizeof *h.audits);
    for (unsigned m = 0; m < s->team.size; m++) h.audits[m] = audit_new(s->ts, s->members[m].worker, OUTSIDE_STATES);
    s->limits = (struct limits){.max_memory = UINT64_MAX}; /* those of the search do not end the audit */
    sweep_init(&w);
    if (!sweep_all(&w, &stop) && stop.kind != STOP_DONE) t->stopped = stop.reason;
    sweep_fini(&w);
    keep_finding(&t->finding, s->ts->transitions);
    for (unsigned m = 0; m < s->team.size; m++) audit_free(h.audits[m]);
    t->late = clock_seconds() > h.deadline && t->audited < wanted && t->finding.fault == AUDIT_FINE;
    t->complete = t->audited == t->states && !t->cut && !t->stopped;
    free(h.audits);
}

/* ---- Showing ---- */

static void show_name(struct ts *ts, struct ts_worker *w, uint32_t t, FILE *out) {
    char name[128];
    ts->ops->transition_name(w, t, name, sizeof name);
    fprintf(out, "%u (%s)", t, name);
}

static void show_finding(const struct tally *t, struct ts *ts, struct ts_worker *w, const struct trace *way,
                         struct showing how) {
    const struct audit_finding *f = &t->finding;
    report_trace(way, ts, w, false, how, stdout);
    if (f->fault == AUDIT_MODEL) printf("!!! %s: %s: %s", ts->path, f->model.where, f->model.text);
    else printf("!!! %s", audit_text(f->fault));
    if (f->what) printf(": %s", f->what);
    putchar('\n');
    if (f->transition != TS_NONE) {
        printf("%s", f->fault >= AUDIT_CHANGES ? "transition: " : "member:  ");
        show_name(ts, w, f->transition, stdout);
        putchar('\n');
    }
    if (f->other != TS_NONE) {
        printf("%s: ", f->fault == AUDIT_SUCCESSORS      ? "successor"
                       : f->fault == AUDIT_SEEN_OF_OTHER ? "other"
                                                         : "outside");
        show_name(ts, w, f->other, stdout);
        putchar('\n');
    }
    if (f->set) {
        const char *gap = "set:     ";
        for (uint32_t u = 0; u < ts->transitions; u++)
            if (f->set[u]) {
                fputs(gap, stdout);
                show_name(ts, w, u, stdout);
                gap = ", ";
            }
        printf("\nword:    ");
        if (!f->outside_count) printf("(empty)");
        for (uint32_t i = 0; i < f->outside_count; i++) {
            if (i) printf(", ");
            show_name(ts, w, f->outside[i], stdout);
        }
        putchar('\n');
    }
}

static void show(const struct tally *t, struct ts *ts, struct ts_worker *w, const struct trace *way,
                 const struct options *o) {
    if (t->finding.fault != AUDIT_FINE) show_finding(t, ts, w, way, showing_of(o, ts));
    if (t->advice) printf("advice: %s\n", audit_text(AUDIT_NOT_IDEMPOTENT));
    const bool has[] = {ts_has(ts, TS_OBLIGATIONS), ts_has(ts, TS_SYMMETRY), audit_knows_changes(ts),
                        ts->observable_known};
    const char *gap = "";
    printf("%llu of %llu state%s audited: ", (unsigned long long)t->audited, (unsigned long long)t->states,
           text_s(t->states));
    for (int i = 0; i < 4; i++) {
        if (has[i]) printf("%s%s", gap, (const char *[]){"obligations", "symmetry", "changes", "observable"}[i]);
        if (has[i]) gap = ", ";
    }
    putchar('\n');
    if (t->finding.fault != AUDIT_FINE) return;
    if (t->complete) puts("holds: the rules keep what they promise");
    else if (t->late && !t->stopped)
        printf("inconclusive: no fault was found, but the audit reached the time limit of %g s%s\n", t->seconds,
               o->time > 0 ? "" : "; --time TIME gives it more");
    else
        printf("inconclusive: no fault was found, but %s\n", t->stopped ? t->stopped
                                                             : t->audited < t->states
                                                                 ? "not all states were looked at"
                                                                 : "some words of outside transitions were too long");
}

static void show_rules(const uint32_t *count, uint32_t states, const char *what, struct ts *ts, struct ts_worker *w) {
    for (uint32_t t = 0; t < ts->transitions; t++) {
        if (!count[t]) continue;
        fputs("    ", stdout);
        show_name(ts, w, t, stdout);
        printf(": %s, in %u of %u states\n", what, count[t], states);
    }
}

/* Written rules, held against what is proved of the code. */
static void show_held(struct ts *ts, struct ts_worker *w, const struct options *o) {
    struct effort effort = {.interrupted = o->interrupted};
    struct rules_held r;
    bool some = false;
    if (rules_held_against_facts(ts, HELD, &effort, &r)) {
        for (uint32_t t = 0; t < ts->transitions; t++) some |= r.looser[t] || r.stricter[t];
        printf("facts: in %s%u state%s, %s\n", r.states < HELD ? "all " : "the first ", r.states, text_s(r.states),
               some ? "these rules are others than what is proved of the code:"
                    : "what the rules force is proved, and not too much");
        show_rules(r.looser, r.states, "looser than what is proved", ts, w);
        show_rules(r.stricter, r.states, "stricter than needed", ts, w);
    }
    rules_held_fini(&r);
}

static json_t *names(struct ts *ts, struct ts_worker *w, const uint32_t *list, uint32_t n) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < n; i++) {
        char name[128];
        ts->ops->transition_name(w, list[i], name, sizeof name);
        json_array_append_new(array, json_pack("{s:i, s:s}", "number", (int)list[i], "name", name));
    }
    return array;
}

static json_t *to_json(const struct tally *t, struct ts *ts, struct ts_worker *w, const struct trace *way) {
    const struct audit_finding *f = &t->finding;
    bool fine = f->fault == AUDIT_FINE;
    json_t *set = json_null();
    if (f->set) {
        set = json_array();
        for (uint32_t u = 0; u < ts->transitions; u++)
            if (f->set[u]) json_array_append_new(set, json_integer(u));
    }
    json_t *document = report_json_about(ts), *rest;
    rest = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:b, s:o}", "verdict",
                     f->fault == AUDIT_MODEL && f->model.kind != TS_RAISED ? "error"
                     : !fine                                               ? "violated"
                     : t->complete                                         ? "holds"
                                                                           : "inconclusive",
                     "message",
                     fine ? json_null() : json_string(f->fault == AUDIT_MODEL ? f->model.text : audit_text(f->fault)),
                     "member", f->transition == TS_NONE || fine ? json_null() : json_integer(f->transition), "other",
                     f->other == TS_NONE || fine ? json_null() : json_integer(f->other), "set", set, "word",
                     names(ts, w, f->outside, f->outside_count), "states", (json_int_t)t->states, "audited",
                     (json_int_t)t->audited, "advice", (int)t->advice, "trace", execution_json(way, ts, w, false));
    json_object_update(document, rest);
    json_decref(rest);
    return document;
}

/* Builds the whole state space, audits its states, and finds the way to the state of a finding. */
static bool run(struct tally *t, struct trace *way, struct space *s, const struct options *o, struct problem *why) {
    struct stop stop;
    struct ts_fault fault;
    word *start = memory_get(s->ts->words * sizeof(word));
    bool started = s->ts->ops->initial(s->worker, start, &fault);
    if (started) bfs_run(s, start, &(struct bfs_goals){0}, &stop);
    free(start);
    if (!started) return problem_set(why, EXIT_BAD_INPUT, "%s: %s: %s", s->ts->path, fault.where, fault.text);
    t->states = s->states;
    if (stop.kind == STOP_LIMIT) t->stopped = stop.reason;
    if (stop.kind == STOP_FAULT) {
        t->finding =
            (struct audit_finding){.fault = AUDIT_MODEL, .transition = stop.fault.transition, .other = TS_NONE};
        t->finding.model = stop.fault;
        t->where = stop.state;
    } else {
        audit_states(s, t, o);
    }
    if (t->finding.fault != AUDIT_FINE) {
        struct state_graph g;
        explicit_graph_init(&g, s);
        if (!graph_way(&g, t->where, way, &stop)) way->count = 0;
    }
    return true;
}

int command_audit(const struct options *o, struct problem *why) {
    struct ts *ts = open_model(o, (struct reduction){0}, why);
    if (!ts) return (int)why->status;
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct progress progress;
    struct tally t = {0};
    struct trace way;
    struct space s;
    struct limits limits = limits_of(o);
    bool done = false;
    trace_init(&way, ts->words);
    progress_init(&progress);
    if (!ts_has(ts, TS_OBLIGATIONS) && !ts_has(ts, TS_SYMMETRY) && !audit_knows_changes(ts) && !ts->observable_known) {
        problem_set(why, EXIT_BAD_INPUT,
                    "%s has neither .obligations nor .symmetry nor .observable nor CHANGES: there is nothing to audit",
                    ts->path);
    } else if (space_init(&s, ts, w, &limits, &(struct means){.threads = (unsigned)o->threads}, why)) {
        s.ticker = progress_ticker(&progress, o->quiet);
        done = run(&t, &way, &s, o, why);
        progress_wipe(&progress);
        if (done && !(o->json && strcmp(o->json, "-") == 0)) show(&t, ts, w, &way, o);
        bool fine = done && t.finding.fault == AUDIT_FINE && ts_has(ts, TS_OBLIGATIONS);
        if (fine && !(o->json && strcmp(o->json, "-") == 0)) show_held(ts, w, o);
        if (done && o->json) {
            json_t *document = to_json(&t, ts, w, &way);
            report_write_json(document, o->json, why);
            json_decref(document);
        }
        space_fini(&s);
    }
    int status = t.finding.fault == AUDIT_MODEL && t.finding.model.kind != TS_RAISED ? EXIT_BAD_INPUT
                 : t.finding.fault != AUDIT_FINE                                     ? EXIT_VIOLATED
                 : t.complete                                                        ? EXIT_HOLDS
                                                                                     : EXIT_INCONCLUSIVE;
    drop_finding(&t.finding);
    trace_fini(&way);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    return why->status ? (int)why->status : status;
}
