#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/recorded.h"
#include "report/report.h"
#include "check/concretize.h"

/* Parameters that the trace was made with, unless the command line gives others. */
static void add_parameters(const struct recorded *r, struct options *o) {
    const char *name;
    json_t *value, *parameters = json_object_get(r->document, "parameters");
    json_object_foreach(parameters, name, value) {
        bool given = false;
        for (size_t i = 0; i < o->parameter_count; i++) given |= strcmp(o->parameters[i].name, name) == 0;
        if (given || !json_is_integer(value)) continue;
        o->parameters = memory_resize(o->parameters, (o->parameter_count + 1) * sizeof *o->parameters);
        o->parameters[o->parameter_count++] = (struct ts_parameter){.name = name, .value = json_integer_value(value)};
    }
}

/* The name of the file of the model that the trace was made with, if it is known, and not that of `path`; or NULL. */
static const char *other_model(const struct recorded *r, const char *path) {
    const char *model = json_string_value(json_object_get(r->document, "model"));
    return model && strcmp(text_file_name(model), text_file_name(path)) != 0 ? text_file_name(model) : NULL;
}

/* Steps that the symmetry map has a part in show something only if the model can go such a way without it. */
static bool replay_concretely(const struct trace *t, struct ts *ts, struct ts_worker *w, const char *path,
                              struct problem *why) {
    struct trace real;
    struct concrete_gap gap;
    trace_init(&real, ts->words);
    enum concrete found = concrete_trace(&real, t, ts, w, t->count + 1, &gap);
    unsigned long long step = real.count;
    trace_fini(&real);
    if (found == CONCRETE_FOUND || found == CONCRETE_OPEN) return true;
    if (found == CONCRETE_NO_MEMORY)
        return problem_set(why, EXIT_INCONCLUSIVE, "%s: no memory was left to follow its cycle; " MEMORY_ADVICE, path);
    if (found == CONCRETE_FAULT)
        return problem_set(why, EXIT_BAD_INPUT, "%s: step %llu: %s: %s", ts->path, step, gap.fault.where,
                           gap.fault.text);
    return problem_set(why, EXIT_VIOLATED,
                       "%s: step %llu: the steps are those of the model and its symmetry map, but the model cannot go "
                       "a symmetric way without the map: the map is wrong (try: onager audit)",
                       path, step);
}

int command_replay(const struct options *o, struct problem *why) {
    struct options own = *o; /* with the parameters and the process of the trace */
    struct recorded r = {0};
    struct ts *ts = NULL;
    own.parameters = memory_get((own.parameter_count + 1) * sizeof *own.parameters);
    if (o->parameters) memcpy(own.parameters, o->parameters, o->parameter_count * sizeof *own.parameters);
    if (recorded_load(&r, o->trace, why)) {
        struct problem failure = {0};
        add_parameters(&r, &own);
        use_process(&own, json_string_value(json_object_get(r.document, "process")));
        ts = open_model(&own, (struct reduction){0}, &failure);
        bool more = own.parameter_count > o->parameter_count;
        if (!ts && (more || own.process != o->process)) {
            const char *other = other_model(&r, o->model);
            problem_set(why, failure.status, "with the %s of %s%s%s: %s", more ? "parameters" : "process", o->trace,
                        other ? ", which is of another model, " : "", other ? other : "", failure.text);
        } else if (!ts) problem_set(why, failure.status, "%s", failure.text);
        problem_fini(&failure);
    }
    if (ts && r.swaps && !ts_has(ts, TS_SYMMETRY))
        problem_set(why, EXIT_BAD_INPUT, "%s was made with --symmetry and --swaps, but %s has no symmetry map",
                    o->trace, ts->path);
    if (ts && !why->status) {
        struct ts_worker *w = ts->ops->worker_new(ts);
        struct trace t;
        trace_init(&t, ts->words);
        t.no_return = r.no_return;
        t.swaps = r.swaps;
        bool good =
            recorded_replay(&t, &r, ts, w, o->trace, why) && (!r.swaps || replay_concretely(&t, ts, w, o->trace, why));
        struct showing how = showing_of(o, ts);
        bool stuck = good && how.form == FORM_BY_PROCESS && execution_is_stuck(&t, ts, w);
        const char *other = good ? NULL : other_model(&r, o->model);
        if (other) fprintf(stderr, "onager: %s is of another model, %s\n", o->trace, other);
        if (!o->json || strcmp(o->json, "-") != 0) {
            report_trace(&t, ts, w, stuck, how, stdout);
            if (good)
                printf("replayed: %llu state%s%s\n", (unsigned long long)t.count, text_s(t.count),
                       t.cycle == TRACE_NONE ? "" : " and the cycle");
        }
        if ((o->json || o->trace_file) && good) { /* else main writes one with the message */
            json_t *document =
                json_pack("{s:b, s:o}", "replayed", (int)good, "trace", execution_json(&t, ts, w, stuck));
            if (o->json) report_write_json(document, o->json, why);
            if (o->trace_file) {
                json_t *about = report_json_about(ts);
                json_object_update_missing(document, about);
                json_decref(about);
                write_trace_file(o, document, why);
            }
            json_decref(document);
        }
        trace_fini(&t);
        ts->ops->worker_free(w);
    }
    if (ts) ts->ops->close(ts);
    json_decref(r.document);
    free(own.parameters);
    return (int)why->status;
}
