#include "lts/info.h"

#include <assert.h>
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

/* Of the reachable ones: how many states each has, the least of them, whether an edge leads out; whether a visible edge
 * or a state without edges can be reached, and a state without tau edges. */
struct part {
    uint32_t size, least;
    bool leaves, progresses, stabilizes;
};

static void add_state(const struct lts *l, uint32_t s, const uint32_t *component, struct part *part) {
    struct part *p = &part[component[s]];
    if (p->size++ == 0) p->least = s;
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        p->leaves |= component[e->target] != component[s];
}

/* What is reached at once, or through components with lower numbers, which are complete. */
static void look_ahead(const struct lts *l, uint32_t s, const uint32_t *component, struct part *part) {
    const struct lts_edge *e = lts_begin(l, s), *end = lts_end(l, s);
    struct part *p = &part[component[s]];
    p->stabilizes |= e == end || e->label != LTS_TAU;
    p->progresses |= e == end || end[-1].label != LTS_TAU;
    for (; e < end; e++) {
        assert(component[e->target] <= component[s]);
        p->progresses |= part[component[e->target]].progresses;
        p->stabilizes |= part[component[e->target]].stabilizes;
    }
}

/* The states by their components, from the lowest on. */
static uint32_t *sort_by_component(const uint32_t *component, uint32_t states, uint32_t count) {
    uint32_t *next = memory_get_zeroed((count + UINT64_C(1)) * sizeof *next),
             *sorted = memory_get(states * sizeof *sorted);
    for (uint32_t s = 0; s < states; s++) next[component[s] + 1]++;
    for (uint32_t c = 0; c < count; c++) next[c + 1] += next[c];
    for (uint32_t s = 0; s < states; s++) sorted[next[component[s]]++] = s;
    free(next);
    return sorted;
}

static void find_lost(const struct lts *l, const bool *reached, const uint32_t *component, uint32_t count,
                      struct part *part, struct lts_info *out) {
    uint32_t *sorted = sort_by_component(component, l->states, count);
    for (uint32_t i = 0; i < l->states; i++)
        if (reached[sorted[i]]) look_ahead(l, sorted[i], component, part);
    for (uint32_t s = 0; s < l->states; s++) {
        if (reached[s] && !part[component[s]].progresses) note(&out->unprogressing, s);
        if (reached[s] && !part[component[s]].stabilizes) note(&out->unstabilizing, s);
    }
    free(sorted);
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
    find_lost(l, reached, component, count, part, out);
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
