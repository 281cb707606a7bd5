#include "model/c/reading/read_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_library.h"
#include "model/c/c_model_parts.h"
#include "model/c/reading/reader.h"

static struct reader *reader_of(struct source *s) { return (struct reader *)s; }

/* ---- Asking ---- */

static point begin(struct source *s, uint32_t unit, bool merged) {
    struct reader *r = reader_of(s);
    struct beginning *b = &r->beginnings[2 * unit + merged];
    if (b->point == POINT_NONE || (merged && b->lasting != r->lasting_count[unit])) {
        b->lasting = r->lasting_count[unit];
        b->point = reader_begin(r, unit, merged);
    }
    return b->point;
}

static point next(struct source *s, point p, uint64_t value) {
    struct reader *r = reader_of(s);
    point known = points_step(&r->points, p, value);
    if (known != POINT_NONE) return known;
    point to = reader_go_on(r, p, value);
    uint32_t twice = points_note_step(&r->points, p, value, to);
    if (twice == POINT_NONE) return to;
    reader_lasts(r, twice);
    to = leaf_says(r, LEAF_UNKNOWN, "it reads a variable again", 0);
    points_note_step(&r->points, p, value, to);
    return to;
}

static struct point_view view(struct source *s, point p) { return reader_of(s)->points.entries[p].view; }

static const char *place(struct source *s, point p) {
    struct reader *r = reader_of(s);
    uint64_t instruction = r->points.entries[p].instruction;
    char text[128];
    if (!instruction) return NULL;
    for (uint32_t i = 0; i < r->place_count; i++)
        if (r->places[i].instruction == instruction) return r->places[i].text;
    MAKE_ROOM(r->places, r->place_count, r->place_room);
    bool found = c_library_place(r->library, r->path, (const void *)(uintptr_t)instruction, text, sizeof text);
    r->places[r->place_count] = (struct place){instruction, found ? memory_copy_string(text) : NULL};
    return r->places[r->place_count++].text;
}

static void forget_beginnings(struct reader *r) {
    for (uint32_t i = 0; i < 2 * r->source.unit_count; i++) r->beginnings[i] = (struct beginning){POINT_NONE, 0};
}

static void forget(struct source *s) {
    struct reader *r = reader_of(s);
    points_fini(&r->points);
    points_init(&r->points, r->layout.count);
    forget_beginnings(r);
}

/* ---- Units ---- */

struct unit_list {
    struct source_unit *units;
    uint32_t count, room;
};

static void add_unit(struct unit_list *l, enum unit_kind kind, uint32_t of, char *name) {
    MAKE_ROOM(l->units, l->count, l->room);
    l->units[l->count++] = (struct source_unit){kind, of, name};
}

static void list_units(struct reader *r, struct ts_worker *w) {
    static const struct {
        enum ts_feature feature;
        enum unit_kind kind;
    } checks[] = {{TS_CHECK_STATE, UNIT_CHECK_STATE},
                  {TS_CHECK_DEADLOCK, UNIT_CHECK_DEADLOCK},
                  {TS_MAY_PROGRESS, UNIT_MAY_PROGRESS},
                  {TS_MUST_PROGRESS, UNIT_MUST_PROGRESS}};
    const struct ts *ts = &r->model->ts;
    struct unit_list list = {NULL, 0, 0};
    char name[256];
    for (uint32_t t = 0; t < ts->transitions; t++) {
        ts->ops->transition_name(w, t, name, sizeof name);
        add_unit(&list, UNIT_TRANSITION, t, memory_copy_string(name));
    }
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (ts_has(ts, checks[i].feature))
            add_unit(&list, checks[i].kind, 0, memory_copy_string(ts_feature_name(checks[i].feature)));
    for (uint32_t p = 0; p < ts->propositions; p++)
        add_unit(&list, UNIT_PROPOSITION, p, memory_copy_string(ts->proposition_names[p]));
    for (uint32_t t = 0; r->model->model->action && t < ts->transitions; t++)
        add_unit(&list, UNIT_ACTION, t, text_format("action of %s", list.units[t].name));
    r->source.units = list.units;
    r->source.unit_count = list.count;
}

