/* Strong components after Tarjan, in Pearce's variant, which needs one number a state: `rank` is 0 until the state is
 * found; then it is the least rank known that the state gets to and whose component is not complete; then, the number of
 * its component, counted down from `states`, so that it is above the ranks of all states that are not complete.
 *
 * Most states are not on cycles. One all of whose tau edges lead to complete components is a component itself: these
 * are found in one go through the states from the last to the first, as most tau edges lead onward. */
#include "lts/tau.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct walk {
    const struct lts *l;
    uint32_t *rank;
    uint32_t clock, next; /* ranks and components to come */
    uint32_t *open;       /* found and left, but not complete */
    struct frame {
        uint32_t state;
        bool root; /* no state of lower rank is known that it gets to */
        const struct lts_edge *next;
    } * path;
    uint32_t opened, depth, depth_room;
};

static bool is_complete(const struct walk *w, uint32_t s) { return w->rank[s] > w->next; }

/* States that are components by themselves. */
static void complete_simple(struct walk *w) {
    const struct lts *l = w->l;
    for (uint32_t s = l->states; s-- > 0;) {
        const struct lts_edge *e = lts_begin(l, s), *end = lts_end(l, s);
        while (e < end && e->label == LTS_TAU && (is_complete(w, e->target) || e->target == s)) e++;
        if (e == end || e->label != LTS_TAU) w->rank[s] = w->next--;
    }
}

static void enter(struct walk *w, uint32_t s) {
    const struct lts_edge *e = lts_begin(w->l, s);
    MAKE_ROOM(w->path, w->depth, w->depth_room);
    w->rank[s] = w->clock++;
    w->path[w->depth++] = (struct frame){s, true, e};
    for (; e < lts_end(w->l, s) && e->label == LTS_TAU; e++) __builtin_prefetch(&w->rank[e->target]);
}

static void leave(struct walk *w, struct frame f) {
    uint32_t s = f.state;
    if (!f.root) {
        w->open[w->opened++] = s;
        return;
    }
    w->clock--;
    for (; w->opened > 0 && w->rank[w->open[w->opened - 1]] >= w->rank[s]; w->clock--)
        w->rank[w->open[--w->opened]] = w->next;
    w->rank[s] = w->next--;
}

static void walk_from(struct walk *w, uint32_t start) {
    enter(w, start);
    while (w->depth > 0) {
        struct frame *f = &w->path[w->depth - 1];
        uint32_t s = f->state;
        if (f->next == lts_end(w->l, s) || f->next->label != LTS_TAU) {
            w->depth--;
            leave(w, *f);
            continue;
        }
        uint32_t t = f->next->target;
        if (w->rank[t] == 0) {
            enter(w, t); /* and look at the edge again afterwards */
            continue;
        }
        f->next++;
        if (w->rank[t] < w->rank[s]) {
            w->rank[s] = w->rank[t];
            f->root = false;
        }
    }
}

static uint8_t *find_divergent(const struct lts *l, const uint32_t *component, uint32_t components) {
    uint8_t *divergent = memory_get_zeroed(components);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s) && e->label == LTS_TAU; e++)
            if (component[e->target] == component[s]) divergent[component[s]] = 1;
    return divergent;
}

uint32_t *tau_components(const struct lts *l, uint32_t *components, uint8_t **divergent) {
    struct walk w = {.l = l, .clock = 1, .next = l->states};
    w.rank = memory_get_large_zeroed(l->states * sizeof *w.rank);
    complete_simple(&w);
    w.open = memory_get(w.next * sizeof *w.open);
    for (uint32_t s = 0; s < l->states && w.next > 0; s++)
        if (w.rank[s] == 0) walk_from(&w, s);
    free(w.open);
    free(w.path);
    for (uint32_t s = 0; s < l->states; s++) w.rank[s] = l->states - w.rank[s];
    *components = l->states - w.next;
    if (divergent) *divergent = find_divergent(l, w.rank, *components);
    return w.rank;
}

bool *tau_cycles(const struct lts *l) {
    uint8_t *divergent;
    uint32_t components, *component = tau_components(l, &components, &divergent);
    bool *cyclic = memory_get(l->states * sizeof *cyclic);
    for (uint32_t s = 0; s < l->states; s++) cyclic[s] = divergent[component[s]];
    free(divergent);
    free(component);
    return cyclic;
}

uint32_t *tau_order(const struct lts *l) {
    uint32_t components, *number = tau_components(l, &components, NULL), next = 0;
    uint32_t *place = memory_get_large_zeroed(components * sizeof *place);
    for (uint32_t s = 0; s < l->states; s++) place[number[s]]++;
    for (uint32_t c = 0; c < components; c++) {
        uint32_t size = place[c];
        place[c] = next;
        next += size;
    }
    for (uint32_t s = 0; s < l->states; s++) number[s] = place[number[s]]++;
    free(place);
    return number;
}
