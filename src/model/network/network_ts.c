#include "model/network/network_ts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "net/describe.h"
#include "reduce/net/explain.h"
#include "model/network/network_facts.h"
#include "net/plan.h"
#include "reduce/net/stubborn.h"

struct network_ts {
    struct ts ts; /* the first member: the network is one */
    struct plan *plan;
    struct description description;
    struct stubborn *stubborn; /* NULL: no reduction */
};

struct ts_worker {
    struct network_ts *n;
    const struct plan *plan;
    uint32_t *locals;                 /* of the state at hand */
    const struct plan_group **chosen; /* by part of the action at hand */
    uint32_t *choice;                 /* the same: which edge of the group */
    word *next;                       /* room for a state */
    struct stubborn_search *search;   /* NULL: no reduction */
    const bool *frozen;               /* by action, or NULL */
    struct stubborn *rules;           /* of `obligations`, when they are first asked for */
    struct stubborn_search *advice;   /* the same */
};

static struct network_ts *network_of(const struct ts *ts) { return (struct network_ts *)(uintptr_t)ts; }

/* ---- Moves ---- */

/* Where the successors go. */
struct output {
    word *state;
    uint32_t *label;
};

/* Every combination of the edges that were chosen from. */
static void make_combinations(struct ts_worker *w, const struct plan_action *a, const word *s, struct output *out) {
    const struct plan *p = w->plan;
    uint32_t k;
    for (k = 0; k < a->parts; k++) w->choice[k] = 0;
    do {
        uint32_t transition = 0, attention = 0;
        memcpy(out->state, s, p->words * sizeof *s);
        for (k = 0; k < a->parts; k++) {
            const struct plan_component *c = &p->component[a->part[k].component];
            const struct plan_edge *e = &c->edges[w->chosen[k]->begin + w->choice[k]];
            out->state[c->word] ^= e->change;
            attention |= e->attention;
            transition = transition * a->part[k].radix + w->choice[k];
        }
        assert(transition < a->transitions); /* choices are numbers of several digits */
        if (attention) plan_settle(p, out->state);
        out->state += p->words;
        *out->label++ = a->transition + transition;
        for (k = a->parts; k-- > 0;) {
            if (++w->choice[k] < w->chosen[k]->end - w->chosen[k]->begin) break;
            w->choice[k] = 0;
        }
    } while (k < a->parts);
}

/* The moves of the action whose group in its first part is `begin`. `words` is the plan's, known to the compiler where
 * it is 1. */
static inline void make_moves(struct ts_worker *w, const word *s, const struct plan_component *first,
                              const struct plan_group *begin, uint32_t words, struct output *out) {
    const struct plan *p = w->plan;
    const struct plan_action *a = &p->action[begin->action];
    const struct plan_edge *e = &first->edges[begin->begin];
    uint32_t attention = e->attention, edges = begin->end - begin->begin;
    word one = s[0];
    if (words == 1) {
        one ^= e->change;
    } else {
        memcpy(out->state, s, words * sizeof *s);
        out->state[first->word] ^= e->change;
    }
    w->chosen[0] = begin;
    for (uint32_t k = 1; k < a->parts; k++) {
        const struct plan_component *c = &p->component[a->part[k].component];
        const struct plan_group *g = plan_group(c, w->locals[a->part[k].component], a->part[k].local);
        if (!g) return;
        e = &c->edges[g->begin];
        w->chosen[k] = g;
        edges |= g->end - g->begin;
        attention |= e->attention;
        if (words == 1) one ^= e->change;
        else out->state[c->word] ^= e->change;
    }
    if (__builtin_expect(edges > 1, 0)) {
        make_combinations(w, a, s, out);
        return;
    }
    if (words == 1) *out->state = one;
    if (__builtin_expect(attention != 0, 0)) plan_settle(p, out->state);
    out->state += words;
    *out->label++ = a->transition;
}

