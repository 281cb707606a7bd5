/* Why can a transition not occur? Of networks: who is ready for it, and who is not. Of C models: its code is run on the
 * state, variable by variable as it reads them (derive/source.h), and then, for each of them, with other values of it:
 * the last one that would enable it alone is the reason. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "derive/source.h"
#include "report/execution/execution.h"

/* More reasons of one process are not told; systems with more to look at tell none. */
enum { MOST_REASONS = 4, MOST_LOOKS = 1 << 24 };

static json_t *reason(const char *process, const char *transition, char *why) {
    json_t *row = json_pack("{s:o, s:o, s:o}", "process", execution_text(process), "transition",
                            transition ? execution_text(transition) : json_null(), "why",
                            why ? execution_text(why) : json_null());
    free(why);
    return row;
}

/* ---- Networks ---- */

/* The first process that keeps the others from t; or NULL. */
static const char *hinders(const struct ts *ts, const word *s, uint32_t t) {
    for (uint32_t v = 0; v < ts->variable_count; v++)
        if (ts->ops->takes_part(ts, v, t) && !ts->ops->is_ready(ts, s, v, t)) return ts->variables[v].name;
    return NULL;
}

static void network_process(json_t *list, struct ts *ts, struct ts_worker *w, const word *s, uint32_t v) {
    size_t before = json_array_size(list);
    char last[128] = "";
    for (uint32_t t = 0; t < ts->transitions && json_array_size(list) < before + MOST_REASONS; t++) {
        char name[128];
        if (!ts->ops->takes_part(ts, v, t) || !ts->ops->is_ready(ts, s, v, t)) continue;
        const char *other = hinders(ts, s, t);
        ts->ops->transition_name(w, t, name, sizeof name);
        if (strcmp(name, last) == 0) continue; /* another choice of the same action */
        memcpy(last, name, sizeof last);
        char *why = other ? text_format("%s is not ready for it", other) : text_format("another action goes first");
        json_array_append_new(list, reason(ts->variables[v].name, name, why));
    }
    if (json_array_size(list) == before)
        json_array_append_new(list, reason(ts->variables[v].name, NULL, text_format("it has come to its end")));
}

static void network_waits(json_t *list, struct ts *ts, struct ts_worker *w, const word *s) {
    if ((uint64_t)ts->variable_count * ts->variable_count * ts->transitions > MOST_LOOKS) return;
    for (uint32_t v = 0; v < ts->variable_count; v++) network_process(list, ts, w, s, v);
}

/* ---- C models ---- */

/* A run of one transition's code on a state. */
struct run {
    struct source *source;
    const word *s;
    point at[64];          /* where it has read */
    uint32_t variable[64]; /* what */
    uint32_t reads;
};

static enum point_kind follow(const struct run *r, point p, struct run *note) {
    for (;;) {
        struct point_view view = r->source->ops->view(r->source, p);
        if (view.kind != POINT_READ) return view.kind;
        if (note && note->reads < 64) {
            note->at[note->reads] = p;
            note->variable[note->reads++] = view.variable;
        }
        p = r->source->ops->next(r->source, p, source_value(&r->source->variables[view.variable], r->s));
    }
}

/* The value as text; to be freed. Names are those of the model's variable that x, "C[2]", is a part of. */
char *execution_value(const struct ts *ts, const struct source_variable *x, uint64_t value, const word *s) {
    word *state = memory_get((ts->words + 1) * sizeof *state);
    memcpy(state, s, ts->words * sizeof *state);
    for (uint32_t b = 0; b < x->bits; b++) {
        uint32_t bit = x->first + b;
        state[bit / 64] &= ~((word)1 << bit % 64);
        state[bit / 64] |= (word)(value >> b & 1) << bit % 64;
    }
    const char *bracket = strchr(x->name, '[');
    size_t length = bracket ? (size_t)(bracket - x->name) : strlen(x->name);
    uint32_t element = bracket ? (uint32_t)strtoul(bracket + 1, NULL, 10) : 0;
    char *text = NULL;
    for (uint32_t v = 0; v < ts->variable_count && !text; v++) {
        const char *name, *of = ts->variables[v].name;
        size_t size;
        if (strncmp(of, x->name, length) != 0 || of[length]) continue;
        int64_t n = ts->ops->value(ts, state, v, element, &name, &size);
        text = name ? text_format("%.*s", (int)size, name) : text_format("%lld", (long long)n);
    }
    free(state);
    return text ? text : text_format("%llu", (unsigned long long)value);
}

