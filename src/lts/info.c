#include "lts/info.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/lts_components.h"

static void note(struct info_states *some, uint32_t s) {
    if (some->count < INFO_SHOWN) some->first[some->count] = s;
    some->count++;
}

static bool *find_reachable(const struct lts *l, uint32_t *count) {
    bool *reached = memory_get_zeroed(l->states * sizeof *reached);
    uint32_t *queue = memory_get(l->states * sizeof *queue), found = 1;
    queue[0] = l->initial;
    reached[l->initial] = true;
    for (uint32_t i = 0; i < found; i++)
        for (const struct lts_edge *e = lts_begin(l, queue[i]); e < lts_end(l, queue[i]); e++)
            if (!reached[e->target]) {
                reached[e->target] = true;
                queue[found++] = e->target;
            }
    free(queue);
    *count = found;
    return reached;
}

/* ---- One state ---- */

/* Edges are sorted by label, each once. */
static void look_for_choice(const struct lts *l, uint32_t s, struct lts_info *out) {
    for (const struct lts_edge *e = lts_begin(l, s); e + 1 < lts_end(l, s); e++) {
        if (e[0].label != e[1].label) continue;
        if (out->choices.count == 0) {
            out->choice_label = e->label;
            out->choice_target[0] = e[0].target;
            out->choice_target[1] = e[1].target;
        }
        note(&out->choices, s);
        return;
    }
}

static void look_at(const struct lts *l, uint32_t s, const bool *cyclic, struct lts_info *out) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) out->label_edges[e->label]++;
    out->edges += l->first[s + 1] - l->first[s];
    if (lts_begin(l, s) < lts_end(l, s) && lts_begin(l, s)->label == LTS_TAU) note(&out->invisible, s);
    if (cyclic[s]) note(&out->tau_cycles, s);
    if (lts_deadlocks(l, s)) note(&out->deadlocks, s);
    look_for_choice(l, s, out);
}

/* ---- Strong components ---- */

/* Of the reachable ones: how many states each has, the least of them, whether an edge leads out. */
struct part {
    uint32_t size, least;
    bool leaves;
};

static void add_state(const struct lts *l, uint32_t s, const uint32_t *component, struct part *part) {
    struct part *p = &part[component[s]];
    if (p->size++ == 0) p->least = s;
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        p->leaves |= component[e->target] != component[s];
}

static void find_components(const struct lts *l, const bool *reached, struct effort *effort, struct lts_info *out) {
    uint32_t count, *component = lts_components(l, LTS_ALL_EDGES, effort, &count);
    if (!component) return;
    struct part *part = memory_get_zeroed(count * sizeof *part);
    for (uint32_t s = 0; s < l->states; s++)
        if (reached[s]) add_state(l, s, component, part);
    for (uint32_t s = 0; s < l->states; s++) {
        const struct part *p = &part[component[s]];
        if (!reached[s] || p->least != s) continue;
        out->components++;
        if (p->leaves) continue;
        note(&out->bottoms, s);
        out->bottom_states += p->size;
        if (p->size > out->largest_bottom) out->largest_bottom = p->size;
    }
    free(component);
    free(part);
}

bool lts_info(const struct lts *l, struct effort *effort, struct lts_info *out) {
    *out = (struct lts_info){.label_edges = memory_get_zeroed(l->labels.count * sizeof *out->label_edges)};
    bool *reached = find_reachable(l, &out->reachable), *cyclic = tau_cycles(l);
    for (uint32_t s = 0; s < l->states && !effort_over(effort); s++)
        if (reached[s]) look_at(l, s, cyclic, out);
    out->deterministic = out->choices.count == 0 && out->invisible.count == 0;
    find_components(l, reached, effort, out);
    free(reached);
    free(cyclic);
    if (!effort_over(effort)) return true;
    lts_info_fini(out);
    return false;
}

void lts_info_fini(struct lts_info *i) { free(i->label_edges); }
