#include "lts/info.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lts/tau.h"

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

/* ---- Strong components, after Tarjan ---- */

struct walk {
    const struct lts *l;
    uint32_t *found, *low; /* when a state was found, from 1 on; the least that it gets back to, LTS_NONE: complete */
    uint32_t *open, opened, clock;
    uint32_t *path, depth;
    uint64_t *next; /* by state: the edge to look at */
    bool *leaves;   /* by state: an edge leads out of the component, as far as is known */
    bool *is_least; /* by state: it is the least one of a bottom component */
    /* By state: a visible edge or a state without edges, or a state without tau edges can be reached. */
    bool *progresses, *stabilizes;
};

static void enter(struct walk *w, uint32_t s) {
    w->found[s] = w->low[s] = ++w->clock;
    w->next[s] = w->l->first[s];
    w->open[w->opened++] = s;
    w->path[w->depth++] = s;
}

/* What the states above `from` on the stack, which are a component, can reach: in it, or in others, which are complete. */
static void look_ahead(struct walk *w, uint32_t from) {
    bool progresses = false, stabilizes = false;
    for (uint32_t i = from; i < w->opened; i++) {
        const struct lts_edge *e = lts_begin(w->l, w->open[i]), *end = lts_end(w->l, w->open[i]);
        stabilizes |= e == end || e->label != LTS_TAU;
        progresses |= e == end || end[-1].label != LTS_TAU;
        for (; e < end; e++) {
            progresses |= w->progresses[e->target];
            stabilizes |= w->stabilizes[e->target];
        }
    }
    for (uint32_t i = from; i < w->opened; i++) {
        w->progresses[w->open[i]] = progresses;
        w->stabilizes[w->open[i]] = stabilizes;
    }
}

static void complete(struct walk *w, uint32_t root, struct lts_info *out) {
    uint32_t from = w->opened;
    while (w->open[--from] != root) {}
    look_ahead(w, from);
    uint32_t size = 0, least = root, s;
    bool leaves = false;
    do {
        s = w->open[--w->opened];
        w->low[s] = LTS_NONE;
        leaves |= w->leaves[s];
        if (s < least) least = s;
        size++;
    } while (s != root);
    out->components++;
    if (leaves) return;
    w->is_least[least] = true;
    out->bottom_states += size;
    if (size > out->largest_bottom) out->largest_bottom = size;
}

/* The next edge of the last state of the path. */
static void step(struct walk *w, struct lts_info *out) {
    uint32_t s = w->path[w->depth - 1];
    if (w->next[s] == w->l->first[s + 1]) {
        uint32_t low = w->low[s];
        if (low == w->found[s]) complete(w, s, out);
        if (--w->depth == 0) return;
        uint32_t before = w->path[w->depth - 1];
        if (w->low[s] == LTS_NONE) w->leaves[before] = true;
        else if (low < w->low[before]) w->low[before] = low;
        return;
    }
    uint32_t t = w->l->edge[w->next[s]++].target;
    if (!w->found[t]) enter(w, t);
    else if (w->low[t] == LTS_NONE) w->leaves[s] = true;
    else if (w->found[t] < w->low[s]) w->low[s] = w->found[t];
}

static void find_components(const struct lts *l, struct effort *effort, struct lts_info *out) {
    uint64_t n = l->states;
    struct walk w = {.l = l,
                     .found = memory_get_zeroed(n * sizeof *w.found),
                     .low = memory_get(n * sizeof *w.low),
                     .open = memory_get(n * sizeof *w.open),
                     .path = memory_get(n * sizeof *w.path),
                     .next = memory_get(n * sizeof *w.next),
                     .leaves = memory_get_zeroed(n * sizeof *w.leaves),
                     .is_least = memory_get_zeroed(n * sizeof *w.is_least),
                     .progresses = memory_get_zeroed(n * sizeof *w.progresses),
                     .stabilizes = memory_get_zeroed(n * sizeof *w.stabilizes)};
    enter(&w, l->initial);
    while (w.depth > 0 && !effort_over(effort)) step(&w, out);
    for (uint32_t s = 0; s < l->states; s++) {
        if (w.is_least[s]) note(&out->bottoms, s);
        if (w.found[s] && !w.progresses[s]) note(&out->unprogressing, s);
        if (w.found[s] && !w.stabilizes[s]) note(&out->unstabilizing, s);
    }
    free(w.found);
    free(w.low);
    free(w.open);
    free(w.path);
    free(w.next);
    free(w.leaves);
    free(w.is_least);
    free(w.progresses);
    free(w.stabilizes);
}

bool lts_info(const struct lts *l, struct effort *effort, struct lts_info *out) {
    *out = (struct lts_info){.label_edges = memory_get_zeroed(l->labels.count * sizeof *out->label_edges)};
    bool *reached = find_reachable(l, &out->reachable), *cyclic = tau_cycles(l);
    for (uint32_t s = 0; s < l->states && !effort_over(effort); s++)
        if (reached[s]) look_at(l, s, cyclic, out);
    out->deterministic = out->choices.count == 0 && out->invisible.count == 0;
    find_components(l, effort, out);
    free(reached);
    free(cyclic);
    if (!effort_over(effort)) return true;
    lts_info_fini(out);
    return false;
}

void lts_info_fini(struct lts_info *i) { free(i->label_edges); }
