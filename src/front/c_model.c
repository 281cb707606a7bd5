#include "front/c_model.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include <onager.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/text.h"
#include "front/guard.h"

struct value_name {
    const char *start;
    size_t length;
};

struct c_model {
    struct ts ts;
    void *library;
    const struct onager_plugin *plugin;
    const struct onager_model *model;
    double endless;
    struct ts_variable *variables; /* all but arrays without elements */
    struct onager_field *fields;   /* of each variable */
    struct ts_parameter *parameters;
    struct value_names {
        struct value_name *names; /* NULL: the variable's values have no names */
        uint32_t count;
    } * names; /* for each variable */
    char *path, *identity;
    struct names actions; /* as the model names them, in the order in which they are met; 0 is tau */
    pthread_mutex_t actions_lock;
    struct names propositions;             /* "p", or "p.0", "p.1", ... */
    struct onager_ask *asks;               /* by proposition */
    const struct onager_changes **changes; /* by proposition: what may change it, or NULL: not known */
    bool *changes_known;
};

struct ts_worker {
    struct c_model *m;
    struct guard guard;
    struct onager_batch batch;
    state *native; /* room for one native state */
    struct onager_ask ask[64];
};

static struct c_model *model_of(const struct ts *ts) { return (struct c_model *)(uintptr_t)ts; }

/* ---- Faults ---- */

static void fault_text(struct ts_fault *f, enum ts_fault_kind kind, const char *where, uint32_t t, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static void fault_text(struct ts_fault *f, enum ts_fault_kind kind, const char *where, uint32_t t, const char *fmt,
                       ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->text, sizeof f->text, fmt, args);
    va_end(args);
    f->kind = kind;
    f->where = where;
    f->transition = t;
}

/* The guard has ended a call. */
static void fault_from_guard(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t) {
    if (guard_timed_out(&w->guard))
        fault_text(f, TS_ENDLESS, where, t, "the model's code did not come back within %g s: an endless loop?",
                   w->m->endless);
    else fault_text(f, TS_CRASHED, where, t, "the model's code crashed: %s", guard_reason(&w->guard));
}

/* True if the model has raised an error; it is then in f. */
static bool raised(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t) {
    const char *message = w->m->plugin->raised();
    if (message) fault_text(f, TS_RAISED, where, t, "%s", message);
    return message != NULL;
}

static int64_t native_value(const struct onager_field *field, const state *s, uint32_t i) {
    const char *p = (const char *)s + field->native_offset + (size_t)i * field->size;
    uint64_t v = 0;
    memcpy(&v, p, field->size);
    unsigned unused = 64 - 8 * field->size;
    return ONAGER_IS_SIGNED(field->width) ? (int64_t)(v << unused) >> unused : (int64_t)v;
}

/* Which variable of the native state does not fit. */
static void describe_range(const struct c_model *m, const state *s, struct ts_fault *f, const char *where, uint32_t t) {
    for (uint32_t k = 0; k < m->plugin->field_count; k++) {
        const struct onager_field *field = &m->plugin->fields[k];
        unsigned bits = (unsigned)ONAGER_BITS(field->width);
        int64_t low = ONAGER_IS_SIGNED(field->width) ? -(int64_t)(onager_low(bits - 1) + 1) : 0;
        int64_t high = ONAGER_IS_UPTO(field->width)     ? (int64_t)ONAGER_UPTO_MAX(field->width)
                       : ONAGER_IS_SIGNED(field->width) ? (int64_t)onager_low(bits - 1)
                                                        : (int64_t)onager_low(bits);
        if (bits == 64) continue;
        for (uint32_t i = 0; i < field->length; i++) {
            int64_t v = native_value(field, s, i);
            if (v >= low && v <= high && !(bits == 63 && low == 0 && v < 0)) continue;
            char index[16] = "";
            if (field->is_array) snprintf(index, sizeof index, "[%u]", i);
            fault_text(f, TS_OUT_OF_RANGE, where, t,
                       "the value %lld was stored in %s%s, which is declared as %s: %lld to %lld", (long long)v,
                       field->name, index, field->spec, (long long)low, (long long)high);
            return;
        }
    }
    fault_text(f, TS_OUT_OF_RANGE, where, t, "a value was stored that does not fit its variable");
}

