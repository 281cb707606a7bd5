#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "derive/derived.h"
#include "report/facts.h"
#include "report/facts_pairs.h"
#include "report/facts_values.h"

struct document {
    struct facts_values values;
    struct source *source;
    const struct derived *facts;
};

static json_t *names_of(const struct document *d, const bool *variables) {
    json_t *list = json_array();
    for (uint32_t x = 0; x < d->source->variable_count; x++)
        if (variables[x]) json_array_append_new(list, json_string(d->source->variables[x].name));
    return list;
}

/* ---- Readings ---- */

/* What was seen of a unit. */
struct seen {
    bool *reads; /* by variable */
    bool *done;  /* by reading */
    uint32_t points;
    bool answers[2]; /* values 0, and others */
    json_t *errors, *unknown;
};

static void add_text(const struct document *d, json_t *list, const struct reading *at) {
    /* What the readings gave up has no point of its own. */
    bool has_point = d->source->ops->view(d->source, at->point).text == at->at.text;
    const char *place = has_point ? d->source->ops->place(d->source, at->point) : NULL;
    json_t *text = json_pack("{s:s, s:o}", "text", at->at.text, "place", place ? json_string(place) : json_null());
    size_t i;
    json_t *other;
    bool known = false;
    json_array_foreach(list, i, other) known |= json_equal(text, other);
    if (known) json_decref(text);
    else json_array_append_new(list, text);
}

static void look(const struct document *d, struct seen *s, uint32_t n) {
    const struct reading *at = &d->facts->readings.at[n];
    if (s->done[n]) return;
    s->done[n] = true;
    s->points++;
    switch (at->at.kind) {
    case POINT_READ:
        s->reads[at->at.variable] = true;
        for (uint32_t v = 0; v < at->values; v++)
            if (at->next[v] != READING_NONE) look(d, s, at->next[v]);
        break;
    case LEAF_VALUE: s->answers[at->at.value != 0] = true; break;
    case LEAF_ERROR: add_text(d, s->errors, at); break;
    case LEAF_UNKNOWN: add_text(d, s->unknown, at); break;
    case LEAF_DISABLED:
    case LEAF_ENABLED: break;
    }
}

static struct seen look_at(const struct document *d, uint32_t unit) {
    struct seen s = {.errors = json_array(), .unknown = json_array()};
    s.reads = memory_get_zeroed(d->source->variable_count + 1);
    s.done = memory_get_zeroed(d->facts->readings.count + 1);
    look(d, &s, d->facts->readings.root[unit]);
    return s;
}

static void seen_fini(struct seen *s) {
    free(s->reads);
    free(s->done);
    json_decref(s->errors);
    json_decref(s->unknown);
}

/* ---- Conditions ---- */

/* A cube of the member. What pairs say besides of variables that it does not read is left out. */
static json_t *condition(const struct document *d, const struct member *m, uint32_t cube) {
    const struct value_cubes *cubes = &d->facts->cubes;
    const struct slots *slots = &d->facts->readings.slots;
    const uint64_t *possible = d->facts->readings.pairs.possible;
    uint64_t set[slots->words + 1];
    json_t *when = json_object();
    memcpy(set, possible, slots->words * sizeof *set);
    for (uint32_t i = cubes->first[cube]; i < cubes->first[cube + 1]; i++) {
        const struct cube_test *t = &cubes->test[i];
        set[t->word] &= t->bits;
    }
    for (uint32_t x = 0; x < d->source->variable_count; x++) {
        json_t *list = facts_values_in(&d->values, x, set);
        uint32_t all = facts_values_count(&d->values, x, possible), some = facts_values_count(&d->values, x, set);
        if (some < all && m->reads[x]) json_object_set(when, d->source->variables[x].name, list);
        json_decref(list);
    }
    return when;
}

static json_t *stores(const struct document *d, uint32_t effect) {
    uint32_t count;
    const uint32_t *list = diagram_effect(&d->facts->diagram, effect, &count);
    json_t *all = json_object();
    for (uint32_t i = 0; i < count; i++)
        json_object_set_new(all, d->source->variables[list[2 * i]].name,
                            list[2 * i + 1] == SLOT_ANY ? json_null()
                                                        : facts_slot(&d->values, list[2 * i], list[2 * i + 1]));
    return all;
}

