#include "symbolic/support.h"

#include <stdlib.h>
#include <string.h>

#include "algo/set_table.h"
#include "base/memory.h"

enum { STEPS = 4096 }; /* of a diagram */

struct walking {
    const struct diagram *d;
    struct set_table *sets;
    uint32_t variables, steps;
    uint32_t *used; /* by variable: how often on this way */
    uint32_t *list;
};

static void note(struct walking *w) {
    uint32_t count = 0;
    for (uint32_t x = 0; x < w->variables; x++)
        if (w->used[x]) w->list[count++] = x;
    if (count > 1) set_table_number(w->sets, w->list, count);
}

static void use_stored(struct walking *w, uint32_t effect, bool on) {
    uint32_t count;
    const uint32_t *list = diagram_effect(w->d, effect, &count);
    for (uint32_t i = 0; i < count; i++) w->used[list[2 * i]] += on ? 1u : UINT32_MAX;
}

static void walk(struct walking *w, uint32_t n) {
    const struct node *node = &w->d->node[n];
    if (w->steps++ >= STEPS) return;
    if (node->kind == NODE_ENABLED) {
        use_stored(w, node->effect, true);
        note(w);
        use_stored(w, node->effect, false);
    }
    if (node->kind > NODE_CHOICE) return;
    w->used[node->variable]++;
    for (uint32_t i = w->d->arc_from[n]; i < w->d->arc_from[n + 1]; i++) walk(w, w->d->arc[i].child);
    w->used[node->variable]--;
}

/* All that is below, together. */
static void use_all(struct walking *w, uint32_t n, bool *done) {
    const struct node *node = &w->d->node[n];
    if (done[n]) return;
    done[n] = true;
    if (node->kind == NODE_ENABLED) use_stored(w, node->effect, true);
    if (node->kind > NODE_CHOICE) return;
    w->used[node->variable]++;
    for (uint32_t i = w->d->arc_from[n]; i < w->d->arc_from[n + 1]; i++) use_all(w, w->d->arc[i].child, done);
}

static void note_diagram(struct walking *w, uint32_t root) {
    w->steps = 0;
    walk(w, root);
    if (w->steps < STEPS) return;
    bool *done = memory_get_zeroed(w->d->count + 1);
    memset(w->used, 0, w->variables * sizeof *w->used);
    use_all(w, root, done);
    note(w);
    memset(w->used, 0, w->variables * sizeof *w->used);
    free(done);
}

void supports_init(struct supports *s, const struct diagram *d, const uint32_t *root, uint32_t roots) {
    struct set_table sets;
    struct walking w = {.d = d, .sets = &sets, .variables = d->slots->variables};
    set_table_init(&sets);
    w.used = memory_get_zeroed((w.variables + 1) * sizeof *w.used);
    w.list = memory_get((w.variables + 1) * sizeof *w.list);
    for (uint32_t i = 0; i < roots; i++)
        if (root[i] != NODE_NONE) note_diagram(&w, root[i]);
    uint32_t count = set_table_count(&sets), members = 0;
    *s = (struct supports){.variables = w.variables, .count = count};
    s->first = memory_get((count + 1) * sizeof *s->first);
    s->member = memory_get((sets.members + 1) * sizeof *s->member);
    for (uint32_t i = 0; i < count; i++) {
        s->first[i] = members;
        memcpy(s->member + members, set_table_members(&sets, i), set_table_size(&sets, i) * sizeof *s->member);
        members += set_table_size(&sets, i);
    }
    s->first[count] = members;
    free(w.used);
    free(w.list);
    set_table_fini(&sets);
}

void supports_fini(struct supports *s) {
    free(s->member);
    free(s->first);
    *s = (struct supports){0};
}