/* ---- Many states ---- */

/* Makes the native successor of s by t, which was made before without a crash. */
static void fire_again(struct ts_worker *w, const word *s, uint32_t t) {
    w->m->plugin->unpack(w->native, s);
    if (!GUARD_ENTER(&w->guard)) return;
    w->m->model->fire(w->native, t);
    if (w->m->ts.reduction.symmetry) w->m->model->symmetry(w->native);
    guard_leave(&w->guard);
}

/* The function of the model that the batch is in. */
static const char *where_is(const struct onager_batch *b, const char *otherwise) {
    if (b->function == ONAGER_IN_OBLIGATIONS) return "obligations";
    return b->function == ONAGER_IN_SYMMETRY ? "symmetry" : otherwise;
}

static void take_fault(struct ts_worker *w, struct ts_batch *batch, const char *otherwise) {
    struct onager_batch *b = &w->batch;
    struct ts_fault *f = &batch->fault;
    const char *where = where_is(b, otherwise);
    const word *s = batch->sources + (size_t)b->source * w->m->ts.words;
    switch (b->fault) {
    case ONAGER_RAISED: fault_text(f, TS_RAISED, where, b->transition, "%s", b->message ? b->message : "?"); break;
    case ONAGER_FALSE_CHANGED:
        fault_text(f, TS_FALSE_CHANGED, where, b->transition, "fire returned false but had changed the state");
        break;
    case ONAGER_BAD_OBLIGATION:
        fault_text(f, TS_BAD_OBLIGATION, where, b->transition,
                   "the transition %u was named, but there are only 0 to %u", b->obligation, w->m->ts.transitions - 1);
        break;
    default: fire_again(w, s, b->transition); describe_range(w->m, w->native, f, where, b->transition);
    }
    f->source = b->source;
}

static uint32_t run_batch(struct ts_worker *w, struct ts_batch *batch, uint32_t (*run)(struct onager_batch *),
                          const char *where) {
    struct onager_batch *b = &w->batch;
    b->sources = batch->sources;
    b->count = batch->count;
    b->successors = batch->successors;
    b->labels = batch->labels;
    b->ends = batch->ends;
    b->classes = batch->classes;
    b->wanted = batch->wanted;
    b->source = 0;
    b->transition = TS_NONE;
    b->function = ONAGER_IN_FIRE;
    b->fault = ONAGER_OK;
    batch->fault.kind = TS_FINE;
    if (GUARD_ENTER(&w->guard)) {
        uint32_t done = run(b);
        guard_leave(&w->guard);
        if (__builtin_expect(done < batch->count, 0)) take_fault(w, batch, where);
        return done;
    }
    fault_from_guard(w, &batch->fault, where_is(b, where), b->transition);
    batch->fault.source = b->source;
    return b->source;
}

static uint32_t expand(struct ts_worker *w, struct ts_batch *batch) {
    return run_batch(w, batch, w->m->plugin->expand, "fire");
}

static uint32_t classify(struct ts_worker *w, struct ts_batch *batch) {
    const char *where = batch->wanted == TS_BAD    ? "check_state"
                        : batch->wanted == TS_MAY  ? "may_progress"
                        : batch->wanted == TS_MUST ? "must_progress"
                                                   : "check_state, may_progress or must_progress";
    return run_batch(w, batch, w->m->plugin->classify, where);
}

