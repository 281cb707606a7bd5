#include "fsp/fsp_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "fsp/evaluate.h"
#include "fsp/parser.h"

enum { MAKER_DEPTH = 1500 };

const struct fsp_limits fsp_limits_default = {.process_states = 4000000,
                                              .composed_states = 20000000,
                                              .edges = 100000000,
                                              .labels = 1000000,
                                              .components = 10000,
                                              .steps = 2000000000,
                                              .memory = UINT64_C(2) << 30};

/* ---- Reading ---- */

static bool is_process(const struct definition *d) {
    return d->kind == DEFINITION_PROCESS || d->kind == DEFINITION_COMPOSITE || d->kind == DEFINITION_IMPORT;
}

static bool is_value(const struct definition *d) {
    return d->kind == DEFINITION_CONSTANT || d->kind == DEFINITION_RANGE || d->kind == DEFINITION_SET;
}

static void index_names(struct fsp_file *f) {
    uint64_t count = 0;
    for (struct definition *d = f->definitions; d; d = d->next) count++;
    f->values = memory_get((count + 1) * sizeof(struct definition *));
    f->processes = memory_get((count + 1) * sizeof(struct definition *));
    for (struct definition *d = f->definitions; d; d = d->next) {
        if (is_value(d)) f->values[names_add(&f->value_names, d->name)] = d;
        if (is_process(d) && d->kind == DEFINITION_COMPOSITE) f->processes[names_add(&f->process_names, d->name)] = d;
    }
    for (struct definition *d = f->definitions; d; d = d->next)
        if (is_process(d) && d->kind != DEFINITION_COMPOSITE) f->processes[names_add(&f->process_names, d->name)] = d;
}

/* Constants are worked out at once, so that what is wrong with them is found even if nobody uses them. */
static bool check_constants(struct fsp_file *f, struct problem *why) {
    struct maker m;
    bool good = true;
    maker_init(&m, f, why);
    for (struct definition *d = f->definitions; d && good; d = d->next) {
        const struct expression name = {.at = d->at, .kind = EXPRESSION_NAME, .name = d->name};
        struct value v;
        if (d->kind == DEFINITION_CONSTANT) good = make_evaluate(&m, NULL, &name, &v);
    }
    maker_fini(&m);
    return good;
}

static void copy_overrides(struct fsp_file *f, const struct ts_parameter *overrides, uint32_t count) {
    f->overrides = memory_get((count + UINT64_C(1)) * sizeof *f->overrides);
    f->override_count = count;
    for (uint32_t i = 0; i < count; i++)
        f->overrides[i] =
            (struct ts_parameter){.name = memory_copy_string(overrides[i].name), .value = overrides[i].value};
}

struct fsp_file *fsp_read_text(const char *path, const char *text, const struct ts_parameter *overrides, uint32_t count,
                               const struct fsp_limits *limits, struct problem *why) {
    struct fsp_file *f = memory_get_zeroed(sizeof *f);
    f->path = memory_copy_string(path);
    f->text = memory_copy_string(text);
    f->source = (struct source){f->path, f->text};
    f->limits = limits ? *limits : fsp_limits_default;
    arena_init(&f->arena);
    names_init(&f->value_names);
    names_init(&f->process_names);
    copy_overrides(f, overrides, count);
    bool good = parse_file(&f->source, &f->arena, &f->definitions, why);
    if (good) {
        index_names(f);
        good = check_constants(f, why);
    }
    if (good && f->process_names.count == 0)
        good = problem_set(why, EXIT_BAD_INPUT, "%s: this file defines no process", path);
    if (good) return f;
    fsp_free(f);
    return NULL;
}

struct fsp_file *fsp_read_within(const char *path, const struct ts_parameter *overrides, uint32_t count,
                                 struct effort *effort, struct problem *why) {
    struct fsp_limits limits = fsp_limits_default;
    char *text = files_read(path, why);
    if (!text) return NULL;
    limits.effort = effort;
    struct fsp_file *f = fsp_read_text(path, text, overrides, count, &limits, why);
    free(text);
    return f;
}

struct fsp_file *fsp_read(const char *path, const struct ts_parameter *overrides, uint32_t count, struct problem *why) {
    return fsp_read_within(path, overrides, count, NULL, why);
}

