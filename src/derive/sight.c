#include "derive/sight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "derive/conflicts.h"

enum { STEPS = 1 << 20 }; /* in search of a change; beyond, there may be one */

static bool is_proposition(enum unit_kind kind) {
    return kind == UNIT_PROPOSITION || kind == UNIT_MAY_PROGRESS || kind == UNIT_MUST_PROGRESS;
}

struct sight *sight_make(struct derived *d) {
    const struct source *source = d->readings.source;
    struct sight *sight = memory_get((source->unit_count + 1) * sizeof *sight);
    for (uint32_t u = 0; u < source->unit_count; u++) {
        enum unit_kind kind = source->units[u].kind;
        sight[u] = (struct sight){NODE_NONE, NODE_NONE};
        if (kind == UNIT_ACTION) sight[u].on = diagram_make(&d->diagram, &d->readings, u, VIEW_VALUE);
        if (!is_proposition(kind)) continue;
        sight[u].on = diagram_make(&d->diagram, &d->readings, u, VIEW_TRUE);
        sight[u].off = diagram_make(&d->diagram, &d->readings, u, VIEW_FALSE);
    }
    return sight;
}

static uint32_t find_unit(const struct derived *d, enum unit_kind kind, uint32_t of) {
    const struct source *source = d->readings.source;
    for (uint32_t u = 0; u < source->unit_count; u++)
        if (source->units[u].kind == kind && (kind != UNIT_PROPOSITION || source->units[u].of == of)) return u;
    return UINT32_MAX;
}

/* May t disable what is enabled where `root` says so? */
static bool may_end(const struct derived *d, uint32_t t, uint32_t root, const bool *reads) {
    struct party a = {d->member[t].root, d->member[t].reads}, b = {root, reads};
    struct cube_list list;
    if (root == NODE_NONE) return false; /* no possible state gets anywhere in it */
    cube_list_init(&list, &d->readings.slots);
    conflicts_find(&d->diagram, &d->readings.pairs, &a, &b, 1, STEPS, NULL, &list);
    bool some = list.count > 0;
    cube_list_fini(&list);
    return some;
}

static bool is_vague(const struct derived *d, uint32_t n, bool *done) {
    if (n == NODE_NONE || done[n]) return false;
    const struct node *node = &d->diagram.node[n];
    done[n] = true;
    for (uint32_t i = 0; node->kind <= NODE_CHOICE && i < node->count; i++)
        if (is_vague(d, d->diagram.child[node->first + i], done)) return true;
    return node->kind == NODE_VAGUE;
}

/* What the diagram below a root depends on. */
static void note_reads(const struct derived *d, uint32_t root, bool *reads) {
    bool *done = memory_get_zeroed(d->diagram.count + 1);
    diagram_reads(&d->diagram, root, reads);
    if (is_vague(d, root, done)) memset(reads, true, d->readings.source->variable_count);
    free(done);
}

static bool writes_some(const struct derived *d, uint32_t t, const bool *reads) {
    for (uint32_t x = 0; x < d->readings.source->variable_count; x++)
        if (d->member[t].writes[x] && reads[x]) return true;
    return false;
}

bool derived_may_change(const struct derived *d, enum unit_kind kind, uint32_t of, uint32_t t) {
    uint32_t u = find_unit(d, kind, of);
    assert(is_proposition(kind) && t < d->transitions);
    if (u == UINT32_MAX) return true;
    bool *reads = memory_get_zeroed(d->readings.source->variable_count + 1);
    note_reads(d, d->sight[u].on, reads);
    note_reads(d, d->sight[u].off, reads);
    bool may =
        writes_some(d, t, reads) && (may_end(d, t, d->sight[u].on, reads) || may_end(d, t, d->sight[u].off, reads));
    free(reads);
    return may;
}

/* Is the action of a transition tau wherever it is enabled? */
static bool is_silent(const struct derived *d, uint32_t unit) {
    uint32_t root = d->sight[unit].on;
    if (root == NODE_NONE) return true;
    const struct node *n = &d->diagram.node[root];
    return n->kind == NODE_VALUE && d->diagram.values[n->effect] == 0;
}

bool derived_observable(const struct derived *d, uint32_t t) {
    const struct source *source = d->readings.source;
    bool *reads = memory_get_zeroed(source->variable_count + 1), seen = false, known = false;
    for (uint32_t u = 0; u < source->unit_count && !seen; u++) {
        if (source->units[u].kind != UNIT_ACTION) continue;
        if (source->units[u].of == t) known = true, seen = !is_silent(d, u);
        else note_reads(d, d->sight[u].on, reads);
    }
    seen |= !known || writes_some(d, t, reads);
    free(reads);
    return seen;
}