static bool valuate(struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                    uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    struct ts_batch batch = {.sources = states, .count = count};
    for (uint32_t i = 0; i < wanted_count; i++) w->ask[i] = w->m->asks[wanted[i]];
    w->batch.ask = w->ask;
    w->batch.ask_count = wanted_count;
    w->batch.valuations = out;
    if (run_batch(w, &batch, w->m->plugin->valuate, "a proposition") == count) return true;
    *fault = batch.fault;
    return false;
}

/* ---- One state ---- */

/* Runs `code` guarded; on a crash or an error raised by the model, fills in *fault and returns `result`. */
#define GUARDED(w, fault, where, t, result, code)                                                                      \
    do {                                                                                                               \
        if (GUARD_ENTER(&(w)->guard)) {                                                                                \
            code;                                                                                                      \
            guard_leave(&(w)->guard);                                                                                  \
        } else {                                                                                                       \
            fault_from_guard(w, fault, where, t);                                                                      \
            return result;                                                                                             \
        }                                                                                                              \
        if (raised(w, fault, where, t)) return result;                                                                 \
    } while (0)

static bool pack(struct ts_worker *w, word *out, struct ts_fault *fault, const char *where, uint32_t t) {
    if (w->m->plugin->pack(w->native, out)) return true;
    describe_range(w->m, w->native, fault, where, t);
    return false;
}

static bool initial(struct ts_worker *w, word *out, struct ts_fault *fault) {
    memset(w->native, 0, w->m->plugin->native_size);
    if (w->m->model->initial) GUARDED(w, fault, "initial", TS_NONE, false, w->m->model->initial(w->native));
    return pack(w, out, fault, "initial", TS_NONE);
}

static int fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    bool fired = false;
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, "fire", t, -1, fired = w->m->model->fire(w->native, t));
    if (!fired) return 0;
    return pack(w, out, fault, "fire", t) ? 1 : -1;
}

static bool representative(struct ts_worker *w, const word *s, word *out, struct ts_fault *fault) {
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, "symmetry", TS_NONE, false, w->m->model->symmetry(w->native));
    return pack(w, out, fault, "symmetry", TS_NONE);
}

static bool check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                  struct ts_fault *fault) {
    const struct onager_model *m = w->m->model;
    const char *(*function)(const state *) = which == TS_CHECK_STATE ? m->check_state : m->check_deadlock;
    *message = NULL;
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, ts_feature_name(which), TS_NONE, false, *message = function(w->native));
    return true;
}

static bool obligations(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                        struct ts_fault *fault) {
    uint32_t n = 0, bad = UINT32_MAX, transitions = w->m->ts.transitions;
    w->m->plugin->unpack(w->native, s);
    GUARDED(w, fault, "obligations", t, false, n = w->m->plugin->obligations(w->native, t, list, transitions, &bad));
    if (bad != UINT32_MAX) {
        fault_text(fault, TS_BAD_OBLIGATION, "obligations", t,
                   "the transition %u was named, but there are only 0 to %u", bad, transitions - 1);
        return false;
    }
    if (n == UINT32_MAX)
        for (n = 0; n < transitions; n++) list[n] = n;
    *count = n;
    return true;
}

static int may_change(struct ts_worker *w, uint32_t p, uint32_t t, struct ts_fault *fault) {
    int may = 1;
    GUARDED(w, fault, "CHANGES", t, -1, may = w->m->changes[p]->may_change(t, w->m->asks[p].i));
    return may;
}

static bool stubborn_set(struct ts_worker *w, const word *s, uint32_t *list, uint32_t *count, struct ts_fault *fault) {
    uint32_t n = 0;
    GUARDED(w, fault, "obligations", TS_NONE, false, n = w->m->plugin->stubborn_set(s, list, w->batch.scratch));
    *count = n;
    return true;
}

/* ---- Descriptions ---- */

