#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/version.h"
#include "report/coverage_report.h"
#include "report/never_fired.h"
#include "report/report.h"
#include "ts/reductions.h"

static const char *verdict_name(enum verdict v) {
    static const char *const names[] = {"holds", "violated", "inconclusive", "error", "error"};
    return names[v];
}

json_t *report_json_about(const struct ts *ts) {
    json_t *parameters = json_object();
    for (uint32_t i = 0; i < ts->parameter_count; i++)
        json_object_set_new(parameters, ts->parameters[i].name, json_integer(ts->parameters[i].value));
    json_t *about = json_pack("{s:s, s:o, s:o}", "onager", ONAGER_VERSION, "model", execution_text(ts->path),
                              "parameters", parameters);
    if (ts->process) json_object_set_new(about, "process", execution_text(ts->process));
    return about;
}

static json_t *search_facts(const struct answer *a) {
    const struct search_facts *s = &a->search;
    if (s->order != ORDER_RANDOM) return json_pack("{s:s}", "order", engine_of_order(s->order)->name);
    json_t *found_by = s->found ? json_pack("{s:s, s:i, s:I}", "kind", s->by_walk ? "walk" : "search", "thread",
                                            (int)s->thread, "run", (json_int_t)s->run)
                                : json_null();
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o}", "order", engine_of_order(s->order)->name, "seed",
                     (json_int_t)s->seed, "walks", (json_int_t)s->walks, "searches", (json_int_t)s->searches, //
                     "deepest", (json_int_t)a->depth, "visited", (json_int_t)s->visited, "distinct_estimate",
                     (json_int_t)(s->distinct + 0.5), "coverage_estimate", s->coverage, "found_by", found_by);
}

/* An execution as its actions alone. */
static json_t *action_list(const struct trace *t, struct ts *ts, struct ts_worker *w) {
    json_t *list = json_array();
    for (uint64_t i = 1; i < t->count; i++) {
        char name[128];
        ts->ops->transition_name(w, t->transitions[i], name, sizeof name);
        json_array_append_new(list, execution_text(name));
    }
    return list;
}

static json_t *census_end(bool found, const struct trace *t, const char *message, struct ts *ts, struct ts_worker *w) {
    return found ? json_pack("{s:I, s:o, s:o}", "length", (json_int_t)t->count - 1, "message", execution_text(message),
                             "actions", action_list(t, ts, w))
                 : json_null();
}

static json_t *progress_list(const struct census *n, const struct ts *ts) {
    json_t *tests = json_array();
    for (uint32_t i = 0, k = 0; i < ts->progress_count; i++) {
        bool failed = k < n->failed_count && n->failed[k] == i;
        k += failed;
        json_array_append_new(tests, json_pack("{s:o, s:s}", "name", execution_text(ts->progress[i].name), "verdict",
                                               failed ? "violated" : "holds"));
    }
    return tests;
}

/* What the whole space of a network has, as far as it was looked at. */
static json_t *census(const struct answer *a, struct ts *ts, struct ts_worker *w) {
    const struct census *n = &a->census;
    json_t *rare = n->judged && !ts->reduction.stubborn ? json_array() : NULL;
    uint32_t alphabet = 0;
    for (uint32_t i = 1; i < ts->actions; i++) alphabet += !(ts->action_hidden && ts->action_hidden[i]);
    for (uint32_t i = 0; i < n->rare_count; i++)
        json_array_append_new(rare, execution_text(ts->action_names[n->rare[i]]));
    return json_pack("{s:i, s:o, s:o, s:o, s:o}", "alphabet", (int)alphabet, "deadlock",
                     census_end(n->has_deadlock, &n->deadlock, NULL, ts, w), "error",
                     census_end(n->has_error, &n->error, n->error_message, ts, w), "progress",
                     n->judged ? progress_list(n, ts) : json_null(), "not_always_again", rare ? rare : json_null());
}

static json_t *tester_facts(const struct tester_facts *t) {
    return json_pack("{s:o, s:o, s:i, s:o, s:o, s:o, s:I, s:b}", "name", execution_text(t->name), "refines",
                     execution_text(t->refines), "states", (int)t->states, "error", execution_text(t->error),
                     "algorithm", execution_text(t->algorithm), "absent_actions", execution_text(t->absent),
                     "visited_twice", (json_int_t)t->twice, "stubborn", (int)t->stubborn);
}

static json_t *property_list(unsigned set) {
    json_t *list = json_array();
    for (const struct property_row *row = property_table; row->name; row++)
        if (set & row->id) json_array_append_new(list, json_string(row->name));
    return list;
}

json_t *report_json_reductions(const struct reduction *r) {
    json_t *list = json_object();
    for (const struct reduction_row *row = reduction_table; row->name; row++)
        json_object_set_new(list, row->name, json_boolean(reduction_is_on(r, row)));
    return list;
}

/* What is left out, and the order in which it is looked for. */
static json_t *reduction_facts(const struct answer *a, const struct ts *ts) {
    struct reduction r = ts->reduction;
    r.stubborn = r.stubborn || a->ltl.stubborn || a->tester.stubborn; /* those bring sets of their own */
    json_t *facts = report_json_reductions(&r);
    json_object_set_new(facts, "scan", json_string(r.forward ? "forward" : "backward"));
    return facts;
}

/* How much of hand-written rules was audited; null: there are none. */
static json_t *audit_facts(const struct audit_facts *f) {
    if (!f->obligations && !f->symmetry) return json_null();
    return json_pack("{s:b, s:b, s:I, s:I, s:o}", "obligations", (int)f->obligations, "symmetry", (int)f->symmetry,
                     "states", (json_int_t)f->states, "checks", (json_int_t)f->checks, "skipped",
                     execution_text(f->skipped));
}

