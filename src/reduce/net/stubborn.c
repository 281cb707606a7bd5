#include "reduce/net/stubborn.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/net/stubborn_search.h"

/* ---- The rules ---- */

/* Does a test of progress name the action? */
static bool is_tested(const struct plan *p, uint32_t action) {
    for (uint32_t i = 0; i < p->network.progress_count; i++) {
        const struct network_progress *test = &p->network.progress[i];
        uint32_t label = p->action[action].label;
        if (action != p->ender && (test->then[label] || (test->when && test->when[label]))) return true;
    }
    return false;
}

static void list_actions(struct stubborn *s) {
    const struct plan *p = s->plan;
    s->visible = memory_get((p->actions + UINT64_C(1)) * sizeof *s->visible);
    for (uint32_t a = 0; a < p->actions; a++)
        s->visible[a] = s->reduction.progress ? is_tested(p, a) : p->action[a].visible;
    s->watched = memory_get((p->actions + UINT64_C(1)) * sizeof *s->watched);
    s->erring = memory_get((p->actions + UINT64_C(1)) * sizeof *s->erring);
    for (uint32_t k = 0; k < p->actions; k++) {
        uint32_t a = p->forward ? k : p->actions - 1 - k;
        if (s->visible[a] || p->action[a].errs) s->watched[s->watched_count++] = a;
        if (p->action[a].errs) s->erring[s->erring_count++] = a;
    }
}

/* Needs are for actions with too many joint states only. */
static struct needs *make_needs(const struct plan *p) {
    bool *refined = memory_get_zeroed(p->count + UINT64_C(1));
    for (uint32_t a = 0; a < p->actions; a++)
        for (uint32_t k = 0; k < p->action[a].parts && rules_joint_states(p, a) == 0; k++)
            refined[p->action[a].part[k].component] = true;
    struct needs *needs = needs_new(p, refined);
    free(refined);
    return needs;
}

struct stubborn *stubborn_new(const struct plan *p, struct reduction reduction, struct problem *why) {
    if (p->has_low) {
        problem_set(why, EXIT_BAD_INPUT,
                    "stubborn sets cannot be used with priorities (>> or <<): an action that gives way to others "
                    "depends on all of them; leave the reduction out");
        return NULL;
    }
    struct stubborn *s = memory_get_zeroed(sizeof *s);
    s->plan = p;
    s->reduction = reduction;
    s->needs = make_needs(p);
    s->starts_visible = reduction.preserve >= PRESERVE_TRACES;
    s->obeys_c2 = reduction.preserve == PRESERVE_TREE_FAILURES;
    s->obeys_v = reduction.preserve >= PRESERVE_DEADLOCK_TRACES && !s->obeys_c2;
    s->vertices = p->actions + PSEUDOS;
    list_actions(s);
    s->obeys_e = (reduction.progress || reduction.preserve != PRESERVE_DEADLOCKS) && s->erring_count > 0;
    return s;
}

void stubborn_free(struct stubborn *s) {
    if (!s) return;
    needs_free(s->needs);
    free(s->visible);
    free(s->watched);
    free(s->erring);
    free(s);
}

const struct actions *enabled_actions(struct stubborn_search *d) {
    const struct plan *p = d->p;
    if (d->all_known) return &d->all_enabled;
    d->all_known = true;
    d->all_enabled.count = 0;
    for (uint32_t n = 0; n < p->count; n++) {
        uint32_t i = p->forward ? n : p->count - 1 - n, x = d->locals[i];
        const struct plan_component *c = &p->component[i];
        for (uint32_t k = c->scanning[x]; k < c->scanning[x + 1]; k++) {
            uint32_t a = c->groups[c->scan[k]].action;
            if (is_enabled(d, a)) actions_add(&d->all_enabled, a);
        }
    }
    return &d->all_enabled;
}

/* Whether an enabled action may lead to ERROR now. */
static bool errs_now(const struct stubborn_search *d, const struct plan_action *a) {
    for (uint32_t k = 0; a->errs && k < a->parts; k++) {
        const struct plan_component *c = &d->p->component[a->part[k].component];
        const struct plan_group *g = plan_group(c, d->locals[a->part[k].component], a->part[k].local);
        assert(g); /* the action is enabled */
        for (uint32_t e = g->begin; e < g->end; e++)
            if (c->edges[e].attention & PLAN_ERRS) return true;
    }
    return false;
}