static int64_t value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name, size_t *length) {
    const struct c_model *m = model_of(ts);
    const struct onager_field *field = &m->fields[v];
    unsigned bits = (unsigned)ONAGER_BITS(field->width);
    uint64_t raw = onager_get_bits(s, ONAGER_MARK_BITS + field->bit_offset + (size_t)i * bits, bits);
    *name = NULL;
    if (raw < m->names[v].count) {
        *name = m->names[v].names[raw].start;
        *length = m->names[v].names[raw].length;
    }
    return ONAGER_IS_SIGNED(field->width) ? (int64_t)(raw << (64 - bits)) >> (64 - bits) : (int64_t)raw;
}

static void print_value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, FILE *out) {
    const char *name;
    size_t length;
    int64_t n = value(ts, s, v, i, &name, &length);
    if (name) fprintf(out, "%.*s", (int)length, name);
    else if (ts->variables[v].is_signed) fprintf(out, "%lld", (long long)n);
    else fprintf(out, "%llu", (unsigned long long)n);
}

static bool same_value(const struct ts *ts, const word *a, const word *b, uint32_t v, uint32_t i) {
    const char *name;
    size_t length;
    return value(ts, a, v, i, &name, &length) == value(ts, b, v, i, &name, &length);
}

/* name=value of everything, or of what differs from the previous state. */
static void print_default(const struct ts *ts, const word *s, const word *previous, FILE *out) {
    const char *gap = "";
    for (uint32_t v = 0; v < ts->variable_count; v++) {
        const struct ts_variable *variable = &ts->variables[v];
        if (previous || !variable->length) {
            for (uint32_t i = 0; i < (variable->length ? variable->length : 1); i++) {
                if (previous && same_value(ts, s, previous, v, i)) continue;
                fprintf(out, "%s%s", gap, variable->name);
                if (variable->length) fprintf(out, "[%u]", i);
                fputc('=', out);
                print_value(ts, s, v, i, out);
                gap = " ";
            }
        } else {
            fprintf(out, "%s%s=[", gap, variable->name);
            for (uint32_t i = 0; i < variable->length; i++) {
                if (i) fputc(' ', out);
                print_value(ts, s, v, i, out);
            }
            fputc(']', out);
            gap = " ";
        }
    }
    if (!*gap) fputs("(nothing changes)", out);
}

static bool print_native(struct ts_worker *w, FILE *out, struct ts_fault *fault) {
    GUARDED(w, fault, "print_state", TS_NONE, false, w->m->model->print_state(w->native, out));
    return true;
}

static bool print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault) {
    if (!w->m->model->print_state) return print_default(&w->m->ts, s, previous, out), true;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    __fsetlocking(memory, FSETLOCKING_BYCALLER); /* so that it can be closed even if printing crashed half-way */
    w->m->plugin->unpack(w->native, s);
    bool good = print_native(w, memory, fault);
    fclose(memory);
    while (size > 0 && text[size - 1] == '\n') size--;
    if (good) fwrite(text, 1, size, out);
    free(text);
    return good;
}

static void transition_name(struct ts_worker *w, uint32_t t, char *buffer, size_t size) {
    const char *volatile name = NULL;
    if (w->m->model->transition_name && GUARD_ENTER(&w->guard)) {
        name = w->m->model->transition_name(t);
        guard_leave(&w->guard);
    }
    if (name) snprintf(buffer, size, "%s", name);
    else snprintf(buffer, size, "t%u", t);
}

/* ---- Actions ---- */

static const char *ask_action(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    const char *volatile name = NULL;
    GUARDED(w, fault, "action", t, NULL, name = w->m->model->action(w->native, t));
    return name;
}

static int observable(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    int seen = 1;
    GUARDED(w, fault, "observable", t, -1, seen = w->m->model->observable(t));
    return seen;
}

