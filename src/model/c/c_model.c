#include "model/c/c_model.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_library.h"
#include "model/c/c_model_parts.h"
#include "model/c/reading/read_source.h"
#include "ts/reductions.h"

enum { MOST_IN_TABLES = 1024 }; /* transitions */

static struct ts_worker *worker_new(struct ts *ts) {
    struct ts_worker *w = memory_get_zeroed(sizeof *w);
    w->m = c_model_of(ts);
    guard_init(&w->guard, w->m->endless);
    w->guard.progress[0] = &w->batch.source;
    w->guard.progress[1] = &w->batch.transition;
    w->native = memory_get_lines(w->m->plugin->native_size);
    w->batch.scratch = memory_get_lines(w->m->plugin->scratch_bytes());
    c_strict_worker_init(&w->strict, &w->m->strict);
    if (w->m->tables) w->successors = memory_get((2 * (size_t)w->m->ts.transitions + 1) * sizeof(word));
    return w;
}

static void worker_free(struct ts_worker *w) {
    if (!w) return;
    trial_fini(&w->trial);
    guard_fini(&w->guard);
    if (w->has_lookup) lookup_fini(&w->lookup);
    c_strict_worker_fini(&w->strict);
    free(w->successors);
    free(w->native);
    free(w->batch.scratch);
    free(w);
}

static void close_model(struct ts *ts) {
    if (!ts) return;
    struct c_model *m = c_model_of(ts);
    for (uint32_t v = 0; v < ts->variable_count; v++) free(m->names[v].names);
    free(m->names);
    free(m->variables);
    free(m->fields);
    free(m->element_bits);
    for (uint32_t i = 0; m->asset && i < ts->parameter_count; i++) free((void *)(uintptr_t)m->parameters[i].name);
    free(m->parameters);
    free(m->path);
    free(m->identity);
    free(m->remark);
    if (m->actions.count) names_fini(&m->actions);
    if (m->asks) names_fini(&m->propositions);
    free(m->asks);
    free(m->changes);
    free(m->changes_known);
    pthread_mutex_destroy(&m->actions_lock);
    pthread_mutex_destroy(&m->reader_lock);
    observer_fini(&m->reader);
    if (m->tables) observer_fini(&m->observer);
    facts_seen_free(m->facts);
    c_strict_fini(&m->strict);
    if (m->library) c_library_close(m->library);
    asset_layout_fini(&m->layout);
    free(m);
}

static const char *remark(struct ts *ts) {
    struct c_model *m = c_model_of(ts);
    if (!m->tables_wanted) return NULL;
    if (!m->looks_up) return "--tables always: this kind of search does not use tables";
    if (!m->obstacle || m->remark) return m->remark;
    return m->remark = text_format("--tables always: tables were given up: %s", obstacle_text(m->obstacle));
}

static const struct ts_ops ops = {
    .close = close_model,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .expand = c_model_expand,
    .classify = c_model_classify,
    .initial = c_model_initial,
    .fire = c_model_fire,
    .representative = c_model_representative,
    .check = c_model_check,
    .obligations = c_model_obligations,
    .stubborn_set = c_model_stubborn_set,
    .print = c_model_print,
    .transition_name = c_model_transition_name,
    .value = c_model_value,
    .action = c_model_action,
    .action_name = c_model_action_name,
    .observable = c_model_observable,
    .valuate = c_model_valuate,
    .watched = c_model_watched,
    .may_change = c_model_may_change,
    .read = read_source_open,
    .remark = remark,
};

static unsigned features_of(const struct onager_model *m) {
    return (m->check_state ? TS_CHECK_STATE : 0u) | (m->check_deadlock ? TS_CHECK_DEADLOCK : 0u) |
           (m->may_progress ? TS_MAY_PROGRESS : 0u) | (m->must_progress ? TS_MUST_PROGRESS : 0u) |
           (m->obligations ? TS_OBLIGATIONS : 0u) | (m->symmetry ? TS_SYMMETRY : 0u) |
           (m->progress_is_symmetric ? TS_SYMMETRIC_PROGRESS : 0u);
}

static bool complete(const struct c_model *m, const struct c_compile *c, struct problem *why) {
    const struct onager_model *model = m->model;
    if (m->asset) return c_model_asset_complete(m, c, why);
    if (!model->fire && !model->transitions && !model->initial)
        return problem_set(why, EXIT_BAD_INPUT, "%s has no MODEL(...) at its end", c->path);
    if (!model->fire) return problem_set(why, EXIT_BAD_INPUT, "%s: MODEL(...) does not name a .fire function", c->path);
    if (!model->transitions)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: MODEL(...) says .transitions = 0 or does not say how many there are", c->path);
    for (const struct onager_enum *e = m->plugin->enums; e < m->plugin->enums_end; e++)
        if (strchr(e->values, '='))
            return problem_set(why, EXIT_BAD_INPUT,
                               "%s: ENUM(%s, %s): its values are 0, 1, 2, ... and cannot be chosen", c->path, e->name,
                               e->values);
    if (model->transitions > 1u << 24) /* a negative number, most likely */
        return problem_set(why, EXIT_BAD_INPUT, "%s: MODEL(...) says .transitions = %u; at most %u are possible",
                           c->path, model->transitions, 1u << 24);
    return true;
}

