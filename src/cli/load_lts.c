#include "cli/load_lts.h"

#include <string.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "front/fsp/fsp.h"
#include "front/fsp/transform.h"
#include "lts/aut.h"

static bool is_aut(const char *path) { return strcmp(path, "-") == 0 || text_ends_with(path, ".aut"); }

/* It is an LTS already. */
static bool no_model(const char *path, const struct options *o, struct problem *why) {
    if (o->process)
        return problem_set(why, EXIT_BAD_INPUT, "%s is one LTS; there is no process %s in it", path, o->process);
    if (o->parameter_count > 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s has no parameter '%s'; an .aut file has none at all", path,
                           o->parameters[0].name);
    return o->preserve < 2 ||
           problem_set(why, EXIT_BAD_INPUT,
                       "%s is an LTS already; --preserve is for models, whose LTS is yet to be built", path);
}

/* Nobody wants an LTS to replace a model, or to be called a picture. */
static bool suits_lts(const char *option, const char *path, struct problem *why) {
    static const char *const pictures[] = {".svg", ".png", ".pdf", ".dot"}, *const models[] = {".fsp", ".lts", ".c"};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (text_ends_with(path, pictures[i]))
            return problem_set(why, EXIT_BAD_INPUT, "%s %s: an LTS is written as .aut; onager draw makes pictures",
                               option, path);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (text_ends_with(path, models[i]))
            return problem_set(why, EXIT_BAD_INPUT, "%s %s: an LTS is written as .aut, and would be taken for a model",
                               option, path);
    return true;
}

bool lts_options_fit(const struct options *o, struct problem *why) {
    bool standard = strcmp(o->model, "-") == 0;
    if (o->second && standard && strcmp(o->second, "-") == 0)
        return problem_set(why, EXIT_BAD_INPUT, "only one of the two can come from standard input");
    if (o->command != COMMAND_LTS && is_aut(o->model) && (!o->second || is_aut(o->second)) &&
        !no_model(standard ? "standard input" : o->model, o, why))
        return false;
    if (o->second && o->process2 && is_aut(o->second))
        return problem_set(why, EXIT_BAD_INPUT, "%s is one LTS; there is no process %s in it", o->second, o->process2);
    if (o->test && !suits_lts("--test", o->test, why)) return false;
    return !o->output || o->command == COMMAND_DRAW || suits_lts("-o", o->output, why);
}

struct effort effort_of(const struct options *o) {
    struct limits limits = limits_of(o);
    return (struct effort){
        .most = limits.max_memory, .deadline = limits.deadline, .seconds = o->time, .interrupted = o->interrupted};
}

struct reduction lts_reduction(const struct options *o) {
    static const enum preserve all[] = {PRESERVE_DEADLOCKS, PRESERVE_DEADLOCKS,    PRESERVE_DEADLOCK_TRACES,
                                        PRESERVE_TRACES,    PRESERVE_FAIR_TESTING, PRESERVE_TREE_FAILURES};
    return (struct reduction){.stubborn = o->preserve > 1,
                              .forward = o->forward,
                              .method = method_of(o),
                              .preserve = all[o->preserve > 0 ? o->preserve - 1 : 0]};
}

/* C models have rules of their own, which are about states only. */
static bool can_preserve(const struct options *o, const struct ts *ts, struct problem *why) {
    return !ts->reduction.stubborn || lts_reduction(o).preserve < PRESERVE_TRACES || ts->ops->widen ||
           problem_set(why, EXIT_BAD_INPUT,
                       "%s: the obligations of a C model preserve deadlocks, and the traces that lead to them; what an "
                       "observer sees otherwise is preserved for processes only: use --preserve deadlocks, "
                       "deadlock-traces or all",
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

bool load_lts(const struct options *o, const char *path, struct effort *effort, struct lts *out, struct problem *why) {
    struct aut_options how = {.tau = o->tau, .effort = effort};
    if (is_aut(path)) return aut_read(path, &how, out, why);
    return build(o, path, effort, out, why);
}
