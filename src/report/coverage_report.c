#include "report/coverage_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "derive/source.h"
#include "report/execution/execution.h"

static json_t *transitions(const struct coverage *c, struct ts *ts, struct ts_worker *w) {
    json_t *list = json_array();
    for (uint32_t t = 0; t < c->transitions; t++) {
        char name[128];
        ts->ops->transition_name(w, t, name, sizeof name);
        json_array_append_new(list, json_pack("{s:i, s:o, s:I}", "number", (int)t, "name", execution_text(name),
                                              "fired", (json_int_t)c->fired[t]));
    }
    return list;
}

static json_t *element_name(const struct ts *ts, uint32_t v, uint32_t i) {
    char *text = ts->variables[v].length ? text_format("%s[%u]", ts->variables[v].name, i) : NULL;
    json_t *name = execution_text(text ? text : ts->variables[v].name);
    free(text);
    return name;
}

static json_t *unchanged(const struct coverage *c, const struct ts *ts) {
    json_t *list = json_array();
    const struct coverage_element *e = c->element;
    for (uint32_t v = 0; v < ts->variable_count; v++)
        for (uint32_t i = 0; i < (ts->variables[v].length ? ts->variables[v].length : 1); i++, e++)
            if (!e->changes) json_array_append_new(list, element_name(ts, v, i));
    return list;
}

/* Of variable v, whose elements begin at e: its values that none of them takes. `x`: the first of them in the
 * source. */
static json_t *untaken_of(const struct coverage_element *e, uint32_t count, const struct ts *ts,
                          const struct source_variable *x, const word *s) {
    json_t *list = json_array();
    for (uint64_t value = 0; value < x->slots && value < COVERAGE_VALUES; value++) {
        bool taken = false;
        for (uint32_t i = 0; i < count; i++) taken |= coverage_has_taken(&e[i], value);
        char *text = taken ? NULL : execution_value(ts, x, value, s);
        if (text) json_array_append_new(list, execution_text(text));
        free(text);
    }
    return list;
}

/* Which values there are is told by those who read the model's code; else it is not known. */
static json_t *untaken(const struct coverage *c, struct ts *ts) {
    struct problem ignored = {0};
    struct source *source = ts->ops->read ? ts->ops->read(ts, &ignored) : NULL;
    json_t *all = source && source->variable_count == c->elements ? json_object() : json_null();
    uint32_t e = 0;
    for (uint32_t v = 0; json_is_object(all) && v < ts->variable_count; v++) {
        uint32_t count = ts->variables[v].length ? ts->variables[v].length : 1;
        json_t *list = ts->variables[v].is_signed
                           ? json_array()
                           : untaken_of(&c->element[e], count, ts, &source->variables[e], source->initial);
        if (json_array_size(list) > 0) json_object_set(all, ts->variables[v].name, list);
        json_decref(list);
        e += count;
    }
    if (source) source->ops->close(source);
    problem_fini(&ignored);
    return all;
}

static json_t *propositions(const struct coverage *c, const struct ts *ts) {
    json_t *list = json_array();
    for (uint32_t p = 0; p < c->propositions; p++)
        json_array_append_new(list, json_pack("{s:o, s:I}", "name", execution_text(ts->proposition_names[p]), "states",
                                              (json_int_t)c->holds[p]));
    return list;
}

json_t *coverage_json(const struct coverage *c, struct ts *ts, struct ts_worker *w) {
    json_t *levels = json_array();
    for (uint64_t i = 0; i < c->level_count; i++) json_array_append_new(levels, json_integer((json_int_t)c->levels[i]));
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "states", (json_int_t)c->states, "transitions",
                     transitions(c, ts, w), "unchanged", unchanged(c, ts), "untaken", untaken(c, ts), "propositions",
                     propositions(c, ts), "levels", levels);
}

/* ---- Text ---- */

static void list_texts(const char *what, const json_t *list, FILE *out) {
    size_t i;
    json_t *one;
    if (json_array_size(list) == 0) return;
    fprintf(out, "    %s:", what);
    json_array_foreach(list, i, one) fprintf(out, "%s %s", i ? "," : "", json_string_value(one));
    fputc('\n', out);
}

static void list_never(const json_t *propositions, FILE *out) {
    json_t *never = json_array(), *one;
    size_t i;
    json_array_foreach(propositions, i, one) if (json_integer_value(json_object_get(one, "states")) == 0)
        json_array_append(never, json_object_get(one, "name"));
    list_texts("propositions that never hold", never, out);
    json_decref(never);
}

void coverage_text(const json_t *coverage, FILE *out) {
    const json_t *list = json_object_get(coverage, "transitions");
    json_t *one;
    size_t i, width = 1;
    const char *name;
    fprintf(out, "coverage of %lld states: how often transitions fire\n",
            (long long)json_integer_value(json_object_get(coverage, "states")));
    json_array_foreach(list, i, one) {
        size_t n = text_columns(json_string_value(json_object_get(one, "name")));
        if (n > width) width = n < 40 ? n : 40;
    }
    json_array_foreach(list, i, one) {
        name = json_string_value(json_object_get(one, "name"));
        size_t n = text_columns(name);
        fprintf(out, "    %s%*s  %lld\n", name, (int)(n < width ? width - n : 0), "",
                (long long)json_integer_value(json_object_get(one, "fired")));
    }
    list_texts("variables that never change", json_object_get(coverage, "unchanged"), out);
    json_object_foreach(json_object_get(coverage, "untaken"), name, one) {
        char *what = text_format("values that %s never takes", name);
        list_texts(what, one, out);
        free(what);
    }
    list_never(json_object_get(coverage, "propositions"), out);
}
