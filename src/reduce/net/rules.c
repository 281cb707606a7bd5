#include "reduce/net/rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MOST_JOINT = 1 << 16,
    MOST_STATES = 512,
    MOST_WORK = 1 << 19, /* looks at actions, for one entry */
    MOST_PARTS = 8,
    TABLE = 2 * MOST_STATES, /* places for states that were met; a power of two */
};

/* An action as the parts of another one see it: those of its parts that are among them. */
struct shared {
    uint32_t action;
    uint32_t parts;
    struct shared_part {
        uint32_t index, local; /* which of the parts; its local number there */
    } part[MOST_PARTS];
};

/* What is known of one action. */
struct view {
    struct shared *shared; /* all actions of its parts, itself first */
    uint32_t shared_count;
};

/* Where to look, all in one place: this is asked for every action that is met. */
struct index {
    uint32_t **entries; /* by joint state: what the action obliges there, or NULL; NULL: not asked yet, or never */
    uint32_t parts;
    bool joint; /* there are not too many joint states */
    struct index_part {
        uint32_t component, factor;
    } part[MOST_PARTS];
};

/* An entry: enabled, number of lists; then each: its length and its members. */

struct rules {
    const struct plan *p;
    const struct needs *needs;
    struct view **views; /* by action; NULL: not asked yet */
    uint64_t *sizes;     /* by action: joint states; 0: too many */
    struct index *index; /* by action */
    bool *needed;        /* by index in view->shared */
    uint32_t *stack;     /* joint states */
    uint32_t *table;     /* the same, + 1 */
    uint32_t work;       /* that was done for the entry at hand */
    struct obliged_list *lists;
};

/* ---- Joint states ---- */

/* The state of part k in a joint state of action a. */
static void take_apart(const struct rules *j, const struct plan_action *a, uint32_t state, uint32_t *locals) {
    for (uint32_t k = a->parts; k-- > 0;) {
        uint32_t states = j->p->component[a->part[k].component].states;
        locals[k] = state % states;
        state /= states;
    }
}

static uint32_t put_together(const struct rules *j, const struct plan_action *a, const uint32_t *locals) {
    uint32_t state = 0;
    for (uint32_t k = 0; k < a->parts; k++) state = state * j->p->component[a->part[k].component].states + locals[k];
    return state;
}

static const struct plan_component *component_of(const struct rules *j, const struct plan_action *a, uint32_t index) {
    return &j->p->component[a->part[index].component];
}

static const struct plan_group *group_of(const struct rules *j, const struct plan_action *a,
                                         const struct shared_part *part, const uint32_t *locals) {
    return plan_group(component_of(j, a, part->index), locals[part->index], part->local);
}

/* Whether an action is enabled as far as the parts of a are concerned. */
static bool enabled(const struct rules *j, const struct plan_action *a, const struct shared *b,
                    const uint32_t *locals) {
    for (uint32_t k = 0; k < b->parts; k++)
        if (!group_of(j, a, &b->part[k], locals)) return false;
    return true;
}

/* ---- Which actions the parts have ---- */

static void add_shared(struct view *v, uint32_t action, uint32_t index, uint32_t local) {
    uint32_t k = 0;
    while (k < v->shared_count && v->shared[k].action != action) k++;
    if (k == v->shared_count) {
        v->shared = memory_resize(v->shared, (k + 1) * sizeof *v->shared);
        v->shared[v->shared_count++] = (struct shared){.action = action};
    }
    assert(v->shared[k].parts < MOST_PARTS);
    v->shared[k].part[v->shared[k].parts++] = (struct shared_part){index, local};
}

static struct view *view_of(struct rules *j, uint32_t action) {
    const struct plan_action *a = &j->p->action[action];
    struct view *v = j->views[action];
    if (v) return v;
    v = j->views[action] = memory_get_zeroed(sizeof *v);
    for (uint32_t k = 0; k < a->parts; k++) add_shared(v, action, k, a->part[k].local);
    for (uint32_t k = 0; k < a->parts; k++) {
        const struct plan_component *c = component_of(j, a, k);
        for (uint32_t n = 0; n < c->locals; n++)
            if (c->actions[n] != action) add_shared(v, c->actions[n], k, n);
    }
    return v;
}

