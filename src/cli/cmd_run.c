#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/report.h"
#include "explore/typical_execution.h"

int command_run(const struct options *o, struct problem *why) {
    struct ts *ts = open_model(o, (struct reduction){0}, why);
    if (!ts) return (int)why->status;
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct trace t;
    int status = EXIT_HOLDS;
    trace_init(&t, ts->words);
    struct ts_fault fault = {.kind = TS_FINE};
    enum typical how = typical_run(&t, ts, w, o->interrupted, &fault);
    bool stuck = how == TYPICAL_WHOLE && fault.kind == TS_FINE && t.cycle == TRACE_NONE;
    struct showing show = showing_of(o, ts);
    bool json_only = o->json && strcmp(o->json, "-") == 0;
    if (!json_only) {
        report_trace(&t, ts, w, stuck && show.form == FORM_BY_PROCESS, show, stdout);
        if (fault.kind == TS_FINE && how != TYPICAL_NO_MEMORY)
            printf("%llu state%s, %s\n", (unsigned long long)t.count, text_s(t.count),
                   how == TYPICAL_INTERRUPTED ? "then it was interrupted"
                   : t.cycle == TRACE_NONE    ? "the last is terminal"
                                              : "then again from the line on");
    }
    if (o->json || o->trace_file) {
        json_t *document = report_json_about(ts);
        json_object_set_new(document, "message",
                            how == TYPICAL_INTERRUPTED ? json_string("interrupted")
                            : how == TYPICAL_NO_MEMORY ? json_string("no memory was left")
                            : fault.kind == TS_FINE    ? json_null()
                                                       : json_string(fault.text));
        json_object_set_new(document, "trace", execution_json(&t, ts, w, stuck));
        if (o->json) report_write_json(document, o->json, why);
        write_trace_file(o, document, why);
        json_decref(document);
    }
    if (how != TYPICAL_WHOLE) status = EXIT_INCONCLUSIVE;
    if (how == TYPICAL_NO_MEMORY)
        problem_set(why, EXIT_INCONCLUSIVE, "no memory was left after %llu states of the execution; " MEMORY_ADVICE,
                    (unsigned long long)t.count);
    if (fault.kind == TS_RAISED) status = EXIT_VIOLATED;
    else if (fault.kind != TS_FINE) status = EXIT_BAD_INPUT;
    if (fault.kind != TS_FINE && !json_only) printf("!!! %s: %s\n", fault.where, fault.text);
    trace_fini(&t);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    return why->status ? (int)why->status : status;
}