void fsp_free(struct fsp_file *f) {
    if (!f) return;
    for (struct definition *d = f->definitions; d; d = d->next) worked_out_fini(d->worked_out);
    for (uint32_t i = 0; i < f->override_count; i++) free((char *)f->overrides[i].name);
    free(f->overrides);
    arena_fini(&f->arena);
    names_fini(&f->value_names);
    names_fini(&f->process_names);
    free(f->values);
    free(f->processes);
    free(f->path);
    free(f->text);
    free(f);
}

/* ---- Names ---- */

const struct definition *file_value(const struct fsp_file *f, const char *name) {
    uint32_t number = names_find(&f->value_names, name);
    return number == NAMES_NONE ? NULL : f->values[number];
}

const struct definition *file_process(const struct fsp_file *f, const char *name) {
    uint32_t number = names_find(&f->process_names, name);
    return number == NAMES_NONE ? NULL : f->processes[number];
}

uint32_t fsp_process_count(const struct fsp_file *f) { return f->process_names.count; }

struct fsp_process fsp_process(const struct fsp_file *f, uint32_t i) {
    const struct definition *d = f->processes[i];
    return (struct fsp_process){.name = d->name,
                                .line = d->at.line,
                                .composite = d->kind == DEFINITION_COMPOSITE,
                                .property = d->property,
                                .imported = d->kind == DEFINITION_IMPORT};
}

char *file_hint(const struct fsp_file *f, const char *name) {
    const char *near = text_nearest(name, (const char *const *)f->process_names.text, f->process_names.count);
    if (near) return text_format("; did you mean %s?", near);
    char *list = text_format("; there are");
    uint32_t shown = f->process_names.count < 20 ? f->process_names.count : 20;
    for (uint32_t i = 0; i < shown; i++) {
        char *longer = text_format("%s%s %s", list, i == 0 ? "" : ",", f->process_names.text[i]);
        free(list);
        list = longer;
    }
    if (shown == f->process_names.count) return list;
    char *longer = text_format("%s and %u others", list, f->process_names.count - shown);
    free(list);
    return longer;
}

/* ---- Making ---- */

void maker_init(struct maker *m, struct fsp_file *f, struct problem *why) {
    *m = (struct maker){.file = f, .why = why};
    arena_init(&m->arena);
    names_init(&m->made_names);
    names_init(&m->warnings);
}

void maker_fini(struct maker *m) {
    for (uint32_t i = 0; i < m->made_names.count; i++) {
        if (m->made[i]->done) lts_fini(&m->made[i]->lts);
        free(m->made[i]);
    }
    free(m->made);
    names_fini(&m->made_names);
    names_fini(&m->warnings);
    arena_fini(&m->arena);
}

/* Whatever could not be done because it must end. */
static bool reading_ended(struct maker *m) {
    char *what = text_format("reading %s", m->file->path);
    effort_problem(m->file->limits.effort, what, m->why);
    free(what);
    return false;
}

bool maker_problem(struct maker *m, struct place at, const char *fmt, ...) {
    va_list args;
    if (m->file->limits.effort && m->file->limits.effort->over) return reading_ended(m);
    va_start(args, fmt);
    char *message = text_vformat(fmt, args);
    va_end(args);
    source_problem(&m->file->source, at, m->why, "%s", message);
    free(message);
    return false;
}

void maker_warning(struct maker *m, struct place at, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *message = text_vformat(fmt, args);
    va_end(args);
    char *placed = text_format("%s:%u:%u: %s", m->file->path, at.line, at.column, message);
    names_add(&m->warnings, placed);
    free(placed);
    free(message);
}

bool maker_step(struct maker *m, struct place at) {
    if (effort_over(m->file->limits.effort)) return reading_ended(m);
    if (++m->steps > m->file->limits.steps) return maker_problem(m, at, "this takes too long to work out");
    if (m->arena.total > m->file->limits.memory) return maker_problem(m, at, "this takes too much memory to work out");
    return true;
}

bool maker_enter(struct maker *m, struct place at) {
    if (++m->depth <= MAKER_DEPTH) return true;
    return maker_problem(m, at, "definitions use each other more than %d deep", MAKER_DEPTH);
}

void maker_leave(struct maker *m) { m->depth--; }
