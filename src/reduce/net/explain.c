#include "reduce/net/explain.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "reduce/net/stubborn_search.h"

void explain_action(const struct stubborn *s, const uint32_t *locals, uint32_t action, struct ts_unit *out) {
    const struct plan *p = s->plan;
    const struct plan_action *a = &p->action[action];
    *out = (struct ts_unit){.transition = a->transitions ? a->transition : TS_NONE,
                            .transitions = a->transitions,
                            .enabled = plan_enabled(p, locals, action),
                            .visible = a->visible,
                            .starts = !s->starts_visible || a->visible || a->errs};
    if (action == p->ender) snprintf(out->name, sizeof out->name, "END");
    else if (a->label == LTS_TAU)
        snprintf(out->name, sizeof out->name, "tau(%s)", p->component[a->part[0].component].name);
    else snprintf(out->name, sizeof out->name, "%s", p->network.labels.text[a->label]);
}

/* ---- Which list, and whose ---- */

static bool lies_within(const struct stubborn_search *d, const struct obliged_list *l, const bool *set) {
    for (uint32_t k = 0; k < l->count; k++)
        if (!set[l->at[k]] && !is_frozen(d, l->at[k])) return false;
    return true;
}

static const struct obliged_list *choose(const struct stubborn_search *d, const struct obliged *o, const bool *set) {
    for (uint32_t k = 0; set && k < o->count; k++)
        if (lies_within(d, &o->list[k], set)) return &o->list[k];
    assert(!set && o->count > 0); /* the set is closed, so one of the lists lies within it */
    return &o->list[0];
}

static bool takes_part(const struct plan_action *a, uint32_t component) {
    for (uint32_t k = 0; k < a->parts; k++)
        if (a->part[k].component == component) return true;
    return false;
}

/* The component that the list is about: it disables the action, and takes part in all that is listed. */
static uint32_t disabler_of(const struct stubborn_search *d, const struct plan_action *a,
                            const struct obliged_list *l) {
    uint32_t found = TS_NONE;
    for (uint32_t k = 0; k < a->parts; k++) {
        uint32_t i = a->part[k].component;
        bool fits = !plan_group(&d->p->component[i], d->locals[i], a->part[k].local);
        for (uint32_t n = 0; fits && n < l->count; n++) fits = takes_part(&d->p->action[l->at[n]], i);
        if (fits && found != TS_NONE) return TS_NONE;
        if (fits) found = i;
    }
    return found;
}

/* ---- Obligations ---- */

/* Each action once, with all conditions that ask for it. */
struct gathering {
    struct stubborn_search *d;
    uint32_t action;
    struct ts_obligation *list;
    uint32_t *count, *place; /* by action: its index + 1; 0: it is not listed */
};

static void ask(struct gathering *g, const uint32_t *list, uint32_t count, unsigned condition) {
    for (uint32_t k = 0; k < count; k++) {
        if (list[k] == g->action || is_frozen(g->d, list[k])) continue;
        uint32_t *place = &g->place[list[k]];
        if (!*place) {
            assert(*g->count < g->d->p->actions);
            g->list[*g->count] = (struct ts_obligation){.to = list[k]};
            *place = ++*g->count;
        }
        g->list[*place - 1].conditions |= condition;
    }
}

/* What an enabled action obliges beside its needs: the same as add_rules says, with reasons. */
static void ask_for_rules(struct gathering *g) {
    struct stubborn_search *d = g->d;
    uint32_t pseudo = d->p->actions, count;
    struct actions rules = {0};
    add_rules(d, g->action, &rules);
    for (uint32_t k = 0; k < rules.count; k++) {
        const uint32_t *list = pseudo_obligations(d, rules.at[k] - pseudo, &count);
        bool by_c2 = d->s->obeys_c2 && d->p->action[g->action].visible;
        unsigned why = rules.at[k] == pseudo + ALL_ERRING ? TS_BY_E : by_c2 ? TS_BY_C2 : TS_BY_V;
        if (rules.at[k] == pseudo + ALL_ENABLED && !by_c2) why = TS_BY_E;
        ask(g, list, count, why);
    }
    free(rules.at);
}

void explain_obliged(struct stubborn_search *d, const uint32_t *locals, uint32_t action, const bool *set,
                     struct ts_obligation *list, uint32_t *count, uint32_t *disabler) {
    struct gathering g = {.d = d, .action = action, .list = list, .count = count};
    struct obliged o;
    *count = 0;
    *disabler = TS_NONE;
    g.place = memory_get_zeroed((d->p->actions + UINT64_C(1)) * sizeof *g.place);
    search_begin(d, locals);
    rules_obliged(d->rules, locals, action, &o);
    if (o.enabled) {
        for (uint32_t k = 0; k < o.count; k++) ask(&g, o.list[k].at, o.list[k].count, TS_BY_D1 | TS_BY_D2);
        ask_for_rules(&g);
    } else {
        const struct obliged_list *l = choose(d, &o, set);
        ask(&g, l->at, l->count, TS_BY_D1);
        *disabler = disabler_of(d, &d->p->action[action], l);
    }
    free(g.place);
}