void add_rules(struct stubborn_search *d, uint32_t action, struct actions *to) {
    const struct stubborn *s = d->s;
    const struct plan_action *a = &d->p->action[action];
    uint32_t pseudo = d->p->actions;
    bool visible = s->visible[action];
    if (visible && (s->obeys_v || s->obeys_c2)) actions_add(to, pseudo + ALL_VISIBLE);
    if (s->obeys_e) actions_add(to, pseudo + ALL_ERRING);
    if ((visible && s->obeys_c2) || (s->obeys_e && errs_now(d, a))) actions_add(to, pseudo + ALL_ENABLED);
}

const uint32_t *pseudo_obligations(struct stubborn_search *d, uint32_t pseudo, uint32_t *count) {
    const struct stubborn *s = d->s;
    const struct actions *all;
    switch (pseudo) {
    case ALL_VISIBLE: return *count = s->watched_count, s->watched;
    case ALL_ERRING: return *count = s->erring_count, s->erring;
    default: all = enabled_actions(d); return *count = all->count, all->at;
    }
}

static bool met(const struct stubborn_search *d, uint32_t v) { return d->number[v] > d->base; }

/* How much a list would add to what was met already. Enabled actions are what it is about. */
static uint32_t cost_of(const struct stubborn_search *d, const uint32_t *list, uint32_t count, uint32_t most) {
    uint32_t cost = 0;
    for (uint32_t k = 0; k < count && cost < most; k++)
        if (!met(d, list[k]) && !is_frozen(d, list[k])) cost += is_enabled(d, list[k]) ? 64 : 1;
    return cost;
}

/* The list that a disabled action obliges. */
static const struct obliged_list *best_list(const struct stubborn_search *d, const struct obliged *o) {
    const struct obliged_list *best = &o->list[0];
    if (d->s->reduction.method == METHOD_ESC) return best;
    uint32_t least = UINT32_MAX;
    for (uint32_t k = 0; k < o->count && least > 0; k++) {
        uint32_t cost = cost_of(d, o->list[k].at, o->list[k].count, least);
        if (cost >= least) continue;
        best = &o->list[k];
        least = cost;
    }
    return best;
}

/* Adds what a vertex obliges. True: it is an enabled action. */
static bool add_obligations(struct stubborn_search *d, uint32_t v, struct actions *to) {
    struct obliged o;
    if (v >= d->p->actions) {
        uint32_t count;
        const uint32_t *list = pseudo_obligations(d, v - d->p->actions, &count);
        add_unfrozen(d, to, list, count);
        return false;
    }
    rules_obliged(d->rules, d->locals, v, &o);
    if (!o.enabled) {
        const struct obliged_list *l = best_list(d, &o);
        add_unfrozen(d, to, l->at, l->count);
        return false;
    }
    for (uint32_t k = 0; k < o.count; k++) add_unfrozen(d, to, o.list[k].at, o.list[k].count);
    add_rules(d, v, to);
    return true;
}

/* ---- Strong components ---- */

void search_begin(struct stubborn_search *d, const uint32_t *locals) {
    uint32_t numbers = d->s->vertices + 2;
    d->locals = locals;
    d->all_known = false;
    d->enabled.count = d->finished.count = d->chosen.count = d->pool.count = 0;
    d->top = d->depth = d->root_count = 0;
    if (__builtin_expect(d->tainted > UINT32_MAX - 2 * numbers, 0)) {
        memset(d->number, 0, d->s->vertices * sizeof *d->number);
        d->tainted = 0;
    }
    d->base = d->tainted;
    d->done = d->base + numbers - 1;
    d->tainted = d->base + numbers;
}

static void enter(struct stubborn_search *d, uint32_t v) {
    uint32_t start = d->pool.count;
    assert(!met(d, v) && d->top < d->s->vertices);
    d->stack[d->top++] = v;
    d->number[v] = d->base + d->top;
    d->roots[d->root_count++] = (struct root){d->top, false};
    d->is_enabled[v] = add_obligations(d, v, &d->pool);
    d->frames[d->depth++] = (struct frame){d->top, start, start, d->pool.count};
}

/* v was met before: if its component is not complete, all since then belongs to it. */
static void meet_again(struct stubborn_search *d, uint32_t v) {
    bool tainted = d->number[v] == d->tainted;
    if (d->number[v] < d->done)
        while (d->roots[d->root_count - 1].number > d->number[v] - d->base)
            tainted |= d->roots[--d->root_count].tainted;
    assert(d->root_count > 0);
    d->roots[d->root_count - 1].tainted |= tainted;
}

