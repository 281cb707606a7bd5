/* onager facts: what is proved of a model without a search. */
#include <string.h>

#include "cli/commands.h"
#include "cli/load_lts.h"
#include "report/facts.h"
#include "report/report.h"

static bool show(const struct options *o, struct ts *ts, struct source *source, struct problem *why) {
    json_t *document = report_json_about(ts);
    struct effort effort = effort_of(o);
    source->effort = &effort;
    facts_json(document, ts, source);
    source->effort = NULL;
    if (effort_look(&effort)) return json_decref(document), effort_problem(&effort, "deriving the facts", why);
    bool alone = o->json && strcmp(o->json, "-") == 0, written = true;
    if (!alone) facts_text(document, stdout);
    if (o->json) written = report_write_json(document, o->json, why);
    json_decref(document);
    return written;
}

int command_facts(const struct options *o, struct problem *why) {
    struct ts *ts = open_model(o, (struct reduction){0}, why);
    if (!ts) return (int)why->status;
    struct source *source = NULL;
    if (ts->ops->read) source = ts->ops->read(ts, why);
    else
        problem_set(why, EXIT_BAD_INPUT,
                    "%s: facts are derived from the code of C models; what processes do is known without", ts->path);
    bool shown = source && show(o, ts, source, why);
    if (source) source->ops->close(source);
    ts->ops->close(ts);
    return shown ? EXIT_HOLDS : (int)why->status;
}
