/* The network of a target. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fsp/composite.h"
#include "fsp/process.h"

/* ---- Which process ---- */

static const struct definition *least_composite(const struct fsp_file *f) {
    const struct definition *least = NULL;
    for (const struct definition *d = f->definitions; d; d = d->next)
        if (d->kind == DEFINITION_COMPOSITE && (!least || strcmp(d->name, least->name) < 0)) least = d;
    return least;
}

/* NULL and no problem: all primitive processes. */
static bool choose(const struct fsp_file *f, const char *process, const struct definition **d, struct problem *why) {
    *d = process ? file_process(f, process) : least_composite(f);
    if (*d || !process || strcmp(process, "DEFAULT") == 0) return true;
    char *hint = file_hint(f, process);
    problem_set(why, EXIT_BAD_INPUT, "%s: there is no process %s%s", f->path, process, hint);
    free(hint);
    return false;
}

/* ---- Parameters ---- */

static bool has_parameter(const struct definition *d, const char *name) {
    for (const struct parameter *p = d->parameters; p; p = p->next)
        if (strcmp(p->name, name) == 0) return true;
    return false;
}

static bool is_target(const struct definition *d, const struct definition *target) {
    return target ? d == target : d->kind == DEFINITION_PROCESS;
}

static bool is_known(const struct fsp_file *f, const struct definition *target, const char *name) {
    const struct definition *value = file_value(f, name);
    if (value && value->kind == DEFINITION_CONSTANT) return true;
    for (const struct definition *d = f->definitions; d; d = d->next)
        if (is_target(d, target) && has_parameter(d, name)) return true;
    return false;
}

static const char *nearest_parameter(const struct fsp_file *f, const struct definition *target, const char *name) {
    struct names all;
    const char *near;
    names_init(&all);
    for (const struct definition *d = f->definitions; d; d = d->next) {
        if (d->kind == DEFINITION_CONSTANT) names_add(&all, d->name);
        for (const struct parameter *p = d->parameters; p && is_target(d, target); p = p->next)
            names_add(&all, p->name);
    }
    near = text_nearest(name, (const char *const *)all.text, all.count);
    near = near ? arena_copy((struct arena *)&f->arena, near, strlen(near)) : NULL;
    names_fini(&all);
    return near;
}

void fsp_ignore_foreign(struct fsp_file *f) { f->foreign = true; }

static bool check_overrides(const struct fsp_file *f, const struct definition *target, struct problem *why) {
    for (uint32_t i = 0; i < f->override_count && !f->foreign; i++) {
        const char *name = f->overrides[i].name, *near;
        if (is_known(f, target, name)) continue;
        near = nearest_parameter(f, target, name);
        return problem_set(why, EXIT_BAD_INPUT, "%s: there is no constant %s, and %s has no parameter %s%s%s%s",
                           f->path, name, target ? target->name : "no process", name, near ? "; did you mean " : "",
                           near ? near : "", near ? "?" : "");
    }
    return true;
}

/* The defaults, or what the user wants instead. A constant of the same name takes it. */
bool make_target_parameters(struct maker *m, const struct definition *d, const struct binding **out) {
    *out = NULL;
    for (const struct parameter *p = d->parameters; p; p = p->next) {
        const struct ts_parameter *o = NULL;
        struct value v;
        const struct definition *constant = file_value(m->file, p->name);
        for (uint32_t i = 0; i < m->file->override_count; i++)
            if (strcmp(m->file->overrides[i].name, p->name) == 0) o = &m->file->overrides[i];
        if (o && !(constant && constant->kind == DEFINITION_CONSTANT)) v = (struct value){NULL, o->value};
        else if (!make_evaluate(m, *out, p->value, &v)) return false;
        if (!(*out = make_bind(m, *out, p->at, p->name, v))) return false;
    }
    return true;
}

/* ---- Progress ---- */

struct progress {
    struct maker *m;
    struct network *n;
    const struct definition *d;
};

static bool mark(struct progress *x, const struct binding *env, const struct set *s, bool *by_label) {
    struct names set;
    names_init(&set);
    bool good = make_set(x->m, env, s, &set);
    for (uint32_t i = 0; good && i < set.count; i++) {
        uint32_t label = names_find(&x->n->labels, set.text[i]);
        if (label != NAMES_NONE) by_label[label] = true;
    }
    names_fini(&set);
    return good;
}

