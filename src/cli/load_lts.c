#include "cli/load_lts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/progress_line.h"
#include "fsp/fsp.h"
#include "minimize/qualities.h"
#include "model/network/network_model.h"
#include "lts/label_list.h"
#include "lts/lts_file.h"

bool is_lts_file(const struct options *o, const char *path) {
    enum file_kind kind = lts_file_kind(path, FILE_UNKNOWN);
    return suffix_is_lts(kind) || (kind == FILE_UNKNOWN && o->from);
}

/* What is said counts where the name tells nothing. */
struct lts_file_options lts_options_of(const struct options *o, const char *path) {
    bool named = suffix_type(path).kind != FILE_UNKNOWN;
    return (struct lts_file_options){.kind = named ? FILE_UNKNOWN : (enum file_kind)o->from,
                                     .tau = o->tau,
                                     .met = o->tau_met,
                                     .kept = o->mcrl2_kept};
}

/* ---- Options ---- */

/* It is an LTS already. */
static bool no_model(const char *path, const struct options *o, struct problem *why) {
    if (o->process)
        return problem_set(why, EXIT_BAD_INPUT, "%s is one LTS; there is no process %s in it", path, o->process);
    if (o->parameter_count > 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s has no parameter '%s'; an LTS has none at all", path,
                           o->parameters[0].name);
    return o->preserve < 2 ||
           problem_set(why, EXIT_BAD_INPUT, "%s is an LTS already; --preserve is for models, of which an LTS is built",
                       path);
}

static bool is_ordinary(const char *path) {
    struct stat info;
    return strcmp(path, "-") != 0 && (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

/* Something is there that is not empty, and is not what is written. */
static bool is_other(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 && !lts_file_is_mcrl2(path);
}

/* Nobody wants an LTS to replace a model, or to be called a picture. */
static bool suits_lts(const char *option, const char *path, int said, struct problem *why) {
    enum file_kind kind = lts_file_written(path, FILE_UNKNOWN);
    if (kind == FILE_DOT && strcmp(option, "--test") == 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s %s: a test is written as .aut, .fsm or .lts", option, path);
    if (suffix_is_shared(path) && is_other(path))
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s %s: a file of this name exists, and is not an LTS of mCRL2 but perhaps a model; "
                           "remove it, or give another name",
                           option, path);
    if (suffix_is_model(kind))
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s %s: an LTS is written as .aut, .fsm, .lts or .dot, and would be taken for a model",
                           option, path);
    if (kind == FILE_PICTURE)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s %s: an LTS is written as .aut, .fsm, .lts or .dot; onager draw makes pictures", option,
                           path);
    if (kind == FILE_UNKNOWN && !said && is_ordinary(path))
        return problem_set(
            why, EXIT_BAD_INPUT,
            "%s %s: its name does not say what format is meant: .aut, .fsm or .lts, also with .gz or .zst "
            "after it, or .dot%s",
            option, path, strcmp(option, "-o") == 0 ? "; or say it with --to FORMAT" : "");
    if (kind != FILE_UNKNOWN && said && kind != (enum file_kind)said && strcmp(path, "-") != 0)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s %s: its name and --to say different formats; leave --to out, or give another name",
                           option, path);
    return true;
}

/* --from is for names that do not tell. */
static bool from_is_needed(const struct options *o, struct problem *why) {
    const char *paths[] = {o->model, o->second};
    if (!o->from) return true;
    for (int i = 0; i < 2; i++)
        if (paths[i] && suffix_type(paths[i]).kind == FILE_UNKNOWN) return true;
    return problem_set(
        why, EXIT_BAD_INPUT,
        "--from is for standard input and for names that do not tell the format, and %s does; leave --from "
        "out",
        o->model);
}

bool lts_options_fit(const struct options *o, struct problem *why) {
    bool standard = strcmp(o->model, "-") == 0;
    if (o->second && standard && strcmp(o->second, "-") == 0)
        return problem_set(why, EXIT_BAD_INPUT, "only one of the two can come from standard input");
    if (!from_is_needed(o, why)) return false;
    if (o->command != COMMAND_LTS && is_lts_file(o, o->model) && (!o->second || is_lts_file(o, o->second)) &&
        !no_model(standard ? "standard input" : o->model, o, why))
        return false;
    if (o->second && o->process2 && is_lts_file(o, o->second))
        return problem_set(why, EXIT_BAD_INPUT, "%s is one LTS; there is no process %s in it", o->second, o->process2);
    if (o->test && !suits_lts("--test", o->test, 0, why)) return false;
    if (o->format && !o->output && o->command == COMMAND_LTS)
        return problem_set(why, EXIT_BAD_INPUT, "--to is the format of the LTS that is written: give -o FILE, or -o -");
    return !o->output || o->command & (COMMAND_DRAW | COMMAND_TESTER) || suits_lts("-o", o->output, o->format, why);
}

struct effort effort_of(const struct options *o) {
    struct limits limits = limits_of(o);
    return (struct effort){
        .most = limits.max_memory, .deadline = limits.deadline, .seconds = o->time, .interrupted = o->interrupted};
}

struct reduction lts_reduction(const struct options *o) {
    static const enum preserve all[] = {PRESERVE_DEADLOCKS, PRESERVE_DEADLOCKS,    PRESERVE_DEADLOCK_TRACES,
                                        PRESERVE_TRACES,    PRESERVE_FAIR_TESTING, PRESERVE_TREE_FAILURES};
    assert((size_t)o->preserve <= sizeof all / sizeof *all);
    return (struct reduction){.stubborn = o->preserve > 1,
                              .forward = o->forward,
                              .method = method_of(o),
                              .preserve = all[o->preserve > 0 ? o->preserve - 1 : 0]};
}