/* ---- Conditions 1 and 2 ---- */

static uint32_t size_of(const struct plan_group *g) { return g ? g->end - g->begin : 0; }

/* In one component, where both are enabled. */
static bool commute_in(const struct plan_component *c, uint32_t state, uint32_t a, uint32_t b) {
    const struct plan_group *by_a = plan_group(c, state, a), *by_b = plan_group(c, state, b);
    for (uint32_t q = by_b->begin; q < by_b->end; q++) {
        const struct plan_group *a_later = plan_group(c, c->edges[q].target, a);
        if (size_of(a_later) != size_of(by_a)) return false;
        for (uint32_t p = by_a->begin; p < by_a->end; p++) {
            const struct plan_group *b_later = plan_group(c, c->edges[p].target, b);
            if (q - by_b->begin >= size_of(b_later) || c->edges[b_later->begin + (q - by_b->begin)].target !=
                                                           c->edges[a_later->begin + (p - by_a->begin)].target)
                return false;
        }
    }
    return true;
}

static bool commute(const struct rules *j, const struct plan_action *a, const struct shared *b,
                    const uint32_t *locals) {
    for (uint32_t k = 0; k < b->parts; k++) {
        uint32_t index = b->part[k].index;
        if (!commute_in(component_of(j, a, index), locals[index], a->part[index].local, b->part[k].local)) return false;
    }
    return true;
}

/* ---- Outside paths ---- */

/* One search for something bad on outside paths. */
struct outside {
    struct rules *j;
    const struct plan_action *a;
    const struct view *v;
    uint32_t count, depth;      /* states that were met; of these, on the stack */
    uint32_t used[MOST_STATES]; /* places in the table */
};

/* False: too many. */
static bool meet(struct outside *o, const uint32_t *locals) {
    uint32_t state = put_together(o->j, o->a, locals), at = state * UINT32_C(2654435769) / (UINT32_MAX / TABLE + 1);
    while (o->j->table[at] && o->j->table[at] != state + 1) at = (at + 1) % TABLE;
    if (o->j->table[at]) return true;
    if (o->count == MOST_STATES) return false;
    o->used[o->count++] = at;
    o->j->table[at] = state + 1;
    o->j->stack[o->depth++] = state;
    return true;
}

/* Follows all moves of b, from its part k on. */
static bool follow(struct outside *o, const struct shared *b, uint32_t k, uint32_t *locals) {
    if (k == b->parts) return meet(o, locals);
    uint32_t index = b->part[k].index, old = locals[index];
    const struct plan_component *c = component_of(o->j, o->a, index);
    const struct plan_group *g = plan_group(c, old, b->part[k].local);
    bool good = true;
    for (uint32_t e = g->begin; good && e < g->end; e++) {
        locals[index] = c->edges[e].target;
        good = follow(o, b, k + 1, locals);
    }
    locals[index] = old;
    return good;
}

/* Whether all states on outside paths from here are good, and not too many. */
static bool all_good(struct outside *o, const uint32_t *start, bool a_enabled) {
    uint32_t locals[MOST_PARTS];
    bool good = meet(o, start);
    while (good && o->depth > 0) {
        take_apart(o->j, o->a, o->j->stack[--o->depth], locals);
        if (!a_enabled && enabled(o->j, o->a, &o->v->shared[0], locals)) good = false;
        o->j->work += o->v->shared_count;
        if (o->j->work > MOST_WORK) good = false;
        for (uint32_t k = 1; good && k < o->v->shared_count; k++) {
            const struct shared *b = &o->v->shared[k];
            if (o->j->needed[k] || !enabled(o->j, o->a, b, locals)) continue;
            if (a_enabled && !commute(o->j, o->a, b, locals)) good = false;
            if (good && !follow(o, b, 0, locals)) good = false;
        }
    }
    for (uint32_t k = 0; k < o->count; k++) o->j->table[o->used[k]] = 0;
    return good;
}

static bool is_good(struct rules *j, const struct plan_action *a, const struct view *v, const uint32_t *locals,
                    bool a_enabled) {
    struct outside o = {.j = j, .a = a, .v = v};
    return all_good(&o, locals, a_enabled);
}