/* The component of the last root is complete. If it has enabled actions and does not depend on others that have, it is
 * a candidate, together with all complete components without any. */
static void complete(struct stubborn_search *d) {
    struct root root = d->roots[--d->root_count];
    uint32_t start = root.number - 1, enabled = 0;
    for (uint32_t k = start; k < d->top; k++) enabled += d->is_enabled[d->stack[k]];
    bool taints = root.tainted || enabled > 0;
    if (enabled > 0 && !root.tainted && (d->enabled.count == 0 || enabled < d->enabled.count)) {
        d->enabled.count = d->chosen.count = 0;
        for (uint32_t k = start; k < d->top; k++) {
            if (d->is_enabled[d->stack[k]]) actions_add(&d->enabled, d->stack[k]);
            actions_add(&d->chosen, d->stack[k]);
        }
    }
    for (uint32_t k = start; k < d->top; k++) {
        d->number[d->stack[k]] = taints ? d->tainted : d->done;
        if (!taints) actions_add(&d->finished, d->stack[k]);
    }
    d->top = start;
    if (taints && d->root_count > 0) d->roots[d->root_count - 1].tainted = true;
}

/* Whether the best candidate so far will do. */
static bool satisfied(const struct stubborn_search *d) {
    return d->s->reduction.method == METHOD_ESC ? d->enabled.count > 0 : d->enabled.count == 1;
}

/* Searches from v. True: no more is needed. */
static bool search_from(struct stubborn_search *d, uint32_t v) {
    if (d->number[v] > d->base || is_frozen(d, v)) return false;
    enter(d, v);
    while (d->depth > 0) {
        struct frame *f = &d->frames[d->depth - 1];
        if (f->next < f->end) {
            uint32_t u = d->pool.at[f->next++];
            if (met(d, u)) meet_again(d, u);
            else enter(d, u);
            continue;
        }
        d->pool.count = f->begin;
        d->depth--;
        if (d->roots[d->root_count - 1].number != f->number) continue;
        complete(d);
        if (satisfied(d)) return true;
    }
    return false;
}

/* All actions of a network, in order, are starting points of METHOD_ESC: which comes first matters (FAIR Section 8). */
static void search(struct stubborn_search *d) {
    const struct stubborn *s = d->s;
    if (s->starts_visible) {
        for (uint32_t k = 0; k < s->watched_count; k++)
            if (search_from(d, s->watched[k])) return;
    } else if (s->reduction.method == METHOD_ESC) {
        for (uint32_t k = 0; k < d->p->actions; k++)
            if (search_from(d, d->p->forward ? k : d->p->actions - 1 - k)) return;
    } else {
        const struct actions *all = enabled_actions(d);
        for (uint32_t k = 0; k < all->count; k++)
            if (search_from(d, all->at[k])) return;
    }
}

/* ---- Answers ---- */

