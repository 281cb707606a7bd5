/* compare.c: see compare.h. */
#include "compare.h"

#include <stdio.h>
#include <string.h>

#include "trace.h"

bool has_text(const json_t *json, const char *key, const char *value) {
    const json_t *item = json_object_get(json, key);
    return value ? json_is_string(item) && strcmp(json_string_value(item), value) == 0 : json_is_null(item);
}

static bool has_number(const json_t *json, const char *key, uint32_t value) {
    const json_t *item = json_object_get(json, key);
    return json_is_integer(item) && json_integer_value(item) == (json_int_t)value;
}

/* The verdict and the property of an answer, as they are expected or as they may be. NULL, or a complaint. */
static const char *compare_verdict(const struct answer *a, struct expectation *x) {
    static const int status[VERDICTS] = {0, 1, 3};
    const json_t *property = json_object_get(a->json, "property");
    if (x->or_inconclusive && has_text(a->json, "verdict", verdict_names[INCONCLUSIVE])) x->verdict = INCONCLUSIVE;
    for (unsigned p = 0; p < PROPERTIES && has_text(a->json, "verdict", verdict_names[VIOLATED]); p++)
        if (x->also >> p & 1 && has_text(a->json, "property", property_names[p])) {
            x->verdict = VIOLATED;
            x->property = p;
        }
    if (!property) return "the answer has no property";
    if (!has_text(a->json, "verdict", verdict_names[x->verdict])) return "the verdict differs";
    if (!has_text(a->json, "property", x->verdict == VIOLATED ? property_names[x->property] : NULL))
        return "the property differs";
    return a->status == status[x->verdict] ? NULL : "the exit status does not fit the verdict";
}

static bool right_store(const struct options *o, const json_t *store, uint32_t states) {
    const json_t *omitted = json_object_get(store, "omitted_estimate");
    bool exact = o->store == EXACT;
    return has_text(store, "kind", store_names[o->store]) && json_is_true(json_object_get(store, "exact")) == exact &&
           json_is_real(omitted) && json_real_value(omitted) >= 0 &&
           json_real_value(omitted) < (exact ? 1e-300 : 1e-3 + 1e-6 * states) &&
           json_is_real(json_object_get(store, "coverage_estimate"));
}

static bool lists(const json_t *json, const char *key, const char *text) {
    const json_t *item;
    size_t i;
    json_array_foreach(json_object_get(json, key), i, item) if (strcmp(json_string_value(item), text) == 0) return true;
    return false;
}

/* It holds: does that include model errors? And is that so? */
static const char *compare_errors(const struct options *o, const json_t *json, const struct naive_graph *g,
                                  const struct naive_graph *unreduced) {
    bool covered = !o->mode.stubborn || (always_may_terminate(g) && !o->no_termination);
    if (lists(json, "checks", "model_error") != covered) return "model errors are covered, or they are not";
    if (lists(json, "unchecked", "model_error") == covered) return "it is not told that model errors are not covered";
    if (covered && o->mode.stubborn && !lists(json, "checks", "termination")) return "termination is not told";
    if (covered && (g->model->accounts || !o->mode.stubborn) &&
        some_has(unreduced, NAIVE_RAISES_FIRE | (o->no_state ? 0u : NAIVE_RAISES_STATE)))
        return "a model error was left out";
    return NULL;
}

const char *compare(const struct run *run, const struct answer *a, struct expectation *x, const struct naive_graph *g,
                    const struct naive_graph *unreduced) {
    if (a->status < 0) return "onager was killed or not started";
    if (!a->json) return "the output is not a JSON document";
    const char *wrong = compare_verdict(a, x);
    bool violated = x->verdict == VIOLATED;
    if (wrong) return wrong;
    if (!has_number(a->json, "states", x->states)) return "the number of states differs";
    if (!has_number(a->json, "edges", x->edges)) return "the number of edges differs";
    if (!has_number(a->json, "terminal_states", x->terminals)) return "the number of terminal states differs";
    if (!violated && !has_number(a->json, "depth", x->depth)) return "the depth differs";
    if (!violated != json_is_null(json_object_get(a->json, "trace"))) return "there is a trace, or there is none";
    if (!right_store(&run->options, json_object_get(a->json, "store"), x->states)) return "the store is another";
    if (run->options.threads && !has_number(a->json, "threads", run->options.threads))
        return "the number of threads is another";
    if (x->verdict == HOLDS && (wrong = compare_errors(&run->options, a->json, g, unreduced))) return wrong;
    if (!violated) return NULL;
    return trace_check(json_object_get(a->json, "trace"), &run->options, run->form.shape, x, g, unreduced);
}

bool gave_up(const struct run *run, const struct answer *a, const struct expectation *x) {
    return run->options.max_states && run->options.max_states <= x->states && a->status == 3 && a->json &&
           has_text(a->json, "verdict", verdict_names[INCONCLUSIVE]) && has_text(a->json, "property", NULL);
}

void describe(const char *difference, const struct expectation *x, const struct answer *a, char *text, size_t size) {
    bool violated = x->verdict == VIOLATED;
    const char *got = a->output[0] ? a->output : a->messages;
    const char *trace = strstr(got, "\"trace\"");
    int length = trace ? (int)(trace - got) : (int)strlen(got);
    snprintf(
        text, size,
        "%s\n  expected: %s%s%s, %u states, %u edges, %u terminal states, exit status %s%s\n  got (exit status %d):\n"
        "%.*s\n  repeat: %s\n",
        difference, verdict_names[x->verdict], violated ? " " : "", violated ? property_names[x->property] : "",
        x->states, x->edges, x->terminals,
        violated              ? "1"
        : x->verdict == HOLDS ? "0"
                              : "3",
        x->false_alarm ? " (the reduced graph has states without progress in reach, none of them really)" : "",
        a->status, length > 900 ? 900 : length, got, a->command);
}

json_t *essence(const char *document, bool exact) {
    json_t *json = json_loads(document, 0, NULL);
    const char *const always[] = {"time_s", "peak_bytes", "threads", "one_thread", "strict"};
    const char *const estimates[] = {"store", "message"};
    for (size_t i = 0; i < 5; i++) json_object_del(json, always[i]);
    for (size_t i = 0; i < 2 && !exact; i++) json_object_del(json, estimates[i]);
    return json;
}
