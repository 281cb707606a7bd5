#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_model_parts.h"

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

/* Members are packed in their order, and so are elements. */
static void describe_elements(struct c_model *m) {
    uint32_t total = 0;
    for (uint32_t v = 0; v < m->ts.variable_count; v++) total += m->fields[v].length;
    m->element_bits = memory_get((total + 1) * sizeof *m->element_bits);
    for (uint32_t v = 0; v < m->ts.variable_count; v++)
        for (uint32_t i = 0; i < m->fields[v].length; i++)
            m->element_bits[m->ts.elements++] = (uint32_t)ONAGER_BITS(m->fields[v].width);
    m->ts.element_bits = m->element_bits;
}

static int by_order(const void *a, const void *b) {
    int64_t x = ((const struct onager_param *)a)->order, y = ((const struct onager_param *)b)->order;
    return (x > y) - (x < y);
}

/* In ASSET's language, they are macros that are given, and what they are otherwise is not known. */
static void take_parameters(struct c_model *m, const struct c_compile *c) {
    m->ts.parameter_count = (uint32_t)c->parameter_count;
    m->parameters = memory_get((c->parameter_count + 1) * sizeof *m->parameters);
    for (size_t i = 0; i < c->parameter_count; i++)
        m->parameters[i] =
            (struct ts_parameter){.name = memory_copy_string(c->parameters[i].name), .value = c->parameters[i].value};
    m->ts.parameters = m->parameters;
}

static void describe_parameters(struct c_model *m, const struct c_compile *c) {
    const struct onager_plugin *p = m->plugin;
    if (m->asset) return take_parameters(m, c);
    m->ts.parameter_count = (uint32_t)(p->params_end - p->params);
    m->parameters = memory_get(m->ts.parameter_count * sizeof *m->parameters);
    struct onager_param *sorted = memory_get(m->ts.parameter_count * sizeof *sorted);
    for (uint32_t i = 0; i < m->ts.parameter_count; i++) sorted[i] = p->params[i];
    qsort(sorted, m->ts.parameter_count, sizeof *sorted, by_order);
    for (uint32_t i = 0; i < m->ts.parameter_count; i++)
        m->parameters[i] = (struct ts_parameter){
            .name = sorted[i].name, .value = sorted[i].value, .usual = sorted[i].value == sorted[i].dflt};
    free(sorted);
    m->ts.parameters = m->parameters;
}

static int by_declaration(const void *a, const void *b) {
    int64_t x = ((const struct onager_proposition *)a)->order, y = ((const struct onager_proposition *)b)->order;
    return (x > y) - (x < y);
}

/* What the model says of the proposition, or NULL. */
static const struct onager_changes *find_changes(const struct c_model *m, const char *name) {
    for (const struct onager_changes *c = m->plugin->changes; c < m->plugin->changes_end; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

static void add_proposition(struct c_model *m, const struct onager_proposition *p, unsigned i, bool single) {
    char *name = single ? memory_copy_string(p->name) : text_format("%s.%u", p->name, i);
    names_add(&m->propositions, name);
    free(name);
    m->asks = memory_resize(m->asks, m->propositions.count * sizeof *m->asks);
    m->asks[m->propositions.count - 1] = (struct onager_ask){p->holds, i};
    m->changes = memory_resize(m->changes, m->propositions.count * sizeof(void *));
    m->changes[m->propositions.count - 1] = NULL;
    m->changes[m->propositions.count - 1] = find_changes(m, p->name);
}

static bool names_feature(enum ts_feature feature, const char *name) {
    return strcmp(ts_feature_name(feature), name) == 0;
}

/* What can be asked of every state without being declared: is there such a function, and no proposition of its name? */
static bool is_implied(const struct c_model *m, enum ts_feature feature) {
    const char *name = ts_feature_name(feature);
    if (!ts_has(&m->ts, feature)) return false;
    for (const struct onager_proposition *q = m->plugin->propositions; q < m->plugin->propositions_end; q++)
        if (strcmp(q->name, name) == 0) return false;
    return true;
}

/* Whether each CHANGES belongs to a proposition, or to one of these, which MODEL(...) may leave out. */
static bool changes_match(const struct c_model *m, struct problem *why) {
    const struct onager_plugin *p = m->plugin;
    for (const struct onager_changes *c = p->changes; c < p->changes_end; c++) {
        bool known = names_feature(TS_MUST_PROGRESS, c->name) || names_feature(TS_MAY_PROGRESS, c->name);
        for (const struct onager_proposition *q = p->propositions; q < p->propositions_end; q++)
            known |= strcmp(c->name, q->name) == 0;
        if (!known)
            return problem_set(why, EXIT_BAD_INPUT,
                               "%s: CHANGES(%s) is about a proposition that does not exist: declare PROPOSITION(%s)",
                               m->path, c->name, c->name);
    }
    return true;
}

/* After the propositions come must_progress and may_progress. */
static void describe_changes(struct c_model *m) {
    static const enum ts_feature implied[] = {TS_MUST_PROGRESS, TS_MAY_PROGRESS};
    uint32_t n = m->ts.propositions;
    m->changes = memory_resize(m->changes, (n + 2) * sizeof(void *));
    m->changes_known = memory_get_zeroed(n + 2);
    for (uint32_t i = 0; i < 2; i++)
        m->changes[n + i] = is_implied(m, implied[i]) ? find_changes(m, ts_feature_name(implied[i])) : NULL;
    for (uint32_t i = 0; i < n + 2; i++) m->changes_known[i] = m->changes[i] != NULL;
    m->ts.changes_known = m->changes_known;
}

/* They are in their section in any order. */
static bool describe_propositions(struct c_model *m, struct problem *why) {
    size_t n = (size_t)(m->plugin->propositions_end - m->plugin->propositions);
    bool good = true;
    if (n == 0) return describe_changes(m), true;
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
    describe_changes(m);
    return good;
}

/* There is no parameter of this name: which are there? */
static bool unknown_parameter(const struct c_model *m, const char *name, struct problem *why) {
    const char *names[64];
    uint32_t n = m->ts.parameter_count < 64 ? m->ts.parameter_count : 64;
    char *list = memory_copy_string("");
    for (uint32_t k = 0; k < n; k++) {
        names[k] = m->parameters[k].name;
        char *longer = text_format("%s%s %s=%lld", list, k ? "," : "", names[k], (long long)m->parameters[k].value);
        free(list);
        list = longer;
    }
    const char *near = text_nearest(name, names, n);
    problem_set(why, EXIT_BAD_INPUT, "%s has no parameter '%s'%s%s%s; %s%s", m->path, name,
                near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "",
                n ? "it has" : "it has none at all", list);
    free(list);
    return false;
}

/* Every -p must name a parameter of the model. */
static bool parameters_known(const struct c_model *m, const struct c_compile *c, struct problem *why) {
    for (size_t i = 0; i < c->parameter_count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < m->ts.parameter_count; k++)
            known |= strcmp(m->parameters[k].name, c->parameters[i].name) == 0;
        if (!known) return unknown_parameter(m, c->parameters[i].name, why);
    }
    return true;
}

bool c_model_describe(struct c_model *m, const struct c_compile *c, struct problem *why) {
    describe_variables(m);
    describe_elements(m);
    describe_parameters(m, c);
    return changes_match(m, why) && describe_propositions(m, why) && parameters_known(m, c, why);
}