/* Finds a set with an enabled action, if there is any. */
static void choose_some(struct stubborn_search *d, const uint32_t *locals) {
    search_begin(d, locals);
    if (d->s->reduction.method == METHOD_DELETION) deletion_run(d);
    else search(d);
    assert(d->enabled.count > 0 || d->frozen || d->s->starts_visible || enabled_actions(d)->count == 0); /* D0 */
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Sorts a list, and drops what is there twice. */
static void tidy(struct actions *l) {
    uint32_t kept = 0;
    if (l->count > 1) qsort(l->at, l->count, sizeof *l->at, by_number);
    for (uint32_t k = 0; k < l->count; k++)
        if (k == 0 || l->at[k] != l->at[k - 1]) l->at[kept++] = l->at[k];
    l->count = kept;
}

/* Everything that v obliges, directly or not, is chosen, too. */
static void close_under(struct stubborn_search *d, uint32_t v) {
    d->pool.count = 0;
    actions_add(&d->pool, v);
    while (d->pool.count > 0) {
        uint32_t u = d->pool.at[--d->pool.count];
        if (met(d, u)) continue;
        d->number[u] = d->done;
        actions_add(&d->chosen, u);
        if (add_obligations(d, u, &d->pool)) actions_add(&d->enabled, u);
    }
}

const uint32_t *stubborn_close(struct stubborn_search *d, const uint32_t *locals, const uint32_t *wanted,
                               uint32_t wanted_count, uint32_t *count) {
    search_begin(d, locals);
    for (uint32_t k = 0; k < wanted_count; k++)
        if (!is_frozen(d, wanted[k])) close_under(d, wanted[k]);
    tidy(&d->enabled);
    *count = d->enabled.count;
    return d->enabled.at;
}

void stubborn_freeze(struct stubborn_search *d, const bool *frozen) { d->frozen = frozen; }

/* A set with an enabled action, if there is any, and the closure of what is watched. */
static const uint32_t *widen_by_watched(struct stubborn_search *d, const uint32_t *locals, uint32_t *count) {
    choose_some(d, locals);
    struct actions enabled = d->enabled, chosen = d->chosen, finished = d->finished;
    d->enabled = d->chosen = d->finished = (struct actions){0};
    search_begin(d, locals);
    for (uint32_t k = 0; k < d->s->watched_count; k++) close_under(d, d->s->watched[k]);
    actions_add_all(&d->enabled, enabled.at, enabled.count);
    actions_add_all(&d->chosen, chosen.at, chosen.count);
    actions_add_all(&d->finished, finished.at, finished.count);
    free(enabled.at);
    free(chosen.at);
    free(finished.at);
    tidy(&d->enabled);
    *count = d->enabled.count;
    return d->enabled.at;
}

/* With all that is watched, and, only if nothing of that is enabled, with something that is. */
static const uint32_t *choose_watched(struct stubborn_search *d, const uint32_t *locals, uint32_t *count) {
    const struct stubborn *s = d->s;
    search_begin(d, locals);
    for (uint32_t k = 0; k < s->watched_count; k++) close_under(d, s->watched[k]);
    if (d->enabled.count == 0) return widen_by_watched(d, locals, count);
    tidy(&d->enabled);
    *count = d->enabled.count;
    return d->enabled.at;
}

const uint32_t *stubborn_choose(struct stubborn_search *d, const uint32_t *locals, uint32_t *count) {
    if (d->s->reduction.progress) return choose_watched(d, locals, count);
    choose_some(d, locals);
    *count = d->enabled.count;
    return d->enabled.at;
}

const uint32_t *stubborn_members(struct stubborn_search *d, uint32_t *count) {
    struct actions *all = &d->members;
    uint32_t kept = 0;
    all->count = 0;
    actions_add_all(all, d->finished.at, d->finished.count);
    actions_add_all(all, d->chosen.at, d->chosen.count);
    tidy(all);
    while (kept < all->count && all->at[kept] < d->p->actions) kept++;
    *count = kept;
    return all->at;
}

const uint32_t *stubborn_obligations(struct stubborn_search *d, const uint32_t *locals, uint32_t action,
                                     uint32_t *count) {
    struct actions *all = &d->members;
    uint32_t kept = 0;
    search_begin(d, locals);
    all->count = 0;
    add_obligations(d, action, all);
    for (uint32_t k = 0; k < all->count; k++) /* pseudo-actions oblige actions only */
        if (all->at[k] >= d->p->actions) add_obligations(d, all->at[k], all);
    tidy(all);
    for (uint32_t k = 0; k < all->count && all->at[k] < d->p->actions; k++)
        if (all->at[k] != action) all->at[kept++] = all->at[k];
    *count = kept;
    return all->at;
}

/* ---- Making and freeing ---- */

struct stubborn_search *stubborn_search_new(const struct stubborn *s) {
    struct stubborn_search *d = memory_get_zeroed(sizeof *d);
    d->s = s;
    d->p = s->plan;
    d->number = memory_get_zeroed(s->vertices * sizeof *d->number);
    d->stack = memory_get(s->vertices * sizeof *d->stack);
    d->frames = memory_get(s->vertices * sizeof *d->frames);
    d->roots = memory_get(s->vertices * sizeof *d->roots);
    d->is_enabled = memory_get(s->vertices);
    d->rules = rules_new(s->plan, s->needs);
    if (s->reduction.method == METHOD_DELETION) d->deletion = deletion_new(s);
    return d;
}

void stubborn_search_free(struct stubborn_search *d) {
    if (!d) return;
    deletion_free(d->deletion);
    rules_free(d->rules);
    void *all[] = {d->number,      d->stack,     d->frames,     d->roots,          d->pool.at,    d->enabled.at,
                   d->finished.at, d->chosen.at, d->members.at, d->all_enabled.at, d->is_enabled, d};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
}