static inline void make_all_moves(struct ts_worker *w, const word *s, uint32_t words, struct output *out) {
    const struct plan *p = w->plan;
    plan_unpack(p, s, w->locals);
    for (uint32_t n = 0; n < p->count; n++) {
        uint32_t i = p->forward ? n : p->count - 1 - n, x = w->locals[i];
        const struct plan_component *c = &p->component[i];
        for (uint32_t k = c->scanning[x]; k < c->scanning[x + 1]; k++)
            make_moves(w, s, c, &c->groups[c->scan[k]], words, out);
    }
}

/* While something else can occur, what is low does not. */
static void obey_priority(const struct plan *p, word *states, uint32_t *labels, struct output *out) {
    uint32_t n = (uint32_t)(out->label - labels), kept = 0;
    bool high = false;
    for (uint32_t k = 0; k < n; k++) high |= !p->action[p->action_of[labels[k]]].low;
    for (uint32_t k = 0; k < n; k++) {
        if (high && p->action[p->action_of[labels[k]]].low) continue;
        if (kept != k) memcpy(states + (size_t)kept * p->words, states + (size_t)k * p->words, p->words * sizeof(word));
        labels[kept++] = labels[k];
    }
    out->label = labels + kept;
    out->state = states + (size_t)kept * p->words;
}

static void make_some_moves(struct ts_worker *w, const word *s, const uint32_t *actions, uint32_t count,
                            struct output *out) {
    const struct plan *p = w->plan;
    for (uint32_t k = 0; k < count; k++) {
        const struct plan_part *part = &p->action[actions[k]].part[0];
        const struct plan_component *c = &p->component[part->component];
        const struct plan_group *g = plan_group(c, w->locals[part->component], part->local);
        assert(g); /* only what is enabled was chosen */
        make_moves(w, s, c, g, p->words, out);
    }
}

static void expand_state(struct ts_worker *w, const word *s, struct output *out) {
    const struct plan *p = w->plan;
    struct output before = *out;
    if (plan_is_special(p, s)) return;
    if (w->search) {
        uint32_t count;
        plan_unpack(p, s, w->locals);
        const uint32_t *actions = stubborn_choose(w->search, w->locals, &count);
        make_some_moves(w, s, actions, count, out);
        return;
    }
    if (p->words == 1) make_all_moves(w, s, 1, out);
    else make_all_moves(w, s, p->words, out);
    if (p->has_low) obey_priority(p, before.state, before.label, out);
}

static uint32_t expand(struct ts_worker *w, struct ts_batch *batch) {
    struct output out = {.state = batch->successors, .label = batch->labels};
    for (uint32_t i = 0; i < batch->count; i++) {
        expand_state(w, batch->sources + (size_t)i * w->plan->words, &out);
        batch->ends[i] = (uint32_t)(out.label - batch->labels);
    }
    return batch->count;
}

static uint32_t classify(struct ts_worker *w, struct ts_batch *batch) {
    const struct plan *p = w->plan;
    for (uint32_t i = 0; i < batch->count; i++) {
        const word *s = batch->sources + (size_t)i * p->words;
        bool bad = plan_is_special(p, s) && plan_error(p, s) != LTS_NONE;
        batch->classes[i] = bad ? TS_BAD & batch->wanted : 0;
    }
    return batch->count;
}

/* ---- One state ---- */

static bool initial(struct ts_worker *w, word *out, struct ts_fault *fault) {
    (void)fault;
    plan_initial(w->plan, out);
    return true;
}

/* Whether something that is not low can occur. */
static bool high_enabled(struct ts_worker *w) {
    for (uint32_t a = 0; a < w->plan->actions; a++)
        if (!w->plan->action[a].low && plan_enabled(w->plan, w->locals, a)) return true;
    return false;
}

