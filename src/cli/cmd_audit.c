#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "reduce/audit.h"
#include "report/report.h"
#include "search/bfs.h"
#include "search/trace.h"

enum { OUTSIDE_STATES = 2000, DEFAULT_SECONDS = 20, FEW = 20000 };

/* What an audit has come to. */
struct tally {
    uint64_t states, audited;
    bool cut;    /* some outside words were not followed to the end */
    bool advice; /* a representative has another representative */
    bool complete;
    const char *stopped; /* why the states are not all there; NULL: they are */
    struct audit_finding finding;
    uint64_t where; /* number of the state of the finding */
};

/* Few states are audited in their order, so that the first finding is one with a short way to it; many in an order that
 * spreads over all of them, so that a limit leaves a fair sample. */
static uint64_t spread(uint64_t i, uint64_t n, bool sampled) {
    if (!sampled && n <= FEW) return i;
    uint64_t step = (uint64_t)(0.6180339887 * (double)n) | 1;
    for (;; step += 2) {
        uint64_t a = n, b = step;
        while (b) {
            uint64_t r = a % b;
            a = b;
            b = r;
        }
        if (a == 1) return (uint64_t)((unsigned __int128)i * step % n);
    }
}

static bool audit_one(struct audit *audit, struct ts *ts, const word *s, struct tally *t) {
    return (!audit_knows_changes(ts) || audit_changes(audit, s, &t->finding)) &&
           (!ts_has(ts, TS_SYMMETRY) || audit_symmetry(audit, s, &t->finding, &t->advice)) &&
           (!ts_has(ts, TS_OBLIGATIONS) || audit_obligations(audit, s, &t->finding, &t->cut));
}

static void audit_states(struct space *s, struct tally *t, const struct options *o, double deadline) {
    struct audit *audit = audit_new(s->ts, s->worker, OUTSIDE_STATES);
    word *state = memory_get(s->ts->words * sizeof(word));
    uint64_t wanted = o->samples && o->samples < t->states ? o->samples : t->states;
    bool fine = true;
    for (uint64_t i = 0; i < wanted && fine; i++) {
        t->where = spread(i, t->states, o->samples > 0);
        if (!space_state(s, t->where, state)) break;
        fine = audit_one(audit, s->ts, state, t);
        t->audited++;
        if (*s->limits.interrupted || clock_seconds() > deadline) break;
        if (s->ticker.tick && i % 64 == 0 && clock_seconds() > s->next_tick) {
            s->ticker.tick(s->ticker.context, s, "audit", i, wanted);
            s->next_tick = clock_seconds() + 0.2;
        }
    }
    /* The finding's parts belong to the audit: keep them. */
    if (t->finding.set) {
        bool *set = memory_get(s->ts->transitions);
        memcpy(set, t->finding.set, s->ts->transitions);
        t->finding.set = set;
    }
    if (t->finding.outside_count) {
        uint32_t *word_of = memory_get(t->finding.outside_count * sizeof(uint32_t));
        memcpy(word_of, t->finding.outside, t->finding.outside_count * sizeof(uint32_t));
        t->finding.outside = word_of;
    } else {
        t->finding.outside = NULL;
    }
    t->complete = t->audited == t->states && !t->cut && !t->stopped;
    free(state);
    audit_free(audit);
}

/* ---- Showing ---- */

static void show_name(struct ts *ts, struct ts_worker *w, uint32_t t, FILE *out) {
    char name[128];
    ts->ops->transition_name(w, t, name, sizeof name);
    fprintf(out, "%u (%s)", t, name);
}

static void show_finding(const struct tally *t, struct ts *ts, struct ts_worker *w, const struct trace *way) {
    const struct audit_finding *f = &t->finding;
    report_trace(way, ts, w, stdout);
    if (f->fault == AUDIT_MODEL) printf("!!! %s: %s: %s", ts->path, f->model.where, f->model.text);
    else printf("!!! %s", audit_text(f->fault));
    if (f->what) printf(": %s", f->what);
    putchar('\n');
    if (f->transition != TS_NONE) {
        printf("%s", f->fault == AUDIT_CHANGES ? "transition: " : "member:  ");
        show_name(ts, w, f->transition, stdout);
        putchar('\n');
    }
    if (f->other != TS_NONE) {
        printf("%s: ", f->fault == AUDIT_SUCCESSORS ? "successor" : "outside");
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

static void show(const struct tally *t, struct ts *ts, struct ts_worker *w, const struct trace *way) {
    if (t->finding.fault != AUDIT_FINE) show_finding(t, ts, w, way);
    if (t->advice) printf("advice: %s\n", audit_text(AUDIT_NOT_IDEMPOTENT));
    const bool has[] = {ts_has(ts, TS_OBLIGATIONS), ts_has(ts, TS_SYMMETRY), audit_knows_changes(ts)};
    const char *gap = "";
    printf("%llu of %llu states audited: ", (unsigned long long)t->audited, (unsigned long long)t->states);
    for (int i = 0; i < 3; i++) {
        if (has[i]) printf("%s%s", gap, (const char *[]){"obligations", "symmetry", "changes"}[i]);
        if (has[i]) gap = ", ";
    }
    putchar('\n');
    if (t->finding.fault != AUDIT_FINE) return;
    if (t->complete) puts("holds: the rules keep what they promise");
    else
        printf("inconclusive: no fault was found, but %s\n", t->stopped ? t->stopped
                                                             : t->audited < t->states
                                                                 ? "not all states were looked at"
                                                                 : "long outside words were cut off");
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
                     (json_int_t)t->audited, "advice", (int)t->advice, "trace", report_json_trace(way, ts, w));
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
        audit_states(s, t, o, clock_seconds() + (o->time > 0 ? o->time : DEFAULT_SECONDS));
    }
    if (t->finding.fault != AUDIT_FINE) {
        stop = (struct stop){.kind = STOP_DONE};
        if (!trace_to(way, s, t->where, &stop)) way->count = 0;
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
    if (!ts_has(ts, TS_OBLIGATIONS) && !ts_has(ts, TS_SYMMETRY) && !audit_knows_changes(ts)) {
        problem_set(why, EXIT_BAD_INPUT,
                    "%s has neither .obligations nor .symmetry nor CHANGES: there is nothing to audit", ts->path);
    } else if (space_init(&s, ts, w, &limits, NULL, why)) {
        s.ticker = progress_ticker(&progress, o->quiet);
        done = run(&t, &way, &s, o, why);
        progress_wipe(&progress);
        if (done && !(o->json && strcmp(o->json, "-") == 0)) show(&t, ts, w, &way);
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
    free(t.finding.set);
    free(t.finding.outside);
    trace_fini(&way);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    return why->status ? (int)why->status : status;
}
