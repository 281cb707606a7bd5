#include "cli/recorded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"

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

bool recorded_load(struct recorded *r, const char *path, struct problem *why) {
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

bool recorded_replay(struct trace *t, const struct recorded *r, struct ts *ts, struct ts_worker *w, const char *path,
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