static int fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    const struct plan *p = w->plan;
    word *next = w->next;
    size_t size = p->words * sizeof(word);
    (void)fault;
    if (plan_is_special(p, s) || p->actions == 0) return 0;
    const struct plan_action *a = &p->action[p->action_of[t]];
    uint32_t choices = t - a->transition, attention = 0;
    memcpy(next, s, size);
    plan_unpack(p, s, w->locals);
    for (uint32_t k = a->parts; k-- > 0;) {
        const struct plan_component *c = &p->component[a->part[k].component];
        const struct plan_group *g = plan_group(c, w->locals[a->part[k].component], a->part[k].local);
        uint32_t choice = choices % a->part[k].radix;
        choices /= a->part[k].radix;
        if (!g || choice >= g->end - g->begin) return 0;
        next[c->word] ^= c->edges[g->begin + choice].change;
        attention |= c->edges[g->begin + choice].attention;
    }
    assert(choices == 0); /* the transition is one of this action */
    if (a->low && high_enabled(w)) return 0;
    if (attention) plan_settle(p, next);
    memcpy(out, next, size);
    return 1;
}

static bool check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                  struct ts_fault *fault) {
    bool special = plan_is_special(w->plan, s);
    uint32_t erred = special ? plan_error(w->plan, s) : LTS_NONE;
    (void)fault;
    *message = NULL;
    if (which == TS_CHECK_STATE && erred != LTS_NONE) *message = w->n->description.errors[erred];
    if (which == TS_CHECK_DEADLOCK && !special) *message = "no action is possible";
    return true;
}

static bool print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault) {
    (void)fault;
    describe_state(w->plan, s, previous, out);
    return true;
}

static void transition_name(struct ts_worker *w, uint32_t t, char *buffer, size_t size) {
    const struct plan *p = w->plan;
    snprintf(buffer, size, "%s", p->actions ? p->network.labels.text[p->action[p->action_of[t]].label] : "tau");
}

static uint32_t action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    const struct plan *p = w->plan;
    (void)s;
    (void)fault;
    return p->actions ? w->n->description.seen_as[p->action[p->action_of[t]].label] : 0;
}

static int64_t value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name, size_t *length) {
    (void)i;
    return describe_value(network_of(ts)->plan, s, v, name, length);
}

/* ---- Stubborn sets ---- */

static void add_transitions(const struct plan *p, const uint32_t *actions, uint32_t count, uint32_t *list,
                            uint32_t *listed) {
    *listed = 0;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < p->action[actions[k]].transitions; i++)
            list[(*listed)++] = p->action[actions[k]].transition + i;
}

/* Unless the reduction says otherwise, the rules are those that preserve all that is checked. */
static struct stubborn_search *advice_of(struct ts_worker *w, struct ts_fault *fault) {
    struct problem why = {0};
    struct reduction rules = {.stubborn = true, .method = METHOD_CHEAPEST, .preserve = PRESERVE_SAFETY};
    if (w->search) return w->search;
    if (!w->advice) w->rules = stubborn_new(w->plan, rules, &why);
    if (w->rules && !w->advice) w->advice = stubborn_search_new(w->rules);
    if (!w->rules) {
        *fault = (struct ts_fault){.kind = TS_BAD_OBLIGATION, .transition = TS_NONE, .where = "obligations"};
        snprintf(fault->text, sizeof fault->text, "%s", why.text);
    }
    problem_fini(&why);
    return w->advice;
}

/* ERROR and END have no moves, and nothing obliges anything there. */
static bool obligations(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                        struct ts_fault *fault) {
    const struct plan *p = w->plan;
    struct stubborn_search *d = advice_of(w, fault);
    *count = 0;
    if (!d) return false;
    if (plan_is_special(p, s) || p->actions == 0) return true;
    uint32_t n;
    plan_unpack(p, s, w->locals);
    const uint32_t *actions = stubborn_obligations(d, w->locals, p->action_of[t], &n);
    add_transitions(p, actions, n, list, count);
    const struct plan_action *a = &p->action[p->action_of[t]];
    for (uint32_t i = 0; i < a->transitions; i++) /* an action's choices stay together */
        if (a->transition + i != t) list[(*count)++] = a->transition + i;
    assert(*count <= p->transitions); /* none is listed twice */
    return true;
}

static bool stubborn_set(struct ts_worker *w, const word *s, uint32_t *list, uint32_t *count, struct ts_fault *fault) {
    uint32_t n;
    (void)fault;
    *count = 0;
    if (plan_is_special(w->plan, s)) return true;
    plan_unpack(w->plan, s, w->locals);
    stubborn_choose(w->search, w->locals, &n);
    if (n == 0) return true;
    const uint32_t *members = stubborn_members(w->search, &n);
    add_transitions(w->plan, members, n, list, count);
    assert(*count <= w->plan->transitions); /* the room of the list */
    return true;
}