/* ---- Entries ---- */

/* Leaves out of j->needed what can be left out, of the actions that are enabled, or of those that are not. */
static void leave_out(struct rules *j, const struct plan_action *a, const struct view *v, const uint32_t *locals,
                      bool a_enabled, bool which) {
    for (uint32_t k = v->shared_count; k-- > 1;) {
        if (!j->needed[k] || enabled(j, a, &v->shared[k], locals) != which) continue;
        j->needed[k] = false;
        j->needed[k] = !is_good(j, a, v, locals, a_enabled);
    }
}

static bool has_part(const struct shared *b, uint32_t index) {
    for (uint32_t k = 0; k < b->parts; k++)
        if (b->part[k].index == index) return true;
    return false;
}

/* Whether an action belongs to part number `index`, and is enabled there. */
static bool enabled_in(const struct rules *j, const struct plan_action *a, const struct shared *b, uint32_t index,
                       const uint32_t *locals) {
    for (uint32_t k = 0; k < b->parts; k++)
        if (b->part[k].index == index) return group_of(j, a, &b->part[k], locals) != NULL;
    return false;
}

/* Appends j->needed to an entry as a list, unless such a list is there. */
static uint32_t *add_list(const struct rules *j, const struct view *v, uint32_t *entry, uint32_t *size) {
    uint32_t begin = *size, n = 0;
    entry = memory_resize(entry, (*size + 1 + v->shared_count) * sizeof *entry);
    for (uint32_t k = 1; k < v->shared_count; k++)
        if (j->needed[k]) entry[begin + 1 + n++] = v->shared[k].action;
    entry[begin] = n;
    for (uint32_t list = 0, at = 2; list < entry[1]; list++, at += 1 + entry[at])
        if (memcmp(entry + at, entry + begin, (1 + n) * sizeof *entry) == 0) return entry;
    entry[1]++;
    *size += 1 + n;
    return entry;
}

static uint32_t *make_enabled(struct rules *j, const struct plan_action *a, const struct view *v,
                              const uint32_t *locals) {
    uint32_t *entry = memory_get(2 * sizeof *entry), size = 2;
    entry[0] = true;
    entry[1] = 0;
    for (uint32_t k = 1; k < v->shared_count; k++) j->needed[k] = enabled(j, a, &v->shared[k], locals);
    leave_out(j, a, v, locals, true, true);
    return add_list(j, v, entry, &size);
}

static uint32_t *make_disabled(struct rules *j, const struct plan_action *a, const struct view *v,
                               const uint32_t *locals) {
    uint32_t *entry = memory_get(2 * sizeof *entry), size = 2;
    entry[0] = false;
    entry[1] = 0;
    for (uint32_t i = 0; i < a->parts; i++) {
        if (plan_group(component_of(j, a, i), locals[i], a->part[i].local)) continue;
        for (uint32_t k = 1; k < v->shared_count; k++) j->needed[k] = enabled_in(j, a, &v->shared[k], i, locals);
        leave_out(j, a, v, locals, false, false);
        leave_out(j, a, v, locals, false, true);
        entry = add_list(j, v, entry, &size);
        for (uint32_t k = 1; k < v->shared_count; k++) j->needed[k] = has_part(&v->shared[k], i);
        leave_out(j, a, v, locals, false, true);
        leave_out(j, a, v, locals, false, false);
        entry = add_list(j, v, entry, &size);
    }
    return entry;
}

/* Without joint states: part by part. */
static void oblige_parts(const struct rules *j, const uint32_t *locals, const struct plan_action *a,
                         struct obliged *out) {
    out->enabled = true;
    out->count = 0;
    for (uint32_t k = 0; k < a->parts; k++)
        out->enabled &= plan_group(component_of(j, a, k), locals[a->part[k].component], a->part[k].local) != NULL;
    for (uint32_t k = 0; k < a->parts; k++) {
        uint32_t i = a->part[k].component;
        if (!out->enabled && plan_group(component_of(j, a, k), locals[i], a->part[k].local)) continue;
        struct obliged_list *l = &out->list[out->count++];
        l->at = needs_of(j->needs, i, locals[i], a->part[k].local, &l->count);
    }
}

