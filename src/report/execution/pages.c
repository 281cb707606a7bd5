/* What all forms ask of the document. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "report/execution/execution.h"
#include "report/execution/forms.h"

struct pages pages_of(const json_t *execution, struct look look, FILE *out) {
    struct pages p = {.execution = execution,
                      .processes = json_object_get(execution, "processes"),
                      .stem = json_object_get(execution, "stem"),
                      .cycle = json_object_get(execution, "cycle"),
                      .waits = json_object_get(execution, "waits"),
                      .cycle_begins = SIZE_MAX,
                      .no_return = SIZE_MAX,
                      .look = look,
                      .out = out};
    json_t *no_return = json_object_get(execution, "point_of_no_return");
    p.count = json_array_size(p.stem) + json_array_size(p.cycle);
    if (json_array_size(p.cycle) > 0) p.cycle_begins = json_array_size(p.stem);
    if (json_is_integer(no_return)) p.no_return = (size_t)json_integer_value(no_return);
    const char *first = json_string_value(json_array_get(p.processes, 0));
    p.network = first && p.count && json_object_get(json_object_get(pages_step(&p, 0), "state"), first);
    return p;
}

json_t *pages_step(const struct pages *p, size_t i) {
    size_t before = json_array_size(p->stem);
    assert(i < p->count);
    return i < before ? json_array_get(p->stem, i) : json_array_get(p->cycle, i - before);
}

static const json_t *transition_of(const struct pages *p, size_t i) {
    return i < p->count ? json_object_get(pages_step(p, i), "transition") : json_object_get(p->execution, "closing");
}

json_t *pages_processes(const struct pages *p, size_t i) { return json_object_get(transition_of(p, i), "processes"); }

const char *pages_name(const struct pages *p, size_t i) {
    const char *name = json_string_value(json_object_get(transition_of(p, i), "name"));
    return name ? name : "";
}

const char *pages_closing(const struct pages *p) { return pages_name(p, p->count); }

const char *pages_rest(const struct pages *p, const char *name) {
    if (p->network || json_array_size(p->processes) < 2) return name;
    name += cast_length(name);
    return name + strspn(name, " :,");
}

void pages_rules(const struct pages *p, size_t i) {
    if (i == p->no_return) fputs("==========\n", p->out);
    if (i == p->cycle_begins) fputs("----------\n", p->out);
}

static const char *text_of(const json_t *row, const char *key) {
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

/* One process, or one transition of a model without processes that are variables. */
static void print_wait(const struct pages *p, const json_t *row, bool more) {
    struct wrap w;
    const char *what = text_of(row, "transition");
    fputs("    ", p->out);
    wrap_begin(&w, p, 8, 4);
    wrap_words(&w, p->network || !*what ? text_of(row, "process") : what);
    if (p->network && *what) wrap_words(&w, "waits for");
    if (p->network && *what) wrap_words(&w, what);
    if (more) wrap_words(&w, "and others");
    wrap_word(&w, "-", NULL);
    wrap_words(&w, text_of(row, "why"));
    wrap_end(&w);
}

void pages_waits(const struct pages *p) {
    enum { MOST = 12 };
    size_t count = json_array_size(p->waits), printed = 0, i = 0;
    if (count == 0) return;
    fputs("why nothing moves:\n", p->out);
    for (size_t next; i < count && printed < MOST; i = next, printed++) {
        json_t *row = json_array_get(p->waits, i);
        for (next = i + 1; p->network && next < count; next++) /* the others of this process */
            if (strcmp(text_of(row, "process"), text_of(json_array_get(p->waits, next), "process")) != 0) break;
        print_wait(p, row, next > i + 1);
    }
    if (i < count) fputs("    ... (--trace by-process shows all)\n", p->out);
}

void forms_print(const json_t *execution, enum trace_form form, struct look look, FILE *out) {
    if (!json_is_object(execution)) return;
    struct pages p = pages_of(execution, look, out);
    assert(form != FORM_STATES && p.count > 0);
    if (form == FORM_LANES) pages_lanes(&p);
    else if (form == FORM_BY_PROCESS) pages_stories(&p);
    else if (form == FORM_CHART) pages_chart(&p);
    else pages_steps(&p, form == FORM_FULL);
}
