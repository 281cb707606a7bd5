#include "report/execution/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

json_t *execution_text(const char *text) {
    json_t *string = text ? json_string(text) : NULL;
    return string ? string : text ? json_string("(not UTF-8)") : json_null();
}

/* ---- States ---- */

static json_t *number(const struct ts *ts, const word *s, uint32_t v, uint32_t i) {
    const char *name;
    size_t length;
    int64_t n = ts->ops->value(ts, s, v, i, &name, &length);
    if (n < 0 && !ts->variables[v].is_signed) { /* beyond what a JSON integer holds here */
        char digits[24];
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
        return json_string(digits);
    }
    return json_integer(n);
}

static json_t *values(const struct ts *ts, const word *s) {
    json_t *object = json_object();
    for (uint32_t v = 0; v < ts->variable_count; v++) {
        const struct ts_variable *variable = &ts->variables[v];
        json_t *value = variable->length ? json_array() : number(ts, s, v, 0);
        for (uint32_t i = 0; i < variable->length; i++) json_array_append_new(value, number(ts, s, v, i));
        json_object_set_new(object, variable->name, value);
    }
    return object;
}

/* The name of a value, or null. */
static json_t *name(const struct ts *ts, const word *s, uint32_t v, uint32_t i) {
    const char *name;
    size_t length;
    ts->ops->value(ts, s, v, i, &name, &length);
    json_t *string = name ? json_stringn(name, length) : NULL;
    return string ? string : name ? json_string("(not UTF-8)") : json_null();
}

/* The names of values, of the variables that have some. */
static json_t *names(const struct ts *ts, const word *s) {
    json_t *object = json_object();
    for (uint32_t v = 0; v < ts->variable_count; v++) {
        const struct ts_variable *variable = &ts->variables[v];
        bool named = false;
        json_t *list = json_array();
        for (uint32_t i = 0; i < (variable->length ? variable->length : 1); i++) {
            json_t *one = name(ts, s, v, i);
            named |= !json_is_null(one);
            json_array_append_new(list, one);
        }
        if (named) json_object_set(object, variable->name, variable->length ? list : json_array_get(list, 0));
        json_decref(list);
    }
    return object;
}

static json_t *printed(const struct trace *t, uint64_t i, struct ts *ts, struct ts_worker *w) {
    char *text = NULL;
    size_t size = 0;
    struct ts_fault fault;
    FILE *memory = open_memstream(&text, &size);
    if (!ts->ops->print(w, trace_state(t, i), i ? trace_state(t, i - 1) : NULL, memory, &fault))
        fprintf(memory, "(%s: %s)", fault.where, fault.text);
    fclose(memory);
    json_t *string = json_stringn(text, size);
    free(text);
    return string ? string : json_string("(not UTF-8)");
}

/* Those that hold in state i. */
static json_t *propositions(const struct trace_notes *n, uint64_t i) {
    if (i < n->first) return json_null();
    json_t *list = json_array();
    for (uint32_t p = 0; p < n->propositions.count; p++)
        if (n->valuations[i] >> p & 1) json_array_append_new(list, json_string(n->propositions.text[p]));
    return list;
}

/* ---- What a step changes ---- */

static json_t *value_text(const struct ts *ts, const word *s, uint32_t v, uint32_t i) {
    const char *name;
    size_t length;
    int64_t n = ts->ops->value(ts, s, v, i, &name, &length);
    char *text = name                         ? text_format("%.*s", (int)length, name)
                 : ts->variables[v].is_signed ? text_format("%lld", (long long)n)
                                              : text_format("%llu", (unsigned long long)n);
    json_t *string = execution_text(text);
    free(text);
    return string;
}

static void add_change(json_t *list, const struct ts *ts, const word *before, const word *s, uint32_t v, uint32_t i) {
    json_t *from = value_text(ts, before, v, i), *to = value_text(ts, s, v, i);
    if (json_equal(from, to)) {
        json_decref(from);
        json_decref(to);
        return;
    }
    char *name = ts->variables[v].length ? text_format("%s[%u]", ts->variables[v].name, i) : NULL;
    json_array_append_new(list, json_pack("[o, o, o]", execution_text(name ? name : ts->variables[v].name), from, to));
    free(name);
}