/* The first time that an action is asked for in this joint state. */
static uint32_t *make_entry(struct rules *j, uint32_t action, uint32_t state) {
    const struct plan_action *a = &j->p->action[action];
    const struct view *v = view_of(j, action);
    struct index *index = &j->index[action];
    uint32_t own[MOST_PARTS], *entry;
    assert(state < j->sizes[action] && (!index->entries || !index->entries[state]));
    if (!index->entries) index->entries = memory_get_zeroed(j->sizes[action] * sizeof *index->entries);
    take_apart(j, a, state, own);
    assert(put_together(j, a, own) == state);
    j->work = 0;
    entry = enabled(j, a, &v->shared[0], own) ? make_enabled(j, a, v, own) : make_disabled(j, a, v, own);
    return index->entries[state] = entry;
}

void rules_obliged(struct rules *j, const uint32_t *locals, uint32_t action, struct obliged *out) {
    const struct index *index = &j->index[action];
    uint32_t state = 0;
    out->list = j->lists;
    if (__builtin_expect(!index->joint, 0)) {
        oblige_parts(j, locals, &j->p->action[action], out);
        return;
    }
    for (uint32_t k = 0; k < index->parts; k++) state += locals[index->part[k].component] * index->part[k].factor;
    const uint32_t *entry = index->entries ? index->entries[state] : NULL;
    if (__builtin_expect(!entry, 0)) entry = make_entry(j, action, state);
    out->enabled = entry[0];
    out->count = entry[1];
    assert(out->enabled || out->count > 0); /* some part of it is to blame that it is disabled */
    for (uint32_t k = 0, at = 2; k < out->count; at += 1 + entry[at], k++)
        out->list[k] = (struct obliged_list){entry + at + 1, entry[at]};
}

/* ---- Making and freeing ---- */

uint64_t rules_joint_states(const struct plan *p, uint32_t action) {
    const struct plan_action *a = &p->action[action];
    uint64_t size = a->parts > MOST_PARTS ? MOST_JOINT + 1 : 1;
    for (uint32_t k = 0; k < a->parts && size <= MOST_JOINT; k++) size *= p->component[a->part[k].component].states;
    return size <= MOST_JOINT ? size : 0;
}

static void make_index(struct rules *j, uint32_t action) {
    const struct plan_action *a = &j->p->action[action];
    struct index *index = &j->index[action];
    uint32_t factor = 1;
    j->sizes[action] = rules_joint_states(j->p, action);
    index->joint = j->sizes[action] > 0;
    index->parts = a->parts;
    for (uint32_t k = a->parts; index->joint && k-- > 0;) {
        index->part[k] = (struct index_part){a->part[k].component, factor};
        factor *= j->p->component[a->part[k].component].states;
    }
}

struct rules *rules_new(const struct plan *p, const struct needs *needs) {
    struct rules *j = memory_get_zeroed(sizeof *j);
    j->p = p;
    j->needs = needs;
    j->views = memory_get_zeroed((p->actions + UINT64_C(1)) * sizeof *j->views);
    j->sizes = memory_get((p->actions + UINT64_C(1)) * sizeof *j->sizes);
    j->needed = memory_get(p->actions + UINT64_C(1));
    j->stack = memory_get(MOST_STATES * sizeof *j->stack);
    j->table = memory_get_zeroed(TABLE * sizeof *j->table);
    j->lists = memory_get((p->most_parts + 2 * MOST_PARTS) * sizeof *j->lists);
    j->index = memory_get_zeroed((p->actions + UINT64_C(1)) * sizeof *j->index);
    for (uint32_t a = 0; a < p->actions; a++) make_index(j, a);
    return j;
}

void rules_free(struct rules *j) {
    if (!j) return;
    for (uint32_t a = 0; a < j->p->actions; a++) {
        struct view *v = j->views[a];
        if (!v) continue;
        for (uint64_t k = 0; k < j->sizes[a]; k++) free(j->index[a].entries[k]);
        free(j->index[a].entries);
        free(v->shared);
        free(v);
    }
    free(j->views);
    free(j->sizes);
    free(j->index);
    free(j->needed);
    free(j->stack);
    free(j->table);
    free(j->lists);
    free(j);
}