/* Does the model bring what its reductions need? */
static bool can_reduce(const struct c_model *m, const struct c_model_options *o, struct problem *why) {
    for (const struct reduction_row *r = reduction_table; r->name; r++) {
        bool optional = r->feature == TS_OBLIGATIONS && (m->asset || o->rules_optional);
        if (!reduction_is_on(&o->compile.reduction, r) || optional || ts_has(&m->ts, r->feature)) continue;
        return problem_set(why, EXIT_BAD_INPUT, "--%s needs %s, and %s: MODEL(...) does not name %s function", r->name,
                           r->needs, o->compile.path, r->function);
    }
    return true;
}

/* Why tables are out of the question, whatever transitions do; NULL: they are not. */
static const char *tables_lack(const struct c_model *m) {
    if (m->ts.words > 1) return "its states have more than 63 bits";
    if (m->ts.transitions > MOST_IN_TABLES) return "it has more than 1024 transitions";
    for (const struct reduction_row *r = reduction_table; r->name; r++)
        if (reduction_is_on(&m->ts.reduction, r)) return r->no_tables;
    return lookup_is_fast() ? NULL : "this processor has no fast instruction that gathers bits (BMI2)";
}

static bool refuse_tables(const struct c_model *m, const char *reason, struct problem *why) {
    const struct problem *more = &m->observer.why;
    return problem_set(why, EXIT_BAD_INPUT, "%s: --tables always is impossible here: %s%s%s", m->path, reason,
                       more->text ? "\n" : "", more->text ? more->text : "");
}

/* False: they were asked for, and cannot be had. */
static bool prepare_tables(struct c_model *m, const struct c_model_options *options, struct problem *why) {
    const char *lack = options->tables == C_TABLES_NEVER ? "" : tables_lack(m);
    m->tables = !lack;
    m->tables_wanted = options->tables == C_TABLES_ALWAYS;
    if (lack && m->tables_wanted) return refuse_tables(m, lack, why);
    m->ts.takes_origins =
        m->tables && m->ts.bits < TS_ORIGIN_SHIFT && m->ts.transitions > 0 && m->ts.transitions <= SLEEP_TRANSITIONS;
    if (m->tables) m->facts = facts_seen_new(m->ts.transitions);
    if (m->tables) observer_init(&m->observer, &options->compile, m->identity);
    if (!m->tables_wanted) return true;
    observer_make(&m->observer);
    return m->observer.plugin || refuse_tables(m, obstacle_text(m->observer.obstacle), why);
}

/* All that is known of it as soon as it is loaded. */
static void describe(struct c_model *m, const struct c_compile *c) {
    m->model = m->plugin->model;
    m->path = memory_copy_string(c->path);
    m->ts = (struct ts){
        .ops = &ops,
        .path = m->path,
        .identity = m->identity,
        .fast = c->fast,
        .words = m->plugin->words,
        .bits = m->plugin->bits,
        .transitions = m->model->transitions,
        .features = features_of(m->model) | (m->plugin->raises != m->plugin->raises_end ? TS_RAISES : 0u),
        .reduction = c->reduction,
    };
    m->ts.reduction.preserve = PRESERVE_DEADLOCKS; /* more is not known of hand-written rules */
    m->ts.reduction.progress = false;
    if (m->model->action) {
        names_init(&m->actions);
        names_add(&m->actions, "tau");
        m->ts.actions = 1;
        m->ts.observable_known = m->model->observable != NULL;
        m->ts.action_names = (const char *const *)m->actions.text;
    }
    c_model_open_asset(m, c);
}

struct ts *c_model_open(const struct c_model_options *options, struct problem *why) {
    struct c_model *m = memory_get_zeroed(sizeof *m);
    struct c_model_options o = *options;
    char *identity = NULL;
    asset_layout_init(&m->layout, true);
    o.compile.layout = &m->layout;
    o.compile.endless = o.endless;
    c_strict_init(&m->strict, &o.compile, o.strict); /* before the rest, so that it is made at the same time */
    void *library = c_compile(&o.compile, &identity, why);
    asset_layout_settle(&m->layout);
    if (!library) return c_strict_fini(&m->strict), asset_layout_fini(&m->layout), free(m), NULL;
    pthread_mutex_init(&m->actions_lock, NULL);
    pthread_mutex_init(&m->reader_lock, NULL);
    m->library = library;
    m->identity = identity;
    m->endless = o.endless;
    observer_init(&m->reader, &options->compile, m->identity);
    m->reader.compile.read = true;
    m->plugin = dlsym(library, "onager_plugin");
    if (!m->plugin || m->plugin->abi != ONAGER_ABI) {
        problem_set(why, EXIT_BAD_INPUT, "%s: the compiled model is not one of this version of onager", o.compile.path);
        return close_model(&m->ts), NULL;
    }
    describe(m, &o.compile);
    if (!c_model_describe(m, &o.compile, why) || !complete(m, &o.compile, why)) return close_model(&m->ts), NULL;
    if (!can_reduce(m, &o, why) || !prepare_tables(m, &o, why)) return close_model(&m->ts), NULL;
    c_strict_await(&m->strict, m->identity);
    return &m->ts;
}