static uint32_t action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    struct c_model *m = w->m;
    m->plugin->unpack(w->native, s);
    fault->kind = TS_FINE;
    const char *name = ask_action(w, t, fault);
    if (fault->kind != TS_FINE) return TS_NONE;
    if (!name || !*name) return 0;
    pthread_mutex_lock(&m->actions_lock);
    uint32_t number = names_add(&m->actions, name);
    m->ts.actions = m->actions.count;
    m->ts.action_names = (const char *const *)m->actions.text;
    pthread_mutex_unlock(&m->actions_lock);
    return number;
}

static const char *action_name(struct ts *ts, uint32_t number) {
    struct c_model *m = (struct c_model *)(void *)ts;
    pthread_mutex_lock(&m->actions_lock);
    const char *name = m->actions.text[number];
    pthread_mutex_unlock(&m->actions_lock);
    return name;
}

/* ---- Opening and closing ---- */

static struct ts_worker *worker_new(struct ts *ts) {
    struct ts_worker *w = memory_get_zeroed(sizeof *w);
    w->m = model_of(ts);
    guard_init(&w->guard, w->m->endless);
    w->guard.progress[0] = &w->batch.source;
    w->guard.progress[1] = &w->batch.transition;
    w->native = memory_get_lines(w->m->plugin->native_size);
    w->batch.scratch = memory_get_lines(w->m->plugin->scratch_bytes());
    return w;
}

static void worker_free(struct ts_worker *w) {
    if (!w) return;
    guard_fini(&w->guard);
    free(w->native);
    free(w->batch.scratch);
    free(w);
}

static void close_model(struct ts *ts) {
    if (!ts) return;
    struct c_model *m = model_of(ts);
    for (uint32_t v = 0; v < ts->variable_count; v++) free(m->names[v].names);
    free(m->names);
    free(m->variables);
    free(m->fields);
    free(m->parameters);
    free(m->path);
    free(m->identity);
    if (m->actions.count) names_fini(&m->actions);
    if (m->asks) names_fini(&m->propositions);
    free(m->asks);
    free(m->changes);
    free(m->changes_known);
    pthread_mutex_destroy(&m->actions_lock);
    if (m->library) dlclose(m->library);
    free(m);
}

static const struct ts_ops ops = {
    .close = close_model,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .expand = expand,
    .classify = classify,
    .initial = initial,
    .fire = fire,
    .representative = representative,
    .check = check,
    .obligations = obligations,
    .stubborn_set = stubborn_set,
    .print = print,
    .transition_name = transition_name,
    .value = value,
    .action = action,
    .action_name = action_name,
    .observable = observable,
    .valuate = valuate,
    .may_change = may_change,
};

/* Splits "a, b, c". */
static void split_names(struct value_names *out, const char *values) {
    uint32_t room = 1;
    for (const char *p = values; *p; p++) room += *p == ',';
    out->names = memory_get(room * sizeof *out->names);
    for (const char *p = values; out->count < room; p++) {
        p += strspn(p, " \t\n");
        size_t n = strcspn(p, ", \t\n");
        out->names[out->count++] = (struct value_name){p, n};
        p += strcspn(p, ",");
        if (!*p) break;
    }
}

static void describe_variables(struct c_model *m) {
    const struct onager_plugin *p = m->plugin;
    uint32_t v = 0;
    m->variables = memory_get_zeroed(p->field_count * sizeof *m->variables);
    m->fields = memory_get_zeroed(p->field_count * sizeof *m->fields);
    m->names = memory_get_zeroed(p->field_count * sizeof *m->names);
    for (const struct onager_field *f = p->fields; f < p->fields + p->field_count; f++) {
        if (f->length == 0) continue;
        m->variables[v] = (struct ts_variable){f->name, f->is_array ? f->length : 0, ONAGER_IS_SIGNED(f->width)};
        m->fields[v] = *f;
        for (const struct onager_enum *e = p->enums; e < p->enums_end; e++)
            if (strcmp(e->name, f->spec) == 0) split_names(&m->names[v], e->values);
        v++;
    }
    m->ts.variables = m->variables;
    m->ts.variable_count = v;
}

