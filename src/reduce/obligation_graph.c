#include "reduce/obligation_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/closure.h"

/* A graph that is being made. */
struct maker {
    struct obligation_graph *g;
    struct ts *ts;
    struct ts_worker *w;
    const word *s;
    bool *set;                  /* by unit: members */
    struct ts_obligation *room; /* these two: for every unit */
    uint32_t *list;
    struct ts_fault *fault;
};

/* ---- Units ---- */

uint32_t obligation_units(const struct ts *ts) {
    return ts->ops->explain ? ts->ops->explain->units(ts) : ts->transitions;
}

static bool is_visible(const struct ts *ts, uint32_t action) {
    return action != 0 && !(ts->action_hidden && ts->action_hidden[action]);
}

/* A transition of a model with written rules. What is disabled is not asked how it would be seen. */
static bool transition_unit(struct ts *ts, struct ts_worker *w, const word *s, uint32_t t, struct ts_unit *out,
                            struct ts_fault *fault) {
    word *next = memory_get(ts->words * sizeof(word));
    int fired = ts->ops->fire(w, s, t, next, fault);
    free(next);
    if (fired < 0) return false;
    *out = (struct ts_unit){.transition = t, .transitions = 1, .enabled = fired == 1, .starts = true};
    ts->ops->transition_name(w, t, out->name, sizeof out->name);
    if (ts->actions == 0 || !out->enabled) return true;
    uint32_t action = ts->ops->action(w, s, t, fault);
    if (action == TS_NONE) return false;
    out->visible = is_visible(ts, action);
    return true;
}

bool obligation_unit(struct ts *ts, struct ts_worker *w, const word *s, uint32_t u, struct ts_unit *out,
                     struct ts_fault *fault) {
    if (!ts->ops->explain) return transition_unit(ts, w, s, u, out, fault);
    ts->ops->explain->unit(w, s, u, out);
    return true;
}

/* ---- Members and edges ---- */

/* Of written rules: what expand fires, and what that obliges. */
static bool find_members(struct maker *m) {
    uint32_t count, *stack;
    if (m->ts->ops->explain) {
        m->ts->ops->explain->members(m->w, m->s, m->set);
        return true;
    }
    if (!m->ts->ops->stubborn_set(m->w, m->s, m->list, &count, m->fault)) return false;
    for (uint32_t k = 0; k < count; k++) m->set[m->list[k]] = true;
    stack = memory_get((m->g->count + UINT64_C(1)) * sizeof *stack);
    bool good = closure_add(m->ts, m->w, m->s, m->set, m->list, stack, m->fault);
    free(stack);
    return good;
}

/* A written rule says nothing about its reason; but what it must see to is known. */
static bool read_rule(struct maker *m, uint32_t u, uint32_t *count) {
    unsigned conditions = m->g->vertex[u].unit.enabled ? TS_BY_D1 | TS_BY_D2 : TS_BY_D1;
    bool *seen = memory_get_zeroed(m->g->count + UINT64_C(1));
    uint32_t n = 0;
    bool good = m->ts->ops->obligations(m->w, m->s, u, m->list, &n, m->fault);
    *count = 0;
    seen[u] = true;
    for (uint32_t k = 0; good && k < n; k++) {
        if (seen[m->list[k]]) continue;
        seen[m->list[k]] = true;
        m->room[(*count)++] = (struct ts_obligation){m->list[k], conditions};
    }
    free(seen);
    return good;
}

/* Finds the edges of a vertex, unless they are known. */
static bool ask(struct maker *m, uint32_t u) {
    struct obligation_vertex *v = &m->g->vertex[u];
    uint32_t count = 0;
    if (v->known) return true;
    if (m->ts->ops->explain)
        m->ts->ops->explain->obliged(m->w, m->s, u, v->member ? m->set : NULL, m->room, &count, &v->disabler);
    else if (!read_rule(m, u, &count)) return false;
    v->known = true;
    v->count = count;
    v->to = memory_get((count + UINT64_C(1)) * sizeof *v->to);
    memcpy(v->to, m->room, count * sizeof *v->to);
    return true;
}

/* ---- Closures and ways ---- */

/* Marks all that the first `count` vertices of the list reach, and adds it to the list, nearest first. With `from`: by
 * which vertex each was met. */
static bool reach(struct maker *m, uint32_t *list, uint32_t *count, bool *met, uint32_t *from) {
    for (uint32_t k = 0; k < *count; k++) met[list[k]] = true;
    for (uint32_t k = 0; k < *count; k++) {
        if (!ask(m, list[k])) return false;
        const struct obligation_vertex *v = &m->g->vertex[list[k]];
        for (uint32_t e = 0; e < v->count; e++) {
            uint32_t to = v->to[e].to;
            if (met[to]) continue;
            met[to] = true;
            assert(*count < m->g->count); /* each vertex is met once */
            if (from) from[to] = list[k];
            list[(*count)++] = to;
        }
    }
    return true;
}

