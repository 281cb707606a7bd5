#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "lts/info.h"
#include "report/report.h"
#include "check/lts/build_lts.h"

static const char *const kept[] = {"everything", "deadlocks",    "deadlocks and the traces that lead to them",
                                   "traces",     "fair testing", "tree failures"};
static const char *const methods[] = {"esc", "cheapest", "deletion"};

/* How SV was come by; NULL: it is not needed. */
static char *sv_text(const struct reduction *r, const struct build_report *b) {
    if (!r->stubborn || r->preserve < PRESERVE_TRACES) return NULL;
    if (b->progressing) return text_format("SV holds, because the reduced LTS is always may-progressing");
    if (b->expansions == 0)
        return text_format("SV holds, because the stubborn sets of unproductive components have all visible actions");
    return text_format("SV holds, because %llu stubborn set%s of unproductive components %s widened, in %u round%s%s",
                       (unsigned long long)b->expansions, b->expansions == 1 ? "" : "s",
                       b->expansions == 1 ? "was" : "were", b->rounds - 1, b->rounds == 2 ? "" : "s",
                       b->frozen ? "; beyond them, their actions are frozen" : "");
}

static const char *conditions_of(const struct reduction *r) {
    if (!r->stubborn) return "none needed";
    if (r->preserve == PRESERVE_DEADLOCKS) return "D0, D1 and D2 hold";
    if (r->preserve == PRESERVE_DEADLOCK_TRACES) return "D0, D1, D2 and V hold";
    return r->preserve == PRESERVE_TREE_FAILURES ? "D0V, D1, D2 and C2 hold" : "D0V, D1, D2 and V hold";
}

/* "property", "minimal" or "deterministic", or what several of them amount to; NULL: nothing. */
static const char *quality_of(const struct ts *ts) {
    if (ts->qualities & TS_PROPERTY) return "a property";
    if (ts->qualities & TS_DETERMINISTIC) return "deterministic";
    return ts->qualities ? "minimal" : NULL;
}

static void show_qualities(const struct ts *ts, const struct build_report *b, FILE *out) {
    const char *quality = quality_of(ts);
    if (quality && qualities_count(ts))
        fprintf(out, "made %s, as the text says: it had %llu state%s and %llu edge%s before\n", quality,
                (unsigned long long)b->states, text_s(b->states), (unsigned long long)b->edges, text_s(b->edges));
    else if (quality) fprintf(out, "not made %s: that does not preserve deadlocks\n", quality);
}

static void show_audit(const struct build_report *b, FILE *out) {
    if (b->by_hand && b->trusted) fprintf(out, "not audited: obligations (--no-audit)\n");
    else if (b->by_hand)
        fprintf(out, "audited: obligations, %llu state%s, %llu check%s\n", (unsigned long long)b->audited,
                text_s(b->audited), (unsigned long long)b->checks, text_s(b->checks));
}

/* As in a check: see FORMATS.md. */
static json_t *audit_of(const struct build_report *b) {
    if (!b->by_hand) return json_null();
    return json_pack("{s:b, s:b, s:I, s:I, s:o}", "obligations", 1, "symmetry", 0, "states", (json_int_t)b->audited,
                     "checks", (json_int_t)b->checks, "skipped", b->trusted ? json_string("--no-audit") : json_null());
}

static void show_text(const struct ts *ts, const struct lts *l, const struct build_report *b, int preserve,
                      double seconds, FILE *out) {
    const struct reduction *r = &ts->reduction;
    char *sv = sv_text(r, b);
    uint64_t dead = 0;
    for (uint32_t s = 0; s < l->states; s++) dead += lts_deadlocks(l, s);
    fprintf(out, "%u state%s, %llu edge%s, %u visible label%s; %llu deadlock%s%s%s\n", l->states, text_s(l->states),
            (unsigned long long)l->edges, text_s(l->edges), l->labels.count - 1, text_s(l->labels.count - 1),
            (unsigned long long)dead, text_s(dead), l->end != LTS_NONE ? ", END" : "",
            l->error != LTS_NONE ? ", ERROR" : "");
    if (!r->stubborn)
        fprintf(out, "full: %llu edge%s found", (unsigned long long)b->edges, b->edges == 1 ? " was" : "s were");
    else
        fprintf(out, "reduced, preserving %s, by method %s; %s%s%s", kept[preserve], methods[r->method],
                conditions_of(r), sv ? "; " : "", sv ? sv : "");
    fprintf(out, "\n");
    show_qualities(ts, b, out);
    show_audit(b, out);
    fprintf(out, "%.2f s\n", seconds);
    free(sv);
}