static int by_order(const void *a, const void *b) {
    int64_t x = ((const struct onager_param *)a)->order, y = ((const struct onager_param *)b)->order;
    return (x > y) - (x < y);
}

static void describe_parameters(struct c_model *m) {
    const struct onager_plugin *p = m->plugin;
    m->ts.parameter_count = (uint32_t)(p->params_end - p->params);
    m->parameters = memory_get(m->ts.parameter_count * sizeof *m->parameters);
    struct onager_param *sorted = memory_get(m->ts.parameter_count * sizeof *sorted);
    for (uint32_t i = 0; i < m->ts.parameter_count; i++) sorted[i] = p->params[i];
    qsort(sorted, m->ts.parameter_count, sizeof *sorted, by_order);
    for (uint32_t i = 0; i < m->ts.parameter_count; i++)
        m->parameters[i] = (struct ts_parameter){sorted[i].name, sorted[i].value};
    free(sorted);
    m->ts.parameters = m->parameters;
}

static int by_declaration(const void *a, const void *b) {
    int64_t x = ((const struct onager_proposition *)a)->order, y = ((const struct onager_proposition *)b)->order;
    return (x > y) - (x < y);
}

static void add_proposition(struct c_model *m, const struct onager_proposition *p, unsigned i, bool single) {
    char *name = single ? memory_copy_string(p->name) : text_format("%s.%u", p->name, i);
    names_add(&m->propositions, name);
    free(name);
    m->asks = memory_resize(m->asks, m->propositions.count * sizeof *m->asks);
    m->asks[m->propositions.count - 1] = (struct onager_ask){p->holds, i};
    m->changes = memory_resize(m->changes, m->propositions.count * sizeof(void *));
    m->changes[m->propositions.count - 1] = NULL;
    for (const struct onager_changes *c = m->plugin->changes; c < m->plugin->changes_end; c++)
        if (strcmp(c->name, p->name) == 0) m->changes[m->propositions.count - 1] = c;
}

/* Whether each CHANGES belongs to a proposition. */
static bool changes_match(const struct c_model *m, struct problem *why) {
    const struct onager_plugin *p = m->plugin;
    for (const struct onager_changes *c = p->changes; c < p->changes_end; c++) {
        bool known = false;
        for (const struct onager_proposition *q = p->propositions; q < p->propositions_end; q++)
            known |= strcmp(c->name, q->name) == 0;
        if (!known)
            return problem_set(why, EXIT_BAD_INPUT,
                               "%s: CHANGES(%s) is about a proposition that there is not: declare PROPOSITION(%s)",
                               m->path, c->name, c->name);
    }
    return true;
}

/* They are in their section in any order. */
static bool describe_propositions(struct c_model *m, struct problem *why) {
    size_t n = (size_t)(m->plugin->propositions_end - m->plugin->propositions);
    bool good = true;
    if (n == 0) return true;
    struct onager_proposition *sorted = memory_get(n * sizeof *sorted);
    memcpy(sorted, m->plugin->propositions, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_declaration);
    names_init(&m->propositions);
    m->asks = memory_get(sizeof *m->asks);
    for (size_t k = 0; k < n && good; k++) {
        bool single = strcmp(sorted[k].count_text, "0") == 0;
        if (sorted[k].count < 0 || sorted[k].count > 1 << 20)
            good = problem_set(why, EXIT_BAD_INPUT, "%s: PROPOSITIONS(%s, %s): there cannot be %lld of them", m->path,
                               sorted[k].name, sorted[k].count_text, (long long)sorted[k].count);
        for (unsigned i = 0; good && i < (single ? 1 : sorted[k].count); i++) add_proposition(m, &sorted[k], i, single);
    }
    free(sorted);
    m->ts.propositions = m->propositions.count;
    m->ts.proposition_names = (const char *const *)m->propositions.text;
    m->changes_known = memory_get_zeroed(m->propositions.count + 1);
    for (uint32_t i = 0; i < m->propositions.count; i++) m->changes_known[i] = m->changes[i] != NULL;
    m->ts.changes_known = m->changes_known;
    return good;
}

