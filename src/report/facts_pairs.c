#include "report/facts_pairs.h"

/* Two variables of the model, a at or before b. */
struct two {
    const struct facts_values *v;
    const struct value_pairs *pairs;
    const struct ts_variable *a, *b;
    uint32_t from_a, from_b, length_a, length_b; /* variables of the source */
};

static uint32_t length_of(const struct ts_variable *x) { return x->length ? x->length : 1; }

/* The value of element i of a and that of element k of b: can they be? Can they stand together? */
static bool are_possible(const struct two *t, uint32_t i, uint32_t k, uint32_t x, uint32_t y) {
    const struct slots *s = t->v->slots;
    return slot_in(t->pairs->possible, s->of[t->from_a + i].first + x) &&
           slot_in(t->pairs->possible, s->of[t->from_b + k].first + y);
}

static bool are_pair(const struct two *t, uint32_t i, uint32_t k, uint32_t x, uint32_t y) {
    const struct slots *s = t->v->slots;
    return slot_in(value_pairs_row(t->pairs, s->of[t->from_a + i].first + x), s->of[t->from_b + k].first + y);
}

/* The same elements in the same order stand for two, if a is b. */
static bool counts(const struct two *t, uint32_t i, uint32_t k, uint32_t x, uint32_t y) {
    return t->from_a != t->from_b || (i != k && (x != y || i < k));
}

static json_t *elements(const struct two *t, uint32_t x, uint32_t y) {
    uint32_t same = 0, same_never = 0, other = 0, other_never = 0;
    json_t *list = json_array();
    for (uint32_t i = 0; i < t->length_a; i++)
        for (uint32_t k = 0; k < t->length_b; k++) {
            if (!counts(t, i, k, x, y) || !are_possible(t, i, k, x, y)) continue;
            bool never = !are_pair(t, i, k, x, y);
            *(i == k ? &same : &other) += 1;
            *(i == k ? &same_never : &other_never) += never;
            if (never) json_array_append_new(list, json_pack("[i, i]", (int)i, (int)k));
        }
    bool all_same = same > 0 && same == same_never, all_other = other > 0 && other == other_never;
    bool arrays = t->a->length > 0 && t->a->length == t->b->length;
    if (same_never + other_never == 0) return json_decref(list), NULL;
    if (same == same_never && other == other_never && (arrays ? all_same && all_other : true))
        return json_decref(list), json_string("all");
    if (arrays && all_same && other_never == 0) return json_decref(list), json_string("same");
    if (arrays && all_other && same_never == 0) return json_decref(list), json_string("different");
    return list;
}

static void add_two(const struct two *t, json_t *list) {
    const struct slots *s = t->v->slots;
    for (uint32_t x = 0; x < s->of[t->from_a].count; x++)
        for (uint32_t y = t->from_a == t->from_b ? x : 0; y < s->of[t->from_b].count; y++) {
            json_t *which = elements(t, x, y);
            if (!which) continue;
            json_array_append_new(list, json_pack("{s:[s, s], s:[o, o], s:o}", "variables", t->a->name, t->b->name,
                                                  "values", facts_value(t->v, t->from_a, x),
                                                  facts_value(t->v, t->from_b, y), "elements", which));
        }
}

json_t *facts_pairs(const struct facts_values *v, const struct ts *ts, const struct value_pairs *pairs) {
    json_t *list = json_array();
    uint32_t from_a = 0;
    for (uint32_t a = 0; a < ts->variable_count; from_a += length_of(&ts->variables[a++])) {
        uint32_t from_b = from_a;
        for (uint32_t b = a; b < ts->variable_count; from_b += length_of(&ts->variables[b++]))
            add_two(&(struct two){v, pairs, &ts->variables[a], &ts->variables[b], from_a, from_b,
                                  length_of(&ts->variables[a]), length_of(&ts->variables[b])},
                    list);
    }
    return list;
}
