#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/report.h"
#include "check/concretize.h"

/* A trace file: the document that check --json writes, or its "trace" alone. */
struct recorded {
    json_t *document;
    json_t *stem, *cycle; /* arrays of steps */
    json_t *closing;      /* transition */
    uint64_t no_return;   /* TRACE_NONE: not said */
    bool swaps;           /* states are representatives, and steps are transitions and then the symmetry map */
};

static uint32_t transition_number(json_t *transition) {
    json_t *number = json_object_get(transition, "number");
    json_int_t n = json_is_integer(number) ? json_integer_value(number) : -1;
    return n < 0 || n >= TS_NONE ? TS_NONE : (uint32_t)n;
}

/* Executions of check --symmetry are those of the model itself, unless --swaps was given. Then each step tells whether
 * the map has changed its state. */
static bool has_swaps(const struct recorded *r) {
    bool symmetry = json_is_true(json_object_get(json_object_get(r->document, "reduction"), "symmetry")), any = false;
    size_t i;
    json_t *step;
    json_array_foreach(r->stem, i, step) {
        json_t *mapped = json_object_get(step, "mapped");
        any |= json_is_true(mapped) || (mapped && symmetry);
    }
    json_array_foreach(r->cycle, i, step) any |= json_is_true(json_object_get(step, "mapped"));
    return any;
}

static bool load(struct recorded *r, const char *path, struct problem *why) {
    json_error_t error;
    char *text = files_read(path, why);
    if (!text) return false;
    r->document = json_loads(text, 0, &error);
    free(text);
    if (!r->document)
        return problem_set(why, EXIT_BAD_INPUT, "%s:%d:%d: %s", path, error.line, error.column, error.text);
    json_t *trace = json_object_get(r->document, "trace");
    if (!trace) trace = r->document;
    if (json_is_null(trace)) return problem_set(why, EXIT_BAD_INPUT, "%s has no trace: nothing was violated", path);
    r->stem = json_object_get(trace, "stem");
    r->cycle = json_object_get(trace, "cycle");
    r->closing = json_object_get(trace, "closing");
    json_t *no_return = json_object_get(trace, "point_of_no_return");
    r->no_return = json_is_integer(no_return) ? (uint64_t)json_integer_value(no_return) : TRACE_NONE;
    if (!json_is_array(r->stem) || !json_is_array(r->cycle) ||
        json_array_size(r->stem) + json_array_size(r->cycle) == 0)
        return problem_set(why, EXIT_BAD_INPUT, "%s is not a trace: it must have \"stem\" and \"cycle\"", path);
    r->swaps = has_swaps(r);
    return true;
}

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

static bool same_number(const struct ts *ts, const word *s, uint32_t v, uint32_t i, json_t *recorded) {
    const char *name;
    size_t length;
    int64_t n = ts->ops->value(ts, s, v, i, &name, &length);
    if (json_is_string(recorded)) return (uint64_t)n == strtoull(json_string_value(recorded), NULL, 10);
    return json_is_integer(recorded) && json_integer_value(recorded) == n;
}

static bool same_name(const struct ts *ts, const word *s, uint32_t v, uint32_t i, json_t *recorded) {
    const char *name;
    size_t length;
    ts->ops->value(ts, s, v, i, &name, &length);
    if (!name || !json_is_string(recorded)) return !name && !json_is_string(recorded);
    return json_string_length(recorded) == length && memcmp(json_string_value(recorded), name, length) == 0;
}

/* Whether what is recorded of the variables, as far as it is given, agrees with the state. */
static bool same_values(const struct ts *ts, const word *s, json_t *recorded,
                        bool (*same)(const struct ts *, const word *, uint32_t, uint32_t, json_t *)) {
    if (!recorded) return true;
    for (uint32_t v = 0; v < ts->variable_count; v++) {
        json_t *value = json_object_get(recorded, ts->variables[v].name);
        if (!value) continue;
        if (!ts->variables[v].length && !same(ts, s, v, 0, value)) return false;
        for (uint32_t i = 0; i < ts->variables[v].length; i++)
            if (!same(ts, s, v, i, json_array_get(value, i))) return false;
    }
    return true;
}