/* ERROR and END of a network are states of the whole: its processes are nowhere then. */
static bool is_of_whole(const struct ts *ts, const char *text) {
    return ts->ops->takes_part && (strcmp(text, "END") == 0 || strncmp(text, "ERROR in ", 9) == 0);
}

static json_t *changes(const struct ts *ts, const word *before, const word *s, const char *text) {
    json_t *list = json_array();
    if (is_of_whole(ts, text)) {
        json_array_append_new(list, json_pack("[s, s, s]", "", "", text));
        return list;
    }
    for (uint32_t v = 0; v < ts->variable_count; v++)
        for (uint32_t i = 0; i < (ts->variables[v].length ? ts->variables[v].length : 1); i++)
            add_change(list, ts, before, s, v, i);
    return list;
}

/* ---- Steps ---- */

struct telling {
    const struct trace *t;
    struct ts *ts;
    struct ts_worker *w;
    struct cast cast;
};

static json_t *transition(const struct telling *e, uint32_t t) {
    char name[128];
    if (t == TS_NONE) return json_null();
    trace_transition_name(e->t, e->ts, e->w, t, name, sizeof name);
    json_t *processes = json_array();
    for (uint32_t p = 0; p < json_array_size(e->cast.names); p++)
        if (cast_takes_part(&e->cast, p, t)) json_array_append_new(processes, json_integer(p));
    json_t *object =
        json_pack("{s:i, s:o, s:o}", "number", (int)t, "name", execution_text(name), "processes", processes);
    if (e->t->notes && t >= e->t->notes->extra_from) json_object_set_new(object, "free", json_true());
    return object;
}

static json_t *step(const struct telling *e, uint64_t i) {
    const struct trace *t = e->t;
    const word *s = trace_state(t, i);
    json_t *step = json_pack("{s:o}", "transition", transition(e, t->transitions[i])),
           *text = printed(t, i, e->ts, e->w);
    if (t->swaps) json_object_set_new(step, "mapped", json_boolean(t->mapped[i]));
    if (i > 0) json_object_set_new(step, "changed", changes(e->ts, trace_state(t, i - 1), s, json_string_value(text)));
    json_object_set_new(step, "text", text);
    json_object_set_new(step, "state", values(e->ts, s));
    json_object_set_new(step, "names", names(e->ts, s));
    if (t->notes && t->notes->beside) {
        json_object_set_new(step, "tester", execution_text(t->notes->beside[i]));
        json_object_set_new(step, "seen", execution_text(t->notes->seen[i]));
    } else if (t->notes) json_object_set_new(step, "propositions", propositions(t->notes, i));
    return step;
}

bool execution_is_stuck(const struct trace *t, struct ts *ts, struct ts_worker *w) {
    if (t->count == 0 || t->cycle != TRACE_NONE) return false;
    word *next = memory_get(ts->words * sizeof(word));
    struct ts_fault fault;
    bool stuck = true;
    for (uint32_t k = 0; k < ts->transitions && stuck; k++)
        stuck = ts->ops->fire(w, trace_state(t, t->count - 1), k, next, &fault) == 0;
    free(next);
    return stuck;
}

json_t *execution_json(const struct trace *t, struct ts *ts, struct ts_worker *w, bool stuck) {
    if (t->count == 0) return json_null();
    struct telling e = {.t = t, .ts = ts, .w = w};
    json_t *stem = json_array(), *cycle = json_array();
    cast_init(&e.cast, ts, w);
    for (uint64_t i = 0; i < t->count; i++) json_array_append_new(i < t->cycle ? stem : cycle, step(&e, i));
    json_t *document = json_pack("{s:i, s:O, s:o, s:o, s:o, s:o}", "version", EXECUTION_VERSION, "processes",
                                 e.cast.names, "stem", stem, "point_of_no_return",
                                 t->no_return == TRACE_NONE ? json_null() : json_integer((json_int_t)t->no_return),
                                 "cycle", cycle, "closing", transition(&e, t->closing));
    if (t->cycle != TRACE_NONE && t->swaps)
        json_object_set_new(document, "closing_mapped", json_boolean(t->closing_mapped));
    if (t->cycle != TRACE_NONE && t->notes && t->notes->seen)
        json_object_set_new(document, "closing_seen", execution_text(t->notes->seen[t->count]));
    if (stuck) json_object_set_new(document, "waits", execution_waits(ts, w, trace_state(t, t->count - 1)));
    cast_fini(&e.cast);
    return document;
}
