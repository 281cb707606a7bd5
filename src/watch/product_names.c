#include "watch/product_names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "ts/valuation.h"

/* "a[1].b[2]" is "a.1.b.2". */
static char *plain_name(const char *name) {
    char *copy = memory_get(strlen(name) + 1), *out = copy;
    for (const char *c = name; *c; c++)
        if (*c == '[') *out++ = '.';
        else if (*c != ']') *out++ = *c;
    *out = 0;
    return copy;
}

static uint32_t find_name(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return NAMES_NONE;
}

/* ---- Propositions about states ---- */

static bool name_states(struct product *p, const struct names *names, struct problem *why) {
    const struct ts *ts = p->base;
    for (uint32_t i = 0; i < names->count; i++) {
        char *name = plain_name(names->text[i]);
        p->wanted[i] = valuation_find(ts, name);
        free(name);
        if (p->wanted[i] == TS_NONE) return valuation_lacks(ts, names->text[i], why);
    }
    return true;
}

/* ---- Propositions about actions ---- */

/* The effect of an action that is known by its name, which may be a free one. */
static struct product_effect *effect_of(struct product *p, const char *action) {
    const struct ts *ts = p->base;
    uint32_t number = find_name(ts->action_names, ts->actions, action);
    if (number == NAMES_NONE || number == 0) {
        uint32_t before = p->free.count;
        number = ts->actions + names_add(&p->free, action);
        if (p->free.count > before) {
            p->effects = memory_resize(p->effects, (number + UINT64_C(1)) * sizeof *p->effects);
            p->effects[number] = (struct product_effect){0, 0};
        }
    }
    assert(number < ts->actions + p->free.count);
    return &p->effects[number];
}

static void name_fluent(struct product *p, const struct ts_fluent *f, uint64_t bit) {
    for (const char *const *a = f->begins; *a; a++) effect_of(p, *a)->begins |= bit;
    for (const char *const *a = f->ends; a && *a; a++) effect_of(p, *a)->ends |= bit;
    if (!f->ends) p->momentary |= bit;
    else if (f->initially) p->initially |= bit;
}

static void name_actions(struct product *p, const struct names *names) {
    const struct ts *ts = p->base;
    p->by_action = true;
    p->effects = memory_get_zeroed((ts->actions + UINT64_C(1)) * sizeof *p->effects);
    for (uint32_t i = 0; i < names->count; i++) {
        uint64_t bit = UINT64_C(1) << i;
        char *name = plain_name(names->text[i]);
        const char *const alone[] = {name, NULL};
        struct ts_fluent single = {.name = name, .begins = alone};
        const struct ts_fluent *f = &single;
        for (uint32_t k = 0; k < ts->fluent_count; k++)
            if (strcmp(ts->fluents[k].name, name) == 0) f = &ts->fluents[k];
        name_fluent(p, f, bit);
        free(name);
    }
}

bool product_name(struct product *p, const struct names *names, struct problem *why) {
    const struct ts *ts = p->base;
    if (ts->propositions == 0 && ts->actions > 0 && ts->whole_counts) {
        name_actions(p, names);
        return true;
    }
    if (valuation_any(ts)) return name_states(p, names, why);
    return names->count == 0 || valuation_lacks(ts, names->text[0], why);
}