/* By number of an observer: 0 stands for having ended. */
static uint32_t seen_as(const struct ts_worker *w, uint32_t a) {
    return a == w->plan->ender ? 0 : w->n->description.seen_as[w->plan->action[a].label];
}

/* In ERROR and END, every set is stubborn. */
static void covers(struct ts_worker *w, const word *s, bool *covered, bool *members) {
    const struct plan *p = w->plan;
    uint32_t n = 0;
    const uint32_t *list = NULL;
    if (!plan_is_special(p, s)) {
        plan_unpack(p, s, w->locals);
        stubborn_choose(w->search, w->locals, &n);
        list = stubborn_members(w->search, &n);
    }
    if (p->ender == LTS_NONE) covered[0] = true;
    for (uint32_t k = 0; k < (list ? n : p->actions); k++) {
        uint32_t a = list ? list[k] : k;
        if (p->action[a].visible) covered[seen_as(w, a)] = true;
        if (members && list) members[a] = true;
    }
    for (uint32_t a = 0; w->frozen && a < p->actions; a++)
        if (w->frozen[a] && p->action[a].visible) covered[seen_as(w, a)] = true;
}

static void freeze(struct ts_worker *w, const bool *frozen) {
    w->frozen = frozen;
    stubborn_freeze(w->search, frozen);
}

static void widen(struct ts_worker *w, struct ts_batch *batch, const bool *wanted) {
    const struct plan *p = w->plan;
    struct output out = {.state = batch->successors, .label = batch->labels};
    uint32_t *list = memory_get((p->actions + UINT64_C(1)) * sizeof *list), n = 0, count;
    for (uint32_t a = 0; a < p->actions; a++)
        if (p->action[a].visible && wanted[seen_as(w, a)]) list[n++] = a;
    if (!plan_is_special(p, batch->sources)) {
        plan_unpack(p, batch->sources, w->locals);
        const uint32_t *actions = stubborn_close(w->search, w->locals, list, n, &count);
        make_some_moves(w, batch->sources, actions, count, &out);
    }
    batch->ends[0] = (uint32_t)(out.label - batch->labels);
    free(list);
}

/* ---- Why a set is what it is ---- */

static uint32_t units(const struct ts *ts) { return network_of(ts)->plan->actions; }

/* In ERROR and END nothing is enabled, and nothing is obliged. */
static void unit(struct ts_worker *w, const word *s, uint32_t u, struct ts_unit *out) {
    plan_unpack(w->plan, s, w->locals);
    explain_action(w->n->stubborn, w->locals, u, out);
    out->enabled &= !plan_is_special(w->plan, s);
    out->starts &= !(w->frozen && w->frozen[u]);
}

static void set_members(struct ts_worker *w, const word *s, bool *set) {
    uint32_t n = 0;
    const uint32_t *members = NULL;
    memset(set, 0, w->plan->actions);
    if (plan_is_special(w->plan, s)) return;
    plan_unpack(w->plan, s, w->locals);
    stubborn_choose(w->search, w->locals, &n);
    members = stubborn_members(w->search, &n);
    for (uint32_t k = 0; k < n; k++) set[members[k]] = true;
}

static void obliged(struct ts_worker *w, const word *s, uint32_t u, const bool *set, struct ts_obligation *list,
                    uint32_t *count, uint32_t *disabler) {
    *count = 0;
    *disabler = TS_NONE;
    if (plan_is_special(w->plan, s)) return;
    plan_unpack(w->plan, s, w->locals);
    explain_obliged(w->search, w->locals, u, set, list, count, disabler);
}

static const struct ts_explain_ops explain_ops = {
    .units = units, .unit = unit, .members = set_members, .obliged = obliged};

static bool takes_part(const struct ts *ts, uint32_t v, uint32_t t) {
    const struct plan *p = network_of(ts)->plan;
    if (p->actions == 0) return false;
    const struct plan_action *a = &p->action[p->action_of[t]];
    for (uint32_t i = 0; i < a->parts; i++)
        if (a->part[i].component == v) return true;
    return false;
}