/* C models have rules of their own, which are about states only. */
static bool can_preserve(const struct options *o, const struct ts *ts, struct problem *why) {
    return !ts->reduction.stubborn || lts_reduction(o).preserve < PRESERVE_TRACES || ts->ops->widen ||
           problem_set(why, EXIT_BAD_INPUT,
                       "%s: the obligations of a C model preserve deadlocks and the traces that lead to them, "
                       "and nothing else: use --preserve deadlocks, deadlock-traces or all (the others are for "
                       "processes)",
                       ts->path);
}

bool qualities_count(const struct ts *ts) {
    return ts->qualities && !(ts->reduction.stubborn && ts->reduction.preserve < PRESERVE_TRACES);
}

/* What the text says that the LTS shall be made. */
static bool qualify(const struct options *o, const struct ts *ts, const struct limits *limits, struct lts *l,
                    struct problem *why) {
    struct effort effort = {.most = limits->max_memory,
                            .deadline = limits->deadline,
                            .seconds = o->time,
                            .interrupted = limits->interrupted};
    if (!qualities_count(ts)) return true;
    if (transform_qualify(ts->qualities, fsp_limits_default.process_states, &effort, l, why)) return true;
    lts_fini(l);
    return false;
}

bool build_model_lts(const struct options *o, struct ts *ts, const struct limits *limits, struct lts *out,
                     struct build_report *report, struct problem *why) {
    if (!can_preserve(o, ts, why)) return false;
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct means means = {.threads = (unsigned)o->threads, .no_audit = o->no_audit};
    struct progress progress;
    progress_init(&progress);
    struct ticker ticker = progress_ticker(&progress, o->quiet);
    bool good = build_lts(ts, w, limits, &means, &ticker, out, report, why);
    progress_wipe(&progress);
    good = good && qualify(o, ts, limits, out, why);
    if (good) lts_relabel(out, o->relabelling);
    ts->ops->worker_free(w);
    return good;
}

static bool build(const struct options *o, const char *path, const struct effort *effort, struct lts *out,
                  struct problem *why) {
    struct options mine = *o;
    struct limits limits = limits_of(o);
    limits.deadline = effort->deadline;
    struct build_report report;
    mine.model = path;
    struct ts *ts = open_model(&mine, lts_reduction(o), why);
    bool good = ts && build_model_lts(o, ts, &limits, out, &report, why);
    if (ts) ts->ops->close(ts);
    return good;
}

bool beside_model(const struct options *o, const char *option, const char *name, struct options *out,
                  struct problem *why) {
    bool file = network_model_is(name);
    *out = *o;
    out->foreign_parameters = true;
    out->process = file ? NULL : name;
    if (file) out->model = name;
    if (!file && !text_is_identifier(name))
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s %s: write FILE.fsp:NAME, FILE.aut, or the name of a process of the model's FSP file",
                           option, name);
    return file || (network_model_is(o->model) && !is_lts_file(o, o->model)) ||
           problem_set(why, EXIT_BAD_INPUT, "%s %s: %s is no FSP file, so that it has no process %s; write FILE.fsp:%s",
                       option, name, o->model, name, name);
}

/* ---- Files ---- */

bool load_lts(const struct options *o, const char *path, struct effort *effort, struct lts *out, struct problem *why) {
    if (!is_lts_file(o, path)) return build(o, path, effort, out, why);
    struct lts_file_options how = lts_options_of(o, path);
    how.effort = effort;
    if (!lts_file_read(path, &how, out, why)) return false;
    lts_relabel(out, o->relabelling);
    return true;
}

bool write_lts(const struct options *o, const struct lts *l, const char *path, struct problem *why) {
    struct effort until_interrupted = {.interrupted = o->interrupted}; /* it is there: not less for --time */
    bool named = suffix_type(path).kind != FILE_UNKNOWN;
    const struct lts_file_options how = {.kind = named       ? FILE_UNKNOWN
                                                 : o->format ? (enum file_kind)o->format
                                                             : FILE_AUT,
                                         .tau = o->tau,
                                         .met = o->tau_met,
                                         .kept = o->mcrl2_kept,
                                         .effort = &until_interrupted};
    return lts_file_write(l, path, &how, why);
}

/* Does a rule speak of the invisible action? */
static bool is_invisible(const struct options *o, const char *pattern) {
    char *met = label_unquoted(o->tau_met->first ? o->tau_met->first : "tau");
    bool is = strcmp(pattern, "tau") == 0 || strcmp(pattern, met) == 0 ||
              (o->tau_met->other && strcmp(pattern, o->tau_met->other) == 0);
    free(met);
    return is;
}

void note_labels(const struct options *o) {
    if (o->tau_met->other && !o->tau)
        fprintf(
            stderr,
            "onager: note: the invisible action is called %s and %s; if one of them is a visible action, say how the "
            "invisible one is spelt: --tau NAME\n",
            o->tau_met->first, o->tau_met->other);
    for (size_t i = 0; i < o->relabelling->count; i++) {
        const struct relabel_rule *r = &o->relabelling->rule[i];
        if (!r->used)
            fprintf(stderr, "onager: note: --%s %s: %s\n", r->option, r->pattern,
                    !is_invisible(o, r->pattern) ? "there is no such action"
                    : r->name ? "that is the invisible action, which has no other name; if it is meant "
                                "to be visible, say how the invisible one is spelt: --tau NAME"
                              : "that is the invisible action already");
    }
}
