#include <jansson.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "minimize/minimize.h"
#include "report/report.h"

/* Of what the result is the least. */
static const char *const least_words[] = {
    [LEAST_OF_ALL] = "all", [LEAST_DETERMINISTIC] = "deterministic", [LEAST_WITHOUT_TAU] = "without invisible edges"};

static enum relation_least least_of(enum lts_relation rel) { return relation_row(rel)->least; }

/* The LTS goes to standard output if nothing else is said, and then the summary does not. */
static void show(const struct options *o, const struct lts *before, const struct lts *after, enum lts_relation rel,
                 double seconds, FILE *out) {
    fprintf(out, "%s%s: %u state%s, %llu edge%s -> %u state%s, %llu edge%s; %.2f s\n", relation_name(rel),
            o->stability ? ", initial stability" : "", before->states, text_s(before->states),
            (unsigned long long)before->edges, text_s(before->edges), after->states, text_s(after->states),
            (unsigned long long)after->edges, text_s(after->edges), seconds);
    if (least_of(rel) == LEAST_OF_NONE) fprintf(out, "note: equivalent, but not always the least such LTS\n");
    else if (least_of(rel) != LEAST_OF_ALL)
        fprintf(out, "note: the least such LTS of those %s%s\n",
                least_of(rel) == LEAST_DETERMINISTIC ? "that are " : "", least_words[least_of(rel)]);
}

static json_t *size_of(const struct lts *l) {
    return json_pack("{s:I, s:I, s:I}", "states", (json_int_t)l->states, "edges", (json_int_t)l->edges, "labels",
                     (json_int_t)l->labels.count - 1);
}

static bool write_json(const struct options *o, const struct lts *before, const struct lts *after,
                       enum lts_relation rel, double seconds, struct problem *why) {
    bool least = least_of(rel) != LEAST_OF_NONE;
    json_t *document =
        json_pack("{s:s, s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:f, s:I}", "onager", ONAGER_VERSION, "model", o->model,
                  "relation", relation_name(rel), "stability", (int)o->stability, "least", (int)least, "least_of",
                  least ? json_string(least_words[least_of(rel)]) : json_null(), "before", size_of(before), "after",
                  size_of(after), "time_s", seconds, "peak_bytes", (json_int_t)memory_peak());
    bool fine = document ? report_write_json(document, o->json, why)
                         : problem_set(why, EXIT_BAD_INPUT, "the name of the file is not UTF-8");
    json_decref(document);
    return fine;
}

int command_minimize(const struct options *o, struct problem *why) {
    enum lts_relation rel = o->eq == RELATIONS ? RELATION_BRANCHING_DIV : (enum lts_relation)o->eq;
    const char *to = o->output ? o->output : "-";
    struct lts before, after;
    struct effort effort = effort_of(o);
    if (!lts_options_fit(o, why)) return (int)why->status;
    if (!load_lts(o, o->model, &effort, &before, why)) return (int)why->status;
    note_labels(o);
    double start = clock_seconds();
    if (lts_minimize(&before, rel, &effort, &after, why)) {
        if (o->stability) minimize_restore_stability(&before, rel, &after);
        double seconds = clock_seconds() - start;
        bool fine = write_lts(o, &after, to, why);
        if (fine && !(o->json && strcmp(o->json, "-") == 0))
            show(o, &before, &after, rel, seconds, strcmp(to, "-") == 0 ? stderr : stdout);
        if (fine && o->json) write_json(o, &before, &after, rel, seconds, why);
        lts_fini(&after);
    }
    lts_fini(&before);
    return (int)why->status;
}
