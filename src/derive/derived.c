#include "derive/derived.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "derive/conflicts.h"
#include "derive/sight.h"
#include "ts/facts.h"

/* ---- Members ---- */

static void add_member(struct derived *d, enum member_kind kind, uint32_t unit, enum diagram_view view) {
    const struct source *source = d->readings.source;
    uint32_t root = diagram_make(&d->diagram, &d->readings, unit, view);
    bool never = root == NODE_NONE || d->diagram.node[root].kind == NODE_DISABLED;
    if (never && kind != MEMBER_TRANSITION) return;
    struct member *m = &d->member[d->members++];
    *m = (struct member){.kind = kind, .unit = unit, .root = root, .transition = source->units[unit].of};
    m->reads = memory_get_zeroed(source->variable_count + 1);
    m->writes = memory_get_zeroed(source->variable_count + 1);
}

static void read_all(const struct readings *r, uint32_t n, bool *reads, bool *done) {
    const struct reading *at = &r->at[n];
    if (done[n] || at->at.kind != POINT_READ) return;
    done[n] = reads[at->at.variable] = true;
    for (uint32_t v = 0; v < at->values; v++)
        if (at->next[v] != READING_NONE) read_all(r, at->next[v], reads, done);
}

static void note_effect(struct derived *d, struct member *m, uint32_t effect, bool *any) {
    uint32_t count;
    const uint32_t *list = diagram_effect(&d->diagram, effect, &count);
    for (uint32_t i = 0; i < count; i++) {
        m->writes[list[2 * i]] = true;
        *any |= list[2 * i + 1] == SLOT_ANY;
    }
}

static void note_below(struct derived *d, struct member *m, uint32_t n, bool *done, bool *any) {
    if (n == NODE_NONE || done[n]) return;
    done[n] = true;
    const struct node *node = &d->diagram.node[n];
    m->vague |= node->kind == NODE_VAGUE;
    m->exact &= node->kind != NODE_VAGUE && node->kind != NODE_CHOICE;
    if (node->kind == NODE_ENABLED) note_effect(d, m, node->effect, any);
    if (node->kind > NODE_CHOICE) return;
    m->reads[node->variable] = true;
    for (uint32_t i = 0; i < node->count; i++) note_below(d, m, d->diagram.child[node->first + i], done, any);
}

/* What a member reads and writes. What is stored in wide variables is not told apart in diagrams, so that what it
 * depends on is looked for in the readings. */
static void note_footprint(struct derived *d, struct member *m) {
    uint32_t variables = d->readings.source->variable_count;
    bool *done = memory_get_zeroed(d->diagram.count + 1), any = false;
    m->exact = true;
    note_below(d, m, m->root, done, &any);
    free(done);
    if (any) {
        done = memory_get_zeroed(d->readings.count + 1);
        read_all(&d->readings, d->readings.root[m->unit], m->reads, done);
        free(done);
    }
    if (!m->vague) return;
    memset(m->reads, true, variables);
    if (m->kind == MEMBER_TRANSITION) memset(m->writes, true, variables);
}

static uint32_t diagram_of(struct derived *d, enum unit_kind kind, enum diagram_view view) {
    const struct source *source = d->readings.source;
    for (uint32_t u = 0; u < source->unit_count; u++)
        if (source->units[u].kind == kind) return diagram_make(&d->diagram, &d->readings, u, view);
    return NODE_NONE;
}