/* The propositions, as this plug-in has them. */
static void list_asks(struct reader *r) {
    const struct c_model *m = r->model;
    r->asks = memory_get_zeroed((m->ts.propositions + 1) * sizeof *r->asks);
    for (uint32_t k = 0; k < m->ts.propositions; k++) {
        const struct onager_proposition *p = m->plugin->propositions, *q = r->plugin->propositions;
        while (p->holds != m->asks[k].holds) p++;
        while (strcmp(q->name, p->name) != 0) q++;
        r->asks[k] = (struct onager_ask){q->holds, m->asks[k].i};
    }
}

/* ---- Opening ---- */

static void close_source(struct source *s) {
    struct reader *r = reader_of(s);
    runner_fini(&r->runner);
    guard_fini(&r->guard);
    points_fini(&r->points);
    layout_fini(&r->layout);
    names_fini(&r->texts);
    for (uint32_t u = 0; u < s->unit_count; u++) free((void *)(uintptr_t)s->units[u].name);
    free((void *)(uintptr_t)s->units);
    for (uint32_t i = 0; i < r->place_count; i++) free(r->places[i].text);
    free(r->places);
    free(r->beginnings);
    free(r->asks);
    free(r->variables);
    free(r->touched);
    free(r->lasting);
    free(r->lasting_count);
    free(r->loops);
    free(r->record);
    free((void *)(uintptr_t)s->initial);
    free(r);
}

static const struct source_ops ops = {
    .close = close_source, .begin = begin, .next = next, .view = view, .place = place, .forget = forget};

/* The plug-in that all sources of the model have in common. */
static bool have_plugin(struct c_model *m, struct problem *why) {
    pthread_mutex_lock(&m->reader_lock);
    if (!m->reader_made) observer_make(&m->reader);
    m->reader_made = true;
    pthread_mutex_unlock(&m->reader_lock);
    if (m->reader.plugin) return true;
    const struct problem *more = &m->reader.why;
    return problem_set(why, EXIT_BAD_INPUT, "%s: onager cannot find out what its code does: %s%s%s", m->path,
                       obstacle_text(m->reader.obstacle), more->text ? "\n" : "", more->text ? more->text : "");
}

/* What the model itself tells, which needs a worker. */
static bool describe(struct reader *r, struct problem *why) {
    struct ts *ts = &r->model->ts;
    struct ts_worker *w = ts->ops->worker_new(ts);
    struct ts_fault fault = {.kind = TS_FINE};
    word *initial = memory_get_zeroed((ts->words + 1) * sizeof *initial);
    r->source.initial = initial;
    bool begins = ts->ops->initial(w, initial, &fault);
    list_units(r, w);
    ts->ops->worker_free(w);
    return begins || problem_set(why, EXIT_BAD_INPUT, "%s: initial: %s", ts->path, fault.text);
}

struct source *read_source_open(struct ts *ts, struct problem *why) {
    struct c_model *m = c_model_of(ts);
    if (!have_plugin(m, why)) return NULL;
    const struct onager_observer *plugin = m->reader.plugin;
    struct reader *r = memory_get_zeroed(sizeof *r);
    r->model = m;
    r->path = m->path;
    r->library = m->reader.library;
    r->plugin = plugin;
    r->endless = m->endless;
    names_init(&r->texts);
    layout_init(&r->layout, plugin->fields, plugin->field_count, plugin->native_size);
    points_init(&r->points, r->layout.count);
    r->variables = memory_get_zeroed((r->layout.count + 1) * sizeof *r->variables);
    r->touched = memory_get((r->layout.count + 1) * sizeof *r->touched);
    list_asks(r);
    bool described = describe(r, why);
    r->beginnings = memory_get((2 * r->source.unit_count + 1) * sizeof *r->beginnings);
    forget_beginnings(r);
    r->lasting = memory_get_zeroed((size_t)r->source.unit_count * r->layout.count + 1);
    r->lasting_count = memory_get_zeroed((r->source.unit_count + 1) * sizeof *r->lasting_count);
    r->loops = memory_get_zeroed(r->source.unit_count + 1);
    r->source.ops = &ops;
    r->source.variables = r->layout.variables;
    r->source.variable_count = r->layout.count;
    r->source.words = ts->words;
    guard_init(&r->guard, m->endless);
    bool runs = described && runner_init(&r->runner, plugin->native_size, &r->guard, reader_ask, r);
    if (runs) return &r->source;
    if (described)
        problem_set(why, EXIT_BAD_INPUT, "%s: onager cannot find out what its code does: %s", m->path,
                    obstacle_text(OBSTACLE_NOT_WATCHED));
    close_source(&r->source);
    return NULL;
}