/* Of the reduced LTS, when it was reduced; else of the one that is written. */
static void add_always(json_t *document, const struct lts *l, const struct reduction *r, const struct build_report *b) {
    bool reduced = r->stubborn, seen = reduced && r->preserve >= PRESERVE_TRACES;
    struct lts_info info = {0};
    if (!reduced) lts_info(l, NULL, &info);
    bool progressing = reduced ? b->progressing : info.unprogressing.count == 0;
    json_object_set_new(document, "always_may_progressing", seen || !reduced ? json_boolean(progressing) : json_null());
    json_object_set_new(document, "always_may_stabilizing",
                        reduced ? json_null() : json_boolean(info.unstabilizing.count == 0));
    if (!reduced) lts_info_fini(&info);
}

static json_t *show_json(const struct ts *ts, const struct lts *l, const struct build_report *b, int preserve,
                         double seconds) {
    const struct reduction *r = &ts->reduction;
    json_t *document = report_json_about(ts);
    char *sv = sv_text(r, b);
    uint64_t dead = 0;
    for (uint32_t s = 0; s < l->states; s++) dead += lts_deadlocks(l, s);
    json_object_set_new(document, "states", json_integer(l->states));
    json_object_set_new(document, "edges", json_integer((json_int_t)l->edges));
    json_object_set_new(document, "found_states", json_integer((json_int_t)b->states));
    json_object_set_new(document, "found_edges", json_integer((json_int_t)b->edges));
    json_object_set_new(document, "deadlocks", json_integer((json_int_t)dead));
    json_object_set_new(document, "end", json_boolean(l->end != LTS_NONE));
    json_object_set_new(document, "error", json_boolean(l->error != LTS_NONE));
    json_object_set_new(document, "labels", json_integer(l->labels.count - 1));
    json_object_set_new(document, "reduced", json_boolean(r->stubborn));
    json_object_set_new(document, "preserves", json_string(kept[preserve]));
    json_object_set_new(document, "method", r->stubborn ? json_string(methods[r->method]) : json_null());
    json_object_set_new(document, "conditions", json_string(conditions_of(r)));
    json_object_set_new(document, "sv", sv ? json_string(sv) : json_null());
    add_always(document, l, r, b);
    json_object_set_new(document, "expansions", json_integer((json_int_t)b->expansions));
    json_object_set_new(document, "frozen_states", json_integer((json_int_t)b->frozen));
    json_object_set_new(document, "audit", audit_of(b));
    json_object_set_new(document, "made", qualities_count(ts) ? json_string(quality_of(ts)) : json_null());
    json_object_set_new(document, "time_s", json_real(seconds));
    free(sv);
    return document;
}

static void show(const struct options *o, const struct ts *ts, const struct lts *l, const struct build_report *b,
                 double seconds, struct problem *why) {
    int preserve = o->preserve > 0 ? o->preserve - 1 : 0;
    bool taken = o->output && strcmp(o->output, "-") == 0;
    if (!o->json || strcmp(o->json, "-") != 0) show_text(ts, l, b, preserve, seconds, taken ? stderr : stdout);
    if (o->json) {
        json_t *document = show_json(ts, l, b, preserve, seconds);
        report_write_json(document, o->json, why);
        json_decref(document);
    }
}

int command_lts(const struct options *o, struct problem *why) {
    struct build_report b;
    struct lts l;
    if (o->output && o->json && strcmp(o->output, "-") == 0 && strcmp(o->json, "-") == 0)
        return problem_set(why, EXIT_BAD_INPUT, "-o - and --json - cannot both have standard output"), EXIT_BAD_INPUT;
    if (!lts_options_fit(o, why)) return (int)why->status;
    struct ts *ts = open_model(o, lts_reduction(o), why);
    if (!ts) return (int)why->status;
    double start = clock_seconds();
    struct limits limits = limits_of(o);
    if (build_model_lts(o, ts, &limits, &l, &b, why)) {
        note_labels(o);
        if (!o->output || write_lts(o, &l, o->output, why)) show(o, ts, &l, &b, clock_seconds() - start, why);
        lts_fini(&l);
    }
    ts->ops->close(ts);
    return (int)why->status;
}
