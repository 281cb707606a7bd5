#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "report/execution/execution.h"

/* Models with more transitions have one process. */
enum { MOST_NAMED = 1 << 14 };

size_t cast_length(const char *name) {
    size_t first = strcspn(name, " "), gap = strspn(name + first, " ");
    if (first > 0 && isdigit((unsigned char)name[first - 1])) return first;
    size_t number = first + gap, digits = strspn(name + number, "0123456789");
    bool whole = digits > 0 && !isalnum((unsigned char)name[number + digits]);
    return whole ? number + digits : first;
}

static void name_by_transitions(struct cast *c, struct ts_worker *w) {
    struct names seen;
    names_init(&seen);
    c->process = memory_get_zeroed((c->ts->transitions + 1) * sizeof *c->process);
    for (uint32_t t = 0; t < c->ts->transitions && c->ts->transitions <= MOST_NAMED; t++) {
        char name[128];
        c->ts->ops->transition_name(w, t, name, sizeof name);
        name[cast_length(name)] = 0;
        c->process[t] = names_add(&seen, name);
    }
    for (uint32_t i = 0; i < seen.count; i++) json_array_append_new(c->names, execution_text(seen.text[i]));
    if (seen.count == 0) json_array_append_new(c->names, json_string("model"));
    names_fini(&seen);
}

void cast_init(struct cast *c, struct ts *ts, struct ts_worker *w) {
    *c = (struct cast){.ts = ts, .names = json_array()};
    if (!ts->ops->takes_part) {
        name_by_transitions(c, w);
        return;
    }
    for (uint32_t v = 0; v < ts->variable_count; v++)
        json_array_append_new(c->names, execution_text(ts->variables[v].name));
}

void cast_fini(struct cast *c) {
    json_decref(c->names);
    free(c->process);
}

bool cast_takes_part(const struct cast *c, uint32_t process, uint32_t transition) {
    assert(process < json_array_size(c->names));
    if (transition >= c->ts->transitions) return false; /* one that the model has not */
    return c->process ? c->process[transition] == process : c->ts->ops->takes_part(c->ts, process, transition);
}