/* How much model code was watched. */
static json_t *strict_facts(const struct ts *ts) {
    bool all = false;
    const char *limit = NULL;
    uint64_t watched = ts->ops->watched ? ts->ops->watched(ts, &all, &limit) : UINT64_MAX;
    if (watched == UINT64_MAX) return json_null();
    return json_pack("{s:s, s:I, s:o}", "mode", all ? "all" : "sample", "expansions", (json_int_t)watched, "limit",
                     execution_text(limit));
}

/* A number of any size: digits, where JSON readers would lose some. */
static json_t *large_number(const char *digits) {
    return strlen(digits) <= 15 ? json_integer(strtoll(digits, NULL, 10)) : json_string(digits);
}

/* Decision diagrams have numbers of any size, and no depth. */
static void symbolic_facts(json_t *document, const struct symbolic_facts *f) {
    json_object_set_new(document, "engine", json_string(f->states ? "symbolic" : "explicit"));
    if (!f->states) return;
    json_object_set_new(document, "states", large_number(f->states));
    json_object_set_new(document, "edges", large_number(f->edges));
    json_object_set_new(document, "terminal_states", large_number(f->terminals));
    json_object_set_new(document, "depth", json_null());
    json_object_set_new(document, "diagrams",
                        json_pack("{s:i, s:s, s:I, s:I}", "levels", (int)f->levels, "order", f->order, "nodes",
                                  (json_int_t)f->nodes, "most_nodes", (json_int_t)f->most));
}

json_t *report_json(const struct answer *a, struct ts *ts, struct ts_worker *w) {
    json_t *document = report_json_about(ts);
    json_t *store = json_pack("{s:s, s:b, s:f, s:f}", "kind", store_name(a->store), "exact", (int)a->exact,
                              "omitted_estimate", a->omitted, "coverage_estimate", a->coverage);
    json_t *rest = json_pack(
        "{s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:f, s:I, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", //
        "verdict", verdict_name(a->verdict), "property",
        execution_text(a->property == PROP_NONE ? NULL : property_name(a->property)), //
        "message", execution_text(a->message), "states", (json_int_t)a->states, "edges", (json_int_t)a->edges,
        "terminal_states", (json_int_t)a->terminals, "depth", (json_int_t)a->depth, //
        "time_s", a->seconds, "peak_bytes", (json_int_t)memory_peak(),              //
        "reduction", reduction_facts(a, ts), "search", search_facts(a), "threads", (int)a->threads, "store", store,
        "checks", property_list(a->checked), "unchecked", property_list(a->unchecked), "held", property_list(a->held),
        "note", execution_text(a->note), "trace", execution_json(&a->trace, ts, w, a->property == PROP_DEADLOCK));
    json_object_update(document, rest);
    json_decref(rest);
    if (a->chosen) json_object_set_new(document, "reduced", json_string(a->chosen));
    if (a->proved) json_object_set_new(document, "proved", json_pack("[s]", "safety"));
    symbolic_facts(document, &a->symbolic);
    if (a->one_thread) json_object_set_new(document, "one_thread", json_string(a->one_thread));
    json_object_set_new(document, "audit", audit_facts(&a->audit));
    json_object_set_new(document, "strict", strict_facts(ts));
    json_object_set_new(document, "never_fired", never_fired_json(a, ts, w));
    if (a->exercised) json_object_set_new(document, "coverage", coverage_json(a->exercised, ts, w));
    if (a->ltl.formula || a->ltl.file)
        json_object_set_new(document, "ltl",
                            json_pack("{s:o, s:o, s:o, s:s, s:i, s:I}", "formula", execution_text(a->ltl.formula),
                                      "file", execution_text(a->ltl.file), "algorithm",
                                      execution_text(a->ltl.algorithm), "automaton",
                                      a->ltl.testing ? "testing" : "buchi", "automaton_states",
                                      (int)a->ltl.automaton_states, "visited_twice", (json_int_t)a->ltl.twice));
    else if (a->tester.name) json_object_set_new(document, "tester", tester_facts(&a->tester));
    else if (ts->whole_counts) json_object_set_new(document, "network", census(a, ts, w));
    return document;
}

/* The verdict says the same as the exit status. */
json_t *report_json_problem(enum exit_status status, const char *message) {
    const char *verdict = status == EXIT_INCONCLUSIVE ? verdict_name(VERDICT_INCONCLUSIVE)
                          : status == EXIT_VIOLATED   ? verdict_name(VERDICT_VIOLATED)
                                                      : verdict_name(VERDICT_ERROR);
    return json_pack("{s:s, s:s, s:o}", "onager", ONAGER_VERSION, "verdict", verdict, "message",
                     execution_text(message));
}

static bool write_to(json_t *document, FILE *out) {
    return json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0 && fputc('\n', out) != EOF &&
           fflush(out) == 0;
}

static bool cannot_write(const char *path, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "cannot write the JSON document to %s: %s", path, strerror(errno));
}

bool report_write_json(json_t *document, const char *path, struct problem *why) {
    struct new_file file;
    if (strcmp(path, "-") == 0) return write_to(document, stdout) || cannot_write("standard output", why);
    if (!files_begin(&file, path, why)) return false;
    int fd = fcntl(file.fd, F_DUPFD_CLOEXEC, 0);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool good = out && write_to(document, out);
    if (!good) cannot_write(path, why);
    if (out) fclose(out);
    else if (fd >= 0) close(fd);
    return files_finish(&file, good, why);
}