static bool add_progress(void *context, const char *suffix, const struct binding *env) {
    struct progress *x = context;
    struct network *n = x->n;
    if (n->progress_count >= x->m->file->limits.components)
        return maker_problem(x->m, x->d->at, "there are more than %u progress properties", n->progress_count);
    n->progress = memory_resize(n->progress, (n->progress_count + UINT64_C(1)) * sizeof *n->progress);
    struct network_progress *p = &n->progress[n->progress_count++];
    *p = (struct network_progress){.name = text_format("%s%s", x->d->name, suffix)};
    p->then = memory_get_zeroed(n->labels.count * sizeof *p->then);
    if (x->d->second_set) p->when = memory_get_zeroed(n->labels.count * sizeof *p->when);
    return mark(x, env, x->d->set, p->then) && (!p->when || mark(x, env, x->d->second_set, p->when));
}

static bool add_all_progress(struct maker *m, struct network *n) {
    struct progress x = {.m = m, .n = n};
    for (const struct definition *d = m->file->definitions; d; d = d->next) {
        x.d = d;
        if (d->kind == DEFINITION_PROGRESS && !make_indices(m, NULL, d->indices, add_progress, &x)) return false;
    }
    return true;
}

/* ---- The target ---- */

static bool make_default(struct maker *m, struct pieces *p) {
    for (const struct definition *d = m->file->definitions; d; d = d->next) {
        const struct binding *env;
        if ((d->kind != DEFINITION_PROCESS && d->kind != DEFINITION_IMPORT) || file_tester(m->file, d->name)) continue;
        if (!make_target_parameters(m, d, &env) || !make_piece(m, d, env, d->at, p)) return false;
    }
    if (p->count > 0) return true;
    return problem_set(m->why, EXIT_BAD_INPUT, "%s: this file has no primitive process", m->file->path);
}

static bool make_network(struct maker *m, const struct definition *d, struct network *n) {
    const struct binding *env = NULL;
    struct pieces p;
    pieces_init(&p);
    bool good = d ? make_target_parameters(m, d, &env) : make_default(m, &p);
    if (good && d && d->kind == DEFINITION_COMPOSITE) good = make_pieces(m, d, env, &p);
    else if (good && d) good = make_piece(m, d, env, d->at, &p);
    if (good) {
        pieces_network(&p, n);
        good = (!d || d->kind != DEFINITION_COMPOSITE || make_sight(m, d, env, n)) && add_all_progress(m, n);
        if (!good) network_fini(n);
    }
    pieces_fini(&p);
    return good;
}

static void take_warnings(struct maker *m, struct fsp_system *out) {
    out->warning_count = m->warnings.count;
    out->warnings = memory_get((m->warnings.count + UINT64_C(1)) * sizeof *out->warnings);
    for (uint32_t i = 0; i < m->warnings.count; i++) out->warnings[i] = memory_copy_string(m->warnings.text[i]);
}

bool fsp_target(struct fsp_file *f, const char *process, struct fsp_system *out, struct problem *why) {
    const struct definition *d;
    struct maker m;
    *out = (struct fsp_system){0};
    if (!choose(f, process, &d, why) || !check_overrides(f, d, why)) return false;
    maker_init(&m, f, why);
    bool good = make_network(&m, d, &out->network);
    if (good) {
        out->network.process = memory_copy_string(d ? d->name : "DEFAULT");
        if (d && d->kind == DEFINITION_COMPOSITE) out->network.qualities = composite_qualities(d);
        take_warnings(&m, out);
    }
    maker_fini(&m);
    return good;
}

void fsp_system_fini(struct fsp_system *s) {
    network_fini(&s->network);
    for (uint32_t i = 0; i < s->warning_count; i++) free(s->warnings[i]);
    free(s->warnings);
    *s = (struct fsp_system){0};
}

bool fsp_primitive(struct fsp_file *f, const char *process, struct lts *out, struct problem *why) {
    const struct definition *d;
    const struct binding *env;
    struct maker m;
    if (!choose(f, process, &d, why)) return false;
    if (!d || d->kind == DEFINITION_COMPOSITE)
        return problem_set(why, EXIT_BAD_INPUT, "%s: %s is not a primitive process", f->path, process);
    maker_init(&m, f, why);
    const struct lts *made = make_target_parameters(&m, d, &env) ? make_process(&m, d, env, d->at) : NULL;
    if (made) lts_copy(out, made);
    maker_fini(&m);
    return made != NULL;
}
