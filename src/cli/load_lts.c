#include "cli/load_lts.h"

#include <signal.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "lts/aut.h"

bool has_suffix(const char *path, const char *suffix) {
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

bool end_when_interrupted(const struct options *o, struct problem *why) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    return !*o->interrupted || problem_set(why, EXIT_INCONCLUSIVE, "interrupted");
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

bool build_model_lts(const struct options *o, struct ts *ts, struct lts *out, struct build_report *report,
                     struct problem *why) {
    if (!can_preserve(o, ts, why)) return false;
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct limits limits = limits_of(o, o->interrupted);
    struct means means = {.threads = (unsigned)o->threads};
    struct progress progress;
    progress_init(&progress);
    struct ticker ticker = progress_ticker(&progress, o->quiet);
    bool good = build_lts(ts, w, &limits, &means, &ticker, out, report, why);
    progress_wipe(&progress);
    ts->ops->worker_free(w);
    return good;
}

static bool build(const struct options *o, const char *path, struct lts *out, struct problem *why) {
    struct options mine = *o;
    struct build_report report;
    mine.model = path;
    struct ts *ts = open_model(&mine, lts_reduction(o), why);
    bool good = ts && build_model_lts(o, ts, out, &report, why);
    if (ts) ts->ops->close(ts);
    return good;
}

bool load_lts(const struct options *o, const char *path, struct lts *out, struct problem *why) {
    struct aut_options how = {.tau = o->tau};
    if (strcmp(path, "-") == 0 || has_suffix(path, ".aut")) return aut_read(path, &how, out, why);
    return build(o, path, out, why);
}