/* The values of what was read at point k that would enable the transition, with | between; NULL: none. To be freed. */
static char *helpful(const struct run *r, const struct ts *ts, uint32_t k) {
    enum { MOST = 6 };
    const struct source_variable *x = &r->source->variables[r->variable[k]];
    uint64_t now = source_value(x, r->s);
    char *list = NULL;
    uint32_t found = 0;
    for (uint64_t value = 0; value < x->slots; value++) {
        if (value == now || follow(r, r->source->ops->next(r->source, r->at[k], value), NULL) != LEAF_ENABLED) continue;
        if (++found > MOST) continue;
        char *one = found == MOST ? memory_copy_string("...") : execution_value(ts, x, value, r->s);
        char *longer = list ? text_format("%s|%s", list, one) : text_format("%s", one);
        free(one);
        free(list);
        list = longer;
    }
    return list;
}

/* NULL: its code cannot be read. To be freed. */
static char *why_disabled(const struct ts *ts, struct source *source, const word *s, uint32_t t) {
    struct run r = {.source = source, .s = s};
    enum point_kind end = follow(&r, source->ops->begin(source, t, false), &r);
    if (end != LEAF_DISABLED) return NULL;
    for (uint32_t k = r.reads; k-- > 0;) {
        const struct source_variable *x = &source->variables[r.variable[k]];
        char *wanted = helpful(&r, ts, k);
        if (!wanted) continue;
        char *now = execution_value(ts, x, source_value(x, s), s);
        char *why = text_format("%s is %s; it could with %s=%s", x->name, now, x->name, wanted);
        free(now);
        free(wanted);
        return why;
    }
    if (r.reads == 0) return text_format("it is never enabled");
    const struct source_variable *x = &source->variables[r.variable[r.reads - 1]];
    char *now = execution_value(ts, x, source_value(x, s), s), *why = text_format("%s is %s, and more", x->name, now);
    free(now);
    return why;
}

static void c_waits(json_t *list, struct ts *ts, struct ts_worker *w, const word *s) {
    struct problem ignored = {0};
    struct source *source = ts->ops->read ? ts->ops->read(ts, &ignored) : NULL;
    for (uint32_t t = 0; source && t < ts->transitions && json_array_size(list) < 256; t++) {
        char name[128];
        ts->ops->transition_name(w, t, name, sizeof name);
        char *why = why_disabled(ts, source, s, t);
        if (!why) continue;
        assert(source->units[t].kind == UNIT_TRANSITION);
        char process[128];
        memcpy(process, name, sizeof process);
        process[cast_length(name)] = 0;
        json_array_append_new(list, reason(process, name, why));
    }
    if (source) source->ops->close(source);
    problem_fini(&ignored);
}

char *execution_why(struct ts *ts, struct ts_worker *w, const word *s, uint32_t t) {
    struct problem ignored = {0};
    (void)w;
    if (ts->ops->takes_part && ts->ops->is_ready) {
        const char *other = hinders(ts, s, t);
        return other ? text_format("%s is not ready for it", other) : NULL;
    }
    struct source *source = ts->ops->read ? ts->ops->read(ts, &ignored) : NULL;
    char *why = source ? why_disabled(ts, source, s, t) : NULL;
    if (source) source->ops->close(source);
    problem_fini(&ignored);
    return why;
}

json_t *execution_waits(struct ts *ts, struct ts_worker *w, const word *s) {
    json_t *list = json_array();
    if (ts->ops->takes_part && ts->ops->is_ready) network_waits(list, ts, w, s);
    else if (!ts->ops->takes_part) c_waits(list, ts, w, s);
    return list;
}