static void make_members(struct derived *d, bool check_state) {
    const struct source *source = d->readings.source;
    d->member = memory_get_zeroed((2 * source->unit_count + 1) * sizeof *d->member);
    while (d->transitions < source->unit_count && source->units[d->transitions].kind == UNIT_TRANSITION)
        add_member(d, MEMBER_TRANSITION, d->transitions++, VIEW_TRANSITION);
    assert(d->members == d->transitions); /* member t is transition t */
    for (uint32_t u = 0; u < source->unit_count; u++) {
        if (source->units[u].kind == UNIT_TRANSITION) add_member(d, MEMBER_ERROR, u, VIEW_ERROR);
        if (check_state && source->units[u].kind == UNIT_CHECK_STATE) add_member(d, MEMBER_BAD_STATE, u, VIEW_BAD);
    }
    d->bad = diagram_of(d, UNIT_CHECK_STATE, VIEW_BAD);
    d->may_progress = diagram_of(d, UNIT_MAY_PROGRESS, VIEW_VALUE);
    d->must_progress = diagram_of(d, UNIT_MUST_PROGRESS, VIEW_VALUE);
    d->sight = sight_make(d);
    diagram_arcs(&d->diagram);
    for (uint32_t i = 0; i < d->members; i++) note_footprint(d, &d->member[i]);
}

/* ---- Cubes ---- */

/* The number of ways to leaves that are not NODE_DISABLED. */
static double count_ways(const struct diagram *d, uint32_t n, double *ways) {
    if (d->node[n].kind > NODE_CHOICE) return d->node[n].kind != NODE_DISABLED;
    if (ways[n] < 0) {
        ways[n] = 0;
        for (uint32_t i = d->arc_from[n]; i < d->arc_from[n + 1]; i++) ways[n] += count_ways(d, d->arc[i].child, ways);
    }
    return ways[n];
}

static void list_cubes(const struct derived *d, uint32_t n, const uint64_t *set, struct cube_list *list) {
    const struct node *node = &d->diagram.node[n];
    uint64_t part[d->readings.slots.words];
    if (node->kind == NODE_DISABLED) return;
    if (node->kind > NODE_CHOICE) {
        memcpy(part, set, sizeof part);
        if (value_pairs_narrow(&d->readings.pairs, part))
            cube_list_add(list, set, node->kind == NODE_VAGUE ? EFFECT_VAGUE : node->effect);
        return;
    }
    for (uint32_t i = d->diagram.arc_from[n]; i < d->diagram.arc_from[n + 1]; i++) {
        memcpy(part, set, sizeof part);
        if (arc_narrow(&d->diagram, node, &d->diagram.arc[i], part)) list_cubes(d, d->diagram.arc[i].child, part, list);
    }
}

static uint32_t add_cubes(struct derived *d, struct value_cubes *c, struct cube_list *list) {
    const struct value_pairs *pairs = &d->readings.pairs;
    for (uint32_t i = 0; i < list->count; i++) {
        uint64_t *set = list->set + (uint64_t)i * list->slots->words;
        if (value_pairs_narrow(pairs, set)) value_cubes_add(c, set, pairs->possible, list->tag[i]);
    }
    return c->count;
}

static void make_cubes(struct derived *d, uint32_t most) {
    double *ways = memory_get((d->diagram.count + 1) * sizeof *ways);
    value_cubes_init(&d->cubes, &d->readings.slots);
    for (uint32_t n = 0; n < d->diagram.count; n++) ways[n] = -1;
    for (uint32_t i = 0; i < d->members; i++) {
        struct member *m = &d->member[i];
        struct cube_list list;
        m->from = m->to = d->cubes.count;
        if (m->root == NODE_NONE) continue;
        m->walked = count_ways(&d->diagram, m->root, ways) > most;
        m->exact &= !m->walked;
        if (m->walked) continue;
        cube_list_init(&list, &d->readings.slots);
        list_cubes(d, m->root, d->readings.pairs.possible, &list);
        cube_list_merge(&list);
        m->to = add_cubes(d, &d->cubes, &list);
        cube_list_fini(&list);
    }
    free(ways);
}

/* ---- Conflicts ---- */

static bool may_meet(const struct derived *d, const struct member *t, const struct member *u) {
    for (uint32_t x = 0; x < d->readings.source->variable_count; x++)
        if ((t->writes[x] && (u->reads[x] || u->writes[x])) || (u->writes[x] && t->reads[x])) return true;
    return false;
}

