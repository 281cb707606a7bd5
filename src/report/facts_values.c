#include "report/facts_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void facts_values_init(struct facts_values *v, const struct ts *ts, const struct source *source,
                       const struct slots *slots) {
    uint32_t x = 0;
    *v = (struct facts_values){.ts = ts, .source = source, .slots = slots};
    v->state = memory_get_zeroed((ts->words + 1) * sizeof *v->state);
    v->variable = memory_get((source->variable_count + 1) * sizeof *v->variable);
    v->element = memory_get((source->variable_count + 1) * sizeof *v->element);
    for (uint32_t i = 0; i < ts->variable_count; i++)
        for (uint32_t k = 0; k < (ts->variables[i].length ? ts->variables[i].length : 1); k++, x++)
            v->variable[x] = i, v->element[x] = k;
}

void facts_values_fini(struct facts_values *v) {
    free(v->state);
    free(v->variable);
    free(v->element);
}

static void put(word *state, const struct source_variable *x, uint64_t value) {
    for (uint32_t i = 0; i < x->bits; i++) {
        uint32_t bit = x->first + i;
        state[bit / 64] = (state[bit / 64] & ~((word)1 << bit % 64)) | (word)(value >> i & 1) << bit % 64;
    }
}

json_t *facts_value(const struct facts_values *v, uint32_t x, uint64_t value) {
    const char *name = NULL;
    size_t length = 0;
    memcpy(v->state, v->source->initial, v->ts->words * sizeof *v->state);
    put(v->state, &v->source->variables[x], value);
    int64_t number = v->ts->ops->value(v->ts, v->state, v->variable[x], v->element[x], &name, &length);
    return name ? json_stringn(name, length) : json_integer(number);
}

json_t *facts_slot(const struct facts_values *v, uint32_t x, uint32_t slot) {
    return facts_value(v, x, slot - v->slots->of[x].first);
}

json_t *facts_values_in(const struct facts_values *v, uint32_t x, const uint64_t *set) {
    const struct slot_range *range = &v->slots->of[x];
    json_t *list = json_array();
    for (uint32_t i = 0; i < range->count; i++)
        if (slot_in(set, range->first + i)) json_array_append_new(list, facts_value(v, x, i));
    return list;
}

uint32_t facts_values_count(const struct facts_values *v, uint32_t x, const uint64_t *set) {
    const struct slot_range *range = &v->slots->of[x];
    uint32_t count = 0;
    for (uint32_t i = 0; i < range->count; i++) count += slot_in(set, range->first + i);
    return count;
}