static bool find_closure(struct maker *m, const uint32_t *chosen, uint32_t chosen_count) {
    uint32_t *list = memory_get((m->g->count + UINT64_C(1)) * sizeof *list), count = 0;
    bool *met = memory_get_zeroed(m->g->count + UINT64_C(1));
    for (uint32_t k = 0; k < chosen_count; k++) {
        if (!met[chosen[k]]) list[count++] = chosen[k];
        met[chosen[k]] = true;
    }
    bool good = reach(m, list, &count, met, NULL);
    for (uint32_t k = 0; good && k < count; k++) m->g->vertex[list[k]].closed = true;
    free(list);
    free(met);
    return good;
}

/* Of what the list reaches, nearest first: the way to the first member. */
static void keep_way(struct obligation_graph *g, const uint32_t *list, uint32_t count, const uint32_t *from) {
    uint32_t end = 0, length = 1;
    while (end < count && !g->vertex[list[end]].member) end++;
    if (end == count) return;
    for (uint32_t u = list[end]; u != list[0]; u = from[u]) length++;
    g->way = memory_get(length * sizeof *g->way);
    g->way_count = length;
    for (uint32_t u = list[end]; length > 0; u = from[u]) g->way[--length] = u;
    assert(g->way[0] == list[0]);
}

/* Where the search began, and how it came to the set. */
static bool find_way(struct maker *m) {
    struct obligation_graph *g = m->g;
    uint32_t n = g->count, *list = memory_get((n + UINT64_C(1)) * sizeof *list);
    uint32_t *from = memory_get((n + UINT64_C(1)) * sizeof *from), count = 0;
    bool *met = memory_get(n + UINT64_C(1)), good = true, found = false;
    for (uint32_t k = 0; k < n && good && !found; k++) {
        uint32_t u = m->ts->reduction.forward ? k : n - 1 - k;
        if (!g->vertex[u].unit.starts) continue;
        memset(met, 0, n);
        list[0] = u;
        from[u] = u;
        count = 1;
        good = reach(m, list, &count, met, from);
        for (uint32_t i = 0; good && i < count; i++) found |= g->vertex[list[i]].unit.enabled;
    }
    if (good && found) keep_way(g, list, count, from);
    free(list);
    free(from);
    free(met);
    return good;
}

/* ---- Making and freeing ---- */

static bool make_vertices(struct maker *m) {
    struct obligation_graph *g = m->g;
    g->terminal = true;
    for (uint32_t u = 0; u < g->count; u++) {
        struct obligation_vertex *v = &g->vertex[u];
        *v = (struct obligation_vertex){.disabler = TS_NONE};
        if (!obligation_unit(m->ts, m->w, m->s, u, &v->unit, m->fault)) return false;
        g->terminal &= !v->unit.enabled;
    }
    if (g->terminal) return true;
    if (!find_members(m)) return false;
    for (uint32_t u = 0; u < g->count; u++) {
        g->vertex[u].member = m->set[u];
        g->members += m->set[u];
        g->enabled += m->set[u] && g->vertex[u].unit.enabled;
    }
    return true;
}

static bool make(struct maker *m, const uint32_t *chosen, uint32_t chosen_count, bool all) {
    struct obligation_graph *g = m->g;
    bool single = !m->ts->ops->explain || m->ts->reduction.method == METHOD_ESC;
    if (!make_vertices(m)) return false;
    for (uint32_t u = 0; u < g->count; u++)
        if ((all || g->vertex[u].member) && !ask(m, u)) return false;
    return find_closure(m, chosen, chosen_count) && (g->enabled == 0 || !single || find_way(m));
}

bool obligation_graph_init(struct obligation_graph *g, struct ts *ts, struct ts_worker *w, const word *s,
                           const uint32_t *chosen, uint32_t chosen_count, bool all, struct ts_fault *fault) {
    uint32_t n = obligation_units(ts);
    struct maker m = {.g = g, .ts = ts, .w = w, .s = s, .fault = fault};
    *g = (struct obligation_graph){.count = n, .vertex = memory_get_zeroed((n + UINT64_C(1)) * sizeof *g->vertex)};
    m.set = memory_get_zeroed(n + UINT64_C(1));
    m.room = memory_get((n + UINT64_C(1)) * sizeof *m.room);
    m.list = memory_get((n + UINT64_C(1)) * sizeof *m.list);
    bool good = make(&m, chosen, chosen_count, all);
    free(m.set);
    free(m.room);
    free(m.list);
    if (!good) obligation_graph_fini(g);
    return good;
}

void obligation_graph_fini(struct obligation_graph *g) {
    for (uint32_t u = 0; u < g->count; u++) free(g->vertex[u].to);
    free(g->vertex);
    free(g->way);
    *g = (struct obligation_graph){0};
}