/* An action that a formula names, and the model has not: it leaves the model where it is. Its number, or TS_NONE. */
static uint32_t free_action(struct trace *t, const struct ts *ts, json_t *transition) {
    const char *name = json_string_value(json_object_get(transition, "name"));
    if (!name || !json_is_true(json_object_get(transition, "free")) || !ts->whole_counts || t->count == 0)
        return TS_NONE;
    for (uint32_t i = 0; i < ts->actions; i++)
        if (strcmp(ts->action_names[i], name) == 0) return TS_NONE;
    if (!t->notes) {
        t->notes = memory_get_zeroed(sizeof *t->notes);
        *t->notes = (struct trace_notes){.first = UINT64_MAX, .extra_from = ts->transitions};
        names_init(&t->notes->propositions);
        names_init(&t->notes->extra);
    }
    return ts->transitions + names_add(&t->notes->extra, name);
}

/* Adds a step to the trace by firing its transition. */
static bool replay_step(struct trace *t, struct ts *ts, struct ts_worker *w, json_t *label, json_t *recorded,
                        bool swaps, const char *path, struct problem *why) {
    uint32_t transition = transition_number(label), free_one = free_action(t, ts, label);
    struct ts_fault fault;
    word *next = memory_get(ts->words * sizeof(word));
    bool good = false, mapped = false;
    unsigned long long step = t->count;
    int fired = 1;
    if (step == 0) {
        fired = ts->ops->initial(w, next, &fault) ? 1 : -1;
    } else if (free_one != TS_NONE) {
        transition = free_one;
        memcpy(next, trace_state(t, t->count - 1), ts->words * sizeof(word));
    } else if (transition >= ts->transitions) fired = 0;
    else fired = ts->ops->fire(w, trace_state(t, t->count - 1), transition, next, &fault);
    if (fired > 0 && swaps) {
        word *image = memory_get(ts->words * sizeof(word));
        if (!ts->ops->representative(w, next, image, &fault)) fired = -1;
        mapped = fired > 0 && memcmp(next, image, ts->words * sizeof(word)) != 0;
        memcpy(next, image, ts->words * sizeof(word));
        free(image);
    }
    if (fired < 0) problem_set(why, EXIT_BAD_INPUT, "%s: step %llu: %s: %s", ts->path, step, fault.where, fault.text);
    else if (!fired && transition == TS_NONE)
        problem_set(why, EXIT_BAD_INPUT, "%s: step %llu does not say which transition leads to it", path, step);
    else if (!fired)
        problem_set(why, EXIT_VIOLATED, "%s: step %llu: transition %" PRIu32 " is not enabled in the model", path, step,
                    transition);
    else if (!same_values(ts, next, json_object_get(recorded, "state"), same_number))
        problem_set(why, EXIT_VIOLATED, "%s: step %llu: the model's state differs from the recorded one", path, step);
    else if (!same_values(ts, next, json_object_get(recorded, "names"), same_name))
        problem_set(why, EXIT_VIOLATED, "%s: step %llu: the model's names of values differ from the recorded ones",
                    path, step);
    else good = true;
    if (good) {
        trace_add(t, transition, next);
        t->mapped[t->count - 1] = mapped;
    }
    free(next);
    return good;
}

static bool replay(struct trace *t, const struct recorded *r, struct ts *ts, struct ts_worker *w, const char *path,
                   struct problem *why) {
    size_t i;
    json_t *step;
    json_array_foreach(r->stem, i, step) {
        json_t *label = json_object_get(step, "transition");
        if (!replay_step(t, ts, w, label, step, r->swaps, path, why)) return false;
    }
    if (json_array_size(r->cycle) == 0) return true;
    t->cycle = t->count;
    json_array_foreach(r->cycle, i, step) {
        json_t *label = json_object_get(step, "transition");
        if (!replay_step(t, ts, w, label, step, r->swaps, path, why)) return false;
    }
    /* The closing step must lead to the first state of the cycle; it is not a state of the trace. */
    if (!replay_step(t, ts, w, r->closing, json_array_get(r->cycle, 0), r->swaps, path, why)) return false;
    t->closing = t->transitions[--t->count];
    t->closing_mapped = t->mapped[t->count];
    return true;
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
    if (load(&r, o->trace, why)) {
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
        bool good = replay(&t, &r, ts, w, o->trace, why) && (!r.swaps || replay_concretely(&t, ts, w, o->trace, why));
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
            json_t *document = json_pack("{s:b, s:o}", "replayed", (int)good, "trace", execution_json(&t, ts, w, stuck));
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