static json_t *cubes_of(const struct document *d, const struct member *m) {
    if (m->walked) return json_null();
    json_t *list = json_array();
    for (uint32_t c = m->from; c < m->to; c++) {
        uint32_t tag = d->facts->cubes.tag[c];
        json_t *row = json_pack("{s:o}", "when", condition(d, m, c));
        if (m->kind == MEMBER_TRANSITION)
            json_object_set_new(row, "stores", tag == EFFECT_VAGUE ? json_null() : stores(d, tag));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *member_name(const struct document *d, uint32_t member) {
    const struct member *m = &d->facts->member[member];
    const char *name = d->source->units[m->unit].name;
    char *text = m->kind == MEMBER_ERROR ? text_format("error of %s", name) : memory_copy_string(name);
    json_t *value = json_string(text);
    free(text);
    return value ? value : json_null();
}

/* ---- Transitions and checks ---- */

static const struct member *member_of(const struct document *d, uint32_t unit, enum member_kind kind) {
    for (uint32_t i = 0; i < d->facts->members; i++)
        if (d->facts->member[i].unit == unit && d->facts->member[i].kind == kind) return &d->facts->member[i];
    return NULL;
}

static json_t *transition(const struct document *d, uint32_t unit) {
    const struct member *m = &d->facts->member[unit], *fails = member_of(d, unit, MEMBER_ERROR);
    struct seen s = look_at(d, unit);
    json_t *conflicts = json_array();
    for (uint32_t i = m->near_from; i < m->near_to; i++)
        json_array_append_new(conflicts, member_name(d, d->facts->near[i].member));
    bool never = !m->vague && !m->walked && m->from == m->to;
    if (!fails) json_array_clear(s.errors); /* none of them can come up */
    json_t *row = json_pack(
        "{s:s, s:b, s:o, s:o, s:i, s:b, s:O, s:o, s:o, s:O, s:o}", "name", d->source->units[unit].name, "never_enabled",
        (int)never, "reads", names_of(d, m->reads), "writes", names_of(d, m->writes), "points", (int)s.points, "merged",
        (int)d->facts->readings.merged[unit], "unknown", s.unknown, "enabled", cubes_of(d, m), "conflicts", conflicts,
        "errors", s.errors, "errors_when", fails ? cubes_of(d, fails) : json_array());
    seen_fini(&s);
    return row;
}

static const char *kind_name(enum unit_kind kind) {
    static const char *const names[] = {"transition",    "check_state", "check_deadlock", "may_progress",
                                        "must_progress", "proposition", "action"};
    return names[kind];
}

static json_t *function(const struct document *d, uint32_t unit) {
    const struct source_unit *u = &d->source->units[unit];
    const struct member *bad = member_of(d, unit, MEMBER_BAD_STATE);
    struct seen s = look_at(d, unit);
    bool certain = json_array_size(s.errors) + json_array_size(s.unknown) == 0 && s.answers[0] != s.answers[1];
    json_t *row =
        json_pack("{s:s, s:s, s:o, s:i, s:b, s:o, s:O, s:O}", "name", u->name, "kind", kind_name(u->kind), "reads",
                  names_of(d, s.reads), "points", (int)s.points, "merged", (int)d->facts->readings.merged[unit],
                  "always", certain && u->kind != UNIT_ACTION ? json_boolean(s.answers[1]) : json_null(), "unknown",
                  s.unknown, "errors", s.errors);
    if (u->kind == UNIT_CHECK_STATE) {
        json_object_set_new(row, "proved", json_boolean(!bad));
        json_object_set_new(row, "bad_when", bad ? cubes_of(d, bad) : json_array());
    }
    seen_fini(&s);
    return row;
}

/* ---- Variables ---- */

static json_t *variable(const struct document *d, uint32_t x, bool read, bool written) {
    const struct source_variable *v = &d->source->variables[x];
    const struct slots *slots = &d->facts->readings.slots;
    bool wide = slots->of[x].count == 0;
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:b, s:b}", "name", v->name, "bits", (int)v->bits, "of",
                     v->slots ? json_integer(v->slots) : json_null(), "initial",
                     facts_value(&d->values, x, source_value(v, d->source->initial)), "values",
                     wide ? json_null() : facts_values_in(&d->values, x, d->facts->readings.pairs.possible), "read",
                     (int)read, "written", (int)written);
}

static json_t *variables(const struct document *d) {
    uint32_t count = d->source->variable_count;
    bool *read = memory_get_zeroed(count + 1), *written = memory_get_zeroed(count + 1);
    json_t *list = json_array();
    for (uint32_t u = 0; u < d->source->unit_count; u++) {
        struct seen s = look_at(d, u);
        for (uint32_t x = 0; x < count; x++) {
            read[x] |= s.reads[x];
            if (u < d->facts->transitions) written[x] |= d->facts->member[u].writes[x];
        }
        seen_fini(&s);
    }
    for (uint32_t x = 0; x < count; x++) json_array_append_new(list, variable(d, x, read[x], written[x]));
    free(read);
    free(written);
    return list;
}

void facts_json(json_t *document, const struct ts *ts, struct source *source) {
    struct derived *facts = derived_new(source, true, DERIVED_BUDGET);
    struct document d = {.source = source, .facts = facts};
    json_t *transitions = json_array(), *functions = json_array();
    facts_values_init(&d.values, ts, source, &facts->readings.slots);
    for (uint32_t u = 0; u < source->unit_count; u++)
        if (u < facts->transitions) json_array_append_new(transitions, transition(&d, u));
        else json_array_append_new(functions, function(&d, u));
    json_object_set_new(document, "variables", variables(&d));
    json_object_set_new(document, "transitions", transitions);
    json_object_set_new(document, "functions", functions);
    json_object_set_new(document, "never_together", facts_pairs(&d.values, ts, &facts->readings.pairs));
    facts_values_fini(&d.values);
    derived_free(facts);
}