static unsigned features_of(const struct onager_model *m) {
    return (m->check_state ? TS_CHECK_STATE : 0u) | (m->check_deadlock ? TS_CHECK_DEADLOCK : 0u) |
           (m->may_progress ? TS_MAY_PROGRESS : 0u) | (m->must_progress ? TS_MUST_PROGRESS : 0u) |
           (m->obligations ? TS_OBLIGATIONS : 0u) | (m->symmetry ? TS_SYMMETRY : 0u) |
           (m->progress_is_symmetric ? TS_SYMMETRIC_PROGRESS : 0u);
}

/* Every -p must name a parameter of the model. */
static bool parameters_known(const struct c_model *m, const struct c_compile *c, struct problem *why) {
    for (size_t i = 0; i < c->parameter_count; i++) {
        bool known = false;
        const char *names[64];
        uint32_t n = 0;
        for (uint32_t k = 0; k < m->ts.parameter_count; k++) {
            known |= strcmp(m->parameters[k].name, c->parameters[i].name) == 0;
            if (n < 64) names[n++] = m->parameters[k].name;
        }
        if (known) continue;
        char *list = memory_copy_string("");
        for (uint32_t k = 0; k < n; k++) {
            char *longer = text_format("%s%s %s=%lld", list, k ? "," : "", names[k], (long long)m->parameters[k].value);
            free(list);
            list = longer;
        }
        const char *near = text_nearest(c->parameters[i].name, names, n);
        problem_set(why, EXIT_BAD_INPUT, "%s has no parameter '%s'%s%s%s; %s%s", c->path, c->parameters[i].name,
                    near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "",
                    n ? "it has" : "it has none at all", list);
        free(list);
        return false;
    }
    return true;
}

static bool complete(const struct c_model *m, const struct c_compile *c, struct problem *why) {
    const struct onager_model *model = m->model;
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
    if (c->reduction.stubborn && !model->obligations)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--stubborn needs obligations, and %s: MODEL(...) does not name an .obligations function",
                           c->path);
    if (c->reduction.symmetry && !model->symmetry)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--symmetry needs a symmetry map, and %s: MODEL(...) does not name a .symmetry function",
                           c->path);
    return true;
}

struct ts *c_model_open(const struct c_model_options *options, struct problem *why) {
    const struct c_compile *c = &options->compile;
    char *identity = NULL;
    void *library = c_compile(c, &identity, why);
    if (!library) return NULL;
    struct c_model *m = memory_get_zeroed(sizeof *m);
    m->library = library;
    m->identity = identity;
    m->endless = options->endless;
    m->plugin = dlsym(library, "onager_plugin");
    if (!m->plugin || m->plugin->abi != ONAGER_ABI) {
        problem_set(why, EXIT_BAD_INPUT, "%s: the compiled model is not one of this version of onager", c->path);
        return close_model(&m->ts), NULL;
    }
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
        .features = features_of(m->model),
        .reduction = c->reduction,
    };
    m->ts.reduction.preserve = PRESERVE_DEADLOCKS; /* more is not known of hand-written rules */
    describe_variables(m);
    describe_parameters(m);
    pthread_mutex_init(&m->actions_lock, NULL);
    if (m->model->action) {
        names_init(&m->actions);
        names_add(&m->actions, "tau");
        m->ts.actions = 1;
        m->ts.observable_known = m->model->observable != NULL;
        m->ts.action_names = (const char *const *)m->actions.text;
    }
    if (!changes_match(m, why) || !describe_propositions(m, why) || !parameters_known(m, c, why) ||
        !complete(m, c, why))
        return close_model(&m->ts), NULL;
    return &m->ts;
}
