#include "cli/load_lts.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "front/fsp/fsp.h"
#include "front/fsp/transform.h"
#include "lts/aut.h"

bool has_suffix(const char *path, const char *suffix) {
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

struct effort effort_of(const struct options *o) {
    struct limits limits = limits_of(o, o->interrupted);
    return (struct effort){
        .most = limits.max_memory, .deadline = limits.deadline, .seconds = o->time, .interrupted = o->interrupted};
}

struct reduction lts_reduction(const struct options *o) {
    static const enum preserve all[] = {PRESERVE_DEADLOCKS, PRESERVE_DEADLOCKS, PRESERVE_TRACES, PRESERVE_FAIR_TESTING,
                                        PRESERVE_TREE_FAILURES};
    return (struct reduction){.stubborn = o->preserve > 1,
                              .forward = o->forward,
                              .method = method_of(o),
                              .preserve = all[o->preserve > 0 ? o->preserve - 1 : 0]};
}

/* C models have rules of their own, which are about states only. */
static bool can_preserve(const struct options *o, const struct ts *ts, struct problem *why) {
    return !ts->reduction.stubborn || lts_reduction(o).preserve < PRESERVE_TRACES || ts->ops->widen ||
           problem_set(why, EXIT_BAD_INPUT,
                       "%s: the obligations of a C model preserve deadlocks; what an observer sees is preserved for "
                       "processes only: use --preserve deadlocks or all",
                       ts->path);
}

bool qualities_count(const struct ts *ts) {
    return ts->qualities && !(ts->reduction.stubborn && ts->reduction.preserve == PRESERVE_DEADLOCKS);
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
    struct means means = {.threads = (unsigned)o->threads};
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
    struct limits limits = limits_of(o, o->interrupted);
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
    if (strcmp(path, "-") == 0 || has_suffix(path, ".aut")) return aut_read(path, &how, out, why);
    return build(o, path, effort, out, why);
}