static void add_near(struct derived *d, uint32_t member, uint32_t from, uint32_t to) {
    MAKE_ROOM(d->near, d->near_count, d->near_room);
    d->near[d->near_count++] = (struct near){member, from, to};
}

/* Conflicts of t with a member before it are there already. */
static void find_again(struct derived *d, uint32_t t, uint32_t u) {
    for (uint32_t i = d->member[u].near_from; i < d->member[u].near_to; i++)
        if (d->near[i].member == t) {
            add_near(d, u, d->near[i].from, d->near[i].to);
            return;
        }
}

static void find(struct derived *d, uint32_t t, uint32_t u, const struct derived_budget *budget) {
    struct party a = {d->member[t].root, d->member[t].reads}, b = {d->member[u].root, d->member[u].reads};
    struct cube_list list;
    uint32_t from = d->conflicts.count;
    if (!may_meet(d, &d->member[t], &d->member[u])) return;
    cube_list_init(&list, &d->readings.slots);
    conflicts_find(&d->diagram, &d->readings.pairs, &a, &b, budget->conflicts, budget->steps,
                   d->readings.source->effort, &list);
    uint32_t to = add_cubes(d, &d->conflicts, &list);
    if (to > from) add_near(d, u, from, to);
    cube_list_fini(&list);
}

static void make_conflicts(struct derived *d, const struct derived_budget *budget) {
    value_cubes_init(&d->conflicts, &d->readings.slots);
    for (uint32_t t = 0; t < d->members; t++) {
        d->member[t].near_from = d->near_count;
        for (uint32_t u = 0; u < t; u++) find_again(d, t, u);
        for (uint32_t u = t + 1; u < d->members; u++) find(d, t, u, budget);
        d->member[t].near_to = d->near_count;
    }
}

/* ---- All of it ---- */

struct derived *derived_new(struct source *source, bool check_state, struct derived_budget budget) {
    struct derived *d = memory_get_zeroed(sizeof *d);
    d->variables = source->variables;
    d->asks_bad = check_state;
    readings_init(&d->readings, source, budget.readings);
    diagram_init(&d->diagram, &d->readings.slots);
    make_members(d, check_state);
    make_cubes(d, budget.cubes);
    make_conflicts(d, &budget);
    cube_table_init(&d->table, d);
    return d;
}

void derived_free(struct derived *d) {
    if (!d) return;
    for (uint32_t i = 0; i < d->members; i++) {
        free(d->member[i].reads);
        free(d->member[i].writes);
    }
    free(d->member);
    free(d->sight);
    free(d->near);
    value_cubes_fini(&d->cubes);
    value_cubes_fini(&d->conflicts);
    cube_table_fini(&d->table);
    diagram_fini(&d->diagram);
    readings_fini(&d->readings);
    free(d);
}

bool derived_proves_good(const struct derived *d) {
    const struct source *source = d->readings.source;
    bool some = false;
    for (uint32_t u = 0; u < source->unit_count; u++) some |= source->units[u].kind == UNIT_CHECK_STATE;
    for (uint32_t m = d->transitions; m < d->members; m++) some &= d->member[m].kind != MEMBER_BAD_STATE;
    return some && d->asks_bad;
}

static void mark_bits(const struct derived *d, const bool *variables, word *bits) {
    for (uint32_t x = 0; x < d->readings.source->variable_count; x++)
        for (uint32_t b = d->variables[x].first; variables[x] && b < d->variables[x].first + d->variables[x].bits; b++)
            bits[b / 64] |= UINT64_C(1) << (b % 64);
}

struct facts_proved *derived_proved(const struct derived *d) {
    struct facts_proved *f = facts_proved_new(d->transitions, d->readings.source->words);
    for (uint32_t t = 0; t < d->transitions; t++) {
        mark_bits(d, d->member[t].reads, proved_reads(f, t));
        mark_bits(d, d->member[t].writes, proved_writes(f, t));
    }
    return f;
}