static bool is_ready(const struct ts *ts, const word *s, uint32_t v, uint32_t t) {
    return describe_ready(network_of(ts)->plan, s, v, t);
}

static struct facts_proved *prove(const struct ts *ts) { return network_facts(network_of(ts)->plan); }

/* ---- Opening and closing ---- */

static struct ts_worker *worker_new(struct ts *ts) {
    struct ts_worker *w = memory_get_zeroed(sizeof *w);
    w->n = network_of(ts);
    w->plan = w->n->plan;
    w->locals = memory_get((w->plan->count + 1) * sizeof *w->locals);
    w->chosen = memory_get(w->plan->most_parts * sizeof *w->chosen);
    w->choice = memory_get(w->plan->most_parts * sizeof *w->choice);
    w->next = memory_get(w->plan->words * sizeof *w->next);
    if (w->n->stubborn) w->search = stubborn_search_new(w->n->stubborn);
    return w;
}

static void worker_free(struct ts_worker *w) {
    if (!w) return;
    free(w->locals);
    free(w->chosen);
    free(w->choice);
    free(w->next);
    stubborn_search_free(w->search);
    stubborn_search_free(w->advice);
    stubborn_free(w->rules);
    free(w);
}

static void close_network(struct ts *ts) {
    if (!ts) return;
    struct network_ts *n = network_of(ts);
    description_fini(&n->description, n->plan);
    stubborn_free(n->stubborn);
    plan_free(n->plan);
    free(n);
}

static const struct ts_ops ops = {
    .close = close_network,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .expand = expand,
    .classify = classify,
    .initial = initial,
    .fire = fire,
    .check = check,
    .obligations = obligations,
    .stubborn_set = stubborn_set,
    .covers = covers,
    .widen = widen,
    .freeze = freeze,
    .explain = &explain_ops,
    .print = print,
    .transition_name = transition_name,
    .value = value,
    .action = action,
    .takes_part = takes_part,
    .is_ready = is_ready,
    .prove = prove,
};

struct ts *network_open(struct network *n, const char *path, struct reduction reduction, struct problem *why) {
    struct plan *plan = plan_new(n, reduction.forward, reduction.preserve >= PRESERVE_TRACES, why);
    if (!plan) return NULL;
    reduction.progress = reduction.progress && reduction.stubborn && plan->network.progress_count > 0;
    struct stubborn *stubborn = reduction.stubborn ? stubborn_new(plan, reduction, why) : NULL;
    if (reduction.stubborn && !stubborn) return plan_free(plan), NULL;
    struct network_ts *t = memory_get_zeroed(sizeof *t);
    t->plan = plan;
    t->stubborn = stubborn;
    description_init(&t->description, plan, path);
    t->ts = (struct ts){
        .ops = &ops,
        .path = t->description.path,
        .process = plan->network.process,
        .identity = t->description.identity,
        .parameters = plan->network.parameters,
        .parameter_count = plan->network.parameter_count,
        .words = plan->words,
        .bits = plan->bits,
        .transitions = plan->transitions,
        .features = TS_CHECK_DEADLOCK | (plan->can_err ? TS_CHECK_STATE : 0u) | TS_BAD_IS_TERMINAL |
                    (plan->has_low ? 0u : TS_OBLIGATIONS | TS_CHOICE_OF_RULES),
        .reduction = reduction,
        .variables = t->description.variables,
        .variable_count = plan->count,
        .actions = t->description.actions,
        .action_names = t->description.action_names,
        .action_hidden = t->description.action_hidden,
        .fixed_actions = true,
        .progress = t->description.progress,
        .progress_count = plan->network.progress_count,
        .fluents = plan->network.fluents,
        .fluent_count = plan->network.fluent_count,
        .assertions = plan->network.assertion,
        .assertion_count = plan->network.assertion ? 1 : 0,
        .whole_counts = true,
        .qualities = plan->network.qualities,
    };
    return &t->ts;
}
